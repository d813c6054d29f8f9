"""mediawiki: all recorded answers of the API, each with the whole value that it means, and what no recording shows."""

import json

import pytest

from reactkit.encyclopedia import Page
from reactkit.errors import SourceError
from reactkit.mediawiki import answer, article, asked, cleaned, found, pointed, searchable
from reactkit.sentences import sentences

WIKI = "en.wikipedia.org"
UNSTATED = "licence not stated"
ADDRESS = "https://en.wikipedia.org/wiki/"
PYTHON = "Python (programming language)"
ADAMS = "Douglas Adams (disambiguation)"


def link(title, revision, scheme="https"):
    return f"{scheme}://en.wikipedia.org/wiki/{title.replace(' ', '_')}?oldid={revision}"


def without_text(title):
    return "without_text", f"{WIKI} sent the page {title!r} without its text; does it have the extension TextExtracts?"


ARTICLES = {  # file: title, first sentence, names on the way, credit
    "extract_celtuce_2013": (
        "Celtuce",
        "Celtuce (Lactuca sativa var. asparagina, augustana, or angustata), also called stem lettuce, celery lettuce, "
        "asparagus lettuce, or Chinese lettuce, IPA (UK,US) /ˈsɛlt.əs/, is a cultivar of lettuce grown primarily for "
        "its thick stem, used as a vegetable.",
        [],
        f"Celtuce, {WIKI}, revision 575687826, {UNSTATED}",
    ),
    "extract_exsentences5_chess_2017": (
        "Chess",
        "Chess is a two-player strategy board game played on a chessboard, a checkered gameboard with 64 squares "
        "arranged in an eight-by-eight grid.",
        [],
        f"Chess, {WIKI}, {UNSTATED}",
    ),
    "extract_full_plaintext_2026": (
        PYTHON,
        "Python is a high-level, general-purpose programming language.",
        ["Python_(programming_language)", PYTHON],
        f"{PYTHON}, {WIKI}, {UNSTATED}",
    ),
    "extract_third_party_short_2017": (
        "Castos",
        "Archmaester Castos is an archmaester at the Citadel in Oldtown.",
        [],
        f"Castos, {WIKI}, revision 152611, {UNSTATED}",
    ),
}
WHOLE = {  # file: all that is read from it
    "fv2_disambiguation_douglas_adams_2018": (
        Page(
            ADAMS,
            may_mean=(
                "Douglas Adams", "Douglas Adams (engineer)", "Douglas Q. Adams", "Doug Adams (American football)",
                "Doug Adams (baseball)", "Doug Adams (music journalist)", "Doug Adams (television producer)",
                "Douglas Adams (cricketer)",
            ),
            credit=f"{ADAMS}, {WIKI}, revision 805854377, {UNSTATED}, {link(ADAMS, 805854377)}",
        ),
        [],
        UNSTATED,
    ),
    "missing_page_2026": (
        None, ["NonExistentPage_WikiAPI_Test_12345", "NonExistentPage WikiAPI Test 12345"], UNSTATED,
    ),
    "missing_purpleberry_2014": (None, ["purpleberry", "Purpleberry"], UNSTATED),
    "pageid_minus_one_2017": (None, [], UNSTATED),
    "search_empty_gobbilygook_2017": ([], ""),
    "search_limit3_2026": ([PYTHON, "History of Python", "Outline of the Python programming language"], ""),
    "search_nearmatch_2026": (["Python programming"], ""),
    "search_suggestion_chest_set_2017": (
        ["The Seekers", "Hemithea (mythology)", "Osiris myth", "Catan", "Treasure Chest (Helloween album)"],
        "chess set",
    ),
}  # fmt: skip
FAULTS = {  # file: kind, message, seconds to wait
    "existing_page_info_2026": (*without_text(PYTHON), 0),
    "pageprops_disambiguation_bush_2017": (*without_text("Bush"), 0),
    "pageprops_normalized_castor_2017": (*without_text("Castor"), 0),
    "pageprops_plain_chess_2017": (*without_text("Chess"), 0),
    "parsed_html_disambiguation_bush_2017": (*without_text("Bush"), 0),
    "redirect_menlo_park_2014": (*without_text("Edison, New Jersey"), 0),
    "error_geosearch_bad_coord_2017": (
        "request_refused",
        f"{WIKI}: HTTP 200: Invalid coordinate provided; does this wiki know all that the kit asks for?",
        0,
    ),
    "opensearch_resolve_newyork_2017": (
        "odd_answer",
        f'{WIKI} sent an answer of another form: ["new york", ["New York", "New York City", "The New York Times", '
        '"List of reference routes in New York", "New York State Route 22"], ["New York is a s; is it the address of '
        "an api.php?",
        0,
    ),
    "error_maxlag_http200": (
        "busy",
        f"{WIKI}: HTTP 200: Waiting for 10.192.16.41: 0.10323 seconds lagged.; try again later",
        5,
    ),
    "http_403_no_user_agent": (
        "refused",
        f"{WIKI}: HTTP 403: Please set a user-agent and respect our robot policy https://w.wiki/4wJS. See also "
        "https://phabricator.wikimedia.org/T400119.; is yours a contact that can be reached? See w.wiki/4wJS",
        0,
    ),
    "http_429_html": (
        "busy",
        f"{WIKI}: HTTP 429: Wikimedia Error Our servers are currently under maintenance or experiencing a technical "
        "issue.; try again later",
        18,
    ),
}
COMPLETED = {  # file that lacks the text: the page and names, once the wiki sends a text and links with it
    "pageprops_disambiguation_bush_2017": (
        Page("Bush", may_mean=("The Bush", "Bush A"), credit=f"Bush, {WIKI}, revision 742740766, {UNSTATED}, "
             + link("Bush", 742740766)), [],
    ),
    "pageprops_normalized_castor_2017": (
        Page("Castor", may_mean=("The Bush", "Bush A"), credit=f"Castor, {WIKI}, revision 740340773, {UNSTATED}, "
             + link("Castor", 740340773)), ["castor", "Castor"],
    ),
    "pageprops_plain_chess_2017": (
        Page("Chess", ("It may refer to:", "The Bush, a pub", "Bush A, a player."), credit=f"Chess, {WIKI}, revision "
             f"746704244, {UNSTATED}, " + link("Chess", 746704244)), [],
    ),
    "redirect_menlo_park_2014": (
        Page("Edison, New Jersey", ("It may refer to:", "The Bush, a pub", "Bush A, a player."),
             credit=f"Edison, New Jersey, {WIKI}, revision 607768264, {UNSTATED}, "
             + link("Edison, New Jersey", 607768264, "http")),
        ["Menlo Park, New Jersey", "Edison, New Jersey"],
    ),
}  # fmt: skip


