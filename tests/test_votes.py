"""votes: which answer wins, who is asked when a method is not sure, and what it costs."""

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from reactkit import COT, REACT, Completion, Cost, DataError, Exemplars, Scripted, Task, Toolbox, solve
from reactkit.votes import Verdict, ballot, react_then_vote, spent, vote, vote_then_react


def thought(answer, asks="Question"):
    """Return the run of a model that thinks, and answers this, or nothing where it is None."""
    reply = Completion(" Hm.", "length") if answer is None else f" Hm.\nAnswer: {answer}"
    return solve(Task("Q?", asks=asks), COT, Scripted([reply]), shown=Exemplars())


def acted(answer):
    """Return a run of ReAct that finishes in its second step, or not at all within two."""
    last = "Look[b]" if answer is None else f"Finish[{answer}]"
    replies = [" Hm.\nAction 1: Look[a]", f" Hm.\nAction 2: {last}"]
    return solve("Q?", REACT, Scripted(replies), Toolbox({"Look": lambda word: word}), Exemplars(), step_cap=2)


def sampled(*answers, asks="Question"):
    return vote(thought(answer, asks) for answer in answers)


def counts(verdict):
    return verdict.answer, verdict.votes, verdict.samples


def never():
    raise AssertionError("this was not to be asked")


@pytest.mark.parametrize(
    ("answers", "wanted"),
    [
        (["Paris"], ("Paris", 1, 1)),
        (["Lyon", "Paris", "Paris"], ("Paris", 2, 3)),
        (["The Seine.", "Loire", "seine"], ("The Seine.", 2, 3)),  # equal to the official scorer; the first spelling
        (["Lyon", "Paris", "Paris", "Lyon"], ("Lyon", 2, 4)),  # a tie goes to what came first
        (["Paris", "Lyon"], ("Paris", 1, 2)),
        ([None, None, "Paris"], ("Paris", 1, 3)),  # no answer is a sample and no vote
        ([None, None], (None, 0, 2)),
    ],
)
def test_most_votes_win_and_of_equally_many_the_answer_that_came_first(answers, wanted):
    assert counts(sampled(*answers)) == wanted


def test_one_answer_is_never_of_runs_of_several_kinds():
    run, other = thought("a"), thought("b")
    recorded = replace(other, trajectory=replace(other.trajectory, kind="recorded"))
    silent = replace(recorded, answer=None)
    mixed = (
        lambda: vote([run, recorded]),
        lambda: react_then_vote(silent, vote([run])),
        lambda: vote_then_react(vote([run, other]), recorded, share=0.6),
    )
    for made in mixed:
        with pytest.raises(DataError, match="one answer is of runs of one kind, not of recorded and scripted ones"):
            made()


def test_labels_of_claims_are_compared_as_labels():
    assert counts(sampled("REFUTES", "supports", "SUPPORTS", asks="Claim")) == ("supports", 2, 3)
    assert (ballot("The end.", "Claim"), ballot("The end.")) == ("the end.", "end")


def test_a_vote_says_who_answered_and_keeps_its_runs():
    runs = tuple(map(thought, "aab"))
    verdict = vote(runs)
    assert (verdict.method.name, verdict.outcome, verdict.runs) == ("CoT-SC", "by CoT-SC", runs)
    assert sampled(None).outcome == "no answer" == vote([]).outcome


answers = st.lists(st.sampled_from(["x", "X!", "the y", "y", "z", None]), min_size=1, max_size=9)


@settings(deadline=None)
@given(answers)
def test_no_answer_has_more_votes_than_the_winner_and_none_that_has_as_many_came_before(given_answers):
    ballots = [answer and ballot(answer) for answer in given_answers]
    verdict = sampled(*given_answers)
    if verdict.answer is None:
        assert (set(ballots), verdict.votes) == ({None}, 0)
        return
    won = ballot(verdict.answer)
    as_many = {one for one in ballots if one and ballots.count(one) == verdict.votes}
    assert max(ballots.count(one) for one in ballots if one) == verdict.votes == ballots.count(won)
    assert min(as_many, key=ballots.index) == won and given_answers.index(verdict.answer) == ballots.index(won)


@settings(deadline=None)
@given(answers, st.randoms())
def test_the_order_of_samples_decides_ties_only(given_answers, chance):
    shuffled = [*given_answers]
    chance.shuffle(shuffled)
    assert sampled(*shuffled).votes == sampled(*given_answers).votes


def test_react_that_answers_is_not_voted_on():
    run = acted("Lyon")
    verdict = react_then_vote(run, never)
    assert (counts(verdict), verdict.outcome, verdict.runs) == (("Lyon", 0, 0), "by ReAct", (run,))
    assert verdict.method.name == "ReAct → CoT-SC"


def test_react_without_an_answer_leaves_it_to_the_vote():
    run, votes = acted(None), sampled("a", "b", "b")
    verdict = react_then_vote(run, lambda: votes)
    assert (counts(verdict), verdict.outcome) == (("b", 2, 3), "by CoT-SC")
    assert verdict.runs == (run, *votes.runs) and verdict == react_then_vote(run, votes)
    assert react_then_vote(run, sampled(None)).outcome == "no answer"


@pytest.mark.parametrize(
    ("votes", "samples", "switches"), [(11, 21, False), (10, 21, True), (10, 20, False), (9, 20, True), (1, 1, False)]
)
def test_a_vote_of_less_than_half_of_the_samples_goes_to_react(votes, samples, switches):
    verdict = Verdict(COT, "by CoT-SC", "b", (thought("b"),), votes, samples)
    switched = vote_then_react(verdict, acted("Lyon"))
    assert (switched.answer, switched.outcome) == (("Lyon", "by ReAct") if switches else ("b", "by CoT-SC"))
    assert (switched.votes, switched.samples, switched.method.name) == (votes, samples, "CoT-SC → ReAct")


def test_a_sure_vote_does_not_ask_react_and_another_share_may_be_asked_for():
    votes, run = sampled("b", "b", "c"), acted("Lyon")
    assert vote_then_react(votes, never).runs == votes.runs
    assert vote_then_react(votes, lambda: run, share=0.9).runs == (*votes.runs, run)


def test_where_nothing_was_sampled_react_answers():
    assert vote_then_react(vote([]), acted("Lyon")).answer == "Lyon"


def test_react_has_the_last_word_even_if_it_is_none():
    verdict = vote_then_react(sampled("a", "b", "c"), acted(None))
    assert (verdict.answer, verdict.outcome) == (None, "no answer")


def test_the_cost_is_that_of_all_runs_by_the_servers_count_where_there_is_one():
    def server(context, stop=()):
        return Completion(" Hm.\nAnswer: a", tokens_read=50, tokens_written=7)

    counted = solve("Q?", COT, server, shown=Exemplars())
    estimated = thought("a")  # reads "Question: Q?\nThought:" and writes " Hm.\nAnswer: a", 21 and 14 characters
    assert spent([counted, counted]) == Cost(2, 100, 14)
    assert spent([estimated]) == Cost(1, 5, 3)
    assert spent(vote_then_react(sampled("a", "b", "c"), acted("d")).runs).calls == 3 + 2
