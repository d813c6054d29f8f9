"""What real models did with the kit's own tasks: recordings replayed, scored, and set beside the paper's numbers."""

import re
from contextlib import suppress
from functools import cache, partial
from pathlib import Path

from reactkit.errors import DataError, ReplayError
from reactkit.loop import solve
from reactkit.measures import Results, bootstrap, difference, measure, right, sampled
from reactkit.paper import Table, number
from reactkit.plots import METHOD_LOOKS, Chart, bar, bare
from reactkit.prompts import COT, METHODS, exemplars
from reactkit.recordings import Recording, digest, replay
from reactkit.runs import Run
from reactkit.tasks import Task, kit_claims, kit_questions
from reactkit.votes import react_then_vote, vote, vote_then_react

__all__ = ["by_method", "by_samples", "by_size", "card_of", "laboratory", "models", "recorded_runs", "report"]
__all__ += ["table_1_at", "tables"]

FOLDER = Path(__file__).with_name("data") / "laboratory"
SAMPLED, SAMPLES = "CoT-SC", 21
ASKED = {**{method.name: method for method in METHODS}, SAMPLED: COT}
SORTS = {"questions": (kit_questions, "HotpotQA"), "claims": (kit_claims, "FEVER")}
VOTING = {
    SAMPLED: lambda task, voted, acted: voted,
    "ReAct → CoT-SC": lambda task, voted, acted: react_then_vote(acted[task], voted),
    "CoT-SC → ReAct": lambda task, voted, acted: vote_then_react(voted, acted[task]),
}
DASHES = {"CoT": "--", "ReAct": "-", **dict(zip(VOTING, ("o-", "s--", "^:")))}


def card_of(name: str) -> dict:
    """Return what the card of a recording by this method says: its settings, and the digest of its exemplars.

    What else a server samples by, as `top_p`, is its own default; the card's `runtime` says of which.
    """
    prompts = digest([exemplars(asks).text(ASKED[name]) for asks in ("Question", "Claim")])
    return {"settings": {"temperature": 0.7 if name == SAMPLED else 0, "max_tokens": 120}, "prompts": prompts}


def path_of(model: str, name: str, folder: str | Path = FOLDER) -> Path:
    """Return where a model's recording by this method lies; in its name, what a file can't be called by is a dash."""
    return Path(folder) / re.sub(r"[^\w.-]", "-", f"{model}.{name}.jsonl".lower())


@cache
def recorded_runs(model: str, name: str, folder: str | Path = FOLDER) -> dict[Task, tuple[Run, ...]]:
    """Return each kit task's runs, none where none is recorded; later changes of the file are not seen.

    A file altered or asked otherwise is a `DataError`, as are replies that no task asks for, where others are missing.
    """
    path, runs = path_of(model, name, folder), {}
    recording = Recording(path, card={"model": model, "kind": "live", **card_of(name)})
    for task in (*kit_questions(), *kit_claims()):
        runs[task] = ()
        with suppress(ReplayError):  # where the recording ends
            for _ in range(SAMPLES if name == SAMPLED else 1):
                runs[task] += (solve(task, ASKED[name], recording),)
    if (unasked := len(recording.held.keys() - recording.asked.keys())) and () in runs.values():
        told = f"{path} holds {unasked} replies to what no task asks now, and others are missing"
        raise DataError(f"{told}; undo the change to the kit's tasks, pages or words, or record them again")
    return runs


@cache
def laboratory(model: str, folder: str | Path = FOLDER) -> tuple[dict[tuple[str, str], Results], str]:
    """Return results by "questions" or "claims" and method, from samples that all tasks have, and what is missing."""
    found, missing = {}, []
    for sort, (tasks, _) in SORTS.items():
        for name in ASKED:
            runs = {task: recorded_runs(model, name, folder)[task] for task in tasks()}
            least, wanted = min(map(len, runs.values())), SAMPLES if name == SAMPLED else 1
            missing += [f"{name} on {sort} (for all tasks {least} of {wanted} runs)"] * (least < wanted)
            if least:
                found[sort, name] = {task: vote(few[:least]) if wanted > 1 else few[0] for task, few in runs.items()}
        for name, way in VOTING.items() if {(sort, SAMPLED), (sort, "ReAct")} <= found.keys() else ():
            found[sort, name] = {task: way(task, found[sort, SAMPLED][task], found[sort, "ReAct"]) for task in tasks()}
    return found, f"missing: {', '.join(missing) or 'nothing'}"


