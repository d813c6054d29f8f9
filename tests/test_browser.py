"""The views and the game in a real JupyterLab, exported, reopened, without script, by keyboard, in light and dark."""

import json
import re
import shutil
from copy import deepcopy
from pathlib import Path

import nbformat
import pytest
from axe_playwright_python.sync_playwright import Axe
from browser import change_theme, jupyter, open_notebook, plain_page, press, run_all, watched
from nbconvert import HTMLExporter
from nbformat.sign import NotebookNotary
from playwright.sync_api import expect
from traces import BRANCHES, HOSTILE, HOSTILE_TRAJECTORY, QUESTION, RUNS, world

from reactkit.browse import browse
from reactkit.foresee import foresee
from reactkit.play import play
from reactkit.prompts import REACT
from reactkit.runs import Call, Run
from reactkit.stories import apple_remote
from reactkit.tasks import Task
from reactkit.trajectory import Line, Trajectory
from reactkit.views import aligned, context_at, side_by_side, stepper

pytestmark = pytest.mark.browser
pytest_plugins = ["pages"]

TESTS = Path(__file__).parent
LESSON = TESTS.parent / "notebooks" / "04_react.ipynb"
VIEWS = {
    "stepper": stepper(RUNS["ReAct"], "One trace"),
    "side by side": side_by_side(RUNS, "Four methods"),
    "context": context_at(RUNS["ReAct"], "What it read"),
    "branches": side_by_side(BRANCHES, "Three branches"),
    "hostile": stepper(HOSTILE_TRAJECTORY, "Hostile"),
}
EVERY = {**VIEWS, "foreseen": foresee(RUNS["ReAct"]), "runs": browse({Task(QUESTION): RUNS["ReAct"]})}
CELLS = [
    "from reactkit.annotator import Annotations\nfrom reactkit.browse import browse\n"
    "from reactkit.foresee import foresee\nfrom reactkit.paper import table\nfrom reactkit.play import play\n"
    "from reactkit.tasks import Task\nfrom reactkit.views import context_at, side_by_side, stepper\n"
    "from traces import BRANCHES, HOSTILE_TRAJECTORY, QUESTION, RUNS, world",
    'stepper(RUNS["ReAct"], "One trace")',
    'side_by_side(RUNS, "Four methods")',
    'context_at(RUNS["ReAct"], "What it read")',
    'stepper(HOSTILE_TRAJECTORY, "Hostile")',
    'play(QUESTION, world(), [RUNS["ReAct"]])',
    'foresee(BRANCHES["Edited"], "Foreseen")',
    "browse(*[{Task(QUESTION, '1811'): run} for run in RUNS.values()], name='All runs')",
    "cases = {name: (Task(QUESTION, '1811'), run) for name, run in RUNS.items()}\n"
    "mine = Annotations(cases, {kind: kind for kind, *_ in table('Table 2').rows}, 'mine.json')\nmine",
]
GAME, PANEL = f"Play the agent: {QUESTION}", "Label the traces"
RUN = RUNS["ReAct"]
STEPS = list(RUN.trajectory)[1:]
STATUS = [f"Step 0 of {len(STEPS)}: Question, written by the person"] + [
    f"Step {at} of {len(STEPS)}: {line.label()}, written by the {line.author}" for at, line in enumerate(STEPS, 1)
]
WINDOW = {"width": 1280, "height": 900}
SHOWN = "li:not([hidden])"
LENGTHS = [len(call.context) for call in RUN.calls]
CALLS = [
    f"Call {at} of 4: Step {at}, {length} characters, about {length // 4} tokens read by the model"
    for at, length in enumerate(LENGTHS, 1)
]
WITHOUT_SCRIPT = [
    "Finished: the answer is 1811",
    "Finished: the answer is 1900",
    "no thought",
    f"How the context grew: {LENGTHS[0]} characters in call 1, {LENGTHS[3]} characters in call 4",
    "words of the harness 11 (",
    "typed by a person, who plays the model",
    "Then there is no lamp.",
    "All runs: 4 runs",
    "traces labelled (scripted)",
]
ENDS = [f"{name}: Finished: the answer is {run.answer}" for name, run in RUNS.items()]
COPIED = """(html) => {
  const output = document.getElementById("output");
  output.innerHTML = html;
  for (const made of [...output.getElementsByTagName("script")]) {
    const copy = document.createElement("script");
    copy.text = made.textContent;
    output.appendChild(copy).remove();
  }
}"""
LAST = {
    "Four methods": f"Step 11 of 11: {'; '.join(ENDS)}",
    "What it read": CALLS[-1],
    "Foreseen": "Nothing more comes.",
}
STOPS = {  # in each view: what can take the focus
    "One trace": {"group": "One trace", "button": "Next", "slider": "Step"},
    "Four methods": {"group": "Four methods", "button": "Next", "slider": "Step"},
    "What it read": {"group": "What it read", "button": "Next", "slider": "Call"},
    "Foreseen": {"group": "Foreseen", "button": "Skip", "radio": "thought"},
    "All runs": {"button": "steps", "combobox": "right", "searchbox": "text"},
    PANEL: {"group": PANEL, "button": "Export", "region": "The trace"},
    GAME: {"button": "Undo", "textbox": "Your move"},
}


