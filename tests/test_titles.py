"""Titles: which are the same, and their words."""

import pytest

from reactkit.titles import LONGEST_TITLE, key, plain


@pytest.mark.parametrize("form", ["Lord Byron", "lord_byron", "  LORD   Byron ", "Lord\tBYRON\n"])
def test_forms_of_a_title_have_one_key(form):
    assert key(form) == "lord byron"


@pytest.mark.parametrize(
    ("title", "words"),
    [
        ("São Paulo (state)", "sao paulo state"),
        ("Sa\u0303o_Paulo", "sao paulo"),
        ("Rock 'n' roll", "rock n roll"),
        ("ＡＢＣ—½", "abc 1 2"),
        ("Straße", "strasse"),
        ("हिन्दी", "हनद"),
        ("東京", "東京"),
        ("C++ \ud800\x00", "c"),
        ("!?", ""),
    ],
)
def test_a_plain_title_has_words_only(title, words):
    assert plain(title) == words


def test_of_a_text_too_long_for_a_title_only_the_beginning_is_read():
    assert plain("ab " * 10**6) == " ".join(["ab"] * (LONGEST_TITLE // 3))
