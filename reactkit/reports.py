"""All that recordings come to, by one command: tables and figures' numbers as text, the figures as files."""

import re
from collections.abc import Iterable, Iterator
from pathlib import Path

from reactkit.errors import DataError
from reactkit.failures import hint_scores, labels, own_table_2
from reactkit.figures import by_samples, by_size, by_steps, by_tokens, claim_labels, own_table_1
from reactkit.laboratory import FOLDER, SAMPLED, laboratory, models, tables
from reactkit.plots import Chart

__all__ = ["charts", "draw", "report"]

PAGE = '<!DOCTYPE html><html lang="en"><meta charset="utf-8"><title>Figures</title><body>{}</body></html>\n'


def report(folder: str | Path = FOLDER) -> str:
    """Return all tables and the numbers of all figures of the recordings in a folder as text, the same each time.

    For the kit's own, kinds of failures and what hints are worth follow: labels are of these recordings only.
    """
    parts = []
    for name in models(folder):
        first, *others = charts_of(name, folder)  # whose numbers the tables have, where there is one
        parts += [*tables(name, folder), *others] or [first]
    read = [made(name) for name in labelled(folder) for made in (own_table_2, hint_scores)]
    return "\n\n".join(map(repr, (*parts, by_size(folder), *read)))


def charts(folder: str | Path = FOLDER) -> Iterator[Chart]:
    """Yield every figure of the recordings in a folder: of each model, of all by size, of those with labels."""
    for name in models(folder):
        yield from charts_of(name, folder)
    yield by_size(folder)
    yield from map(own_table_2, labelled(folder))


def charts_of(name: str, folder: str | Path) -> Iterator[Chart]:
    """Return the figures of one model that have something to show, its Table 1 first; votes need samples."""
    votes = [by_samples] * any(way == SAMPLED for _, way in laboratory(name, folder)[0])
    drawn = (made(name, folder) for made in (own_table_1, *votes, by_tokens, by_steps, claim_labels))
    return (one for one in drawn if one.twin.rows)


def labelled(folder: str | Path) -> list[str]:
    return sorted({str(one.run.trajectory.model) for one in labels()}) if folder == FOLDER else []


def draw(drawn: Iterable[Chart], to: str | Path) -> list[Path]:
    """Write charts as SVG files, and a page that shows all with captions and tables; return the paths of all.

    They are the same bytes each time.
    """
    made, shown = [], []
    try:
        Path(to).mkdir(parents=True, exist_ok=True)
        for one in drawn:
            name = re.sub(r"[^a-z0-9.]+", "-", one.twin.title.lower()).strip("-")
            made.append(Path(to) / f"{name}.svg")
            made[-1].write_bytes(one.picture("svg", captioned=True))
            shown.append(one.html(made[-1].name))
        made.append(Path(to) / "figures.html")
        made[-1].write_text(PAGE.format("".join(shown)), encoding="utf-8", newline="\n")
    except OSError as error:
        raise DataError(f"{to} takes no figures ({error.strerror}); name a folder that may be written to") from error
    return made
