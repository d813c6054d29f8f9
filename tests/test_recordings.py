"""recordings: what is written, what comes back, what survives a kill, and what is refused."""

import json
import re
import signal
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from contextlib import nullcontext

import httpx
import pytest

from reactkit import (
    REACT,
    Completion,
    DataError,
    Exemplars,
    ModelError,
    ReplayError,
    Scripted,
    Toolbox,
    apple_remote,
    digest,
    record,
    replay,
    solve,
)
from reactkit.live import Server
from reactkit.recordings import Journal

GREEDY = {"temperature": 0}


class Counting:
    """A model that numbers its replies; `asked` holds each context."""

    name = "counting"

    def __init__(self, settings=GREEDY):
        self.card, self.asked = {"settings": settings}, []

    def __call__(self, context, stop=()):
        self.asked.append(context)
        return Completion(f"{context}{len(self.asked)}\u2028ö\r\n", "length", tokens_read=7, tokens_written=3)


def lines_of(path):
    return [json.loads(line) for line in path.read_text(encoding="utf-8").rstrip("\n").split("\n")]


def test_a_recording_is_a_card_and_a_line_for_each_exchange(tmp_path):
    times = iter([1_800_000_000.0, 1_800_000_002.5])
    record(Counting(), tmp_path / "a", clock=times.__next__, machine="mine", licence="MIT")("Q", ["stop"])
    card, line = lines_of(tmp_path / "a")
    known = {"form": 2, "model": "counting", "kind": "live", "settings": GREEDY, "machine": "mine", "licence": "MIT"}
    assert {**card, "check": ""} == {**known, "check": ""}
    said = {"reply": "Q1\u2028ö\r\n", "finish_reason": "length", "tokens_read": 7, "tokens_written": 3}
    request = {"request": digest("Q", ["stop"], GREEDY), "sample": 1}
    assert {**line, "check": ""} == {**request, **said, "seconds": 2.5, "when": "2027-01-15T08:00:00Z", "check": ""}


def test_the_card_tells_the_class_of_the_machine_and_no_name(tmp_path):
    machine = record(Counting(), tmp_path / "a").card["machine"]
    assert re.fullmatch(r"\w+ \w+, \d+ processors", machine)


def test_a_replay_gives_the_same_replies_in_any_order_with_all_that_was_known(tmp_path):
    recorded = {context: record(Counting(), tmp_path / "a")(context, ["stop"]) for context in "ab"}
    again = replay(tmp_path / "a")
    assert {context: again(context, ["stop"]) for context in "ba"} == recorded
    assert (again.kind, again.name, again("a", ["stop"])) == ("recorded", "counting", recorded["a"])
    assert vars(again("a", ("stop",))) == vars(recorded["a"]) and recorded["a"].tokens_written == 3


def test_a_reply_of_which_nothing_is_known_comes_back_as_plain_text(tmp_path):
    record(lambda context, stop=(): "x", tmp_path / "a")("Q")
    assert type(replay(tmp_path / "a")("Q")) is str


def test_what_is_recorded_is_not_asked_again(tmp_path):
    first, second = Counting(), Counting()
    replies = [record(first, tmp_path / "a")(context) for context in "aab"]
    assert ([record(second, tmp_path / "a")(context) for context in "aab"], second.asked) == (replies, [])
    assert (first.asked, len(lines_of(tmp_path / "a"))) == (["a", "b"], 3)


def test_a_sampled_request_gets_its_next_sample_each_time_and_a_replay_has_no_more(tmp_path):
    model, warm = Counting({"temperature": 0.7}), record(Counting({"temperature": 0.7}), tmp_path / "a")
    replies = [warm("a"), warm("b"), warm("a")]
    again, old = record(model, tmp_path / "a"), replay(tmp_path / "a")
    assert [again("a"), again("b"), again("a")] == replies == [old("a"), old("b"), old("a")] and model.asked == []
    assert (again("a"), model.asked) == ("a1\u2028ö\r\n", ["a"])
    assert [(line["sample"], line["reply"][:2]) for line in lines_of(tmp_path / "a")[1:]] == [
        (1, "a1"),
        (1, "b2"),
        (2, "a3"),
        (3, "a1"),
    ]
    with pytest.raises(ReplayError, match="holds 2 replies to this request, and one more is asked for"):
        old("a")


