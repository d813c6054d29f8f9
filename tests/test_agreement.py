from fractions import Fraction
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.colors import to_hex
from test_plots import bars, contrast, shown_texts

from reactkit.agreement import beside_table_2, kappa
from reactkit.errors import DataError
from reactkit.paper import table

MODES = [kind for kind, *_ in table("Table 2").rows]
HOSTILE = "<b>&amp;</b> $\\frac$ </script>"
MINE = dict(zip("abcdefghij", [MODES[2]] * 5 + [MODES[3]] * 3 + [MODES[4]] * 2))
KEY = MINE | {"a": MODES[5], "f": MODES[0], "j": MODES[1], "z": MODES[2]}


def labels(*counts):
    """Return what two readers gave, from a table of counts: the first reader's labels down, the second's across."""
    cells = [
        (down, across) for down, row in enumerate(counts) for across, count in enumerate(row) for _ in range(count)
    ]
    return [{str(name): "abc"[pair[reader]] for name, pair in enumerate(cells)} for reader in (0, 1)]


def by_disagreement(first, second):
    """Return kappa another way: 1 less the share that differs over the share that differs if anyone meets anyone."""
    seen = Fraction(sum(first[name] != second[name] for name in first), len(first))
    met = Fraction(sum(one != other for one, other in product(first.values(), second.values())), len(first) ** 2)
    return 1 - seen / met if met else None


@pytest.mark.parametrize(
    ("counts", "value"),
    [
        ([[20, 5], [10, 15]], Fraction(2, 5)),
        ([[45, 15], [25, 15]], Fraction(3, 23)),
        ([[25, 35], [5, 35]], Fraction(7, 27)),
        ([[0, 5], [5, 0]], Fraction(-1)),
        ([[9, 0, 1], [2, 6, 0], [0, 3, 4]], None),
    ],
)
def test_kappa_is_what_two_routes_in_whole_numbers_give(counts, value):
    first, second = labels(*counts)
    exactly = by_disagreement(first, second)
    assert value in (exactly, None)
    assert kappa(first, second).kappa == pytest.approx(float(exactly), abs=1e-12)


@given(st.lists(st.tuples(st.sampled_from("abc"), st.sampled_from("abc")), min_size=1, max_size=4))
def test_kappa_of_any_labels_is_that_of_the_other_route_and_undefined_where_that_is(pairs):
    first, second = ({str(name): pair[reader] for name, pair in enumerate(pairs)} for reader in (0, 1))
    exactly, found = by_disagreement(first, second), kappa(first, second)
    assert found.kappa == (None if exactly is None else pytest.approx(float(exactly), abs=1e-12))
    assert found.interval is None


def test_labels_that_never_vary_leave_kappa_undefined_and_that_is_said():
    found = kappa(*labels([8]))
    assert (found.n, found.raw, found.kappa, found.interval) == (8, 1.0, None, None)
    assert "8 alike. Kappa is undefined, since both gave every trace the same label." in found.chart.caption


def test_a_reader_with_a_single_label_is_told_why_kappa_is_0():
    found = kappa(*labels([6, 2]))
    assert (found.raw, found.kappa) == (0.75, 0.0)
    assert "Kappa is 0.00 (95 % interval" in found.chart.caption
    assert "); one reader used a single label, which makes it 0." in found.chart.caption


def test_the_interval_is_the_same_each_time_holds_kappa_and_does_not_take_5_of_5_for_certain():
    for counts in ([[20, 5], [10, 15]], [[3, 0], [0, 2]], [[9, 0, 1], [2, 6, 0], [0, 3, 4]]):
        found, again = kappa(*labels(*counts)), kappa(*labels(*counts))
        low, high = found.interval
        assert found.interval == again.interval and low < found.kappa <= high
    assert kappa(*labels([3, 0], [0, 2])).interval[0] < 0.5
    assert kappa(*labels([2, 0], [0, 2])).interval is None
    width = [high - low for low, high in (kappa(*labels([4 * n, n], [2 * n, 3 * n])).interval for n in (1, 10))]
    assert width[0] > 2 * width[1]


def test_an_agreement_names_what_differs_and_counts_what_only_one_labelled():
    found = kappa(MINE, KEY, modes=MODES, about="recorded · tiny")
    assert (found.n, found.raw, found.differing) == (10, 0.7, ("a", "f", "j"))
    assert found.chart.caption == (
        f"n: 10 traces that both labelled, recorded · tiny; 7 alike. Kappa is {found.kappa:.2f} (95 % interval "
        f"{found.interval[0]} to {found.interval[1]}). Labelled differently: a, f, j. By one only: 1."
    )
    assert found.chart.twin.columns == ("you (down), the key (across)", *MODES)
    assert [found.chart.twin.value(MODES[2], other) for other in MODES] == [0, 0, 4, 0, 0, 1]
    assert sum(sum(row) for _, *row in found.chart.twin.rows) == 10


