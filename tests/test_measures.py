"""measures: scores and intervals against numbers worked out by hand, and what may not stand in one row."""

from itertools import combinations
from math import comb

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from reactkit import ACT, COT, STANDARD, DataError, Exemplars, Scripted, Task, Toolbox, exact_match, solve
from reactkit.measures import Estimate, bootstrap, difference, measure, right, sampled
from reactkit.votes import vote, vote_then_react


def question(number, gold="Dijon"):
    return Task(f"Question {number}?", gold)


def run_of(task, answer, method=STANDARD, name="small", kind="recorded"):
    def model(context, stop=()):
        return f" Hm.\nAnswer: {answer}" if method is COT else f" {answer}"

    model.name, model.kind = name, kind
    return solve(task, method, model, shown=Exemplars())


def results(answers, method=STANDARD, **how):
    """Return a run by task that gives each of the answers."""
    return {question(number): run_of(question(number), answer, method, **how) for number, answer in enumerate(answers)}


def row(table):
    (cells,) = table.rows
    return dict(zip(table.columns, cells, strict=True))


def test_a_row_has_scores_and_costs_as_worked_out_by_hand():
    found = row(measure(results(["dijon.", "the city of Dijon", "Colmar", "Dijon"])))
    read = 4 * ((len("Question: Question 1?\nAnswer:")) // 4)
    written = len(" dijon.") // 4 + len(" the city of Dijon") // 4 + len(" Colmar") // 4 + len(" Dijon") // 4
    right_of_four, overlap = found.pop("right in %"), found.pop("F1 in %")
    assert (right_of_four.split()[0], overlap.split()[0]) == (
        "50.0",
        "62.5",
    )  # (1 + 0 + 0 + 1) / 4, (1 + 1/2 + 0 + 1) / 4
    assert found == {
        "method": "Standard",
        "n": 4,
        "calls": 4,
        "tokens read": read,
        "written": written,
        "steps a task": 1.0,
        "outcomes": "4 finished",
    }


def test_a_claim_is_right_by_its_label_and_has_no_f1():
    task = Task("C.", "REFUTES", "Claim")
    table = measure({task: run_of(task, "refutes")})
    assert (row(table)["right in %"].split()[0], row(table)["F1 in %"]) == ("100.0", None)
    assert table.title == "recorded · small: claims, with 95 % intervals"
    assert [right(task, run_of(task, said)) for said in ("REFUTES", "REFUTES.", "SUPPORTS")] == [1.0, 0.0, 0.0]


def test_steps_and_outcomes_tell_how_the_runs_ended():
    world, tasks = Toolbox({"Look": lambda word: word}), [question(1), question(2)]
    models = [Scripted([" Look[a]", " Finish[Dijon]"]), Scripted([" Look[a]"] * 3)]
    found = {t: solve(t, ACT, model, world, Exemplars(), step_cap=3) for t, model in zip(tasks, models)}
    told = row(measure(found))
    assert (told["steps a task"], told["outcomes"], told["calls"]) == (2.5, "1 finished, 1 step cap", 5)
    assert told["right in %"].split()[0] == "50.0"


def test_a_verdict_counts_all_that_was_paid_for():
    task = question(1)
    voted = vote(run_of(task, answer, COT) for answer in ("Dijon", "Dijon", "Colmar"))
    told = row(measure({task: voted}))
    assert (told["method"], told["calls"], told["steps a task"], told["outcomes"]) == ("CoT-SC", 3, 3.0, "1 by CoT-SC")


def test_each_method_has_its_row_in_one_table():
    table = measure(results(["Dijon"]), results(["Colmar"], COT))
    assert [cells[:2] for cells in table.rows] == [("Standard", 1), ("CoT", 1)]


@pytest.mark.parametrize(
    "mixed",
    [
        [{**results("a"), question(9): run_of(question(9), "b", name="other")}],
        [{**results("a"), question(9): run_of(question(9), "b", kind="live")}],
        [{**results("a"), question(9): run_of(question(9), "b", COT)}],
        [{**results("a"), Task("C.", "x", "Claim"): run_of(Task("C.", "x", "Claim"), "b")}],
        [results("a"), results("a", name="other")],
        [results("a"), results("a", kind="scripted")],
        [{question(1): vote([run_of(question(1), "a"), run_of(question(1), "a", name="other")])}],
        [{}],
        [],
        [results("a"), {}],
    ],
    ids="model kind method sort models kinds voted_model none nothing one_none".split(),
)
def test_what_does_not_belong_together_is_refused(mixed):
    with pytest.raises(DataError, match="a row is of one method, model, kind and sort of task, not of"):
        measure(*mixed)


@pytest.mark.parametrize("samples", [[2], [1, 2]], ids=["one", "voted"])
def test_the_run_of_another_task_is_refused(samples):
    runs = [run_of(question(number), "a") for number in samples]
    with pytest.raises(DataError, match=r"'Question 1\?' stands beside the run of another one, 'Question 2\?'"):
        measure({question(1): vote(runs) if runs[1:] else runs[0]})


def test_the_refusal_says_in_words_what_is_mixed():
    task, other = question(1), question(9)
    mixed = [{**results("a"), other: run_of(task, "b", COT, "large", "live")}, {}]
    with pytest.raises(DataError) as caught:
        measure(*mixed)
    assert str(caught.value) == (
        "a row is of one method, model, kind and sort of task, not of live · large, questions; recorded · small, "
        "questions; CoT and Standard; no task. Measure them apart"
    )


def test_without_a_gold_answer_nothing_is_scored():
    task = Task("Question 1?")
    with pytest.raises(DataError, match="has no gold answer"):
        measure({task: run_of(task, "Dijon")})


def test_the_interval_is_that_of_all_draws_where_they_can_be_counted():
    # 10 tasks, 5 right; with the two made-up ones 6 of 12, so that 10 draws are a fair coin tossed 10 times:
    # up to 1 right comes in 11 of 1,024 cases, up to 2 in 56, and 2.5 % lie between.
    assert sum(comb(10, k) for k in (0, 1)) / 1024 < 0.025 < sum(comb(10, k) for k in (0, 1, 2)) / 1024
    assert bootstrap([1.0, 0.0] * 5) == Estimate(50.0, 20.0, 80.0)


@pytest.mark.parametrize("size", [1, 2, 5, 20, 64])
def test_all_right_is_not_certain_and_surer_with_more_tasks(size):
    every, none = bootstrap([1.0] * size), bootstrap([0.0] * size)
    assert (every.mean, every.high, none.mean, none.low) == (100.0, 100.0, 0.0, 0.0)
    assert none.high == pytest.approx(100 - every.low, abs=6)
    assert every.low <= bootstrap([1.0] * size * 2).low < 100
    assert size > 1 or (every.low, none.high) == (0.0, 100.0)  # of one task nothing is known


@settings(deadline=None)
@given(st.lists(st.sampled_from([0.0, 0.25, 0.5, 1.0]), min_size=1, max_size=12))
def test_an_interval_holds_its_mean_and_comes_out_the_same_each_time(values):
    one = bootstrap(values)
    assert 0 <= one.low <= one.mean <= one.high <= 100
    assert one == bootstrap(values) and str(one) == f"{one.mean} ({one.low} to {one.high})"


def test_a_difference_is_paired_by_task():
    first, second = results(["Dijon", "Dijon", "Dijon", "x"]), results(["x", "Dijon", "x", "Dijon"], COT)
    assert difference(first, second).mean == 25.0  # (1 + 0 + 1 - 1) / 4
    assert difference(second, first).mean == -25.0
    turned = {task: second[task] for task in reversed(second)}
    assert difference(first, turned) == difference(first, second)


def test_pairs_that_agree_are_surer_than_pairs_that_do_not():
    answers = ["Dijon", "x"] * 10
    alike = difference(results(answers), results(answers, COT))
    apart = difference(results(answers), results(answers[::-1], COT))
    assert alike.mean == apart.mean == 0.0
    assert alike.low < 0 < alike.high and apart.high - apart.low > 2 * (alike.high - alike.low)


@pytest.mark.parametrize("second", [results(["a"]), results(["a", "b"], name="other")], ids=["tasks", "model"])
def test_methods_are_compared_on_the_same_tasks_of_one_model_only(second):
    with pytest.raises(DataError, match="on the same tasks|not of"):
        difference(results(["a", "b"]), second)


def voted(task, answers):
    return vote(run_of(task, answer, COT) for answer in answers)


def test_one_sample_scores_as_often_as_a_sample_is_right_and_all_samples_as_the_vote_does():
    task = question(1)
    samples = {task: voted(task, ["Dijon", "x", "x", "y"]).runs}
    assert sampled(samples, 1).mean == pytest.approx(25, abs=10)
    assert sampled(samples, 4).mean == 0.0 == measure_of(samples)


def measure_of(samples):
    return float(row(measure({task: vote(runs) for task, runs in samples.items()}))["right in %"].split()[0])


def test_the_score_of_three_samples_is_near_the_mean_over_all_subsets():
    task, answers = question(1), ["Dijon", "x", "Dijon", "y", "Dijon", "x", "z"]
    subsets = [*combinations(answers, 3)]
    hits = [exact_match(max(subset, key=subset.count), "Dijon") for subset in subsets]  # the first of equals
    found = sampled({task: voted(task, answers).runs}, 3)
    assert found.mean == pytest.approx(100 * sum(hits) / len(subsets), abs=12)
    assert found == sampled({task: voted(task, answers).runs}, 3)


def test_a_switch_can_be_sampled_too():
    task = question(1)
    samples, right_one = {task: voted(task, ["x", "y", "z"]).runs}, run_of(task, "Dijon")
    assert sampled(samples, 3, lambda task, one: vote_then_react(one, right_one)).mean == 100.0
    assert sampled(samples, 3).mean == 0.0


def test_more_samples_than_there_are_cannot_be_drawn():
    with pytest.raises(ValueError, match="[Ss]ample larger than population"):
        sampled({question(1): (run_of(question(1), "a"),)}, 2)
