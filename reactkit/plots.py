"""Charts as values: what is plotted, said three times, as a picture, as alt text and as a table.

matplotlib is imported when a picture is asked for, not before. A method looks the same in every chart: the
colour of what it writes (CoT thoughts, Act actions), hatched where it can answer from thoughts alone. Each
bar carries its number, so nothing is told by colour alone.
"""

from base64 import b64encode
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from html import escape
from io import BytesIO
from textwrap import fill

from reactkit.marks import ROLE_COLOURS, card
from reactkit.paper import Table, number, table

__all__ = ["METHOD_LOOKS", "STYLE", "Chart", "failure_types", "fine_tuning", "table_1"]

INK = ROLE_COLOURS["question"]
METHOD_LOOKS = {  # colour and hatch
    "Standard": (ROLE_COLOURS["instruction"], ""),
    "CoT": (ROLE_COLOURS["thought"], "//"),
    "CoT-SC": (ROLE_COLOURS["thought"], "//"),
    "Act": (ROLE_COLOURS["action"], ""),
    "ReAct": (ROLE_COLOURS["answer"], ""),
    "CoT-SC → ReAct": (ROLE_COLOURS["answer"], "//"),
    "ReAct → CoT-SC": (ROLE_COLOURS["answer"], "//"),
}
WAYS = ("Standard", "CoT", "Act", "ReAct")  # those that are one run each
PANELS = {"": "Recorded, the kit's questions", "paper": "The paper's Figure 3, HotpotQA"}
IN_WORDS = {"true positive": "Right, and soundly so\n", "false positive": "Right, with something\ninvented "}
APART = "paper, "  # before a method, in a column of a table of our own
STYLE = {  # matplotlib's settings: white under any theme, legible from the back row, the same bytes each time
    **dict.fromkeys(("text.color", "axes.labelcolor", "axes.edgecolor", "xtick.color", "ytick.color"), INK),
    **dict.fromkeys(("figure.facecolor", "axes.facecolor"), "white"),
    **dict.fromkeys(("axes.spines.top", "axes.spines.right", "axes.spines.bottom", "ytick.left"), False),
    **dict.fromkeys(("figure.constrained_layout.h_pad", "figure.constrained_layout.w_pad"), 0.12),
    "font.family": "DejaVu Sans",
    "font.size": 13,
    "hatch.linewidth": 1.5,
    "xtick.major.pad": 7,
    "svg.hashsalt": "reactkit",
}


@dataclass(frozen=True, slots=True, repr=False)
class Chart:
    """One picture with its words: `twin` is the title and every plotted number, `draw` draws it.

    `caption` says how many runs are behind it, of which kind, and the source; `size` is in inches.
    """

    twin: Table
    caption: str
    alt: str
    draw: Callable
    size: tuple[float, float] = (8, 6)

    def figure(self):
        """Return the drawn matplotlib Figure, in the kit's one style."""
        from matplotlib import rc_context
        from matplotlib.figure import Figure

        with rc_context(STYLE):
            figure = Figure(figsize=self.size, layout="constrained")
            title = {"x": 0.015, "ha": "left", "fontsize": 15, "fontweight": "bold", "parse_math": False}
            figure.suptitle(fill(self.twin.title, 56), **title)
            self.draw(figure, self.twin)
            return figure

    def picture(self, form: str, captioned: bool = False) -> bytes:
        """Return the picture as "png" (120 dots per inch) or "svg"; the file holds title and alt text too.

        Where no page will stand around it, it is `captioned`: the file's own description says what it rests on.
        """
        from matplotlib import rc_context

        words = {"Title": self.twin.title, "Description": f"{self.alt} {self.caption}" if captioned else self.alt}
        undated = {"Date": None} if form == "svg" else {}
        file = BytesIO()
        with rc_context(STYLE):
            self.figure().savefig(file, format=form, dpi=120, metadata={**words, **undated})
        return file.getvalue()

    def png(self) -> bytes:
        """Return the picture as PNG."""
        return self.picture("png")

    def svg(self) -> str:
        """Return the picture as SVG."""
        return self.picture("svg").decode()

    def __repr__(self) -> str:
        return f"{self.twin!r}\n{self.caption}"

    def html(self, source: str | None = None) -> str:
        """Return the picture with its caption and table as HTML; `source` is where its file lies, else it is inside."""
        source = source or f"data:image/svg+xml;base64,{b64encode(self.svg().encode()).decode()}"
        return card(
            f'<figure><img src="{source}" alt="{escape(self.alt)}">'
            f"<figcaption>{escape(self.caption)}</figcaption><details><summary>The same numbers as a table"
            f"</summary>{self.twin.html()}</details></figure>"
        )

    def _repr_mimebundle_(self, include=None, exclude=None) -> dict[str, str]:
        return {"text/html": self.html(), "text/plain": repr(self)}


