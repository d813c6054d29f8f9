"""What real models did with the kit's own tasks: recordings replayed, scored, and set beside the paper's numbers."""

import re
from contextlib import suppress
from functools import cache
from pathlib import Path

from reactkit.encyclopedia import Encyclopedia, shipped_shelf
from reactkit.errors import DataError, ReplayError
from reactkit.loop import solve
from reactkit.marks import counted
from reactkit.measures import ByTask, difference, measure
from reactkit.paper import Table, number
from reactkit.prompts import COT, METHODS, exemplars
from reactkit.recordings import Recording, digest, replay
from reactkit.runs import Run
from reactkit.tasks import Task, kit_claims, kit_questions
from reactkit.tools import encyclopedia_tools
from reactkit.votes import react_then_vote, vote, vote_then_react

__all__ = ["card_of", "laboratory", "models", "path_of", "recorded_on", "recorded_runs", "tables"]

FOLDER = Path(__file__).with_name("data") / "laboratory"
SAMPLED, SAMPLES = "CoT-SC", 21
ASKED = {**{method.name: method for method in METHODS}, SAMPLED: COT}
ACTING = tuple(method.name for method in METHODS if method.acts)  # whose runs have calls of tools
SORTS = {"questions": (kit_questions, "HotpotQA"), "claims": (kit_claims, "FEVER")}
VOTING = {
    SAMPLED: lambda task, voted, acted: voted,
    "ReAct → CoT-SC": lambda task, voted, acted: react_then_vote(acted[task], voted),
    "CoT-SC → ReAct": lambda task, voted, acted: vote_then_react(voted, acted[task]),
}


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
    So is a method that is none of `ASKED`, or a model of which nothing is recorded.
    """
    recording = opened(model, name, folder)
    runs = {task: replayed(task, name, recording) for task in (*kit_questions(), *kit_claims())}
    if (unasked := len(recording.held.keys() - recording.asked.keys())) and () in runs.values():
        told = f"holds {counted(unasked, 'reply', 'replies')} to what no task asks now, and others are missing"
        raise DataError(
            f"{recording.path} {told}; undo the change to the kit's tasks, pages or words, or record them again"
        )
    return runs


def opened(model: str, name: str, folder: str | Path) -> Recording:
    """Return the recording of a model by a method, empty where there is none; what is unknown is a `DataError`."""
    if name not in ASKED:
        raise DataError(f"{name!r} is not recorded as a method; recorded are {', '.join(ASKED)}")
    path = path_of(model, name, folder)
    if not path.exists() and model not in (there := models(folder)):
        raise DataError(f"nothing of {model!r} is recorded in {folder}; recorded are {' and '.join(there)}")
    return Recording(path, card={"model": model, "kind": "live", **card_of(name)})


def replayed(task: Task, name: str, recording: Recording) -> tuple[Run, ...]:
    """Return the runs of a task by a method, as many as the recording has."""
    world = encyclopedia_tools(Encyclopedia(shipped_shelf()))  # which they were recorded in, whatever is played in now
    runs = ()
    with suppress(ReplayError):  # where the recording ends
        for _ in range(SAMPLES if name == SAMPLED else 1):
            runs += (solve(task, ASKED[name], recording, world),)
    return runs


def recorded_on(text: str, name: str = "ReAct", folder: str | Path = FOLDER) -> tuple[Run, ...]:
    """Return what each recorded model did by a method with the kit's question or claim of this text, small ones first.

    Where there is none, or no model was recorded on it, that is a `DataError`.
    """
    tasks = [task for task in (*kit_questions(), *kit_claims()) if task.text == text]
    asked = ((task, opened(model, name, folder)) for task in tasks for model in models(folder))
    if not (found := tuple(run for task, recording in asked for run in replayed(task, name, recording))):
        raise DataError(f"{folder} holds no run by {name} on {text!r:.200}; ask for a task of the kit, word by word")
    return found


@cache
def laboratory(model: str, folder: str | Path = FOLDER) -> tuple[dict[tuple[str, str], ByTask], str]:
    """Return results by "questions" or "claims" and method, from samples that all tasks have, and what is missing.

    A model that is not recorded in the folder is a `DataError` that names those that are.
    """
    found, missing = {}, []
    for sort, (tasks, _) in SORTS.items():
        for name in ASKED:
            runs = {task: recorded_runs(model, name, folder)[task] for task in tasks()}
            least, wanted = min(map(len, runs.values())), SAMPLES if name == SAMPLED else 1
            missing += [f"{name} on {sort}{f' ({least} of {wanted} samples)' * (wanted > 1)}"] * (least < wanted)
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
