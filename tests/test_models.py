import pytest

from reactkit import Deaf, Exchange, Rules, Scripted, ScriptError
from reactkit.models import cut


@pytest.mark.parametrize(
    ("text", "stop", "kept"),
    [
        ("a\nObservation 1: b", ["\nObservation 1:"], "a"),
        ("abcabc", ["c", "b"], "a"),
        ("abc", ["x"], "abc"),
        ("abc", [], "abc"),
        ("abc", [""], "abc"),
    ],
)
def test_a_reply_is_cut_at_the_first_stop(text, stop, kept):
    assert cut(text, stop) == kept


def test_a_script_gives_its_replies_in_order_and_keeps_what_it_was_asked():
    model = Scripted(["one\nObservation 1: x", "two"])
    assert [model("first", ["\nObservation"]), model("second")] == ["one", "two"]
    assert list(model.log) == [Exchange("first", ("\nObservation",), "one"), Exchange("second", (), "two")]
    assert model.log.calls == 2


def test_a_script_that_is_asked_too_often_says_so():
    with pytest.raises(ScriptError, match="0 replies.*step cap"):
        Scripted([])("anything")


RULES = Rules({"rain": "Finish[coat]", "Paris": "Weather[Paris]{step}"}, otherwise="no idea")


@pytest.mark.parametrize(
    ("context", "reply"),
    [
        ("Question: Paris?\nAction 1:", "Weather[Paris]1"),
        ("Question: Paris?\nAction 1: Weather[Paris]\nObservation 1: Rain.\nAction 2:", "Finish[coat]"),
        ("Question: rain\nAnswer: yes\n\nQuestion: Paris?\nAction 3:", "Weather[Paris]3"),
        ("Question: Rome?\nAction 1:", "no idea"),
        ("Claim: paris\nThought 1:", "Weather[Paris]1"),
    ],
)
def test_rules_answer_what_stands_last_and_remember_nothing(context, reply):
    assert [RULES(context), RULES(context)] == [reply, reply]


def test_a_deaf_model_never_passes_stop_on():
    deaf = Deaf(Scripted(["a\nObservation 1: b"], name="m"))
    assert (deaf("x", ["\nObservation 1:"]), deaf.kind, deaf.name) == ("a\nObservation 1: b", "scripted", "m")


def test_a_deaf_function_keeps_its_own_name():
    def gpt(context, stop=()):
        return "x"

    assert (Deaf(gpt).name, Deaf(gpt).kind) == ("gpt", "live")