@pytest.fixture(scope="session")
def work(tmp_path_factory):
    """A folder with a notebook that shows each view, the runs that it shows, and the lesson."""
    folder = tmp_path_factory.mktemp("work")
    shutil.copy(TESTS / "traces.py", folder)
    shutil.copy(LESSON, folder)
    kernel = {"kernelspec": {"name": "python3", "display_name": "Python 3"}}
    cells = [nbformat.v4.new_code_cell(cell) for cell in CELLS]
    nbformat.write(nbformat.v4.new_notebook(metadata=kernel, cells=cells), folder / "views.ipynb")
    return folder


@pytest.fixture(scope="session")
def jupyter_home(tmp_path_factory):
    return tmp_path_factory.mktemp("jupyter")


@pytest.fixture(scope="session")
def server(jupyter_home, work):
    with jupyter(jupyter_home, work) as address:
        yield address


@pytest.fixture(scope="session")
def new_page(one_browser, watch):
    """A function that opens a page, which is watched.

    Pages with the same options share a context, so that JupyterLab's own files are loaded once.
    """
    contexts = {}
    expect.set_options(timeout=30_000)  # for a machine with much else to do; what is right does not wait

    def page(**options):
        context = contexts.get(str(options)) or one_browser.new_context(viewport=WINDOW, **options)
        contexts[str(options)] = context
        opened = watch(context.new_page(), offline="offline" in options)
        opened.set_default_timeout(30_000)
        return opened

    return page


@pytest.fixture(scope="session")
def lab(new_page, server):
    """The notebook of views in JupyterLab, every cell of it run."""
    page = open_notebook(new_page(), server, "views.ipynb")
    assert run_all(page)
    return page


@pytest.fixture
def view(lab):
    """A function that returns one view in JupyterLab, at its first step and in focus."""

    def at_start(name):
        group = lab.get_by_role("group", name=name, exact=True)
        group.focus()
        group.press("Home")
        return group

    return at_start


@pytest.fixture(scope="session")
def saved(lab, work):
    """The notebook as a lesson is committed: run, saved, without widget state and widget views."""
    lab.evaluate("() => jupyterapp.commands.execute('docmanager:save')")
    notebook = nbformat.read(work / "views.ipynb", as_version=4)
    notebook.metadata.pop("widgets", None)
    for output in (output for cell in notebook.cells for output in cell.outputs):
        output.data.pop("application/vnd.jupyter.widget-view+json", None)
    return notebook


@pytest.fixture(scope="session")
def exported(saved, tmp_path_factory):
    path = tmp_path_factory.mktemp("exported") / "views.html"
    path.write_text(HTMLExporter().from_notebook_node(saved)[0], encoding="utf-8")
    return path.as_uri()


def status(group, text):
    expect(group.get_by_role("status")).to_have_text(text)


def item_texts(group):
    """The text of each line in sight, without its label and author."""
    return group.locator(f"{SHOWN} > span").evaluate_all("all => all.map(each => each.textContent)")


def click(group, name, times=1):
    for _ in range(times):  # forced, since a button that says it is disabled must stand a click too
        group.get_by_role("button", name=name, exact=True).click(force=True)


# In JupyterLab


def test_lesson_04_runs_and_its_trace_steps_by_keyboard_alone_as_the_trajectory_says(new_page, server):
    page = open_notebook(new_page(), server, LESSON.name)
    assert run_all(page)
    trajectory = apple_remote().run(REACT).trajectory
    question, *steps = trajectory
    group = page.get_by_role("group", name=f"ReAct: {question.text}", exact=True).first
    group.scroll_into_view_if_needed()
    reach_by_tab(page, group)
    for at, line in enumerate(steps, 1):
        page.keyboard.press("ArrowRight")
        status(group, f"Step {at} of {len(steps)}: {line.label()}, written by the {line.author}")
        assert item_texts(group) == [line.text for line in [question, *steps[:at]]]
    assert group.get_by_text("Finished: the answer is keyboard function keys").is_visible()


def reach_by_tab(page, group):
    """Bring the focus to the group as a keyboard user does: out of the cell's text, then on from control to control."""
    index = group.evaluate("node => [...document.querySelectorAll('.jp-Cell')].indexOf(node.closest('.jp-Cell'))")
    page.evaluate("at => { jupyterapp.shell.currentWidget.content.activeCellIndex = at }", index)
    page.locator(".jp-Cell").nth(index).focus()
    page.keyboard.press("Escape")
    for _ in range(40):
        if group.evaluate("node => node === document.activeElement"):
            return
        page.keyboard.press("Tab")
    pytest.fail("forty presses of Tab did not lead to the stepper")


def test_each_step_shows_the_lines_so_far_and_says_who_wrote_the_last(view):
    group = view("One trace")
    for at, words in enumerate(STATUS):
        status(group, words)
        assert item_texts(group) == [QUESTION, *(line.text for line in STEPS[:at])]
        click(group, "Next")
    status(group, STATUS[-1])


