import time

import pytest

from reactkit import (
    ACT,
    COT,
    REACT,
    STANDARD,
    Action,
    Call,
    Completion,
    DataError,
    Deaf,
    Exemplars,
    Line,
    ModelError,
    Scripted,
    ScriptError,
    Task,
    Toolbox,
    ToolError,
    solve,
)

NO_ACTION = "No action could be read. Use the Thought / Action format; to answer, write Finish[answer]."
WORLD = Toolbox({"Search": {"A": "about A"}.get})
NONE = Exemplars()


def lines(*parts):
    return [Line(*part) for part in parts]


def run(replies, method=REACT, **options):
    return solve("Q?", method, Scripted(replies), WORLD, NONE, **options)


def test_a_react_run_is_thought_action_observation_until_finish():
    told = run([" Look.\nAction 1: Search[A]", " Known.\nAction 2: Finish[A]"])
    assert list(told.trajectory) == lines(
        ("question", "Q?"),
        ("thought", "Look.", "model", 1),
        ("action", "Search[A]", "model", 1),
        ("observation", "about A", "environment", 1),
        ("thought", "Known.", "model", 2),
        ("action", "Finish[A]", "model", 2),
    )
    assert (told.outcome, told.answer, told.method, told.trajectory.kind) == ("finished", "A", REACT, "scripted")


@pytest.mark.parametrize(
    ("method", "reply", "roles", "answer"),
    [
        (STANDARD, " iPod", ["question", "answer"], "iPod"),
        (COT, " Because.\nAnswer: iPod", ["question", "rationale", "answer"], "iPod"),
        (ACT, " Finish[iPod]", ["question", "action"], "iPod"),
        (REACT, " Enough.\nAnswer: iPod", ["question", "thought", "answer"], "iPod"),
    ],
)
def test_the_same_loop_serves_the_four_methods(method, reply, roles, answer):
    told = run([reply], method)
    assert ([line.role for line in told.trajectory], told.answer, len(told.calls)) == (roles, answer, 1)


def test_each_call_keeps_the_exact_text_that_the_model_read():
    model = Scripted([" Look.\nAction 1: Search[A]", " Known.\nAction 2: Finish[A]"])
    told = solve("Q?", REACT, model, WORLD, Exemplars(instruction="Think."))
    assert [call.context for call in told.calls] == [exchange.context for exchange in model.log]
    assert told.calls[1].context == (
        "Think.\n\nQuestion: Q?\nThought 1: Look.\nAction 1: Search[A]\nObservation 1: about A\nThought 2:"
    )
    assert [exchange.stop for exchange in model.log] == [("\nObservation 1:",), ("\nObservation 2:",)]


@pytest.mark.parametrize(("asks", "stop"), [("Question", "\nQuestion:"), ("Claim", "\nClaim:")])
def test_a_method_that_may_not_act_stops_before_the_next_task(asks, stop):
    model = Scripted([" x"])
    solve(Task("Q?", asks=asks), STANDARD, model, WORLD, NONE)
    assert model.log[0].stop == (stop,)


INVENTED = " Look.\nAction 1: Search[A]\nObservation 1: lies\nThought 2: So lies.\nAction 2: Finish[lies]"


def test_an_observation_invented_by_a_model_that_ignores_stop_is_cut_and_kept_as_dropped():
    told = solve("Q?", REACT, Deaf(Scripted([INVENTED, " Known.\nAction 2: Finish[A]"])), WORLD, NONE)
    assert told.answer == "A"
    assert "lies" not in str(told.trajectory)
    assert told.calls[0].dropped == "Observation 1: lies\nThought 2: So lies.\nAction 2: Finish[lies]"
    assert told.calls[0].reply == INVENTED


def test_a_missing_action_is_asked_for_once_more():
    told = run([" I should look up A.", " Search[A]", " Known.\nAction 2: Finish[A]"])
    assert [str(line) for line in told.trajectory][1:4] == [
        "Thought 1: I should look up A.",
        "Action 1: Search[A]",
        "Observation 1: about A",
    ]
    assert told.calls[1].context == "Question: Q?\nThought 1: I should look up A.\nAction 1:"
    assert [call.step for call in told.calls] == [1, 1, 2]


def test_a_missing_answer_is_asked_for_once_more():
    told = run([" I think it is the iPod.", " iPod"], COT)
    assert (told.answer, told.calls[1].context) == ("iPod", "Question: Q?\nThought: I think it is the iPod.\nAnswer:")


