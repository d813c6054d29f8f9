"""What writes a frozen collection: nothing is doubled, nothing half done is kept, and what it cannot write it says."""

import sqlite3
import subprocess
import sys
from contextlib import closing

import pytest
from test_frozen import held

from reactkit.encyclopedia import Page
from reactkit.errors import DataError
from reactkit.freezer import Freezer
from reactkit.frozen import Frozen

KITE, BIRD = Page("Kite", ("It flies.",), ("Dragon", "Bird")), Page("Bird", ("It sings.",), ("Dragon",))
KILLED = """
import os, sys
from reactkit.encyclopedia import Page
from reactkit.freezer import Freezer
freezer = Freezer(sys.argv[1], {})
freezer.file.execute("PRAGMA cache_size = 5")  # so that half of the batch is in the file when it is killed
with freezer.batch():
    for number in range(500):
        freezer.add(Page(f"Kite {number}", ("x" * 500,)))
    os.kill(os.getpid(), 9)
"""


@pytest.fixture
def freezer(tmp_path):
    return Freezer(tmp_path / "a.sqlite", {"source": "us", "date": "today"})


def added(freezer, *pages):
    with freezer.batch():
        return [freezer.add(page) for page in pages]


def test_a_new_file_says_what_it_was_told_and_holds_nothing(freezer):
    assert freezer.frozen.about == {"checksum": "0" * 64, "date": "today", "pages": "0", "source": "us"}
    freezer.frozen.verify()


def test_pages_are_new_the_same_or_different_and_the_first_stays(freezer):
    other = Page("Kite", ("It is another.",))
    assert added(freezer, KITE, KITE, other) == ["new", "same", "different"]
    assert added(freezer, other, KITE, BIRD) == ["different", "same", "new"]
    assert (freezer.frozen.page("Kite").sentences, freezer.frozen.about["pages"]) == (("It flies.",), "2")
    freezer.frozen.verify()


@pytest.mark.parametrize("pages", [(KITE, BIRD), (BIRD, KITE)])
@pytest.mark.parametrize("batches", [1, 2])
def test_a_page_goes_before_another_name_and_the_first_name_stays(freezer, pages, batches):
    for some in [pages] if batches == 1 else [[page] for page in pages]:
        added(freezer, *some)
    assert (freezer.frozen.page("Bird").title, freezer.frozen.page("dragon").title) == ("Bird", pages[0].title)


def test_the_checksum_is_the_same_in_any_order(tmp_path):
    one, other = Freezer(tmp_path / "1.sqlite", {}), Freezer(tmp_path / "2.sqlite", {})
    added(one, KITE, Page("Zebra"))
    added(other, Page("Zebra"))
    added(other, KITE)
    assert one.frozen.about == other.frozen.about
    assert one.frozen.about["checksum"] != "0" * 64


def test_what_is_changed_leaves_the_checksum_as_if_it_had_been_so_from_the_start(tmp_path):
    one, other = Freezer(tmp_path / "1.sqlite", {}), Freezer(tmp_path / "2.sqlite", {})
    with one.batch():
        one.name("Kite", "")
        one.answer("Kyte", ["Zebra"])
    with one.batch():
        one.add(KITE)
        one.answer("Kyte", ["Kite"])
    with other.batch():
        other.add(KITE)
        other.answer("Kyte", ["Kite"])
    one.frozen.verify()
    assert one.frozen.about == other.frozen.about


def test_a_writer_that_cannot_open_its_file_holds_no_file(tmp_path):
    path = tmp_path / "b.sqlite"
    with closing(sqlite3.connect(path)) as file, file:
        file.execute("CREATE TABLE theirs (a)")
    with pytest.raises(DataError) as refused:
        Freezer(path, {})
    assert (refused.type, held(path)) == (DataError, [])  # while the error, and so all its frames, is still there


def test_a_name_that_led_nowhere_leads_to_its_page_once_there_is_one(freezer):
    with freezer.batch():
        freezer.name("Kite", "")
    assert freezer.frozen.page("Kite") is None
    added(freezer, KITE)
    assert freezer.frozen.page("Kite").title == "Kite"


