"""Scores as the official HotpotQA and FEVER scorers compute them.

HotpotQA: `hotpot_evaluate_v1.py` (normalise, exact match, F1). FEVER: label accuracy without evidence.
"""

import re
import string
from collections import Counter
from collections.abc import Iterable

__all__ = ["exact_match", "f1", "label_accuracy", "normalise"]

CLOSED = {"yes", "no", "noanswer"}  # answers that earn no partial credit


def normalise(answer: str) -> str:
    """Return `answer` in lower case, without ASCII punctuation, articles and surplus spaces, in that order."""
    kept = "".join(letter for letter in answer.lower() if letter not in string.punctuation)
    return " ".join(re.sub(r"\b(a|an|the)\b", " ", kept).split())


def exact_match(given: str, gold: str) -> bool:
    """Return whether the two answers are equal after `normalise`."""
    return normalise(given) == normalise(gold)


def f1(given: str, gold: str) -> float:
    """Return the harmonic mean of word precision and recall, 0.0 to 1.0.

    Words count as often as they occur. "yes", "no" and "noanswer" earn 1.0 or nothing.
    """
    given, gold = normalise(given), normalise(gold)
    if given != gold and (given in CLOSED or gold in CLOSED):
        return 0.0
    given_words, gold_words = given.split(), gold.split()
    shared = sum((Counter(given_words) & Counter(gold_words)).values())
    return 2 * shared / (len(given_words) + len(gold_words)) if shared else 0.0


def label_accuracy(pairs: Iterable[tuple[str | None, str]]) -> float:
    """Return the share of (predicted, gold) pairs with equal labels, 0.0 to 1.0; no pair at all gives 0.0.

    Labels are compared without regard to case, as the FEVER scorer does; None is a wrong answer.
    """
    hits = [predicted is not None and predicted.lower() == gold.lower() for predicted, gold in pairs]
    return sum(hits) / len(hits) if hits else 0.0
