import json

import pytest

from reactkit import (
    REACT,
    DataError,
    Exchange,
    Exemplars,
    Recorder,
    Replay,
    ReplayError,
    Scripted,
    Toolbox,
    apple_remote,
    solve,
)


def gpt(context, stop=()):
    return f"re: {context}\u2028ö"


def test_a_recording_replays_the_same_replies_in_any_order(tmp_path):
    recorder = Recorder(gpt, tmp_path / "run.jsonl", {"temperature": 0})
    replies = {context: recorder(context, ["stop"]) for context in ("a", "b")}
    replay = Replay.load(tmp_path / "run.jsonl")
    assert {context: replay(context, ["stop"]) for context in ("b", "a")} == replies
    assert (replay.kind, replay.name, replay.log.calls) == ("recorded", "gpt", 2)


def test_a_recording_says_first_whose_replies_it_holds(tmp_path):
    Recorder(gpt, tmp_path / "run.jsonl", {"temperature": 0})("a", ["stop"])
    head, exchange = map(json.loads, (tmp_path / "run.jsonl").read_text(encoding="utf-8").rstrip("\n").split("\n"))
    assert head == {"model": "gpt", "kind": "live", "settings": {"temperature": 0}}
    assert exchange == {"context": "a", "stop": ["stop"], "reply": "re: a\u2028ö"}


def test_a_script_stays_scripted_when_it_is_recorded_and_replayed(tmp_path):
    story = apple_remote()
    first = solve(story.task, REACT, Recorder(story.script(REACT), tmp_path / "run.jsonl"))
    again = solve(story.task, REACT, Replay.load(tmp_path / "run.jsonl"))
    assert (again.trajectory, again.trajectory.kind) == (first.trajectory, "scripted")


def test_a_live_function_becomes_recorded_under_its_name(tmp_path):
    def knows(context, stop=()):
        return " Known.\nAction 1: Finish[A]"

    solve("Q?", REACT, Recorder(knows, tmp_path / "run.jsonl"), Toolbox({}), Exemplars())
    again = solve("Q?", REACT, Replay.load(tmp_path / "run.jsonl"), Toolbox({}), Exemplars())
    assert again.trajectory.badge == "recorded · knows"


def test_a_file_of_another_model_is_refused_and_stays_as_it_is(tmp_path):
    path = tmp_path / "run.jsonl"
    Recorder(gpt, path)("a")
    before = path.read_bytes()
    with pytest.raises(DataError, match="use another file"):
        Recorder(Scripted(["x"]), path)
    Recorder(gpt, path)("b")
    assert path.read_bytes().startswith(before) and len(Replay.load(path).exchanges) == 2


def test_different_replies_to_one_request_come_in_their_order_each_once():
    replay = Replay([Exchange("a", (), "1"), Exchange("a", (), "2")])
    assert [replay("a"), replay("a")] == ["1", "2"]
    with pytest.raises(ReplayError, match="recorded 2 times"):
        replay("a")


def test_the_same_reply_may_be_asked_for_again_and_again():
    replay = Replay([Exchange("a", (), "1")])
    assert [replay("a"), replay("a"), replay("a")] == ["1", "1", "1"]


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


HEAD = '{"model": null, "kind": "live", "settings": {}}\n'


@pytest.mark.parametrize(
    ("content", "named"),
    [
        ("", "line 1 is damaged"),
        ("[" * 100_000, "line 1 is damaged"),
        ('{"model": null, "kind": "zzz", "settings": {}}', "line 1 does not hold"),
        ("[1]", "line 1 does not hold model, kind, settings"),
        (HEAD + '{"context": "a", "st', "line 2 is damaged"),
        (HEAD + '{"context": "a", "stop": []}', "line 2 is damaged"),
        (HEAD + '{"context": 1, "stop": [], "reply": "b"}', "line 2 does not hold context, stop, reply"),
        (HEAD + '{"context": "a", "stop": "ab", "reply": "b"}', "line 2 does not hold"),
        (HEAD + '{"context": "a", "stop": [["x"]], "reply": "b"}', "line 2 does not hold"),
        (HEAD + '{"context": "a", "stop": [], "reply": 5}', "line 2 does not hold"),
    ],
)
def test_a_damaged_line_is_named(tmp_path, content, named):
    (tmp_path / "run.jsonl").write_text(content, encoding="utf-8")
    with pytest.raises(DataError, match=named):
        Replay.load(tmp_path / "run.jsonl")


def test_what_cannot_be_read_is_a_data_error(tmp_path):
    (tmp_path / "latin").write_bytes(b"\xff\xfe")
    for name in ("missing", ".", "latin"):
        with pytest.raises(DataError, match="cannot be read"):
            Replay.load(tmp_path / name)
