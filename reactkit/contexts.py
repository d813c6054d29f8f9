"""What a model read, call by call: the exact text, its length, whose words it holds, and how it grew.

The parts are counted, not guessed: the lines of the run are found in the text one after another, as the harness put
them there. Where they are not, as in the messages of native tool calls, no parts are told.
"""

import re
from collections import Counter
from os.path import commonprefix

from reactkit.marks import exact
from reactkit.paper import Table
from reactkit.runs import Call, Run
from reactkit.trajectory import Line

__all__ = ["PARTS", "call_html", "call_text", "growth_html", "growth_text", "parts"]

PARTS = {
    "examples": "instruction and examples",
    "question": "question",
    "own": "its own earlier lines",
    "observations": "observations",
    "harness": "words of the harness",
}
OF_AUTHOR = {"model": "own", "harness": "harness"}
OF_ROLE = {"instruction": "examples", "question": "question", "observation": "observations"}
LABEL = re.compile(r"^(Question|Claim|Thought|Action|Observation|Answer|Harness)( \d+)?:", re.MULTILINE)
CUE = re.compile(r"\n\w+( \d+)?:")  # the label that the model is to go on from: a word of the harness
NUMBERED = 24  # columns that a chart has room to number

Counts = dict[str, int]


def parts(run: Run) -> list[Counts]:
    """Return for each call the characters of each of the PARTS that its context holds; {} where they are not known."""
    rows = [(part_of(line), line.prompt_text(run.trajectory.asks)) for line in run.trajectory]
    return [parts_of(call.context, rows) for call in run.calls]


def part_of(line: Line) -> str:
    return OF_AUTHOR.get(line.author) or OF_ROLE.get(line.role, "own")


def parts_of(context: str, rows: list[tuple[str, str]]) -> Counts:
    (part, text), *others = rows or [("", "")]
    at = f"\n{context}".rfind(f"\n{text}\n")  # no line can forge a second one: `Line.prompt_text` indents it
    found, end = Counter({"examples": at}), at + len(text)
    found[part] += len(text)
    for part, text in others:
        if not context.startswith(f"\n{text}", end):
            break
        found[part] += 1 + len(text)
        end += 1 + len(text)
    found["harness"] += len(context) - end
    return {part: found[part] for part in PARTS if found[part]} if at >= 0 and CUE.fullmatch(context, end) else {}


def tokens(call: Call) -> str:
    """Return how many tokens a call read: as the server counted, else an estimate that says so."""
    return f"about {len(call.context) // 4:,}" if call.tokens_read is None else f"{call.tokens_read:,}"


def length(call: Call) -> str:
    return f"{len(call.context):,} characters, {tokens(call)} tokens read by the model"


def shares(call: Call, counts: Counts) -> list[tuple[str, str]]:
    """Return each part with its words, such as "question 90 (1 %)", and at the end how the tokens were counted."""
    counted = "estimated, at 4 characters each" if call.tokens_read is None else "as the server counted them"
    told = [(part, share(part, size, len(call.context))) for part, size in counts.items()]
    return [*told, ("", f"tokens {counted}")]


def share(part: str, size: int, of: int) -> str:
    return f"{PARTS[part]} {size:,} ({round(100 * size / of) or 'under 1'} %),"


def segments(counts: Counts) -> str:
    return "".join(f'<span data-part="{part}" style="flex-grow: {size}"></span>' for part, size in counts.items())


def growth_text(run: Run) -> str:
    """Return in one sentence how the context grew; nothing where there were not two calls."""
    if len(run.calls) < 2:
        return ""
    ends = [f"{len(call.context):,} characters in call {at}" for at, call in enumerate(run.calls, 1)]
    return f"How the context grew: {ends[0]}, {ends[-1]}"


def growth_html(run: Run, counted: list[Counts]) -> str:
    """Return a small chart, a column for each call with its parts, and its numbers as a sentence and as a table."""
    if len(run.calls) < 2:
        return ""
    percent = 100 / max(1, *(len(call.context) for call in run.calls))
    columns = "".join(
        f'<span style="height: {percent * len(call.context):.1f}%">{segments(counts or {"": 1})}</span>'
        for call, counts in zip(run.calls, counted, strict=True)
    )
    few = ' class="rk-few"' * (len(run.calls) <= NUMBERED)
    twin = f"<details><summary>The same numbers as a table</summary>{growth_table(run, counted).html()}</details>"
    chart = f'<div{few} aria-hidden="true">{columns}</div>'
    return f'<figure class="rk-growth"><figcaption>{growth_text(run)}</figcaption>{chart}{twin}</figure>'


def growth_table(run: Run, counted: list[Counts]) -> Table:
    held = [part for part in PARTS if any(part in counts for counts in counted)]
    rows = tuple(
        (f"{at}, step {call.step}", len(call.context), tokens(call), *(counts.get(part) for part in held))
        for at, (call, counts) in enumerate(zip(run.calls, counted, strict=True), 1)
    )
    columns = ("call", "characters", "tokens", *(PARTS[part] for part in held))
    return Table("What the model read, in characters and tokens", columns, rows)


def call_html(call: Call, before: str, counts: Counts) -> str:
    """Return one call: its length and parts, the lines shared with the call before, those that are new, the reply."""
    same = before.rfind("\n") + 1
    if not call.context.startswith(before[:same]):
        same = commonprefix([before, call.context]).rfind("\n") + 1
    old, new = call.context[:same], call.context[same:]
    seen = f"<summary>The same as in the call before: {same:,} characters</summary><pre>{coloured(old)}</pre>"
    legend = " ".join(f'<span data-part="{part}">{words}</span>' for part, words in shares(call, counts))
    return (
        f'<li class="rk-call"><b>Step {call.step}</b> <i>{length(call)}</i>'
        + f'<div class="rk-parts" aria-hidden="true">{segments(counts)}</div><p class="rk-legend">{legend}</p>'
        + (f"<details>{seen}</details><p>New lines in this call: {len(new):,} characters</p>" if old else "")
        + f'<pre class="rk-new">{coloured(new)}</pre>'
        + f'<p>The model replied</p><pre class="rk-reply">{coloured(call.reply)}</pre>'
        + f"{dropped_html(call.dropped) if call.dropped else ''}</li>"
    )


def call_text(number: int, call: Call, counts: Counts) -> str:
    """Return one call without any markup: its length and parts, the whole context, the reply, and what was dropped."""
    dropped = f"\nDropped (written by the model, not used):\n{call.dropped}" if call.dropped else ""
    told = f"Call {number}, step {call.step}: {length(call)}\n{' '.join(words for _, words in shares(call, counts))}"
    return f"{told}\n{call.context}\nThe model replied:\n{call.reply}{dropped}"


def coloured(text: str) -> str:
    """Return the text exactly, as code; a label at the start of a line gets the colour of its role."""
    spans = LABEL.sub(r'<span data-role="\1">\g<0></span>', exact(text))
    return f"<code>{spans}</code>"


def dropped_html(text: str) -> str:
    words = f"<b>Dropped</b> <i>written by the model, not used</i> <span>{exact(text)}</span>"
    return f'<div class="rk-dropped">{words}</div>'
