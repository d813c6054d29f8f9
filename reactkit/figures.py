"""The kit's own recordings as figures, each drawn from its own table; what is missing is named, and is no zero."""

from collections import Counter
from functools import partial
from math import log10
from pathlib import Path

from reactkit.laboratory import ACTING, FOLDER, SAMPLED, SORTS, VOTING, laboratory, models
from reactkit.loop import STEP_CAPS
from reactkit.measures import ByTask, behind, bootstrap, right, sampled
from reactkit.paper import Table, number
from reactkit.plots import INK, METHOD_LOOKS, WAYS, Chart, bare, chart, draw_grouped, figure_3, heading
from reactkit.tasks import LABELS, kit_claims, kit_questions
from reactkit.votes import spent

__all__ = ["by_samples", "by_size", "by_steps", "by_tokens", "claim_labels", "own_table_1", "table_1_at"]

LINES = {"CoT": "x--", "ReAct": "D-", **dict(zip(VOTING, ("o-", "s--", "^:")))}
GIVEN = {**dict(zip(LABELS, ("SUPP.", "REF.", "N.E.I."))), "other words": "other", "no answer": "none"}


def own_table_1(model: str, folder: str | Path = FOLDER) -> Chart:
    """Return the kit's own Table 1: how often each method is right, with its interval, beside the paper's number."""
    found, rows = laboratory(model, folder)[0], []
    for sort, way in ((sort, way) for sort in SORTS for way in METHOD_LOOKS):
        printed = number(f"table 1/{way}/{SORTS[sort][1]}")
        rows.append((f"{sort}, {way}", *scored(found.get((sort, way))), printed.value))
    columns = ("task, method", "right", "from", "to", "paper")
    caption = f"{whose(model, folder)}. Lines: 95 % intervals. Diamonds: PaLM-540B on HotpotQA and FEVER, which are "
    caption += f"other tasks (printed in the paper, {printed.source()}); the paper has no intervals."
    return chart(f"Right, in %: {model}", columns, rows, caption, "Points with intervals", draw_table_1, (8, 8))


def table_1_at(n: int) -> Chart:
    """Return Table 1's scores, each with the interval that `n` questions would give; the paper prints none."""
    rows = []
    for task, way in ((task, way) for _, task in SORTS.values() for way in METHOD_LOOKS):
        printed = number(f"table 1/{way}/{task}")
        right_ones = round(printed.value * n / 100)
        ends = bootstrap([1.0] * right_ones + [0.0] * (n - right_ones))[1:]
        rows.append((f"{task}, {way}", printed.value, *ends))
    caption = f"Dots: PaLM-540B, printed in the paper ({printed.source()}), which gives no n and no intervals. "
    caption, columns = f"{caption}Lines: our arithmetic, 95 % if n were {n}.", ("task, method", "right", "from", "to")
    return chart(f"Table 1, if n were {n}, in %", columns, rows, caption, "Points with intervals", draw_table_1, (8, 8))


def draw_table_1(figure, twin: Table):
    for ax, sort in zip(figure.subplots(2, 1), dict.fromkeys(name.split(", ")[0] for name, *_ in twin.rows)):
        rows = part(twin, sort)
        bare(ax, sort[0].upper() + sort[1:], range(len(rows)), [way for way, *_ in rows])
        ax.set(xlim=(0, 150), ylim=(len(rows) - 0.5, -0.7), xticks=range(0, 101, 25))
        for place, (way, mean, low, high, *paper) in enumerate(rows):
            if mean is not None:
                above = place - 0.15 * bool(paper)  # which leaves room for the diamond
                ax.plot((low, high), 2 * [above], color=METHOD_LOOKS[way][0], linewidth=2.5)
                ax.plot(mean, above, "o", color=METHOD_LOOKS[way][0], markersize=9)
            told = "missing" if mean is None else mean
            ax.text(120, place, told, ha="right", va="center", color=METHOD_LOOKS[way][0])
            for printed in paper:
                ax.text(150, place, printed, ha="right", va="center")
                ax.plot(printed, place + 0.25, "D", color="white", markeredgecolor=INK, markeredgewidth=2, markersize=8)
        ax.set_title("\u25cf recorded         \u25c7 paper" if paper else "", loc="right", fontsize=13)


def by_samples(model: str, folder: str | Path = FOLDER) -> Chart:
    """Return the kit's own Figure 2: the score by number of samples that vote, with CoT and ReAct beside it."""
    found, rows = laboratory(model, folder)[0], []
    for sort, name in (key for key in found if key[1] in LINES):
        samples = {task: voted.runs for task, voted in found.get((sort, SAMPLED), {}).items()}
        settle = partial(VOTING.get(name, VOTING[SAMPLED]), acted=found.get((sort, "ReAct")))
        flat = scored(found[sort, name])
        most = max(map(len, samples.values()), default=1)
        for size in sorted({*range(1, most, 2), most}):
            rows.append((f"{sort}, {name}, {size}", *(sampled(samples, size, settle) if name in VOTING else flat)))
    ends = " to ".join(str(number(f"figure 2/samples needed/{end}").value) for end in ("lowest", "highest"))
    title, columns = f"Right by number of samples, in %: {model}", ("task, method, samples", "right", "from", "to")
    caption = f"{whose(model, folder)}. In the paper (section 3.3) the switches need {ends} samples for what CoT-SC "
    caption, form = f"{caption}reaches with 21.", "Lines with intervals at their ends"
    return chart(title, columns, rows, caption, form, draw_by_samples)


