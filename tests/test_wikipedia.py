"""wikipedia: the live source against wikis on this machine that fail in every way, and what it keeps.

No test asks the real Wikipedia: the suite runs offline. What its servers send is known from the recorded answers.
"""

import gzip
import os
import re
import sqlite3
import subprocess
import sys
import threading

import httpx
import pytest
from wire_server import RIGHTS, Sent, entry, playing, serving, wiki_of

from reactkit import REACT, Encyclopedia, Page, Scripted, encyclopedia_tools, shipped_pages, solve
from reactkit.errors import DataError, SourceError
from reactkit.frozen import Frozen
from reactkit.wikipedia import WHY, Wikipedia, operator
from reactkit.wire import seconds

CONTACT = "teacher@school.example"
A = Page("A", ("It is A.",), credit="")
OK = Sent({"query": {"pages": [entry(A)], "rightsinfo": RIGHTS}})
HERE = httpx.Client(trust_env=False)  # no proxy stands between the tests and this machine
HTML = "<!DOCTYPE html><style>b {}</style><h1>Too many</h1>"


class Desk:
    """A `Wikipedia` with a clock that runs only while it waits."""

    def __init__(self, answer, folder, **options):
        self.waits, self.now = [], 1_767_322_645.0
        self.serving = serving(answer)
        self.options = {"wait": self.waited, "clock": lambda: self.now, "folder": folder, "client": HERE, **options}

    def waited(self, seconds):
        self.waits += [seconds] if seconds else []
        self.now += seconds

    def __enter__(self):
        self.wiki = self.serving.__enter__()
        self.wikipedia = Wikipedia(CONTACT, language=self.wiki.address, **self.options)
        return self

    def __exit__(self, *error):
        self.serving.__exit__(*error)

    @property
    def titles(self):
        return [asked.get("titles") or asked["srsearch"] for asked, _ in self.wiki.asked]


def kept(folder):
    [path] = folder.glob("*.sqlite")
    return Frozen(path)


def test_one_request_brings_a_page_and_it_is_never_asked_for_again(tmp_path):
    with Desk(playing(OK), tmp_path) as desk:
        name = desk.wikipedia.name
        pages = [desk.wikipedia.page("A"), desk.wikipedia.page("A"), desk.wikipedia.page("_A ")]
    link = "https://wiki.example/wiki/A?oldid=65"
    credit = f"A, {name}, revision 65 2026-01-02T03:04:05Z, CC BY-SA 4.0 https://licence.example/by-sa, {link}"
    assert pages == [Page("A", A.sentences, credit=credit)] * 3
    [(asked, agent)] = desk.wiki.asked
    assert asked == {
        "action": "query", "format": "json", "formatversion": "2", "maxlag": "5", "titles": "A", "redirects": "1",
        "prop": "extracts|pageprops|revisions|info|links", "explaintext": "1", "ppprop": "disambiguation",
        "rvprop": "ids|timestamp", "inprop": "url", "plnamespace": "0", "pllimit": "max", "meta": "siteinfo",
        "siprop": "rightsinfo",
    }  # fmt: skip
    assert re.fullmatch(r"reactkit/[\d.]+ \(teacher@school\.example\) httpx/[\d.]+", agent)


def test_what_is_kept_says_whose_it_is_and_not_who_asked(tmp_path):
    with Desk(playing(OK), tmp_path) as desk:
        desk.wikipedia.page("A")
    frozen = kept(tmp_path)
    frozen.verify()
    told = {name: frozen.about[name] for name in ("source", "date", "licence", "pages")}
    licence = "CC BY-SA 4.0 https://licence.example/by-sa"
    assert told == {
        "source": desk.wikipedia.name,
        "date": "2026-01-02T02:57:25+00:00",
        "licence": licence,
        "pages": "1",
    }
    assert CONTACT.encode() not in frozen.path.read_bytes()


