"""Do two readers mean the same by a label? Cohen's kappa with its interval, where they differ, and Table 2 beside it.

Kappa is agreement beyond chance: 1 is full agreement, 0 what two readers with these habits reach by drawing lots. Its
interval is bootstrapped as in `measures`: two made-up traces, one labelled alike and one not, are drawn from too.
"""

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from random import Random

from reactkit.errors import DataError
from reactkit.marks import counted
from reactkit.measures import DRAWS, bootstrap
from reactkit.paper import Table, number, table
from reactkit.plots import INK, Chart, bar, bare, share

__all__ = ["Agreement", "beside_table_2", "kappa"]

Labels = Mapping[str, str]  # by the name of the trace
UNDEFINED = "Kappa is undefined, since both gave every trace the same label"
PAPER = "paper, "
SINGLE = "; one reader used a single label, which makes it 0"


@dataclass(frozen=True, slots=True, repr=False)
class Agreement:
    """What the labels of two readers come to: of `n` traces, the share `raw` is labelled alike, `differing` are not.

    `kappa` is None where it is undefined; `interval` is its 95 % interval, None without kappa or below 5 traces. The
    chart counts the first reader's labels (down) by the second's (across); its twin is the confusion table.
    """

    n: int
    raw: float
    kappa: float | None
    interval: tuple[float, float] | None
    differing: tuple[str, ...]
    chart: Chart

    def __repr__(self) -> str:
        return repr(self.chart)

    def _repr_mimebundle_(self, include=None, exclude=None) -> dict[str, str]:
        return self.chart._repr_mimebundle_()


def kappa(first: Labels, second: Labels, readers=("you", "the key"), modes: Sequence[str] = (), about="") -> Agreement:
    """Return how far two readers' labels, by name of the trace, agree; no trace in common is a `DataError`.

    `modes` gives the order of the labels, and where it does, another label is a `DataError`, too. `about` says for the
    caption what kind the traces are.
    """
    for label in [label for label in (*first.values(), *second.values()) if modes and label not in modes]:
        raise DataError(f"{label!r} is no label here; the labels are {'; '.join(modes)}")
    pairs = {name: (first[name], second[name]) for name in first if name in second}
    if not pairs:
        raise DataError(f"{' and '.join(readers)} labelled no trace in common; label some, or compare another file")
    used = sorted(set().union(*pairs.values()), key=lambda label: ([*modes, label].index(label), label))
    n, counts, value = counted(len(pairs), "trace"), Counter(pairs.values()), chance_corrected(pairs.values())
    ends = None if value is None or len(pairs) < 5 else interval(list(pairs.values()), used)
    differing = tuple(name for name, (one, other) in pairs.items() if one != other)
    sure = f"95 % interval {ends[0]} to {ends[1]}" if ends else "too few traces for an interval"
    single = SINGLE * any(len(set(side)) == 1 for side in zip(*pairs.values()))
    caption = (
        f"n: {n} that both labelled{about and ', '}{about}; {len(pairs) - len(differing)} alike. "
        f"{UNDEFINED if value is None else f'Kappa is {value:.2f} ({sure}){single}'}. "
        f"Labelled differently: {', '.join(differing) or 'none'}. By one only: {len(first.keys() ^ second.keys())}."
    )
    rows = tuple((label, *(counts[label, other] for other in used)) for label in used)
    twin = Table(f"Agreement on {n}", ("{} (down), {} (across)".format(*readers), *used), rows)
    told = "; ".join(f"{label}: {', '.join(map(str, row))}" for label, *row in rows)
    size = (max(8, 2 + 1.3 * len(used)), 3 + 0.8 * len(used))
    chart = Chart(twin, caption, f"Matrix of counts, {twin.columns[0]}, in the same order. {told}.", draw_matrix, size)
    return Agreement(len(pairs), 1 - len(differing) / len(pairs), value, ends, differing, chart)


def chance_corrected(pairs: Collection[tuple[str, str]]) -> float | None:
    """Return Cohen's kappa of pairs of labels; None where both readers used one and the same label throughout."""
    (first, second), n = map(Counter, zip(*pairs)), len(pairs)
    same, chance = sum(one == other for one, other in pairs), sum(first[label] * second[label] for label in first)
    return None if chance == n * n else (n * same - chance) / (n * n - chance)


