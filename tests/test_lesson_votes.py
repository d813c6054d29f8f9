"""Lesson 08 over made-up recordings: it says what is so with few samples or many, with ReAct or without."""

import re
from collections import Counter
from functools import partial
from pathlib import Path

import nbformat
import pytest

from reactkit import Completion, kit_claims, kit_questions, record, solve
from reactkit.figures import by_samples
from reactkit.laboratory import ASKED, card_of, laboratory, recorded_runs, tables

LESSON = Path(__file__).resolve().parent.parent / "notebooks" / "08_votes_and_switches.ipynb"
CODE = [cell for cell in nbformat.read(LESSON, as_version=4).cells if cell.cell_type == "code"]
MODEL = "Qwen2.5-Coder-1.5B-Instruct"
TASKS = (*kit_questions(), *kit_claims())
PLACES = {task.text: place for place, task in enumerate(TASKS)}


class Toy:
    """A model that thinks rightly of each third task; of the others it says one wrong word, or a new one each time."""

    kind, name = "live", MODEL

    def __init__(self):
        self.asked = Counter()

    def __call__(self, context, stop=()):
        text = re.findall(r"^(?:Question|Claim): (.*)", context, re.MULTILINE)[-1]
        self.asked[text] += 1
        gold = TASKS[PLACES[text]].gold
        said = (gold, "nowhere", f"place {self.asked[text]}")[PLACES[text] % 3]
        acts = context.endswith("Thought 1:")
        return Completion(f" Hm.\nAction 1: Finish[{gold}]" if acts else f" Hm.\nAnswer: {said}")


def shown(folder, samples, *methods):
    """Return the rows that each cell of the lesson shows, over recordings of so many samples and these methods."""
    for method in ("CoT", "CoT-SC", *methods):
        model = record(Toy(), folder / f"{MODEL}.{method}.jsonl".lower(), **card_of(method))
        for task in [*TASKS] * (samples if method == "CoT-SC" else 1):
            solve(task, ASKED[method], model)
    names, rows = {}, {}
    for cell in CODE:
        exec(cell.source, names)
        if cell.id == "08-imports":
            reads = (laboratory, recorded_runs, tables, by_samples)
            names |= {read.__name__: partial(read, folder=folder) for read in reads}
        rows[cell.id] = [*names.get("rows", ())]
    return rows


@pytest.fixture(scope="module")
def few(tmp_path_factory):
    return shown(tmp_path_factory.mktemp("few"), 3)


@pytest.fixture(scope="module")
def many(tmp_path_factory):
    return shown(tmp_path_factory.mktemp("many"), 4, "ReAct")


def test_without_react_the_lesson_says_that_it_is_not_recorded_yet(few):
    assert {row[3] for row in few["08-switch-paired"]} == {"not recorded yet"}
    names = ["questions: CoT", "questions: CoT-SC", "claims: CoT", "claims: CoT-SC"]
    assert [row[0] for row in few["08-switch-table"]] == names == [row[0] for row in few["08-cost-measured"]]


def test_with_react_each_difference_says_what_its_interval_allows(many):
    said = {name: words for name, *_, words in many["08-switch-paired"]}
    assert said["questions: ReAct less CoT-SC"] == "more are right: 0 lies below"
    assert said["questions: ReAct → CoT-SC less CoT-SC"] == "more are right: 0 lies below"
    assert len(said) == 6 and len(many["08-switch-table"]) == 10
    assert {row[3] for row in many["08-pay-paired"]} == {"nothing measurable: 0 lies inside"}


def test_agreed_and_wrong_answers_are_found_and_those_that_disagree_go_to_react(few, many):
    for rows in (few, many):
        assert {vote for _, _, vote, _ in rows["08-truth-wrong"]} == {"nowhere"}
        assert [row[:2] for row in rows["08-truth-chart"]] == [
            ("nine in ten agree, or more", 43),
            ("less than half agree", 21),
        ]
    assert few["08-truth-wrong"][0][3] == "3 of 3" and many["08-truth-wrong"][0][3] == "4 of 4"
