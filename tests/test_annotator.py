"""Labels given in Python and by keyboard; files that hold them; the panel on a plain page."""

import json
import re
import shutil
from dataclasses import replace

import pytest
from axe_playwright_python.sync_playwright import Axe
from browser import plain_page
from playwright.sync_api import expect
from traces import HOSTILE, HOSTILE_TRAJECTORY, QUESTION, RUNS

from reactkit.annotator import Annotations
from reactkit.errors import DataError
from reactkit.paper import table
from reactkit.prompts import REACT
from reactkit.recordings import digest
from reactkit.runs import Run
from reactkit.tasks import Evidence, Task

pytest_plugins = ["pages"]

MODES = {kind: f"What {kind} means." for kind, *_ in table("Table 2").rows}
ERROR, INVENTION = "failure, reasoning error", "failure, hallucination"
TASK = Task(QUESTION, "1811", evidence=(Evidence("Gull Rock", ("first lit in 1811",)),))
CASES = {name: (TASK, run) for name, run in RUNS.items()}
HOSTILE_RUN = Run(REACT, HOSTILE_TRAJECTORY, "finished", HOSTILE)
NASTY = {HOSTILE: (Task(HOSTILE, HOSTILE, evidence=(Evidence(HOSTILE),)), HOSTILE_RUN)}


def annotations(path=None, cases=CASES):
    return Annotations(cases, MODES, path)


# In Python


def test_labels_and_notes_are_given_by_number_or_name_and_taken_back():
    mine = annotations()
    mine.label(3, INVENTION, note="It took the year of the storm.")
    mine.label("CoT", INVENTION)
    mine.label(3, "reasoning error")
    mine.label(3, note="The storm's year.")
    assert mine.marks == {"CoT": (INVENTION, ""), "Act": (ERROR, "The storm's year.")}
    assert mine.labels == {"CoT": INVENTION, "Act": ERROR}
    mine.undo()
    assert mine.marks == {"CoT": (INVENTION, ""), "Act": (ERROR, "It took the year of the storm.")}
    mine.undo()
    mine.undo()
    assert mine.marks == {"Act": (INVENTION, "It took the year of the storm.")}
    for _ in range(3):
        mine.undo()
    assert mine.marks == {}


@pytest.mark.parametrize(("which", "mode"), [(0, ERROR), (5, ERROR), ("act", ERROR), (1, "error"), (1, "")])
def test_a_trace_or_a_label_that_is_not_there_is_refused_with_what_is(which, mode):
    mine = annotations()
    with pytest.raises(DataError, match=f"trace {which!r} cannot be labelled {mode!r}: there are traces 1 to 4, and"):
        mine.label(which, mode)
    assert mine.marks == {}


def test_saved_labels_come_back_whole_and_undo_brings_back_what_stood_before(tmp_path):
    mine, other = annotations(), annotations()
    mine.label(1, INVENTION, "Ünsicher 🙂\n<b>")
    mine.label(2, note="a note alone")
    mine.save(tmp_path / "labels.json")
    other.label(4, "true positive")
    other.read(tmp_path / "labels.json")
    assert other.marks == mine.marks
    other.undo()
    assert other.labels == {"ReAct": "success, true positive"}


def test_with_a_path_each_change_outlives_the_object_that_it_was_made_in(tmp_path):
    path = tmp_path / "mine.json"
    annotations(path).label(3, ERROR, "why")
    again = annotations(path)
    assert again.marks == {"Act": (ERROR, "why")}
    again.label(1, INVENTION)
    again.undo()
    assert annotations(path).marks == {"Act": (ERROR, "why")}
    assert [file.name for file in tmp_path.iterdir()] == ["mine.json"]