@pytest.mark.parametrize(
    ("keys", "at"),
    [
        ("ArrowRight ArrowRight", 2),
        ("ArrowRight ArrowRight ArrowLeft", 1),
        ("End", len(STEPS)),
        ("End ArrowRight", len(STEPS)),
        ("End Home", 0),
        ("ArrowLeft", 0),
        ("Control+ArrowRight", 0),
    ],
)
def test_the_keys_move_and_stop_at_both_ends(view, lab, keys, at):
    group = view("One trace")
    for key in keys.split():
        lab.keyboard.press(key)
    status(group, STATUS[at])
    assert item_texts(group) == [QUESTION, *(line.text for line in STEPS[:at])]


def test_the_buttons_move_and_say_when_there_is_nowhere_to_go(view):
    group = view("One trace")
    for name, at in [("Back", 0), ("Next", 1), ("Last", len(STEPS)), ("Next", len(STEPS)), ("First", 0)]:
        click(group, name)
        status(group, STATUS[at])
    for name, value in [("First", "true"), ("Back", "true"), ("Next", "false"), ("Last", "false")]:
        expect(group.get_by_role("button", name=name, exact=True)).to_have_attribute("aria-disabled", value)


def test_the_slider_moves_one_step_a_key_and_says_where_it_is(view, lab):
    group = view("One trace")
    slider = group.get_by_role("slider", name="Step")
    slider.fill("4")
    status(group, STATUS[4])
    slider.press("ArrowRight")
    expect(slider).to_have_attribute("aria-valuetext", STATUS[5])
    slider.press("End")
    status(group, STATUS[-1])


def test_the_views_go_on_while_the_kernel_is_busy_and_what_it_is_to_hear_comes_later(lab, work):
    ask = "code => { jupyterapp.shell.currentWidget.sessionContext.session.kernel.requestExecute({ code }) }"
    busy = "() => jupyterapp.shell.currentWidget.sessionContext.session.kernel.status === 'busy'"
    lab.evaluate(ask, "import time\nfrom pathlib import Path\nwhile not Path('go').exists():\n    time.sleep(0.05)")
    lab.wait_for_function(busy)
    panel, box = lab.get_by_role("group", name=PANEL, exact=True), lab.get_by_label("Your move")
    try:
        each_view_steps_to_its_end(lab)
        panel.press("1")
        status(panel, "Trace 1 of 4, Standard: success, true positive. 1 of 4 labelled.")
        box.fill("a thought")
        box.press("Enter")
        assert lab.evaluate(busy) and not (work / "mine.json").exists()
    finally:
        (work / "go").touch()
    expect(lab.get_by_role("alert").filter(has_text="Kept as Thought 1.")).to_be_visible()
    assert in_kernel(lab, "assert mine.labels == {'Standard': 'success, true positive'}") == "ok"
    panel.press("u")
    click(output_of(lab, GAME), "Start again")
    expect(lab.get_by_role("group", name=GAME).get_by_role("listitem")).to_have_count(1)


def output_of(page, name):
    """The output in JupyterLab that holds a view, with the buttons beside it."""
    return page.locator(".jp-OutputArea-output", has=page.get_by_role("group", name=name, exact=True))


def in_kernel(page, code):
    """Run code behind all that the kernel still has to do, and return "ok" or "error"."""
    kernel = "jupyterapp.shell.currentWidget.sessionContext.session.kernel"
    return page.evaluate(f"async code => (await {kernel}.requestExecute({{ code }}).done).content.status", code)


def each_view_steps_to_its_end(page):
    """Go through every view of the page by keys, to its last words."""
    group = page.get_by_role("group", name="One trace", exact=True)
    group.press("Home")
    for words in STATUS:
        status(group, words)
        group.press("ArrowRight")
    for name, words in LAST.items():
        group = page.get_by_role("group", name=name, exact=True)
        group.press("End")
        status(group, words)
    runs = page.get_by_role("group", name="All runs", exact=True)
    status(runs, "4 of 4 runs")
    row = runs.get_by_role("button", name=QUESTION).last
    row.press("Enter")
    opened = runs.get_by_role("dialog").get_by_role("group", name=f"ReAct: {QUESTION}")
    opened.press("End")
    status(opened, STATUS[-1])
    opened.press("Escape")
    expect(row).to_be_focused()


def test_the_last_line_in_sight_is_the_current_one(view):
    group = view("One trace")
    click(group, "Next", 3)
    expect(group.locator('[aria-current="step"]')).to_have_count(1)
    assert group.locator('[aria-current="step"] > span').inner_text() == STEPS[2].text


def test_play_goes_on_by_itself_and_p_pauses_it(view, lab):
    group = view("One trace")
    click(group, "Play")
    status(group, STATUS[1])
    lab.keyboard.press("p")
    expect(group.get_by_role("button", name="Play", exact=True)).to_be_visible()


@pytest.mark.parametrize("name", STOPS)
def test_the_notebooks_own_keys_do_nothing_while_a_view_has_the_focus(lab, name):
    output = output_of(lab, name)
    for role, called in STOPS[name].items():
        part = output.get_by_role(role, name=called).first
        if role == "group":
            part.press("Home")
        part.focus()
        press(lab, "d d x b")
        expect(part).to_be_focused()
        assert lab.locator(".jp-CodeCell").count() == len(CELLS)
    if role in ("searchbox", "textbox"):
        expect(part).to_have_value("ddxb")
        part.fill("")


