"""Prove from the pages that each of the kit's tasks and exemplars can be settled, and no NOT ENOUGH INFO claim.

Run `python tests/prove_tasks.py`: one line for each, and exit 1 where anything is wrong. "On a page" means in one of
its sentences or, on a disambiguation page, in one of the titles that it may mean. Each task is
also played, with Search and Lookup, within the paper's cap on steps.
"""

import re
import sys
from collections.abc import Iterable
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from reactkit.actions import read_action
from reactkit.encyclopedia import Encyclopedia, Page, Shelf, shipped_pages
from reactkit.loop import STEP_CAPS
from reactkit.metrics import normalise
from reactkit.prompts import exemplars
from reactkit.tasks import LABELS, Task, kit_claims, kit_questions
from reactkit.tools import encyclopedia_tools
from reactkit.trajectory import Trajectory

LESS = ("earlier", "better place")  # of two numbers the question means the smaller one
MORE = ("later", "taller", "more", "younger", "longer", "deeper")


def says(page: Page, words: str) -> bool:
    """Return whether one sentence or listed title of `page` holds these words, in any case."""
    return any(words.casefold() in passage.casefold() for passage in (*page.sentences, *page.may_mean))


def holds(text: str, answer: str) -> bool:
    """Return whether the whole words of `answer` stand in `text`, both as the exact-match score reads them."""
    return f" {normalise(answer)} " in f" {normalise(text)} "


def names(page: Page) -> list[str]:
    """Return what people call a page: its title, its redirects, and last its title without what stands in brackets."""
    return [page.title, *page.redirects, re.sub(r" \(.*\)$", "", page.title)]


def problems(task: Task, shelf: Shelf) -> list[str]:
    """Return all that is wrong with `task`, in words; nothing where it is proved."""
    pages = [shelf.page(evidence.page) for evidence in task.evidence]
    absent = [f"there is no page {evidence.page!r}" for evidence in task.evidence if shelf.page(evidence.page) is None]
    if absent or not pages:
        return absent or ["it names no page"]
    asked = (wrong_gold, leaks) if task.asks == "Question" else (wrong_label,)
    return [problem for check in (wrong_words, unplayable, *asked) for problem in check(task, pages, shelf)]


def wrong_words(task: Task, pages: list[Page], shelf: Shelf) -> Iterable[str]:
    for evidence, page in zip(task.evidence, pages, strict=True):
        yield from (f"{page.title} does not say {words!r}" for words in evidence.contains if not says(page, words))
        yield from (f"{page.title} says {words!r}" for words in evidence.never if says(page, words))


def unplayable(task: Task, pages: list[Page], shelf: Shelf) -> Iterable[str]:
    """A model must be able to come by each page and each sentence, and within the paper's cap on steps."""
    reader = played(task, shelf)
    yield from reader.lost
    if (count := len(reader.moves) + 1) > STEP_CAPS[task.asks]:
        yield f"it takes {count} moves: {' '.join(reader.moves)}"


def wrong_gold(task: Task, pages: list[Page], shelf: Shelf) -> Iterable[str]:
    """A bridge's answer stands on the last page, a sum's summands do, a comparison's has the right number."""
    if len(pages) < 2 or not all(evidence.contains for evidence in task.evidence):
        yield "a question needs words from two pages"
    if task.type == "bridge" and not any(holds(sentence, task.gold) for sentence in pages[-1].sentences):
        yield f"{pages[-1].title} does not give the answer {task.gold!r}"
    if task.type == "sum" and sum(map(number, task.evidence[-1].contains)) != number(task.gold):
        yield f"the numbers do not add up to {task.gold}"
    if task.type == "comparison":
        yield from wrong_comparison(task, pages)
    if task.type not in ("bridge", "sum", "comparison"):
        yield f"its type is {task.type!r}"


def wrong_comparison(task: Task, pages: list[Page]) -> Iterable[str]:
    """What is compared is the last number in the first words that are listed for each page."""
    words = [next(iter(evidence.contains), "") for evidence in task.evidence]
    numbers = [[number(found) for found in re.findall(r"\d[\d,]*", text)] for text in words]
    less, more = (any(holds(task.text, word) for word in direction) for direction in (LESS, MORE))
    if less == more or not all(numbers) or len({found[-1] for found in numbers}) < len(pages):
        yield "it compares no two different numbers, or does not say which of them it means"
        return
    wanted = (min if less else max)(found[-1] for found in numbers)
    right = pages[[found[-1] for found in numbers].index(wanted)]
    if task.gold not in names(right):
        yield f"{task.gold!r} is not {right.title}, which has {wanted}"


