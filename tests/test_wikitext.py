"""Wikitext becomes what a reader sees; no mark that is left open, and no number of marks, takes minutes."""

import subprocess
import sys

import pytest

from reactkit.wikitext import meanings, prose

ARTICLE = """{{Infobox lamp | name = {{nowrap|Old [[lamp]]}} | a = {1} }}
A '''lamp''' ({{IPA|x}}; {{lang|y}}) is a [[Light source|source]]&nbsp;of ''light''.<ref name="a/b">{{c}} [[No]]</ref>
[[File:A.jpg|thumb|An old [[lamp]] here]]
<!-- {{ hidden -->
== History ==
It is old.<ref name=z /> See [http://a.example the site], or<br>ask.<math>\\{x</math>
* first [[thing]]
# second <small>thing</small>
{| class=x
|-
| cell
|}
[[Category:Lamps]] __NOTOC__"""


def test_wikitext_becomes_what_a_reader_sees():
    assert [line.strip() for line in prose(ARTICLE).splitlines() if line.strip()] == [
        "A lamp is a source\xa0of light.",
        "It is old. See the site, or",
        "ask.",
        "first thing",
        "second thing",
    ]


@pytest.mark.parametrize(
    ("ending", "found"),
    [
        ("{{disambiguation}}", True),
        ("{{Disambig|geo}}", True),
        ("{{human name disambiguation}}", True),
        ("{{hndis|Doe, J}}", True),
        ("{{geodis}}", True),
        ("{{Disamb}}", True),
        ("{{SIA}}", True),
        ("{{Set index article|x}}", True),
        ("{{shipindex}}", True),
        ("{{Letter\u2013number combination disambiguation}}", True),
        ("{{Species Latin name abbreviation disambiguation}}", True),
        ("{{Template:Human_name_disambiguation}}", True),
        ("{{\n disambiguation\n| geo }}", True),
        ("{{disambigua}}", True),
        ("{{Ujednoznacznienie}}", True),
        ("{{desambigua\u00e7\u00e3o}}", True),
        ("{{Dp}}", True),
        ("{{f\u00f6rgrening}}", True),
        ("{{Begriffskl\u00e4rung}}", True),
        ("__DISAMBIG__", True),
        ("{{Surname}}", False),
        ("{{given name}}", False),
        ("{{No disambiguation}}", False),
        ("{{R from unnecessary disambiguation}}", False),
        ("{{nota disambigua|x}}", False),
        ("<!-- {{disambiguation}} -->", False),
        ("<nowiki>{{disambiguation}}</nowiki>", False),
        ("{{disambiguation needed}}", False),
        ("{{about|x|y (disambiguation)}}", False),
        ("It may refer to many.", False),
    ],
)
def test_a_disambiguation_page_is_known_by_its_template(ending, found):
    assert meanings(f"* the [[A (b)|a]] and [[c]]\n** [[D]]\n* none\n{ending}") == (["A (b)", "D"] if found else [])


def test_a_meaning_is_the_first_link_of_a_line_to_an_article_here():
    lines = "* [[File:A.jpg]] [[A_(b)]]\n* [[fr:A]]\n* [[:Category:A]]\n* [[wikt:a]]\n* [[User:A]] or [[B: C &amp; D]]"
    assert meanings(f"{lines}\n{{{{dab}}}}") == ["A (b)", "B: C & D"]


@pytest.mark.parametrize(
    ("template", "shown"),
    [
        ("convert|100|km|mi|abbr=on", "100 km"),
        ("cvt|5|to|9|m|0", "5 to 9 m"),
        ("convert|5|-|9|C", "5\u20139 C"),
        ("convert|6|ft|2|in|m", "6 ft 2 in"),
        ("val|1.5|0.2|e=9|u=kg", "1.5 \u00d7 10^9 kg"),
        ("formatnum:1234567.25", "1,234,567.25"),
        ("FORMATNUM: 12", "12"),
        ("nowrap|a [[b|c]]", "a c"),
        ("Nobr|1=a = b", "a = b"),
        ("lang|fr|tour", "tour"),
        ("lang-de|Turm", "Turm"),
        ("transl|ru|ALA|bashnya", "bashnya"),
        ("circa|1900", "c. 1900"),
        ("as of|2020|5", "As of May 2020"),
        ("as of|2020|05|1|lc=y", "as of 1 May 2020"),
        ("birth_date and age|df=y|1950|12|31", "31 December 1950"),
        ("death date|1950", "1950"),
        ("USS|Kite|CV-9", "USS Kite"),
        ("ship|MS|Lamp|1950", "MS Lamp"),
        ("abbr|km|kilometre", "km"),
        ("nihongo|Tower|\u5854|t\u014d", "Tower (\u5854, t\u014d)"),
        ("small|{{nowrap|{{big|a}}}}", "a"),
        ("snd", " \u2013 "),
        ("nbsp", "\xa0"),
        ("template:mdash", "\u2014"),
        ("IPA|x", ""),
        ("convert", ""),
        ("lang|fr", ""),
        ("tall tower|5", ""),
    ],
)
def test_a_template_that_a_sentence_needs_is_shown(template, shown):
    assert prose(f"x|{{{{{template}}}}}|y").strip() == f"x|{shown.strip(' ') if not shown.strip() else shown}|y"