def test_answers_of_a_search_are_given_as_they_were_kept_the_last_ones(freezer):
    for titles in (["Zebra"], ["Zebra", "A\nB"]):
        with freezer.batch():
            freezer.answer("Kyte_ kite", titles)
            freezer.answer("Nothing", [])
    added(freezer, Page("Nothing much"))
    assert freezer.frozen.similar("kyte KITE") == ["Zebra", "A B"]
    assert freezer.frozen.similar("nothing") == []


def test_a_line_break_in_a_sentence_becomes_a_space(freezer):
    added(freezer, Page("Kite", ("It\nflies.", "", "It lands.")))
    assert freezer.frozen.page("Kite").sentences == ("It flies.", "", "It lands.")


def test_a_batch_that_fails_leaves_nothing_and_the_next_one_goes_on(freezer):
    with pytest.raises(ZeroDivisionError):
        with freezer.batch():
            freezer.add(BIRD)
            freezer.say({"date": "tomorrow"})
            raise ZeroDivisionError
    assert added(freezer, KITE) == ["new"]
    assert (freezer.frozen.about["date"], freezer.frozen.about["pages"]) == ("today", "1")
    assert (freezer.frozen.page("Bird").title, freezer.frozen.similar("Birt")) == ("Kite", ["Kite"])


def test_half_a_letter_is_told_and_nothing_of_the_batch_is_kept(freezer):
    with pytest.raises(DataError, match="surrogates not allowed"):
        added(freezer, BIRD, Page("Kite", ("\ud800",)))
    assert freezer.frozen.about["pages"] == "0"


def test_what_a_killed_program_left_half_done_is_undone(freezer):
    added(freezer, KITE)
    freezer.close()
    subprocess.run([sys.executable, "-c", KILLED, freezer.path])
    assert freezer.path.with_name("a.sqlite-journal").exists()
    with pytest.raises(DataError, match="damaged or half made: make it again"):
        Frozen(freezer.path).verify()
    again = Freezer(freezer.path, {"source": "another", "date": "later"})
    assert (again.frozen.about["source"], again.frozen.about["pages"]) == ("us", "1")
    again.frozen.verify()


def test_two_may_write_in_turns_and_whoever_waits_too_long_is_told(freezer):
    other = Freezer(freezer.path, {}, wait=0)
    assert (added(freezer, KITE), added(other, KITE, BIRD), freezer.frozen.about["pages"]) == (
        ["new"], ["same", "new"], "2",
    )  # fmt: skip
    with freezer.batch(), pytest.raises(DataError, match="database is locked"):
        added(other, Page("Late"))


def test_the_file_of_another_program_is_left_as_it_was(tmp_path):
    path = tmp_path / "b.sqlite"
    with closing(sqlite3.connect(path)) as file, file:
        file.execute("CREATE TABLE theirs (a)")
    before = path.read_bytes()
    with pytest.raises(DataError, match="is no frozen collection"):
        Freezer(path, {})
    assert path.read_bytes() == before


@pytest.mark.parametrize("name", [".", "none/a.sqlite", "text.sqlite"])
def test_where_it_cannot_write_it_says_so(tmp_path, name):
    (tmp_path / "text.sqlite").write_text("a text")
    with pytest.raises(DataError, match="(unable to open|not a database).*is there room on the disk"):
        Freezer(tmp_path / name, {})


def test_a_full_disk_is_told_and_what_was_written_is_kept(freezer):
    added(freezer, KITE)
    [(pages,)] = freezer.file.execute("PRAGMA page_count")
    freezer.file.execute(f"PRAGMA max_page_count = {pages}")
    with pytest.raises(DataError, match="disk is full.*is there room"):
        added(freezer, *(Page(f"Kite {number}", ("x" * 5000,)) for number in range(9)))
    assert (Frozen(freezer.path).page("Kite").title, freezer.frozen.about["pages"]) == ("Kite", "1")
    freezer.frozen.verify()


def test_programs_that_begin_one_file_at_the_same_time_all_may(tmp_path):
    program = "import sys; from reactkit.freezer import Freezer; input(); Freezer(sys.argv[1], {})"
    command = [sys.executable, "-c", program, str(tmp_path / "new.sqlite")]
    begun = [subprocess.Popen(command, stdin=subprocess.PIPE, stderr=subprocess.PIPE, text=True) for _ in range(3)]
    for process in begun:
        process.stdin.write("go\n")
        process.stdin.flush()
    assert [process.communicate()[1] for process in begun] == ["", "", ""]