def test_a_search_asks_once_for_five_titles_and_tries_a_suggestion_where_nothing_was_found(tmp_path):
    nothing = Sent({"query": {"searchinfo": {"suggestion": "front row"}, "search": []}})
    some = Sent({"query": {"searchinfo": {"suggestion": "x"}, "search": [{"ns": 0, "title": "Front Row"}]}})
    with Desk(playing(nothing, some), tmp_path) as desk:
        assert [desk.wikipedia.similar("Frunt Row!"), desk.wikipedia.similar("frunt_row!")] == [["Front Row"]] * 2
        assert desk.titles == ["Frunt Row", "front row"]
        assert desk.wiki.asked[0][0] == {
            "action": "query", "format": "json", "formatversion": "2", "maxlag": "5", "list": "search", "srlimit": "5",
            "srnamespace": "0", "srinfo": "suggestion", "srprop": "", "srsearch": "Frunt Row",
        }  # fmt: skip


def test_a_suggestion_is_not_tried_where_something_was_found_or_it_holds_operators_only(tmp_path):
    some = Sent({"query": {"searchinfo": {"suggestion": "x"}, "search": [{"ns": 0, "title": "Front Row"}]}})
    none = Sent({"query": {"searchinfo": {"suggestion": '"~"'}, "search": []}})
    with Desk(playing(some, none), tmp_path) as desk:
        assert [desk.wikipedia.similar(asked) for asked in ("Front", "Frunt")] == [["Front Row"], []]
        assert desk.titles == ["Front", "Frunt"]


def test_a_suggestion_is_searched_for_without_its_operators(tmp_path):
    none = Sent({"query": {"searchinfo": {"suggestion": 'intitle:"front" NOT row'}, "search": []}})
    with Desk(playing(none), tmp_path) as desk:
        assert (desk.wikipedia.similar("Frunt"), desk.titles) == ([], ["Frunt", "intitle front not row"])


def test_a_search_that_finds_nothing_is_kept_too(tmp_path):
    with Desk(playing(Sent({"query": {"search": []}})), tmp_path) as desk:
        found = [desk.wikipedia.similar(asked) for asked in ("gobbilygook", "gobbilygook", "?!", "")]
        assert (found, desk.titles) == ([[]] * 4, ["gobbilygook"])
    assert kept(tmp_path).similar("gobbilygook") == []


def test_a_miss_that_is_kept_is_no_suggestion(tmp_path):
    with Desk(wiki_of([A]), tmp_path) as desk:
        assert [desk.wikipedia.page(title) for title in ("Front Rows", "Front Row (play)")] == [None, None]
    assert kept(tmp_path).similar("Front Row") == []


@pytest.mark.parametrize("title", ["", " ", "#History", "A|B", "A\x00", "A\ud800", "[[A]]", "a" * 256])
def test_what_may_not_stand_in_a_title_is_a_miss_without_a_request(title, tmp_path):
    with Desk(playing(OK), tmp_path) as desk:
        assert (desk.wikipedia.page(title), desk.wiki.asked) == (None, [])


def test_titles_that_differ_only_in_case_are_titles_of_their_own(tmp_path):
    pages = {"Red Meat": "A comic strip.", "Red meat": "Meat that is red."}
    entries = {title: entry(Page(title, (text,))) for title, text in pages.items()}

    def answer(asked):
        return Sent({"query": {"pages": [entries.get(asked["titles"], {"title": asked["titles"], "missing": True})]}})

    with Desk(answer, tmp_path) as desk:
        read = [desk.wikipedia.page(title) for title in ("Red Meat", "RED MEAT", "Red meat", "RED MEAT", "Red Meat")]
        assert desk.titles == ["Red Meat", "RED MEAT", "Red meat"]
    assert [page and page.sentences for page in read] == [
        ("A comic strip.",), None, ("Meat that is red.",), None, ("A comic strip.",),
    ]  # fmt: skip
    assert [kept(tmp_path).page(title) for title in ("Red Meat", "RED MEAT", "Red meat")] == read[:3]


def test_every_name_on_the_way_to_a_page_leads_there_without_a_request(tmp_path):
    steps = {
        "normalized": [{"from": "c", "to": "C"}],
        "redirects": [{"from": "C", "to": "B"}, {"from": "B", "to": "A"}],
    }
    with Desk(playing(Sent({"query": {**steps, "pages": [entry(A)]}})), tmp_path) as desk:
        read = [desk.wikipedia.page(title).title for title in ("c#Use", "c", "C", "B", "A")]
        assert (read, desk.titles) == (["A"] * 5, ["c"])
    assert [kept(tmp_path).page(title).title for title in ("c#Use", "c", "C", "B", "A")] == ["A"] * 5


