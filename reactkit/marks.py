"""One palette and one set of marks for every view, plot and page of the kit.

A role has a colour, an author has a border style and a word, a kind of trace has a badge. Nothing is told by
colour alone: each line names its role and its author as text.
"""

from collections.abc import Iterable
from html import escape
from pathlib import Path

__all__ = [
    "AUTHOR_BORDERS",
    "KIND_MEANINGS",
    "ROLE_COLOURS",
    "ROLE_COLOURS_DARK",
    "badge",
    "badge_html",
    "card",
    "counted",
    "lines_html",
    "swatches",
]

ROLE_COLOURS = {  # on white: each at least 4.5 : 1 against #ffffff
    "instruction": "#4b5563",
    "question": "#1f2937",
    "rationale": "#6b3fa0",
    "thought": "#6b3fa0",
    "action": "#0b5cad",
    "observation": "#8a4b08",
    "answer": "#0f6b4f",
}
ROLE_COLOURS_DARK = {  # on JupyterLab's dark page: each at least 4.5 : 1 against #111111
    "instruction": "#b6bdc8",
    "question": "#e5e7eb",
    "rationale": "#c7a6f2",
    "thought": "#c7a6f2",
    "action": "#7fb8f5",
    "observation": "#e9b36a",
    "answer": "#6fd3ae",
}
AUTHOR_BORDERS = {"person": "double", "model": "solid", "environment": "dashed", "harness": "dotted"}
KIND_MEANINGS = {
    "scripted": "written by people to show the mechanism; not evidence about models",
    "recorded": "written by the named model, replayed",
    "live": "written now, by the model or person named",
}
INVENTED = "invented: the environment did not write this"
FAILED = "failed: the call did not work"


def counted(count: int, one: str, many: str = "") -> str:
    """Return a count of things, in words; `many` is for a plural that takes more than an s."""
    return f"{count:,} {one if count == 1 else many or one + 's'}"


def badge(kind: str, model: str | None) -> str:
    """Return the words that mark a trace wherever it is shown: its kind, and the model where there is one."""
    return f"{kind} · {model}" if model else kind


def badge_html(kind: str, model: str | None) -> str:
    """Return the badge of a trace and what its kind means, as one paragraph."""
    return f'<p class="rk-badge"><b>{exact(badge(kind, model))}</b> {KIND_MEANINGS[kind]}</p>'


def card(body: str, marks: str = 'class="rk"') -> str:
    """Return `body`, HTML already, as one card in the kit's style: what every view and answer stands in."""
    return f"{style()}<section {marks}>{body}</section>"


def lines_html(labelled_lines: Iterable) -> str:
    """Return an ordered list of (label, `Line`) pairs, escaped; it reads well without style or script."""
    return f"<ol>{''.join(line_html(label, line) for label, line in labelled_lines)}</ol>"


def line_html(label: str, line, more: str = "") -> str:
    """Return one list item: its label, who wrote it, its text escaped, then `more`, which is HTML already."""
    warning = INVENTED if invented(line) else FAILED if line.failed else ""
    warning = warning and f"<strong>{warning}</strong> "
    if line.full is not None:
        more = f"<details><summary>All {len(line.full)} characters</summary>{exact(line.full)}</details>{more}"
    return (
        f'<li data-role="{line.role}" data-by="{line.author}"><b>{escape(label)}</b> '
        f"<i>written by the {line.author}</i> {warning}<span>{exact(line.text)}</span>{more}</li>"
    )


def credit_lines(credits: Iterable[str]) -> list[str]:
    """Return in words whose text the observations are, a line for each page."""
    return [f"From {credit}" for credit in credits]


def credits_html(credits: Iterable[str]) -> str:
    """Return whose text the observations are, escaped; nothing where there is nobody to name."""
    return "".join(f'<p class="rk-credit">{exact(line)}</p>' for line in credit_lines(credits))


def invented(line) -> bool:
    """Return whether the line passes for an observation: a model, or a person, can write that word too."""
    return line.role == "observation" and line.author != "environment"


def exact(text: str) -> str:
    """Return `text` escaped so that a browser shows each character, a carriage return too."""
    return escape(text).replace("\r", "&#13;")


def swatches() -> str:
    """Return the role colours as CSS custom properties, `--rk-thought: light-dark(#…, #…);` and so on."""
    pairs = ((role, light, ROLE_COLOURS_DARK[role]) for role, light in ROLE_COLOURS.items())
    return " ".join(f"--rk-{role}: light-dark({light}, {dark});" for role, light, dark in pairs)


def static(name: str) -> str:
    """Return the text of a file in the folder static: a stylesheet or a script."""
    return (Path(__file__).with_name("static") / name).read_text(encoding="utf-8")


def style(*more: str) -> str:
    """Return the style element of every view: the palette, then static/stepper.css, and `more` sheets beside it."""
    sheets = [static(f"{name}.css") for name in ("stepper", *more)]
    roles = (f'.rk.rk [data-role="{role}" i] {{ --role: var(--rk-{role}); }}' for role in ROLE_COLOURS)
    authors = (f'.rk.rk li[data-by="{by}"] {{ border-left-style: {border}; }}' for by, border in AUTHOR_BORDERS.items())
    rules = "\n".join([f".rk {{ {swatches()} }}", *roles, *authors, *sheets])
    return f"<style>{rules}</style>"