def tables(model: str, folder: str | Path = FOLDER) -> tuple[Table, ...]:
    """Return the kit's own Table 1, the paper's scores in a last column, and by how much methods differ."""
    (found, missing), made = laboratory(model, folder), []
    for sort, (_, official) in SORTS.items():
        if of := {name: results for (one, name), results in found.items() if one == sort}:
            own = measure(*of.values())
            rows = tuple((*row, number(f"table 1/{row[0]}/{official}").value) for row in own.rows)
            made.append(Table(f"{own.title}; {missing}", (*own.columns, f"paper, {official}, PaLM-540B"), rows))
            rows = ((f"{a} less {b}", difference(of[a], of[b])) for at, a in enumerate(of) for b in [*of][:at])
            rows = tuple((name, str(by), "yes" if by.low <= 0 <= by.high else "no") for name, by in rows)
            title = f"{own.title}; paired; by chance alone 1 in 20 spans no 0"
            made.append(Table(title, ("methods", "difference in points", "spans 0"), rows))
    return tuple(made)


def by_method(model: str, folder: str | Path = FOLDER) -> Chart:
    """Return the kit's own Table 1 as a chart: a dot for each method that is recorded, and its interval."""
    found, missing = laboratory(model, folder)
    means = {key: bootstrap([right(*pair) for pair in results.items()]) for key, results in found.items()}
    whose = f"recorded · {model}; n: {len(kit_questions())} questions, {len(kit_claims())} claims"
    return dots(f"Right by method, in %: {model}", means, f"{whose}, with 95 % intervals; {missing}.")


def table_1_at(n: int) -> Chart:
    """Return Table 1's scores, each with the interval that `n` questions would give; the paper prints none."""
    means, source = {}, number("table 1/ReAct/FEVER").source()
    for task, method in ((task, method) for task in ("HotpotQA", "FEVER") for method in METHOD_LOOKS):
        score = number(f"table 1/{method}/{task}").value
        right_ones = round(score * n / 100)
        means[task, method] = score, *bootstrap([1.0] * right_ones + [0.0] * (n - right_ones))[1:]
    caption = f"Dots: PaLM-540B, printed in the paper ({source}), which gives no n and no intervals. Lines: our "
    return dots(f"Table 1, if n were {n}, in %", means, f"{caption}arithmetic, 95 % intervals for {n} questions.")


def dots(title: str, means: dict[tuple[str, str], tuple], caption: str) -> Chart:
    rows = tuple((f"{task}, {method}", *ends) for (task, method), ends in means.items())
    alt = "; ".join(f"{name}: {mean} % ({low} to {high})" for name, mean, low, high in rows)
    twin = Table(title, ("task, method", "right", "from", "to"), rows)
    size = 8, 2 + len({method for _, method in means}) / 2
    return Chart(twin, caption, f"Dots with intervals, a panel for each task. {alt}.", draw_dots, size)


def draw_dots(figure, twin: Table):
    rows = [(*name.split(", "), *ends) for name, *ends in twin.rows]
    panels, methods = ([*dict.fromkeys(row[part] for row in rows)] for part in (0, 1))
    for ax, panel in zip(figure.subplots(1, len(panels) or 1, sharey=True, squeeze=False)[0], panels):
        within = [row for row in rows if row[0] == panel]
        for _, method, mean, low, high in within:
            place, colour = methods.index(method), METHOD_LOOKS[method][0]
            ax.plot([low, high], [place, place], color=colour, linewidth=3, solid_capstyle="butt")
            ax.plot(mean, place, "o", color=colour, markersize=9)
            ax.text(high, place, f"  {mean}", va="center", color=colour)
        bare(ax, panel, range(len(methods)), methods)
        ends = min(row[3] for row in within) - 2, max(row[4] for row in within) + 8
        ticks = range(0, 101, 5 if ends[1] - ends[0] < 45 else 10)
        ax.set(xticks=ticks, xlabel="right, in %", xlim=ends, ylim=(len(methods) - 0.5, -0.5))


def by_samples(model: str, folder: str | Path = FOLDER) -> Chart:
    """Return the kit's own Figure 2: the score by number of samples that vote, with CoT and ReAct beside it."""
    (found, missing), rows = laboratory(model, folder), []
    for sort, name in (key for key in found if key[1] in DASHES):
        samples = {task: voted.runs for task, voted in found.get((sort, SAMPLED), {}).items()}
        settle = partial(VOTING.get(name, VOTING[SAMPLED]), acted=found.get((sort, "ReAct")))
        flat = bootstrap([right(*pair) for pair in found[sort, name].items()])
        most = max(map(len, samples.values()), default=1)
        for size in sorted({*range(1, most, 2), most}):
            rows.append((f"{sort}, {name}, {size}", *(sampled(samples, size, settle) if name in VOTING else flat)))
    ends = " to ".join(str(number(f"figure 2/samples needed/{end}").value) for end in ("lowest", "highest"))
    whose = f"recorded · {model}; n: {len(kit_questions())} questions, {len(kit_claims())} claims; {missing}"
    title, alt = f"Right by number of samples, in %: {model}", "; ".join(f"{name}: {mean} %" for name, mean, *_ in rows)
    twin = Table(title, ("task, method, samples", "right", "from", "to"), tuple(rows))
    caption = f"{whose}. In the paper (section 3.3) the switches need {ends} samples for what CoT-SC reaches with 21."
    return Chart(twin, caption, f"Line chart with intervals as bands. {alt}.", draw)