def test_two_panels_on_one_file_never_overwrite_each_other(tmp_path):
    path = tmp_path / "mine.json"
    first, second = annotations(path), annotations(path)
    first.label(1, ERROR)
    with pytest.raises(DataError, match="mine.json was changed meanwhile, maybe by another panel"):
        second.label(2, INVENTION)
    with pytest.raises(DataError, match="mine.json was changed meanwhile, maybe by another panel"):
        second.save(path)
    assert second.labels == {"CoT": INVENTION} and annotations(path).labels == {"Standard": ERROR}
    first.label(3, ERROR)
    first.save(path), first.label(3, INVENTION)
    second.read(path)
    second.label(4, ERROR)
    assert annotations(path).labels == {"Standard": ERROR, "Act": INVENTION, "ReAct": ERROR}


def test_where_nothing_is_to_be_labelled_that_is_said():
    with pytest.raises(DataError, match="there is no trace to label; give runs with their tasks"):
        annotations(cases={})


def test_a_run_on_another_question_is_refused():
    with pytest.raises(DataError, match=r"the task 'Who\?' stands beside the run of another one, 'When was"):
        annotations(cases={"a": (Task("Who?"), RUNS["Act"])})


def saved(**changes):
    """Return a file of labels as text, with changes in the row of its one label."""
    row = {"label": ERROR, "note": "", "of": digest(str(RUNS["Act"].trajectory)), **changes}
    return json.dumps({"form": "reactkit labels 1", "labels": {"Act": row}})


BAD = {
    "no file": None,
    "not JSON": '{"form": ',
    "a list": "[1, 2]",
    "another form": saved().replace("labels 1", "labels 2"),
    "another label": saved(label="failure, laziness"),
    "another trace": saved(of="0" * 32),
    "an unknown name": saved().replace('"Act"', '"Acted"'),
    "a row without a note": saved().replace('"note"', '"remark"'),
    "bytes": b"\xff\xfe\x00",
}


@pytest.mark.parametrize("text", BAD.values(), ids=BAD)
def test_a_bad_file_is_a_clear_error_and_neither_labels_nor_file_are_lost(tmp_path, text):
    path, mine = tmp_path / "bad.json", annotations()
    mine.label(1, INVENTION)
    if text is not None:
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
    for take in (mine.read, mine.agreement, annotations) if text else (mine.read, mine.agreement):
        with pytest.raises(DataError, match=re.escape(f"{path} does not hold labels of these traces (")):
            take(path)
    if text:
        with pytest.raises(DataError, match="nothing was changed"):
            mine.save(path)
        assert path.read_bytes() == (text if isinstance(text, bytes) else text.encode())
    assert mine.labels == {"Standard": INVENTION}


def test_a_folder_that_is_gone_is_told_and_the_label_is_kept(tmp_path):
    (tmp_path / "gone").mkdir()
    mine = annotations(tmp_path / "gone" / "labels.json")
    shutil.rmtree(tmp_path / "gone")
    with pytest.raises(
        DataError, match=r"labels.json cannot be written \(No such .*\); nothing is lost, save elsewhere"
    ):
        mine.label(1, INVENTION)
    assert mine.labels == {"Standard": INVENTION}


def test_agreement_is_with_a_key_or_with_a_neighbours_file(tmp_path):
    mine, neighbour = annotations(), annotations()
    for number, mode in enumerate((INVENTION, INVENTION, ERROR), 1):
        mine.label(number, mode)
        neighbour.label(number, INVENTION)
    neighbour.save(tmp_path / "ada.json")
    found = mine.agreement(tmp_path / "ada.json", "Ada")
    assert (found.n, found.differing) == (3, ("Act",))
    assert found.chart.twin.columns[0] == "you (down), Ada (across)"
    assert mine.agreement(neighbour.labels, "Ada") == found
    assert "3 traces that both labelled, scripted; 2 alike" in found.chart.caption
    with pytest.raises(DataError, match="'oops' is no label here; the labels are success, true positive; "):
        mine.agreement({"Standard": "oops"})