@pytest.mark.parametrize("title", ["A\ud800", "A#\ud800", "\ud800"])
def test_half_a_character_that_a_model_typed_breaks_no_run_off(title, tmp_path):
    with Desk(wiki_of([A]), tmp_path) as desk:
        told, similar = Encyclopedia(desk.wikipedia).search(title), desk.wikipedia.similar(title)
    assert (told, similar, desk.titles) == (f"Could not find [{title}]. No title resembles it.", [], [])


def test_a_character_that_came_in_two_halves_is_one_in_all_questions(tmp_path):
    with Desk(wiki_of([A]), tmp_path) as desk:
        assert (desk.wikipedia.page("\ud83d\ude00"), desk.wikipedia.similar("\ud83d\ude00")) == (None, [])
    assert desk.titles == ["\U0001f600"] * 2


def test_a_wiki_that_asks_to_be_left_alone_is_left_alone_also_for_the_next_title(tmp_path):
    with Desk(playing(Sent(HTML, 429, {"Retry-After": "3600"}), OK), tmp_path) as desk:
        for title in ("A", "B"):
            with pytest.raises(SourceError) as raised:
                desk.wikipedia.page(title)
            assert (raised.value.kind, raised.value.wait) == ("busy", 3600)
        asked = len(desk.wiki.asked)
        desk.now += 3601
        assert (asked, desk.wikipedia.page("A").sentences) == (1, A.sentences)


@pytest.mark.parametrize(
    ("trouble", "waits", "left"),
    [
        (Sent(HTML, 429, {"Retry-After": "3600"}), [], 3600),
        (Sent(HTML, 403), [1], 0),
        (Sent("down", 503), [2, 4, 8, 16], 0),
    ],
    ids=["left alone", "refused", "down"],
)
def test_what_one_program_was_told_to_wait_another_one_waits_that_shares_the_file(trouble, waits, left, tmp_path):
    answers = [trouble] * max(len(waits), 1)
    with Desk(playing(*answers, OK), tmp_path) as desk:
        other = Wikipedia(CONTACT, language=desk.wiki.address, **desk.options)
        with pytest.raises(SourceError):
            desk.wikipedia.page("A")
        if left:
            with pytest.raises(SourceError, match="asked to be left alone for 3600 s; try then"):
                other.page("A")
            desk.now += left
        assert (other.page("A").sentences, desk.waits, len(desk.wiki.asked)) == (A.sentences, waits, len(answers) + 1)


def test_a_reader_closes_its_file_and_its_client_but_not_one_that_was_lent(tmp_path):
    with Desk(playing(OK), tmp_path) as desk:
        lent = desk.options["client"]
        with Wikipedia(CONTACT, language=desk.wiki.address, **desk.options) as reader:
            assert reader.page("A").title == "A"
        with Wikipedia(CONTACT, tmp_path / "own") as own:
            pass
    assert (lent.is_closed, own.client.is_closed) == (False, True)
    for closed in (reader, own):
        with pytest.raises(sqlite3.ProgrammingError, match="closed"):
            closed.kept.file.execute("SELECT 1")


def test_programs_that_share_a_file_ask_once_for_a_page_and_a_pause_apart(tmp_path):
    with serving(playing(OK)) as wiki:
        waits, options = [], {"language": wiki.address, "client": HERE, "pause": 60.0, "folder": tmp_path}
        readers = [Wikipedia(CONTACT, tmp_path / "one.sqlite", wait=waits.append, **options) for _ in range(3)]
        threads = [threading.Thread(target=reader.page, args=(title,)) for reader in readers for title in ("A", "B")]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert sorted(asked["titles"] for asked, _ in wiki.asked) == ["A", "B"]
        assert [wait > 30 for wait in sorted(waits)] == [False, True]


