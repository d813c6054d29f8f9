import json
import re
from collections import Counter
from dataclasses import replace
from html.parser import HTMLParser

import pytest
from printouts import read_printout
from traces import HOSTILE, INVENTED, QUESTION, RUNS, run_of

from reactkit import marks
from reactkit.contexts import PARTS, coloured, growth_table, parts, shares
from reactkit.errors import DataError
from reactkit.loop import solve
from reactkit.models import Scripted
from reactkit.prompts import REACT, STANDARD, Exemplars
from reactkit.runs import Call
from reactkit.tools import Toolbox
from reactkit.trajectory import Line, Trajectory
from reactkit.views import aligned, context_at, side_by_side, stepper


class Page(HTMLParser):
    """What a reader without style and script meets: the tags, and the text of each list item."""

    def __init__(self, html):
        super().__init__()
        self.tags, self.items, self.texts, self.within = [], [], [], ""
        self.feed(html)

    def handle_starttag(self, tag, attributes):
        self.tags.append(tag)
        if tag in ("style", "script", "li"):
            self.within = tag
        if tag == "li":
            self.items.append("")

    def handle_endtag(self, tag):
        if tag == self.within:
            self.within = ""

    def handle_data(self, data):
        if self.within not in ("style", "script"):
            self.texts.append(data)
        if self.within == "li":
            self.items[-1] += data


RUN = RUNS["ReAct"]


def test_each_line_stands_in_the_list_with_its_label_its_author_and_its_whole_text():
    shown = [item.split("Dropped")[0] for item in Page(stepper(RUN).markup).items]
    assert shown == [f"{line.label()} written by the {line.author} {line.text}" for line in RUN.trajectory]


def test_dropped_text_stands_under_the_action_of_its_step_and_nowhere_else():
    with_dropped = [item for item in Page(stepper(RUN).markup).items if "not used" in item]
    assert with_dropped == [
        f"Action 1 written by the model Search[Gull Rock]Dropped written by the model, not used {INVENTED}"
    ]


@pytest.mark.parametrize(
    ("kind", "model", "words"),
    [
        ("scripted", None, "scripted written by people to show the mechanism; not evidence about models"),
        ("recorded", "davinci <2>", "recorded · davinci <2> written by the named model, replayed"),
        ("live", "qwen", "live · qwen written now, by the model or person named"),
    ],
)
def test_each_view_says_what_kind_of_trace_it_is(kind, model, words):
    marked = replace(RUN, trajectory=replace(RUN.trajectory, kind=kind, model=model))
    for view in (stepper(marked), side_by_side({"ReAct": marked}), context_at(marked)):
        assert words in "".join(Page(view.markup).texts)


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({}, "Finished: the answer is 1811"),
        ({"outcome": "step cap", "answer": None}, "Stopped by the harness: there is no answer"),
        ({"outcome": "no answer", "answer": None}, "Ended: there is no answer"),
    ],
)
def test_the_end_says_how_the_run_ended_and_with_which_answer(changes, words):
    view = stepper(replace(RUN, **changes))
    assert "".join(Page(view.markup).texts).endswith(words)
    assert view.text.endswith(words)


def test_a_bare_trajectory_has_no_outcome():
    assert stepper(RUN.trajectory).text.endswith("\nEnd of the trajectory")


def test_an_observation_that_the_model_wrote_is_marked_as_invented():
    trajectory = Trajectory([Line("observation", "It was lit in 1999.", "model", 1)])
    words = "Observation 1 written by the model invented: the environment did not write this It was lit in 1999."
    assert Page(stepper(trajectory).markup).items == [words]
    assert "(written by the model; invented: the environment did not write this)" in stepper(trajectory).text
    assert "invented" not in stepper(Trajectory([Line("observation", "1811", "environment", 1)])).markup


def test_text_is_shown_and_never_becomes_markup():
    lines = [Line(role, HOSTILE, "model", 1) for role in marks.ROLE_COLOURS]
    hostile = replace(
        RUN,
        trajectory=Trajectory(lines, "recorded", HOSTILE),
        answer=HOSTILE,
        calls=(Call(1, HOSTILE, HOSTILE, HOSTILE),),
    )
    for view in (stepper(hostile, HOSTILE), side_by_side({HOSTILE: hostile}, HOSTILE), context_at(hostile)):
        page = Page(view.html)
        assert ("img" in page.tags, page.tags.count("script")) == (False, 1)
        assert "\r" not in view.markup and HOSTILE in "".join(page.texts)