def recorded(folder, name):
    """Return what came of a recorded request, as `answer` wants it."""
    [path] = [*folder.glob(f"mediawiki/{name}.json"), *folder.glob(f"mediawiki/transcribed/{name}.json")]
    response = json.loads(path.read_text(encoding="utf-8"))["response"]
    text = response["text"] if "text" in response else json.dumps(response["json"])
    return f"HTTP {response['status']}", text, float(response["headers"].get("retry-after", 0))


def fault(outcome, text, wait=0.0, read=article):
    with pytest.raises(SourceError) as caught:
        answer(outcome, text, wait, WIKI, read)
    return caught.value.kind, str(caught.value), caught.value.wait


def read(query):
    return answer("HTTP 200", json.dumps({"query": query}), 0.0, WIKI, article)


def test_each_recorded_answer_has_its_row(real_data):
    names = {path.stem for path in (real_data / "mediawiki").rglob("*.json")}
    assert names == {*ARTICLES, *WHOLE, *FAULTS}


@pytest.mark.parametrize("name", ARTICLES)
def test_a_recorded_article_is_read_in_sentences_without_its_headings(name, real_data):
    outcome, text, wait = recorded(real_data, name)
    title, first, names, credit = ARTICLES[name]
    [entry] = json.loads(text)["query"]["pages"].values()
    lines = [line for line in entry["extract"].split("\n") if not line.startswith("=")]
    whole = tuple(sentence for line in lines for sentence in sentences(line))
    assert answer(outcome, text, wait, WIKI, article) == (Page(title, whole, credit=credit), names, UNSTATED)
    assert whole[0] == first


