import pytest

from reactkit.checks import Trial, check


def double(number):
    return 2 * number


def stub(number):
    raise NotImplementedError("not started yet")


def broken(number):
    return number / 0


def test_all_tries_right_is_passed():
    report = check("00.1", [Trial(double, (2,), 4, ""), Trial(double, (3,), 6, "")])
    assert (report.passed, repr(report)) == (True, "00.1: passed, 2 of 2 tries right")


def test_a_wrong_value_tells_what_was_tried_what_came_what_was_wanted_and_where_to_look():
    report = check("00.1", [Trial(double, (2,), 4, ""), Trial(double, (2,), 5, "Look at the factor.")])
    assert repr(report) == (
        "00.1: 1 of 2 tries right\ntried:  double(2)\ncame:   4\nwanted: 5\nlook:   Look at the factor."
    )


def test_a_known_mistake_gets_the_message_meant_for_it():
    trial = Trial(double, (2,), 5, "Look.", mistakes=((4, "You doubled; add one as well."),))
    assert "You doubled; add one as well." in repr(check("00.1", [trial]))


@pytest.mark.parametrize(
    ("function", "told"),
    [
        (stub, "came:   Not started yet.\nlook:   Write your code"),
        (broken, "came:   ZeroDivisionError: division by zero"),
        (lambda number: None, "is a return missing?"),
    ],
)
def test_stubs_errors_and_missing_returns_are_told_calmly(function, told):
    assert told in repr(check("00.1", [Trial(function, (2,), 4, "Look.")]))


@pytest.mark.parametrize(
    ("came", "wanted", "look"),
    [
        (1, True, "Right value, wrong type: return a bool. Look."),
        (True, 1, "Right value, wrong type: return an int. Look."),
        (["a", "b"], ("a", "b"), "Right value, wrong type: return a tuple. Look."),
        ({"b", "a"}, ("a", "b"), "Right value, wrong type: return a tuple. Look."),
        (("b", "a"), ["a", "b"], "Look."),
        ([["a"], ["a"]], {"a"}, "Look."),
        ([1], [True], "Look."),
        ({"a": (1,)}, {"a": (True,)}, "Look."),
    ],
)
def test_a_value_of_another_type_is_not_the_same(came, wanted, look):
    assert dict(check("00.1", [Trial(lambda: came, (), wanted, "Look.")]).told)["look"] == look
    assert check("00.1", [Trial(lambda: came, (), came, "Look.")]).passed


@pytest.mark.parametrize(
    ("came", "where"),
    [
        ("a\nb ", "first difference, line 2: came 'b ' / wanted 'b'"),
        ("a", "first difference, line 2: came no such line / wanted 'b'"),
        ("a\nb\n", "first difference, line 3: came '' / wanted no such line"),
    ],
)
def test_texts_of_several_lines_stand_as_printed_and_the_first_line_that_differs_is_named(came, where):
    report = check("00.1", [Trial(lambda: came, (), "a\nb", "Look.", shown="two()")])
    assert dict(report.told)["where"] == where
    assert f"wanted: a\n        b\nwhere:  {where}\nlook:   Look." in repr(report)
    assert "<dt>wanted</dt><dd><code>a\nb</code></dd>" in report._repr_html_()
    assert report._repr_html_().count("<dt>") == 5 and "<dt>look</dt><dd>Look.</dd>" in report._repr_html_()


def test_one_line_against_another_needs_no_place():
    assert "where" not in dict(check("00.1", [Trial(lambda: "a", (), "b", "Look.")]).told)


def test_no_trials_at_all_is_refused():
    with pytest.raises(ValueError, match="no trial"):
        check("00.1", [])


def test_the_report_is_escaped_in_html_and_long_values_are_shortened():
    report = check("<b>", [Trial(lambda: "<script>" + "x" * 900, (), "y", "Look.")])
    html = report._repr_html_()
    assert "&lt;b&gt;" in html and "&lt;script&gt;" in html and "<script>" not in html
    assert "(910 characters in all)" in html


class Unshowable:
    def __repr__(self):
        raise RuntimeError("no")


def leaves():
    raise SystemExit(3)


@pytest.mark.parametrize(
    ("function", "told"), [(Unshowable, "a Unshowable that cannot be shown"), (leaves, "SystemExit: 3")]
)
def test_nothing_that_a_learner_returns_or_raises_stops_the_notebook(function, told):
    assert told in repr(check("00.1", [Trial(function, (), 4, "Look.")]))
