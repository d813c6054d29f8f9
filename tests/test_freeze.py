"""A collection is built from its inputs and says what was skipped; whatever stops it, the same command goes on."""

import bz2
import gzip
import io
import json
import os
import re
import signal
import subprocess
import sys
from contextlib import closing

import pytest
from test_freezer import KILLED

from reactkit.__main__ import USAGE, main
from reactkit.encyclopedia import Page
from reactkit.errors import DataError
from reactkit.freeze import Build, facts, freeze, report
from reactkit.freezer import Freezer
from reactkit.frozen import Frozen
from reactkit.progress import Bar

ROWS = [{"title": f"Page {n}", "text": f"This is page {n}."} for n in range(30)]


class Terminal(io.StringIO):
    def isatty(self):
        return True


class Seen(list):
    """A bar that keeps what it is told."""

    pause, pages, began, show = 1, 0, None, io.StringIO()

    def __call__(self, done):
        self.append(done)


def lines(path, rows):
    path.write_text("\n".join(map(json.dumps, rows)), encoding="utf-8")
    return path


def wiki(path, pages, redirects=(), end="</mediawiki>"):
    """Write a dump of pages and redirects, each a pair."""
    text = "<page><title>{}</title><ns>0</ns><revision><text>{}</text></revision></page>"
    lead = '<page><title>{}</title><ns>0</ns><redirect title="{}" /><revision><text>#</text></revision></page>'
    parts = [text.format(*page) for page in pages] + [lead.format(*redirect) for redirect in redirects]
    path.write_text("\n".join(["<mediawiki>", *parts, end]), encoding="utf-8")
    return path


def told(frozen):
    """Return what two builds of the same must have in common."""
    frozen.verify()
    names = frozen.rows("SELECT name, title FROM names ORDER BY name, title")
    return {name: value for name, value in frozen.about.items() if name != "inputs"}, names


def command(*arguments, **options):
    words = [sys.executable, "-m", "reactkit", "freeze", *map(str, arguments)]
    return subprocess.run(words, capture_output=True, text=True, encoding="utf-8", **options)


@pytest.mark.parametrize("again", [False, True])
def test_a_file_that_is_no_collection_is_never_replaced(again, tmp_path):
    (tmp_path / "texts").mkdir()
    (tmp_path / "texts" / "A.TXT").write_text("It is A.", encoding="utf-8")
    (tmp_path / "mine.txt").write_text("my own words", encoding="utf-8")
    for target in ("mine.txt", "texts"):
        with pytest.raises(DataError, match="is there and is no frozen collection; give another name"):
            freeze(tmp_path / "texts", tmp_path / target, again=again, show=io.StringIO())
    assert (tmp_path / "mine.txt").read_text(encoding="utf-8") == "my own words"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["mine.txt", "texts"]
    assert freeze(str(tmp_path / "texts"), tmp_path / "a.sqlite", show=io.StringIO()).page("A").sentences == (
        "It is A.",
    )


def test_an_input_without_a_page_makes_no_file(tmp_path):
    (tmp_path / "texts").mkdir()
    for name, found in (("", "it is empty"), ("a.doc", "1 skipped: no plain .txt file")):
        if name:
            (tmp_path / "texts" / name).write_text("It is A.", encoding="utf-8")
        with pytest.raises(DataError, match=re.escape(f"there is no page in texts ({found})")):
            freeze(tmp_path / "texts", tmp_path / "a.sqlite", show=io.StringIO())
    assert [path.name for path in tmp_path.iterdir()] == ["texts"]


def test_several_inputs_make_one_collection_that_says_where_it_is_from(tmp_path):
    (tmp_path / "texts").mkdir()
    (tmp_path / "texts" / "Tide_pool.txt").write_text("It is cold.", encoding="utf-8")
    rows = [{"title": "Tide pool", "text": "Another."}, {"title": "Tide pool", "text": ""}]
    more = lines(tmp_path / "more.jsonl", rows)
    frozen = freeze([tmp_path / "texts", more, more], tmp_path / "x.sqlite", licence="CC BY 4.0", date="2026-01-02")
    frozen.verify()
    credit = "Tide pool, texts, more.jsonl, more.jsonl, CC BY 4.0"
    assert frozen.page("tide pool") == Page("Tide pool", ("It is cold.",), credit=credit)
    assert json.loads(frozen.about["skipped"]) == {"another page of a title that is taken": 2, "no text": 2}
    assert [line for line in report(frozen).splitlines()[1:] if not line.startswith("made with: reactkit")] == [
        "date: 2026-01-02",
        "source: texts, more.jsonl, more.jsonl",
        "licence: CC BY 4.0",
        f"checksum: {frozen.about['checksum']}",
        "skipped 2: another page of a title that is taken, such as Tide pool; Tide pool",
        "skipped 2: no text, such as line 2; line 2",
    ]
    assert report(frozen).splitlines()[0].startswith(f"{tmp_path / 'x.sqlite'}: 1 page, 0 other names, 0.1 MB")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["more.jsonl", "texts", "x.sqlite"]