@pytest.mark.parametrize(
    ("wikitext", "shown"),
    [
        ("It ({{x}}; {{y}}) is, {{x}}, old {{z}}.", "It is, old."),
        ("A ({{x}}, b; {{y}}) c", "A (b) c"),
        ("One writes <nowiki><ref></nowiki> here. So.<ref>No.</ref> It.", "One writes <ref> here. So. It."),
        ("<code><ref></code> One. Two.<REF>No</ref>", "One. Two."),
        ("<pre>[[a]] {{b}} ''c'' &lt;</pre>", "[[a]] {{b}} ''c'' <"),
        ("<syntaxhighlight lang=x>a<ref></syntaxhighlight> It.", "It."),
        ("If <math>a < b</math>, <math>\\pi</math>no.", "If a < b, no."),
        ("x < y and y <z, a <b and c> d", "x < y and y <z, a <b and c> d"),
        ("{1, 2} and [sic] and [a [b]] or [[c", "{1, 2} and [sic] and [a [b]] or [[c"),
        ("[[:Category:A]], [[:fr:B|b]], [[wikt:c]] [[de:D]][[simple:E|e]]", "Category:A, b, wikt:c"),
        ("[[Fichier:a|b [[c]] [http://d e] {{f}}]] it [[Bild: a]]", "it"),
        ("{| a\n|-\n| b\nIt.", "It."),
        ("a<br/>b<p>c<span style='x'>d</span>", "a\nb\ncd"),
        ("{{{1}}}{{{a|b}}}it", "it"),
    ],
)
def test_what_is_left_reads_whole(wikitext, shown):
    assert prose(wikitext).strip() == shown


def test_templates_are_taken_away_as_deep_as_wikis_nest_them():
    assert prose("{{a|" * 15 + "}}" * 15 + "It.") == "It."


@pytest.mark.parametrize("mark", ["{", "x < y. ", "<b>", "<td>", "| a\n", "[[a|", "[[a:b|", "{{a|", "<ref>", "&"])
def test_no_mark_that_is_left_open_costs_an_article_its_text(mark):
    assert "It is old." in prose(f"{mark * 9_000}\nIt is old.")


OPEN = [
    "{{",
    "{{a|",
    "}}",
    "{|\n",
    "[[",
    "[[a|",
    "<b>",
    "<a ",
    '<a b="',
    "<ref>",
    "<!--",
    "[http://a ",
    "*",
    "(,",
    "=",
    " ",
    "<nowiki>",
    "<math>a",
    "x < y ",
    "[[a:b|",
    "#a ",
    "#ab  ",
    "| a\n",
]


@pytest.mark.parametrize("mark", OPEN)
def test_marks_that_are_never_closed_take_no_minutes(mark):
    program = f"from reactkit.wikitext import *; text = {mark!r} * 50_000; prose(text); meanings(text); redirect(text)"
    subprocess.run([sys.executable, "-c", program], timeout=30, check=True)


CLOSED = ["'{{a|' * n + '}}' * n", "'[[a|' * n + ']]' * n", "'[[a]] {{b}}' * n"]
REDIRECTS = ["'#ab' + ' ' * n", "'#ab [[' + 'a' * n"]


@pytest.mark.parametrize("content", CLOSED + REDIRECTS)
def test_marks_without_end_that_are_closed_take_no_minutes(content):
    program = f"from reactkit.wikitext import *; n = 100_000; t = {content}; prose(t); meanings(t); redirect(t)"
    subprocess.run([sys.executable, "-c", program], timeout=30, check=True)