def test_the_keys_of_a_run_opened_from_the_table_reach_no_cell(lab):
    row = lab.get_by_role("group", name="All runs").get_by_role("button", name=QUESTION).last
    row.press("Enter")
    press(lab, "d d x b ArrowRight")
    status(lab.get_by_role("dialog").get_by_role("group", name=f"ReAct: {QUESTION}"), STATUS[1])
    press(lab, "Escape d d")
    expect(row).to_be_focused()
    assert lab.locator(".jp-CodeCell").count() == len(CELLS)


def test_labels_given_by_keyboard_reach_python_and_outlive_the_panel(lab, work):
    panel = lab.get_by_role("group", name=PANEL, exact=True)
    panel.focus()
    press(lab, "ArrowRight ArrowRight 3 d d x b m n d d Escape ArrowRight 1 u d d")
    expect(panel).to_be_focused()
    status(panel, "Taken back. Trace 4 of 4, ReAct: no label yet. 1 of 4 labelled.")
    assert in_kernel(lab, "assert mine.marks == {'Act': ('failure, reasoning error', 'dd')}") == "ok"
    kept = json.loads((work / "mine.json").read_text("utf-8"))["labels"]
    assert kept["Act"]["note"] == "dd"
    lab.evaluate("at => { jupyterapp.shell.currentWidget.content.activeCellIndex = at }", len(CELLS) - 1)
    lab.evaluate("() => jupyterapp.commands.execute('notebook:run-cell')")
    status(panel, "Trace 1 of 4, Standard: no label yet. 1 of 4 labelled.")
    panel.press("u")
    status(panel, "Taken back. Trace 1 of 4, Standard: no label yet. 0 of 4 labelled.")
    assert lab.locator(".jp-CodeCell").count() == len(CELLS)


def test_the_name_of_each_fact_stands_on_one_line(lab):
    lines = """all => all.map(each => {
      const words = document.createRange();
      words.selectNodeContents(each);
      return words.getClientRects().length;
    })"""
    assert lab.locator(".rk-facts dt:visible").evaluate_all(lines) == [1, 1, 1]


def test_four_methods_stand_beside_each_other_and_step_together(view):
    group = view("Four methods")
    click(group, "Next")
    status(
        group,
        "Step 1 of 11: Standard: Answer, written by the model; CoT: Thought, written by the model;"
        " Act: no thought; ReAct: Thought 1, written by the model",
    )
    click(group, "Next")
    status(
        group,
        "Step 2 of 11: Standard: finished; CoT: Answer, written by the model;"
        " Act: Action 1, written by the model; ReAct: Action 1, written by the model",
    )
    columns = group.get_by_role("article")
    assert [columns.nth(at).locator(SHOWN).count() for at in range(4)] == [1, 2, 2, 2]
    assert len({round(columns.nth(at).bounding_box()["y"]) for at in range(4)}) == 1
    assert [columns.nth(at).get_by_text("Finished").is_visible() for at in range(4)] == [True, True, False, False]


def test_at_the_last_step_each_column_says_how_its_run_ended(view):
    group = view("Four methods")
    click(group, "Last")
    status(
        group,
        "Step 11 of 11: Standard: Finished: the answer is 1900; CoT: Finished: the answer is 1850;"
        " Act: Finished: the answer is 1807; ReAct: Finished: the answer is 1811",
    )
    ink = "each => [getComputedStyle(each).color, getComputedStyle(each.closest('.rk')).color]"
    assert len(set(group.locator(".rk-end b").first.evaluate(ink))) == 1
    colours = "each => [getComputedStyle(each).color, getComputedStyle(each.previousElementSibling).color]"
    following = group.get_by_role("button", name="Next", exact=True)
    expect(following).to_have_css("font-weight", "400")
    click(group, "Back")
    expect(following).to_have_css("font-weight", "600")
    assert len(set(following.evaluate(colours))) == 2


def test_the_same_move_of_two_runs_stands_at_the_same_height(view):
    group = view("Four methods")
    click(group, "Last")
    boxes = [group.get_by_role("list", name=name, exact=True).locator("li") for name in ("Act", "ReAct")]
    for at in range(boxes[0].count()):
        act, react = (column.nth(at).bounding_box() for column in boxes)
        assert (act["y"], act["height"]) == pytest.approx((react["y"], react["height"]))


def test_the_context_view_shows_the_exact_text_of_one_call_at_a_time(view):
    group = view("What it read")
    for words, call in zip(CALLS, RUN.calls, strict=True):
        status(group, words)
        parts = group.locator(f"{SHOWN} pre:not(.rk-reply)")
        assert "".join(parts.evaluate_all("all => all.map(each => each.textContent)")) == call.context
        assert group.locator(f"{SHOWN} .rk-reply").evaluate("each => each.textContent") == call.reply
        click(group, "Next")


