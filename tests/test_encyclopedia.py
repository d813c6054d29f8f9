"""encyclopedia: what Lookup takes for the same, where a reader sees no difference, and how lesson 06 tells it."""

from pathlib import Path

import nbformat
import pytest

from reactkit.encyclopedia import Encyclopedia, Page, Shelf

LESSON = Path(__file__).resolve().parent.parent / "notebooks" / "06_an_encyclopedia_as_a_world.ipynb"
SPACES = {
    "no-break": "\xa0",
    "thin": "\u2009",
    "narrow": "\u202f",
    "two": "  ",
    "joined": "\u2060 \u2060",
    "line": "\n",
}


@pytest.mark.parametrize("space", SPACES.values(), ids=SPACES)
def test_lookup_takes_all_white_space_for_the_same_and_shows_the_page_as_it_is(space):
    sentence = f"Its span is 4,260{space}ft long."
    world = Encyclopedia(Shelf([Page("Bridge", ("It is a bridge.", sentence))]))
    assert world.search("Bridge") == f"It is a bridge. {sentence}"
    assert [world.lookup("4,260 FT"), world.lookup(f"4,260{space}ft")] == [
        f"(Result 1 / 1) {sentence}",
        f'No more results for "4,260{space}ft" on the page "Bridge": 1 of 1 shown.',
    ]


@pytest.mark.parametrize("keyword", ["overall", "_"])
def test_two_words_are_not_one_and_a_space_alone_is_no_word(keyword):
    world = Encyclopedia(Shelf([Page("Bridge", ("It hangs over\xa0all.",))]))
    assert world.search("Bridge") and world.lookup(keyword) == f'The page "Bridge" does not contain "{keyword}".'


def test_the_tally_of_lesson_06_tells_a_page_without_text_from_a_hit():
    cells = {cell.id: cell.source for cell in nbformat.read(LESSON, as_version=4).cells}
    names = {}
    exec(f"{cells['06-imports']}\n{cells['06-define']}", names)
    world = Encyclopedia(Shelf([Page("Empty"), Page("Book", ("The page before the title has no text.",))]))
    assert [names["outcome"](world.search(title)) for title in ("Empty", "Book")] == ["hit, no text", "hit"]