@pytest.mark.parametrize("name", WHOLE)
def test_a_recorded_answer_means_this(name, real_data):
    assert answer(*recorded(real_data, name), WIKI, found if name.startswith("search") else article) == WHOLE[name]


@pytest.mark.parametrize("name", FAULTS)
def test_a_recorded_answer_that_is_none_says_what_is_wrong_and_what_to_do(name, real_data):
    assert fault(*recorded(real_data, name)) == FAULTS[name]


@pytest.mark.parametrize("name", COMPLETED)
def test_a_recorded_answer_is_read_once_it_has_a_text(name, real_data):
    _, text, _ = recorded(real_data, name)
    query = json.loads(text)["query"]
    [page] = query["pages"].values()
    page["extract"] = "It may refer to:\n\nThe Bush, a pub\nBush A, a player."
    page["links"] = [{"ns": 0, "title": "Bush A"}, {"ns": 0, "title": "The Bush"}, {"ns": 12, "title": "Help:It"}]
    assert read(query) == (*COMPLETED[name], UNSTATED)


def entry(title="A", extract="It is A.", **more):
    return {"pageid": 1, "ns": 0, "title": title, "extract": extract, **more}


def step(one, other, **more):
    return {"from": one, "to": other, **more}


A = Page("A", ("It is A.",), credit=f"A, {WIKI}, {UNSTATED}")
MISSING = {"ns": 0, "title": "B", "missing": True}


@pytest.mark.parametrize(
    ("query", "page", "names"),
    [
        ({"pages": [entry()]}, A, []),
        ({"pages": {"1": entry()}}, A, []),
        ({"normalized": [step("a", "A")], "pages": [entry()]}, A, ["a", "A"]),
        (
            {"redirects": [step("C", "B"), step("B", "A", tofragment="Uses")], "pages": [entry()]},
            A,
            ["C", "B", "B", "A"],
        ),
        ({"redirects": [step("B", "C"), step("C", "B")]}, None, ["B", "C", "C", "B"]),
        ({"redirects": [step("B", "B")], "pages": []}, None, ["B", "B"]),
        ({"redirects": [step("A", "B")], "pages": [MISSING]}, None, ["A", "B"]),
        ({"redirects": [step("A", "fr:B", tointerwiki="fr")]}, None, ["A", "fr:B"]),
        ({"interwiki": [{"title": "fr:B", "iw": "fr"}]}, None, []),
        ({"pages": [{"title": "Special:Random", "ns": -1, "special": True}]}, None, []),
        ({"pages": [{"title": "[", "invalidreason": "it holds [", "invalid": True}]}, None, []),
        ({"pages": {"-1": {"title": "[", "invalidreason": "it holds [", "invalid": ""}}}, None, []),
        ({"pages": [entry("Talk:A") | {"ns": 1}]}, None, []),
        ({"pages": [entry(missing=False)]}, A, []),
        ({"pages": [entry(extract="")]}, Page("A", credit=A.credit), []),
    ],
)
def test_titles_lead_to_a_page_of_the_encyclopedia_or_to_none(query, page, names):
    assert read(query) == (page, names, UNSTATED)


@pytest.mark.parametrize(
    ("extract", "links", "may_mean"),
    [
        (
            "A may mean:\nB (film), of 1999\nA thing in Bonn\nB, a letter",
            ["B", "B (film)", "Bonn"],
            ("B (film)", "Bonn", "B"),
        ),
        ("A is many things.", ["C", "B"], ("C", "B")),
        ("A:\nB+ [x]\n== C ==\nBs", ["B", "B+ [x]", "C"], ("B+ [x]",)),
        ("B may mean:\nA (?:x)*, or", ["A (?:x)*"], ("A (?:x)*",)),
    ],
)
def test_a_disambiguation_page_points_to_the_first_link_of_each_line_or_else_to_all(extract, links, may_mean):
    links = [*({"ns": 0, "title": title} for title in links), {"ns": 14, "title": "Category:A"}]
    page, _, _ = read({"pages": [entry(extract=extract, links=links, pageprops={"disambiguation": ""})]})
    assert page == Page("A", may_mean=may_mean, credit=A.credit)


def test_a_disambiguation_page_that_points_nowhere_is_read_as_a_page():
    assert read({"pages": [entry(pageprops={"disambiguation": ""})]}) == (A, [], UNSTATED)


