"""The shared cases, 80 kinds of faults from public reports, and our own of the same kinds: every field of each."""

import json
import sys
from collections import Counter

import pytest
from cases_parse import differences, outcome
from conftest import ROOT

sys.path.insert(0, str(ROOT / "tests" / "benchmarks"))
from harness import FAMILIES

OURS = [json.loads(row) for row in (ROOT / "tests" / "more_cases.jsonl").read_text(encoding="utf-8").splitlines()]


def test_every_shared_case_is_right_in_every_field(real_cases):
    rows = (real_cases / "react_outputs.jsonl").read_text(encoding="utf-8").splitlines()
    cases = [json.loads(row) for row in rows]
    wrong = {case["id"]: told for case in cases if (told := FAMILIES[case["family"]](case))}
    counts = {"output_parse": 42, "environment": 13, "loop": 9, "http_client": 16}
    assert (Counter(case["family"] for case in cases), wrong) == (counts, {})


@pytest.mark.parametrize("case", OURS, ids=lambda case: case["title"])
def test_other_cases_of_the_same_kinds_are_right(case):
    assert differences(case["expected"], outcome(case["input"])) == []


def test_a_field_that_is_not_known_or_differs_is_a_difference():
    came = outcome(OURS[0]["input"])
    told = differences({**OURS[0]["expected"], "tool": "Lookup", "colour": "red"}, came)
    assert told == ["tool: 'Search' instead of 'Lookup'", "the field colour is not known"]
