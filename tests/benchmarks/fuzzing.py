"""Replies that no one would write: real ones cut, doubled, swapped and spiked, or rows of random pieces.

One reply in four is a row of pieces, the others are mutations of given texts. Each chunk has a random number generator
of its own, so a seed always gives the same replies. `faults` says what a reader may not do.
"""

import gc
import random
import re
import time
import unicodedata
from collections import Counter
from collections.abc import Callable, Iterator, Sequence

from reactkit.replies import read_command, read_reply
from reactkit.trajectory import Line

__all__ = ["faults", "fuzz", "replies"]

LABELS = [
    "Thought 1:", "Action 1:", "Act 2:", "Action:", "Action Input:", "action_input:", "Answer:", "Final Answer:",
    "Observation 1:", "obs:", "**Observation** 3 - ", "Observation：", "> Observation 2:", "Question:", "Claim:",
    "think:",
]  # fmt: skip
CALLS = [
    "Search[A]", "Finish[", "Finish[[x]", "Lookup(", "search('A', b=2)", "f(x=[1, {'y': 2}])", "{'a': True}",
    "Use Search",
    '{"action": "Search", "action_input": "A"}', '{"name": "f", "arguments": {"a": "b\nObservation: c"}}',
]  # fmt: skip
MARKS = [
    "[", "]", "(", ")", "{", "}", '"', "'", "`", "```", "```json\n", "**", "# ", "- ", "> ", "\\", ",", ":", "：", "//",
    "<think>", "</think>", "<reasoning>", "<|user|>", "<|assistant|>", "</s>", "[INST]", "\nObserv", "\nObservation",
]  # fmt: skip
ODD = [
    "\n", "\n\n", " ", "\t", "\r", "\r\n", "\x00", "\x0b", "\x0c", "\x1b[31m", "\x85", "\xa0", "\u200b", "\u2028",
    "\u202e", "\ufeff", "\ud800", "é", "日本", "🜁", "ﬁ", "İ", "ß", "٣", "x", "so it is", "1" * 30, "word " * 40,
]  # fmt: skip
PIECES = LABELS + CALLS + MARKS + ODD
LABEL = re.compile(r"[\s>#*_`-]*obs(ervation)?[\s#*_`-]{0,9}\d*[\s#*_`-]{0,9}[:：]", re.IGNORECASE)
UNSEEN = {"Cf", "Cc", "Zs"}  # categories of characters that look like a space, or like nothing
CUES = ("thought", "action", "rationale", "answer", None)
CHUNK = 500  # replies to a random number generator


def fuzz(texts: Sequence[str], count: int, seed: int) -> Iterator[tuple[int, Counter, dict, float]]:
    """Yield, chunk by chunk: replies read, faults by kind, the shortest reply with each, the slowest in CPU seconds."""
    for start in range(0, count, CHUNK):
        yield read_chunk(texts, min(CHUNK, count - start), f"{seed}/{start}")


def read_chunk(texts: Sequence[str], count: int, seed: str) -> tuple[int, Counter, dict, float]:
    """Return what came of one chunk of replies."""
    found, shortest, slowest = Counter(), {}, 0.0
    gc.collect()  # now, so that it does not count as one slow reply
    for text, *options in replies(texts, count, seed):
        began = time.process_time()
        kinds = faults(text, *options)
        slowest = max(slowest, time.process_time() - began)
        found.update(kinds)
        for kind in kinds:
            shortest[kind] = min(shortest.get(kind, (text, *options)), (text, *options), key=lambda one: len(one[0]))
    return count, found, shortest, slowest


def replies(texts: Sequence[str], count: int, seed: str) -> Iterator[tuple[str, str | None, bool, str | None]]:
    """Yield a reply with what it answers: the cue, whether the method acts, and the server's reason for its end."""
    source = random.Random(seed)
    for _ in range(count):
        if source.random() < 0.25:
            text = "".join(source.choices(PIECES, k=source.randint(0, 25)))
        else:
            text = source.choice(texts)
            for _ in range(source.randint(1, 6)):
                text = source.choice(MUTATIONS)(text, source, texts)
        text = stretched(text, source, texts) if source.random() < RARE else text
        reason = source.choice((None, "stop", "stop", "length"))
        yield text[:4000], source.choice(CUES), source.random() < 0.9, reason


