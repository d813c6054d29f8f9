"""laboratory: from recordings to the kit's own tables and figure, what is missing, and what is refused."""

import os
import re
import subprocess
import sys
from collections import Counter

import pytest
from matplotlib.backends.backend_agg import FigureCanvasAgg

from reactkit import COT, REACT, Completion, DataError, Scripted, Toolbox, kit_claims, kit_questions, record, solve
from reactkit.figures import by_samples, by_size, by_steps, by_tokens, claim_labels, own_table_1, table_1_at
from reactkit.laboratory import ASKED, card_of, laboratory, models, path_of, recorded_on, recorded_runs, tables
from reactkit.paper import number
from reactkit.reports import report

PLACES = {task.text: place for tasks in (kit_questions(), kit_claims()) for place, task in enumerate(tasks)}
GOLD = {task.text: task.gold for task in (*kit_questions(), *kit_claims())}


class Toy:
    """A model that is right where its method's rule says so; of its samples the odd places never agree."""

    kind = "live"

    def __init__(self, method, name="Toy-1B"):
        self.method, self.name, self.asked = method, name, Counter()

    def __call__(self, context, stop=()):
        text = re.findall(r"^(?:Question|Claim): (.*)", context, re.MULTILINE)[-1]
        self.asked[text] += 1
        said = self.answer(text, PLACES[text], self.asked[text])
        step = context.rpartition("\n")[2].strip(" :").split()[-1]
        thought = f"Hm {self.asked[text]}.\n"
        acts = "Search[Dijon]" if said is None else f"Finish[{said}]"
        forms = {"Standard": said, "Act": acts, "ReAct": f"{thought}Action {step}: {acts}"}
        reply = forms.get(self.method, f"{thought}Answer: {said}")
        return Completion(f" {reply}", tokens_read=100, tokens_written=10)

    def answer(self, text, place, sample):
        rules = {
            "Standard": place % 4 == 0,
            "CoT": place % 2 == 0,
            "Act": place % 4 == 1,
            "ReAct": place % 2 == 1,
            "CoT-SC": place % 2 == 0 and sample < 3,
        }
        if self.method == "ReAct" and place < 4:
            return None
        return GOLD[text] if rules[self.method] else f"wrong {sample}"


def written(folder, name, tasks, samples=1, model="Toy-1B"):
    model = record(Toy(name, model), path_of(model, name, folder), **card_of(name))
    for task in [*tasks] * samples:
        solve(task, ASKED[name], model)


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """Recordings of all methods; of CoT-SC three samples a question, and two a claim but for the last one."""
    made = tmp_path_factory.mktemp("laboratory")
    for name in ("Standard", "CoT", "Act", "ReAct"):
        written(made, name, [*kit_questions(), *kit_claims()])
    written(made, "CoT-SC", kit_questions(), 3)
    written(made, "CoT-SC", [*kit_claims(), *kit_claims()[:-1]])
    return made


@pytest.fixture(scope="module")
def chart(folder):
    return by_samples("Toy-1B", folder)


@pytest.fixture
def small(tmp_path):
    """A recording of three Standard answers, whose file a test may spoil."""
    written(tmp_path, "Standard", kit_questions()[:3])
    return tmp_path / "toy-1b.standard.jsonl"


def scores(table):
    return {row[0]: row[2].split()[0] for row in table.rows}


def test_the_own_table_1_is_as_worked_out_by_hand(folder):
    questions, _, claims, _ = tables("Toy-1B", folder)
    assert scores(questions) == {
        "Standard": "25.0",
        "CoT": "50.0",
        "Act": "25.0",
        "ReAct": "46.9",  # 30 of 64: those at the odd places from 5 on
        "CoT-SC": "50.0",
        "ReAct → CoT-SC": "50.0",  # and of the first four the two at even places
        "CoT-SC → ReAct": "96.9",  # the even places by votes, the odd ones, where no two samples agree, by ReAct
    }
    assert scores(claims)["CoT-SC"] == "50.0" and {row[1] for row in claims.rows} == {60}
    assert claims.value("CoT-SC", "calls") == 60  # one sample of each, since one claim has no second
    assert questions.value("ReAct", "calls") == 60 + 4 * 7 and claims.value("ReAct", "calls") == 56 + 4 * 5
    assert questions.value("CoT-SC → ReAct", "calls") == 64 * 3 + 30 + 2 * 7
    assert questions.value("CoT-SC → ReAct", "outcomes") == "32 by CoT-SC, 30 by ReAct, 2 no answer"