def draw_by_samples(figure, twin: Table):
    keys, top = {}, min(100, 10 + max((high for *_, high in twin.rows), default=90) // 10 * 10)
    for ax, sort in zip(figure.subplots(1, 2, sharey=True), SORTS):
        ways = [way for way in LINES if part(twin, sort, way)]
        heading(ax, sort.capitalize(), bool(ways), xlabel="samples, then 95 % intervals", ylim=(0, top))
        for at, way in enumerate(ways, 1):
            (sizes, means, lows, highs), colour = zip(*part(twin, sort, way)), METHOD_LOOKS[way][0]
            sizes = [*map(int, sizes)]
            keys[way], *_ = ax.plot(sizes, means, LINES[way], color=colour, label=way, markersize=7, markeredgewidth=2)
            unit = max(sizes[-1] - 1, 4) / 20
            ax.set(xticks=sizes[:: 1 + len(sizes) // 6], xlim=(1 - unit, sizes[-1] + 6 * unit))
            point(ax, sizes[-1] + at * unit, means[-1], lows[-1], highs[-1], colour, LINES[way][0])
    figure.legend(handles=[*keys.values()], loc="outside lower left", ncols=3, frameon=False)


def by_tokens(model: str, folder: str | Path = FOLDER) -> Chart:
    """Return what a task costs beside how often it is right: tokens read and written, in all runs behind an answer."""
    rows = []
    for (sort, way), results in laboratory(model, folder)[0].items():
        cost = spent(run for _, run in behind(results))
        tokens = round((cost.tokens_read + cost.tokens_written) / len(results))
        rows.append((f"{sort}, {way}", tokens, *scored(results)))
    title, columns = f"Right, in %, and tokens a task: {model}", ("task, method", "tokens", "right", "from", "to")
    caption = f"{whose(model, folder)}. Tokens read and written, as the server counted; upright lines: 95 % intervals."
    return chart(title, columns, rows, caption, "Points with intervals, tokens on a log scale", draw_by_tokens)


def draw_by_tokens(figure, twin: Table):
    most = max(len(part(twin, sort)) for sort in SORTS)
    for ax, sort in zip(figure.subplots(1, 2, sharey=True), SORTS):
        rows = sorted(part(twin, sort), key=lambda row: row[1])
        heading(ax, sort.capitalize(), bool(rows), xlabel="tokens a task", xscale="log", yticks=range(0, 101, 20))
        ax.spines["left"].set_bounds(0, 100)
        first = int(log10(rows[0][1])) if rows else 0
        ends = [first + (log10(tokens) - first) / (1 - len(way) / 26) for way, tokens, *_ in rows]
        ax.set(xlim=(10**first, 10 ** max(*ends, first + 1.1, first)), ylim=(0, 106 + 8 * most))
        ax.xaxis.set(
            major_formatter=lambda x, at: f"{x:,.0f}".replace(",000,000", "M").replace(",000", "k"), minor_formatter=""
        )
        for level, (way, tokens, *of) in enumerate(rows):
            colour, top = METHOD_LOOKS[way][0], 102 + 8 * (most - level)
            ax.plot((tokens, tokens), (0, top + 3), ":", color=colour, linewidth=1.5)
            point(ax, tokens, *of, colour)
            ax.annotate(way, (tokens, top), (4, 0), textcoords="offset points", color=colour, va="center")


def by_steps(model: str, folder: str | Path = FOLDER) -> Chart:
    """Return how many steps the runs of each acting method took, right and wrong apart, up to the step cap."""
    found, rows = laboratory(model, folder)[0], []
    for sort, way in ((sort, way) for sort in SORTS for way in ACTING if (sort, way) in found):
        cap = STEP_CAPS[next(iter(found[sort, way])).asks]
        ended = Counter((run.answer and run.calls[-1].step, right(task, run)) for task, run in found[sort, way].items())
        steps = {**{step: f"step {step}" for step in range(1, cap)}, cap: f"step {cap}, cap", None: "no answer"}
        rows += [(f"{sort}, {way}, {name}", ended[step, 1.0], ended[step, 0.0]) for step, name in steps.items()]
    title, columns = f"Steps to an answer, in runs: {model}", ("task, method, last step", "right", "wrong")
    caption = f"{whose(model, folder)}. Filled: right; outlined: wrong. Dashed: the step cap; below it, runs without "
    return chart(title, columns, rows, f"{caption}an answer.", "Bars to both sides", draw_by_steps, (8, 7))


def draw_by_steps(figure, twin: Table):
    most = max((cell for _, *cells in twin.rows for cell in cells), default=1)
    panels = figure.subplots(2, 2, height_ratios=(9, 7)).flat
    for ax, (sort, way) in zip(panels, ((sort, way) for sort in SORTS for way in ACTING)):
        rows, colour = part(twin, sort, way), METHOD_LOOKS[way][0]
        bare(ax, f"{way}, {sort}", range(len(rows)), [step for step, *_ in rows])
        ax.set(xlim=(-1.35 * most, 1.35 * most), ylim=(len(rows) - 0.4, -1.6), frame_on=False)
        for side, align, face, told in ((1, "left", colour, "right"), (-1, "right", "white", "wrong")) if rows else ():
            words = {"ha": align, "va": "center", "color": colour}
            ax.text(side * most / 25, -1, told, **words)
            for place, (_, *counts) in enumerate(rows):
                if count := counts[side < 0]:
                    ax.barh(place, side * count, 0.7, color=face, edgecolor=colour, linewidth=2)
                    ax.text(side * (count + most / 25), place, count, **words)
            ax.plot((0, side * 1.35 * most), 2 * [len(rows) - 1.5], "--", color=INK)


def claim_labels(model: str, folder: str | Path = FOLDER) -> Chart:
    """Return for each method which label a claim was given, by the label that it has."""
    found, rows = laboratory(model, folder)[0], []
    for way in (way for way in METHOD_LOOKS if ("claims", way) in found):
        pairs = Counter((task.gold, given(one.answer)) for task, one in found["claims", way].items())
        for gold in LABELS:
            counts = {said: pairs[gold, said] for said in GIVEN}
            cells = (f"{count} ({100 * count / sum(counts.values()):.0f} %)" for count in counts.values())
            rows.append((f"{way}, {gold}", *cells))
    columns, size = ("method, gold label", *GIVEN), (8, 1.2 + 2.3 * max(1, (len(rows) + 5) // 6))
    caption = f"{whose(model, folder)}. A row: claims with this gold label; a column: the label given. Framed: right."
    title = f"Gold label (rows) and label given (columns): {model}"
    return chart(title, columns, rows, caption, "A matrix for each method", draw_claim_labels, size)


def draw_claim_labels(figure, twin: Table):
    ways, names = [way for way in METHOD_LOOKS if part(twin, way)], ("SUPPORTS", "REFUTES", "NOT ENOUGH\nINFO")
    if not ways:
        bare(figure.subplots(), "Claims", (), ())
    for at, way in enumerate(ways):
        ax = figure.add_subplot((len(ways) + 1) // 2, 2, at + 1)
        bare(ax, way, range(len(LABELS)), ("", "", "") if at % 2 else names)
        ax.set(xlim=(-0.5, 4.5), ylim=(2.5, -0.5))
        ax.spines[:].set_visible(True)
        ax.set_xticks(range(len(GIVEN)), GIVEN.values())
        ax.tick_params(length=0, top=True, labeltop=True, labelbottom=False)
        for line, (_, *cells) in enumerate(part(twin, way)):
            for column, cell in enumerate(cells):
                count, share = cell.rstrip(" %)").split(" (")
                ax.bar(column, 1, 1, line - 0.5, color=METHOD_LOOKS[way][0], alpha=float(share) / 200)
                ax.text(column, line, f"{count}\n{share} %" if int(count) else "", ha="center", va="center")
            ax.bar(line, 0.96, 0.96, line - 0.48, fill=False, edgecolor=INK, linewidth=2)


def by_size(folder: str | Path = FOLDER) -> Chart:
    """Return the left half of the kit's own Figure 3: exact match on its questions by size of the model."""
    rows = []
    for model in models(folder):
        found = laboratory(model, folder)[0]
        rows.append((model, *(scored(found.get(("questions", way)))[0] for way in WAYS)))
    rows += figure_3("prompt", "paper: PaLM", "8B", "62B", "540B")
    missing = "; — is missing" if any(None in row for row in rows) else ""
    caption = f"recorded, n: {len(kit_questions())} questions, intervals in each model's table{missing}. "
    caption += "Apart, HotpotQA: "
    caption += number("figure 3/prompt 8B/CoT").source()
    title, size = "Exact match by size of the model, in %", (8, 2 + len(rows))
    return chart(title, ("model", *WAYS), rows, caption, "Bars", draw_grouped, size)


def whose(model: str, folder: str | Path) -> str:
    n = f"{len(kit_questions())} questions, {len(kit_claims())} claims"
    return f"recorded · {model}; n: {n}; {laboratory(model, folder)[1]}"


def scored(results: ByTask | None) -> tuple[float | None, ...]:
    return bootstrap([right(*pair) for pair in results.items()]) if results else 3 * (None,)


def part(twin: Table, *start: str) -> list[tuple]:
    """Return the rows whose names start with these words, without them."""
    head = ", ".join((*start, ""))
    return [(name[len(head) :], *cells) for name, *cells in twin.rows if name.startswith(head)]


def point(ax, place: float, mean: float, low: float, high: float, colour: str, marker: str = "o"):
    ax.errorbar(place, mean, [[mean - low], [high - mean]], fmt=marker, color=colour, markersize=9, elinewidth=2.5)


def given(answer: str | None) -> str:
    said = "no answer" if answer is None else answer.upper()
    return said if said in GIVEN else "other words"
