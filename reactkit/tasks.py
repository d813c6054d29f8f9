"""Questions and claims with their gold answers: the kit's own, HotpotQA's and FEVER's, all of one type."""

import json
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from reactkit.errors import DataError
from reactkit.shipped import shipped

__all__ = ["Evidence", "Task", "fever_claims", "hotpot_questions", "kit_claims", "kit_questions"]

LABELS = ("SUPPORTS", "REFUTES", "NOT ENOUGH INFO")
READ = {"question", "answer", "type", "_id", "idx", "claim", "label", "id"}  # the rest is large, and goes while parsing


@dataclass(frozen=True, slots=True)
class Evidence:
    """A page, and words that stand on it (`contains`) or must not (`never`)."""

    page: str
    contains: tuple[str, ...] = ()
    never: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Task:
    """One question or claim. `asks` is the word that labels it, `gold` the answer or label that counts as right."""

    text: str
    gold: str = ""
    asks: str = "Question"
    name: str = ""
    type: str = ""
    evidence: tuple[Evidence, ...] = ()


def hotpot_questions(path: str | Path) -> tuple[Task, ...]:
    """Return the tasks in a HotpotQA file: the official JSON, or the simplified one of the ReAct authors."""
    return tuple(
        Task(row["question"], row["answer"], name=str(row.get("_id", row.get("idx"))), type=row["type"])
        for row in rows(path, ("question", "answer", "type"))
    )


def fever_claims(path: str | Path) -> tuple[Task, ...]:
    """Return the tasks in a FEVER file of JSON lines, each with one of the three labels as gold."""
    found = rows(path, ("claim", "label", "id"))
    for row in found:
        if row["label"] not in LABELS:
            raise DataError(f"{path}: claim {row['id']} is labelled {row['label']!r}; use one of {', '.join(LABELS)}")
    return tuple(Task(row["claim"], row["label"], "Claim", str(row["id"])) for row in found)


def kit_questions() -> tuple[Task, ...]:
    """Return the kit's own questions, answerable from its own pages."""
    return tuple(kit_task(row, "question", "answer", "Question") for row in shipped("tasks.json")["questions"])


def kit_claims() -> tuple[Task, ...]:
    """Return the kit's own claims; NOT ENOUGH INFO means that the kit's pages do not settle it."""
    return tuple(kit_task(row, "claim", "label", "Claim") for row in shipped("tasks.json")["claims"])


def kit_task(row: dict, text: str, gold: str, asks: str) -> Task:
    evidence = tuple(
        Evidence(found["page"], tuple(found.get("contains", ())), tuple(found.get("never", ())))
        for found in row["evidence"]
    )
    return Task(row[text], row[gold], asks, row["id"], row.get("type", ""), evidence)


def rows(path: str | Path, fields: Iterable[str]) -> list[dict]:
    """Return the objects in a JSON list or in JSON lines; one that lacks a field is a `DataError` naming it."""
    read = json.JSONDecoder(object_hook=lambda row: {name: row[name] for name in READ & row.keys()}).decode
    try:
        text = Path(path).read_text(encoding="utf-8")
        listed = text.lstrip().startswith("[")
        found = read(text) if listed else [read(line) for line in text.split("\n") if line.strip()]
    except OSError as error:
        raise DataError(f"{path} cannot be opened ({error.strerror}); check the path") from error
    except ValueError as error:
        raise DataError(f"{path} is neither a JSON list nor JSON lines ({error})") from error
    for number, row in enumerate(found, start=1):
        if missing := [field for field in fields if not isinstance(row, dict) or field not in row]:
            raise DataError(f"{path}: entry {number} has no {', '.join(missing)}; is this the right file?")
    return found