def test_the_papers_scores_stand_apart_in_the_last_column(folder):
    for table, official in zip(tables("Toy-1B", folder)[::2], ("HotpotQA", "FEVER")):
        assert table.columns[-1] == f"paper, {official}, PaLM-540B"
        assert [row[-1] for row in table.rows] == [number(f"table 1/{row[0]}/{official}").value for row in table.rows]


def test_differences_are_paired_and_say_whether_they_span_zero(folder):
    paired = tables("Toy-1B", folder)[1]
    assert paired.value("CoT less Standard", "difference in points").startswith("25.0 (")
    assert paired.value("CoT less Standard", "spans 0") == "no"
    assert paired.value("ReAct less CoT", "difference in points").startswith("-3.1 (")
    assert paired.value("ReAct less CoT", "spans 0") == "yes"
    assert len(paired.rows) == 7 * 6 // 2 and "by chance alone 1 in 20 spans no 0" in paired.title


def test_all_say_recorded_the_model_how_many_and_what_is_missing(folder, chart):
    made = tables("Toy-1B", folder)
    missing = "missing: CoT-SC on questions (3 of 21 samples), CoT-SC on claims (1 of 21 samples)"
    assert made[0].title == f"recorded · Toy-1B: questions, with 95 % intervals; {missing}"
    assert [table.title[:19] for table in made] == ["recorded · Toy-1B: "] * 4
    assert chart.caption.startswith(f"recorded · Toy-1B; n: 64 questions, 60 claims; {missing}.")
    assert "In the paper (section 3.3) the switches need 3 to 5 samples" in chart.caption


def test_recorded_runs_are_those_that_were_recorded(folder):
    runs, task = recorded_runs("Toy-1B", "CoT-SC", folder), kit_questions()[0]
    assert [run.answer for run in runs[task]] == [task.gold, task.gold, "wrong 3"]
    assert {run.trajectory.badge for few in runs.values() for run in few} == {"recorded · Toy-1B"}
    assert sorted(Counter(len(few) for few in runs.values()).items()) == [(1, 1), (2, 59), (3, 64)]
    assert recorded_runs("Toy-1B", "CoT-SC", folder) is runs


def test_the_runs_on_one_question_are_found_by_its_text(folder):
    task = kit_questions()[1]
    assert recorded_on(task.text, "CoT", folder) == recorded_runs("Toy-1B", "CoT", folder)[task]
    with pytest.raises(DataError, match="holds no run by ReAct on 'Why.'; ask for a task of the kit, word by word"):
        recorded_on("Why?", folder=folder)


@pytest.mark.parametrize(
    ("model", "name", "told"),
    [("Toy-2B", "CoT", "nothing of 'Toy-2B' is recorded in "), ("Toy-1B", "cot", "'cot' is not recorded as a method")],
)
def test_a_mistyped_model_or_method_is_refused_with_those_that_there_are(folder, model, name, told):
    with pytest.raises(DataError, match=told):
        recorded_runs(model, name, folder)


def test_what_was_not_recorded_is_named_and_not_scored(small):
    results, missing = laboratory("Toy-1B", small.parent)
    assert (results, missing.count(" on "), missing.count("(0 of 21 samples)")) == ({}, 10, 2)
    assert tables("Toy-1B", small.parent) == ()
    assert [len(few) for few in recorded_runs("Toy-1B", "Standard", small.parent).values()][:4] == [1, 1, 1, 0]


@pytest.mark.parametrize("made", [tables, own_table_1, by_samples, by_tokens, by_steps, claim_labels])
def test_a_model_that_is_not_recorded_is_refused_with_those_that_are(small, made):
    written(small.parent, "Standard", kit_questions()[:1], model="Toy-2B")
    with pytest.raises(DataError, match=r"nothing of 'Toy-1' is recorded in .*; recorded are Toy-1B and Toy-2B$"):
        made("Toy-1", small.parent)


