import json
import re
from collections import Counter

import pytest

from reactkit.errors import DataError
from reactkit.marks import card
from reactkit.paper import Number, Table, known, number, numbers, table

GROUPS = tuple(dict.fromkeys(entry.key.split("/")[0] for entry in numbers()))
BASES = {"paper", "authors' code", "authors' project page", "starting document", "ours"}


def test_a_number_prints_with_its_unit_and_its_source():
    assert str(number("table 1/ReAct/HotpotQA")) == "27.4 % EM (Table 1, p. 5)"
    assert str(number("table 1/ReAct → CoT-SC/FEVER")) == "62.0 % accuracy (Table 1, p. 5)"
    assert str(number("prompt size/HotpotQA/ReAct")) == ("5,893 characters (prompts of ysymyth/ReAct; authors' code)")
    assert str(number("figure 3/prompt 8B/ReAct")) == (
        "5.4 % EM (Figure 3, p. 7; measured by us from the bars, ±0.2; no value is printed)"
    )
    assert str(number("table 2/failure, search result error/CoT")) == "— % of failures (Table 2, p. 6)"


@pytest.mark.parametrize(
    ("name", "head"),
    [
        ("table 1", "method Standard CoT CoT-SC Act ReAct CoT-SC→ReAct ReAct→CoT-SC SupervisedSoTA"),
        ("table 3", "method Act(bestof6) ReAct(avg) ReAct(bestof6) ReAct-IM(avg) ReAct-IM(bestof6) "
                    "BUTLER_g(bestof8) BUTLER(bestof8)"),
        ("table 4", "method Act ReAct IL IL+RL Humanexpert"),
        ("table 5", "model PaLM-540B GPT-3"),
        ("figure 3", "model prompt8B prompt62B prompt540B fine-tune8B fine-tune62B"),
    ],
)  # fmt: skip
def test_a_table_has_the_papers_rows_in_the_papers_order(name, head):
    printed = table(name.title())
    names = [printed.columns[0], *(row for row, *_ in printed.rows)]
    assert " ".join(name.replace(" ", "") for name in names) == head
    assert None not in [cell for row in printed.rows for cell in row]


def test_a_table_prints_as_text_with_a_dash_where_nothing_is_printed():
    assert repr(table("Table 2")).splitlines()[1:] == [
        "kind                          ReAct  CoT",
        "success, true positive           94   86",
        "success, false positive           6   14",
        "failure, reasoning error         47   16",
        "failure, search result error     23    —",
        "failure, hallucination            0   56",
        "failure, label ambiguity         29   28",
    ]


def test_a_table_prints_as_html_with_scopes_and_all_text_escaped():
    escaped = Table("a <b> title", ("who & what", "n", "by"), (("<script>", 1234, "us"), ('"x"', None, "<i>")))
    assert escaped.html() == (
        "<figure><figcaption>a &lt;b&gt; title</figcaption><table>"
        '<thead><tr><th scope="col">who &amp; what</th><th scope="col" class="rk-number">n</th>'
        '<th scope="col">by</th></tr></thead>'
        '<tbody><tr><th scope="row">&lt;script&gt;</th><td class="rk-number">1,234</td><td>us</td></tr>'
        '<tr><th scope="row">&quot;x&quot;</th><td class="rk-number">—</td><td>&lt;i&gt;</td></tr>'
        "</tbody></table></figure>"
    )
    assert escaped._repr_html_() == card(escaped.html())


def test_the_caption_says_place_page_and_what_is_ours():
    assert table("Table 3").title.endswith("(Table 3, p. 8)")
    assert "Figure 3, p. 7; measured by us" in table("Figure 3")._repr_html_()
    assert "our arithmetic" in table("switch rules").title


def test_every_key_is_its_group_row_and_column_and_stands_once():
    assert [key for key, count in Counter(entry.key for entry in numbers()).items() if count > 1] == []
    assert all(entry.key == f"{entry.key.split('/')[0]}/{entry.row}/{entry.column}" for entry in numbers())


@pytest.mark.parametrize("name", GROUPS)
def test_every_number_has_a_source_and_finds_its_way_back_into_its_table(name):
    printed = table(name)
    for entry in (entry for entry in numbers() if entry.key.startswith(f"{name}/")):
        assert printed.value(entry.row, entry.column) == entry.value
        assert entry.basis in BASES and entry.place
        assert (entry.page is not None) or entry.basis != "paper", entry
        assert entry.basis != "ours" or re.search(r"\b(us|our)\b", entry.note), entry


def test_unknown_names_are_answered_with_near_ones():
    with pytest.raises(DataError, match="data/paper.json has no 'table 1/React/HotpotQA'; .*'table 1/ReAct/HotpotQA'"):
        number("table 1/React/HotpotQA")
    with pytest.raises(DataError, match="data/paper.json has no 'tabel 1'; .*'table 1'"):
        table("Tabel 1")
    with pytest.raises(DataError, match="the table 'PaLM.* has no 'FEVR'; .*'FEVER'"):
        table("table 1").value("ReAct", "FEVR")


@pytest.mark.parametrize(
    ("figure", "keys"),
    [
        ("0.84", ["at the cap/HotpotQA/share"]),
        ("1.33 %", ["at the cap/FEVER/share"]),
        ("5,893", ["prompt size/HotpotQA/ReAct"]),
        ("27.4", ["table 1/ReAct/HotpotQA"]),
        ("27.5", []),
        ("—", []),
        ("", []),
    ],
)
def test_a_figure_in_a_text_is_known_or_not(figure, keys):
    assert [entry.key for entry in known(figure)] == keys