def draw(figure, twin: Table):
    for ax, sort in zip(figure.subplots(1, 2, sharey=True), SORTS):
        for method, dashes in DASHES.items():
            start = f"{sort}, {method}, "
            if points := [(name[len(start) :], *of) for name, *of in twin.rows if name.startswith(start)]:
                sizes, means, lows, highs = zip(*points)
                ax.plot(sizes, means, dashes, color=METHOD_LOOKS[method][0], label=method)
                ax.fill_between(sizes, lows, highs, color=METHOD_LOOKS[method][0], alpha=0.1, linewidth=0)
        ax.set(title=sort, xlabel="samples", ylim=(0, 100))
    figure.legend(*figure.axes[0].get_legend_handles_labels(), loc="outside lower center", ncols=3)


def models(folder: str | Path = FOLDER) -> list[str]:
    """Return the models that are recorded in a folder, by the size in their names; those without one come last.

    A folder without recordings, or with one that is not named as `path_of` names it, is a `DataError`.
    """
    found = {path: replay(path).card["model"] for way in ASKED for path in Path(folder).glob(f"*.{way.lower()}.jsonl")}
    for path, name in found.items():
        if path.name not in [path_of(name, way).name for way in ASKED]:
            raise DataError(f"{path} holds replies of {name}; give it a name such as {path_of(name, 'ReAct').name}")
    if not found:
        raise DataError(f"there are no recordings in {folder}, or none named as {path_of('a-model-7B', 'ReAct').name}")
    sizes = {name: re.search(r"(?i)(\d+(?:\.\d+)?)([MB])\b", name) or ("", "inf", "") for name in found.values()}
    return sorted(sizes, key=lambda name: (float(sizes[name][1]) * 1000 ** (sizes[name][2] in "bB"), name))


def by_size(folder: str | Path = FOLDER) -> Chart:
    """Return the left half of the kit's own Figure 3: exact match on its questions by size of the model."""
    rows, ways = [], [method.name for method in METHODS]
    for model in models(folder):
        found = {name: results for (sort, name), results in laboratory(model, folder)[0].items() if sort == "questions"}
        means = [
            bootstrap([right(*pair) for pair in found[way].items()]).mean if way in found else None for way in ways
        ]
        rows.append((model, *means))
    for size in ("8B", "62B", "540B"):
        rows.append((f"paper: PaLM {size}", *(number(f"figure 3/prompt {size}/{way}").value for way in ways)))
    twin = Table("Exact match by size of the model, in %", ("model", *ways), tuple(rows))
    caption = f"recorded, n: {len(kit_questions())} questions, intervals in Table 1; — is missing. Apart, HotpotQA: "
    caption += number("figure 3/prompt 8B/CoT").source()
    alt = "; ".join(
        f"{name}: {', '.join(f'{way} {mean} %' for way, mean in zip(ways, means))}" for name, *means in rows
    )
    return Chart(twin, caption, f"Bar chart in two panels. {alt}.", draw_by_size, (8, 2 + len(rows)))


def draw_by_size(figure, twin: Table):
    halves = [[row for row in twin.rows if row[0].startswith("paper") == paper] for paper in (False, True)]
    panels = figure.subplots(2, 1, height_ratios=[len(rows) or 1 for rows in halves])
    for ax, rows, title in zip(panels, halves, ("Recorded, the kit's questions", "The paper's Figure 3, HotpotQA")):
        bare(ax, title, range(len(rows)), [name.removeprefix("paper: ") for name, *_ in rows])
        for place, (_, *means) in enumerate(rows):
            for shift, way, mean in zip((-0.33, -0.11, 0.11, 0.33), twin.columns[1:], means):
                bar(ax, place + shift, mean, way, f"{way} {'missing' if mean is None else mean}", 0.2)


def report(folder: str | Path = FOLDER) -> str:
    """Return all tables and the numbers of all figures of the recordings in a folder as text, the same each time."""
    parts = [part for name in models(folder) for part in (*tables(name, folder), by_samples(name, folder))]
    return "\n\n".join(map(repr, (*parts, by_size(folder))))
