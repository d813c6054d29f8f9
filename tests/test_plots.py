import re
from dataclasses import replace
from io import BytesIO

import pytest
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.colors import to_hex, to_rgb
from matplotlib.text import Text
from PIL import Image

from reactkit.paper import Table, number, table
from reactkit.plots import column_check, failure_types, table_1

CHARTS = [failure_types, table_1]
each_chart = pytest.mark.parametrize("chart", CHARTS)


def bars(ax):
    """Return (label, length) for each labelled bar, from the top; a label without a bar has length None."""
    lengths = {round(bar.get_y() + bar.get_height() / 2, 3): bar.get_width() for bar in ax.patches}
    labels = sorted((text.get_position()[1], text.get_text()) for text in ax.texts)
    return [(label, lengths.get(round(place, 3))) for place, label in labels]


def contrast(colour):
    """Return the contrast of a colour with white, 1 to 21, as WCAG 2 defines it."""
    linear = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in to_rgb(colour))
    return 1.05 / (sum(share * part for share, part in zip((0.2126, 0.7152, 0.0722), linear, strict=True)) + 0.05)


def shown_texts(figure):
    return [text for text in figure.findobj(Text) if text.get_text() and text.get_visible()]


@pytest.mark.parametrize("panel, half", [(0, "success"), (1, "failure")])
def test_the_failure_chart_draws_table_2(panel, half):
    ax = failure_types().figure().axes[panel]
    rows = [row for row in table("Table 2").rows if row[0].startswith(half)]
    terms = [kind.split(", ")[1] for kind, *_ in rows]
    words = {"true positive": "Right, and soundly so ({})", "false positive": "Right, with something invented ({})"}
    names = [" ".join(name.get_text().split()) for name in ax.get_yticklabels()]
    assert names == [words.get(term, term.capitalize()).format(term) for term in terms]
    assert bars(ax) == [
        (f"{method} {'not applicable' if share is None else f'{share} %'}", share)
        for _, *shares in rows
        for method, share in zip(("ReAct", "CoT"), shares, strict=True)
    ]


@pytest.mark.parametrize("panel, task", [(0, "HotpotQA"), (1, "FEVER")])
def test_the_table_1_chart_draws_table_1_with_the_switches_set_apart(panel, task):
    ax, first = table_1().figure().axes[panel], table_1().figure().axes[0]
    scores = {row: number(f"table 1/{row}/{task}").value for row, *_ in table("Table 1").rows}
    trained = scores.pop("Supervised SoTA")
    labels = [(str(score), score) for score in scores.values()]
    assert bars(ax) == [(f"trained {trained}", None), *labels[:5], ("combinations", None), *labels[5:]]
    assert [name.get_text() for name in first.get_yticklabels()] == list(scores)
    assert list(ax.lines[0].get_xdata()) == [trained, trained]


def test_a_method_is_told_by_hatch_as_well_as_by_colour():
    react, cot = failure_types().figure().axes[0].patches[:2]
    assert (react.get_hatch(), cot.get_hatch()) == ("", "//")
    assert react.get_facecolor() != cot.get_facecolor()
    hatched = [bool(bar.get_hatch()) for bar in table_1().figure().axes[0].patches]
    assert hatched == [False, True, True, False, False, True, True]


@each_chart
def test_alt_text_and_table_state_every_plotted_number(chart):
    alt, text = chart().alt, chart()._repr_mimebundle_()["text/plain"]
    for name, *cells in chart().twin.rows:
        told = re.search(rf"{re.escape(name)}: ([^;]*?)[;.] ", alt)[1]
        assert [float(figure) for figure in re.findall(r"[\d.]+(?= %)", told)] == [
            cell for cell in cells if cell is not None
        ]
        assert re.search(rf"^{re.escape(name)} +{' +'.join('—' if c is None else str(c) for c in cells)}$", text, re.M)