def test_a_page_that_brings_its_credit_keeps_it_and_without_a_licence_none_is_made_up(tmp_path):
    rows = lines(tmp_path / "a.jsonl", [{**ROWS[0], "credit": "by them"}, {**ROWS[1], "credit": None}])
    made = [freeze(rows, tmp_path / f"{n}.sqlite", licence=licence) for n, licence in enumerate(("CC0", ""))]
    credits = [[source.page(f"Page {n}").credit for n in (0, 1)] for source in made]
    assert credits == [["by them", "Page 1, a.jsonl, CC0"], ["by them", ""]]


def test_of_each_reason_the_first_three_are_shown_and_not_more_than_80_letters(tmp_path):
    rows = [{"title": f"{n} {'long ' * 50}", "text": ""} for n in range(5)]
    dump = wiki(tmp_path / "a.xml", [("Lamp", "It shines."), *((row["title"], "") for row in rows)])
    frozen = freeze(dump, tmp_path / "x.sqlite")
    shown = json.loads(frozen.about["examples"])["no text"]
    assert (json.loads(frozen.about["skipped"]), shown) == ({"no text": 5}, [row["title"][:80] for row in rows[:3]])


def test_the_bar_counts_the_inputs_before(tmp_path):
    rows = [lines(tmp_path / f"{n}.jsonl", ROWS[n : n + 3]) for n in range(3)]
    about = facts(rows, "", "", "")
    with closing(Build(Freezer(tmp_path / "x.sqlite", about), about, 10, io.StringIO())) as build:
        build.bar = seen = Seen()
        build.run(rows)
    sizes = [path.stat().st_size for path in rows]
    assert (len(seen), seen[2::3]) == (9, [sum(sizes[:n]) for n in (1, 2, 3)])


def test_redirects_lead_to_the_end_of_their_chain_and_loops_lead_nowhere(tmp_path):
    leads = [("A", "B"), ("B", "C"), ("C", "Lamp"), ("D", "E"), ("E", "D"), ("F", "F"), ("G", "None"), ("Pool", "Lamp")]
    longer = [(f"Long {n}", f"Long {n + 1}" if n < 40 else "Lamp") for n in range(41)]
    dump = wiki(tmp_path / "a.xml", [("Lamp", "It shines."), ("Pool", "It is wet.")], [*leads, *longer])
    frozen = freeze([dump], tmp_path / "x.sqlite", batch=3)
    pages = {name: page.title for name in "ABCDEFG" if (page := frozen.page(name))}
    assert pages == {"A": "Lamp", "B": "Lamp", "C": "Lamp"}
    assert (frozen.page("Pool").title, frozen.page("Long 0"), frozen.page("Long 30").title) == ("Pool", None, "Lamp")
    skipped = json.loads(frozen.about["skipped"])["a redirect to no page"]
    assert (int(frozen.about["redirects"]), skipped > 4) == (3 + 41 + 4 - skipped, True)


@pytest.mark.parametrize("cut", [300, 2000, 3200])
def test_a_dump_that_breaks_off_is_gone_on_with_when_it_is_whole(tmp_path, cut):
    whole = wiki(tmp_path / "a.xml", [(f"Page {n}", f"This is page {n}.") for n in range(50)], [("P", "Page 3")])
    wanted = told(freeze([whole], tmp_path / "wanted.sqlite", date="now"))
    content = whole.read_bytes()
    whole.write_bytes(content[:cut])
    for _ in range(2):
        with pytest.raises(DataError, match="a.xml is damaged or cut off .*the same command goes on"):
            freeze([whole], tmp_path / "x.sqlite", batch=7, date="now")
    kept = int(dict(Frozen(tmp_path / "x.sqlite.part").about)["pages"])
    whole.write_bytes(content)
    assert (told(freeze([whole], tmp_path / "x.sqlite", batch=7, date="now")), kept) == (
        wanted,
        content[:cut].count(b"</page>"),
    )