def test_no_word_is_broken_where_a_space_would_do(view):
    code = view("What it read").locator("code").first
    assert code.evaluate("each => getComputedStyle(each).wordBreak") == "normal"


def test_hostile_text_is_text_and_never_runs(view, lab):
    group = view("Hostile")
    click(group, "Last")
    assert item_texts(group) == [HOSTILE] * 5
    assert lab.evaluate("() => [typeof window.ran, document.querySelectorAll('.rk img').length]") == ["undefined", 0]


def test_the_agent_is_played_by_keyboard(lab):
    box = lab.get_by_label("Your move")
    box.focus()
    for move, answer in [
        ("first the page", "Kept as Thought 1. It changes nothing outside; Action 1 is still to come."),
        ("Search[Gull Rock]", "Observation 1: Gull Rock has had a lighthouse since a storm in 1807."),
        ("Finish[1807]", "Finished: your answer is 1807."),
        ("", "Nothing was typed, so nothing happened."),
        ("one more", "The episode is over: nothing follows the answer."),
    ]:
        lab.keyboard.type(move)
        lab.keyboard.press("Enter")
        expect(lab.get_by_role("alert").filter(has_text=answer)).to_be_visible()
        expect(box).to_have_value("")
        expect(box).to_be_focused()
    group = lab.get_by_role("group", name=GAME)
    seen = "Gull Rock has had a lighthouse since a storm in 1807."
    expect(group.locator("li > span")).to_have_text(
        [QUESTION, "first the page", "Search[Gull Rock]", seen, "Finish[1807]"]
    )
    press(lab, "Tab Tab Enter")
    expect(group.get_by_role("listitem")).to_have_count(4)


def test_a_finished_game_is_set_beside_a_models_run_by_keyboard(lab):
    lab.get_by_label("Your move").fill("Finish[1807]")
    lab.keyboard.press("Enter")
    expect(lab.get_by_role("alert").filter(has_text="Finished: your answer is 1807.")).to_be_visible()
    lab.get_by_role("button", name="Compare", exact=True).focus()
    lab.keyboard.press("Enter")
    group = lab.get_by_role("group", name=f"You and others: {QUESTION}")
    group.focus()
    group.press("End")
    expect(group.get_by_role("status")).to_contain_text("Step 11 of 11: You: End")


def test_100_000_hostile_characters_that_are_typed_are_text_and_never_run(lab):
    text = (HOSTILE.replace("\r\n", "") * 1000)[:100_000].strip()
    click(output_of(lab, GAME), "Start again")
    box, group = lab.get_by_label("Your move"), lab.get_by_role("group", name=GAME)
    box.fill(text)
    box.press("Enter")
    expect(lab.get_by_role("alert").filter(has_text="Kept as Thought 1.")).to_be_visible()
    assert group.locator("li > span").last.evaluate("each => each.textContent") == text
    assert lab.evaluate("() => [typeof window.ran, document.querySelectorAll('.rk img').length]") == ["undefined", 0]
    click(output_of(lab, GAME), "Undo")
    expect(group.get_by_role("listitem")).to_have_count(1)


@pytest.mark.parametrize("width", [390, 640, 1280])
def test_each_button_of_the_game_is_in_reach_and_its_row_is_no_wider_than_its_card(lab, width):
    lab.set_viewport_size({"width": width, "height": 900})
    if width < 1280 and not lab.evaluate("() => jupyterapp.shell.leftCollapsed"):
        lab.evaluate("() => jupyterapp.commands.execute('application:toggle-left-area')")
    card = lab.get_by_role("group", name=GAME)
    card.scroll_into_view_if_needed()
    right = card.evaluate("each => each.getBoundingClientRect().right")
    pane = lab.locator(".jp-OutputArea-output", has=card).evaluate("each => each.getBoundingClientRect().right")
    for name in ("Act", "Undo", "Start again", "Compare"):
        button = output_of(lab, GAME).get_by_role("button", name=name, exact=True)
        box = button.bounding_box()
        assert box["x"] + box["width"] <= min(right, pane, width) + 1
        assert button.evaluate("each => each.scrollWidth <= each.clientWidth"), f"the words {name!r} are cut off"
    lab.set_viewport_size(WINDOW)


@pytest.fixture(params=["light", "dark"])
def theme(lab, request):
    """JupyterLab in one of its themes, and what the theme says of the colours that the views take from it."""
    name = f"JupyterLab {request.param.capitalize()}"
    change_theme(lab, name)
    names = "layout-color0", "content-font-color1"
    says = "name => getComputedStyle(document.body).getPropertyValue(`--jp-${name}`)"
    yield request.param, "; ".join(f"--jp-{each}: {lab.evaluate(says, each)}" for each in names)
    change_theme(lab, "JupyterLab Light")


def test_a_change_of_theme_ends_when_the_splash_screen_is_gone_so_that_none_is_taken_away_twice(lab):
    for name in ("JupyterLab Dark", "JupyterLab Light"):
        change_theme(lab, name)
        assert lab.locator("#jupyterlab-splash").count() == 0