def interval(pairs: Sequence[tuple[str, str]], used: Sequence[str]) -> tuple[float, float]:
    """Return the ends of kappa's 95 % interval, the same each time; draws without a kappa are left out."""
    chance, found = Random(0), []
    for _ in range(DRAWS):
        one, other = chance.sample(used, 2)
        found.append(chance_corrected(chance.choices([*pairs, (one, one), (one, other)], k=len(pairs))))
    found = sorted(value for value in found if value is not None)
    return round(found[len(found) // 40], 2), round(found[-1 - len(found) // 40], 2)


def draw_matrix(figure, twin: Table):
    (corner, *names), counts, ax = twin.columns, [row for _, *row in twin.rows], figure.subplots()
    top = 2 * max(map(max, counts))  # so that only the light half of the colours is used, which ink stands out on
    ax.pcolormesh(counts, cmap="Blues", vmin=-top / 20, vmax=top, edgecolors="white", linewidth=4)
    for down, across in ((down, across) for down in range(len(names)) for across in range(len(names))):
        words, weight = ("{} alike", "bold") if down == across else ("{}", "normal")
        words = words.format(counts[down][across])
        ax.text(across + 0.5, down + 0.5, words, ha="center", va="center", fontweight=weight)
    short = [name.rpartition(", ")[2].replace(" ", "\n") for name in names]
    for axis, reader in zip((ax.yaxis, ax.xaxis), corner.removesuffix(" (across)").split(" (down), ", 1)):
        axis.set_ticks([place + 0.5 for place in range(len(names))], short, parse_math=False)
        axis.set_label_text(reader, fontsize=15, fontweight="bold", parse_math=False)
    ax.invert_yaxis()
    ax.tick_params(length=0, labelcolor=INK)
    ax.spines[:].set_visible(False)


def beside_table_2(labels: Labels, method: str = "ReAct", about: str = "") -> Chart:
    """Return the shares of your labels, by name of the trace, beside Table 2's column of `method`.

    A label is a row of Table 2; another is a `DataError`. Right and wrong runs are counted apart, as in the paper.
    """
    paper, rows = table("Table 2"), []
    for label in labels.values():
        paper.value(label, method)  # it names what is there, where this is not
    for kind, half in ((kind, kind.partition(",")[0]) for kind, *_ in paper.rows):
        alike = [float(label == kind) for label in labels.values() if label.startswith(half)]
        rows.append((kind, *(bootstrap(alike) if alike else (None,) * 3), len(alike), paper.value(kind, method)))
    columns = ("kind", "yours", "from", "to", "n", f"{PAPER}{method}")
    twin = Table(f"Your labels beside Table 2 ({method}), in %", columns, tuple(rows))
    sample = [number(f"table 2 sample/{method}/{half}").value for half in ("success", "failure")]
    n = f"{rows[0][4]} right and {counted(rows[-1][4], 'wrong run')}"
    caption = (
        f"Yours, n: {n}{about and ', '}{about}, with 95 % intervals. "
        f"PaLM-540B on HotpotQA, n: {sample[0]} and {sample[1]} ({paper.title.rpartition('(')[2]}. Counted apart."
    )
    told = "; ".join(f"{kind}: yours {share(mine)}, paper {share(theirs)}" for kind, mine, *_, theirs in rows)
    return Chart(twin, caption, f"Bar chart in two panels. {told}.", draw_shares, (8, 8.5))


def draw_shares(figure, twin: Table):
    for ax, half in zip(figure.subplots(2, 1, height_ratios=(2, 4)), ("success", "failure")):
        rows = [row for row in twin.rows if row[0].startswith(half)]
        kinds = [kind.partition(", ")[2].capitalize() for kind, *_ in rows]
        bare(ax, {"success": "Of the right runs", "failure": "Of the wrong runs"}[half], range(len(rows)), kinds)
        ax.set_xlim(0, 140)  # room for the words behind a bar of 100 %
        for place, (_, mine, low, high, n, theirs) in enumerate(rows):
            words = f"yours {mine} % ({low} to {high})" if n else "yours: none labelled"
            ax.barh(place - 0.2, mine or 0, 0.36, color=INK, hatch="//", edgecolor="white", linewidth=0)
            ax.text((mine or 0) + 1, place - 0.2, words, va="center")
            bar(ax, place + 0.2, theirs, twin.columns[-1].removeprefix(PAPER), f"paper {share(theirs)}", 0.36)
