"""Four kinds of input are read item by item, and what cannot be used is skipped with its reason."""

import bz2
import gzip
import json
import os
import subprocess
import sys
import tracemalloc
from contextlib import suppress

import pytest

from reactkit.dumps import LONGEST, items
from reactkit.encyclopedia import Page
from reactkit.errors import DataError

NAMESPACES = '<namespace key="0" /><namespace key="6">Bildo</namespace><namespace key="9">Pordo</namespace>'
SITE = f"<siteinfo><sitename>Kitpedia</sitename><namespaces>{NAMESPACES}</namespaces></siteinfo>"


def entries(path):
    """Return what all items of an input give."""
    return [entry for _, make in items(path) for entry in make()]


def written(folder, name, content):
    path = folder / name
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return path


def wiki_page(title, text, ns=0, redirect=""):
    leads = f'<redirect title="{redirect}" />' if redirect else ""
    revision = (
        f"<id>7</id><timestamp>2026-01-02T03:04:05Z</timestamp><contributor><id>9</id></contributor><text>{text}</text>"
    )
    return f"<page><title>{title}</title><ns>{ns}</ns><id>5</id>{leads}<revision>{revision}</revision></page>\n"


def dump(*pages):
    return f'<mediawiki xmlns="http://www.mediawiki.org/xml/export-0.11/">{SITE}\n{"".join(pages)}</mediawiki>\n'


def test_a_folder_gives_a_page_for_each_text_file(tmp_path):
    written(
        tmp_path,
        "Tide_pool.txt",
        "\ufeffTide pool\r\n\r\nA pool is left\r\nby the tide. It is cold.\r\n\r\nSnails live there\r\n",
    )
    written(tmp_path, "Lamp.txt", "# Lamp\n- one\n- two")
    assert entries(tmp_path) == [
        Page("Lamp", ("- one", "- two")),
        Page("Tide pool", ("A pool is left by the tide.", "It is cold.", "Snails live there")),
    ]


def test_what_is_no_plain_text_file_is_skipped(tmp_path):
    folder = tmp_path / "in"
    (folder / "deep.txt").mkdir(parents=True)
    written(folder, "empty.txt", "")
    written(folder, "latin.txt", "caf\u00e9".encode("latin-1"))
    written(folder, "long.txt", "long " * (LONGEST // 5 + 1))
    written(folder, "nul.txt", "a\0b")
    written(folder, "notes.md", "no")
    assert entries(folder) == [
        ("no plain .txt file", "deep.txt"),
        ("no text", "empty.txt"),
        ("NUL bytes, or no UTF-8", "latin.txt"),
        ("over 4 MB", "long.txt"),
        ("no plain .txt file", "notes.md"),
        ("NUL bytes, or no UTF-8", "nul.txt"),
    ]


@pytest.mark.skipif(os.name == "nt", reason="no pipes in folders there, and links need a privilege")
def test_links_pipes_and_devices_in_a_folder_are_not_followed(tmp_path):
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "link.txt").symlink_to(written(tmp_path, "secret.txt", "Secret."))
    (tmp_path / "in" / "null.txt").symlink_to(os.devnull)
    os.mkfifo(tmp_path / "in" / "pipe.txt")
    assert entries(tmp_path / "in") == [("no plain .txt file", name) for name in ("link.txt", "null.txt", "pipe.txt")]


def test_json_lines_give_pages_with_their_redirects_meanings_and_credit(tmp_path):
    rows = [
        {
            "title": "Tide  pool",
            "text": "It is cold. It is wet.",
            "redirects": ["Rock pool", 3, ""],
            "credit": "By hand",
        },
        {"title": "Pool", "contents": "", "may_mean": ["Tide pool", "Pool (game)"]},
        {"title": "Lamp", "extract": "It shines."},
    ]
    path = written(tmp_path, "a.jsonl", "\n\n".join(json.dumps(row) for row in rows))
    assert entries(path) == [
        Page("Tide pool", ("It is cold.", "It is wet."), ("Rock pool",), credit="By hand"),
        Page("Pool", may_mean=("Tide pool", "Pool (game)")),
        Page("Lamp", ("It shines.",)),
    ]


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        (b"{", "no JSON, or over 4 MB"),
        (b"[" * 100_000, "no JSON, or over 4 MB"),
        (b'{"title": "a", "text": "' + b"x" * LONGEST + b'"}', "no JSON, or over 4 MB"),
        (b"[1, 2]", "of another shape"),
        (b'{"text": "x"}', "of another shape"),
        (b'{"title": 3, "text": "x"}', "of another shape"),
        (b'{"title": " ", "text": "x"}', "no title"),
        (b'{"title": "a", "text": " "}', "no text"),
        (b'{"title": "%s", "text": "x"}' % (b"a" * 301), "a title over 300 letters"),
        (b'{"title": "a", "text": "\xff"}', "NUL bytes, or no UTF-8"),
        (b'{"title": "a", "text": "\\u0000"}', "NUL bytes, or no UTF-8"),
        (b'{"title": "a", "text": "\\ud800"}', "NUL bytes, or no UTF-8"),
        (b'{"title": "a", "text": "x", "credit": "\\ud800"}', "NUL bytes, or no UTF-8"),
    ],
    ids=lambda value: value[:40] if isinstance(value, bytes) else "",
)
def test_a_line_that_gives_no_page_is_skipped_with_its_reason(tmp_path, line, reason):
    path = written(
        tmp_path, "a.jsonl", line + b'\n{"title": "Lamp", "text": "It shines.", "redirects": "Light", "may_mean": 1}'
    )
    assert entries(path) == [(reason, "line 1"), Page("Lamp", ("It shines.",))]


