"""The paper's numbers (Yao et al. 2022, arXiv 2210.03629 v3), read from the one file that holds them.

A key is "group/row/column", as in "table 1/ReAct/HotpotQA". `basis` says who vouches for a number: the paper,
the authors' code, a starting document, or us; what is ours says so, and how we got it, wherever it is shown.
"""

from dataclasses import dataclass
from difflib import get_close_matches
from functools import cache
from html import escape

from reactkit.errors import DataError
from reactkit.marks import card
from reactkit.shipped import shipped

__all__ = ["Number", "Table", "known", "number", "numbers", "table"]


@dataclass(frozen=True, slots=True)
class Number:
    """One number and its source; `value` None means "not applicable", `page` None "not in the paper"."""

    key: str
    value: float | None
    unit: str
    place: str
    page: int | None
    note: str
    basis: str
    row: str
    column: str

    def source(self) -> str:
        """Return where the number stands and, unless the paper vouches for it, who does."""
        page = f", p. {self.page}" if self.page else ""
        told_by = {"paper": "", "ours": self.note}.get(self.basis, self.basis)
        return f"{self.place}{page}; {told_by}".removesuffix("; ")

    def __str__(self) -> str:
        return " ".join(filter(None, (printed(self.value), self.unit, f"({self.source()})")))


@dataclass(frozen=True, slots=True, repr=False)
class Table:
    """A title, the names of the columns, and rows that start with their names; a cell None prints as "—"."""

    title: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str | float | None, ...], ...]

    def value(self, row: str, column: str) -> str | float | None:
        """Return one cell; a row or column that the table does not have is a DataError."""
        where = f"the table {self.title!r}"
        cells = pick(row, {name: cells for name, *cells in self.rows}, where)
        return pick(column, dict(zip(self.columns[1:], cells, strict=True)), where)

    def __repr__(self) -> str:
        lines = [self.columns, *(tuple(map(printed, row)) for row in self.rows)]
        widths = [max(map(len, cells)) for cells in zip(*lines, strict=True)]
        form = "  ".join(f"{{:{'>' if place else '<'}{width}}}" for place, width in enumerate(widths))
        return "\n".join([self.title, *(form.format(*line).rstrip() for line in lines)])

    def _repr_html_(self) -> str:
        return card(self.html())

    def html(self) -> str:
        """Return the table under its title, without style; a column of numbers is marked as one."""
        marks = [' class="rk-number"' * all(not isinstance(cell, str) for cell in cells) for cells in zip(*self.rows)]
        head = "".join(f'<th scope="col"{mark}>{escape(name)}</th>' for name, mark in zip(self.columns, marks))
        body = "".join(
            f'<tr><th scope="row">{escape(name)}</th>'
            f"{''.join(f'<td{mark}>{escape(printed(cell))}</td>' for cell, mark in zip(cells, marks[1:]))}</tr>"
            for name, *cells in self.rows
        )
        table = f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"
        return f"<figure><figcaption>{escape(self.title)}</figcaption>{table}</figure>"


@cache
def numbers() -> tuple[Number, ...]:
    """Return every number, in the order of the data file."""
    return tuple(Number(**entry) for entry in shipped("paper.json")["numbers"])


def number(key: str) -> Number:
    """Return the number under `key`; an unknown key is a DataError that names the nearest ones."""
    return pick(key, {number.key: number for number in numbers()}, "data/paper.json")


def table(name: str) -> Table:
    """Return one group as a table, such as "Table 1" or "prompt size"; an unknown one is a DataError."""
    group = pick(name.lower(), shipped("paper.json")["groups"], "data/paper.json")
    members = [number for number in numbers() if number.key.startswith(f"{name.lower()}/")]
    sources = " · ".join(dict.fromkeys(number.source() for number in members))
    columns = tuple(dict.fromkeys(number.column for number in members))
    cells = {(number.row, number.column): number.value for number in members}
    rows = tuple((row, *(cells.get((row, column)) for column in columns)) for row, _ in cells)
    return Table(f"{group['caption']} ({sources})", (group["rows"], *columns), tuple(dict.fromkeys(rows)))


def known(figure: str) -> tuple[Number, ...]:
    """Return the numbers equal to a text such as "27.4", "0.84 %" or "3,104"; none is an empty tuple."""
    try:
        value = float(figure.replace(",", "").rstrip(" %"))
    except ValueError:
        return ()
    return tuple(number for number in numbers() if number.value == value)


def printed(value: str | float | None) -> str:
    return "—" if value is None else value if isinstance(value, str) else f"{value:,}"


def pick(name: str, choices: dict, where: str):
    if name not in choices:
        close = get_close_matches(name, choices, cutoff=0.5) or list(choices)[:3]
        raise DataError(f"{where} has no {name!r}; the nearest are {', '.join(map(repr, close))}")
    return choices[name]
