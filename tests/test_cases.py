"""The shared cases of what models write: 80 kinds of faults from public reports, each field of each asserted."""

import json

import pytest
from cases_parse import differences, outcome
from conftest import ROOT

OWN = ROOT / "tests" / "more_cases.jsonl"


def cases(folder, family):
    rows = (json.loads(row) for row in (folder / "react_outputs.jsonl").read_text(encoding="utf-8").splitlines())
    return [case for case in rows if case["family"] == family]


def test_every_shared_case_of_what_a_model_wrote_is_right(real_cases):
    found = cases(real_cases, "output_parse")
    wrong = {case["id"]: told for case in found if (told := differences(case["expected"], outcome(case["input"])))}
    assert (len(found), wrong) == (42, {})


OURS = [json.loads(row) for row in OWN.read_text(encoding="utf-8").splitlines()]


@pytest.mark.parametrize("case", OURS, ids=lambda case: case["title"])
def test_other_cases_of_the_same_kinds_are_right(case):
    assert differences(case["expected"], outcome(case["input"])) == []