def test_hotpotqa_gives_the_paragraphs_as_they_are_split(tmp_path):
    context = [["Salt &amp; Sea", ["It is by J. Doe. ", " It\nis long."]], ["Lamp", ["It shines."]]]
    shapeless = [["Lamp"], ["Lamp", "It shines."], [1, ["It shines."]], ["", ["It shines."]]]
    questions = [{"_id": "1", "context": context}, {"question": "Who?"}, 12, {"context": shapeless}]
    path = written(tmp_path, "a.json", "\ufeff " + json.dumps(questions, indent=1))
    assert entries(path) == [
        Page("Salt & Sea", ("It is by J. Doe.", "It is long.")),
        Page("Lamp", ("It shines.",)),
        ("of another shape", "question 2"),
        ("of another shape", "question 3"),
        *[("of another shape", "question 4")] * 3,
        ("no title", "question 4"),
    ]


BROKEN_LISTS = ["[", "[1, ", '[1, {"a": ', "[1, 2 3]", "[1, " + "[" * 100_000, '[1, "' + "x" * 2 * LONGEST]


@pytest.mark.parametrize("content", BROKEN_LISTS, ids=lambda content: content[:9])
def test_a_list_that_breaks_off_is_an_error_with_its_place(tmp_path, content):
    path = written(tmp_path, "a.json", content)
    with pytest.raises(DataError, match=r"a\.json is damaged or cut off at about byte \d+: question [12] breaks off"):
        entries(path)


def test_a_dump_gives_articles_redirects_and_disambiguation_pages(tmp_path):
    listed = "It may be:\n* [[Lamp (film)|a film]] of [[1999]]\n* the [[Lamp (river)]]\n{{disambiguation}}"
    pages = dump(
        wiki_page("Lamp", "'''Lamp''' {{x}} shines.&lt;ref&gt;So.&lt;/ref&gt; It is [[hot]]."),
        wiki_page("Lamp (disambiguation)", listed),
        wiki_page("Light", "#REDIRECT [[Lamp]]", redirect="Lamp"),
        wiki_page("Talk:Lamp", "So hot.", ns=1),
        wiki_page("Void", "{{gone}}"),
        wiki_page("Long", "long " * (LONGEST // 5 + 1)),
    )
    credit = "{}, revision 7 of 2026-01-02T03:04:05Z, Kitpedia".format
    wanted = [
        Page("Lamp", ("Lamp shines.", "It is hot."), credit=credit("Lamp")),
        Page("Lamp (disambiguation)", (), (), ("Lamp (film)", "Lamp (river)"), credit=credit("Lamp (disambiguation)")),
        Page("Lamp", redirects=("Light",)),
        ("no article: another namespace", "Talk:Lamp"),
        ("no text", "Void"),
        ("over 4 MB", "Long"),
    ]
    for name, packed in [("a.xml", bytes), ("a.xml.gz", gzip.compress), ("a.xml.bz2", bz2.compress)]:
        assert entries(written(tmp_path, name, packed(pages.encode()))) == wanted


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("#REDIRECT [[Lamp]]", ""),
        ("#WEITERLEITUNG: [[lamp#Use|x]] {{R}}", ""),
        ("#перенаправление[[:Lamp]]\n\n[[Category:X]]", ""),
        ("", "Lamp#Use"),
    ],
)
def test_a_redirect_is_known_by_its_text_too_and_leads_to_the_page_of_a_section(tmp_path, text, told):
    path = written(tmp_path, "a.xml", dump(wiki_page("Light", text, redirect=told)))
    assert entries(path) == [Page("Lamp", redirects=("Light",))]


LISTS = ["#Old [[lamp]] by day", "#Old [[lamp]]\n#New [[lamp]]", "# REDIRECT [[lamp]]", "#[[lamp]]"]


@pytest.mark.parametrize("text", LISTS)
def test_a_list_that_begins_with_a_link_is_no_redirect(tmp_path, text):
    [page] = entries(written(tmp_path, "a.xml", dump(wiki_page("Light", text))))
    assert page.sentences[0].split()[-1] in ("lamp", "day")


