import json

import pytest

from reactkit import DataError, Deaf, Exchange, Recorder, Replay, ReplayError, Rules, Scripted, ScriptError
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
    assert (model.log.calls, model.log.characters_read, model.log.characters_written) == (2, 11, 6)


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


def test_a_recording_replays_the_same_replies_in_any_order(tmp_path):
    path = tmp_path / "run.jsonl"
    recorder = Recorder(Scripted(["one\u2028line", "twö"], name="m"), path)
    replies = {context: recorder(context, ["stop"]) for context in ("a", "b")}
    replay = Replay.load(path, "m")
    assert {context: replay(context, ["stop"]) for context in ("b", "a")} == replies
    assert (replay.kind, replay.name, recorder.kind, recorder.name, replay.log.calls) == (
        "recorded",
        "m",
        "scripted",
        "m",
        2,
    )
    assert json.loads(path.read_text(encoding="utf-8").split("\n")[0]) == {
        "context": "a",
        "stop": ["stop"],
        "reply": "one\u2028line",
    }


@pytest.mark.parametrize(
    ("context", "stop", "named"),
    [
        ("Question: A?\nThought 1: new\nThought 2:", ("s",), "line 2, character 25: recorded .*old.*asked .*new"),
        ("Question: A?\nThought 1: old\nThought 2:", ("t",), r"stop=\['s'\], not with stop=\['t'\]"),
    ],
)
def test_a_changed_request_is_named(context, stop, named):
    replay = Replay([Exchange("Question: A?\nThought 1: old\nThought 2:", ("s",), "x"), Exchange("Z", ("s",), "y")])
    with pytest.raises(ReplayError, match=named):
        replay(context, stop)


def test_an_empty_recording_says_so():
    with pytest.raises(ReplayError, match="empty"):
        Replay([])("x")


def test_a_torn_line_of_a_recording_is_named(tmp_path):
    path = tmp_path / "run.jsonl"
    path.write_text('{"context": "a", "stop": [], "reply": "b"}\n{"context": "a", "st', encoding="utf-8")
    with pytest.raises(DataError, match=r"run\.jsonl, line 2"):
        Replay.load(path)


def test_a_deaf_model_never_passes_stop_on():
    deaf = Deaf(Scripted(["a\nObservation 1: b"], name="m"))
    assert (deaf("x", ["\nObservation 1:"]), deaf.kind, deaf.name) == ("a\nObservation 1: b", "scripted", "m")
