"""The shipped pages are sound, and Search and Lookup over pages behave as the module says."""

import re

import pytest

from reactkit.actions import Action
from reactkit.encyclopedia import Encyclopedia, Page, Shelf, shipped_pages
from reactkit.errors import DataError
from reactkit.likeness import likeness
from reactkit.tasks import kit_claims, kit_questions
from reactkit.titles import key
from reactkit.tools import encyclopedia_tools

PAGES = shipped_pages()
SHIPPED = Shelf(PAGES)
ARTICLES = [page for page in PAGES if not page.may_mean]
KITE = Page(
    "Kite", tuple(f"Sentence {n} is about {'wind' if n in (2, 7) else 'paper'}." for n in range(1, 9)), ("Dragon",)
)
SMALL = (KITE, Page("Kite (bird)", ("The bird flies.",)), Page("Line", may_mean=("Kite", "Kite (bird)")))
FIRST_FIVE = " ".join(KITE.sentences[:5])


@pytest.fixture
def small():
    return Encyclopedia(Shelf(SMALL))


def test_there_are_at_least_150_pages_and_no_two_titles_are_alike():
    assert len(PAGES) >= 150
    assert len({key(page.title) for page in PAGES}) == len(PAGES)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.title)
def test_a_page_has_sentences_or_a_list_of_titles_and_a_basis(page):
    assert bool(page.sentences) != bool(page.may_mean)
    assert page.basis and all(page.basis)
    assert all(isinstance(field, tuple) for field in (page.sentences, page.redirects, page.may_mean, page.basis))
    assert all(SHIPPED.by_name[key(title)].title == title for title in page.may_mean)
    assert all(SHIPPED.page(name) is page for name in (page.title, *page.redirects))


@pytest.mark.parametrize("page", ARTICLES, ids=lambda page: page.title)
def test_each_sentence_is_one_string_that_ends_properly(page):
    for sentence in page.sentences:
        assert re.fullmatch(r'(["A-Z0-9É]|i[A-Z]).*[.!?]["]?', sentence), sentence
        assert not re.search(r"\s{2}|\n|[a-z\d]{2}[.!?] [A-Z]", sentence), sentence  # one sentence, no two
    assert len(set(page.sentences)) == len(page.sentences)


def test_at_least_half_of_the_pages_go_on_after_the_five_sentences_shown():
    assert sum(len(page.sentences) > 5 for page in ARTICLES) >= len(ARTICLES) / 2


def test_at_least_six_pages_hold_what_a_task_needs_only_after_the_fifth_sentence():
    needed = {
        (found.page, words)
        for task in (*kit_questions(), *kit_claims())
        for found in task.evidence
        for words in found.contains
    }
    late = {
        title
        for title, words in needed
        if SHIPPED.page(title).sentences
        and words.casefold() not in " ".join(SHIPPED.page(title).sentences[:5]).casefold()
    }
    assert len(late) >= 6
    assert {"Colorado orogeny", "High Plains (United States)", "Apple Remote", "Lord Byron", "Vistula"} <= late


@pytest.mark.parametrize(
    "title, keyword, places",
    [
        ("High Plains (United States)", "elevation", 2),
        ("Georgia (country)", "lari", 2),
        ("Christina Aguilera", "film", 2),
    ],
)
def test_a_keyword_that_stands_twice_is_found_twice(title, keyword, places):
    tools = Encyclopedia()
    tools.search(title)
    found = [tools.lookup(keyword) for _ in range(places + 1)]
    assert [text.split(") ")[0] for text in found[:places]] == [f"(Result {n} / {places}" for n in range(1, places + 1)]
    assert found[places] == f'No more results for "{keyword}" on the page "{title}": {places} of {places} shown.'


@pytest.mark.parametrize("title", ["Front Row", "Beautiful", "Pink"])
def test_these_titles_are_missing_on_purpose(title):
    assert SHIPPED.page(title) is None


@pytest.mark.parametrize("title", ["High Plains", "Mercury", "Georgia", "Joseph Strauss", "Treasure Island", "Gemini"])
def test_these_titles_may_mean_several_pages(title):
    assert len(SHIPPED.page(title).may_mean) >= 2