def failure_types() -> Chart:
    """Return Table 2: kinds of right and of wrong HotpotQA answers, ReAct beside CoT."""
    twin = replace(table("Table 2"), title="Kinds of right and wrong answers, in %: ReAct and CoT")
    runs = number("table 2 sample/ReAct/failure")
    read = f"{runs.value} right and {runs.value} wrong runs of each method"
    told = "; ".join(f"{kind}: ReAct {share(react)}, CoT {share(cot)}" for kind, react, cot in twin.rows)
    check = column_check(twin, "ReAct", runs.value)
    caption = (
        f"PaLM-540B on HotpotQA: {read}, labelled by people (printed in the paper, {runs.source()}). "
        f"The shares of right runs and of wrong runs are counted apart. {check}"
    )
    alt = f"Bar chart in two panels, {read}. {told}. {check}"
    return Chart(twin, caption, alt, draw_failure_types, (8, 7.5))


def draw_failure_types(figure, twin: Table):
    runs = number("table 2 sample/ReAct/failure").value
    panels = draw_kinds(figure, twin, [f"Of {runs} {name} runs" for name in ("right", "wrong")])
    check = column_check(twin, "ReAct", runs).replace(" %", "\N{NO-BREAK SPACE}%")
    panels[1].set_xlabel(fill(check, 62), loc="left", labelpad=8)


def draw_kinds(figure, twin: Table, titles: Sequence[str]):
    """Draw shares of right and of wrong runs, and say what the paper has where the table does; return the panels."""
    panels = figure.subplots(2, 1, height_ratios=(2, 4))
    methods = [name for name in twin.columns[1:] if name in METHOD_LOOKS]
    for ax, half, title in zip(panels, ("success", "failure"), titles, strict=True):
        rows = [dict(zip(("kind", *twin.columns[1:]), row)) for row in twin.rows if row[0].startswith(half)]
        terms = [row["kind"].removeprefix(f"{half}, ") for row in rows]
        kinds = [f"{IN_WORDS[term]}({term})" if term in IN_WORDS else term.capitalize() for term in terms]
        bare(ax, title, range(len(rows)), kinds)
        for place, row in enumerate(rows):
            for method, shift in zip(methods, (-0.2, 0.2) if methods[1:] else (0,)):
                printed = f" (paper: {share(row[APART + method])})" if APART + method in row else ""
                bar(ax, place + shift, row[method], method, f"{method} {share(row[method])}{printed}", 0.36)
    return panels


def table_1() -> Chart:
    """Return Table 1: the seven prompting methods on HotpotQA and FEVER, and the trained models' scores."""
    twin = replace(table("Table 1"), title="Seven ways to prompt, and a trained model, in %")
    source, asked = number("table 1/ReAct/FEVER").source(), number("evaluation/HotpotQA/authors' notebook")
    told = "; ".join(f"{method}: HotpotQA {em} %, FEVER {right} %" for method, em, right in twin.rows)
    caption = (
        f"PaLM-540B, prompted (printed in the paper, {source}). The paper prints no error bars and no number "
        f"of questions; the authors' notebook asks {asked.value}. Hatched: can answer by thoughts alone. The "
        "combinations run one method and may switch to the other. Dashed: the best trained model then."
    )
    combined = "An arrow marks a combination of two methods."
    alt = f"Bar chart in two panels, exact match and accuracy. {told}. {combined}"
    return Chart(twin, caption, alt, draw_table_1)


def draw_table_1(figure, twin: Table):
    *prompted, (_, *trained) = twin.rows
    methods = [method for method, *_ in prompted]
    places = [place + 0.8 * ("→" in method) for place, method in enumerate(methods)]
    titles, panels = ("HotpotQA, exact match", "FEVER, accuracy"), figure.subplots(1, 2, sharey=True)
    for column, (ax, name, goal) in enumerate(zip(panels, titles, trained, strict=True), 1):
        bare(ax, name, places, methods)
        for place, row in zip(places, prompted, strict=True):
            bar(ax, place, row[column], row[0], f"{row[column]}", 0.7)
        ax.axvline(goal, color=INK, linestyle="--")
        ax.text(goal - 2, -0.9, f"trained {goal}", ha="right", va="center")
        ax.text(1, places[-2] - 0.75, "combinations", va="center", style="italic")
        ax.set_ylim(places[-1] + 0.6, -1.3)