def test_a_build_that_was_begun_from_other_inputs_is_made_anew_only_when_asked(tmp_path):
    whole, part = wiki(tmp_path / "a.xml", [("Lamp", "It shines.")], end=""), tmp_path / "x.sqlite"
    other = lines(tmp_path / "b.jsonl", ROWS)
    for _ in range(2):
        with pytest.raises(DataError, match="cut off"):
            freeze([whole], part, source="s")
    for inputs, options in [([other], {}), ([whole, other], {}), ([whole], {"licence": "mine"})]:
        with pytest.raises(DataError, match=r"x\.sqlite\.part was begun from other inputs, .* With --again"):
            freeze(inputs, part, source="s", **options)
    assert freeze([other], part, again=True).about["pages"] == "30"


def killed_after_a_batch(rows, to):
    """Begin a build, which is killed once it has written three items, and return its file."""
    program = f"""
import os
from reactkit.freeze import Build, freeze
batch = Build.batch
Build.batch = lambda *all: batch(*all) and os.kill(os.getpid(), 9)
freeze({str(rows)!r}, {str(to)!r}, batch=3, date="now")"""
    assert subprocess.run([sys.executable, "-c", program]).returncode == -9
    part = to.with_name(f"{to.name}.part")
    assert Frozen(part).about["pages"] == "3"
    return part


@pytest.mark.parametrize("pack", [gzip.compress, bz2.compress], ids=["gz", "bz2"])
@pytest.mark.parametrize("at", [0.3, 0.9])
def test_of_a_packed_input_that_is_damaged_nothing_is_kept(tmp_path, pack, at):
    plain = wiki(tmp_path / "plain.xml", [(f"Page {n}", f"This is page {n * n}.") for n in range(3000)])
    good, packed, to = pack(plain.read_bytes()), tmp_path / "a.xml.packed", tmp_path / "x.sqlite"
    packed.write_bytes(good)
    wanted = told(freeze(packed, tmp_path / "wanted.sqlite", date="now"))
    bad = bytearray(good)
    bad[int(at * len(good))] ^= 1
    for content in (bad, good[: int(at * len(good))]):
        packed.write_bytes(content)
        with pytest.raises(DataError, match="packed (is damaged or cut off at about byte|cannot be read|is none of)"):
            freeze(packed, to, date="now", batch=50)
        part = tmp_path / "x.sqlite.part"
        assert not part.exists() or Frozen(part).about["pages"] == "0"
    packed.write_bytes(good)
    assert told(freeze(packed, to, date="now")) == wanted


def test_another_input_in_place_of_one_that_broke_off_is_not_mixed_in(tmp_path):
    rows, to = tmp_path / "a.json", tmp_path / "x.sqlite"
    text = json.dumps([{"title": f"Page {n}", "text": f"This is page {n}. " * 99} for n in range(200)])
    rows.write_text(text[:-5000])
    with pytest.raises(DataError, match="breaks off"):
        freeze(rows, to, batch=7, date="now")
    rows.write_text(text.replace("page 3.", "page 4."))
    with pytest.raises(DataError, match=r"x\.sqlite\.part was begun from other inputs"):
        freeze(rows, to, batch=7, date="now")
    rows.write_text(text)
    made = told(freeze(rows, to, batch=7, date="now"))
    assert made == told(freeze(rows, tmp_path / "wanted.sqlite", date="now"))


@pytest.mark.parametrize("at", [2, 100, 198])
def test_questions_that_are_broken_in_the_middle_and_put_right_are_gone_on_with(tmp_path, at):
    rows, to = tmp_path / "a.json", tmp_path / "x.sqlite"
    text = json.dumps([{"title": f"Page {n}", "text": f"This is page {n}. " * 99} for n in range(200)])
    rows.write_text(text.replace(f'"Page {at}"', f"Page {at}"))
    with pytest.raises(DataError, match="breaks off, is no JSON"):
        freeze(rows, to, batch=7, date="now")
    kept = Frozen(tmp_path / "x.sqlite.part").about["pages"]
    rows.write_text(text)
    assert told(freeze(rows, to, batch=7, date="now")) == told(freeze(rows, tmp_path / "wanted.sqlite", date="now"))
    assert int(kept) == at


