"""Titles: which are the same, and which ones a person may have meant."""

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from reactkit.titles import LONGEST_TITLE, key, likeness, marks, most_alike, near, plain, spelled_alike

WORD = st.text("abcdé ", min_size=3, max_size=12).map(plain).filter(lambda word: len(word) > 2)
LETTER = st.sampled_from("abcz")


def found(asked, *titles):
    return most_alike(asked, [(title, title) for title in titles])


@pytest.mark.parametrize("form", ["Lord Byron", "lord_byron", "  LORD   Byron ", "Lord\tBYRON\n"])
def test_forms_of_a_title_have_one_key(form):
    assert key(form) == "lord byron"


@pytest.mark.parametrize(
    ("title", "words"),
    [
        ("São Paulo (state)", "sao paulo state"),
        ("Sa\u0303o_Paulo", "sao paulo"),
        ("Rock 'n' roll", "rock n roll"),
        ("ＡＢＣ—½", "abc 1 2"),
        ("Straße", "strasse"),
        ("हिन्दी", "हनद"),
        ("東京", "東京"),
        ("C++ \ud800\x00", "c"),
        ("!?", ""),
    ],
)
def test_a_plain_title_has_words_only(title, words):
    assert plain(title) == words


def test_of_a_text_too_long_for_a_title_only_the_beginning_is_read():
    assert plain("ab " * 10**6) == " ".join(["ab"] * (LONGEST_TITLE // 3))


@given(WORD, WORD | LETTER, st.integers(0, 12), st.sampled_from(["left out", "put in", "exchanged", "swapped"]))
def test_whatever_is_one_typing_error_apart_is_found_by_a_mark(word, letters, at, fault):
    rest, letter = word[at:], letters[0]
    wrong = {
        "left out": rest[1:],
        "put in": letter + rest,
        "exchanged": letter + rest[1:],
        "swapped": rest[1:2] + rest[:1] + rest[2:],
    }
    other = word[:at] + wrong[fault]
    assume(plain(other) == other and len(other) > 2)
    assert spelled_alike(word, other) == 1 == spelled_alike(other, word)
    assert not set(marks(word)).isdisjoint(near(other))


@given(st.text(max_size=12))
def test_a_name_is_looked_for_by_twelve_marks_its_own_among_them(text):
    assert len(near(plain(text))) == 12
    assert set(marks(plain(text))) <= set(near(plain(text)))


@pytest.mark.parametrize(
    ("one", "other"),
    [("massachusetts", "massachussets"), ("restaurant", "restaraunt"), ("philippines", "phillipines")],
)
def test_vowels_and_doubled_letters_are_often_misspelled(one, other):
    assert 0.75 < spelled_alike(one, other) < 1
    assert not set(marks(one)).isdisjoint(near(other))


@pytest.mark.parametrize(
    ("one", "other"),
    [("carbon", "carribean"), ("bdsm", "buddism"), ("uk", "ur"), ("front", "trunk"), ("abcd", "badc"), ("", "")],
)
def test_these_are_other_words(one, other):
    assert spelled_alike(one, other) == 0


@pytest.mark.parametrize(
    ("asked", "titles"),
    [
        ("Front Row", ["Front Row (software)", "Front Row Motorsports"]),
        ("front row motorsport", ["Front Row Motorsports"]),
        ("Ada Lovelace", ["Lovelace, Ada", "Ada Lovelace Day"]),
        ("Nicholas Ray director", ["Nicholas Ray"]),
        ("Genghis Kahn", ["Genghis Khan"]),
        ("Gengis", ["Genghis Khan"]),
        ("Red meat", ["Red meat", "Red Meat", "Red meat (food)"]),
        ("Venus Conaz", ["Venus"]),
        ("Vemus Conaz", []),
        ("History of Venus", []),
        ("Zorblatt", []),
        ("?", []),
        ("", []),
    ],
)
def test_the_likeliest_titles_come_first_and_strangers_not_at_all(asked, titles):
    shelf = (
        "Ada Lovelace Day", "Carbon", "Front Row (software)", "Front Row Motorsports", "Genghis Khan",
        "History of Mars", "Lovelace, Ada", "Nicholas Ray", "Red Meat", "Red meat", "Red meat (food)", "Venus", "!",
    )  # fmt: skip
    assert found(asked, *shelf) == titles


def test_another_name_of_a_page_leads_to_its_title_and_counts_for_less():
    names = [("Bombay", "Mumbai"), ("Mumbai", "Mumbai"), ("Bombay duck", "Bombay duck")]
    assert most_alike("Bombey", names) == ["Mumbai", "Bombay duck"]
    assert most_alike("Bombay", names) == ["Mumbai", "Bombay duck"]
    assert most_alike("Mumbay", names) == ["Mumbai"]


def test_never_more_than_five_titles_and_never_one_twice():
    names = [(f"Kite {n}", f"Kite {n % 7}") for n in range(70)]
    assert most_alike("kite", names) == [f"Kite {n}" for n in range(5)]


@given(st.text(max_size=30), st.text(max_size=30))
def test_likeness_is_a_share_and_whole_for_the_same_words(one, other):
    assert 0 <= likeness(plain(one), other) <= 1
    assert likeness(plain(other), other) == 1