def test_a_loop_of_redirects_is_a_miss_after_one_request(tmp_path):
    loop = {"redirects": [{"from": "B", "to": "C"}, {"from": "C", "to": "B"}]}
    with Desk(playing(Sent({"query": loop})), tmp_path) as desk:
        assert [desk.wikipedia.page(title) for title in ("B", "C", "B")] == [None] * 3
        assert desk.titles == ["B"]


LAG = Sent({"error": {"code": "maxlag", "info": "Waiting."}}, headers={"Retry-After": "5"})
DATE = {"Retry-After": "Fri, 02 Jan 2026 03:04:35 GMT", "Date": "Fri, 02 Jan 2026 03:04:05 GMT"}


@pytest.mark.parametrize(
    ("troubles", "waits"),
    [
        ([Sent(HTML, 429, {"Retry-After": "18"})], [18]),
        ([Sent(HTML, 429, DATE)], [30]),
        ([Sent(HTML, 429)], [2]),
        ([Sent("down", 503), Sent("down", 502), Sent("down", 500)], [2, 4, 8]),
        ([LAG, LAG], [5, 5]),
        ([Sent(OK.body, cut=0)], [2]),
        ([Sent(OK.body, cut=40)], [2]),
        ([Sent(OK.content.decode()[:40])], [2]),
        ([Sent("gzipped", headers={"Content-Encoding": "gzip"})], [2]),
    ],
    ids=["429", "date", "no date", "5xx", "maxlag", "no answer", "half a body", "half a JSON", "no gzip"],
)
def test_what_may_pass_is_tried_again_and_waited_for(troubles, waits, tmp_path):
    with Desk(playing(*troubles, OK), tmp_path) as desk:
        assert desk.wikipedia.page("A").sentences == A.sentences
        assert (desk.waits, len(desk.wiki.asked)) == (waits, len(troubles) + 1)


def test_a_wiki_that_does_not_answer_in_time_is_tried_again(tmp_path):
    late = threading.Event()

    def answer(asked):
        return OK if late.is_set() else (late.set(), threading.Event().wait(0.3), OK)[-1]

    with Desk(answer, tmp_path, timeout=0.1) as desk:
        assert (desk.wikipedia.page("A").title, desk.waits) == ("A", [2])


@pytest.mark.parametrize(
    ("trouble", "kind", "requests"),
    [
        (Sent(HTML, 429), "busy", 4),
        (Sent(HTML, 429, {"Retry-After": "3600"}), "busy", 1),
        (Sent("Set a user-agent.", 403), "refused", 1),
        (Sent(OK.body, cut=40), "connection_lost", 4),
        (Sent("<title>Log in to the network</title>"), "broken_answer", 4),
        (Sent([]), "odd_answer", 1),
        (Sent({"error": {"code": "unknown_action", "info": "No."}}), "request_refused", 1),
        (Sent("", 301, {"Location": "elsewhere"}), "wrong_address", 1),
        (Sent({"query": {"pages": [{"ns": 0, "title": "A"}]}}), "without_text", 1),
    ],
)
def test_what_does_not_pass_is_an_error_that_says_what_and_where_and_nothing_is_kept(trouble, kind, requests, tmp_path):
    with Desk(playing(trouble), tmp_path) as desk:
        with pytest.raises(SourceError) as caught:
            desk.wikipedia.page("A")
        assert (caught.value.kind, len(desk.wiki.asked)) == (kind, requests)
    told = str(caught.value)
    assert desk.wikipedia.name in told and told.endswith(f"(requests sent: {requests})") and "<" not in told
    assert kept(tmp_path).about["pages"] == "0"


@pytest.mark.parametrize(
    ("address", "kind"),
    [
        ("http://127.0.0.1:1/w/api.php", "not_reached"),
        ("ftp://127.0.0.1/w/api.php", "wrong_address"),
        ("http://127.0.0.1:port/w/api.php", "wrong_address"),
    ],
)
def test_a_wiki_that_is_not_there_is_asked_once(address, kind, tmp_path):
    waits = []
    with pytest.raises(SourceError) as caught:
        Wikipedia(CONTACT, tmp_path / "kept", language=address, wait=waits.append, client=HERE).page("A")
    assert (caught.value.kind, waits) == (kind, [0])


