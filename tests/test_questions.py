import re

import pytest

from reactkit.questions import predict, quiz

QUIZ = quiz("2 < 3?", {"yes": "Two is less.", "no": "Count again."}, right="yes")


def test_a_quiz_gives_a_reason_for_each_option():
    assert repr(QUIZ) == "2 < 3?\nA. yes\nB. no\n\nA: Right. Two is less.\nB: Not this one. Count again."
    assert re.findall("<details.*</details>", QUIZ._repr_html_()) == [
        '<details data-verdict="Right."><summary>A. yes</summary><p><b>Right.</b> Two is less.</p></details>'
        '<details data-verdict="Not this one."><summary>B. no</summary>'
        "<p><b>Not this one.</b> Count again.</p></details>"
    ]


def test_a_prediction_offers_its_options_by_letter():
    asked = predict("Which?", ["one", "two"])
    assert repr(asked) == "Predict: Which?\nA. one\nB. two\nChoose, then run the next cell."
    assert asked._repr_html_().count('type="radio"') == 2


def test_text_is_escaped():
    for shown in (predict("<i>", ["<b>"]), quiz("<i>", {"<b>": "<u>"}, right="<b>")):
        html = shown._repr_html_()
        assert not any(tag in html for tag in ("<i>", "<u>")) and "&lt;i&gt;" in html and "&lt;b&gt;" in html


def test_a_quiz_whose_right_option_is_missing_is_refused():
    with pytest.raises(ValueError, match="'maybe'"):
        quiz("?", {"yes": "", "no": ""}, right="maybe")