def test_the_chart_counts_the_runs_of_one_method_only():
    mine = annotations()
    mine.label("ReAct", "true positive")
    mine.label("CoT", INVENTION)
    twins = {method: mine.chart(method).twin for method in ("ReAct", "CoT")}
    assert [twin.value("success, true positive", "n") for twin in twins.values()] == [1, 0]
    assert [twin.value(INVENTION, "n") for twin in twins.values()] == [0, 1]


def test_without_the_panel_the_labels_are_a_table_in_text_and_in_html():
    mine = annotations()
    mine.label("Act", ERROR, "The storm's year.")
    bundle = mine._repr_mimebundle_()
    lines = bundle["text/plain"].splitlines()
    assert lines[0] == "1 of 4 traces labelled (scripted)"
    assert lines[4].split("  ")[0] == "Act" and lines[4].endswith(f"{ERROR}  The storm's year.")
    assert bundle["text/html"].count("<tr>") == 5 and "<script" not in bundle["text/html"]
    assert "application/vnd.jupyter.widget-view+json" in bundle


def test_hostile_names_notes_and_texts_come_out_escaped():
    mine = annotations(cases=NASTY)
    mine.label(1, INVENTION, HOSTILE)
    for html in (mine._repr_mimebundle_()["text/html"], mine.panel.traces[0]["html"]):
        assert "<script" not in html and "<img" not in html and "&lt;img src=x" in html


# In a browser, on a plain page


@pytest.fixture(scope="module")
def page(one_browser, watch):
    """A page, which is watched."""
    opened = watch(one_browser.new_page(viewport={"width": 1280, "height": 900}))
    opened.set_default_timeout(10_000)
    yield opened
    opened.close()


MODEL = """async ([code, state]) => {
  const heard = {};
  window.sent = [];
  window.state = state;
  window.say = (type, told) => (heard[type] ?? []).forEach((hear) => hear(told));
  const set = (name, value) => { state[name] = value; say(`change:${name}`); };
  window.change = set;
  const model = { set, get: (name) => state[name], save_changes: () => {}, send: (told) => sent.push(told),
    on: (type, hear) => (heard[type] ??= []).push(hear), off: () => {} };
  const script = await import(URL.createObjectURL(new Blob([code], { type: "text/javascript" })));
  script.default.render({ model, el: document.getElementById("panel") });
}"""


def show(page, mine, theme="light"):
    """Show the panel as anywidget would, with a model that keeps what it is told; return it, in focus."""
    panel = mine.panel
    page.set_content(plain_page(f'<style>{panel._css}</style><div id="panel"></div>', theme))
    page.evaluate(MODEL, [panel._esm, {name: getattr(panel, name) for name in ("form", "traces", "modes", "moves")}])
    group = page.get_by_role("group", name="Label the traces", exact=True)
    group.focus()
    return group


def moves(page):
    return page.evaluate("() => state.moves")


def press(page, keys):
    for key in keys.split():
        page.keyboard.press(key)


browser = pytest.mark.browser


@browser
@pytest.mark.parametrize(
    ("keys", "status", "made"),
    [
        ("", "Trace 1 of 4, Standard: no label yet. 0 of 4 labelled.", []),
        ("5", f"Trace 1 of 4, Standard: {list(MODES)[4]}. 1 of 4 labelled.", [{"Standard": [list(MODES)[4], ""]}]),
        ("5 5 7 Control+1", f"Trace 1 of 4, Standard: {list(MODES)[4]}. 1 of 4 labelled.", 1),
        ("ArrowLeft", "Trace 1 of 4, Standard: no label yet. 0 of 4 labelled.", []),
        ("ArrowRight " * 6 + "1", "Trace 4 of 4, ReAct: success, true positive. 1 of 4 labelled.", 1),
        ("1 ArrowRight 2 u", "Taken back. Trace 2 of 4, CoT: no label yet. 1 of 4 labelled.", 1),
        ("1 ArrowRight u", "Taken back. Trace 1 of 4, Standard: no label yet. 0 of 4 labelled.", []),
        ("u", "There is nothing to take back. Trace 1 of 4, Standard: no label yet. 0 of 4 labelled.", []),
    ],
)
def test_the_keys_label_move_and_undo(page, keys, status, made):
    group = show(page, annotations())
    press(page, keys)
    expect(group.get_by_role("status")).to_have_text(status)
    assert moves(page) == made if isinstance(made, list) else len(moves(page)) == made