def test_the_switches_need_both_of_their_methods(tmp_path):
    written(tmp_path, "CoT-SC", kit_questions())
    assert {name for _, name in laboratory("Toy-1B", tmp_path)[0]} == {"CoT-SC"}


def test_half_a_last_line_is_dropped(small):
    small.write_bytes(small.read_bytes()[:-9])
    with pytest.warns(UserWarning, match="ends in half a line"):
        runs = recorded_runs("Toy-1B", "Standard", small.parent)
    assert [len(few) for few in runs.values()][:4] == [1, 1, 0, 0]


def test_an_altered_recording_is_refused_by_the_command_in_a_line(small):
    small.write_bytes(small.read_bytes().replace(b"wrong", b"right"))
    ran = command(small.parent)
    assert (ran.returncode, ran.stdout, ran.stderr.count("\n")) == (1, "", 1)
    assert ran.stderr.startswith("reactkit measure: ") and "was changed, or is not in its place" in ran.stderr


@pytest.mark.parametrize(
    ("model", "card", "told"),
    [
        (Toy("CoT"), {"prompts": "0" * 32}, "prompts '0"),
        (Toy("CoT"), {"settings": {"temperature": 0.7, "max_tokens": 120}}, "settings {'temperature': 0.7"),
        (Toy("CoT", "Toy-2B"), {}, "model 'Toy-2B', not 'Toy-1B'"),
        (Scripted([" Hm.\nAnswer: x"], "Toy-1B"), {}, "kind 'scripted', not 'live'"),
    ],
    ids=["prompts", "settings", "model", "kind"],
)
def test_a_recording_of_something_else_than_is_asked_now_is_refused(tmp_path, model, card, told):
    recorder = record(model, tmp_path / "toy-1b.cot.jsonl", **{**card_of("CoT"), **card})
    solve(kit_questions()[0], COT, recorder)
    with pytest.raises(DataError, match=re.escape(told)):
        recorded_runs("Toy-1B", "CoT", tmp_path)


def recorded_in_another_world(folder):
    """Return what recorded the first question by ReAct, whose second step rests on a page that the kit lacks."""
    recorder = record(Toy("ReAct"), path_of("Toy-1B", "ReAct", folder), **card_of("ReAct"))
    solve(kit_questions()[0], REACT, recorder, Toolbox({"Search": lambda title: "Another page."}))
    return recorder


def test_replies_to_what_no_task_asks_now_are_refused_as_no_missing_ones(tmp_path):
    recorded_in_another_world(tmp_path)
    told = "toy-1b.react.jsonl holds 6 replies to what no task asks now, and others are missing; undo the change"
    with pytest.raises(DataError, match=told):
        recorded_runs("Toy-1B", "ReAct", tmp_path)


def test_what_was_recorded_again_after_a_change_is_used_beside_the_replies_of_before(tmp_path):
    recorder = recorded_in_another_world(tmp_path)
    for task in (*kit_questions(), *kit_claims()):
        solve(task, REACT, recorder)
    assert {len(few) for few in recorded_runs("Toy-1B", "ReAct", tmp_path).values()} == {1}


def test_the_card_holds_what_a_method_shows_and_how_it_samples():
    cards = {name: card_of(name) for name in ASKED}
    assert cards["CoT"]["prompts"] == cards["CoT-SC"]["prompts"]
    assert len({card["prompts"] for card in cards.values()}) == 4
    assert [card["settings"]["temperature"] for card in cards.values()] == [0, 0, 0, 0, 0.7]


def test_the_figure_ends_where_table_1_stands_and_draws_what_its_table_says(folder, chart):
    rows, found = {name: cells for name, *cells in chart.twin.rows}, scores(tables("Toy-1B", folder)[0])
    for name in ("CoT", "ReAct", "CoT-SC", "ReAct → CoT-SC", "CoT-SC → ReAct"):
        assert str(rows[f"questions, {name}, 3"][0]) == found[name]
    assert {name.split(", ")[2] for name in rows} == {"1", "3"} and "claims, CoT-SC, 3" not in rows
    lines = [line for line in chart.figure().axes[0].lines if line.get_label() in found]
    drawn = {line.get_label(): [*line.get_ydata()] for line in lines}
    assert drawn["CoT-SC"] == [rows[f"questions, CoT-SC, {size}"][0] for size in (1, 3)]
    assert len({line.get_linestyle() + line.get_marker() for line in lines}) == 5


