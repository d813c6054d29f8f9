"""costs: what runs would ask, what that comes to, and a model that stops before a limit."""

from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict

import pytest

from reactkit import (
    ACT,
    COT,
    METHODS,
    REACT,
    STANDARD,
    BudgetError,
    Capped,
    Completion,
    Cost,
    DataError,
    Exemplars,
    Scripted,
    Task,
    Toolbox,
    apple_remote,
    dry_run,
    estimate,
    exemplars,
    kit_claims,
    kit_questions,
    record,
    solve,
)


@pytest.mark.parametrize(("method", "calls"), [*zip(METHODS, [1, 1, 7, 7])])
def test_a_dry_run_takes_all_its_steps(method, calls):
    made = dry_run("Q?", method)
    shown = exemplars().text(method) + "\n\nQuestion: Q?\n"
    assert [read.startswith(shown) for read, _ in made] == [True] * calls
    assert [read.rpartition("\n")[2] for read, _ in made][-1] == {"Standard": "Answer:", "CoT": "Thought:"}.get(
        method.name, f"{method.cue.capitalize()} 7:"
    )


@pytest.mark.parametrize("method", METHODS, ids=lambda method: method.name)
def test_its_first_context_is_what_the_loop_sends(method):
    log = Scripted(["x"] * 9)
    solve("Q?", method, log, Toolbox({}), step_cap=2)
    assert log.log[0].context == dry_run("Q?", method, step_cap=2)[0][0]


def test_a_dry_run_grows_by_the_steps_of_the_exemplars():
    first, second = dry_run("Q?", ACT, step_cap=2)
    action, observation = exemplars().trajectories[0].keep("action", "observation").lines[:2]
    assert first[1] == f"Action 1: {action.text}"
    assert second[0].endswith(f"Q?\nAction 1: {action.text}\nObservation 1: {observation.text}\nAction 2:")


def test_a_dry_run_never_finishes():
    replies = [reply for _, reply in dry_run("Q?", REACT, step_cap=20)]
    assert len(replies) == 20 and [reply for reply in replies if "Finish[" in reply] == []


def test_an_estimate_counts_calls_tokens_and_price():
    read, reply = dry_run("Q?", STANDARD)[0]
    tokens = len(read) // 4 * 42, len(reply) // 4 * 42
    price = (tokens[0] * 0.5 + tokens[1] * 2) / 1e6
    assert asdict(estimate(["Q?"] * 2, STANDARD, samples=21, price=(0.5, 2.0))) == asdict(Cost(42, *tokens, price))


def test_an_estimate_takes_claims_exemplars_and_a_step_cap_as_solve_does():
    assert estimate(kit_claims()[:3], REACT).calls == 15
    assert estimate(kit_questions()[:3], REACT, step_cap=2).calls == 6
    small, large = (estimate(["Q?"], COT, shown=shown).tokens_read for shown in (Exemplars(), exemplars()))
    assert (0 < small < 10, large > 300, estimate([], COT)) == (True, True, Cost())


def test_a_scripted_run_comes_to_no_more_than_the_estimate():
    story = apple_remote()
    run = solve(story.task, REACT, story.script(REACT))
    most = estimate([story.task], REACT)
    assert len(run.calls) <= most.calls and sum(len(call.context) // 4 for call in run.calls) <= most.tokens_read


def spending(context, stop=()):
    return Completion("x" * 40, tokens_read=100, tokens_written=50)


def test_the_call_that_would_pass_the_limit_is_not_made():
    asked = []
    model = Capped(lambda context, stop=(): asked.append(context) or "x", calls=2)
    model("a"), model("b")
    with pytest.raises(BudgetError, match="one more call might pass calls=2"):
        model("c")
    assert asked == ["a", "b"]


@pytest.mark.parametrize(
    ("limits", "calls"),
    [
        ({"tokens_read": 250}, 2),
        ({"tokens_written": 110}, 3),
        ({"price": 0.001}, 5),
        ({"calls": 9, "price": 0.0004}, 2),
    ],
)
def test_what_the_server_counted_is_what_counts(limits, calls):
    model, made = Capped(spending, (1.0, 2.0), **limits), 0
    with pytest.raises(BudgetError):
        for made in range(99):  # noqa: B007
            model("c" * 400)
    assert (made, model.used) == (calls, Cost(calls, calls * 100, calls * 50, pytest.approx(calls * 0.0002)))


def test_a_reply_counts_before_it_comes_as_long_as_the_settings_allow():
    model = Capped(spending, tokens_written=120)
    model.card = {"settings": {"max_tokens": 80}}
    model("c")
    with pytest.raises(BudgetError):
        model("c")
    assert model.used.tokens_written == 50


def test_a_context_counts_high_before_the_call_so_that_the_limit_holds():
    model = Capped(lambda context, stop=(): "x" * 4, tokens_read=100)
    with pytest.raises(BudgetError):
        model("c" * 320)
    model("c" * 300)
    assert model.used == Cost(1, 75, 1)


def test_a_run_that_is_stopped_keeps_what_it_did():
    story = apple_remote()
    with pytest.raises(BudgetError) as caught:
        solve(story.task, REACT, Capped(story.script(REACT), calls=2))
    assert [line.step for line in caught.value.trajectory if line.role == "observation"] == [1, 2]


def test_many_threads_share_one_limit():
    model, refused = Capped(spending, calls=50), []

    def ask(number):
        try:
            model("c")
        except BudgetError:
            refused.append(number)

    with ThreadPoolExecutor(8) as pool:
        [*pool.map(ask, range(80))]
    assert (model.used.calls, len(refused)) == (50, 30)


def test_what_is_on_file_costs_nothing(tmp_path):
    for left in (2, 0):
        model = record(Capped(spending, calls=left), tmp_path / "a", settings={"temperature": 0})
        assert [model(context) for context in "aba"] == ["x" * 40] * 3
    assert (model.name, model.kind) == ("spending", "live")


def test_a_limit_that_is_none_is_refused_at_once():
    with pytest.raises(TypeError, match="tokens"):
        Capped(spending, tokens=5)


def test_a_limit_in_price_that_could_never_be_reached_is_refused_at_once():
    with pytest.raises(DataError, match="a limit in price needs per_million="):
        Capped(spending, price=5)
    assert Capped(spending, (0.0, 2.0), price=5)("c") == "x" * 40


@pytest.mark.parametrize("limit", [float("nan"), -1])
def test_a_limit_that_no_call_could_pass_or_keep_is_refused_at_once(limit):
    with pytest.raises(DataError, match="a limit of Capped.* is 0 or more"):
        Capped(Scripted([" A"]), calls=limit)


def test_one_question_is_one_task_and_no_sample_is_refused():
    assert estimate("Who?", REACT) == estimate(["Who?"], REACT)
    with pytest.raises(DataError, match="samples is -1; give how often each task is asked, 1 or more"):
        estimate(["Who?"], REACT, samples=-1)


def test_a_task_may_be_a_text_or_a_task():
    assert dry_run(Task("C.", asks="Claim"), COT)[0][0].endswith("Claim: C.\nThought:")