@pytest.mark.parametrize(
    ("trouble", "options", "kind", "told"),
    [
        (
            Sent(OK.body, drip=0.01),
            {"timeout": 0.05},
            "too_slow",
            r"TimeoutError: \d+ bytes came in 0\.15 s, which is the limit, and not the whole answer; try again later, "
            r"or give a longer timeout=",
        ),
        (
            Sent(gzip.compress(bytes(99_000_000), 1), headers={"Content-Encoding": "gzip"}),
            {},
            "too_large",
            r"OverflowError: the answer is larger than 16,777,216 bytes, which is the limit; "
            r"is it the address of an api\.php\?",
        ),
    ],
    ids=["drips", "floods"],
)
def test_an_answer_without_end_is_given_up_at_once_and_nothing_is_kept(trouble, options, kind, told, tmp_path):
    with Desk(playing(trouble), tmp_path, **options) as desk:
        with pytest.raises(SourceError) as caught:
            desk.wikipedia.page("A")
        assert (caught.value.kind, len(desk.wiki.asked)) == (kind, 1)
    assert re.fullmatch(rf"{desk.wikipedia.name}: {told} \(requests sent: 1\)", str(caught.value))
    assert kept(tmp_path).about["pages"] == "0"


def test_no_network_is_told_as_such(tmp_path):
    def no_such_host(request):
        raise httpx.ConnectError("[Errno -2] Name or service not known")

    client = httpx.Client(transport=httpx.MockTransport(no_such_host))
    with pytest.raises(SourceError) as caught:
        Wikipedia(CONTACT, tmp_path / "kept", client=client).page("A")
    told = "ConnectError: [Errno -2] Name or service not known; is there a network? is the address right?"
    assert str(caught.value) == f"en.wikipedia.org: {told} (requests sent: 1)"


def test_an_error_of_the_wiki_does_not_repeat_the_contact(tmp_path):
    with Desk(playing(Sent(f"{CONTACT} is blocked", 403)), tmp_path) as desk:
        with pytest.raises(SourceError, match=r"HTTP 403: \*\*\* is blocked"):
            desk.wikipedia.page("A")


def test_requests_are_a_pause_apart_and_one_at_a_time(tmp_path):
    busy, most = threading.Semaphore(0), []

    def answer(asked):
        busy.release()
        most.append(busy._value)
        threading.Event().wait(0.01)
        busy.acquire()
        return Sent({"query": {"pages": [entry(Page(asked["titles"], ("It is.",)))]}})

    with Desk(answer, tmp_path, pause=1.5) as desk:
        threads = [threading.Thread(target=desk.wikipedia.page, args=(title,)) for title in "ABC"]
        [thread.start() for thread in threads]
        [thread.join() for thread in threads]
        assert (sorted(desk.titles), most, desk.waits) == (["A", "B", "C"], [1, 1, 1], [1.5, 1.5])


def test_two_readers_share_a_file_and_the_second_asks_for_nothing(tmp_path):
    with Desk(wiki_of(shipped_pages()), tmp_path) as desk:
        other = Wikipedia(CONTACT, language=desk.wiki.address, folder=tmp_path, client=HERE)
        asked = [reader.page(title) for title in ("Front Row", "Apple Remote") for reader in (desk.wikipedia, other)]
        assert (asked[::2], desk.titles) == (asked[1::2], ["Front Row", "Apple Remote"])


RUN = [
    "Search[Apple remote#Uses]",
    "Lookup[front row]",
    "Search[Front Row]",
    "Search[FRONT ROW]",
    "Search[gobbilygook]",
    "Search[a|b]",
    "Finish[x]",
]


def replies(actions):
    return Scripted([f"Thought {n}: I look.\nAction {n}: {action}" for n, action in enumerate(actions, start=1)])


def played(source, actions=RUN):
    return solve("What is it?", REACT, replies(actions), encyclopedia_tools(Encyclopedia(source)))


def test_a_live_lesson_replays_tomorrow_letter_by_letter_without_a_network(tmp_path):
    with Desk(wiki_of(shipped_pages()), tmp_path) as desk:
        live = played(desk.wikipedia)
    assert played(kept(tmp_path)) == live
    assert (live.outcome, len(live.calls)) == ("finished", 7)


