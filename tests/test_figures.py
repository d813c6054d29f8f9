"""figures: what is drawn is what the table says; every picture can be read, by everyone, from the last row."""

import re
from base64 import b64decode
from functools import cache, partial
from itertools import combinations
from math import hypot
from xml.etree import ElementTree

import pytest
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.colors import to_rgb, to_rgba
from matplotlib.text import Text
from test_laboratory import written

from reactkit import STEP_CAPS, kit_claims, kit_questions
from reactkit.failures import labels, own_table_2
from reactkit.figures import by_samples, by_size, by_steps, by_tokens, claim_labels, own_table_1, table_1_at
from reactkit.laboratory import laboratory
from reactkit.measures import bootstrap, right
from reactkit.paper import number
from reactkit.plots import METHOD_LOOKS, failure_types, fine_tuning, table_1
from reactkit.tasks import LABELS
from reactkit.votes import spent

RECORDED = [own_table_1, by_samples, by_tokens, by_steps, claim_labels]
OF_THE_PAPER = [failure_types, table_1, fine_tuning]
SMALLEST, WIDTH = 13, 8  # points and inches: a fortieth of the picture's width for a line of text
SIGHTS = {  # what linear sRGB turns into without one kind of cone: Machado et al. 2009, severity 1
    "all cones": ((1, 0, 0), (0, 1, 0), (0, 0, 1)),
    "no red cones": (
        (0.152286, 1.052583, -0.204868),
        (0.114503, 0.786281, 0.099216),
        (-0.003882, -0.048116, 1.051998),
    ),
    "no green cones": (
        (0.367322, 0.860646, -0.227968),
        (0.280085, 0.672501, 0.047413),
        (-0.011820, 0.042940, 0.968881),
    ),
    "no blue cones": (
        (1.255528, -0.076749, -0.178779),
        (-0.078411, 0.930809, 0.147602),
        (0.004733, 0.691367, 0.303900),
    ),
}
TO_XYZ = ((0.4124, 0.3576, 0.1805), (0.2126, 0.7152, 0.0722), (0.0193, 0.1192, 0.9505))


def linear(colour):
    return [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in to_rgb(colour)]


def times(matrix, vector):
    return [sum(a * b for a, b in zip(row, vector)) for row in matrix]


def contrast(one, other="white"):
    """Return the contrast of two colours, 1 to 21, as WCAG 2 defines it."""
    low, high = sorted(times(TO_XYZ, linear(colour))[1] for colour in (one, other))
    return (high + 0.05) / (low + 0.05)


def seen(colour, sight):
    """Return a colour in CIE Lab as it is seen: two that are 2.3 apart can just be told apart side by side."""
    light = [min(max(part, 0), 1) for part in times(SIGHTS[sight], linear(colour))]
    x, y, z = (part / white for part, white in zip(times(TO_XYZ, light), (0.9505, 1, 1.089)))
    f = [part ** (1 / 3) if part > 0.008856 else 7.787 * part + 16 / 116 for part in (x, y, z)]
    return 116 * f[1] - 16, 500 * (f[0] - f[1]), 200 * (f[1] - f[2])


@pytest.fixture(scope="module")
def folders(tmp_path_factory):
    """Recordings of all methods; of two, and of a third's answers to questions alone; and of one answer."""
    full, few, none = (tmp_path_factory.mktemp(name) for name in ("full", "few", "none"))
    tasks = [*kit_questions(), *kit_claims()]
    for name in ("Standard", "CoT", "Act", "ReAct"):
        written(full, name, tasks)
    written(full, "CoT-SC", tasks, 3)
    for name, asked in (("Standard", tasks), ("CoT", tasks), ("ReAct", kit_questions())):
        written(few, name, asked, model="A-Model-With-A-Long-Name-1.5B-Instruct")
    written(none, "Standard", kit_questions()[:1])  # too little for any number
    return {"full": full, "few": few, "none": none}


@pytest.fixture(scope="module")
def charts(folders):
    """Return a function from a name, such as "by_steps/full", to the chart and its drawn figure, made once."""
    makers = {f"{made.__name__}/": made for made in OF_THE_PAPER}
    makers["table_1_at/"] = lambda: table_1_at(500)
    makers["own_table_2/"] = lambda: own_table_2(labels()[0].run.trajectory.model)
    for which, folder in folders.items():
        model = "A-Model-With-A-Long-Name-1.5B-Instruct" if which == "few" else "Toy-1B"
        makers |= {f"{made.__name__}/{which}": partial(made, model, folder) for made in RECORDED}
        makers[f"by_size/{which}"] = partial(by_size, folder)

    @cache
    def made(name):
        chart = makers[name]()
        figure = chart.figure()
        FigureCanvasAgg(figure).draw()
        figure.set_layout_engine("none")
        return chart, figure

    return made


