"""Runs that the authors' code printed, replayed over the pages behind them: their format, byte for byte.

The pages are put together from what was printed: five pieces for each page found, then the places that Lookup found,
and fillers where it counted more of them. So no text is tested but the format, the cut after five, and what is kept.

The exemplars of their prompts were written by hand, and differ: most pages are cut to one or two sentences, a page that
only tells what its title may mean is shown, one miss lists seven titles, and one Lookup does not stop at "U.S. ".
"""

import ast
import json
import re
from collections import Counter

import pytest
from printouts import read_printout, read_published
from test_oracle_prompts import exemplars, released

from reactkit.encyclopedia import Encyclopedia, Page, Shelf
from reactkit.prompts import REACT

MOVE = re.compile(r"(?P<tool>Search|Lookup)\[(?P<argument>.*)\]\s*", re.IGNORECASE)
MISS = re.compile(r"Could not find (?P<asked>.*?)\. Similar: (?P<titles>\[.*\])\.\s*")
RESULT = re.compile(r"\(Result 1 / (?P<count>\d+)\) (?P<piece>.*?)\s*", re.DOTALL)
TAIL = "So it ends."


class Printed:
    """A `Source` with the pages and the similar titles that the observations of one run tell of."""

    def __init__(self, moves):
        self.pieces, self.ambiguous, self.titles, opened = {}, {}, {}, []
        for tool, argument, told in moves:
            if missed := MISS.fullmatch(told):
                known = self.titles if missed["asked"] == argument else self.ambiguous
                known[argument] = ast.literal_eval(missed["titles"])
            elif tool == "Search":
                opened = self.pieces[argument] = [f"{told.strip()} {TAIL}"]
            elif found := RESULT.fullmatch(told):
                opened += [found["piece"]] * (found["piece"] not in opened[0])
                holding = sum(argument.casefold() in piece.casefold() for part in opened for piece in part.split(". "))
                opened += [f"{argument} again."] * (int(found["count"]) - holding)

    def page(self, title):
        if title in self.ambiguous:
            return Page(title, may_mean=tuple(self.ambiguous[title]))
        text = " ".join([*self.pieces.get(title, []), TAIL]).replace(".. ", ".\n ")
        return Page(title, (text,)) if title in self.pieces else None

    def similar(self, title):
        return self.titles[title]


def moves(trajectory):
    """Return each Search and Lookup of a run: the tool, its argument, and what was observed."""
    pairs = zip(trajectory.keep("action"), trajectory.keep("observation"))
    found = [(MOVE.fullmatch(did.text), seen.text) for did, seen in pairs]
    return [(move["tool"].capitalize(), move["argument"], told) for move, told in found if move]


def kind(tool, told):
    """Return which kind of observation was printed."""
    found = "result" if RESULT.fullmatch(told) else "no more results"
    return found if tool == "Lookup" else "miss" if MISS.fullmatch(told) else "page"


def replayed(trajectories, end):
    """Return how many observations of each kind were replayed, and those that differ; `end` closes a printed one."""
    tried, others = Counter(), []
    for run in map(moves, trajectories):
        world = Encyclopedia(Printed(run), authors_format=True)
        for tool, argument, told in run:
            came = (world.search if tool == "Search" else world.lookup)(argument) + end
            tried[kind(tool, told)] += 1
            others += [(kind(tool, told), argument, told, came)] * (came != told)
    return dict(tried), others


def test_what_was_printed_of_250_fever_runs_is_printed_again_byte_for_byte(real_data):
    rows = (real_data / "trajectories" / "react_fever_davinci002.jsonl").read_text(encoding="utf-8").splitlines()
    runs = [read_printout(json.loads(row)["text"], "text-davinci-002").trajectory for row in rows]
    assert replayed(runs, "\n") == ({"page": 240, "miss": 21, "result": 15, "no more results": 101}, [])
    assert sum(len(run.keep("observation")) for run in runs) == 240 + 21 + 15 + 101 + 245 + 1  # Finish, unknown action


def test_so_is_what_was_printed_of_hotpotqa_runs(real_data):
    path = real_data / "trajectories" / "react_hotpotqa_gpt35_stdout.txt"
    runs = [one.trajectory for one in read_published(path.read_text(encoding="utf-8"), "printout", "gpt-3.5-turbo")]
    assert replayed(runs, "\n") == ({"page": 3, "miss": 1, "no more results": 1}, [])


@pytest.mark.parametrize(
    "asks, tried, differ",
    [
        ("Question", {"page": 11, "miss": 1, "result": 2}, {"page": 11, "miss": 1, "result": 1}),
        ("Claim", {"page": 3, "miss": 1, "result": 1}, {"page": 2}),
    ],
)
def test_exemplars_written_by_hand_are_not_what_the_code_would_print(real_data, asks, tried, differ):
    came, others = replayed(exemplars(released(real_data, asks)[REACT], asks), "")
    assert (came, Counter(kind for kind, *_ in others)) == (tried, differ)


def test_a_page_is_cut_and_counted_as_the_authors_code_does_it():
    page = Page("Ruddle", ("Dr. Vell built it.\n", "It lies in the U.S. and is old.", "It is. So what.", "A barn."))
    world = Encyclopedia(Shelf([page]), authors_format=True)
    assert [world.search("ruddle"), world.lookup("barn"), world.lookup("barn"), world.lookup("gold")] == [
        "Dr. Vell built it.. It lies in the U.S. and is old. It is.",
        "(Result 1 / 1) A barn..",
        "No more results.\n",
        "No more results.\n",
    ]


def test_a_no_break_space_is_printed_as_it_stands_and_matched_as_the_authors_code_does_it():
    world = Encyclopedia(Shelf([Page("Ammann", ("He was born in\xa01879. It is so.",))]), authors_format=True)
    assert [world.search("Ammann"), world.lookup("in 1879"), world.lookup("in\xa01879")] == [
        "He was born in\xa01879. It is so..",
        "No more results.\n",
        "(Result 1 / 1) He was born in\xa01879.",
    ]


def test_what_is_not_found_reads_as_the_authors_code_prints_it():
    pages = [Page("Kite"), Page("Kite's tail", ("It is long.",), ("Tail",)), Page("Line", may_mean=tuple("abcdef"))]
    world = Encyclopedia(Shelf(pages), authors_format=True)
    moves = [world.lookup("wind"), world.search("Kyte's tail"), world.search("line"), world.search("Zzz")]
    assert moves == [
        "No more results.\n",
        """Could not find Kyte's tail. Similar: ["Kite's tail"].""",
        "Could not find [line]. Similar: ['a', 'b', 'c', 'd', 'e'].",
        "Could not find Zzz. Similar: [].",
    ]
    assert world.search("Tail") == "It is long.."