@pytest.mark.parametrize(("settings", "lines"), [(GREEDY, 10), ({"temperature": 1}, 40)])
def test_many_threads_may_ask_at_once(tmp_path, settings, lines):
    recorder = record(Counting(settings), tmp_path / "a")
    with ThreadPoolExecutor(8) as pool:
        replies = [*pool.map(recorder, "abcdefghij" * 4)]
    held = lines_of(tmp_path / "a")[1:]
    assert (len(held), {line["reply"] for line in held}) == (lines, set(replies))
    assert len({(line["request"], line["sample"]) for line in held}) == lines


def test_a_script_stays_scripted_when_it_is_recorded_and_replayed(tmp_path):
    story = apple_remote()
    first = solve(story.task, REACT, record(story.script(REACT), tmp_path / "a"))
    again = solve(story.task, REACT, replay(tmp_path / "a"))
    assert (again.trajectory, again.trajectory.kind) == (first.trajectory, "scripted")


def test_a_live_function_becomes_recorded_under_its_name(tmp_path):
    def knows(context, stop=()):
        return " Known.\nAction 1: Finish[A]"

    solve("Q?", REACT, record(knows, tmp_path / "a"), Toolbox({}), Exemplars())
    again = solve("Q?", REACT, replay(tmp_path / "a"), Toolbox({}), Exemplars())
    assert again.trajectory.badge == "recorded · knows"


@pytest.mark.parametrize(
    ("model", "card", "named"),
    [
        (Scripted(["x"], "counting"), {"settings": GREEDY}, "kind 'live', not 'scripted'"),
        (Counting({"temperature": 1}), {}, "settings {'temperature': 0}, not {'temperature': 1}; use another file"),
        (Counting(), {"prompts": "abc"}, "prompts None, not 'abc'"),
    ],
)
def test_a_file_with_another_card_is_refused_and_stays_as_it_is(tmp_path, model, card, named):
    record(Counting(), tmp_path / "a")("a")
    before = (tmp_path / "a").read_bytes()
    with pytest.raises(DataError, match=named):
        record(model, tmp_path / "a", **card)
    assert (tmp_path / "a").read_bytes() == before


def test_a_reply_that_is_no_text_is_an_error_and_leaves_no_line(tmp_path):
    with pytest.raises(ModelError, match="NoneType, not a string; nothing was recorded"):
        record(lambda context, stop=(): None, tmp_path / "a")("a")
    assert not (tmp_path / "a").exists()


def test_no_key_reaches_the_file(tmp_path):
    key = 'odd"key/of\\ours'
    said = f"Your key is {key}.\nsk-someone-elses-123 is another.\nsk-mine-too-1234"
    answer = {"choices": [{"text": said, "finish_reason": "stop"}]}
    client = httpx.Client(transport=httpx.MockTransport(lambda request: httpx.Response(200, json=answer)))
    server = Server("https://h", "m", key=key, chat=False, client=client, settings={"extra": key})
    reply = record(server, tmp_path / "a", contexts=True, notes=["sk-mine-12345"])(f"Use {key}")
    written = (tmp_path / "a").read_text(encoding="utf-8")
    assert reply == "Your key is ***.\n*** is another.\n***" == lines_of(tmp_path / "a")[1]["reply"]
    assert [part for part in (key, json.dumps(key)[1:-1], "ours", "sk-", "Bearer") if part in written] == []


WORKER = """
import sys
from reactkit import record
def model(context, stop=()):
    print(context, flush=True)
    return context * 300
recorder = record(model, sys.argv[1], settings={"temperature": 0})
for number in range(100_000):
    recorder(str(number))
"""


