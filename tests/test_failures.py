"""failures: labels that belong to recorded runs, automatic hints and what they are worth, the kit's own Table 2."""

import re
import sys
from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest
from matplotlib.backends.backend_agg import FigureCanvasAgg

from reactkit import ACT, COT, REACT, DataError, Scripted, kit_claims, kit_questions, record, solve
from reactkit.failures import HINTS, MODES, Label, hint_scores, hints, labels, modes_of, own_table_2, written_in
from reactkit.laboratory import card_of, recorded_runs
from reactkit.measures import bootstrap
from reactkit.paper import number, table
from reactkit.shipped import shipped
from reactkit.tasks import Task

sys.path.insert(0, str(Path(__file__).parent / "tools"))

from label_failures import added, evidence, unlabelled

BORN = Task("Where was Gustave Eiffel born?", "Dijon")
READ, GROUNDED = "Search[Gustave Eiffel]", "Finish[Dijon]"
TASK, OTHER, THIRD = kit_questions()[:3]


def run_of(method, *replies, cap=None):
    return solve(BORN, method, Scripted(replies, "Toy-1B"), step_cap=cap)


@pytest.mark.parametrize(
    ("run", "raised"),
    [
        (run_of(ACT, READ, GROUNDED), set()),
        (run_of(ACT, READ, READ, GROUNDED), {"repeat"}),
        (run_of(ACT, READ, "Lookup[Paris]", "Lookup[Paris]", GROUNDED), set()),  # the second result is a new one
        (run_of(ACT, READ, cap=1), {"no answer"}),
        (run_of(ACT, "Search[Gustave Eifel]", READ, GROUNDED), {"empty search"}),
        (run_of(ACT, "Lookup[born]", READ, GROUNDED), {"empty search"}),
        (run_of(ACT, READ, "Lookup[zeppelin]", GROUNDED), {"empty search"}),
        (run_of(ACT, READ, "Lookup[Garabit]", "Lookup[Garabit]", GROUNDED), {"empty search"}),
        (run_of(ACT, READ, "Finish[Atlantis]"), {"ungrounded"}),
        (run_of(ACT, READ, "Finish[yes]"), set()),
        (run_of(COT, "I know it.\nAnswer: Dijon"), {"ungrounded"}),
        (run_of(COT, "I know it.\nAnswer: yes"), set()),
        (run_of(COT, "I do not know.", ""), {"no answer"}),
    ],
)
def test_each_hint_is_raised_where_it_should_be_and_nowhere_else(run, raised):
    assert hints(run) == raised


def test_the_modes_are_the_rows_of_table_2_and_each_is_said_in_a_sentence():
    assert {*MODES} == {kind for kind, *_ in table("Table 2").rows} and {*HINTS.values()} <= {*MODES}
    assert [meaning for meaning in MODES.values() if not re.fullmatch(r"[A-Z][^.]*\.", meaning)] == []
    assert {*modes_of("ReAct")} == {*modes_of("Act")} == {*MODES} and modes_of("Standard") == ()
    assert {*MODES} - {*modes_of("CoT")} == {"failure, search result error"}


class Toy:
    """A model that answers the first question rightly, all others wrongly."""

    name, kind = "Toy-1B", "live"

    def __call__(self, context, stop=()):
        return f" Hm.\nAnswer: {TASK.gold if context.rstrip().split('Question: ')[-1].startswith(TASK.text) else 'x'}"


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """Recordings of three CoT answers, of which the first is right."""
    made = tmp_path_factory.mktemp("laboratory")
    model = record(Toy(), made / "toy-1b.cot.jsonl", **card_of("CoT"))
    for task in (TASK, OTHER, THIRD):
        solve(task, COT, model)
    return made


def entry(folder, **changes):
    run = recorded_runs("Toy-1B", "CoT", folder)[OTHER][0]
    told = {"mode": "failure, hallucination", "reason": "It says x.", "by": "A. Reader"}
    return {"model": "Toy-1B", "method": "CoT", "task": OTHER.name, "replies": written_in(run), **told, **changes}


def test_a_label_comes_with_the_run_that_it_is_for(folder):
    run = recorded_runs("Toy-1B", "CoT", folder)[OTHER][0]
    assert labels([entry(folder)], folder) == (Label(OTHER, run, "failure, hallucination", "It says x.", "A. Reader"),)