@pytest.mark.parametrize(
    "asked, likely",
    [
        ("Aple Remote", "Apple Remote"),
        ("Colorado orogney", "Colorado orogeny"),
        ("Eifel Tower", "Eiffel Tower"),
        ("Verrazano Narows Bridge", "Verrazzano-Narrows Bridge"),
        ("Marie Currie", "Marie Curie"),
        ("Michael Colins", "Michael Collins (astronaut)"),
        ("Vindication of Rights of Woman", "A Vindication of the Rights of Woman"),
        ("Lucasian Professor", "Lucasian Professor of Mathematics"),
        ("Front Row sofware", "Front Row (software)"),
        ("Lovelace Ada", "Ada Lovelace"),
    ],
)
def test_the_title_that_was_meant_comes_first(asked, likely):
    assert SHIPPED.similar(asked)[0] == likely


@pytest.mark.parametrize(
    "asked, titles",
    [
        (
            "Front Row",
            "Front Row (radio programme); Front Row (software); Front Row Motorsports; Front Row Seat to Earth",
        ),
        ("Beautiful", "Beautiful (Christina Aguilera song); Life Is Beautiful; A Beautiful Mind (film)"),
        ("Pink", "Pink (singer)"),
        ("Stripped", "Stripped (Christina Aguilera album)"),
    ],
)
def test_a_missing_qualifier_lists_all_that_share_the_name(asked, titles):
    assert Encyclopedia().search(asked) == f"Could not find [{asked}]. Similar titles: {titles}."


@pytest.mark.parametrize("asked", ["Zxqv", "asdf qwer", "12345", "!!!", "Quantum chromodynamics", "Theodore Roosevelt"])
def test_nonsense_and_strangers_resemble_nothing(asked):
    assert Encyclopedia().search(asked) == f"Could not find [{asked}]. No title resembles it."


def test_never_more_than_five_titles_are_listed():
    kites = Shelf([Page(f"Kite {number}", ("It flies.",)) for number in range(1, 8)])
    assert kites.similar("Kite") == ["Kite 1", "Kite 2", "Kite 3", "Kite 4", "Kite 5"]


@pytest.mark.parametrize("asked", ["Kite", "kite", " KITE ", "_kite_", "ki\u0301te"])
def test_search_opens_a_page_by_its_title_and_shows_five_sentences(small, asked):
    accented = Page("kíte", KITE.sentences)
    world = small if asked.isascii() else Encyclopedia(Shelf([accented]))
    assert world.search(asked) == FIRST_FIVE
    assert world.open is (KITE if asked.isascii() else accented)


@pytest.mark.parametrize("asked", ["Dragon", "dragon"])
def test_a_redirect_opens_its_page_and_is_named(small, asked):
    assert small.search(asked) == f"Redirected from {asked} to Kite. {FIRST_FIVE}"
    assert small.open is KITE


def test_an_empty_shelf_is_an_empty_world():
    assert Encyclopedia(Shelf([])).search("Kite") == "Could not find [Kite]. No title resembles it."


def test_a_miss_keeps_the_open_page_and_says_so(small):
    assert small.search("Zzz") == "Could not find [Zzz]. No title resembles it."
    small.search("Kite")
    assert small.lookup("wind").startswith("(Result 1 / 2)")
    missed = 'Could not find [Kyte]. Similar titles: Kite. The page "Kite" stays open.'
    assert small.search("Kyte") == missed
    assert small.lookup("wind").startswith("(Result 2 / 2)")


def test_a_disambiguation_lists_its_titles_and_opens_nothing(small):
    assert small.search("line") == "Line may mean: Kite; Kite (bird)."
    assert small.lookup("flies") == "No page is open, so there is nothing to look up. Search for a page first."
    small.search("Kite (bird)")
    assert small.search("line") == 'Line may mean: Kite; Kite (bird). The page "Kite (bird)" stays open.'
    assert small.lookup("flies") == "(Result 1 / 1) The bird flies."