def place(text: str, source: random.Random) -> int:
    return source.randint(0, len(text))


def places(text: str, source: random.Random, count: int) -> list[int]:
    return sorted(place(text, source) for _ in range(count))


def cut(text: str, source: random.Random, _) -> str:
    return text[: place(text, source)]


def beheaded(text: str, source: random.Random, _) -> str:
    return text[place(text, source) :]


def without_a_piece(text: str, source: random.Random, _) -> str:
    start, end = places(text, source, 2)
    return text[:start] + text[end:]


def doubled(text: str, source: random.Random, _) -> str:
    start, end = places(text, source, 2)
    return text[:end] + text[start:end] + text[end:]


def swapped(text: str, source: random.Random, _) -> str:
    a, b, c = places(text, source, 3)
    return text[:a] + text[b:c] + text[a:b] + text[c:]


def shuffled(text: str, source: random.Random, _) -> str:
    rows = text.split("\n")
    return "\n".join(source.sample(rows, len(rows)))


def joined(text: str, source: random.Random, texts: Sequence[str]) -> str:
    return text + source.choice(("\n", "", " ")) + source.choice(texts)


def labelled(text: str, source: random.Random, _) -> str:
    at, before = place(text, source), source.choice(("\n", "\n", " ", ""))
    return f"{text[:at]}{before}{source.choice(LABELS)} {text[at:]}"


def spiked(text: str, source: random.Random, _) -> str:
    at = place(text, source)
    return text[:at] + source.choice(PIECES) + text[at:]


def stretched(text: str, source: random.Random, _) -> str:
    """Return the text with a piece in it many times over: what reads it again and again shows as the slowest reply."""
    at = place(text, source)
    return text[:at] + source.choice((" ", "\n", "a ", *LABELS, *MARKS)) * source.randint(100, 2000) + text[at:]


def replaced(text: str, source: random.Random, _) -> str:
    """Return the text with one of its characters exchanged throughout, or its case changed."""
    if not text or source.random() < 0.2:
        return source.choice((text.upper(), text.lower(), text.swapcase()))
    return text.replace(source.choice(text), source.choice(ODD + MARKS), source.randint(1, 9))


MUTATIONS = (cut, beheaded, without_a_piece, doubled, swapped, shuffled, joined, labelled, spiked, spiked, replaced)
RARE = 0.01  # how often a reply is stretched, too


def faults(
    text: str,
    cue: str | None,
    acts: bool,
    reason: str | None,
    read: Callable = read_reply,
    obey: Callable = read_command,
) -> list[str]:
    """Return what is wrong with the reading of one reply, by kind: an empty list where nothing is."""
    try:
        reply, command = read(text, cue, acts, reason), obey(text)
    except Exception as error:  # whatever is raised is what we look for
        return [f"raised {type(error).__name__}"]
    kept = {"thought": reply.thought, "action": reply.action_text, "answer": reply.answer}
    empty, refusal = reply.action is None and reply.answer is None, reply.refusal
    found = {
        "text lost": "".join(text for _, text in reply.parts) != text,
        "command: text lost": "".join(text for _, text in command.parts) != text,
        "observation forged": any(forges(role, part) for role, part in kept.items() if part is not None),
        "neither action, answer nor refusal": acts and empty and refusal is None,
        "command: neither action, thought nor refusal": not (command.action or command.thought or command.refusal),
        "refused and yet run": refusal is not None and reply.action is not None and refusal.kind != "empty_answer",
        "cut off and yet run": reason == "length" and not empty and not behind(reply).strip(),
    }
    return [kind for kind, wrong in found.items() if wrong]


def behind(reply):
    """Return what stands behind the action or answer of a reply: where words do, the cut was not in it."""
    at = next((at for at, (kind, _) in enumerate(reply.parts) if kind in ("action", "answer")), len(reply.parts))
    return "".join(text for _, text in reply.parts[at + 1 :])


def forges(role: str, text: str) -> bool:
    """Return whether a row of the line, as a prompt shows it, looks like the label of an observation.

    What is indented in an action is data, as a page's text is: no label is written so.
    """
    rows = str(Line(role, text, "model", 1)).splitlines()[1:]
    free = [row for row in rows if not (role == "action" and row.startswith("  "))]
    return any(
        LABEL.match("".join(" " if unicodedata.category(sign) in UNSEEN else sign for sign in row)) for row in free
    )