def test_a_part_that_was_damaged_does_not_get_the_name_of_a_whole_one(tmp_path):
    rows, to = lines(tmp_path / "a.jsonl", ROWS), tmp_path / "x.sqlite"
    part = killed_after_a_batch(rows, to)
    content = bytearray(part.read_bytes())
    content[content.index(b"This is page 1.")] ^= 1
    part.write_bytes(content)
    with pytest.raises(DataError, match="are not those that it was made with"):
        freeze(rows, to, date="now")
    assert not to.exists()


def test_a_dump_in_an_encoding_that_nobody_knows_is_told(tmp_path):
    (tmp_path / "a.xml").write_text('<?xml version="1.0" encoding="foo-1"?><mediawiki/>')
    with pytest.raises(DataError, match="a.xml is damaged or cut off .*unknown encoding: foo-1"):
        freeze(tmp_path / "a.xml", tmp_path / "x.sqlite")


def test_an_input_that_changed_after_a_kill_is_another_input_though_it_has_the_same_size(tmp_path):
    rows, to = lines(tmp_path / "a.jsonl", ROWS), tmp_path / "x.sqlite"
    killed_after_a_batch(rows, to)
    changed = rows.stat().st_mtime_ns
    os.utime(rows, ns=(changed, changed + 1))
    with pytest.raises(DataError, match="begun from other inputs"):
        freeze(rows, to, date="now")
    os.utime(rows, ns=(changed, changed))
    assert freeze(rows, to, date="now").about["pages"] == "30"


def test_an_input_that_changed_in_the_meantime_is_another_input(tmp_path):
    good, bad = lines(tmp_path / "a.jsonl", ROWS), wiki(tmp_path / "b.xml", [], end="")
    with pytest.raises(DataError, match="cut off"):
        freeze([good, bad], tmp_path / "x.sqlite")
    lines(good, ROWS[1:])
    with pytest.raises(DataError, match="begun from other inputs"):
        freeze([good, bad], tmp_path / "x.sqlite")


def test_a_collection_that_is_there_stays_until_a_new_one_is_whole(tmp_path):
    rows, broken, to = lines(tmp_path / "a.jsonl", ROWS), wiki(tmp_path / "b.xml", [], end=""), tmp_path / "x.sqlite"
    freeze([rows], to)
    with pytest.raises(DataError, match=r"x\.sqlite is there already; with --again"):
        freeze([rows], to)
    with pytest.raises(DataError, match="cut off"):
        freeze([broken], to, again=True)
    assert Frozen(to).about["pages"] == "30"
    assert freeze([lines(tmp_path / "a.jsonl", ROWS[:3])], to, again=True).about["pages"] == "3"


def test_a_part_that_is_no_collection_is_somebodys_own(tmp_path):
    (tmp_path / "x.sqlite.part").write_text("my own words", encoding="utf-8")
    for again in (False, True):
        with pytest.raises(DataError, match=r"x\.sqlite\.part is there and is no frozen collection"):
            freeze(lines(tmp_path / "a.jsonl", ROWS), tmp_path / "x.sqlite", again=again)
    assert (tmp_path / "x.sqlite.part").read_text(encoding="utf-8") == "my own words"


def test_a_part_that_is_damaged_is_an_error_and_made_anew_when_asked(tmp_path):
    (tmp_path / "x.sqlite.part").write_bytes((b"SQLite format 3\0".ljust(68, b"\xff") + b"ReAc").ljust(5000, b"\xff"))
    rows = lines(tmp_path / "a.jsonl", ROWS)
    with pytest.raises(DataError, match=r"x\.sqlite\.part: file is not a database.*With --again"):
        freeze([rows], tmp_path / "x.sqlite")
    assert freeze([rows], tmp_path / "x.sqlite", again=True).about["pages"] == "30"


def test_a_second_build_of_the_same_says_so_and_harms_nothing(tmp_path):
    rows, to, found = lines(tmp_path / "a.jsonl", ROWS), tmp_path / "x.sqlite", []

    class Meanwhile(io.StringIO):
        def isatty(self):
            found.extend(command(rows, "--to", to, *again) for again in ([], ["--again"]))

    freeze([rows], to, show=Meanwhile())
    message = "another `reactkit freeze` is at work on"
    assert [(ran.returncode, message in ran.stderr) for ran in found] == [(1, True)] * 2
    assert Frozen(to).about["pages"] == "30"