def test_the_context_view_holds_the_exact_text_of_each_call_and_says_what_is_new():
    items, before = Page(context_at(RUN).markup).items, ""
    for item, call, counts in zip(items, RUN.calls, parts(RUN), strict=True):
        same = before.rfind("\n") + 1  # the line that the model was to go on with is new as a whole
        old, new = call.context[:same], call.context[same:]
        seen = (
            f"The same as in the call before: {len(old)} characters{old}New lines in this call: {len(new)} characters"
        )
        dropped = f"Dropped written by the model, not used {call.dropped}" if call.dropped else ""
        heading = (
            f"Step {call.step} {len(call.context)} characters, about {len(call.context) // 4} tokens read by the model"
        )
        heading += " ".join(words for _, words in shares(call, counts))
        assert item == f"{heading}{seen if before else ''}{new}The model replied{call.reply}{dropped}"
        before = call.context


@pytest.mark.parametrize(
    ("text", "marked"),
    [
        ("Claim: a\nThought 12: b", [("Claim", "Claim:"), ("Thought", "Thought 12:")]),
        ("an Answer: no\nHarness: <b>\r\nAction 1:", [("Harness", "Harness:"), ("Action", "Action 1:")]),
        ("Thoughts: no\n Question: no", []),
    ],
)
def test_a_label_that_opens_a_line_of_the_context_is_marked_with_its_role_and_the_text_stays(text, marked):
    html = coloured(text)
    assert re.findall(r'<span data-role="(\w+)">([^<]*)</span>', html) == marked
    assert "".join(Page(html).texts) == text


def test_a_trajectory_alone_has_no_context_to_show():
    with pytest.raises(DataError, match=r"context_at\(\): the run is a Run, not Trajectory\(.*; give what solve"):
        context_at(RUN.trajectory)


def test_the_context_as_plain_text_is_exact_too():
    calls = zip(RUN.calls, parts(RUN), strict=True)
    expected = [f"{' '.join(words for _, words in shares(*call))}\n{call[0].context}\n" for call in calls]
    assert [words in context_at(RUN).text for words in expected] == [True] * 4


def test_the_parts_of_a_context_are_those_that_its_labels_name():
    of = {"Thought": "own", "Action": "own", "Observation": "observations", "Harness": "harness"}
    for call, counts in zip(RUN.calls, parts(RUN), strict=True):
        opening, question, rest = call.context.partition(f"Question: {QUESTION}")
        expected = Counter({"examples": len(opening), "question": len(question)})
        *rows, cue = rest.split("\n")[1:]
        for row in rows:
            expected[of[row.split()[0].rstrip(":")]] += 1 + len(row)
        expected["harness"] += 1 + len(cue)
        assert counts == expected and list(counts) == [part for part in PARTS if part in counts]
        assert sum(counts.values()) == len(call.context)


@pytest.mark.parametrize("text", [HOSTILE, f"\nQuestion: {QUESTION}\nThought 1:", "", "\n\n", "x" * 100_000])
def test_no_text_of_a_line_is_taken_for_another_part(text):
    tools = Toolbox({"Search": lambda title: text})
    replies = Scripted(["Look.\nAction 1: Search[a]", "Known.\nAction 2: Finish[b]"])
    run = solve(QUESTION, REACT, replies, tools, Exemplars())
    row = next(line for line in run.trajectory if line.role == "observation").prompt_text()
    assert parts(run)[1]["observations"] == 1 + len(row)
    assert sum(parts(run)[1].values()) == len(run.calls[1].context)


def test_the_parts_are_not_told_where_the_lines_are_no_longer_those_that_the_model_read():
    lines = RUN.trajectory.lines
    edited = replace(RUN.trajectory, lines=(*lines[:3], replace(lines[3], text="Changed."), *lines[4:]))
    assert [bool(counts) for counts in parts(replace(RUN, trajectory=edited))] == [True, False, False, False]


def test_the_parts_of_messages_are_not_told_but_their_text_and_length_are():
    run = replace(RUN, calls=(Call(1, '[{"role": "user"}]', "yes", tokens_read=7), Call(2, "", "no")))
    assert parts(run) == [{}, {}]
    first, second = Page(context_at(run).markup).items
    assert first.startswith('Step 1 18 characters, 7 tokens read by the modeltokens as the server counted them[{"role"')
    assert second.startswith(
        "Step 2 0 characters, about 0 tokens read by the modeltokens estimated, at 4 characters each"
    )


def test_a_share_is_a_percentage_and_never_nothing():
    call = Call(1, "x" * 2000, "")
    words = [words for _, words in shares(call, {"examples": 1991, "question": 9})]
    expected = [
        "instruction and examples 1,991 (100 %),",
        "question 9 (under 1 %),",
        "tokens estimated, at 4 characters each",
    ]
    assert words == expected