def test_a_failure_breaks_off_the_run_and_keeps_what_was_read(tmp_path):
    with Desk(playing(OK, Sent(HTML, 403)), tmp_path) as desk:
        with pytest.raises(SourceError) as caught:
            played(desk.wikipedia, ["Search[A]", "Search[B]"])
    said = [(line.role, line.text) for line in caught.value.trajectory]
    assert said[-3:] == [("observation", "It is A."), ("thought", "I look."), ("action", "Search[B]")]
    assert kept(tmp_path).page("A").sentences == A.sentences


def test_a_file_of_another_source_is_not_written_to(tmp_path):
    Wikipedia(CONTACT, tmp_path / "kept", language="de")
    with pytest.raises(DataError, match=r"kept does not hold pages of en\.wikipedia\.org; give another file as kept="):
        Wikipedia(CONTACT, tmp_path / "kept")


def test_each_language_has_its_file_in_the_users_folder(tmp_path):
    wikis = [
        Wikipedia(CONTACT, language=where, folder=tmp_path / "new")
        for where in ("en", "http://w.example:8/api.php", "http://me:secret@w.example:8/api.php")
    ]
    assert [wiki.name for wiki in wikis] == ["en.wikipedia.org", "w.example:8", "w.example:8"]
    assert [wiki.address for wiki in wikis[:2]] == ["https://en.wikipedia.org/w/api.php", "http://w.example:8/api.php"]
    files = ["wikipedia-en.sqlite", "wikipedia-http-w.example-8-api.php.sqlite"]
    assert sorted(path.name for path in (tmp_path / "new").iterdir()) == files


