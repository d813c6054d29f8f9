"""`python tests/benchmarks/sentences.py` compares the kit's sentences with those of libraries, on real text.

It needs what harness.py needs, and pysbd, sentencex or syntok in the same environment;
one that is not there is told and passed over. The sentences of HotpotQA's paragraphs are the reference, an imperfect
one: another tool split them, and often before a quotation mark that opens the next sentence. Where the splitters
disagree on Wikipedia leads, `--show 100 --seed 2023` lists places to judge by hand. The exit status is 1 where a
library has the better F1.
"""

import argparse
import json
import random
import sys
import time
from collections import Counter
from collections.abc import Callable
from itertools import accumulate
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT), str(ROOT / "tests" / "benchmarks")]

from harness import shared  # noqa: E402

from reactkit.sentences import sentences  # noqa: E402


def pysbd() -> Callable:
    """Return pysbd's splitter for English."""
    from pysbd import Segmenter

    return Segmenter(language="en", clean=False).segment


def sentencex() -> Callable:
    """Return sentencex's splitter for English."""
    from sentencex import segment

    return lambda text: segment("en", text)


def syntok() -> Callable:
    """Return syntok's splitter; it takes text apart into words, which are put together again."""
    from syntok.segmenter import process

    return lambda text: ["".join(word.spacing + word.value for word in one) for part in process(text) for one in part]


def splitters() -> dict[str, Callable]:
    """Return the kit's splitter and those of the libraries that are installed; say which are not."""
    found = {"reactkit": sentences}
    for library in (pysbd, sentencex, syntok):
        try:
            found[library.__name__] = library()
        except ImportError:
            print(f"  {library.__name__} is not installed, so it is passed over")
    return found


def paragraphs(folder: Path) -> list[list[str]]:
    """Return HotpotQA's paragraphs by title, each as its sentences; all but the first keep their leading space."""
    files = sorted((folder / "data" / "hotpotqa").glob("*distractor*.json"))
    questions = [question for file in files for question in json.loads(file.read_text(encoding="utf-8"))]
    return list({title: parts for question in questions for title, parts in question["context"]}.values())


def leads(folder: Path) -> list[str]:
    """Return the 5,000 Wikipedia leads."""
    rows = (folder / "data" / "wiki" / "vital_articles_sample.jsonl").read_text(encoding="utf-8").splitlines()
    return [json.loads(row)["extract"] for row in rows]


def inner_ends(parts: list[str]) -> set[int]:
    """Return after how many characters that are no white space the sentences end, the last one not counted."""
    places = list(accumulate(len("".join(part.split())) for part in parts))
    return set(places) - {0, *places[-1:]}


def score(split: Callable, paragraphs: list[list[str]]) -> dict[str, float]:
    """Return how a splitter does against the reference: shares of its ends, paragraphs all alike, CPU seconds."""
    texts, wanted = ["".join(parts) for parts in paragraphs], [inner_ends(parts) for parts in paragraphs]
    began = time.process_time()
    pieces = [list(split(text)) for text in texts]
    seconds = time.process_time() - began
    came = [inner_ends(parts) for parts in pieces]
    right, found, ends = sum(len(a & b) for a, b in zip(wanted, came)), sum(map(len, came)), sum(map(len, wanted))
    return {
        "found": right / ends,
        "false": 1 - right / found,
        "f1": 2 * right / (found + ends),
        "alike": sum(a == b for a, b in zip(wanted, came)),
        "seconds": seconds,
    }


def disagreements(found: dict[str, Callable], texts: list[str]) -> tuple[int, list[tuple[str, str]]]:
    """Return at how many places any splitter ends a sentence, and where not all do: who does, and the text around."""
    count, places = 0, []
    for text in texts:
        votes = Counter(end for split in found.values() for end in inner_ends(list(split(text))))
        at = [place for place, letter in enumerate(text) if not letter.isspace()]
        count += len(votes)
        for end in sorted(end for end, number in votes.items() if number < len(found)):
            who = ", ".join(name for name, split in found.items() if end in inner_ends(list(split(text))))
            places.append((who, f"{text[max(0, at[end] - 45) : at[end]]}|{text[at[end] : at[end] + 30]}"))
    return count, places


def main() -> int:
    """Print all figures; return 1 where a library does better."""
    options = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    options.add_argument("--show", type=int, default=0, help="how many disagreements to list")
    options.add_argument("--seed", type=int, default=2023)
    chosen, folder, found = options.parse_args(), shared(), splitters()
    reference = paragraphs(folder)
    rows = {name: score(split, reference) for name, split in found.items()}
    print(f"HotpotQA: {sum(len(inner_ends(parts)) for parts in reference):,} ends in {len(reference):,} paragraphs")
    for name, row in rows.items():
        print(f"  {name:10} finds {row['found']:.1%}, false {row['false']:.1%}, F1 {row['f1']:.4f},", end=" ")
        print(f"{row['alike']:,} alike, {row['seconds'] / rows['reactkit']['seconds']:.1f} times our CPU time")
    if chosen.show:
        judged = {name: split for name, split in found.items() if name != "syntok"}  # it changes some characters
        count, places = disagreements(judged, leads(folder))
        print(f"Leads: {', '.join(judged)} disagree at {len(places):,} of {count:,} places. A sample:")
        for who, place in random.Random(chosen.seed).sample(places, min(chosen.show, len(places))):
            print(f"  {who:21} {place!r}")
    return int(any(row["f1"] > rows["reactkit"]["f1"] for row in rows.values()))


if __name__ == "__main__":
    sys.exit(main())