@pytest.mark.parametrize(
    ("changes", "told"),
    [
        ({"replies": "0" * 16}, "no recorded run of Toy-1B has these replies; read the run and label it anew"),
        ({"task": "q99"}, "CoT on q99: no recorded run"),
        ({"task": kit_questions()[9].name}, "no recorded run"),
        ({"mode": "success, true positive"}, "does not go with how the answer 'x' is scored"),
        ({"mode": "failure, search result error"}, "cannot be seen in such a run; its modes: success, true positive;"),
        ({"mode": "hallucination"}, "'hallucination' cannot be seen in such a run"),
        ({"method": "Standard"}, "its modes: none"),
        ({"reason": " "}, "a label has model, method, task, replies, mode, reason, by, and none of them is empty"),
        ({"note": "more"}, "a label has model"),
    ],
)
def test_a_label_that_fits_no_recorded_run_is_refused(folder, changes, told):
    with pytest.raises(DataError, match=re.escape(told)):
        labels([entry(folder, **changes)], folder)


def test_a_right_run_has_a_mode_of_success(folder):
    run = recorded_runs("Toy-1B", "CoT", folder)[TASK][0]
    whose = {"task": TASK.name, "replies": written_in(run)}
    assert labels([entry(folder, **whose, mode="success, false positive")], folder)[0].run is run
    with pytest.raises(DataError, match="does not go with"):
        labels([entry(folder, **whose)], folder)


def label(method, term, *replies):
    mode = next(mode for mode in MODES if mode.endswith(f", {term}"))
    return Label(BORN, run_of(method, *replies), mode, "So it is.", "A. Reader")


CIRCLE = (READ, READ, "Finish[Paris]")
READINGS = (
    label(ACT, "reasoning error", *CIRCLE),
    label(ACT, "reasoning error", READ, "Finish[Paris]"),
    label(ACT, "search result error", *CIRCLE),
    label(COT, "hallucination", "Hm.\nAnswer: Paris"),
    label(COT, "reasoning error", "Hm.\nAnswer: Paris"),
    label(COT, "reasoning error", "Hm.\nAnswer: yes"),
    label(COT, "true positive", "Hm.\nAnswer: Dijon"),
)


def test_the_scores_of_hints_are_as_worked_out_by_hand():
    scores = hint_scores("Toy-1B", READINGS)
    half, none = str(bootstrap([1, 0])), str(bootstrap([0, 0]))
    assert scores.rows[0] == ("repeat, Act", HINTS["repeat"], 3, 2, 2, half, half)  # of 2 with it 1, of 2 such 1
    assert scores.rows[1] == ("no answer, CoT", HINTS["no answer"], 3, 0, 2, None, none)
    assert "repeat, CoT" not in {row[0] for row in scores.rows}  # no call, no repeat
    assert {row[0]: row[2:5] for row in scores.rows}["ungrounded, CoT"] == (3, 2, 1)
    assert scores.value("ungrounded, CoT", "recall in %") == str(bootstrap([1]))
    assert {row[0].split(", ")[1] for row in scores.rows} == {"Act", "CoT"}  # nobody read a run of ReAct
    assert scores.title == "recorded · Toy-1B: 6 labelled wrong runs, with 95 % intervals"


@pytest.fixture(scope="module")
def chart():
    react = label(REACT, "search result error", "Hm.\nAction 1: Finish[Paris]")
    right = label(REACT, "false positive", "Hm.\nAction 1: Finish[Dijon]")
    other = replace(right, task=replace(BORN, asks="Claim"))
    return own_table_2("Toy-1B", (*READINGS, react, right, other))


def test_the_own_table_2_has_our_shares_and_apart_the_papers(chart):
    assert chart.twin.columns == ("kind", "ReAct", "CoT", "paper, ReAct", "paper, CoT")
    own = {kind.split(", ")[1]: shares for kind, *shares, _, _ in chart.twin.rows}
    assert own == {
        "true positive": [0.0, 100.0],
        "false positive": [100.0, 0.0],
        "reasoning error": [0.0, 66.7],
        "search result error": [100.0, None],
        "hallucination": [0.0, 33.3],
        "label ambiguity": [0.0, 0.0],
    }
    for kind, *_, react, cot in chart.twin.rows:
        assert [react, cot] == [number(f"table 2/{kind}/{method}").value for method in ("ReAct", "CoT")]


