"""What watches a run: repeats, budgets, a prompt that the server cut, an answer that stands in no observation.

A guard is any function from the run so far to a `Ruling` or None, asked after each step and once there is an answer.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass
from unicodedata import combining, normalize

from reactkit.runs import Outcome, Run

__all__ = ["GUARDS", "Budget", "PromptCut", "Repeats", "Ruling", "Ungrounded", "content_words", "short"]

WORD = re.compile(r"\d+(?:\.\d+)*|[\u0e00-\u0e7f\u3040-\u9fff\uac00-\ud7a3]|\w+")  # some scripts have no spaces
EMPTY = {*"a an and as at by for he i in info is it its no not enough of on or refutes s supports t the to yes".split()}


@dataclass(frozen=True, slots=True)
class Ruling:
    """What a guard says: a line for the model and the reader, and an outcome where the run ends here."""

    tell: str = ""
    outcome: Outcome | None = None


Guard = Callable[[Run], Ruling | None]


@dataclass(frozen=True, slots=True)
class Repeats:
    """Tells of a call that was made before with the same observation; the `limit`-th such call ends the run."""

    limit: int = 3

    def __call__(self, run: Run) -> Ruling | None:
        """Return what to say of the newest call; one with a new observation, as when Lookup moves on, is progress."""
        seen = {line.step: line.text for line in run.trajectory if line.role == "observation"}
        done = {call.step: (call.action.key, seen.get(call.step)) for call in run.calls if call.action}
        same = [str(step) for step, what in done.items() if what == done.get(run.calls[-1].step)]
        call = short(run.calls[-1].action) if same else ""
        if len(same) >= self.limit:
            told = f"{call} was done at steps {', '.join(same)}, each time with the same observation."
            return Ruling(f"Stopped: {told}", "repeat")
        if len(same) > 1:
            told = f"it was done at step {', '.join(same[:-1])}, and the observation is the same."
            return Ruling(f"You already did {call}: {told} Do something else or Finish.")


@dataclass(frozen=True, slots=True)
class Budget:
    """Ends the run when its calls, the characters read and written, or the tokens read reach a limit; None is none."""

    calls: int | None = None
    characters: int | None = None
    tokens: int | None = None

    def __call__(self, run: Run) -> Ruling | None:
        """Return which limit is reached; tokens that no server counted are estimated."""
        read = [len(call.context) // 4 if call.tokens_read is None else call.tokens_read for call in run.calls]
        characters = sum(len(call.context) + len(call.reply) for call in run.calls)
        guessed = " (estimated at 4 characters each)" * any(call.tokens_read is None for call in run.calls)
        for name, used in (("calls", len(read)), ("characters", characters), ("tokens", sum(read))):
            if (limit := getattr(self, name)) is not None and used >= limit and run.answer is None:
                return Ruling(f"Stopped: {used} of {limit} {name} are used{guessed * (name == 'tokens')}.", "budget")


class PromptCut:
    """Ends the run when the server read less than half of what was sent, or no more than of a shorter prompt."""

    def __call__(self, run: Run) -> Ruling | None:
        """Return what was sent and what was read where the two differ, or None."""
        counted = [(len(call.context), call.tokens_read) for call in run.calls if call.tokens_read is not None]
        length, read = counted[-1] if counted else (0, 0)
        sent = round(length / 4)  # characters to a token of English prose; other text has fewer
        stuck = any(length - shorter > 200 and earlier >= read for shorter, earlier in counted)
        if stuck or read * 2 < sent:
            told = f"sent about {sent} tokens, the server read {read}{', no more than of a shorter prompt' * stuck}"
            told = f"The prompt was cut: {told}. Raise the context length of the server."
            return Ruling(told, None if run.answer else "prompt cut")


class Ungrounded:
    """Flags an answer none of whose words stands in an observation; it may be from memory, and may be right."""

    def __call__(self, run: Run) -> Ruling | None:
        """Return the flag, or None; words such as the, yes, no and FEVER's labels do not count."""
        words = content_words(run.answer or "") if run.method.acts else ()
        seen = content_words(" ".join(line.text for line in run.trajectory.by("environment") if not line.failed))
        if words and not words & seen:
            return Ruling(f"No word of the answer {short(run.answer)} stands in an observation.")


GUARDS = (Repeats(), PromptCut(), Ungrounded())  # for any task; the paper has none


def content_words(text: str) -> frozenset[str]:
    """Return the words that carry meaning, without case and accents; 1,234 is 1234."""
    plain = "".join(letter for letter in normalize("NFKD", text.casefold()) if not combining(letter))
    return frozenset(WORD.findall(re.sub(r"(?<=\d),(?=\d{3}(?!\d))", "", normalize("NFC", plain)))) - EMPTY


def short(said: object) -> str:
    """Return it in one row of at most 80 characters, so that a model's words can't pass for a line of ours."""
    return f"{' '.join(str(said).split()):.80}"