def test_the_namespaces_that_a_dump_names_are_hidden_and_no_meanings(tmp_path):
    listed = "* [[Pordo:Lampo]] and [[Lamp (river)]]\n* [[bildo:L.jpg]]\n{{dab}}"
    lamp = wiki_page("Lamp", "It [[Bildo:L.jpg|thumb|not]]shines, says [[Pordo:Lampo|a gate]].")
    lamp, other = entries(written(tmp_path, "a.xml", dump(lamp, wiki_page("Other", listed))))
    assert (lamp.sentences, other.may_mean) == (("It shines, says a gate.",), ("Lamp (river)",))


def test_a_page_of_more_links_than_can_be_parsed_is_skipped_with_its_reason(tmp_path):
    path = written(tmp_path, "a.xml", dump(wiki_page("Lamp", "[[a:b]]" * 200_001)))
    assert entries(path) == [("more links than can be parsed in seconds", "Lamp")]


BOMB = '<!DOCTYPE mediawiki [<!ENTITY a "ha"><!ENTITY b "&a;&a;">]>' + dump(wiki_page("Lamp", "&b;"))


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (BOMB.encode(), "declares a DOCTYPE"),
        (dump(wiki_page("Lamp", "&b;")).encode(), "undefined entity"),
        (dump(wiki_page("Lamp", "It shines.")).encode()[:-20], "unclosed token: line 2"),
        (dump(wiki_page("Lamp", "caf\u00e9")).encode("latin-1"), "not well-formed .*: line 2"),
        (dump(wiki_page("Lamp", "a\0b")).encode(), "not well-formed .*: line 2"),
        (b"<mediawiki>" + b"<a>" * 100_000, "for a dump of MediaWiki"),
        (b"<mediawiki>" + b"".join(b"<a%d/>" % n for n in range(50_000)), "for a dump of MediaWiki"),
        (b"<mediawiki a='" + b"x" * 3 * LONGEST, "for a dump of MediaWiki"),
        (bz2.compress(os.urandom(9) + dump(wiki_page("Lamp", "It shines.")).encode())[:-9], "cannot be read"),
        (bz2.compress(b"<mediawiki>" + os.urandom(90_000).hex().encode())[:-9000], "ended before"),
        (gzip.compress(dump(wiki_page("Lamp", os.urandom(90_000).hex())).encode())[:-9000], "ended before"),
    ],
    ids=lambda value: str(value[:20]),
)
def test_a_damaged_or_hostile_dump_is_an_error_with_its_place(tmp_path, content, message):
    path = written(tmp_path, "a.xml", content)
    with pytest.raises(DataError, match=rf"a\.xml .*{message}"):
        entries(path)


def test_what_came_before_the_damage_is_given_first(tmp_path):
    path = written(tmp_path, "a.xml", dump(wiki_page("Lamp", "It shines."), wiki_page("Pool", "It is wet."))[:-40])
    found = items(path)
    assert next(found)[1]()[0].title == "Lamp"
    with pytest.raises(DataError, match="damaged or cut off"):
        list(found)


@pytest.mark.parametrize("name", ["none.txt", "a.zip", "empty", "hat.xml"])
def test_an_input_of_no_known_kind_is_an_error(tmp_path, name):
    for known, content in [("a.zip", b"PK\3\4"), ("empty", b""), ("hat.xml", b"hat")]:
        written(tmp_path, known, content)
    message = f"no file and no folder .*{name}|{name} is none of what can be frozen: a folder of"
    with pytest.raises(DataError, match=message):
        entries(tmp_path / name)


def test_an_input_of_many_items_is_read_in_little_memory(tmp_path):
    question = json.dumps({"context": [["Lamp", ["It shines. " * 500]]]})
    hotpot = written(tmp_path, "a.json", f"[{', '.join([question] * 4000)}]")
    wiki = written(tmp_path, "a.xml", dump(*[wiki_page("Lamp", "It shines. " * 500)] * 4000))
    tracemalloc.start()
    counts = [sum(1 for _ in items(path)) for path in (hotpot, wiki)]
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert (counts, hotpot.stat().st_size > 20e6, peak < 3e6) == ([4000, 4000], True, True), f"{peak / 1e6:.1f} MB"


@pytest.mark.parametrize("begins", [b'{"title": "', b'[{"a": "', b"<mediawiki><page><revision><text>"])
def test_a_small_file_that_unpacks_to_much_takes_little_memory(tmp_path, begins):
    path = written(tmp_path, "a.gz", gzip.compress(begins + b"x" * 50_000_000, 1))
    tracemalloc.start()
    with suppress(DataError):
        entries(path)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 30e6, f"{peak / 1e6:.1f} MB"


def test_without_the_parser_of_wikitext_a_dump_says_how_to_install_it(tmp_path):
    path = written(tmp_path, "a.xml", dump(wiki_page("Lamp", "It shines.")))
    program = f"""
import sys; sys.modules["mwparserfromhell.parser"] = sys.modules["mwparserfromhell"] = None
from pathlib import Path; from reactkit.dumps import items
[make() for _, make in items(Path({str(path)!r}))]"""
    ran = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert "DataError: to freeze a MediaWiki dump, install what reads its markup: " + sys.executable in ran.stderr
