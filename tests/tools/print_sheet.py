"""Write notebooks/without_laptops.md: the pages of the Apple Remote game with numbered sentences, cards, a tally sheet.

python tests/tools/print_sheet.py            write it
"""

import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))

from reactkit import Encyclopedia, Page, Shelf, apple_remote, shipped_pages  # noqa: E402
from reactkit.encyclopedia import SENTENCES_SHOWN  # noqa: E402

SHEET = ROOT / "notebooks" / "without_laptops.md"
PRINTED = (
    "Apple Remote",
    "Front Row (software)",
    "Front Row (radio programme)",
    "Front Row Motorsports",
    "Apple TV",
    "Siri Remote",
    "iPod",
    "iMac G5",
)
MISSES = ("Front Row", "Front Row program", "Apple remotes", "function keys")
ROWS_TO_FILL = 7  # the step cap for questions
OPENING = """\
# Without laptops: play ReAct on paper

Groups of three. Print one set for each group: the cards, the tally sheet and the pages. The model must not see the
pages, and nobody but the environment may read from them. About 20 minutes, with the talk after it.

> {question}

Play it twice. In the first round the model says a thought before each action. In the second round, with another
question, thoughts are forbidden: that is Act. For the second round take *Which remote took the place of the Apple
Remote?*

## Card 1: the model

- You write a **thought**, then one **action**, and then you stop.
- Your actions are `Search[title]`, `Lookup[words]` and `Finish[answer]`. `Finish` ends the round.
- You know only what stands on the tally sheet. Forget what you know about remotes.
- Once, without warning, write an observation of your own. See what the harness does.

## Card 2: the environment

- You hold the pages. You answer actions and nothing else, and you never choose for the model.
- **Search** with the exact title, or another name of the page: lay the page open and read sentences 1 to {shown} aloud.
- **Search** without a page: read what the list of misses says. The page that was open stays open. Say so.
- **Lookup**: read the next sentence of the open page that holds these words, and say which of how many it is. Other
  words start again at the top. When there are no more, say so.
- To a thought you say nothing.

## Card 3: the harness

- You keep the tally sheet: each line as it comes, with a cross under the one who said it.
- You let the model speak up to the word *Observation*, and not further. You write that label yourself.
- You refuse any observation that the model writes, and count it.
- You count the passes. After pass {cap} without `Finish` you write: *Stopped: no answer within {cap} steps.*

## Tally sheet

| pass | line | its words | person | model | environment | harness |
| ---: | --- | --- | :---: | :---: | :---: | :---: |
| | Question | | | | | |
"""
CLOSING = """\

Observations refused: ____ · searches: ____ · misses: ____ · the answer: ____

Talk about it afterwards: which line holds the answer first, and who wrote it? Which thought changed the next action?
What did the model do in the second round where a thought was missing?

## What Search says where there is no such page

Any other title that is not printed here: *Could not find it. No title resembles it.*

"""


def tally() -> str:
    """Return the empty rows of the tally sheet."""
    lines = ("Thought", "Action", "Observation")
    rows = (f"| {step} | {line} {step} | | | | | |\n" for step in range(1, ROWS_TO_FILL + 1) for line in lines)
    return "".join(rows)


def printed(page: Page) -> str:
    """Return one page: its names, the sentences that Search reads out, and those that only Lookup reaches."""
    numbered = [f"{place}. {sentence}\n" for place, sentence in enumerate(page.sentences, start=1)]
    shown, rest = "".join(numbered[:SENTENCES_SHOWN]), "".join(numbered[SENTENCES_SHOWN:])
    names = f"Other names: {'; '.join(page.redirects)}.\n\n" if page.redirects else ""
    return f"\n## Page: {page.title}\n\n{names}{shown}" + (f"\nOnly Lookup reaches these:\n\n{rest}" if rest else "")


def sheet() -> str:
    """Return the whole sheet as Markdown."""
    shelf = Shelf(shipped_pages())
    opening = OPENING.format(question=apple_remote().task.text, shown=SENTENCES_SHOWN, cap=ROWS_TO_FILL)
    misses = "".join(f"- `Search[{title}]`: {Encyclopedia().search(title)}\n" for title in MISSES)
    return opening + tally() + CLOSING + misses + "".join(printed(shelf.page(title)) for title in PRINTED)


if __name__ == "__main__":
    SHEET.write_text(sheet(), encoding="utf-8", newline="\n")
