"""The benchmark's own measures: what counts as right, what as wrongly accepted, what is counted and how."""

import json
import random
import sys
from argparse import Namespace
from itertools import islice

import pytest
from conftest import ROOT

sys.path.insert(0, str(ROOT / "tests" / "benchmarks"))
import compare_frameworks as comparison
import encyclopedia
import harness

from reactkit.encyclopedia import shipped_pages
from reactkit.frozen import Frozen
from reactkit.likeness import spelled_alike
from reactkit.models import Scripted
from reactkit.replies import read_command, read_reply
from reactkit.titles import plain

CALL = {"result": "action", "tool": "Search", "arg": "A"}
END = {"result": "finish", "answer": "42"}
PAGES = {page.title: page.sentences for page in shipped_pages()}
ERROR = {"result": "error", "error": "no_action"}


@pytest.mark.parametrize(
    ("expected", "came", "verdict"),
    [
        (CALL, {**CALL, "thought": "not compared"}, "right"),
        (CALL, {**CALL, "arg": "B"}, "accepted"),
        (CALL, END, "accepted"),
        (CALL, ERROR, "wrong"),
        (END, END, "right"),
        (END, {**END, "answer": "43"}, "accepted"),
        (ERROR, {"result": "error"}, "right"),
        (ERROR, END, "accepted"),
        ({"one_of": [CALL, ERROR]}, ERROR, "right"),
    ],
)
def test_an_outcome_is_right_wrong_or_wrongly_accepted(expected, came, verdict):
    assert harness.judged(expected, came) == verdict


def test_every_shared_case_belongs_to_a_family_that_is_tried(real_cases):
    listed = [len(harness.cases(real_cases.parent, family)) for family in harness.FAMILIES]
    rows = (real_cases / "react_outputs.jsonl").read_text(encoding="utf-8").splitlines()
    assert sum(listed) == len(rows) == 80
    assert {json.loads(row)["family"] for row in rows} == harness.FAMILIES.keys()


@pytest.mark.parametrize(
    ("family", "name", "field", "value", "accepted"),
    [
        ("output_parse", "rx-p25", "arg", "another page", 1),
        ("output_parse", "rx-p25", "thought", "another thought", 0),
        ("environment", "rx-e26", "error", None, 1),
        ("environment", "rx-e26", "run_continues", False, 0),
        ("loop", "rx-l01", "stop_reason", "finished", 1),
        ("loop", "rx-l01", "nudge_after", 3, 0),
        ("http_client", "rx-h01", "error", "no_choices", 1),
        ("http_client", "rx-h01", "retry", True, 0),
        ("http_client", "rx-h31", "assistant_content", "another text", 0),
    ],
)
def test_a_case_is_right_and_with_another_value_in_a_field_it_is_not(real_cases, family, name, field, value, accepted):
    (case,) = [case for case in harness.cases(real_cases.parent, family) if case["id"] == name]
    assert harness.tried(family, [case]) == (0, {})
    other = {**case, "expected": {**case["expected"], field: value}}
    taken, wrong = harness.tried(family, [case, other])
    assert (taken, list(wrong)) == (accepted, [name])


def test_all_real_turns_but_one_empty_answer_are_read_and_all_commands(real_data):
    runs = real_data / "trajectories"
    turns = harness.readings(list(harness.real_turns(runs)), read_reply)
    assert turns == {"read": 1594, "empty_answer": 1}
    assert harness.readings(list(harness.commands(runs)), read_command) == {"read": 2774}


@pytest.mark.parametrize("replies", [harness.REPLIES, harness.OTHERS])
@pytest.mark.parametrize("model", [Scripted, harness.bare])
def test_both_loops_tell_the_same_story(model, replies):
    ours, plain = harness.loops(model, replies)
    run = ours()
    assert plain() == (run.answer, str(run.trajectory))
    assert (run.answer, len(run.calls)) == ("42", 5)


def test_five_steps_of_the_kits_loop_cost_no_more_than_they_may():
    ours, _ = harness.loops(Scripted)
    assert harness.python_calls(ours).total() <= harness.CALLS
    assert harness.peak(ours) <= harness.KILOBYTES


def test_the_calls_within_a_run_are_counted_and_the_run_itself_is_not():
    def inner():
        return 1

    def run():
        return inner() + inner() + len("built in")

    assert harness.python_calls(run) == {"inner in test_benchmarks.py": 2}


def test_the_peak_is_what_a_run_holds_at_most():
    assert 1000 < harness.peak(lambda: bytes(1_000_000)) < 1010