def test_the_growth_of_the_context_is_a_sentence_columns_and_a_table_of_the_same_numbers():
    view, sizes = context_at(RUN), [len(call.context) for call in RUN.calls]
    said = f"How the context grew: {sizes[0]} characters in call 1, {sizes[-1]} characters in call 4"
    assert (said in "".join(Page(view.markup).texts), view.text.startswith(f"{said}\n\n")) == (True, True)
    heights = re.findall(r'<span style="height: ([\d.]+)%">', view.markup)
    assert heights == [f"{100 * size / sizes[-1]:.1f}" for size in sizes]
    twin = growth_table(RUN, parts(RUN))
    assert [twin.value(f"{at}, step {at}", "characters") for at in range(1, 5)] == sizes
    assert [sum(cell or 0 for cell in row[3:]) for row in twin.rows] == sizes
    assert "rk-growth" not in context_at(RUNS["CoT"]).markup


def test_runs_that_go_the_same_way_say_up_to_which_step():
    lines = RUN.trajectory.lines
    edited = replace(lines[3], text="It was lit in 1900.", author="person")
    branch = replace(RUN, trajectory=replace(RUN.trajectory, lines=(*lines[:3], edited)))
    view = side_by_side({"first": RUN, "second": branch})
    assert "Up to step 2 these runs are the same." in "".join(Page(view.markup).texts)
    assert view.text.startswith("Up to step 2 these runs are the same.\n\nfirst\n[scripted]\n")
    assert "these runs are the same" not in side_by_side(RUNS).text + side_by_side({"alone": RUN}).text


def test_scripted_stands_beside_recorded_and_each_column_has_the_badge_of_its_own():
    recorded = replace(RUN, trajectory=replace(RUN.trajectory, kind="recorded", model="qwen <2>"))
    texts = "".join(Page(side_by_side({"ours": RUN, "theirs": recorded}).markup).texts)
    for words in ("ours scripted", "theirs recorded · qwen <2>", "written by people to show", "named model, replayed"):
        assert texts.count(words) == 1


def test_side_by_side_shows_the_question_once_and_each_run_under_its_name():
    view = side_by_side(RUNS)
    assert "".join(Page(view.markup).texts).count(QUESTION) == 1
    head = (
        r'<article aria-label="(\w+)" data-name="(\w+) scripted" style="--own: (\d+)"><p class="rk-name"><b>(\w+)</b>'
    )
    heads = re.findall(head, view.markup)
    assert heads == [(name, name, items, name) for name, items in zip(RUNS, ("1", "2", "5", "11"), strict=True)]
    assert view.text == "\n\n".join(f"{name}\n{stepper(run).text}" for name, run in RUNS.items())


def steps_of(*roles):
    """Return a trajectory with these (role, step) lines after its question."""
    return Trajectory([Line("question", QUESTION), *(Line(role, role, "model", step) for role, step in roles)])


T1, A1, O1, T2, A2, O2 = [(role, step) for step in (1, 2) for role in ("thought", "action", "observation")]


@pytest.mark.parametrize(
    ("one", "other", "shown"),
    [
        ([A1, O1, A2], [T1, A1, O1, T2, A2], ["no thought", A1, O1, "no thought", A2]),
        ([A1], [T1, A1, O1, T2, A2], ["no thought", A1]),
        ([A1, A2], [A1, O1, A2], [A1, "no observation", A2]),
        ([T1, O1, A2], [T1, A1, O1, T2, A2], [T1, "no action", O1, "no thought", A2]),
        ([A1, T1, A2], [A1, A2], [A1, T1, A2]),
        ([A1, A2], [A1, T1, A2], [A1, "no line", A2]),
        ([A1, ("answer", None)], [T1, A1, T2, A2], ["no thought", A1, ("answer", None)]),
        ([T1], [T1, A1], [T1]),
    ],
)
def test_a_run_says_so_where_another_that_acts_has_a_line_and_it_has_none(one, other, shown):
    items, _ = aligned([steps_of(*one), steps_of(*other)])
    assert [re.search('data-role="|<i>no [a-z]+', item)[0] for item in items] == [
        f"<i>{place}" if isinstance(place, str) else 'data-role="' for place in shown
    ]
    kept = [place for place in shown if not isinstance(place, str)]
    texts = [item.rpartition("<span>")[2] for item in items if "data-by" in item]
    assert texts == [f"{role}</span></li>" for role, _ in kept] and kept == one


def test_a_placeholder_is_no_line_of_the_run():
    assert {item for item in aligned([RUNS["Act"], RUN])[0] if "data-" not in item} == {
        '<li class="rk-absent"><i>no thought</i></li>'
    }
    assert "no thought" not in side_by_side(RUNS).text