NAMES = [f"{made.__name__}/" for made in OF_THE_PAPER] + ["own_table_2/"]
NAMES += [f"{made.__name__}/{which}" for made in RECORDED for which in ("full", "few", "none")]
NAMES += ["by_size/full", "by_size/few", "table_1_at/"]
each_figure = pytest.mark.parametrize("name", NAMES)


def shown(figure):
    """Return the texts that are drawn: a tick beyond the end of its axis has a text, too, and is not."""
    hidden = set()
    for axis in (axis for ax in figure.axes for axis in (ax.xaxis, ax.yaxis)):
        low, high = sorted(axis.get_view_interval())
        ticks = (*axis.get_major_ticks(), *axis.get_minor_ticks())
        hidden |= {label for tick in ticks if not low <= tick.get_loc() <= high for label in (tick.label1, tick.label2)}
    texts = (text for text in figure.findobj(Text) if text.get_visible() and text not in hidden)
    return [text for text in texts if text.get_text().strip()]


@each_figure
def test_no_text_is_small_or_cut_or_lies_on_another(charts, name):
    _, figure = charts(name)
    boxes = [(text.get_window_extent(), text) for text in shown(figure)]
    assert figure.get_figwidth() == WIDTH and len(boxes) > 1
    for place, (box, text) in enumerate(boxes):
        assert text.get_fontsize() >= SMALLEST, text
        assert 0 <= box.x0 and box.x1 <= figure.bbox.width and 0 <= box.y0 and box.y1 <= figure.bbox.height, text
        assert [other for where, other in boxes[:place] if box.overlaps(where)] == [], text


@each_figure
def test_each_text_stands_out_from_all_that_is_drawn_under_it(charts, name):
    _, figure = charts(name)
    texts = [(text, text.get_window_extent()) for text in shown(figure)]
    for text, _ in texts:
        text.set_visible(False)
    canvas = FigureCanvasAgg(figure)
    canvas.draw()
    pixels = canvas.buffer_rgba()
    height = len(pixels)
    for text, box in texts:
        text.set_visible(True)
        rows, columns = range(int(height - box.y1) + 1, int(height - box.y0)), range(int(box.x0) + 1, int(box.x1))
        grounds = {tuple(pixels[row, column, part] / 255 for part in range(3)) for row in rows for column in columns}
        assert min(contrast(text.get_color(), ground) for ground in grounds) >= 4.5, text


def marks(figure):
    """Yield the colour of each bar, line and point, or of its edge where it is white; shades under numbers are none."""
    for ax in figure.axes:
        for bar in ax.patches:
            face = to_rgba(bar.get_facecolor())
            if face[3] in (0, 1):
                yield bar.get_edgecolor() if face[3] == 0 or contrast(face) == 1 else face
        for line in ax.lines:
            white = contrast(line.get_color()) == 1
            yield line.get_markeredgecolor() if white else line.get_color()
        yield from (colour for part in ax.collections for colour in part.get_color())


@each_figure
def test_each_mark_stands_out_from_the_white_ground(charts, name):
    _, figure = charts(name)
    assert {to_rgb(part.get_facecolor()) for part in (figure, *figure.axes)} == {(1, 1, 1)}
    assert [colour for colour in marks(figure) if contrast(colour) < 3] == []


@pytest.mark.parametrize("sight", SIGHTS)
def test_methods_are_told_apart_by_hatch_or_by_colours_that_stay_apart(sight):
    for (one, (colour, hatch)), (other, (second, hatched)) in combinations(METHOD_LOOKS.items(), 2):
        if hatch == hatched and colour != second:
            apart = [a - b for a, b in zip(seen(colour, sight), seen(second, sight))]
            assert hypot(*apart) >= 10, (one, other)


@each_figure
def test_the_picture_is_sharp_and_its_words_and_numbers_stand_beside_it(charts, name):
    chart, _ = charts(name)
    html = chart._repr_mimebundle_()["text/html"]
    picture = b64decode(re.search(r'src="data:image/svg\+xml;base64,([^"]+)"', html)[1])
    root = ElementTree.fromstring(picture)
    assert root.get("width") == "576pt" and b"<text" not in picture and b"<image" not in picture
    assert chart.twin.html() in html
    cells = [str(cell) for _, *cells in chart.twin.rows for cell in cells if cell is not None]
    assert [cell for cell in cells if cell not in chart.alt] == []
    assert len(picture) < 200_000


