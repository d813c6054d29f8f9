"""One answer from several runs: votes, and switches between voting and acting (paper, section 3.2)."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from functools import cache

from reactkit.costs import Cost
from reactkit.errors import DataError
from reactkit.metrics import normalise
from reactkit.prompts import COT, REACT, Method
from reactkit.runs import Run

__all__ = ["Verdict", "ballot", "react_then_vote", "spent", "vote", "vote_then_react"]

COT_SC = Method("CoT-SC", COT.roles)
REACT_THEN_VOTE, VOTE_THEN_REACT = Method("ReAct → CoT-SC", REACT.roles), Method("CoT-SC → ReAct", REACT.roles)


@dataclass(frozen=True, slots=True)
class Verdict:
    """What all `runs` that were paid for come to, by `votes` of `samples`; `outcome` says whose answer it is.

    Runs of several kinds, as scripted and recorded ones, are a `DataError`: no vote, and no switch, mixes them.
    """

    method: Method
    outcome: str
    answer: str | None
    runs: tuple[Run, ...]
    votes: int = 0
    samples: int = 0

    def __post_init__(self):
        if len(kinds := {run.trajectory.kind for run in self.runs}) > 1:
            raise DataError(f"one answer is of runs of one kind, not of {' and '.join(sorted(kinds))} ones; vote apart")


def vote(runs: Iterable[Run]) -> Verdict:
    """Return the answer that most CoT runs give, spelled as it came first; of equally many, the one that came first.

    A run without an answer has no vote, but counts as a sample. The paper takes 21, at temperature 0.7.
    """
    runs, given = tuple(runs), {}
    for run in runs:
        if run.answer is not None:
            given.setdefault(ballot(run.answer, run.trajectory.asks), []).append(run.answer)
    most = max(given.values(), key=len, default=[])
    told = ("by CoT-SC", most[0]) if most else ("no answer", None)
    return Verdict(COT_SC, *told, runs, len(most), len(runs))


@cache
def ballot(answer: str, asks: str = "Question") -> str:
    """Return what an answer counts as: normalised, or in lower case where it is to a "Claim"."""
    return answer.lower() if asks == "Claim" else normalise(answer)


def react_then_vote(react: Run, votes: Verdict | Callable[[], Verdict]) -> Verdict:
    """Return ReAct's answer or, where it has none for whatever reason, the vote's; a function is called only then."""
    if react.answer is not None:
        return Verdict(REACT_THEN_VOTE, "by ReAct", react.answer, (react,))
    taken = votes() if callable(votes) else votes
    return replace(taken, method=REACT_THEN_VOTE, runs=(react, *taken.runs))


def vote_then_react(votes: Verdict, react: Run | Callable[[], Run], share: float = 0.5) -> Verdict:
    """Return the vote's answer or, where less than a `share` of the samples agree, ReAct's, even if none."""
    if votes.samples and votes.votes >= share * votes.samples:
        return replace(votes, method=VOTE_THEN_REACT)
    run = react() if callable(react) else react
    outcome = "no answer" if run.answer is None else "by ReAct"
    return replace(votes, method=VOTE_THEN_REACT, outcome=outcome, answer=run.answer, runs=(*votes.runs, run))


def spent(runs: Iterable[Run]) -> Cost:
    """Return calls and tokens of the runs, as the server counted, or 4 characters a token where it does not say."""
    calls = [call for run in runs for call in run.calls]
    read = sum(call.tokens_read or len(call.context) // 4 for call in calls)
    written = sum(getattr(call.reply, "tokens_written", None) or len(call.reply) // 4 for call in calls)
    return Cost(len(calls), read, written)