def fine_tuning() -> Chart:
    """Return the paper's Figure 3: exact match by size of the model, fine-tuned and prompted."""
    rows, tuned = figure_3("fine-tune", "fine-tuned: PaLM", "8B", "62B"), number("fine-tuning/all/trajectories")
    rows += figure_3("prompt", "prompted: PaLM", "8B", "62B", "540B")
    caption = f"PaLM on HotpotQA: {number('figure 3/fine-tune 8B/CoT').source()}. Fine-tuned on {tuned.value:,} "
    caption += f"trajectories {tuned.note} ({tuned.source()}). The paper gives no intervals and no number of questions."
    title = "Exact match, fine-tuned and prompted, in %"
    return chart(title, ("model", *WAYS), rows, caption, "Bars", draw_grouped, (8, 2 + len(rows)))


def figure_3(half: str, name: str, *sizes: str) -> list[tuple]:
    return [(f"{name} {size}", *(number(f"figure 3/{half} {size}/{way}").value for way in WAYS)) for size in sizes]


def draw_grouped(figure, twin: Table):
    groups = {}
    for name, *means in twin.rows:
        start, _, model = name.rpartition(": ")
        groups.setdefault(start, []).append((fill(model, 20), means))
    sizes, longest = [*map(len, groups.values())], max(mean or 0 for _, *means in twin.rows for mean in means)
    panels = figure.subplots(len(groups), 1, height_ratios=sizes, squeeze=False).flat
    for ax, (start, rows) in zip(panels, groups.items()):
        bare(ax, PANELS.get(start, start.capitalize()), range(len(rows)), [model for model, _ in rows])
        ax.set(xlim=(0, 1.35 * longest), ylim=(len(rows) - 0.5, -0.5))
        for place, (_, means) in enumerate(rows):
            for shift, way, mean in zip((-0.33, -0.11, 0.11, 0.33), WAYS, means):
                bar(ax, place + shift, mean, way, f"{way} {'missing' if mean is None else mean}", 0.2)


def chart(title: str, columns: tuple, rows: list, caption: str, form: str, draw: Callable, size=(8, 6)) -> Chart:
    """Return a chart of these rows, whose alt text says its `form`, then each number."""
    told = [(name, ("missing" if cell is None else cell for cell in cells)) for name, *cells in rows]
    alt = "; ".join(f"{name}: {', '.join(map('{} {}'.format, columns[1:], cells))}" for name, cells in told)
    return Chart(Table(title, columns, tuple(rows)), caption, f"{form}. {alt or 'Nothing is recorded'}.", draw, size)


def column_check(twin: Table, method: str, runs: int) -> str:
    """Return what cannot be right in a method's column of failure shares; an empty text where all may be."""
    shares = [twin.value(kind, method) or 0 for kind, *_ in twin.rows if kind.startswith("failure")]
    odd = [share(percent) for percent in shares if percent * runs % 100]
    total = f" {method}'s failure shares add up to {sum(shares)} %, not 100 %." if sum(shares) != 100 else ""
    split = f" No count out of {runs} gives {' or '.join(odd)}." if odd else ""
    return f"Our arithmetic:{total}{split}" if total or split else ""


def share(percent: float | None) -> str:
    return "not applicable" if percent is None else f"{percent} %"


def bar(ax, place: float, length: float | None, method: str, label: str, height: float):
    colour, hatch = METHOD_LOOKS[method]
    if length is not None:
        ax.barh(place, length, height, color=colour, hatch=hatch, edgecolor="white", linewidth=0)
    style = "italic" if length is None else "normal"
    ax.text((length or 0) + 1, place, label, va="center", color=colour, style=style)


def bare(ax, title: str, places, names: list[str]):
    heading(ax, title, bool(names), xlim=(0, 100), xticks=[])
    ax.set_yticks(places, names)
    ax.invert_yaxis()


def heading(ax, title: str, there: bool = True, **settings):
    ax.set_title(title if there else f"{title}: missing", loc="left", fontsize=14, fontweight="bold")
    ax.set(**settings)
