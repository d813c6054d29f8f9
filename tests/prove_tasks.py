"""Prove from the pages that each of the kit's tasks and exemplars can be settled, and no NOT ENOUGH INFO claim.

Run `python tests/prove_tasks.py`: one line for each, and exit 1 where anything is wrong. "On a page" means in one of
its sentences or, on a disambiguation page, in one of the titles that it may mean.
"""

import re
import sys
from collections.abc import Iterable
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from reactkit.actions import read_action
from reactkit.encyclopedia import Page, Shelf, shipped_pages
from reactkit.metrics import normalise
from reactkit.prompts import exemplars
from reactkit.tasks import LABELS, Task, kit_claims, kit_questions
from reactkit.tools import encyclopedia_tools
from reactkit.trajectory import Trajectory


def says(page: Page, words: str) -> bool:
    """Return whether one sentence or listed title of `page` holds these words, in any case."""
    return any(words.casefold() in passage.casefold() for passage in (*page.sentences, *page.may_mean))


def holds(text: str, answer: str) -> bool:
    """Return whether the whole words of `answer` stand in `text`, both as the exact-match score reads them."""
    return f" {normalise(answer)} " in f" {normalise(text)} "


def problems(task: Task, shelf: Shelf) -> list[str]:
    """Return all that is wrong with `task`, in words; nothing where it is proved."""
    pages = [shelf.page(evidence.page) for evidence in task.evidence]
    absent = [f"there is no page {evidence.page!r}" for evidence in task.evidence if shelf.page(evidence.page) is None]
    if absent or not pages:
        return absent or ["it names no page"]
    checks = (wrong_words, out_of_reach, wrong_gold if task.asks == "Question" else wrong_label)
    return [problem for check in checks for problem in check(task, pages)]


def wrong_words(task: Task, pages: list[Page]) -> Iterable[str]:
    for evidence, page in zip(task.evidence, pages, strict=True):
        yield from (f"{page.title} does not say {words!r}" for words in evidence.contains if not says(page, words))
        yield from (f"{page.title} says {words!r}" for words in evidence.never if says(page, words))


def out_of_reach(task: Task, pages: list[Page]) -> Iterable[str]:
    """Each page must be named by the task, or by a page that comes before it."""
    read = task.text
    for page in pages:
        names = (page.title, re.sub(r" \(.*\)$", "", page.title), *page.redirects)
        if not any(holds(read, name) for name in names):
            yield f"nothing read before it leads to {page.title}"
        read = " ".join([read, *page.sentences, *page.may_mean])


def wrong_gold(task: Task, pages: list[Page]) -> Iterable[str]:
    """A bridge's answer stands on the last page, a sum's summands do, a comparison's answer is one of the two names."""
    if len(pages) < 2 or not all(evidence.contains for evidence in task.evidence):
        yield "a question needs words from two pages"
    if task.type == "bridge" and not any(holds(sentence, task.gold) for sentence in pages[-1].sentences):
        yield f"{pages[-1].title} does not give the answer {task.gold!r}"
    if task.type == "sum" and sum(map(number, task.evidence[-1].contains)) != number(task.gold):
        yield f"the numbers do not add up to {task.gold}"
    if task.type == "comparison" and task.gold not in [page.title for page in pages]:
        yield f"{task.gold!r} is not one of the pages compared"
    if task.type not in ("bridge", "sum", "comparison"):
        yield f"its type is {task.type!r}"
    if holds(task.text, task.gold) != (task.type == "comparison"):
        yield "the question gives its answer away, or a comparison does not name it"


def wrong_label(task: Task, pages: list[Page]) -> Iterable[str]:
    open_ended = task.gold == "NOT ENOUGH INFO"
    if task.gold not in LABELS:
        yield f"its label is {task.gold!r}"
    for evidence in task.evidence:
        if not (evidence.never if open_ended else evidence.contains):
            yield f"for {evidence.page} it lists no words that {'must not' if open_ended else 'must'} stand there"


def number(text: str) -> int:
    return int(re.sub(r"\D", "", text))


def flaws(exemplar: Trajectory) -> list[str]:
    """Return all that is wrong with an exemplar: replayed observations, its ending, an answer that was not observed."""
    answer, actions = exemplar.keep("answer").lines[-1].text, exemplar.keep("action").lines
    found = [f"observation {step} is not what the pages answer" for step in unlike_replay(exemplar)]
    if actions[-1].text != f"Finish[{answer}]":
        found.append(f"it finishes with {actions[-1].text!r} and answers {answer!r}")
    seen = " ".join(line.text for line in exemplar.keep("observation"))
    if exemplar.asks == "Question" and not holds(seen, answer):
        found.append(f"no observation holds {answer!r}")
    return found


def unlike_replay(exemplar: Trajectory) -> list[int]:
    """Return the steps whose observation is not that of a fresh encyclopedia given the same actions."""
    tools = encyclopedia_tools()
    answers = {line.step: tools.observe(read_action(line.text)) for line in exemplar.keep("action").lines[:-1]}
    written = {line.step: line.text for line in exemplar.keep("observation")}
    return [step for step in sorted({*answers, *written}) if answers.get(step) != written.get(step)]


def main(tasks: Iterable[Task] = (*kit_questions(), *kit_claims())) -> int:
    shelf = Shelf(shipped_pages())
    proved = [(task.name, task.text, problems(task, shelf)) for task in tasks]
    shown = [
        (f"{asks.lower()} exemplar {number}", trajectory.lines[0].text, flaws(trajectory))
        for asks in ("Question", "Claim")
        for number, trajectory in enumerate(exemplars(asks).trajectories, start=1)
    ]
    for name, text, wrong in (*proved, *shown):
        print("FAIL" if wrong else "ok  ", name, "; ".join(wrong) or text)
    return int(any(wrong for *_, wrong in (*proved, *shown)))


if __name__ == "__main__":
    sys.exit(main())