@pytest.mark.parametrize(
    ("to", "message"),
    [
        ("absent/x.sqlite", "there is no folder .*absent"),
        ("a.jsonl/x.sqlite", "there is no folder .*a.jsonl"),
        ("x" * 300, "xxx: .*name too long.*When this is mended"),
        pytest.param(
            "/proc/self/x.sqlite",
            "unable to open database file. .*may you write there(?!.*--again)",
            marks=pytest.mark.skipif(not os.path.isdir("/proc/self"), reason="no folder where even root may not write"),
        ),
    ],
)
def test_a_folder_that_cannot_be_written_is_an_error(tmp_path, to, message):
    rows = lines(tmp_path / "a.jsonl", ROWS)
    with pytest.raises(DataError, match=message):
        freeze([rows], tmp_path / to)


@pytest.mark.skipif(os.name == "nt", reason="no limit for the size of a file there")
def test_where_the_disk_is_full_the_same_command_goes_on_after_there_is_room(tmp_path):
    rows = lines(tmp_path / "a.jsonl", [{"title": f"Page {n}", "text": f"This is {n}. " * 50} for n in range(3000)])
    wanted = told(freeze([rows], tmp_path / "wanted.sqlite", source="s"))

    def little():
        __import__("resource").setrlimit(__import__("resource").RLIMIT_FSIZE, (900_000, 900_000))

    ran = command(rows, "--to", tmp_path / "x.sqlite", "--source", "s", preexec_fn=little)
    assert (ran.returncode, "is there room on the disk" in ran.stderr, "Traceback" in ran.stderr) == (1, True, False)
    assert not (tmp_path / "x.sqlite").exists()
    kept = Frozen(tmp_path / "x.sqlite.part").about["reached"]
    assert (told(freeze([rows], tmp_path / "x.sqlite", source="s")), kept > "[0, 0]") == (wanted, True)


@pytest.mark.skipif(os.name == "nt", reason="an interrupt is sent otherwise there")
def test_an_interrupt_says_that_the_same_command_goes_on(tmp_path):
    os.mkfifo(tmp_path / "wait")
    program = f"""
import sys, os
from reactkit.__main__ import main
import signal
signal.signal(signal.SIGINT, signal.default_int_handler)  # which a job in the background would ignore
sys.stderr.isatty = lambda: open({str(tmp_path / "wait")!r}, "w").write("here") and input()
main(["freeze", {str(lines(tmp_path / "a.jsonl", ROWS))!r}, "--to", {str(tmp_path / "x.sqlite")!r}])"""
    pipes = dict.fromkeys(("stdin", "stdout", "stderr"), subprocess.PIPE)
    with subprocess.Popen([sys.executable, "-c", program], text=True, **pipes) as process:
        (tmp_path / "wait").read_text()
        process.send_signal(signal.SIGINT)
        assert process.communicate(timeout=30)[1].splitlines()[-1] == "Stopped. The same command goes on from here."
        assert process.returncode == 1


def test_the_bar_is_drawn_over_on_a_terminal_and_is_a_line_now_and_then_elsewhere():
    for show, wanted in [
        (Terminal(), "\r[##########          ] 1.0 of 2.0 MB, 300 pages, 100/s, 0:00:02 left"),
        (io.StringIO(), "[##########          ] 1.0 of 2.0 MB, 300 pages, 10/s, 0:00:20 left\n"),
    ]:
        pause = 2 if show.isatty() else 20
        bar = Bar(2_000_000, 100, show, iter([0, 0, 0.1, pause, pause + 0.1]).__next__)
        for done, pages in [(0, 100), (100, 101), (1_000_000, 300), (1_000_100, 301)]:
            bar.pages = pages
            bar(done)
        assert show.getvalue() == wanted


def test_a_shorter_line_of_the_bar_leaves_nothing_of_a_longer_one():
    show = Terminal()
    bar = Bar(2_000_000, 0, show, iter(range(9)).__next__)
    for done, bar.pages in [(1000, 0), (2000, 123_456_789), (1_000_000, 123_456_789)]:
        bar(done)
    long, short = show.getvalue().split("\r")[-2:]
    assert len(long) == len(short) > len(short.rstrip())


