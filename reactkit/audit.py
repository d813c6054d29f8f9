"""Where a run's words come from. Shared words and fitting numbers prove nothing; they say where to look."""

import re
from itertools import permutations
from operator import add, mul, sub, truediv

from reactkit.guards import content_words, short
from reactkit.marks import INVENTED, invented
from reactkit.runs import Run
from reactkit.sentences import sentences

__all__ = ["Audit", "audit"]

NUMBER = re.compile(r"(?<![\d.,])(?:(?<!\w)[-−])?(?:\d{1,3}(?:,\d{3})+|\d+)(?:\.\d+)?(?:e[-+]?\d+)?")
NAME = re.compile(r"\S*\d\S*|(?<=\s)\S*[A-ZÀ-Þ]\S*")  # a capital at the beginning of a sentence names nothing
OPERATIONS = {"+": add, "-": sub, "*": mul, "/": truediv}


class Audit(str):
    """The text of an audit; a cell shows it as it reads."""

    __repr__ = str.__str__


def audit(run: Run) -> Audit:
    """Return who wrote what in the run, what its later claims share with observations, and whence its numbers come."""
    wrote, claims, seen, answer = [], [], {}, run.answer or ""
    for label, line in zip(run.trajectory.labels(), run.trajectory):
        wrote.append(f"{label}: {line.author}{f' ({INVENTED})' * invented(line)}")
        if line.role == "observation" and not line.failed and not invented(line):
            seen[label] = line.text
        elif line.role == "thought" and line.step != 1:
            claims += [shared(label, said, " ".join(NAME.findall(said)), seen) for said in sentences(line.text)]
    claims = [*filter(None, [*claims, shared("Answer", answer, answer, seen)])]
    numbers = [f"{found[0]} {source(found[0], seen)}" for found in NUMBER.finditer(answer)]
    parts = {"Lines by author": wrote, "Claims": claims, "Numbers in the answer": numbers}
    return Audit("\n".join(f"{title}\n  " + ("\n  ".join(rows) or "none") for title, rows in parts.items()))


def shared(label: str, said: str, names: str, seen: dict[str, str]) -> str:
    words = content_words(names)
    found = [f"{at} ({', '.join(sorted(both))})" for at, text in seen.items() if (both := words & content_words(text))]
    told = f"shares words with {'; '.join(found)}" if found else "shares no word with an observation before it"
    return f'{label}: "{short(said)}" {told}' if words else ""


def value_of(number: str) -> float:
    return float(number.replace(",", "").replace("−", "-"))


def source(number: str, seen: dict[str, str]) -> str:
    """Return where a number stands first, or else of which two observed numbers it is made."""
    known = {value_of(n): (n, at) for at, text in reversed(seen.items()) for n in NUMBER.findall(text)}
    value = value_of(number)
    if value in known:
        return f"stands in {known[value][1]}"
    near = 0.5 * 0.1 ** len(number.partition(".")[2]) if "." in number else 1e-9  # as exact as it is written
    for (one, (first, here)), (two, (second, there)) in permutations(sorted(known.items()), 2):
        for sign, operation in OPERATIONS.items():
            if (two or sign != "/") and abs(operation(one, two) - value) <= near:
                return f"is {first} {sign} {second} ({here}, {there})"
    return "is unsupported: in no observation, nor the sum, difference, product or ratio of two numbers there"