def leaks(task: Task, pages: list[Page], shelf: Shelf) -> Iterable[str]:
    """A comparison names both pages; nothing else names its answer, by whatever name, or most of the answer's words."""
    if task.type == "comparison":
        if not all(any(holds(task.text, name) for name in names(page)) for page in pages):
            yield "it does not name what it compares"
        return
    page, words = shelf.page(task.gold), re.findall(r"\w{4,}", task.gold)
    whole = any(holds(task.text, name) for name in (task.gold, *(names(page) if page else ())))
    if whole or sum(holds(task.text, word) for word in words) > len(words) / 2:
        yield "the question gives its answer away"


def wrong_label(task: Task, pages: list[Page], shelf: Shelf) -> Iterable[str]:
    open_ended = task.gold == "NOT ENOUGH INFO"
    if task.gold not in LABELS:
        yield f"its label is {task.gold!r}"
    for evidence in task.evidence:
        if not (evidence.never if open_ended else evidence.contains):
            yield f"for {evidence.page} it lists no words that {'must not' if open_ended else 'must'} stand there"
    if open_ended:
        yield from told_elsewhere(task, pages, shelf)


def told_elsewhere(task: Task, pages: list[Page], shelf: Shelf) -> Iterable[str]:
    """Every page that an open claim names must be listed, and no other page may say what a listed one must not say."""
    rest = normalise(task.text)
    for name in sorted((normalise(name) for page in pages for name in names(page)), key=len, reverse=True):
        rest = rest.replace(name, "|")
    for other in (other for other in shelf.pages if other not in pages and other.sentences):
        if any(holds(rest, name) for name in (other.title, *other.redirects)):
            yield f"it names {other.title}, for which it lists no words"
    for evidence, page in zip(task.evidence, pages, strict=True):
        elsewhere = [(other, sentence) for other in shelf.pages if other != page for sentence in other.sentences]
        for other, sentence in elsewhere:
            told = [words for words in evidence.never if words.casefold() in sentence.casefold()]
            if told and any(holds(sentence, name) for name in names(page)):
                yield f"{other.title} says {told[0]!r} of {page.title}"


class Reader:
    """Plays a task along its evidence, as a model must: it searches only for names that it has read.

    `read` is all that was shown, `moves` what was done before Finish, and `lost` what could not be come by, in words.
    """

    def __init__(self, task: Task, shelf: Shelf):
        self.task, self.world, self.read, self.moves, self.lost = task, Encyclopedia(shelf), task.text, [], []

    def act(self, tool: str, words: str) -> str:
        """Make one move and read what it shows."""
        self.moves.append(f"{tool}[{words}]")
        told = getattr(self.world, tool.lower())(words)
        self.read += f" {told}"
        return told

    def open(self, page: Page) -> None:
        """Search for the page by a name that was read, and then by its title where a miss shows that."""
        read = [name for name in names(page) if re.search(rf"(?<!\w){re.escape(name)}(?!\w)", self.read, re.IGNORECASE)]
        if not read:
            self.lost.append(f"nothing read before it leads to {page.title}")
        told = self.act("Search", read[0] if read else page.title)
        if page.sentences and self.world.open != page and page.title in told:
            self.act("Search", page.title)

    def find(self, page: Page, words: str) -> None:
        """Look these words up, if they were not shown: by a word of the task or else a guess, never by the answer."""
        place = next((n for n, text in enumerate(page.sentences) if words.casefold() in text.casefold()), None)
        if place is None or words.casefold() in self.read.casefold():
            return
        guesses = re.sub(re.escape(self.task.gold), "", words)
        ways = [
            (count, guess, -len(word), word)
            for guess, text in enumerate((self.task.text, guesses))
            for word in re.findall(r"\w{3,}", text)
            if (count := lookups(page, word, place))
        ]
        if not ways:
            self.lost.append(f"only its answer leads to {words!r} on {page.title}")
        for count, _, _, word in sorted(ways)[:1]:
            for _ in range(count):
                self.act("Lookup", word)


def lookups(page: Page, word: str, place: int) -> int:
    """Return how many lookups of this word lead to the sentence at `place`; 0 where none does."""
    hits = [n for n, text in enumerate(page.sentences) if word.casefold() in text.casefold()]
    return hits.index(place) + 1 if place in hits else 0


def played(task: Task, shelf: Shelf) -> Reader:
    """Return the reader of a task, after the last page."""
    reader = Reader(task, shelf)
    for evidence in task.evidence:
        page = shelf.page(evidence.page)
        reader.open(page)
        for words in evidence.contains:
            reader.find(page, words)
    return reader


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
