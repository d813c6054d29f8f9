"""Lesson 09: its check of an interval, and what its prose says of Table 1 and of the recordings, which may grow."""

from collections import Counter
from pathlib import Path

import nbformat
import pytest

from reactkit import f1, kit_claims, kit_questions
from reactkit.figures import table_1_at
from reactkit.laboratory import laboratory, models, recorded_runs
from reactkit.paper import number

LESSON = Path(__file__).resolve().parent.parent / "notebooks" / "09_scores.ipynb"
CELLS = {cell.id: cell.source for cell in nbformat.read(LESSON, as_version=4).cells if cell.cell_type == "code"}
OURS = """
def my_interval(values, draws=1000):
    means = sorted(100 * sum(chance.choices(values, k=len(values))) / len(values) for _ in range(draws))
    return means[draws // 40], means[-1 - draws // 40]
"""
ENDS = "means[draws // 40], means[-1 - draws // 40]"
SINGLE, VOTING = ("Standard", "CoT", "Act", "ReAct"), ("CoT-SC", "ReAct → CoT-SC", "CoT-SC → ReAct")


def report(answer):
    """Return what the lesson's check says to `answer`, with what stands before it in the lesson."""
    names = {}
    asked, *_ = CELLS["09-table-counts"].partition("\nrows")
    for source in (CELLS["09-imports"], asked, CELLS["09-bars-draw"], answer):
        exec(source, names)
    *before, last = CELLS["09-my-interval-check"].rstrip().split("\ncheck(")
    exec("\ncheck(".join(before), names)
    return eval("check(" + last, names)


def test_a_bootstrap_as_the_hints_build_it_passes():
    assert report(OURS).problem is None


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ("chance.choices(values", "chance.sample(values", "may a value come twice?"),
        ("100 * sum", "sum", "multiply the means by 100"),
        (
            "means[draws // 40], means[-1 - draws // 40]",
            "means[-1 - draws // 40], means[draws // 40]",
            "lower one first",
        ),
        ("means[draws // 40], means[-1 - draws // 40]", "means", "return a pair"),
        ("draws // 40], means[-1 - draws // 40", "0], means[-1", "leave out one in forty at each end"),
        (
            "draws // 40], means[-1 - draws // 40",
            "draws // 5], means[-draws // 5",
            "leave out one in forty at each end",
        ),
    ],
)
def test_each_wrong_interval_gets_the_words_meant_for_it(old, new, words):
    assert OURS.count(old) == 1
    assert words in report(OURS.replace(old, new)).problem


def score(method, task):
    return number(f"table 1/{method}/{task}").value


def test_table_1_is_as_the_prose_says():
    assert score("ReAct", "HotpotQA") < score("Standard", "HotpotQA") < score("CoT", "HotpotQA")
    assert score("ReAct", "FEVER") > max(score("Standard", "FEVER"), score("CoT", "FEVER"))
    best = [sorted(SINGLE + VOTING, key=lambda name: -score(name, task))[:2] for task in ("HotpotQA", "FEVER")]
    assert best == [["ReAct → CoT-SC", "CoT-SC → ReAct"], ["CoT-SC → ReAct", "ReAct → CoT-SC"]]
    assert all(0 < score("ReAct", task) - score("Act", task) < 3 for task in ("HotpotQA", "FEVER"))


def test_the_intervals_of_table_1_overlap_as_the_prose_says():
    ends = {name: (low, high) for name, _, low, high in table_1_at(500).twin.rows}
    for task in ("HotpotQA", "FEVER"):
        for group in (SINGLE, VOTING):
            lows, highs = zip(*(ends[f"{task}, {name}"] for name in group))
            assert max(lows) < min(highs)
    assert ends["HotpotQA, Act"][1] < ends["HotpotQA, ReAct → CoT-SC"][0]


def test_the_recordings_are_as_the_prose_says():
    smallest, *_, largest = models()
    given = [
        Counter(recorded_runs(model, "Standard")[task][0].answer for task in kit_claims())
        for model in (smallest, largest)
    ]
    assert [*given[0].values()] == [60]  # the same label under every claim
    assert given[1].most_common(1)[0][1] > 50 and given[0].keys() != {given[1].most_common(1)[0][0]}
    runs = recorded_runs(largest, "Standard")
    partly = {runs[task][0].answer for task in kit_questions() if 0 < f1(runs[task][0].answer or "", task.gold) < 1}
    assert {"Brooklyn Bridge", "The Sorrows of the Soul"} <= partly  # a bridge, and a word such as "of"


def test_the_two_labels_of_the_claim_about_beautiful_are_as_the_prose_says():
    (claim,) = (task for task in kit_claims() if task.name == "c13")
    said = [recorded_runs(model, "CoT")[claim][0].answer for model in (models()[0], models()[-1])]
    assert (said, claim.gold) == (["NOT ENOUGH INFO", "SUPPORTS"], "NOT ENOUGH INFO")


def test_five_points_need_hundreds_of_questions_and_more_than_the_kit_has():
    names = {}
    for source in (CELLS["09-imports"], CELLS["09-same-recorded"].partition("\n\n")[0]):
        exec(source, names)
    names["found"] = laboratory(names["MODEL"])[0]
    exec(CELLS["09-needed-table"], names)
    assert min(row[3] for row in names["rows"]) > 200 > len(kit_questions())
