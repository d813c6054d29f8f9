"""Questions to the reader that need no script and no kernel: predict before you run, and a quiz with reasons."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from html import escape
from string import ascii_uppercase

from reactkit.marks import card

__all__ = ["Prediction", "Quiz", "predict", "quiz"]


@dataclass(frozen=True, slots=True)
class Prediction:
    """A question to answer before the next cell runs; the choice stays on the page and may be skipped."""

    question: str
    options: tuple[str, ...]

    def __repr__(self) -> str:
        return "\n".join([f"Predict: {self.question}", *lettered(self.options), "Choose, then run the next cell."])

    def _repr_html_(self) -> str:
        choices = "".join(
            f'<p><label><input type="radio" name="{escape(self.question)}"> {escape(option)}</label></p>'
            for option in lettered(self.options)
        )
        asked = f"<legend><b>Predict</b> {escape(self.question)}</legend>"
        return card(f"<fieldset>{asked}{choices}<p>Choose, then run the next cell. You may skip it.</p></fieldset>")


@dataclass(frozen=True, slots=True)
class Quiz:
    """A question whose options each open to say why they are right or wrong."""

    question: str
    reasons: tuple[tuple[str, str], ...]
    right: str

    def __repr__(self) -> str:
        answers = [f"{option[0]}: {verdict} {reason}" for option, verdict, reason in self.told()]
        return "\n".join([self.question, *(option for option, *_ in self.told()), "", *answers])

    def told(self) -> list[tuple[str, str, str]]:
        """Return each option under its letter, with the verdict and the reason that it opens to."""
        options = lettered([option for option, _ in self.reasons])
        verdicts = ["Right." if option == self.right else "Not this one." for option, _ in self.reasons]
        return [(*told, reason) for *told, (_, reason) in zip(options, verdicts, self.reasons)]

    def _repr_html_(self) -> str:
        options = "".join(
            f'<details data-verdict="{verdict}"><summary>{escape(option)}</summary>'
            f"<p><b>{verdict}</b> {escape(reason)}</p></details>"
            for option, verdict, reason in self.told()
        )
        return card(f"<p><b>{escape(self.question)}</b></p>{options}")


def predict(question: str, options: Sequence[str]) -> Prediction:
    """Return the question with its options, to be answered before the next cell runs."""
    return Prediction(question, tuple(options))


def quiz(question: str, reasons: Mapping[str, str], right: str) -> Quiz:
    """Return the question; `reasons` says for each option why it is right or wrong. `right` must be one of them."""
    if right not in reasons:
        raise ValueError(f"the right option {right!r} is not among {list(reasons)}")
    return Quiz(question, tuple(reasons.items()), right)


def lettered(options: Sequence[str]) -> list[str]:
    return [f"{letter}. {option}" for letter, option in zip(ascii_uppercase, options, strict=False)]