@pytest.mark.parametrize("name", [name for name in NAMES if name.split("/")[1] and "by_size" not in name])
def test_each_caption_says_kind_model_how_many_and_what_is_missing(charts, name):
    chart, _ = charts(name)
    assert re.match(r"recorded · [\w.-]+; n: 64 questions, 60 claims; missing: ", chart.caption)
    if "none" in name:
        assert "missing" in " ".join(text.get_text() for text in shown(charts(name)[1]))


def test_the_own_table_1_has_each_method_with_its_interval_and_the_papers_number(charts, folders):
    chart, figure = charts("own_table_1/full")
    found = laboratory("Toy-1B", folders["full"])[0]["claims", "ReAct"]
    score = bootstrap([right(*pair) for pair in found.items()])
    assert chart.twin.rows[11] == ("claims, ReAct", *score, number("table 1/ReAct/FEVER").value)
    assert len(chart.twin.rows) == 14 and "Table 1" in chart.caption
    lines = figure.axes[1].lines
    assert [line.get_xdata()[0] for line in lines if line.get_marker() == "D"] == [
        row[4] for row in chart.twin.rows[7:]
    ]
    assert [line.get_xdata()[0] for line in lines if line.get_marker() == "o"] == [
        row[1] for row in chart.twin.rows[7:]
    ]
    assert charts("own_table_1/few")[0].twin.value("questions, Act", "right") is None


def test_a_task_costs_the_tokens_of_all_the_runs_behind_its_answer(charts, folders):
    chart, figure = charts("by_tokens/full")
    found = laboratory("Toy-1B", folders["full"])[0]["questions", "CoT-SC → ReAct"].values()
    cost = spent(run for verdict in found for run in verdict.runs)
    tokens = round((cost.tokens_read + cost.tokens_written) / 64)
    assert chart.twin.value("questions, CoT-SC → ReAct", "tokens") == tokens
    assert chart.twin.value("questions, CoT-SC", "tokens") == 3 * 110
    points = {tuple(xy[0] for xy in line.get_data()) for line in figure.axes[0].lines if line.get_marker() == "o"}
    assert points == {row[1:3] for row in chart.twin.rows if row[0].startswith("questions")}


def test_steps_are_counted_up_to_the_cap_and_runs_without_an_answer_below_it(charts):
    chart, figure = charts("by_steps/full")
    rows = {name: (well, wrong) for name, well, wrong in chart.twin.rows}
    assert (rows["questions, ReAct, step 1"], rows["questions, ReAct, no answer"]) == ((30, 30), (0, 4))
    assert rows["claims, Act, step 1"] == (15, 45)
    for sort, cap, tasks in (("questions", STEP_CAPS["Question"], 64), ("claims", STEP_CAPS["Claim"], 60)):
        ours = {name: sum(counts) for name, counts in rows.items() if name.startswith(f"{sort}, ReAct")}
        assert len(ours) == cap + 1 and sum(ours.values()) == tasks and f"{sort}, ReAct, step {cap}, cap" in ours
    assert sorted(bar.get_width() for bar in figure.axes[1].patches) == [-30, -4, 30]
    assert [ax.get_title(loc="left") for ax in charts("by_steps/few")[1].axes][2:] == [
        "Act, claims: missing",
        "ReAct, claims: missing",
    ]


def test_claims_are_counted_by_gold_label_and_label_given(charts, folders):
    chart, figure = charts("claim_labels/full")
    found = laboratory("Toy-1B", folders["full"])[0]["claims", "ReAct"]
    for gold in LABELS:
        given = [run.answer for task, run in found.items() if task.gold == gold]
        cells = {said: given.count(said) for said in LABELS} | {"no answer": given.count(None)}
        cells["other words"] = len(given) - sum(cells.values())
        for said, count in cells.items():
            assert chart.twin.value(f"ReAct, {gold}", said) == f"{count} ({100 * count / len(given):.0f} %)"
    assert [ax.get_title(loc="left") for ax in figure.axes] == [*METHOD_LOOKS]


def test_the_fine_tuned_half_of_figure_3_says_who_measured_it(charts):
    chart, figure = charts("fine_tuning/")
    assert chart.twin.value("fine-tuned: PaLM 62B", "ReAct") == number("figure 3/fine-tune 62B/ReAct").value
    assert "measured by us from the bars" in chart.caption and "no intervals and no number of" in chart.caption
    lengths = [bar.get_width() for ax in figure.axes for bar in ax.patches]
    assert lengths == [mean for _, *means in chart.twin.rows for mean in means]
    assert [ax.get_title(loc="left") for ax in figure.axes] == ["Fine-tuned", "Prompted"]