def test_a_folder_that_cannot_be_is_a_clear_error(tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(DataError, match="cannot read en.wikipedia.org: .*file.*; give another place as kept="):
        Wikipedia(CONTACT, tmp_path / "file" / "kept")
    with pytest.raises(DataError, match="cannot read en.wikipedia.org: .*home.*; give another place as kept="):
        Wikipedia(CONTACT, folder="~nobody-of-this-name/new")


def run_apart(program, folder, **environ):
    """Return what a program prints that runs in a process of its own, with this home folder and environment."""
    told = {**os.environ, "HOME": str(folder), "USERPROFILE": str(folder), "REACTKIT_CONTACT": "", **environ}
    return subprocess.run([sys.executable, "-c", program], env=told, capture_output=True, text=True, check=True).stdout


def test_the_folder_is_in_the_users_home_and_the_contact_is_typed_unseen(tmp_path):
    program = """import getpass, builtins
from reactkit.wikipedia import Wikipedia
getpass.getpass, builtins.input = (lambda words: "a@b.example"), None
print(Wikipedia().contact)"""
    assert run_apart(program, tmp_path) == "a@b.example\n"
    assert sorted(path.name for path in (tmp_path / ".reactkit").iterdir()) == ["contact.txt", "wikipedia-en.sqlite"]


def test_a_proxy_that_cannot_be_used_is_a_clear_error(tmp_path):
    program = """from reactkit.errors import DataError
from reactkit.wikipedia import Wikipedia
try:
    Wikipedia("a@b.example")
except DataError as error:
    print(error)"""
    told = run_apart(program, tmp_path, ALL_PROXY="odd://127.0.0.1:1", NO_PROXY="")
    assert told.startswith("cannot read en.wikipedia.org: ") and "odd" in told


def test_a_wait_is_never_negative_and_an_odd_clock_of_another_program_holds_nobody_up(tmp_path):
    with Desk(playing(OK), tmp_path, clock=lambda: 1e9) as desk:
        with desk.wikipedia.kept.batch():
            desk.wikipedia.kept.say({"ready": "9e9"})
        desk.wikipedia.wait = desk.waits.append
        desk.wikipedia.page("A")
        desk.wikipedia.clock = lambda: 2e9
        desk.wikipedia.page("B")
    assert desk.waits == [1, 0]


@pytest.mark.parametrize(
    ("asked", "wait"),
    [("7", 7), (" 1.5 ", 1.5), ("1.5.2", 0), ("-5", 0), ("1e9", 0), ("nan", 0), ("inf", 0), ("soon", 0), ("", 0)],
)
def test_only_a_plain_number_or_a_date_is_a_wait(asked, wait):
    assert seconds({"retry-after": asked}) == wait


def refuse(question):
    raise EOFError("nobody is there")


def test_the_contact_is_asked_for_once_and_remembered(tmp_path):
    asked = []
    said = operator(None, lambda question: asked.append(question) or f" {CONTACT}\n", tmp_path / "new", {})
    again = operator(None, refuse, tmp_path / "new", {})
    assert (said, again, asked) == (CONTACT, CONTACT, [WHY])


@pytest.mark.parametrize(
    ("given", "environ", "said"),
    [
        ("a@b.example", {"REACTKIT_CONTACT": "c@d.example"}, "a@b.example"),
        (
            None,
            {"REACTKIT_CONTACT": "https://school.example/kit; c@d.example"},
            "https://school.example/kit; c@d.example",
        ),
        (None, {"REACTKIT_CONTACT": ""}, "r@s.example"),
    ],
)
def test_the_argument_comes_before_the_environment_before_what_is_remembered(given, environ, said, tmp_path):
    (tmp_path / "contact.txt").write_text("r@s.example\n")
    assert operator(given, refuse, tmp_path, environ) == said


@pytest.mark.parametrize(
    "contact", ["me", "a@b\r\nX-Evil: 1", "jörg@x.example", "a (b) c@d.example", "@", "x@y" * 99, "http://"]
)
def test_a_contact_that_nobody_could_be_reached_by_is_refused(contact, tmp_path):
    with pytest.raises(SourceError) as caught:
        operator(contact, refuse, tmp_path, {})
    told = "the contact is no address; give your mail address or web page, one line of ASCII, as contact= or in the "
    assert (caught.value.kind, str(caught.value)) == ("no_contact", f"{told}variable REACTKIT_CONTACT")


@pytest.mark.parametrize("refusal", [EOFError("end"), OSError("no terminal"), NotImplementedError("no input here")])
def test_where_nobody_can_be_asked_the_error_says_how_to_give_a_contact(refusal, tmp_path):
    def ask(question):
        raise refusal

    with pytest.raises(SourceError, match=r"no_contact|give your mail address .* REACTKIT_CONTACT") as caught:
        operator(None, ask, tmp_path, {})
    assert (caught.value.kind, list(tmp_path.iterdir())) == ("no_contact", [])


@pytest.mark.parametrize("remembered", [b"\xff\xfe\x00", b"nobody", b""], ids=["no text", "no contact", "nothing"])
def test_a_remembered_contact_that_is_none_is_asked_for_again(remembered, tmp_path):
    (tmp_path / "contact.txt").write_bytes(remembered)
    assert operator(None, lambda question: CONTACT, tmp_path, {"REACTKIT_CONTACT": " "}) == CONTACT
    assert (tmp_path / "contact.txt").read_text("utf-8") == f"{CONTACT}\n"


def test_a_contact_that_cannot_be_remembered_is_used_all_the_same(tmp_path):
    (tmp_path / "file").write_text("")
    (tmp_path / "contact.txt").mkdir()
    found = [operator(None, lambda question: CONTACT, folder, {}) for folder in (tmp_path, tmp_path / "file" / "new")]
    assert found == [CONTACT] * 2


def test_a_remembered_contact_may_begin_as_windows_has_it(tmp_path):
    (tmp_path / "contact.txt").write_bytes(b"\xef\xbb\xbfr@s.example\r\n")
    assert operator(None, refuse, tmp_path, {}) == "r@s.example"


@pytest.mark.skipif(os.name == "nt", reason="Windows has other rights")
def test_only_its_owner_may_read_a_remembered_contact(tmp_path):
    operator(None, lambda question: CONTACT, tmp_path, {})
    assert (tmp_path / "contact.txt").stat().st_mode & 0o777 == 0o600


def test_what_is_asked_explains_itself_in_two_sentences():
    assert len(re.findall(r"\.\s", WHY)) == 2