def test_readers_with_no_trace_in_common_are_refused():
    with pytest.raises(DataError, match="you and Ada labelled no trace in common; label some"):
        kappa({"a": "x"}, {"b": "x"}, ("you", "Ada"))


def test_a_label_that_does_not_exist_is_refused_with_those_that_do():
    for pair in (({"a": "oops"}, KEY), (MINE, {"a": "oops"})):
        with pytest.raises(DataError, match="'oops' is no label here; the labels are success, true positive; success"):
            kappa(*pair, modes=MODES)


def test_one_trace_is_one_trace():
    chart = kappa({"a": "x"}, {"a": "x"}).chart
    assert (chart.caption[:32], chart.twin.title) == ("n: 1 trace that both labelled; 1", "Agreement on 1 trace")
    assert "n: 0 right and 1 wrong run, with" in beside_table_2({"a": MODES[2]}).caption


def test_your_shares_stand_beside_the_papers_with_their_n():
    chart, paper = beside_table_2(MINE, "CoT", "recorded · tiny"), table("Table 2")
    rows = {kind: cells for kind, *cells in chart.twin.rows}
    assert {kind: cells[-1] for kind, cells in rows.items()} == {kind: paper.value(kind, "CoT") for kind in MODES}
    assert [rows[kind][0] for kind in MODES] == [None, None, 50.0, 30.0, 20.0, 0.0]
    assert [rows[kind][3] for kind in MODES] == [0, 0, 10, 10, 10, 10]
    assert chart.caption == (
        "Yours, n: 0 right and 10 wrong runs, recorded · tiny, with 95 % intervals. "
        "PaLM-540B on HotpotQA, n: 50 and 50 (Table 2, p. 6). Counted apart."
    )
    labels = [text for ax in chart.figure().axes for text, _ in bars(ax)]
    told = [f"yours {mine} % ({low} to {high})" for mine, low, high, *_ in map(rows.get, MODES[2:])]
    assert labels[::2] == ["yours: none labelled"] * 2 + told
    assert "failure, search result error: yours 30.0 %, paper not applicable;" in chart.alt


def test_a_label_that_table_2_lacks_is_refused_with_what_it_has():
    with pytest.raises(DataError, match="has no 'failure, reasoning'; the nearest are 'failure, reasoning error'"):
        beside_table_2({"a": "failure, reasoning"})


CHARTS = {
    "agreement": kappa(MINE, KEY, modes=MODES).chart,
    "one label": kappa(*labels([8])).chart,
    "hostile": kappa({"a": HOSTILE, "b": "x"}, {"a": HOSTILE, "b": "y"}, (HOSTILE, HOSTILE)).chart,
    "shares": beside_table_2({**KEY, **{str(name): MODES[0] for name in range(9)}}),
}
each_chart = pytest.mark.parametrize("chart", CHARTS.values(), ids=CHARTS)


@each_chart
def test_alt_text_and_table_hold_each_number_and_nothing_becomes_markup(chart):
    bundle = chart._repr_mimebundle_()
    assert bundle == chart._repr_mimebundle_() and chart.svg() == chart.svg()
    for _, *cells in chart.twin.rows:
        assert chart.alt.count(", ".join(map(str, cells)) if chart is not CHARTS["shares"] else "yours")
    assert "</script>" not in bundle["text/html"] and repr(chart.twin) in bundle["text/plain"]


@each_chart
def test_each_text_stands_out_is_large_and_touches_no_other(chart):
    figure = chart.figure()
    FigureCanvasAgg(figure).draw()
    boxes = [(text.get_window_extent(), text) for text in shown_texts(figure)]
    assert min(contrast(to_hex(text.get_color())) for _, text in boxes) >= 4.5
    for place, (box, text) in enumerate(boxes):
        assert text.get_fontsize() >= 13 and box.x0 >= 0 and box.x1 <= figure.bbox.width, text
        assert not any(box.overlaps(other) for other, _ in boxes[:place]), text


def test_the_darkest_cell_of_the_matrix_leaves_its_number_readable():
    figure = CHARTS["agreement"].figure()
    (mesh,) = figure.axes[0].collections
    FigureCanvasAgg(figure).draw()
    ink = contrast(to_hex(shown_texts(figure)[0].get_color()))
    assert min(ink / contrast(to_hex(colour)) for colour in mesh.get_facecolors()) >= 4.5