def test_the_bar_moves_while_a_build_that_goes_on_passes_over_what_it_has(tmp_path):
    rows, show = lines(tmp_path / "a.jsonl", ROWS), Terminal()
    part = killed_after_a_batch(rows, tmp_path / "x.sqlite")
    with closing(Build(Freezer(part, {}), Frozen(part).about, 10, show)) as build:
        build.bar = Bar(rows.stat().st_size, 0, show, iter(range(99)).__next__)
        build.run([rows])
    assert show.getvalue().count("\r") == len(ROWS)


def test_a_short_build_shows_nothing_where_there_is_no_terminal(tmp_path):
    show = io.StringIO()
    freeze([lines(tmp_path / "a.jsonl", ROWS)], tmp_path / "x.sqlite", show=show)
    assert show.getvalue() == ""


def test_the_command_makes_a_collection_and_checks_it(tmp_path):
    rows, to = lines(tmp_path / "a.jsonl", ROWS), tmp_path / "x.sqlite"
    made, checked = command(rows, "--to", to, "--source", "The kit"), command("--check", to)
    assert (made.returncode, checked.returncode, made.stderr, checked.stdout) == (
        0,
        0,
        "",
        f"All 30 pages are as they were made.\n{made.stdout}",
    )
    assert made.stdout.splitlines()[2:4] == ["source: The kit", "licence: not stated"]
    with open(to, "r+b") as file:
        content = file.read()
        file.seek(content.index(b"This is page 7."))
        file.write(b"That")
    damaged = command("--check", to)
    assert (damaged.returncode, damaged.stdout, damaged.stderr.count("\n")) == (1, "", 1)


@pytest.mark.parametrize(
    ("arguments", "status", "message"),
    [
        ([], 2, "give one or more inputs and --to FILE"),
        (["a.jsonl"], 2, "give one or more inputs and --to FILE"),
        (["absent", "--to", "x.sqlite"], 1, "reactkit freeze: there is no file and no folder absent"),
        (["--check", "absent"], 1, "reactkit freeze: there is no frozen collection at /"),
    ],
)
def test_a_command_that_cannot_be_followed_says_why_in_a_line(tmp_path, arguments, status, message):
    ran = command(*arguments, cwd=tmp_path)
    assert (ran.returncode, message in ran.stderr.splitlines()[-1]) == (status, True), ran.stderr


def test_a_title_with_letters_that_a_terminal_lacks_is_no_error(tmp_path):
    rows = lines(tmp_path / "a.jsonl", [{"title": "Żółw", "text": text} for text in ("It is slow.", "It is old.")])
    ran = command(rows, "--to", tmp_path / "x.sqlite", env={**os.environ, "PYTHONIOENCODING": "ascii"})
    assert (ran.returncode, ran.stdout.endswith("such as ???w\n")) == (0, True), ran.stderr


def test_the_commands_are_listed():
    ran = subprocess.run([sys.executable, "-m", "reactkit"], capture_output=True, text=True)
    assert [line.split()[0] for line in ran.stderr.splitlines()[2:]] == ["doctor", "freeze", "measure", "train"]


@pytest.mark.parametrize("asked", [["--help"], ["measure", "--help"], ["doctor", "-h"]], ids=" ".join)
def test_help_is_printed_where_it_is_asked_for(asked, capsys):
    main(asked)
    assert capsys.readouterr().out == f"{USAGE}\n"


def test_a_journal_that_a_killed_writer_left_does_not_touch_what_is_made_anew(tmp_path):
    rows, to = lines(tmp_path / "a.jsonl", ROWS), tmp_path / "x.sqlite"
    subprocess.run([sys.executable, "-c", KILLED, str(to)])
    assert (tmp_path / "x.sqlite-journal").stat().st_size > 0
    freeze(rows, to, again=True, show=io.StringIO()).file.close()
    Freezer(to, {}).close()  # a writer would apply the journal
    Frozen(to).verify()
    assert Frozen(to).page("Page 3").sentences == ("This is page 3.",)


def test_a_damaged_part_in_a_place_called_locked_is_made_anew_when_asked(tmp_path):
    part = tmp_path / "locked.sqlite.part"
    part.write_bytes((b"SQLite format 3\0".ljust(68, b"\xff") + b"ReAc").ljust(5000, b"\xff"))
    made = freeze(lines(tmp_path / "a.jsonl", ROWS), tmp_path / "locked.sqlite", again=True, show=io.StringIO())
    assert made.about["pages"] == "30"