@browser
def test_n_leads_to_the_note_where_keys_are_text_and_escape_leads_back(page):
    group = show(page, annotations())
    press(page, "5 n")
    page.keyboard.type("u1 n <b>")
    press(page, "ArrowLeft Escape")
    expect(group).to_be_focused()
    assert moves(page)[1:] == [{"Standard": [list(MODES)[4], "u1 n <b>"]}]
    press(page, "ArrowRight")
    expect(group.get_by_label("Note")).to_have_value("")
    press(page, "ArrowLeft")
    expect(group.get_by_label("Note")).to_have_value("u1 n <b>")
    press(page, "u")
    expect(group.get_by_label("Note")).to_have_value("")


@browser
def test_each_key_stands_on_its_button_in_sight_and_for_assistive_technology(page):
    group = show(page, annotations())
    keys = group.locator("button[aria-keyshortcuts]")
    told = keys.evaluate_all(
        "all => all.map(e => [e.getAttribute('aria-keyshortcuts'), e.querySelector('kbd').innerText])"
    )
    assert told == [["ArrowLeft", "←"], ["ArrowRight", "→"], ["U", "U"], *([n, n] for n in "123456")]
    assert group.get_by_label("Note").get_attribute("aria-keyshortcuts") == "N"
    assert group.locator("label kbd").all_inner_texts() == ["N", "Esc"]


@browser
def test_each_trace_stands_whole_beside_its_answer_gold_and_evidence(page):
    group = show(page, annotations())
    for name, (_, run) in CASES.items():
        trace = group.get_by_role("region", name="The trace")
        assert trace.locator("li:visible > span").all_inner_texts() == [line.text for line in run.trajectory]
        right = "right" if name == "ReAct" else "wrong"
        assert group.locator("dl:visible dd").all_inner_texts() == [
            run.answer,
            "1811",
            right,
            "Gull Rock: first lit in 1811",
        ]
        press(page, "ArrowRight")


@browser
def test_the_pointer_does_what_the_keys_do(page):
    group = show(page, annotations())
    group.get_by_role("button", name="Trace 3: no label yet").click()
    group.get_by_role("button", name=re.compile("reasoning error")).click()
    expect(group.get_by_role("button", name=f"Trace 3: {ERROR}")).to_have_attribute("aria-current", "true")
    expect(group.get_by_role("button", pressed=True)).to_have_count(1)
    group.get_by_role("button", name="Undo").click()
    assert moves(page) == []


@browser
def test_what_is_exported_is_what_python_saves_and_reads(page, tmp_path):
    group, mine = show(page, annotations()), annotations()
    press(page, "1 ArrowRight 2 n")
    page.keyboard.type("a note 🙂")
    press(page, "Escape")
    with page.expect_download() as download:
        group.get_by_role("button", name="Export").click()
    download.value.save_as(tmp_path / "labels.json")
    mine.read(tmp_path / "labels.json")
    assert mine.marks == {"Standard": ("success, true positive", ""), "CoT": ("success, false positive", "a note 🙂")}
    mine.save(tmp_path / "again.json")
    assert json.loads((tmp_path / "again.json").read_text("utf-8")) == json.loads(
        (tmp_path / "labels.json").read_text("utf-8")
    )