def test_a_killed_recording_loses_nothing_and_goes_on(tmp_path):
    worker = subprocess.Popen([sys.executable, "-c", WORKER, tmp_path / "a"], stdout=subprocess.PIPE, text=True)
    asked = [worker.stdout.readline().strip() for _ in range(60)]
    worker.send_signal(getattr(signal, "SIGKILL", signal.SIGTERM))
    asked += worker.communicate()[0].split()
    with (tmp_path / "a").open("ab") as file:
        file.write(b'{"request": "half a li')  # what a kill in the middle of a write leaves
    later = []

    def model(context, stop=()):
        later.append(context)
        return context * 300

    with pytest.warns(UserWarning, match="ends in half a line, which is dropped"):
        recorder = record(model, tmp_path / "a", settings=GREEDY)
    assert [recorder(context) for context in asked] == [context * 300 for context in asked]
    assert later in ([], asked[-1:]) and len(asked) >= 60
    recorder("new")
    assert [line["reply"] for line in lines_of(tmp_path / "a")[1:]] == [context * 300 for context in [*asked, "new"]]


@pytest.mark.parametrize("left", [0, 1, 8, 30, 150, -1])
def test_whatever_a_crash_leaves_of_a_file_it_can_be_recorded_again(tmp_path, left):
    record(Counting(), tmp_path / "a")("a")
    whole = (tmp_path / "a").read_bytes()
    (tmp_path / "a").write_bytes(whole[:left])
    model = Counting()
    with pytest.warns(UserWarning, match="half a line") if left else nullcontext():
        recorder = record(model, tmp_path / "a")
    recorder("a")
    assert (model.asked, [line["reply"] for line in lines_of(tmp_path / "a")[1:]]) == (["a"], ["a1\u2028ö\r\n"])


def written(tmp_path, contexts=False):
    recorder = record(Counting(), tmp_path / "a", contexts, settings=GREEDY)
    for context in "abcd":
        recorder(context)
    return tmp_path / "a", (tmp_path / "a").read_bytes().splitlines(keepends=True)


@pytest.mark.parametrize(
    ("altered", "number"),
    [
        (lambda lines: [lines[0].replace(b'"live"', b'"scripted"'), *lines[1:]], 1),
        (lambda lines: lines[1:], 1),
        (lambda lines: [*lines[:2], lines[2].replace(b"b2", b"b3"), *lines[3:]], 3),
        (lambda lines: [*lines[:2], *lines[3:]], 3),
        (lambda lines: [*lines[:2], lines[3], lines[2], lines[4]], 3),
        (lambda lines: [*lines, lines[4]], 6),
        (lambda lines: [*lines[:4], b"\n", lines[4]], 5),
        (lambda lines: [*lines[:4], b"\xff\xfe" + lines[4]], 5),
    ],
    ids=["card", "no card", "changed", "dropped", "swapped", "doubled", "blank", "no text"],
)
def test_an_altered_recording_is_refused_and_the_line_is_named(tmp_path, altered, number):
    path, lines = written(tmp_path)
    path.write_bytes(b"".join(altered(lines)))
    for opened in (replay, lambda path: record(Counting(), path)):
        with pytest.raises(DataError, match=f"line {number} was changed, or is not in its place"):
            opened(path)


@pytest.mark.parametrize("content", [b"", b"A thesis.", b"[1", b'{"model": "x"'], ids=repr)
def test_a_file_that_is_no_recording_is_refused_and_left_alone(tmp_path, content):
    (tmp_path / "a").write_bytes(content)
    for opened in [replay] + [lambda path: record(Counting(), path)] * bool(content):
        with pytest.raises(DataError, match="is empty, or not of form 2; record the run first"):
            opened(tmp_path / "a")
    assert (tmp_path / "a").read_bytes() == content


def test_ends_of_lines_as_windows_has_them_change_nothing(tmp_path):
    path, lines = written(tmp_path)
    path.write_bytes(b"".join(lines).replace(b"\n", b"\r\n"))
    assert replay(path)("b") == "b2\u2028ö\r\n"


def test_two_programs_can_not_write_to_one_file_at_once(tmp_path):
    one, other = record(Counting(), tmp_path / "a"), record(Counting(), tmp_path / "a")
    one("a")
    with pytest.raises(DataError, match="was changed meanwhile"):
        other("b")
    assert [line["reply"][:1] for line in lines_of(tmp_path / "a")[1:]] == ["a"]


WRITER = """
import sys
from reactkit import DataError
from reactkit.recordings import Journal
for number in range(150):
    written = False
    while not written:
        try:
            Journal(sys.argv[1], {"form": 2}).write({"who": sys.argv[2], "number": number}, sync=False)
            written = True
        except DataError as error:
            assert "changed meanwhile" in str(error) or "half" in str(error), error
"""