def test_names_and_roles_are_in_order_in_jupyterlab_in_both_themes(lab, theme):
    found = Axe().run(lab, context={"include": [[".rk"], [".widget-text"]]}).response
    assert faults_in(found) == []
    assert {"button-name", "label", "aria-allowed-attr"} <= {rule["id"] for rule in found["passes"]}


def test_every_text_has_contrast_enough_in_the_colours_of_jupyterlabs_own_themes(theme, plain):
    name, colours = theme
    views = "".join(view.html for view in EVERY.values()) + play(QUESTION, world()).html()
    html = plain_page(views, name).replace('style="', f'style="{colours}; ', 1)
    plain.set_content(html)
    found = Axe().run(plain, context={"include": [[".rk"]]}).response
    assert faults_in(found) == []
    assert "color-contrast" in {rule["id"] for rule in found["passes"]}


def faults_in(found):
    return [(rule["id"], rule["nodes"][0]["html"]) for rule in found["violations"]]


# Kept, reopened, exported


def test_a_saved_notebook_opens_alive_where_it_is_trusted(saved, server, work, new_page, jupyter_home):
    NotebookNotary(data_dir=str(jupyter_home / "data_dir")).sign(saved)
    page = reopened(saved, server, work, new_page, "trusted.ipynb")
    each_view_steps_to_its_end(page)
    expect(page.get_by_role("group", name=GAME)).to_be_visible()
    expect(page.get_by_text("traces labelled (scripted)")).to_be_visible()
    assert page.get_by_text("Error displaying widget").count() == 0


def test_a_saved_notebook_shows_every_line_where_it_is_not_trusted(saved, server, work, new_page):
    saved = deepcopy(saved)
    saved.metadata["from"] = "someone else"  # another file than the one that was signed
    page = reopened(saved, server, work, new_page, "untrusted.ipynb")
    for line in RUN.trajectory:
        expect(page.get_by_text(line.text, exact=True).first).to_be_visible()
    for words in WITHOUT_SCRIPT:
        expect(page.get_by_text(words).first).to_be_visible()
    expect(page.get_by_role("columnheader", name="note")).to_be_visible()
    assert page.get_by_role("button", name="Next", exact=True).count() == 0
    assert page.evaluate("() => typeof window.ran") == "undefined"


def reopened(saved, server, work, new_page, name):
    nbformat.write(saved, work / name)
    return open_notebook(new_page(), server, name)


def test_the_exported_page_steps_without_network(exported, new_page):
    page = new_page(offline=True)
    page.route(re.compile("^(?!file:)"), lambda route: route.abort())
    page.goto(exported)
    each_view_steps_to_its_end(page)
    assert page.evaluate("() => typeof window.ran") == "undefined"


def test_the_exported_page_shows_every_line_without_script(exported, new_page):
    page = new_page(java_script_enabled=False, offline=True)
    page.goto(exported)
    for line in RUN.trajectory:
        assert page.get_by_text(line.text, exact=True).first.is_visible()
    for words in WITHOUT_SCRIPT:
        assert page.get_by_text(words).first.is_visible()
    assert page.get_by_role("columnheader", name="note").is_visible()


# On a plain page


@pytest.fixture(scope="session")
def plain(new_page):
    return new_page()


def in_focus(page, view):
    """Return a view on a plain page, reached with Tab, as somebody without a mouse does."""
    page.set_content(plain_page(view.html))
    group = page.get_by_role("group").first
    page.keyboard.press("Tab")
    expect(group).to_be_focused()
    return group


@pytest.mark.parametrize("call", ["broken()", "setTimeout(broken)", "Promise.resolve().then(broken)"])
def test_an_error_is_kept_with_its_lines_its_page_and_its_test(one_browser, request, call):
    faults, page = [], one_browser.new_page()
    script = f"function broken() {{ document.body.removeChild(document.createElement('p')); }}\n{call}"
    with watched(page, faults).expect_event("pageerror"):
        page.set_content(plain_page(f"<script>{script}</script>"))
    page.close()
    (fault,) = faults
    assert fault.startswith(f"{request.node.nodeid} (call), about:blank: NotFoundError: Failed to execute")
    assert "\n    at broken (" in fault, "the error is kept without its stack"


def test_a_request_to_another_machine_is_kept_unless_the_page_is_offline(one_browser):
    faults, page = [], one_browser.new_page()
    page.route("**", lambda route: route.abort())
    for offline in (True, False):
        watched(page, faults, offline)
        page.set_content(plain_page(f"<img src='https://example.invalid/{offline}' alt=''>"))
    page.close()
    assert [fault.rpartition(": asked for ")[2] for fault in faults] == ["https://example.invalid/False"]


@pytest.mark.parametrize("view", [EVERY[name] for name in ("stepper", "foreseen", "runs")], ids=type)
def test_a_view_comes_alive_where_a_copy_of_its_script_runs_at_the_end_of_the_output(plain, view):
    plain.set_content(plain_page("<div id='output'></div>"))
    plain.evaluate(COPIED, view.html)  # as in the notebooks of VS Code, by its source in public
    expect(plain.get_by_role("button").first).to_be_visible()


