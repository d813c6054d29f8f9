"""The run browser: rows, packing and plain text in Python; sorting, filtering and opening in a real browser."""

import json
from base64 import b64decode
from dataclasses import replace
from zlib import decompress

import pytest
from browser import faults_of, press
from playwright.sync_api import expect
from traces import HOSTILE, HOSTILE_TRAJECTORY, QUESTION, RUNS, asked

from reactkit.browse import COUNTED, TOO_MANY, browse, cut
from reactkit.errors import DataError
from reactkit.evaluation import Result, Results
from reactkit.marks import KIND_MEANINGS
from reactkit.prompts import REACT
from reactkit.runs import Run
from reactkit.tasks import Task
from reactkit.views import stepper
from reactkit.votes import vote

pytest_plugins = ["pages"]
TASK = Task(QUESTION, "1811")
MANY = {Task(text := f"Question {number}?", "1811" * (number % 2)): asked(text) for number in range(250)}
FOUR = [{TASK: run} for run in RUNS.values()]
HEADS = ["question", "method", "answer", "right", "outcome", "steps", "calls", "tokens", "kind and model"]
TOKENS = {name: str(sum(len(call.context) // 4 + len(call.reply) // 4 for call in RUNS[name].calls)) for name in RUNS}
ROWS = {
    "Standard": [QUESTION, "Standard", "1900", "no", "finished", "1", "1", TOKENS["Standard"], "scripted"],
    "CoT": [QUESTION, "CoT", "1850", "no", "finished", "1", "1", TOKENS["CoT"], "scripted"],
    "Act": [QUESTION, "Act", "1807", "no", "finished", "2", "2", TOKENS["Act"], "scripted"],
    "ReAct": [QUESTION, "ReAct", "1811", "yes", "finished", "4", "4", TOKENS["ReAct"], "scripted"],
}
LONG = f"{HOSTILE} \N{WAVING HAND SIGN}\u200f" + "x" * 100_000

IN_SIGHT = """each => {
  const box = each.getBoundingClientRect();
  return each.contains(document.elementFromPoint(box.x + 2, box.y + box.height - 3));
}"""


def packed(view):
    return json.loads(decompress(b64decode(view.packed)))


def cells(page):
    """The table as it stands, heads and rows."""
    return page.locator("tr").evaluate_all("rows => rows.map(row => [...row.cells].map(cell => cell.textContent))")


def says(page, words):
    expect(page.get_by_role("status")).to_have_text(words)


# In Python


def test_each_run_is_a_row_with_its_own_kind_and_travels_with_its_view():
    recorded = replace(RUNS["Act"], trajectory=replace(RUNS["Act"].trajectory, kind="recorded", model="m"))
    first, second = packed(browse({TASK: RUNS["ReAct"]}, {Task(QUESTION): recorded}))
    assert list(map(str, first[0])) == ROWS["ReAct"]
    assert second[0][1:4] + second[0][-1:] == ["Act", "1807", None, "recorded · m"]
    assert [first[2], second[2]] == [stepper(RUNS["ReAct"]).markup, stepper(recorded).markup]


def test_samples_have_a_row_each_and_a_verdict_has_one_with_all_its_runs_in_its_view():
    samples = (RUNS["CoT"], RUNS["Standard"])
    rows = packed(browse({TASK: samples}, {TASK: vote(samples)}))
    assert [row[0][1] for row in rows] == ["CoT", "Standard", "CoT-SC"]
    assert rows[2][0][2:7] == ["1850", "no", "by CoT-SC", 2, 2]
    assert all(f'aria-label="Run {number} of 2"' in rows[2][2] for number in (1, 2))


def test_results_without_lines_have_rows_too_and_say_that_nothing_can_be_opened():
    told = Result("id", "Question", QUESTION, "1811", "1811", 1.0, 1.0, "finished", 4, 4, 90, 10)
    failed = Result("id", "Question", QUESTION, "1811", error="ServerError: gone")
    rows = packed(browse(Results("ReAct", "m", "live", (told, failed))))
    assert rows[0][0] == [QUESTION, "ReAct", "1811", "yes", "finished", 4, 4, 100, "live · m"]
    assert (rows[1][0][2:5], "only the result was kept" in rows[1][2]) == ([None, None, "failed"], True)


def test_the_plain_text_is_a_table_of_the_first_runs_that_says_how_many_there_are():
    text = repr(browse(*FOUR))
    assert text.startswith("Runs: 4 runs\nquestion ")
    assert [line.split()[-8:] for line in text.split("\n")[2:6]] == [row[1:] for row in ROWS.values()]
    assert text.endswith(f"\nscripted: {KIND_MEANINGS['scripted']}.\n{COUNTED}")
    title = repr(browse({**MANY, **{Task(f"{at}?"): asked(f"{at}?", "Act") for at in range(1000)}})).split("\n", 1)[0]
    assert title == "Runs: 1,250 runs, 300 of them listed here"


def test_what_is_too_much_for_one_cell_is_left_out_and_the_table_says_so():
    view = browse(MANY, most=6000)
    kept = len(packed(view))
    assert 0 < kept < 250 and len(view.packed) <= 6000
    for told in (f"Runs: the first {kept} of 250 runs", TOO_MANY):
        assert told in view.text and told in view.markup
    assert packed(browse()) == packed(browse(MANY, most=20)) == []


def test_a_long_cell_is_cut_in_the_table_and_its_length_said():
    assert cut("x" * 200, 160) == "x" * 160 + "… (200 characters)"
    assert [cut(cell, 3) for cell in ("a\nb", 1234, None)] == ["a b", 1234, None]


def test_hostile_text_stands_escaped_and_the_bytes_are_the_same_each_time():
    view = browse({Task(HOSTILE, "1"): Run(REACT, HOSTILE_TRAJECTORY, answer=HOSTILE)}, name=HOSTILE)
    assert (view.html.count("<script>"), view.html.count("</script>"), "<img" in view.html) == (1, 1, False)
    assert view.html == browse({Task(HOSTILE, "1"): Run(REACT, HOSTILE_TRAJECTORY, answer=HOSTILE)}, name=HOSTILE).html


# In a browser


def test_the_headings_sort_up_and_down_and_say_so(open_page):
    page = open_page(browse(*FOUR).html)
    assert cells(page) == [HEADS, *ROWS.values()]
    says(page, "4 of 4 runs")
    for direction, order in [("ascending", "1 1 2 4"), ("descending", "4 2 1 1")]:
        page.get_by_role("button", name="steps", exact=True).click()
        assert [row[5] for row in cells(page)[1:]] == order.split()
        expect(page.get_by_role("columnheader", name="steps")).to_have_attribute("aria-sort", direction)
        says(page, f"4 of 4 runs; sorted by steps, {direction}")
    page.get_by_role("button", name="answer", exact=True).click()
    assert [row[2] for row in cells(page)[1:]] == ["1807", "1811", "1850", "1900"]
    assert page.locator("[aria-sort]").count() == 1


def test_text_and_choices_filter_together(open_page):
    page = open_page(browse(*FOUR, MANY).html)
    says(page, "254 of 254 runs, the first 100 below")
    page.get_by_role("searchbox", name="text").fill("GULL lit")
    says(page, "4 of 254 runs")
    page.get_by_role("combobox", name="right").select_option("yes")
    assert cells(page) == [HEADS, ROWS["ReAct"]]
    page.get_by_role("combobox", name="method").select_option("Act")
    says(page, "0 of 254 runs")
    page.get_by_role("searchbox", name="text").fill("")
    page.get_by_role("combobox", name="method").select_option("all")
    page.get_by_role("combobox", name="right").select_option("—")
    says(page, "125 of 254 runs, the first 100 below")


def test_more_rows_come_when_asked_for_and_the_focus_goes_to_the_first_of_them(open_page):
    page = open_page(browse(MANY).html)
    more = page.get_by_role("button", name="Show more")
    more.click()
    expect(page.get_by_role("button", name="Question 100?")).to_be_focused()
    more.click()
    assert [row[0] for row in cells(page)[1:]] == [task.text for task in MANY]
    says(page, "250 of 250 runs")
    assert not more.is_visible()


def test_a_run_opens_in_the_stepper_and_every_step_is_the_trajectorys_by_keyboard_alone(open_page):
    page = open_page(browse(*FOUR).html)
    page.get_by_role("searchbox").focus()
    press(page, "Tab " * (4 + 1 + len(HEADS) + 1) + "ArrowDown Home ArrowUp")
    expect(page.get_by_role("button", name=QUESTION).first).to_be_focused()
    press(page, "End ArrowDown ArrowUp ArrowDown Enter")
    view = page.get_by_role("dialog").get_by_role("group", name=f"ReAct: {QUESTION}")
    expect(view).to_be_focused()
    steps = list(RUNS["ReAct"].trajectory)[1:]
    for at, line in enumerate(steps, 1):
        press(page, "ArrowRight")
        says(view, f"Step {at} of {len(steps)}: {line.label()}, written by the {line.author}")
        texts = view.locator(".rk-tracks li:not([hidden]) > span")
        assert texts.evaluate_all("all => all.map(each => each.textContent)") == [each.text for each in steps[:at]]
    assert view.get_by_text("Finished: the answer is 1811").evaluate(IN_SIGHT), "the end is out of sight"
    press(page, "Escape")
    expect(page.get_by_role("button", name=QUESTION).last).to_be_focused()
    expect(page.get_by_role("dialog")).to_have_count(0)


def test_a_verdict_opens_with_its_runs_beside_each_other_and_the_button_leads_back(open_page):
    page = open_page(browse({TASK: vote([RUNS["CoT"], RUNS["Standard"]])}).html)
    page.get_by_role("button", name=QUESTION).click()
    expect(page.get_by_role("article", name="Run 2 of 2")).to_be_visible()
    page.get_by_role("button", name="Back to the table").click()
    expect(page.get_by_role("button", name=QUESTION)).to_be_focused()


def test_without_script_the_table_is_whole_and_on_paper_it_is_not_cut_off(open_page):
    page = open_page(browse(*FOUR).html, java_script_enabled=False)
    assert cells(page) == [HEADS, *ROWS.values()]
    assert page.get_by_role("table", name="Runs: 4 runs").is_visible()
    scopes = page.locator("th").evaluate_all("all => all.map(each => each.scope)")
    assert scopes == ["col"] * len(HEADS) + ["row"] * 4
    page = open_page(browse(MANY).html)
    page.emulate_media(media="print")
    assert page.locator(".rk-runs").evaluate("each => each.scrollHeight - each.clientHeight") == 0
    assert not page.get_by_role("searchbox").is_visible()
    page.emulate_media(media="screen")


@pytest.mark.parametrize("text", [HOSTILE, LONG], ids=["hostile", "long"])
def test_hostile_text_is_text_and_never_runs(open_page, text):
    lines = [replace(line, text=text) for line in HOSTILE_TRAJECTORY]
    run = Run(REACT, replace(HOSTILE_TRAJECTORY, lines=lines, model=text), "finished", text)
    page = open_page(browse({Task(text, "1"): run}, {TASK: RUNS["ReAct"]}, name=text[:500]).html)
    assert cells(page)[1][2] == cut(text, 160).replace("\r", "")
    page.get_by_role("combobox", name="kind and model").select_option(index=1)
    page.locator("tbody button").first.click()
    press(page, "End")
    shown = page.locator("dialog li > span").evaluate_all("all => all.map(each => each.textContent)")
    assert shown == [text] * 5
    assert page.evaluate("[typeof window.ran, document.querySelectorAll('.rk img').length]") == ["undefined", 0]


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_axe_finds_no_fault_closed_and_open(open_page, theme):
    page = open_page(browse(*FOUR, MANY).html, theme)
    page.get_by_role("button", name="tokens").click()
    assert faults_of(page) == []
    page.locator("tbody button").first.click()
    assert faults_of(page) == []


def test_the_page_is_no_wider_than_a_phone_and_a_question_stays_in_sight(open_page):
    page = open_page(browse(*FOUR, MANY).html, width=390)
    page.locator(".rk-runs").evaluate("each => each.scrollTo(500, 0)")
    box = page.get_by_role("button", name=QUESTION).first.bounding_box()
    assert 0 <= box["x"] < 100
    page.get_by_role("button", name=QUESTION).first.click()
    assert page.evaluate("document.documentElement.scrollWidth") == 390
    box = page.get_by_role("dialog").bounding_box()
    assert box["x"] >= 0 and box["x"] + box["width"] <= 390
    see_through = "background-color", "rgba(0, 0, 0, 0)"  # lines would show beside the button that leads back
    expect(page.locator("dialog > form")).not_to_have_css(*see_through)


def test_what_the_keys_reach_comes_out_from_under_the_heads_that_stay(open_page):
    page = open_page(browse(MANY).html, width=390)
    page.locator("tbody button").first.focus()
    press(page, "End Home")
    assert page.locator("tbody button").first.evaluate(IN_SIGHT), "the first question is under the headings"
    page.get_by_role("button", name="kind and model").focus()
    press(page, "Shift+Tab Shift+Tab Shift+Tab Shift+Tab")
    assert page.get_by_role("button", name="outcome").evaluate(IN_SIGHT), "a heading is under the questions"


@pytest.mark.parametrize("width", [390, 1000])
def test_no_word_is_broken_and_the_words_above_the_table_are_not_cut_off(open_page, width):
    longer = "How long is it? " * 9
    page = open_page(browse(*FOUR, {Task(longer): asked(longer, "Standard")}).html, width=width)
    page.evaluate("() => { words = document.createRange() }")
    lines = "each => { words.selectNodeContents(each); return words.getClientRects().length }"
    assert [cell.evaluate(lines) for cell in page.locator("td:nth-child(2)").all()] == [1] * 5
    right = "each => { words.selectNodeContents(each); return words.getBoundingClientRect().right }"
    assert page.locator("caption").evaluate(right) <= page.locator(".rk-runs").evaluate(
        "each => each.getBoundingClientRect().right"
    )


def test_what_is_no_runs_by_task_is_refused_with_the_form_that_is_meant():
    for odd in (RUNS["ReAct"], [RUNS["ReAct"]]):
        with pytest.raises(DataError, match=f"takes runs by task, as {{task: run}}, not {type(odd).__name__}"):
            browse(odd)


def test_a_run_on_another_question_is_refused_with_or_without_a_gold_answer():
    for task in (Task("Who?"), Task("Who?", "Ada")):
        for odd in (RUNS["ReAct"], vote([RUNS["CoT"], RUNS["Standard"]])):
            with pytest.raises(DataError, match=r"'Who\?' stands beside the run of another one, 'When was the lamp"):
                browse({task: odd})