def test_the_own_table_2_says_recorded_the_model_who_read_and_how_many(chart):
    assert chart.caption.startswith("recorded · Toy-1B, the kit's questions, labelled by A. Reader: 1 ReAct and 1 CoT")
    assert "1 ReAct and 3 CoT that are wrong; a 95 % interval reaches up to 100 points from a share" in chart.caption
    assert "In brackets: PaLM-540B on HotpotQA" in chart.caption
    titles = [ax.get_title(loc="left") for ax in chart.figure().axes]
    assert titles == ["Of 1 ReAct and 1 CoT runs, right", "Of 1 ReAct and 3 CoT runs, wrong"]
    assert "failure, search result error: ReAct 100.0 %, CoT not applicable, paper, ReAct 23 %" in chart.alt


def test_the_own_table_2_draws_our_shares_and_writes_the_papers_beside_them(chart):
    figure = chart.figure()
    FigureCanvasAgg(figure).draw()
    told = [text.get_text() for ax in figure.axes for text in ax.texts]
    assert told[4:6] == ["ReAct 0.0 % (paper: 47 %)", "CoT 66.7 % (paper: 16 %)"] and len(told) == 12
    assert [round(bar.get_width(), 1) for bar in figure.axes[1].patches] == [0, 66.7, 100, 0, 33.3, 0, 0]
    boxes = [text.get_window_extent() for ax in figure.axes for text in ax.texts]
    assert all(box.x1 <= figure.bbox.width for box in boxes)
    assert not any(one.overlaps(other) for at, one in enumerate(boxes) for other in boxes[:at])


@pytest.mark.parametrize("term, answer", [("hallucination", "Paris"), ("true positive", "Dijon")])
def test_a_method_without_right_or_without_wrong_readings_has_no_column(term, answer):
    read = (*READINGS, label(REACT, term, f"Hm.\nAction 1: Finish[{answer}]"))
    assert own_table_2("Toy-1B", read).twin.columns == ("kind", "CoT", "paper, ReAct", "paper, CoT")


def test_the_shipped_labels_are_each_for_one_recorded_run_with_a_reason_of_its_own():
    read = labels()
    assert sum(one.mode.startswith("failure") for one in read) >= 120
    whose = Counter((one.run.trajectory.model, one.run.method.name, one.task.name) for one in read)
    assert [which for which, times in whose.items() if times > 1] == []
    assert {one.run.trajectory.kind for one in read} == {"recorded"} and len({one.by for one in read}) == 1
    assert [one.reason for one in read if not one.reason.endswith(".") or len(one.reason) < 40] == []
    assert len({one.reason for one in read}) > 0.95 * len(read)


def test_every_model_with_labels_has_its_own_table_2():
    for model in {entry["model"] for entry in shipped("failures.json")}:
        chart, names = own_table_2(model), [name for name, *_ in table("Table 2").rows]
        assert [name for name, *_ in chart.twin.rows] == names and "CoT" in chart.twin.columns
        assert hint_scores(model).rows


def test_the_command_shows_what_has_no_label_and_adds_what_was_read(folder, capsys):
    ask = ("Toy-1B", "CoT", False, False)
    assert [task.name for task, _ in unlabelled(*ask, [], folder)] == [OTHER.name, THIRD.name]
    text = f"{OTHER.name}, hallucination, It says x, and no page does.\n\n"
    made = added(text, "Toy-1B", "CoT", "A. Reader", [entry(folder, replies="0" * 16)], folder)
    assert made == [entry(folder, reason="It says x, and no page does.")]
    assert "dropped: data/failures.json, CoT on q02" in capsys.readouterr().err
    assert [task.name for task, _ in unlabelled(*ask, made, folder)] == [THIRD.name]
    assert added(text.replace("page", "line"), "Toy-1B", "CoT", "B", made, folder)[0]["by"] == "B"


@pytest.mark.parametrize(
    "row", ["q02, nonsense, x.", "q02, true positive, x.", "q50, hallucination, x.", "q02", "q02,"]
)
def test_the_command_adds_nothing_that_does_not_fit(folder, row):
    with pytest.raises(DataError):
        added(row, "Toy-1B", "CoT", "A. Reader", [], folder)


def test_the_command_shows_the_evidence_of_a_task():
    claim = next(task for task in kit_claims() if task.evidence[0].never)
    assert re.match("page Apple Remote: .*Front Row.*\npage Front Row \\(software\\): .*keyboard", evidence(TASK))
    assert f"(nothing there about: {claim.evidence[0].never[0]}" in evidence(claim)


@pytest.mark.parametrize("made", [hint_scores, own_table_2])
def test_a_model_without_labels_is_refused_and_those_with_some_are_named(made):
    with pytest.raises(DataError, match="no run of 'nope' is labelled; labelled are runs of Qwen2.5-Coder"):
        made("nope")
