"""Foresee: the lines in Python's markup; the questions, the verdicts and the counts in a real browser."""

import pytest
from browser import faults_of, press
from playwright.sync_api import expect
from traces import HOSTILE, HOSTILE_TRAJECTORY, QUESTION, RUNS

from reactkit.errors import DataError
from reactkit.foresee import foresee
from reactkit.tasks import Task
from reactkit.trajectory import Line, Trajectory
from reactkit.views import stepper

pytest_plugins = ["pages"]
RUN = RUNS["ReAct"]
LINES = list(RUN.trajectory)[1:]
KINDS = ("thought", "action", "observation", "answer", "something else", "nothing more")
KEYS = {"model": "M", "environment": "E", "harness": "H", "person": "P"}
START = "Nothing is shown yet. What comes first?"
LONG = f"{HOSTILE} \N{WAVING HAND SIGN}\u200f" + "x" * 100_000


def kind(line):
    return line.role if line.role in KINDS else "something else"


def answered(line, sure="8"):
    """The keys that foresee a line."""
    return f"{1 + KINDS.index(kind(line))} {KEYS[line.author]} {sure} Enter"


def shown(page):
    return page.locator(".rk-tracks li:not([hidden]) > span").evaluate_all("all => all.map(each => each.textContent)")


def says(page, words):
    expect(page.get_by_role("status")).to_have_text(words)


def rows(page, caption):
    """The cells of a table of the last page, row by row; a bar is an empty cell."""
    cells = "rows => rows.map(row => [...row.cells].map(cell => cell.textContent))"
    return page.get_by_role("table", name=caption).locator("tr").evaluate_all(cells)


# In Python


@pytest.mark.parametrize("view", [foresee, stepper])
def test_what_is_no_run_is_refused_with_what_to_give(view):
    with pytest.raises(DataError, match=r"what a view shows is a Trajectory, not Task\(.*; give a Run, as solve\(\)"):
        view(Task(QUESTION))


def test_the_view_is_the_steppers_readable_list_with_another_name_and_script():
    view = foresee(RUN)
    own, other = f"Foresee ReAct: {QUESTION}", f"ReAct: {QUESTION}"
    assert view.markup == stepper(RUN).markup.replace(other, own, 1)
    assert repr(view) == repr(stepper(RUN)) == view._repr_mimebundle_()["text/plain"]
    assert 'aria-label="Mine"' in foresee(RUN.trajectory, "Mine").markup


def test_hostile_text_stands_escaped_and_the_bytes_are_the_same_each_time():
    html = foresee(HOSTILE_TRAJECTORY).html
    assert (html.count("<script>"), html.count("</script>"), "<img" in html) == (1, 1, False)
    assert html == foresee(HOSTILE_TRAJECTORY).html


# In a browser


def test_each_line_comes_after_its_question_and_the_verdict_is_in_words(open_page):
    page = open_page(foresee(RUN).html)
    press(page, "Tab")
    expect(page.get_by_role("group").first).to_be_focused()
    says(page, START)
    for at, line in enumerate(LINES):
        assert shown(page) == [each.text for each in LINES[:at]]
        press(page, answered(line))
        said = f"You said {kind(line)} by the {line.author}, 75 % sure."
        says(page, f"Right. {said} It is {line.label()}, written by the {line.author}.")
        expect(page.locator(".rk-guess").nth(at)).to_have_text(f"Right. {said}")
        assert not page.get_by_text("Finished: the answer is 1811").is_visible()
    press(page, "6 9 Enter")
    says(page, "Right. You said nothing more, 100 % sure. Nothing more comes.")
    assert page.get_by_text("Finished: the answer is 1811").is_visible()
    expect(page.locator(".rk-foreseen")).to_be_focused()


def test_a_choice_is_made_by_mouse_too_and_a_half_choice_is_asked_for_the_rest(open_page):
    page = open_page(foresee(RUN).html)
    following = page.get_by_role("button", name="Show the line")
    page.get_by_role("radio", name="observation").check()
    following.click()
    says(page, "Choose what comes next and who writes it, or skip.")
    assert shown(page) == []
    page.get_by_role("radio", name="model").check()
    following.click()
    says(page, "Wrong kind. You said observation by the model. It is Thought 1, written by the model.")
    assert page.locator("input:checked").count() == 0


@pytest.mark.parametrize(
    ("keys", "verdict"),
    [
        ("1 M", "Right. You said thought by the model."),
        ("1 E", "Wrong author. You said thought by the environment."),
        ("2 M 7", "Wrong kind. You said action by the model, 50 % sure."),
        ("3 E", "Wrong kind and author. You said observation by the environment."),
        ("6 M", "Wrong kind and author. You said nothing more."),
    ],
)
def test_kind_and_author_are_judged_apart(open_page, keys, verdict):
    page = open_page(foresee(RUN).html)
    page.get_by_role("group").first.focus()
    press(page, f"{keys} Enter")
    says(page, f"{verdict} It is Thought 1, written by the model.")