def test_the_credit_names_title_wiki_revision_time_licence_and_a_lasting_link():
    of_the_page = {"revisions": [{"revid": 7, "timestamp": "2026-01-02T03:04:05Z"}], "lastrevid": 8}
    address = {"canonicalurl": "https://w.example/index.php?title=A", "fullurl": "//w.example"}
    rights = {"text": "CC BY-SA 4.0", "url": "https://l.example"}
    page, _, licence = read({"pages": [entry(**of_the_page, **address)], "rightsinfo": rights})
    assert licence == "CC BY-SA 4.0 https://l.example"
    link = "https://w.example/index.php?title=A&oldid=7"
    assert page.credit == f"A, {WIKI}, revision 7 2026-01-02T03:04:05Z, {licence}, {link}"


def test_a_formula_is_read_once_and_headings_not_at_all():
    symbols = "\n  \n    \n      \n        E\n        =\n        m\n      \n    \n"
    text = f"It is{symbols}    {{\\displaystyle E=m}}\n  \n, they say.\n\n\n== Use ==\n\n=== In a = b ===\nIt is used."
    page, _, _ = read({"pages": [entry(extract=text)]})
    assert page.sentences == ("It is E=m , they say.", "It is used.")


def test_indented_lines_without_a_formula_stay():
    page, _, _ = read({"pages": [entry(extract="So:\n    print(1)")]})
    assert page.sentences == ("So:", "print(1)")


ODD = f"{WIKI} sent an answer of another form: {{}}; is it the address of an api.php?"
BROKEN = f"{WIKI} sent what is no JSON, or not all of it: {{}}; is it the address of an api.php?"


@pytest.mark.parametrize(
    ("text", "kind", "message"),
    [
        ("", "broken_answer", BROKEN.format("")),
        ('{"query": {"pa', "broken_answer", BROKEN.format('{"query": {"pa')),
        ("<html><title>Log in</title>", "broken_answer", BROKEN.format("Log in")),
        ("[" * 100_000, "broken_answer", BROKEN.format("[" * 150)),
        ("null", "odd_answer", ODD.format("null")),
        ("7", "odd_answer", ODD.format("7")),
        ('{"batchcomplete": true}', "odd_answer", ODD.format('{"batchcomplete": true}')),
        ('{"query": []}', "odd_answer", ODD.format('{"query": []}')),
        ('{"query": {}}', "odd_answer", ODD.format('{"query": {}}')),
        ('{"query": {"search": []}}', "odd_answer", ODD.format('{"query": {"search": []}}')),
        ('{"query": {"pages": 7}}', "odd_answer", ODD.format('{"query": {"pages": 7}}')),
        ('{"query": {"pages": [7]}}', "odd_answer", ODD.format('{"query": {"pages": [7]}}')),
        (
            '{"query": {"pages": [{"extract": "A"}]}}',
            "odd_answer",
            ODD.format('{"query": {"pages": [{"extract": "A"}]}}'),
        ),
    ],
)
def test_an_answer_that_is_no_json_or_of_another_form_says_so(text, kind, message):
    assert fault("HTTP 200", text) == (kind, message, 0)


@pytest.mark.parametrize(
    ("outcome", "text", "kind", "told"),
    [
        ("HTTP 200", '{"error": {"code": "readonly", "info": "Closed."}}', "busy", "Closed.; try again later"),
        ("HTTP 200", '{"error":{"code":"ratelimited","info":"Slow."}}', "busy", "Slow.; try again later"),
        ("HTTP 200", '{"error": {"code": "internal_api"}}', "busy", '{"code": "internal_api"}; try again later'),
        ("HTTP 200", '{"error": {"code": "search-too-busy-error", "info": "Busy."}}', "busy", "Busy.; try again later"),
        ("HTTP 200", '{"error": {"code": "cirrussearch-backend-error"}}', "busy",
         '{"code": "cirrussearch-backend-error"}; try again later'),
        ("HTTP 200", '{"error": "no"}', "request_refused", "no; does this wiki know all that the kit asks for?"),
        ("HTTP 202", "{}", "request_refused", "{}; does this wiki know all that the kit asks for?"),
        ("HTTP 301", "<a>moved</a>", "wrong_address", "moved; is it the address of an api.php?"),
        ("HTTP 404", "<style>b {}</style><b>Gone</b>", "wrong_address", "Gone; is it the address of an api.php?"),
        ("HTTP 401", "No.", "refused", "No.; is yours a contact that can be reached? See w.wiki/4wJS"),
        ("HTTP 503", "<h1>Down</h1>", "busy", "Down; try again later"),
        ("ReadTimeout", "timed out", "connection_lost", "timed out; try again; what was read is kept"),
        ("RemoteProtocolError", "cut", "connection_lost", "cut; try again; what was read is kept"),
        ("ConnectError", "no such host", "not_reached", "no such host; is there a network? is the address right?"),
        ("InvalidURL", "no port", "wrong_address", "no port; is it the address of an api.php?"),
    ],
)  # fmt: skip
def test_a_failure_has_a_kind_and_an_advice_and_no_markup(outcome, text, kind, told):
    assert fault(outcome, text, 3.0) == (kind, f"{WIKI}: {outcome}: {told}", 3.0)