def test_the_figure_ends_at_the_last_sample_of_an_even_number_too(tmp_path):
    written(tmp_path, "CoT-SC", kit_questions(), 2)
    assert [row[0] for row in by_samples("Toy-1B", tmp_path).twin.rows] == [f"questions, CoT-SC, {n}" for n in (1, 2)]


def test_the_alt_text_says_every_point(chart):
    told = [f"{name}: right {mean}, from {low}, to {high}" for name, mean, low, high in chart.twin.rows]
    assert [point for point in told if point not in chart.alt] == []
    html = chart._repr_mimebundle_()["text/html"]
    assert chart.png()[:4] == b"\x89PNG" and "The same numbers as a table" in html


def test_no_words_of_the_figure_lie_over_each_other(chart):
    figure = chart.figure()
    FigureCanvasAgg(figure).draw()
    boxes = [
        text.get_window_extent() for ax in figure.axes for text in (ax.title, ax.xaxis.label, *ax.get_xticklabels())
    ]
    boxes.append(figure.legends[0].get_window_extent())
    assert not any(one.overlaps(other) for at, one in enumerate(boxes) for other in boxes[:at])
    assert all(0 <= box.x0 and box.x1 <= figure.bbox.width and 0 <= box.y0 for box in boxes)
    assert not any(ax.get_window_extent().overlaps(boxes[-1]) for ax in figure.axes)


def command(*arguments, **environ):
    run = [sys.executable, "-m", "reactkit", "measure", *map(str, arguments)]
    return subprocess.run(run, capture_output=True, encoding="utf-8", env={**os.environ, **environ})


def test_the_command_prints_all_of_it_and_the_same_bytes_each_time(folder, chart):
    ran = command(folder, PYTHONHASHSEED="1", PYTHONIOENCODING="ascii")
    more = (made("Toy-1B", folder) for made in (by_tokens, by_steps, claim_labels))
    parts = map(repr, (*tables("Toy-1B", folder), chart, *more, by_size(folder)))
    assert (ran.returncode, ran.stdout) == (0, "\n\n".join(parts) + "\n")


def test_the_command_draws_every_figure_and_the_same_bytes_each_time(folder, tmp_path):
    drawn = []
    for seed in "12":
        ran = command(folder, "--figures", tmp_path / seed, PYTHONHASHSEED=seed)
        assert (ran.returncode, ran.stderr, ran.stdout) == (0, "", f"{report(folder)}\n")
        drawn.append({path.name: path.read_bytes() for path in (tmp_path / seed).iterdir()})
    assert drawn[0] == drawn[1] and [*sorted(drawn[0])] == [
        "exact-match-by-size-of-the-model-in.svg",
        "figures.html",
        "gold-label-rows-and-label-given-columns-toy-1b.svg",
        "right-by-number-of-samples-in-toy-1b.svg",
        "right-in-and-tokens-a-task-toy-1b.svg",
        "right-in-toy-1b.svg",
        "steps-to-an-answer-in-runs-toy-1b.svg",
    ]
    assert drawn[0]["right-in-toy-1b.svg"] == own_table_1("Toy-1B", folder).picture("svg", captioned=True)
    page = drawn[0]["figures.html"].decode()
    assert [page.count(tag) for tag in ("<img ", "<figcaption>recorded", "<details>")] == [6, 6, 6]
    assert [name for name, told in drawn[0].items() if b"recorded" not in told] == []
    (tmp_path / "file").touch()
    ran = command(folder, "--figures", tmp_path / "file")
    assert ran.returncode == 1 and "takes no figures (File exists); name a folder that may be" in ran.stderr