@pytest.mark.parametrize(
    ("action", "note"),
    [
        (
            "look around",
            f"{NO_ACTION} Actions are: Search[…], Finish[…].",
        ),
        (
            "Search[A",
            "The closing ] is missing, so nothing was run. Write Search[A]. Actions are: Search[…], Finish[…].",
        ),
        ("Finish[]", "Finish[] is empty. Write the answer between the brackets. Actions are: Search[…], Finish[…]."),
    ],
)
def test_what_cannot_be_run_is_answered_by_the_harness_not_by_the_environment(action, note):
    told = run([f" Hm.\nAction 1: {action}", " Known.\nAction 2: Finish[A]"])
    assert told.trajectory.lines[2:4] == (Line("action", action, "model", 1), Line("instruction", note, "harness", 1))
    assert (told.answer, told.trajectory.by("environment")) == ("A", ())


def test_a_reply_without_any_action_is_noted_and_the_run_goes_on():
    told = run(["", "", " Known.\nAction 2: Finish[A]"])
    assert (told.answer, [line.author for line in told.trajectory]) == ("A", ["person", "harness", "model", "model"])


@pytest.mark.parametrize(
    ("task", "cap", "passes"), [(Task("Q?"), None, 7), (Task("C.", asks="Claim"), None, 5), (Task("Q?"), 2, 2)]
)
def test_the_step_cap_ends_a_run_with_a_fixed_line_of_the_harness(task, cap, passes):
    told = solve(task, ACT, Scripted([" Search[A]"] * 9), WORLD, NONE, cap)
    assert (told.outcome, told.answer, len(told.calls)) == ("step cap", None, passes)
    assert told.trajectory.lines[-1] == Line("instruction", f"Stopped: no answer within {passes} steps.", "harness")


def test_a_step_cap_below_one_is_refused_before_anything_is_asked():
    with pytest.raises(ValueError, match="at least 1"):
        run([" x"], step_cap=0)


def test_an_empty_answer_is_no_answer():
    told = run([""], STANDARD)
    assert (told.outcome, told.answer) == ("no answer", None)


def test_an_unknown_tool_is_answered_by_the_environment():
    told = run([" Hm.\nAction 1: Google[A]", " Known.\nAction 2: Finish[A]"])
    assert str(told.trajectory.lines[3]) == (
        "Observation 1: There is no action called Google. Actions are: Search[…], Finish[…]."
    )


def slow(context, stop):
    time.sleep(0.05)
    return " Known.\nAction 1: Finish[A]"


def test_any_function_is_a_model_and_a_slow_one_is_waited_for():
    told = solve("Q?", REACT, slow, WORLD, NONE)
    assert (told.answer, told.trajectory.kind, told.trajectory.model) == ("A", "live", "slow")


def test_a_model_that_raises_is_an_error_that_keeps_the_run_so_far():
    replies = iter([" Look.\nAction 1: Search[A]"])

    def breaks(context, stop):
        return next(replies)

    with pytest.raises(ModelError, match="StopIteration in step 2") as caught:
        solve("Q?", REACT, breaks, WORLD, NONE)
    assert [line.role for line in caught.value.trajectory] == ["question", "thought", "action", "observation"]
    assert isinstance(caught.value.__cause__, StopIteration)


def test_a_model_that_returns_no_text_is_an_error():
    with pytest.raises(ModelError, match="returned NoneType in step 1"):
        solve("Q?", REACT, lambda context, stop: None, WORLD, NONE)


def test_the_kits_own_errors_pass_as_they_are():
    with pytest.raises(ScriptError, match="1 reply and"):
        run([" Look.\nAction 1: Search[A]"])


@pytest.mark.parametrize(
    ("method", "replies", "lines_kept", "dropped"),
    [
        (ACT, ["Thought 1: Hm.\nAction 1: Finish[A]"], ["Action 1: Finish[A]"], "Thought 1: Hm."),
        (STANDARD, ["Thought: Hm.\nAnswer: A"], ["Answer: A"], "Thought: Hm."),
        (COT, [" Hm.\nAction: Finish[A]", " A"], ["Thought: Hm.", "Answer: A"], "Action: Finish[A]"),
    ],
)
def test_a_method_keeps_to_its_roles_and_drops_the_rest(method, replies, lines_kept, dropped):
    told = run(replies, method)
    assert [str(line) for line in told.trajectory][1:] == lines_kept
    assert (told.answer, told.calls[0].dropped) == ("A", dropped)


