"""A frozen collection as a source: what it finds, what it refuses, and that it is never written to."""

import os
import sqlite3
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, suppress
from pathlib import Path, PurePosixPath, PureWindowsPath
from threading import Timer

import pytest

from reactkit.encyclopedia import Encyclopedia, Page, Shelf, shipped_pages
from reactkit.errors import DataError
from reactkit.freeze import report
from reactkit.freezer import Freezer
from reactkit.frozen import DAMAGED, FORMAT, MARK, Frozen, address, in_words

PAGES = (
    Page("Red Meat", ("It is a comic strip.", "It is odd."), credit="by us"),
    Page("Red meat", ("It is eaten.",), ("Steak", "Red Meat", "RED STEAK")),
    Page("ÉTÉ (film)", ("It is a film.",), ("Kite 1", "RED meat")),
    Page("Meat", may_mean=("Red Meat", "Red meat")),
    *(Page(f"Kite {n}", (f"It is kite {n}.",)) for n in range(1, 8)),
)
ODD = (
    '"',
    "OR",
    "NEAR(",
    "*",
    "(",
    "a AND NOT b",
    "\0",
    "x\0y",
    "\ud800",
    "",
    "_",
    "{plain}: x",
    "'; DROP TABLE pages --",
)


def held(path):
    """Return the files at a path, its journal too, that this process holds open, as Linux lists them."""
    folder = Path("/proc/self/fd")
    if not folder.is_dir():
        pytest.skip("this system does not list open files")
    places = [os.readlink(entry) for entry in folder.iterdir() if entry.is_symlink()]
    return [place for place in places if place.startswith(str(path))]


def frozen(path, pages=PAGES, names=()):
    """Return a collection of these pages and names, made at a path."""
    freezer = Freezer(path, {"source": "us"})
    with freezer.batch():
        for page in pages:
            freezer.add(page)
        for name, title in names:
            freezer.name(name, title)
    freezer.close()
    return Frozen(path)


@pytest.fixture(scope="module")
def source(tmp_path_factory):
    return frozen(tmp_path_factory.mktemp("frozen") / "a.sqlite")


@pytest.mark.parametrize(
    ("asked", "title"),
    [
        ("Red Meat", "Red Meat"),
        ("Red meat", "Red meat"),
        ("red meat", "Red meat"),
        ("_red_  meat ", "Red meat"),
        ("red Meat", "Red Meat"),
        ("RED MEAT", "Red Meat"),
        ("RED meat", "ÉTÉ (film)"),
        ("steak", "Red meat"),
        ("Red steak", "Red meat"),
        ("e\u0301te\u0301 (FILM)", "ÉTÉ (film)"),
        ("ete (film)", None),
        ("kite 1", "Kite 1"),
        ("Kite", None),
        *((odd, None) for odd in ODD),
    ],
)
def test_a_page_opens_under_any_form_of_its_title_and_of_its_other_names(source, asked, title):
    page = source.page(asked)
    assert (page and page.title) == title


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.title)
def test_a_page_comes_back_as_it_was_without_its_other_names(source, page):
    assert source.page(page.title) == Page(page.title, page.sentences, (), page.may_mean, credit=page.credit)


def test_names_that_lead_nowhere_or_in_a_circle_are_misses_and_never_suggested(tmp_path):
    names = [("Lost", "Nowhere"), ("Here", "There"), ("There", "Here"), ("Self", "Self"), ("KITE 1", "")]
    source = frozen(tmp_path / "a.sqlite", names=names)
    assert [source.page(name) for name, _ in names] == [None] * 5
    assert [source.similar(f"{name}x") for name, _ in names] == [[]] * 4 + [source.similar("Kite 1x")]
    assert source.page("kite 1").title == "Kite 1"


def test_the_same_titles_are_similar_in_a_file_and_on_a_shelf(tmp_path):
    source, shelf = frozen(tmp_path / "a.sqlite", shipped_pages()), Shelf(shipped_pages())
    asked = ["Front Row", "Pink", "Lucasian Professor", "Lovelace Ada", "Zzz", "Michael Colins", "Kongo Riwer"]
    asked += ["Lucasian Profesor", "Marie Curie remote", "Remote Marie Currie", "Theory of Lord Byron"]
    asked += [page.title[:-1] for page in shipped_pages()]
    assert {title: source.similar(title) for title in asked} == {title: shelf.similar(title) for title in asked}


@pytest.mark.parametrize("odd", ODD)
def test_what_means_something_to_the_search_is_a_plain_miss(source, odd):
    assert source.similar(odd) == []


def test_the_words_between_such_signs_are_still_read(source):
    assert source.similar('"Kite" (3*\0 OR\ud800') == ["Kite 3"]


def test_a_text_too_long_for_a_title_is_a_miss(source):
    assert (source.page("a " * 500_000), source.similar("a " * 500_000)) == (None, [])