def test_a_wiki_that_asks_for_a_long_pause_is_quoted():
    _, message, wait = fault("HTTP 429", "Slow.", 3600.0)
    assert (wait, message) == (
        3600,
        f"{WIKI}: HTTP 429: Slow.; it asks to wait 3600 s, and 120 s is the limit; try again later",
    )


@pytest.mark.parametrize(
    ("title", "name"),
    [
        ("Front Row", "Front Row"),
        (" front_row  (software)_", "front row (software)"),
        ("Front\x1fRow\n", "Front Row"),
        ("Front Row#History", "Front Row"),
        ("Front Row#\ufffd", ""),
        ("São Paulo", "São Paulo"),
        *((f"A{sign}B", "") for sign in "<>[]{}|\x00\x7f\ud800\ufffd"),
        ("#History", ""),
        ("", ""),
        ("ä" * 127, "ä" * 127),
        ("ä" * 128, ""),
    ],
)
def test_a_wiki_is_asked_for_one_title_or_not_at_all(title, name):
    assert asked(title) == name


def test_a_search_is_for_words_and_holds_no_operators():
    text = '"Front Row" -Apple intitle:Row insource:/x/ ~a* OR NOT ORION'
    assert searchable(text) == "Front Row Apple intitle Row insource x a or not ORION"
    assert (searchable("?!"), len(searchable("a" * 5000)), searchable("A\ufffd")) == ("", 300, "")


def test_what_a_search_finds_beside_the_encyclopedia_is_left_out():
    hits = [{"ns": 1, "title": "Talk:A"}, *({"ns": 0, "title": title} for title in "ABCDEFG")]
    assert found({"search": hits, "searchinfo": {"totalhits": 9}}, WIKI) == ([*"ABCDE"], "")


def test_a_disambiguation_finds_links_that_are_shown_in_quotation_marks_or_other_capitals():
    links = ["Beautiful (Akon song)", "Beautiful (film)", "Beauty", "Pubic hair", "Beautiful (unseen)", "Akon"]
    text = '"Beautiful" (Akon song), by Akon\nBeautiful (film), a film\nslang for pubic hair\nSee also beauty\nNothing'
    listed = [{"ns": 0, "title": title} for title in links]
    found = ("Beautiful (Akon song)", "Beautiful (film)", "Pubic hair", "Beauty", "Beautiful (unseen)")
    assert pointed("Beautiful (disambiguation)", text, listed) == found
    assert pointed("Other", "nothing here", listed) == tuple(links)


def test_a_disambiguation_finds_whole_words_and_loses_no_link_that_differs_only_in_capitals():
    listed = [{"ns": 0, "title": title} for title in ("Red Meat", "Red meat", "Bus", '"')]
    text = "Red Meat, a comic\nOmnibus, no bus\nRed meat, food"
    assert pointed("X", text, listed) == ("Red Meat", "Red meat", "Bus")
    assert pointed("X", "An omnibus\nRed meat", listed) == ("Red Meat", "Red meat")


def test_a_line_of_equals_signs_is_read_in_one_pass():
    assert cleaned("=" * 200_000 + "x") == "=" * 200_000 + "x"
    assert cleaned("A.\n== B ==\nC.") == "A.\n\nC."
