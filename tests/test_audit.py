from itertools import takewhile

import pytest

from reactkit.audit import audit
from reactkit.prompts import REACT
from reactkit.runs import Run
from reactkit.trajectory import Line, Trajectory


def run(answer, *observations, thought="Known."):
    """Return a finished run that saw these observations, one a step, and then thought and answered."""
    last = len(observations) + 1
    lines = [
        Line("question", "How long was Gull Rock dark?"),
        Line("thought", "Gull Rock it is.", "model", 1),
        *(Line("observation", text, "environment", step) for step, text in enumerate(observations, 1)),
        Line("thought", thought, "model", last),
        Line("action", f"Finish[{answer}]", "model", last),
    ]
    return Run(REACT, Trajectory(lines), "finished", answer)


def section(run, title):
    """Return the rows under one title of the audit."""
    _, _, after = str(audit(run)).partition(title)
    return [row.strip() for row in takewhile(lambda row: row.startswith("  "), after.splitlines()[1:])]


UNSUPPORTED = "is unsupported: in no observation, nor the sum, difference, product or ratio of two numbers there"
STORM, LAMP = "Gull Rock was built after a storm in 1807.", "The lamp on Gull Rock was first lit in 1811."


def test_an_audit_reads_as_text():
    told = run("4 years", STORM, LAMP, thought="It took from 1807 to 1811. So I know.")
    assert repr(audit(told)) == (
        "Lines by author\n"
        "  Question: person\n"
        "  Thought 1: model\n"
        "  Observation 1: environment\n"
        "  Observation 2: environment\n"
        "  Thought 3: model\n"
        "  Action 3: model\n"
        "Claims\n"
        '  Thought 3: "It took from 1807 to 1811." shares words with Observation 1 (1807); Observation 2 (1811)\n'
        '  Answer: "4 years" shares no word with an observation before it\n'
        "Numbers in the answer\n"
        "  4 is 1811 - 1807 (Observation 2, Observation 1)"
    )


@pytest.mark.parametrize(
    ("answer", "origin"),
    [
        ("1811", "1811 stands in Observation 2"),
        ("1,811", "1,811 stands in Observation 2"),
        ("3618", "3618 is 1807 + 1811 (Observation 1, Observation 2)"),
        ("-4", "-4 is 1807 - 1811 (Observation 1, Observation 2)"),
        ("3272477", "3272477 is 1807 * 1811 (Observation 1, Observation 2)"),
        ("1.002", "1.002 is 1811 / 1807 (Observation 2, Observation 1)"),
        ("1", f"1 {UNSUPPORTED}"),
        ("1.5", f"1.5 {UNSUPPORTED}"),
    ],
)
def test_each_number_of_the_answer_is_found_or_worked_out_or_unsupported(answer, origin):
    assert section(run(answer, STORM, LAMP), "Numbers in the answer") == [origin]


def test_every_number_of_the_answer_is_looked_at_even_inside_a_word():
    assert section(run("from 1807 to 1811", STORM, LAMP), "Numbers") == [
        "1807 stands in Observation 1",
        "1811 stands in Observation 2",
    ]
    assert section(run("Apollo11", STORM), "Numbers") == [f"11 {UNSUPPORTED}"]


def test_a_number_that_stands_twice_is_traced_to_its_first_place():
    assert section(run("1807", STORM, LAMP, STORM), "Numbers") == ["1807 stands in Observation 1"]


def test_dividing_by_an_observed_zero_is_no_origin():
    assert "unsupported" in section(run("7", "0 and 3"), "Numbers")[0]


def test_a_sentence_that_names_something_says_what_it_shares_with_which_observation():
    thought = "The Gull Rock lamp. Storms came. No storm hit Mull in 1900. So now I know. It was 1811."
    assert section(run("Mull", STORM, LAMP, thought=thought), "Claims") == [
        'Thought 3: "The Gull Rock lamp." shares words with Observation 1 (gull, rock); Observation 2 (gull, rock)',
        'Thought 3: "No storm hit Mull in 1900." shares no word with an observation before it',
        'Thought 3: "It was 1811." shares words with Observation 2 (1811)',
        'Answer: "Mull" shares no word with an observation before it',
    ]


def test_an_observation_that_the_model_wrote_supports_nothing_and_is_marked():
    invented = Line("observation", "It was 1999.", "model", 1)
    told = Run(REACT, Trajectory([Line("question", "When?"), invented]), "finished", "1999")
    assert "  Observation 1: model (invented: the environment did not write this)\n" in audit(told)
    assert "unsupported" in section(told, "Numbers")[0]


def test_a_run_without_an_answer_has_an_audit_too():
    told = "Lines by author\n  none\nClaims\n  none\nNumbers in the answer\n  none"
    assert str(audit(Run(REACT, Trajectory()))) == told
