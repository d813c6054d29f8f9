"""The sheet for a room without laptops is what the pages of today make of it."""

import re
import sys
from pathlib import Path

import pytest

from reactkit import REACT, Shelf, apple_remote, read_action, shipped_pages

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "tests" / "tools"))

import print_sheet  # noqa: E402


def test_the_committed_sheet_is_what_the_pages_make():
    committed = print_sheet.SHEET.read_text(encoding="utf-8")
    assert committed == print_sheet.sheet(), "python tests/tools/print_sheet.py"


def test_every_search_of_the_story_can_be_answered_from_the_sheet():
    searched = [read_action(line.text).argument for line in apple_remote().run(REACT).trajectory.keep("action")][:-1]
    assert searched and set(searched) <= {*print_sheet.PRINTED, *print_sheet.MISSES}


@pytest.mark.parametrize("title", print_sheet.PRINTED)
def test_each_sentence_of_a_printed_page_has_its_number(title):
    printed = print_sheet.printed(Shelf(shipped_pages()).page(title))
    numbered = re.findall(r"^(\d+)\. (.+)$", printed, re.MULTILINE)
    assert [(int(place), text) for place, text in numbered] == list(
        enumerate(Shelf(shipped_pages()).page(title).sentences, 1)
    )


@pytest.mark.parametrize("title", print_sheet.MISSES)
def test_each_printed_miss_is_one(title):
    assert Shelf(shipped_pages()).page(title) is None


def test_the_sheet_has_three_cards_and_a_row_for_each_line_of_seven_passes():
    sheet = print_sheet.sheet()
    assert len(re.findall(r"^## Card \d", sheet, re.MULTILINE)) == 3
    assert len(re.findall(r"^\| \d \| (?:Thought|Action|Observation) \d ", sheet, re.MULTILINE)) == 3 * 7