def test_each_call_is_read_by_keyboard_alone_as_the_run_has_it(plain):
    group = in_focus(plain, VIEWS["context"])
    now = group.locator(".rk-growth [data-now]")
    for at, call in enumerate(RUN.calls):
        status(group, CALLS[at])
        said = group.locator(f"{SHOWN} pre").evaluate_all("all => all.map(each => each.textContent)")
        assert ("".join(said[:-1]), said[-1]) == (call.context, call.reply)
        assert now.evaluate_all("all => all.map(each => [...each.parentNode.children].indexOf(each))") == [at]
        plain.keyboard.press("ArrowRight")
    status(group, CALLS[-1])
    plain.keyboard.press("Home")
    status(group, CALLS[0])


def test_what_the_call_before_read_opens_by_keyboard(plain):
    group = in_focus(plain, VIEWS["context"])
    plain.keyboard.press("End")
    opened = group.locator(f"{SHOWN} summary")
    for _ in range(12):
        plain.keyboard.press("Tab")
        if opened.evaluate("each => each === document.activeElement"):
            break
    plain.keyboard.press("Enter")
    read = group.locator(f"{SHOWN} details[open] pre")
    assert read.is_visible() and RUN.calls[-1].context.startswith(read.text_content())
    status(group, CALLS[-1])


@pytest.mark.parametrize("runs", [RUNS, BRANCHES], ids=["methods", "branches"])
def test_runs_beside_each_other_step_by_keyboard_alone_as_their_trajectories_say(plain, runs):
    group = in_focus(plain, side_by_side(runs, "All"))
    columns, rows = group.get_by_role("article"), aligned(list(runs.values()))
    for at in range(max(map(len, rows)) + 1):
        status(group, re.compile(f"^Step {at} of {max(map(len, rows))}: "))
        for number, (run, row) in enumerate(zip(runs.values(), rows, strict=True)):
            column, shown = columns.nth(number), sum("data-by" in item for item in row[:at])
            said = column.locator(f"{SHOWN} > span").evaluate_all("all => all.map(each => each.textContent)")
            assert said == [line.text for line in run.trajectory][1 : 1 + shown]
            assert column.get_by_text("Finished: ").is_visible() == (at >= len(row))
        plain.keyboard.press("ArrowRight")
    plain.keyboard.press("Home")
    assert item_texts(group) == [QUESTION]


def test_each_branch_has_its_badge_and_all_say_how_far_they_are_the_same(plain):
    group = in_focus(plain, VIEWS["branches"])
    badges = group.locator(".rk-name > i").evaluate_all("all => all.map(each => each.textContent)")
    assert badges == ["scripted", "scripted", "recorded · tiny-1B"]
    assert group.get_by_text("Up to step 2 these runs are the same.").is_visible()


def test_the_name_and_the_end_of_a_run_stay_in_sight_while_another_goes_on(plain):
    plain.set_content(plain_page(side_by_side(apple_remote().runs(), "Long").html))
    click(plain, "Last")
    ends = [(0, "Standard"), (0, "Finished: the answer is iPod"), (3, "ReAct"), (3, "Finished: the answer is")]
    for at, words in ends:
        inside = plain.get_by_role("article").nth(at).locator("p", has_text=words).first
        assert inside.evaluate("""each => {
          const box = each.getBoundingClientRect();
          return each.contains(document.elementFromPoint(box.x + 9, box.y + box.height - 9));
        }"""), f"{words} is out of sight"


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("name", VIEWS)
def test_every_text_has_contrast_enough(plain, name, theme):
    plain.set_content(plain_page(VIEWS[name].html, theme))
    plain.get_by_role("button", name="Next", exact=True).click()
    found = Axe().run(plain).response
    assert faults_in(found) == []
    assert "color-contrast" in {rule["id"] for rule in found["passes"]}


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_the_parts_of_a_context_stand_out_from_the_page_and_each_has_a_pattern_of_its_own(plain, theme):
    plain.set_content(plain_page(VIEWS["context"].html, theme))
    click(plain, "Last")
    shown = plain.locator(f"{SHOWN} .rk-parts span")
    looks = shown.evaluate_all("all => all.map(each => getComputedStyle(each).background)")
    assert len(set(looks)) == len(looks) == 5
    assert [("gradient" in look) for look in looks] == [False, False, True, True, True]


@pytest.mark.parametrize(("width", "height"), [(390, 800), (640, 450)], ids=["a phone", "a zoom of 200 %"])
@pytest.mark.parametrize("name", [*VIEWS, "runs"])
def test_a_view_fits(plain, name, width, height):
    plain.set_viewport_size({"width": width, "height": height})
    plain.set_content(plain_page(EVERY[name].html))
    open_run(plain, name)
    click(plain, "Last")
    for summary in plain.locator("summary:visible").all():
        summary.click()
    assert plain.evaluate("() => document.documentElement.scrollWidth") == width
    for button in plain.get_by_role("button").all():
        assert button.evaluate("each => each.scrollWidth <= each.clientWidth"), f"{button.inner_text()} is cut off"
    plain.set_viewport_size(WINDOW)


def open_run(page, name):
    """Open the first run of the run browser; every other view stands open."""
    if name == "runs":
        page.locator("tbody button").first.click()