def test_every_question_may_be_skipped_and_at_both_ends_nothing_is_counted(open_page):
    page = open_page(foresee(RUN).html)
    page.get_by_role("group").first.focus()
    press(page, "s")
    says(page, "It is Thought 1, written by the model.")
    press(page, "End")
    assert shown(page) == [line.text for line in LINES]
    assert page.get_by_text("Choices on this page: 0. Right: 0.").is_visible()
    expect(page.locator("form fieldset:visible, .rk-guess")).to_have_count(0)
    press(page, "End s Enter 1 M")
    says(page, "Nothing more comes.")
    assert shown(page) == [line.text for line in LINES]
    press(page, "Home Home")
    says(page, START)
    assert (shown(page), page.locator(".rk-foreseen").is_visible()) == ([], False)


def test_the_last_page_counts_by_how_sure_and_whom_was_named_over_all_views_of_the_page(open_page):
    page = open_page(foresee(RUN, "One").html + foresee(RUNS["Standard"], "Two").html)
    one, two = (page.get_by_role("group", name=name, exact=True) for name in ("One", "Two"))
    one.focus()
    press(page, "1 M 8 Enter 2 M 8 Enter 3 M 8 Enter 1 E Enter")
    two.focus()
    press(page, "4 M 9 Enter 6 9 Enter")
    assert two.get_by_text("Choices on this page: 6. Right: 4. Right kind: 6. Right author: 4.").is_visible()
    assert [row[:4] for row in rows(two, "How often you were right, by how sure you were")] == [
        ["you were", "right", "of (n)", "in %"],
        ["75 % sure", "2", "3", "67 %"],
        ["100 % sure", "2", "2", "100 %"],
        ["not said", "0", "1", "0 %"],
    ]
    assert rows(two, "Who wrote it, and whom you named") == [
        ["written by", "you: model", "you: environment", "you: nobody"],
        ["model", "3", "1", "0"],
        ["environment", "1", "0", "0"],
        ["nobody", "0", "0", "1"],
    ]


def test_the_bars_are_as_long_as_the_shares_and_marked_at_how_sure(open_page):
    page = open_page(foresee(RUN).html)
    page.get_by_role("group").first.focus()
    press(page, "1 M 8 Enter 1 M 8 Enter End")
    assert page.locator(".rk-share").get_attribute("style") == "--share: 50%; --said: 75%"


def test_without_script_and_on_paper_every_line_is_there(open_page):
    page = open_page(foresee(RUN).html, java_script_enabled=False)
    assert shown(page) == [line.text for line in LINES]
    page = open_page(foresee(RUN).html)
    page.emulate_media(media="print")
    seen = page.locator("li").evaluate_all("all => all.map(each => each.checkVisibility())")
    assert (seen, page.locator("form").is_visible()) == ([True] * len(RUN.trajectory), False)
    page.emulate_media(media="screen")


@pytest.mark.parametrize("text", [HOSTILE, LONG], ids=["hostile", "long"])
def test_hostile_text_is_text_and_never_runs(open_page, text):
    lines = [Line(role, text, "model", 1) for role in ("question", "thought", "observation", "answer")]
    page = open_page(foresee(Trajectory(lines, "recorded", HOSTILE), HOSTILE).html)
    page.get_by_role("group").first.focus()
    press(page, "5 M Enter 1 M Enter 3 E Enter s End")
    assert shown(page) == [text] * 4
    assert page.evaluate("[typeof window.ran, document.querySelectorAll('.rk img').length]") == ["undefined", 0]


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_axe_finds_no_fault_before_and_after(open_page, theme):
    page = open_page(foresee(RUN).html, theme)
    page.get_by_role("group").first.focus()
    press(page, "1 M 7 Enter 2")
    assert faults_of(page) == []
    press(page, "M Enter End")
    assert faults_of(page) == []


@pytest.mark.parametrize("width", [390, 640])
def test_the_view_fits_a_phone_and_a_page_at_twice_the_size_also_at_its_last_page(open_page, width):
    page = open_page(foresee(RUN).html, width=width)
    page.get_by_role("group").first.focus()
    for keys in ("1 M 7 Enter 2 E Enter 3 H", "Enter 6 Enter 1 P Enter End"):
        press(page, keys)
        assert page.evaluate("document.documentElement.scrollWidth") == width
    assert page.locator(".rk-scroll").first.evaluate("each => each.scrollWidth <= each.clientWidth")
    page.evaluate("() => { words = document.createRange() }")
    right = "each => { words.selectNodeContents(each); return words.getBoundingClientRect().right }"
    assert all(each.evaluate(right) < width for each in page.locator("caption").all()), "a title is cut off"
