"""A text falls into its sentences by rules, nothing of it is lost, and a real reference agrees as often as said."""

import re
import sys

import pytest
from conftest import ROOT
from hypothesis import given
from hypothesis import strategies as st

from reactkit.sentences import last_end, sentences

sys.path.insert(0, str(ROOT / "tests" / "benchmarks"))
import sentences as benchmark

PARTS = st.sampled_from('Dr U.S I … 。 " ” ) ( 1850 The é . !'.split() + ["\n", " ", "\u2009"])


@pytest.mark.parametrize(
    "text",  # a bar stands where a sentence ends
    [
        "Dr. Vell met Mrs. Orr at St. Ann's.| She worked for Ruddle Inc. and Vell & Co. in Ruddle.",
        "It lies in the U.S. Midwest.| It left the U.S.| The rest stayed.",
        "He has a Ph.D. from Orrin, i.e. the town, e.g. by post.| She, too.",
        "It dates from c. 1850, or ca. 1860, as no. 5 of vol. 2 says on pp. 7 and 8.| So do others.",
        "Vell vs. Orr was heard on Jan. 5 and on Sept. 11.| Nobody came.",
        "J. R. R. Orrin Jr. wrote it with Ł. Vell and É. Orr.| They agreed.",
        "São Paulo grew.| Ångström measured.| İzmir traded.| Εδώ it ends.| ¿Why?| «Go.»| Ok.",
        "Anna Orr (b. 1950, d. 1989) lived.| In 3.5 years she grew 1.2 cm.| 1945 was cold.| 20 came.",
        "It was after World War I.| Ruddle grew.",
        "Orrin VI.| Dr. Vell built it.| Orrin V.| It stands.| V. S. Orr saw it.| Ruddle froze at 0 °C.| Vell left.",
        'He said "Go!"| Then he went.| (So did she.)| "Why?"| [Nobody knew.]| “Well.”| ‘Now.’| They slept.',
        '"Go!" he said, and Yahoo! was there.| Who asked "Why?" first?| He did.',
        "Wait...| Then go … now…| Or stay... or not.",
        "Title\n|A row\n|\n|another row. \n|one more  \n|end",
        "川がある。|山がある！|「誰？」|誰も。",
        "What?!| Yes!!!| No.",
        "www.ruddle.example and v1.2.Final are words.|",
        "",
        " \n ",
    ],
)
def test_a_text_falls_into_its_sentences(text):
    assert sentences(text.replace("|", "")) == tuple(piece.strip() for piece in text.split("|") if piece.strip())


@given(st.one_of(st.text(), st.lists(PARTS).map("".join), st.lists(PARTS).map(" ".join)))
def test_nothing_of_a_text_is_lost_and_no_sentence_is_empty(text):
    found = sentences(text)
    assert "".join("".join(found).split()) == "".join(text.split())
    assert all(piece == piece.strip() != "" for piece in found)


@pytest.mark.parametrize(
    "text, parts",
    [
        ("." * 10**6, 1),
        ("word " * 200_000, 1),
        ("a" * 10**6, 1),
        ("\n" * 10**6, 0),
        (". " + "(" * 10**6, 1),
        ('.")' * 300_000, 1),
        ("It is. " * 100_000, 100_000),
    ],
)
def test_a_million_characters_of_any_kind_are_read_to_the_end(text, parts):
    assert len(sentences(text)) == parts


@pytest.mark.parametrize("room, end", [(40, 13), (13, 13), (12, 9), (9, 9), (4, 2), (1, 0)])
def test_a_cut_comes_after_a_sentence_or_else_between_two_words(room, end):
    assert last_end("It floats up. Then it goes down again", room) == end


def test_a_cut_before_a_line_break_leaves_the_break_out_and_a_text_that_fits_stays_whole():
    assert last_end("One row \nanother row", 15) == len("One row")
    assert last_end("One. Two.", 9) == 9


def test_the_ends_in_real_paragraphs_are_found_as_often_as_the_module_says(real_data):
    row = benchmark.score(sentences, benchmark.paragraphs(real_data.parent))
    del row["seconds"]
    rounded = {name: round(value, 3) for name, value in row.items()}
    assert rounded == {"found": 0.981, "false": 0.008, "f1": 0.987, "alike": 2495}


def test_where_splitters_disagree_is_told_with_who_ends_a_sentence_there():
    found = {"ours": sentences, "stops": lambda text: re.split(r"(?<=\.)", text), "none": lambda text: [text]}
    assert benchmark.disagreements(found, ["It is 3.5 m. It stands."]) == (
        2,
        [("stops", "It is 3.|5 m. It stands."), ("ours, stops", "It is 3.5 m. |It stands.")],
    )