def test_runs_beside_each_other_stand_under_each_other_on_a_phone(plain):
    plain.set_viewport_size({"width": 390, "height": 800})
    plain.set_content(plain_page(VIEWS["branches"].html))
    boxes = [column.bounding_box() for column in plain.get_by_role("article").all()]
    assert len({box["x"] for box in boxes}) == 1
    assert [low["y"] >= high["y"] + high["height"] for high, low in zip(boxes, boxes[1:])] == [True, True]
    plain.set_viewport_size(WINDOW)


@pytest.mark.parametrize(
    "show",
    [stepper, lambda run: side_by_side({"one": run, "two": RUN}), context_at],
    ids=["stepper", "side by side", "context"],
)
def test_a_text_of_100_000_hostile_characters_is_shown_whole_on_a_phone_and_never_runs(plain, show):
    text = (HOSTILE * 1000)[:100_000]
    lines = [Line("question", QUESTION), Line("observation", text, "environment", 1)]
    run = Run(REACT, Trajectory(lines, "recorded", HOSTILE), "finished", HOSTILE, (Call(1, text, "", HOSTILE),))
    plain.set_viewport_size({"width": 390, "height": 800})
    plain.set_content(plain_page(show(run).html))
    plain.get_by_role("group").first.press("End")
    found = """() => [typeof window.ran, document.images.length, document.documentElement.scrollWidth,
      [...document.querySelectorAll("li > span, li pre.rk-new")].filter(each => each.textContent.length > 9999)
        .map(each => each.textContent)]"""
    assert plain.evaluate(found) == ["undefined", 0, 390, [text]]
    plain.set_viewport_size(WINDOW)


def test_one_call_needs_no_toolbar_and_the_context_of_the_call_before_opens_whole_without_script(plain, new_page):
    plain.set_content(plain_page(context_at(RUNS["Standard"]).html))
    assert plain.get_by_role("toolbar").count() == 0
    page = new_page(java_script_enabled=False)
    page.set_content(plain_page(VIEWS["context"].html))
    seen = page.locator(".rk-call details").first
    assert not seen.locator("pre").is_visible()
    seen.locator("summary").click()
    read = seen.locator("pre").evaluate("each => [each.textContent, each.scrollHeight - each.clientHeight]")
    assert (RUN.calls[1].context.startswith(read[0]), read[1]) == (True, 0)


@pytest.mark.parametrize(("name", "items"), [("stepper", 12), ("side by side", 20), ("context", 4)])
def test_print_shows_every_line_and_no_toolbar(plain, name, items):
    plain.set_content(plain_page(VIEWS[name].html))
    plain.emulate_media(media="print")
    lines = plain.locator("li").all()
    assert [line.is_visible() for line in lines] == [True] * items
    assert plain.get_by_role("toolbar").is_visible() is False
    assert all(end.is_visible() for end in plain.get_by_text("Finished").all())
    plain.emulate_media(media="screen")


@pytest.mark.parametrize(("name", "button"), [("stepper", "Next"), ("foreseen", "Skip"), ("runs", "Next")])
def test_nothing_moves_for_those_who_asked_for_less_motion(plain, name, button):
    named = []
    for wish in ("no-preference", "reduce"):
        plain.emulate_media(reduced_motion=wish)
        plain.set_content(plain_page(EVERY[name].html))
        open_run(plain, name)
        click(plain, button)
        named.append(plain.locator("[aria-current]").evaluate("each => getComputedStyle(each).animationName"))
    assert named == ["rk-arrive", "none"]


def test_play_takes_a_step_at_a_time_and_ends_at_the_last(new_page):
    page = new_page(reduced_motion="reduce")  # of its own, since the clock is the whole context's
    page.clock.install(time=0)
    page.set_content(plain_page(VIEWS["stepper"].html))
    page.clock.pause_at(60_000)
    click(page, "Play")
    for words in STATUS[1:]:
        page.clock.run_for(1500)
        status(page, words)
    page.clock.run_for(3000)
    status(page, STATUS[-1])
    click(page, "Play")
    status(page, STATUS[0])
    click(page, "Pause")
    page.clock.run_for(3000)
    status(page, STATUS[0])


def test_the_speed_is_chosen_by_key_or_button_and_holds_at_once(new_page):
    page = new_page(reduced_motion="reduce")
    page.clock.install(time=0)
    page.set_content(plain_page(VIEWS["stepper"].html))
    page.clock.pause_at(60_000)
    page.keyboard.press("Tab")
    page.keyboard.press("p")
    page.keyboard.press("s")
    status(page, "Speed 2×: a step in 0.75 seconds")
    for words in STATUS[1:4]:
        page.clock.run_for(750)
        status(page, words)
    click(page, "Speed 2×")
    page.clock.run_for(375)
    status(page, STATUS[4])
    click(page, "Speed 4×")
    page.clock.run_for(2999)
    status(page, "Speed 0.5×: a step in 3 seconds")
    page.clock.run_for(1)
    status(page, STATUS[5])
    click(page, "Speed 0.5×")
    expect(page.get_by_role("button", name="Speed 1×", exact=True)).to_be_visible()