def test_table_1_gets_the_intervals_of_an_n_and_says_that_the_paper_prints_none():
    chart, wider = table_1_at(500), table_1_at(100)
    assert len(chart.twin.rows) == 14
    for name, mean, low, high in chart.twin.rows:
        assert mean == number(f"table 1/{name.split(', ')[1]}/{name.split(', ')[0]}").value
        reach = 1.96 * (mean * (100 - mean) / 500) ** 0.5  # by theory
        assert (low, high) == pytest.approx((mean - reach, mean + reach), abs=0.6)
        assert wider.twin.value(name, "from") < low and high < wider.twin.value(name, "to")
    assert "which gives no n and no intervals" in chart.caption and "our arithmetic" in chart.caption
    lines = [line.get_xdata() for ax in chart.figure().axes for line in ax.lines if line.get_marker() == "None"]
    assert [*map(tuple, lines)] == [row[2:] for row in chart.twin.rows]


def test_the_sizes_of_models_stand_beside_the_papers(folder):
    chart = by_size(folder)
    assert chart.twin.rows[0] == ("Toy-1B", 25.0, 50.0, 25.0, 46.9)
    assert [row[0] for row in chart.twin.rows[1:]] == ["paper: PaLM 8B", "paper: PaLM 62B", "paper: PaLM 540B"]
    assert chart.twin.value("paper: PaLM 8B", "ReAct") == number("figure 3/prompt 8B/ReAct").value
    assert "recorded, n: 64 questions" in chart.caption and "measured by us from the bars" in chart.caption
    lengths = [bar.get_width() for ax in chart.figure().axes for bar in ax.patches]
    assert lengths == [mean for _, *means in chart.twin.rows for mean in means]
    assert all(f" {mean}" in chart.alt for _, *means in chart.twin.rows for mean in means)


def test_models_are_ordered_by_size_and_a_missing_method_is_no_bar(tmp_path):
    for name in ("Toy-1.5B", "toy-270m", "toys/toy.b:latest", "Toy2-135M-Instruct"):
        written(tmp_path, "Standard", kit_questions()[:1], model=name)
    (tmp_path / "results.jsonl").write_text("of evaluate()", encoding="utf-8")
    assert models(tmp_path) == ["Toy2-135M-Instruct", "toy-270m", "Toy-1.5B", "toys/toy.b:latest"]
    assert len(recorded_runs("toys/toy.b:latest", "Standard", tmp_path)[kit_questions()[0]]) == 1
    assert by_size(tmp_path).twin.rows[0][1:] == (None,) * 4
    assert by_size(tmp_path).figure().axes[0].patches[:] == []


def test_models_come_in_one_order(tmp_path):
    names = [f"Toy-{size}B" for size in range(1, 8)]
    for name in reversed(names):
        written(tmp_path, "Standard", kit_questions()[:1], model=name)
    assert re.findall(r"in %: (Toy-\dB)", report(tmp_path)) == names


def test_a_recording_under_a_name_that_would_not_be_found_is_refused(small):
    small.rename(small.with_name("mine.standard.jsonl"))
    with pytest.raises(DataError, match="holds replies of Toy-1B; give it a name such as toy-1b.react.jsonl"):
        models(small.parent)


@pytest.mark.parametrize("made", [True, False], ids=["empty", "none"])
def test_a_folder_without_recordings_is_told_of(tmp_path, made):
    folder = tmp_path if made else tmp_path / "none"
    ran = command(folder)
    told = f"reactkit measure: there are no recordings in {folder}, or none named as a-model-7b.react.jsonl\n"
    assert (ran.returncode, ran.stdout, ran.stderr) == (1, "", told)


def test_what_the_kit_ships_is_what_it_would_ask_now():
    shipped = report()
    assert "in %: " in shipped and "scripted" not in shipped and "live" not in shipped


QWEN = "Qwen2.5-Coder-1.5B-Instruct"


@pytest.mark.parametrize("model", [QWEN, "Gemma-3-270M", "SmolLM2-135M-Instruct"])
@pytest.mark.parametrize("name", ["Standard", "CoT", "Act", "ReAct"])
def test_each_model_is_recorded_on_each_task_by_each_method_that_is_one_run(model, name):
    runs = recorded_runs(model, name)
    assert len(runs) == 124 and [task.name for task, few in runs.items() if len(few) != 1] == []


def test_the_main_model_has_as_many_samples_of_each_task_as_the_paper_takes():
    assert {len(few) for few in recorded_runs(QWEN, "CoT-SC").values()} == {21}
    assert laboratory(QWEN)[1] == "missing: nothing"