@pytest.mark.parametrize(
    ("tool", "told"),
    [
        (lambda text: 1 / 0, "Search failed: ZeroDivisionError: division by zero"),
        (lambda text: None, "Search ran and returned nothing."),
    ],
)
def test_what_a_tool_does_wrong_is_an_observation_and_the_run_goes_on(tool, told):
    ran = solve("Q?", ACT, Scripted([" Search[A]", " Finish[A]"]), Toolbox({"Search": tool}), NONE)
    failed = "failed" in told
    assert (ran.answer, ran.trajectory.lines[2]) == ("A", Line("observation", told, "environment", 1, failed))


class Broken:
    names = ("Search",)

    def __init__(self, observe):
        self.observe, self.reset = observe, lambda: None


@pytest.mark.parametrize(
    ("observe", "named"),
    [
        (lambda action: 1 / 0, "Search.A. raised ZeroDivisionError"),
        (lambda action: None, "returned NoneType, not a string"),
    ],
)
def test_an_environment_that_breaks_is_an_error_that_keeps_the_run_so_far(observe, named):
    with pytest.raises(ToolError, match=named) as caught:
        solve("Q?", ACT, Scripted([" Search[A]"]), Broken(observe), NONE)
    assert [line.role for line in caught.value.trajectory] == ["question", "action"]


def test_of_several_actions_the_first_is_run_and_the_model_is_told():
    ran = run([" Look.\nAction 1: Search[A]\nAction 1: Search[B]", " Known.\nAction 2: Finish[A]"])
    assert [str(line) for line in ran.trajectory][2:5] == [
        "Action 1: Search[A]",
        "Observation 1: about A",
        "Harness: You wrote 2 actions. Only the first was run: one action in each reply.",
    ]


def test_a_reply_that_the_server_cut_is_not_run_and_not_asked_for_again():
    cut = Completion(" Look.\nAction 1: Search[A]", finish_reason="length")
    ran = solve("Q?", REACT, Scripted([cut, " Known.\nAction 2: Finish[A]"]), WORLD, NONE)
    assert [str(line) for line in ran.trajectory][1:4] == [
        "Thought 1: Look.",
        "Action 1: Search[A]",
        "Harness: Your reply was cut off at the limit of tokens, so nothing was run. Reply again, shorter. "
        "Actions are: Search[…], Finish[…].",
    ]
    assert (len(ran.calls), ran.trajectory.by("environment")) == (2, ())


def test_a_guard_may_tell_the_model_something_and_may_end_the_run():
    class Ruling:
        tell, outcome = "Enough.", "repeat"

    ran = run([" Look.\nAction 1: Search[A]"] * 9, guards=(lambda so_far: Ruling if len(so_far.calls) == 2 else None,))
    assert (ran.outcome, len(ran.calls), ran.trajectory.lines[-1]) == (
        "repeat",
        2,
        Line("instruction", "Enough.", "harness", 2),
    )


def test_the_kits_own_errors_keep_the_run_so_far_too():
    def damaged(text):
        raise DataError("page damaged")

    for replies, tool in [([" Look.\nAction 1: Search[A]"], str.upper), ([" Look.\nAction 1: Search[A]"] * 9, damaged)]:
        with pytest.raises((ScriptError, DataError)) as caught:
            solve("Q?", REACT, Scripted(replies), Toolbox({"Search": tool}), NONE)
        assert [line.role for line in caught.value.trajectory][:3] == ["question", "thought", "action"]


def test_a_task_for_which_the_paper_has_no_cap_wants_one():
    with pytest.raises(ValueError, match="no step cap for a Riddle"):
        solve(Task("Q?", asks="Riddle"), ACT, Scripted([]), WORLD, NONE)
    assert solve(Task("Q?", asks="Riddle"), ACT, Scripted([" Finish[A]"]), WORLD, NONE, 3).answer == "A"


def test_a_run_begins_with_a_fresh_environment():
    seen = []
    world = Toolbox({"Search": str.upper}, lambda: seen.append("reset"))
    solve("Q?", ACT, Scripted([" Finish[A]"]), world, NONE)
    assert seen == ["reset"]


def test_a_run_shows_itself_in_one_line():
    told = run([" Known.\nAction 1: Finish[A]"])
    assert repr(told) == "ReAct, finished: A (model calls: 1; scripted)"
    assert told.calls == (
        Call(1, "Question: Q?\nThought 1:", " Known.\nAction 1: Finish[A]", "", Action("Finish", "A")),
    )