@each_chart
def test_the_caption_says_where_the_numbers_stand_and_how_many_runs_are_behind_them(chart):
    caption = chart().caption
    assert re.search(r"printed in the paper, Table [12], p\. [56]\)", caption)
    assert "50 right and 50 wrong runs" in caption or "no number of questions" in caption


def test_what_cannot_be_right_in_a_column_of_shares_is_worked_out():
    columns, kinds = ("kind", "ReAct"), ("failure, a", "failure, b", "failure, c")
    assert column_check(Table("", columns, tuple(zip(kinds, (50, 28, 22), strict=True))), "ReAct", 50) == ""
    assert column_check(table("Table 2"), "CoT", 50) == ""
    assert column_check(table("Table 2"), "ReAct", 50) == (
        "Our arithmetic: ReAct's failure shares add up to 99 %, not 100 %. "
        "No count out of 50 gives 47 % or 23 % or 29 %."
    )
    note = " ".join(failure_types().figure().axes[1].get_xlabel().split())
    assert note == column_check(table("Table 2"), "ReAct", 50)
    assert note in failure_types().caption and note in failure_types().alt


def test_hostile_words_come_out_escaped():
    evil = '"><script>alert(1)</script>$\\frac$&'
    chart = failure_types()
    chart = replace(chart, twin=replace(chart.twin, title=evil), caption=evil, alt=evil)
    html = chart._repr_mimebundle_()["text/html"]
    assert "<script" not in html
    assert html.count("&quot;&gt;&lt;script&gt;alert(1)&lt;/script&gt;$\\frac$&amp;") == 3
    assert "<script" not in chart.svg()


@each_chart
def test_the_bundle_is_the_same_each_time_and_holds_no_address(chart):
    first, second = chart()._repr_mimebundle_(), chart()._repr_mimebundle_()
    assert first == second and chart().svg() == chart().svg() and chart() == chart()
    assert set(first) == {"text/html", "text/plain"}
    assert " at 0x" not in first["text/plain"] + re.sub("base64,[A-Za-z0-9+/=]+", "", first["text/html"])
    assert first["text/html"].count('<figure><img src="data:image/svg+xml;base64,') == 1


@each_chart
def test_text_and_bars_stand_out_from_a_white_ground(chart):
    figure = chart().figure()
    grounds = {to_hex(part.get_facecolor()) for part in (figure, *figure.axes)}
    bar_colours = {to_hex(bar.get_facecolor()) for ax in figure.axes for bar in ax.patches}
    text_colours = {to_hex(text.get_color()) for text in shown_texts(figure)}
    assert grounds == {"#ffffff"}
    assert len(bar_colours) >= 2 and min(contrast(colour) for colour in bar_colours) >= 3
    assert min(contrast(colour) for colour in text_colours) >= 4.5


@each_chart
def test_every_text_is_large_enough_inside_the_picture_and_clear_of_the_others(chart):
    figure = chart().figure()
    FigureCanvasAgg(figure).draw()
    boxes = [(text.get_window_extent(), text) for text in shown_texts(figure)]
    drawn = [bar.get_window_extent() for ax in figure.axes for bar in ax.patches]
    assert len(boxes) > 10 and figure.get_figwidth() == 8
    for place, (box, text) in enumerate(boxes):
        assert text.get_fontsize() >= 13, text
        assert 0 <= box.x0 and box.x1 <= figure.bbox.width and 0 <= box.y0 and box.y1 <= figure.bbox.height, text
        assert not any(box.overlaps(other) for other in (*drawn, *(box for box, _ in boxes[:place]))), text


@each_chart
def test_the_png_is_opaque_white_and_wide_enough_for_a_projector(chart):
    picture = Image.open(BytesIO(chart().png()))
    assert picture.width == 960
    assert picture.convert("RGBA").getpixel((2, picture.height - 3)) == (255, 255, 255, 255)
    assert picture.text["Description"] == chart().alt