def test_a_long_disambiguation_says_how_many_titles_it_leaves_out():
    smith = Page("Smith", may_mean=tuple(f"Smith {number}" for number in range(1, 24)))
    listed = "; ".join(f"Smith {number}" for number in range(1, 21))
    assert Encyclopedia(Shelf([smith])).search("Smith") == f"Smith may mean: {listed}; and 3 more."


@pytest.mark.parametrize("authors_format", [False, True])
def test_a_page_without_text_says_so(authors_format):
    world = Encyclopedia(Shelf([Page("Table")]), authors_format)
    assert world.search("table") == ("" if authors_format else 'The page "Table" has no text.')


def test_lookup_before_any_search_says_that_no_page_is_open(small):
    assert small.lookup("wind") == "No page is open, so there is nothing to look up. Search for a page first."
    small.search("Kite")
    small.reset()
    assert small.lookup("wind") == "No page is open, so there is nothing to look up. Search for a page first."


def test_lookup_finds_the_next_place_then_says_that_there_is_no_more(small):
    small.search("Kite")
    assert [small.lookup(keyword) for keyword in ("wind", "WIND", "wind", "wind")] == [
        "(Result 1 / 2) Sentence 2 is about wind.",
        "(Result 2 / 2) Sentence 7 is about wind.",
        'No more results for "wind" on the page "Kite": 2 of 2 shown.',
        'No more results for "wind" on the page "Kite": 2 of 2 shown.',
    ]


def test_another_keyword_or_another_search_starts_again(small):
    small.search("Kite")
    assert small.lookup("wind") == "(Result 1 / 2) Sentence 2 is about wind."
    assert small.lookup("sentence 8") == "(Result 1 / 1) Sentence 8 is about paper."
    assert small.lookup("wind") == "(Result 1 / 2) Sentence 2 is about wind."
    small.search("Kite")
    assert small.lookup("wind") == "(Result 1 / 2) Sentence 2 is about wind."


def test_lookup_of_a_word_that_is_not_there_says_so(small):
    small.search("Kite")
    assert small.lookup("gold") == 'The page "Kite" does not contain "gold".'


def test_the_credits_of_the_pages_that_search_found_are_told_once_each_until_the_episode_ends():
    kite, line = Page("Kite", ("It flies.",), credit="Kite, 7"), Page("Line", may_mean=("Kite",), credit="Line, 8")
    world = Encyclopedia(Shelf([kite, line, Page("Barn", ("It is ours.",))]))
    told = [world.search(title) for title in ("Line", "Zzz", "Kite", "Barn", "Kite")]
    assert world.credits() == (line.credit, kite.credit)
    assert not any(page.credit in text for page in (kite, line) for text in told)
    world.reset()
    assert world.credits() == ()


def test_two_pages_under_one_name_are_a_data_error():
    with pytest.raises(DataError, match="'dragon' leads to two pages: 'Kite' and 'Lizard'"):
        Shelf([KITE, Page("Lizard", ("It is green.",), ("dragon",))])


def test_the_tools_share_one_open_page_until_they_are_reset():
    tools = encyclopedia_tools(Encyclopedia(Shelf(SMALL)))
    assert tools.names == ("Search", "Lookup")
    assert tools.observe(Action("Search", "kite")) == FIRST_FIVE
    assert tools.observe(Action("Lookup", "wind")) == "(Result 1 / 2) Sentence 2 is about wind."
    tools.reset()
    assert tools.observe(Action("Lookup", "wind")).startswith("No page is open")


def test_of_a_text_too_long_for_a_title_only_the_beginning_is_looked_at_and_repeated():
    shelf = Shelf([KITE])
    assert (shelf.similar("zz kite"), shelf.similar("z" * 300 + " kite")) == (["Kite"], [])
    assert Encyclopedia(shelf).search("z" * 9999) == f"Could not find [{'z' * 300}]. No title resembles it."


def test_likeness_is_whole_for_the_same_title_and_none_for_a_stranger():
    assert likeness("apple remote", "apple remote") == 1.0
    assert likeness("wright brothers", "siri remote") == 0.0