def test_many_words_cost_no_more_questions_than_some(source):
    counts = []
    for words in (12, 120):
        questions = []
        source.file.set_trace_callback(questions.append)
        source.similar(" ".join(f"kite{n}" for n in range(words)))
        counts.append(len(questions))
    source.file.set_trace_callback(None)
    assert counts[0] == counts[1] < 150


def test_an_encyclopedia_runs_over_it(source):
    world = Encyclopedia(source)
    assert world.search("Steak") == "Redirected from Steak to Red meat. It is eaten."
    assert world.search("Meat") == 'Meat may mean: Red Meat; Red meat. The page "Red meat" stays open.'


def test_threads_may_share_it(source):
    with ThreadPoolExecutor(8) as pool:
        pages = list(pool.map(source.page, [f"kite {n % 7 + 1}" for n in range(400)]))
    assert [page.title for page in pages] == [f"Kite {n % 7 + 1}" for n in range(400)]


def test_reading_writes_nothing(tmp_path):
    source = frozen(tmp_path / "a.sqlite")
    before = source.path.read_bytes(), source.path.stat().st_mtime_ns
    source.path.chmod(0o444)
    tmp_path.chmod(0o555)
    again = Frozen(source.path)
    again.page("kite 1"), again.similar("Kyte 1"), again.verify()
    tmp_path.chmod(0o755)
    assert ((source.path.read_bytes(), source.path.stat().st_mtime_ns), os.listdir(tmp_path)) == (before, ["a.sqlite"])


def test_any_path_will_do(tmp_path):
    path = tmp_path / "a ?mode=rw#%41 é北'\".sqlite"
    assert (frozen(path).page("kite 1").title, os.listdir(tmp_path)) == ("Kite 1", [path.name])


@pytest.mark.parametrize(
    ("content", "told"),
    [
        (b"", "is no frozen collection of this edition"),
        (b"hello", "file is not a database"),
        (b"SQLite format 3\0" + b"x" * 5000, "file is not a database"),
    ],
)
def test_a_file_of_another_program_is_refused_with_a_remedy(tmp_path, content, told):
    path = tmp_path / "a.sqlite"
    path.write_bytes(content)
    with pytest.raises(DataError, match=f"a.sqlite.*{told}.*make it again"):
        Frozen(path)


def test_no_file_and_a_folder_are_no_collection(tmp_path):
    for path in (tmp_path, tmp_path / "none.sqlite"):
        with pytest.raises(DataError, match="there is no frozen collection at .*reactkit freeze"):
            Frozen(path)


@pytest.mark.parametrize(("mark", "edition"), [(MARK, FORMAT + 1), (MARK + 1, FORMAT)])
def test_another_edition_of_the_schema_is_refused(tmp_path, mark, edition):
    path = frozen(tmp_path / "a.sqlite").path
    with closing(sqlite3.connect(path)) as file:
        file.executescript(f"PRAGMA application_id = {mark}; PRAGMA user_version = {edition}")
    with pytest.raises(DataError, match="is no frozen collection of this edition"):
        Frozen(path)


def damaged(path, change):
    """Change the bytes of a collection, and return what reading all of it raises: nothing, or a `DataError`."""
    content = bytearray(path.read_bytes())
    change(content)
    path.write_bytes(content)
    try:
        source = Frozen(path)
        source.verify()
        return [source.page(page.title).title for page in PAGES], source.similar("Kyte 3")
    except DataError as error:
        return error


def test_a_flipped_byte_in_a_page_is_told_by_the_page_and_by_all(tmp_path):
    def flip(content):
        content[content.index(b"comic strip")] ^= 1

    path = frozen(tmp_path / "a.sqlite").path
    assert "are not those that it was made with" in str(damaged(path, flip))
    with pytest.raises(DataError, match="the page 'Red Meat' in .* is damaged"):
        Frozen(path).page("red Meat")
    assert Frozen(path).page("Kite 1").title == "Kite 1"


@pytest.mark.parametrize("start", range(0, 3000, 100))
def test_wherever_it_is_damaged_nothing_but_a_data_error_comes(tmp_path, start):
    path = frozen(tmp_path / "a.sqlite").path
    good = path.read_bytes()
    for at in range(start, len(good), 3000):
        path.write_bytes(good)
        damaged(path, lambda content, at=at: content.__setitem__(at, content[at] ^ 0xC1))


@pytest.mark.parametrize("share", [0.1, 0.5, 0.9])
def test_a_truncated_file_is_damaged(tmp_path, share):
    path = frozen(tmp_path / "a.sqlite").path

    def cut(content):
        del content[int(len(content) * share) :]

    assert isinstance(damaged(path, cut), DataError)