@browser
def test_an_imported_file_goes_to_python_whose_answer_is_shown(page, tmp_path):
    group, mine = show(page, annotations()), annotations()
    with page.expect_file_chooser() as chooser:
        group.get_by_role("button", name="Import").click()
    chooser.value.set_files({"name": "x.json", "mimeType": "application/json", "buffer": saved(note="hers").encode()})
    page.wait_for_function("() => sent.length")
    (told,) = page.evaluate("() => sent")
    mine.imported(mine.panel, told, [])
    page.evaluate("moves => change('moves', moves)", mine.panel.moves)
    expect(group.get_by_role("status")).to_contain_text("1 of 4 labelled")
    page.evaluate("() => say('msg:custom', {said: '<b>the file</b> does not fit'})")
    expect(group.get_by_role("status")).to_contain_text("<b>the file</b> does not fit. Trace 1 of 4")


def test_what_is_wrong_with_an_imported_file_is_told_to_the_panel():
    mine, sent = annotations(), []
    mine.panel.send = sent.append
    mine.imported(mine.panel, {"text": saved(label="?")}, [])
    assert sent == [{"said": "the file does not hold labels of these traces (it has another form, other traces or other"
                             " labels); nothing was changed"}]  # fmt: skip
    assert mine.marks == {}


@browser
@pytest.mark.parametrize("text", [HOSTILE, (HOSTILE * 1000)[:100_000]], ids=["hostile", "long"])
def test_hostile_text_is_shown_as_text_and_never_runs(page, text):
    *lines, last = HOSTILE_TRAJECTORY
    trajectory = replace(HOSTILE_TRAJECTORY, lines=[*lines, replace(last, text=text)])
    mine = annotations(cases={HOSTILE: (NASTY[HOSTILE][0], replace(HOSTILE_RUN, trajectory=trajectory, answer=text))})
    mine.label(1, note=text)
    page.set_viewport_size({"width": 390, "height": 800})
    group = show(page, mine)
    said = "all => all.map(each => each.textContent)"
    assert group.locator("li > span").evaluate_all(said) == [HOSTILE] * 4 + [text]
    assert group.locator("dl dd").evaluate_all(said)[:2] == [text, HOSTILE]
    assert group.get_by_label("Note").evaluate("each => each.value") == text.replace("\r", "")
    assert HOSTILE in group.get_by_role("status").evaluate("each => each.textContent")
    found = "() => [typeof window.ran, document.images.length, document.documentElement.scrollWidth]"
    assert page.evaluate(found) == ["undefined", 0, 390]
    page.set_viewport_size({"width": 1280, "height": 900})


@browser
@pytest.mark.parametrize("theme", ["light", "dark"])
def test_names_roles_and_contrast_are_in_order(page, theme):
    mine = annotations()
    mine.label(2, ERROR)
    show(page, mine, theme)
    press(page, "1")
    found = Axe().run(page).response
    assert [(rule["id"], rule["nodes"][0]["html"]) for rule in found["violations"]] == []
    assert {"color-contrast", "button-name", "label"} <= {rule["id"] for rule in found["passes"]}


@browser
def test_the_panel_fits_a_phone_and_a_page_at_twice_the_size(page):
    for width in (390, 640):
        page.set_viewport_size({"width": width, "height": 800})
        group = show(page, annotations())
        press(page, "ArrowRight " * 3)
        assert page.evaluate("() => document.documentElement.scrollWidth") == width
        trace, labels = (group.get_by_role(*part) for part in (("region",), ("group",)))
        below = group.locator(".rk-judging").bounding_box()["y"]
        assert below > trace.bounding_box()["y"] + trace.bounding_box()["height"] and labels.count()
    page.set_viewport_size({"width": 1280, "height": 900})


@browser
def test_print_shows_the_whole_trace_its_label_and_no_keys(page):
    group = show(page, annotations())
    press(page, "ArrowRight " * 3 + "1")
    page.emulate_media(media="print")
    trace = group.get_by_role("region", name="The trace")
    assert trace.evaluate("each => each.scrollHeight <= each.clientHeight")
    assert group.get_by_role("button", pressed=True).is_visible()
    assert [group.get_by_role("button", name=name).count() for name in ("Undo", "Export", "Trace 1")] == [0, 0, 0]
    page.emulate_media(media="screen")