def test_a_harness_note_stands_where_the_observation_would():
    act, react = aligned([RUNS["Act"], RUN])
    assert (len(act), len(react)) == (5, 11)
    assert [item for item in react if "harness" in item] == [react[5]]


def test_runs_on_two_questions_show_both():
    other = run_of(STANDARD, "1897", question="And when was it put out?")
    shown = "".join(Page(side_by_side({**RUNS, "Other": other}).markup).texts)
    assert QUESTION in shown and "And when was it put out?" in shown


def test_the_same_run_gives_the_same_bytes_as_html_and_as_text():
    for make in (lambda: stepper(RUNS["ReAct"]), lambda: side_by_side(RUNS), lambda: context_at(RUNS["ReAct"])):
        bundle = make()._repr_mimebundle_()
        assert bundle == make()._repr_mimebundle_() and set(bundle) == {"text/html", "text/plain"}


def test_nothing_is_hidden_and_no_toolbar_is_there_until_the_script_has_run():
    for view in (stepper(RUNS["ReAct"]), side_by_side(RUNS), context_at(RUNS["ReAct"])):
        assert "hidden" not in view.markup.replace(
            'aria-hidden="true"', ""
        )  # of a picture that has its words beside it
        assert {"button", "input", "output"}.isdisjoint(Page(view.markup).tags)


def test_the_name_of_a_view_is_its_method_and_question_or_the_name_given():
    assert f'aria-label="ReAct: {QUESTION}"' in stepper(RUN).markup
    assert f'aria-label="Trajectory: {QUESTION}"' in stepper(RUN.trajectory).markup
    assert 'aria-label="Old &lt;Light&gt;"' in stepper(RUN, "Old <Light>").markup


def test_the_question_stands_before_the_steps_and_an_empty_trajectory_is_no_error():
    head, steps = stepper(RUN).markup.split('<div class="rk-tracks">')
    assert (len(Page(head).items), len(Page(steps).items)) == (1, len(RUN.trajectory) - 1)
    by_hand = Trajectory([Line("question", QUESTION), Line("thought", "First the page.", step=1)])
    assert len(Page(stepper(by_hand).markup.split('<div class="rk-tracks">')[0]).items) == 1
    assert stepper(Trajectory()).text == "[scripted]\nEnd of the trajectory"


def test_the_style_gives_each_role_its_colour_and_each_author_its_border():
    sheet = marks.style()
    for role, colour in marks.ROLE_COLOURS.items():
        assert f"--rk-{role}: light-dark({colour}, {marks.ROLE_COLOURS_DARK[role]});" in sheet
    for author, border in marks.AUTHOR_BORDERS.items():
        assert author == "model" or f'[data-by="{author}"] {{ border-left-style: {border}; }}' in sheet
    assert "border-left: 4px solid var(--role)" in sheet


def test_the_authors_printed_episodes_open_in_the_stepper_with_nothing_lost(real_data):
    episodes = (real_data / "trajectories" / "react_fever_davinci002.jsonl").read_text(encoding="utf-8")
    for episode in map(json.loads, episodes.splitlines()):
        trajectory = read_printout(episode["text"], "davinci").trajectory
        assert Page(stepper(trajectory).markup).items == [
            f"{label} written by the {line.author} {line.text}"
            for label, line in zip(trajectory.labels(), trajectory, strict=True)
        ]


def test_a_reply_that_was_dropped_whole_stands_in_its_own_step():
    run = run_of(
        REACT,
        "Look.\nAction 1: Search[Gull Rock]",
        "Observation 2: INVENTED",
        "Observation 2: INVENTED",
        "Look again.\nAction 3: Search[Gull Rock]",
        "Known.\nAction 4: Finish[1811]",
    )
    items = Page(stepper(run).markup).items
    assert [item.split(" written")[0] for item in items if "INVENTED" in item] == ["Harness"]
    assert items.index(next(item for item in items if "INVENTED" in item)) == 4


def test_the_text_of_the_context_holds_the_replies_and_what_was_dropped():
    text = context_at(RUN).text
    assert [call.reply in text and call.dropped in text for call in RUN.calls] == [True] * len(RUN.calls)
    assert text.count("The model replied:") == len(RUN.calls)


def test_a_failed_call_is_marked_and_a_shortened_observation_can_be_read_in_full():
    line = Line("observation", "Cut. [truncated]", "environment", 1, True, "Cut. <b>All</b> of it.")
    shown = stepper(Trajectory((line,))).html
    assert "<strong>failed: the call did not work</strong> <span>Cut. [truncated]</span>" in shown
    assert "<details><summary>All 22 characters</summary>Cut. &lt;b&gt;All&lt;/b&gt; of it.</details>" in shown