@pytest.mark.parametrize(
    ("given", "came", "verdict"),
    [
        (("search", "A"), CALL, "right"),
        (("Search", '{"title": "A"}'), CALL, "right"),
        (("", "12 m"), CALL, "accepted"),
        (("Use Search", "A"), CALL, "refused"),
        (("Finish", {"answer": "42"}), END, "right"),
        (("", "It is 42."), ERROR, "accepted"),
        (comparison.Refused(), ERROR, "right"),
        (KeyError("action"), ERROR, "crashed"),
    ],
)
def test_what_a_parser_gives_is_judged_as_its_agent_would_run_it(given, came, verdict):
    def read(_):
        if isinstance(given, Exception):
            raise given
        return given

    case = {"expected": came, "input": {"text": "Action: x", "tools": ["Search", "Finish"]}}
    assert comparison.best(read, case) == verdict


@pytest.mark.parametrize(
    ("value", "came"),
    [
        ("{'gate': 'north', 'level': 3}", {"gate": "north", "level": 3}),
        ({"gate": "north"}, None),
        ("north", None),
    ],
)
def test_arguments_that_do_not_fit_a_tool_are_refused(value, came):
    tools = {"set_gate": ["gate", "level"]}
    if came is None:
        with pytest.raises(comparison.Refused):
            comparison.called("set_gate", value, tools)
    else:
        assert comparison.called("set_gate", value, tools) == {"result": "action", "tool": "set_gate", "args": came}


def test_each_parser_gets_a_reply_in_the_forms_that_prompts_ask_for():
    assert comparison.forms("Thought 1: a\nAction 1: b") == {"Thought 1: a\nAction 1: b", "Thought: a\nAction: b"}
    fenced = 'Action:\n```json\n{"a": 1}\n```'
    assert comparison.forms('Action 1: {"a": 1}') == {'Action 1: {"a": 1}', 'Action: {"a": 1}', fenced}


def test_titles_are_asked_for_with_the_fault_that_is_told_and_each_seed_draws_anew():
    asked = encyclopedia.draws(list(PAGES), 20, 1)
    assert all(spelled_alike(plain(title), plain(wrong)) for title, wrong in asked["typing error"])
    assert all(len(title.split()) == len(wrong.split()) + 1 for title, wrong in asked["dropped word"])
    assert all(title.startswith(f"{wrong} (") for title, wrong in asked["no qualifier"])
    assert all(sorted(title.split()) == sorted(wrong.split()) for title, wrong in asked["swapped words"])
    assert all(wrong.startswith(f"{title} ") for title, wrong in asked["word too many"])
    assert {name: len(pairs) for name, pairs in asked.items()} == dict.fromkeys(encyclopedia.FAULTS, 20)
    assert asked == encyclopedia.draws(list(PAGES), 20, 1) != encyclopedia.draws(list(PAGES), 20, 2)


def test_titles_that_people_wrote_wrongly_are_asked_of_everyone_and_what_is_missed_is_named(capsys):
    asks = {"reactkit": lambda asked: [], "another": lambda asked: ["Paris"]}
    banks = json.loads(encyclopedia.BY_HAND.read_text(encoding="utf-8"))
    titles = {wanted for bank in banks for *_, wanted in banks[bank] if bank != "strangers"}
    ours = encyclopedia.show_by_hand(asks, sorted(titles))
    assert ours == {bank: 0 for bank in banks if bank != "strangers"}
    assert "Paris, France (Paris)" in capsys.readouterr().out


def test_made_up_titles_are_new_and_no_two_are_alike():
    titles = list(islice(encyclopedia.made_up(list(PAGES), random.Random(1)), 500))
    assert len({plain(title) for title in titles}) > 490
    assert set(titles).isdisjoint(PAGES)


def test_where_six_titles_come_to_the_same_without_a_word_five_of_six_are_found_at_best():
    titles = [f"Kite {number}" for number in range(6)]
    assert round(encyclopedia.most(titles, [("Kite 1", "Kite")])) == 83
    assert encyclopedia.most(titles, [("Kite 1", "1")]) == 100


def test_the_benchmark_of_the_encyclopedia_runs_small_and_holds_every_real_page(tmp_path, capsys):
    large = tmp_path / "kept.sqlite"
    met = encyclopedia.show(tmp_path, PAGES, Namespace(draws=5, seeds=[1, 2], large=300, keep=large))
    source = Frozen(large)
    assert met.keys() == {"typing error", "dropped word", "p99", "hit", "p50", "memory"}
    assert (met["typing error"], source.about["pages"]) == (True, "300")
    assert {title: source.page(title).sentences for title in PAGES} == PAGES
    assert "difflib" in capsys.readouterr().out