@pytest.mark.parametrize(
    "change",
    [
        "DELETE FROM pages WHERE title = 'Kite 7'",
        "UPDATE pages SET credit = 'by them' WHERE title = 'Kite 7'",
        "UPDATE pages SET digest = NULL WHERE title = 'Kite 7'",
        "UPDATE pages SET digest = hex(digest)",
        "UPDATE names SET title = 'Kite 6' WHERE name = 'Kite 7'",
        "DELETE FROM names WHERE name = 'Steak'",
        "INSERT INTO names VALUES (7, 'Sail', 'Kite 7', 'sail')",
        "UPDATE names SET plain = 'sail' WHERE name = 'Steak'",
        "UPDATE answers SET titles = 'Kite 7'",
        "INSERT INTO answers VALUES ('kites', 'Kite 7')",
        "DELETE FROM marks WHERE spelled = 'steak'",
        "INSERT INTO words (words) VALUES ('delete-all')",
        "UPDATE about SET value = 'ours' WHERE name = 'source'",
        "UPDATE about SET value = '10' WHERE name = 'pages'",
        "DELETE FROM about WHERE name = 'source'",
        "INSERT INTO about VALUES ('licence', 'none')",
        "DELETE FROM about",
    ],
)
def test_whatever_is_changed_is_told_by_all(tmp_path, change):
    path = tmp_path / "a.sqlite"
    frozen(path).close()
    with closing(Freezer(path, {})) as freezer, freezer.batch():
        freezer.answer("sail", ["Kite 1"])
    Frozen(path).verify()
    with closing(sqlite3.connect(path)) as file, file:
        file.execute(change)
    with pytest.raises(DataError, match="are not those that it was made with|says of itself was changed"):
        Frozen(path).verify()


COLUMNS = {
    "pages": ("title", "sentences", "may_mean", "credit", "digest"),
    "names": ("name", "title", "plain"),
    "answers": ("asked", "titles"),
    "about": ("name", "value"),
    "marks": ("mark", "spelled"),
}


@pytest.mark.parametrize("value", [None, 7, b"\xff\x00", "x" * 100_000], ids=["null", "number", "bytes", "long"])
@pytest.mark.parametrize(("table", "column"), [(table, column) for table in COLUMNS for column in COLUMNS[table]])
def test_a_value_of_any_kind_is_read_or_is_a_data_error(tmp_path, table, column, value):
    path = tmp_path / "a.sqlite"
    frozen(path).close()
    with closing(Freezer(path, {})) as freezer, freezer.batch():
        freezer.answer("Kyte 1", ["Kite 1"])
    with closing(sqlite3.connect(path)) as file, file:
        file.execute(f"UPDATE OR IGNORE {table} SET {column} = ?", [value])
    with Frozen(path) as source:
        reads = [
            lambda: source.page("red meat"),
            *(lambda a=asked: source.similar(a) for asked in ("Kyte 1", "Kyte 2")),
        ]
        for read in (*reads, lambda: report(source), source.verify):
            with suppress(DataError):
                read()


@pytest.mark.parametrize(
    ("path", "place"),
    [
        (PurePosixPath("/a b/é?#%.sqlite"), "file:///a%20b/%C3%A9%3F%23%25.sqlite?mode=ro"),
        (PureWindowsPath("C:\\a\\b.sqlite"), "file:///C%3A/a/b.sqlite?mode=ro"),
        (PureWindowsPath("\\\\server\\share\\b.sqlite"), "file:////server/share/b.sqlite?mode=ro"),
    ],
)
def test_a_path_has_an_address_also_on_a_network_drive_of_windows(path, place):
    assert address(path) == place


def test_a_file_is_closed_after_a_block_and_where_it_is_refused(tmp_path):
    path = tmp_path / "a.sqlite"
    frozen(path).close()
    with Frozen(path) as source:
        assert (source.page("kite 1").title, held(path)) == ("Kite 1", [str(path)])
    assert held(path) == []
    path.write_bytes(b"hello")
    with pytest.raises(DataError) as refused:
        Frozen(path)
    assert (refused.type, held(path)) == (DataError, [])


def test_another_program_that_writes_is_waited_for(tmp_path):
    path = tmp_path / "a.sqlite"
    frozen(path).close()
    with closing(sqlite3.connect(path, check_same_thread=False)) as other:
        other.execute("BEGIN EXCLUSIVE")
        end = Timer(0.2, other.rollback)
        end.start()
        with Frozen(path, wait=20) as source:
            assert source.page("kite 1").title == "Kite 1"
        end.join()


def test_a_file_that_another_program_holds_is_told(source):
    with closing(sqlite3.connect(source.path)) as other:
        other.execute("BEGIN EXCLUSIVE")
        with pytest.raises(DataError, match="database is locked. If no other program is writing"):
            Frozen(source.path, wait=0)


def test_damage_in_the_search_is_no_lack_of_full_text_search(tmp_path):
    path = tmp_path / "a.sqlite"
    frozen(path).close()
    with closing(sqlite3.connect(path)) as file, file:
        file.execute("UPDATE words_config SET v = 99 WHERE k = 'version'")
    with Frozen(path) as source, pytest.raises(DataError, match="invalid fts5 file format.*make it again"):
        source.similar("Kyte 1")


def test_a_python_without_full_text_search_is_told():
    with pytest.raises(DataError, match="lacks FTS5: use one from python.org"):
        with in_words("a.sqlite", DAMAGED):
            raise sqlite3.OperationalError("no such module: fts5")