@pytest.mark.parametrize(
    ("high", "low"),
    [
        ("table 1/CoT/HotpotQA", "table 1/Standard/HotpotQA"),
        ("table 1/Standard/HotpotQA", "table 1/ReAct/HotpotQA"),
        ("table 1/ReAct/HotpotQA", "table 1/Act/HotpotQA"),
        ("table 1/ReAct/FEVER", "table 1/CoT/FEVER"),
        ("table 1/Standard/FEVER", "table 1/CoT/FEVER"),
        ("table 1/Supervised SoTA/HotpotQA", "table 1/ReAct → CoT-SC/HotpotQA"),
        ("alfworld trials/ReAct/worst of 6", "table 3/Act (best of 6)/All"),
        ("table 3/ReAct-IM (best of 6)/Clean", "table 3/ReAct (best of 6)/Clean"),
        ("readme/PaLM-540B/FEVER", "readme/GPT-3/FEVER"),
        ("table 4/IL/Success rate", "table 4/IL+RL/Success rate"),
        ("figure 3/fine-tune 8B/ReAct", "figure 3/prompt 62B/CoT"),
        ("figure 3/fine-tune 62B/ReAct", "table 1/CoT/HotpotQA"),
        ("table 1/CoT-SC/HotpotQA", "figure 3/fine-tune 62B/ReAct"),
    ],
)
def test_what_the_paper_says_in_words_holds_in_its_numbers(high, low):
    assert number(high).value > number(low).value


@pytest.mark.parametrize(
    ("column", "best"), [("HotpotQA", "ReAct → CoT-SC"), ("FEVER", "CoT-SC → ReAct")]
)  # fmt: skip
def test_no_one_method_wins_both_tasks(column, best):
    *prompted, _ = table("Table 1").rows
    place = table("Table 1").columns.index(column)
    assert max(prompted, key=lambda row: row[place])[0] == best


@pytest.mark.parametrize(
    ("half", "method", "total"),
    [("success", "ReAct", 100), ("success", "CoT", 100), ("failure", "ReAct", 99), ("failure", "CoT", 100)],
)
def test_table_2_adds_up_to_the_sums_that_we_state(half, method, total):
    printed = table("Table 2")
    shares = [printed.value(kind, method) or 0 for kind, *_ in printed.rows if kind.startswith(half)]
    assert sum(shares) == total == table("table 2 sums").value(method, half)


@pytest.mark.parametrize(
    ("method", "all_by_columns"),
    [("ReAct (avg)", 57.3), ("ReAct-IM (avg)", 48.6), ("Act (best of 6)", 63.6), ("ReAct (best of 6)", 75.5)]
    + [("ReAct-IM (best of 6)", 60.1), ("BUTLER (best of 8)", 51.6)],
)
def test_table_3_gives_all_from_its_columns_in_the_average_rows_only(method, all_by_columns):
    types = table("Table 3").columns[1:-1]
    games = [table("table 3 games").value("games", kind) for kind in types]
    wins = sum(n * table("Table 3").value(method, kind) for n, kind in zip(games, types, strict=True))
    assert sum(games) == table("table 3 games").value("games", "All")
    assert round(wins / sum(games), 1) == all_by_columns
    assert (abs(all_by_columns - table("Table 3").value(method, "All")) < 1) == ("avg" in method)


def test_our_measured_bars_agree_with_table_1_where_both_are_known():
    for method in table("Figure 3").columns[1:]:
        measured = table("Figure 3").value("prompt 540B", method)
        assert abs(measured - number(f"table 1/{method}/HotpotQA").value) <= 0.2


def test_the_parts_of_an_example_add_up():
    read = [number(f"hotel/ReAct/{part} read").value for part in ("rooms", "suites")]
    assert sum(read) == number("hotel/ReAct/rooms").value != number("hotel/label/rooms").value
    claims, right = (
        [number(f"fever run/{label}/{what}").value for label in ("SUPPORTS", "REFUTES", "NOT ENOUGH INFO", "all")]
        for what in ("claims", "right")
    )
    assert (sum(claims[:3]), sum(right[:3])) == (claims[3], right[3])
    assert 100 * right[3] / claims[3] == number("readme/GPT-3/FEVER").value


@pytest.mark.parametrize(
    ("task", "file", "names"),
    [
        ("HotpotQA", "prompts_naive.json", "webqa_simple6 cotqa_simple6 webact_simple6 webthink_simple6"),
        ("FEVER", "fever.json", "webqa_simple3 cotqa_simple3 webact_simple3 webthink_simple3"),
    ],
)
def test_prompt_sizes_are_those_of_the_released_prompts(real_data, task, file, names):
    prompts = json.loads((real_data / "prompts" / "react" / file).read_text(encoding="utf-8"))
    sizes = dict(zip(("Standard", "CoT", "Act", "ReAct"), names.split(), strict=True))
    assert {method: len(prompts[name]) for method, name in sizes.items()} == {
        method: number(f"prompt size/{task}/{method}").value for method in sizes
    }


def test_the_fever_run_ends_with_the_count_of_right_answers_that_we_state(real_data):
    printed = (real_data / "trajectories" / "react_fever_davinci002.jsonl").read_text(encoding="utf-8")
    right, asked = json.loads(printed.splitlines()[-1])["text"].strip().split("\n")[-1].split()[:2]
    assert (int(right), int(asked)) == (number("fever run/all/right").value, 499)  # the 500th was left out


def test_numbers_are_values_equal_by_content():
    entry = number("switch rules/CoT-SC/samples")
    assert entry == Number("switch rules/CoT-SC/samples", 21, "samples", "§3.2", 5, "n", "paper", "CoT-SC", "samples")