def test_two_programs_that_try_again_and_again_lose_no_line(tmp_path):
    command = [sys.executable, "-W", "ignore", "-c", WRITER, str(tmp_path / "a")]
    assert [one.wait(120) for one in [subprocess.Popen([*command, who]) for who in "ab"]] == [0, 0]
    told = [(line["who"], line["number"]) for line in Journal(tmp_path / "a").lines]
    assert sorted(told) == [(who, number) for who in "ab" for number in range(150)]


def test_what_cannot_be_read_or_written_is_a_data_error(tmp_path):
    for path in (tmp_path / "missing", tmp_path, None, 5, "\0"):
        with pytest.raises(DataError, match="cannot be read .*; check the path"):
            replay(path)
    with pytest.raises(DataError, match="None cannot be read"):
        record(Counting(), None)
    model = record(Counting(), tmp_path / "a")
    (tmp_path / "a").mkdir()
    with pytest.raises(DataError, match="cannot be written .*the newest line is lost"):
        model("a")


def test_a_full_disk_is_told_of_and_leaves_the_lines_that_are_there_whole(tmp_path):
    resource = pytest.importorskip("resource")  # its limit on the size of a file stands in for the disk's
    path, model, limits = tmp_path / "a", record(Counting(), tmp_path / "a"), resource.getrlimit(resource.RLIMIT_FSIZE)
    model("a")
    before = path.read_bytes()
    resource.setrlimit(resource.RLIMIT_FSIZE, (len(before) + 50, limits[1]))  # half a line goes in
    try:
        with pytest.raises(DataError, match=r"a cannot be written \(.*all others are there. .*make room; then record"):
            model("b")
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)
    assert path.read_bytes() == before
    model("b")
    assert [line["sample"] for line in lines_of(path)[1:]] == [1, 1] and replay(path)("b")


def test_a_reply_too_many_is_one_reply_where_one_is_held(tmp_path):
    record(lambda context, stop=(): "x", tmp_path / "a", settings={"temperature": 1})("a")
    model = replay(tmp_path / "a")
    model("a")
    with pytest.raises(ReplayError, match="holds 1 reply to this request, and one more is asked for; a new replay"):
        model("a")


def test_a_folder_that_is_missing_is_told_before_anything_is_asked(tmp_path):
    with pytest.raises(DataError, match="there is no folder .*missing to record in"):
        record(Counting(), tmp_path / "missing" / "a")


ASKED = "Question: A?\nThought 1: {}\nThought 2:"


@pytest.mark.parametrize(
    ("context", "stop", "named"),
    [
        (ASKED.format("new"), "s", "line 2, character 25: recorded .*old.*asked .*new.*record again"),
        (ASKED.format("old"), "t", r"with stop=\['t'\], only with stop=\['s'\]"),
    ],
)
def test_with_contexts_a_changed_request_is_told_apart_from_the_nearest(tmp_path, context, stop, named):
    recorder = record(Counting(), tmp_path / "a", contexts=True)
    recorder(ASKED.format("old"), ["s"]), recorder("Z", ["s"])
    with pytest.raises(ReplayError, match=named):
        replay(tmp_path / "a")(context, [stop])


def test_without_contexts_the_question_and_the_place_are_named(tmp_path):
    path, _ = written(tmp_path)
    with pytest.raises(ReplayError, match=r"no reply to 'Question: A\? \.\.\. Thought 2:'; with contexts=True"):
        replay(path)("Question: of an exemplar?\n\n" + ASKED.format("x"))


def test_text_that_is_no_valid_unicode_is_recorded_all_the_same(tmp_path):
    reply = record(lambda context, stop=(): "\ud800!", tmp_path / "a")("\udfff")
    assert replay(tmp_path / "a")("\udfff") == reply == "\ud800!"


def test_an_exchange_takes_few_bytes_without_its_context(tmp_path):
    record(Counting(), tmp_path / "a")("word " * 1200)
    reply = lines_of(tmp_path / "a")[1]["reply"]
    assert len((tmp_path / "a").read_bytes().splitlines()[1]) - len(reply.encode()) < 300
