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
        (stub, "Not started yet. Write your code"),
        (broken, "came:   ZeroDivisionError: division by zero"),
        (lambda number: None, "is a return missing?"),
    ],
)
def test_stubs_errors_and_missing_returns_are_told_calmly(function, told):
    assert told in repr(check("00.1", [Trial(function, (2,), 4, "Look.")]))


def test_a_value_of_another_type_is_not_the_same():
    assert not check("00.1", [Trial(lambda: 1, (), True, "Look.")]).passed


def test_no_trials_at_all_is_refused():
    with pytest.raises(ValueError, match="no trial"):
        check("00.1", [])


def test_the_report_is_escaped_in_html_and_long_values_are_shortened():
    report = check("<b>", [Trial(lambda: "<script>" + "x" * 900, (), "y", "Look.")])
    html = report._repr_html_()
    assert "&lt;b&gt;" in html and "&lt;script&gt;" in html and "<script>" not in html
    assert "(910 characters in all)" in html
