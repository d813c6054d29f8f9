"""Loops and notebooks run unchanged over all sources: a shelf, a frozen collection, a live wiki, and what that kept.

The live wiki is one on this machine that serves the shipped pages as MediaWiki would; the real Wikipedia is not asked.
"""

import os
import re
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import httpx
import nbformat
import pytest
from test_readme import fenced
from wire_server import serving, wiki_of

from reactkit import METHODS, REACT, Encyclopedia, Scripted, Shelf, apple_remote, shipped_pages, solve
from reactkit.freezer import Freezer
from reactkit.frozen import Frozen
from reactkit.tools import encyclopedia_tools
from reactkit.wikipedia import Wikipedia

ROOT = Path(__file__).resolve().parent.parent
MEANT = next(page for page in shipped_pages() if page.may_mean)
LED = next((name, page.title) for page in shipped_pages() for name in page.redirects)
MOVES = {  # outcome: actions that bring it about
    "hit": ["Search[Apple Remote]", "Search[Front Row (software)]"],
    "other forms of a title": ["Search[apple Remote]", "Search[ Front_Row (software)]", "Search[Apple__Remote ]"],
    "redirect": [f"Search[{LED[0]}]", "Lookup[the]"],
    "similar titles": ["Search[Front Row]", "Search[Aple Remote]", "Search[Front Row software]"],
    "miss": ["Search[gobbilygook]", "Search[]", "Search[?!]", "Search[a|b]"],
    "disambiguation": [f"Search[{MEANT.title}]", "Lookup[x]", f"Search[{MEANT.may_mean[0]}]"],
    "lookup": ["Lookup[a]", "Search[Apple Remote]", "Lookup[front row]", "Lookup[Front Row]", "Lookup[x]"],
    "open page": ["Search[Apple Remote]", "Search[gobbilygook]", "Lookup[remote]", f"Search[{MEANT.title}]"],
}  # fmt: skip


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("sources")


@pytest.fixture(scope="module")
def wiki():
    with serving(wiki_of(shipped_pages())) as wiki:
        yield wiki


@pytest.fixture(scope="module")
def sources(folder, wiki):
    """The three sources, and the collection that the last one keeps."""
    freezer = Freezer(folder / "shipped.sqlite", {"source": "the kit", "date": "2026-01-02", "licence": "CC BY 4.0"})
    with freezer.batch():
        assert {freezer.add(page) for page in shipped_pages()} == {"new"}
    client = httpx.Client(trust_env=False)  # no proxy stands between the tests and this machine
    live = Wikipedia("test@school.example", folder / "kept.sqlite", language=wiki.address, client=client, pause=0)
    return {
        "shelf": Shelf(shipped_pages()),
        "frozen": Frozen(folder / "shipped.sqlite"),
        "live": live,
        "kept": Frozen(folder / "kept.sqlite"),
    }


def told(source, actions):
    """Return each observation of a run of scripted actions."""
    model = Scripted([f"Thought {n}: I look.\nAction {n}: {action}" for n, action in enumerate(actions, start=1)])
    run = solve("What?", REACT, model, encyclopedia_tools(Encyclopedia(source)), step_cap=len(actions))
    return [line.text for line in run.trajectory if line.role == "observation"]


def test_the_readmes_example_of_a_live_source_runs(wiki, folder):
    _, _, example = fenced("py")
    program = example.replace("Wikipedia(kept", f"Wikipedia('test@school.example', language={wiki.address!r}, kept")
    again = 'print(again.search("Golden Gate Bridge"))'
    ran = subprocess.run([sys.executable, "-c", program + again], capture_output=True, encoding="utf-8", cwd=folder)
    page, credit, replayed = ran.stdout.splitlines()
    assert (ran.stderr, page, page[:23]) == ("", replayed, "The Golden Gate Bridge ")
    assert credit.startswith("Golden Gate Bridge, ")


@pytest.mark.parametrize("outcome", MOVES)
def test_each_outcome_reads_the_same_over_each_source(outcome, sources):
    first, *others = [told(source, MOVES[outcome]) for source in sources.values()]
    assert others == [first] * 3


def test_other_capitals_are_a_miss_over_a_live_wiki_and_a_hit_over_pages_of_the_kit(sources):
    found = {name: source.page("apple remote") for name, source in sources.items()}
    assert {name: page and page.title for name, page in found.items()} == {
        "shelf": "Apple Remote", "frozen": "Apple Remote", "live": None, "kept": None,
    }  # fmt: skip


@pytest.mark.parametrize("method", METHODS, ids=lambda method: method.name)
def test_a_story_is_the_same_run_over_each_source(method, sources):
    story, runs = apple_remote(), []
    for source in sources.values():
        tools = encyclopedia_tools(Encyclopedia(source))
        run = solve(story.task, method, story.script(method), tools, story.shown())
        runs.append(replace(run, trajectory=replace(run.trajectory, credits=())))  # which only read pages have
    assert runs == [story.run(method)] * 4


def test_what_was_read_live_is_credited_then_and_in_the_kept_collection(sources):
    worlds = [Encyclopedia(sources[name]) for name in ("live", "kept")]
    [live], [kept] = [(world.search("Apple Remote"), world.credits())[1] for world in worlds]
    assert live == kept and re.fullmatch(r"Apple Remote, 127.*, revision \d+ 2026.*Z, CC BY-SA 4\.0 .*oldid=\d+", live)
    sources["kept"].verify()


SWAP = """\
from reactkit.encyclopedia import Encyclopedia
{opening}
Encyclopedia.__init__.__defaults__ = (source, *Encyclopedia.__init__.__defaults__[1:])
"""
CREDIT = r'<p class="rk-credit">.*?</p>|\n?From [^,\n]+, 127\.0\.0\.1:.*'
NO_CREDITS = f"\n[credits, which only read pages have]\nregex: {CREDIT}\nreplace: \n"
OPENINGS = {
    "live": "import httpx\nfrom reactkit.wikipedia import Wikipedia\n"
    'source = Wikipedia("t@s.example", {kept!r}, language={wiki!r}, client=httpx.Client(trust_env=False), pause=0)',
    "kept": "from reactkit.frozen import Frozen\nsource = Frozen({kept!r})",
}


def with_first_cell(path, code, to):
    """Write a copy of a notebook that runs `code` before all else."""
    notebook = nbformat.read(path, as_version=4)
    notebook.cells.insert(0, nbformat.v4.new_code_cell(code))
    nbformat.write(notebook, to)


@pytest.mark.parametrize("name", ["00_welcome", "04_react"])
def test_a_lesson_shows_the_same_over_a_live_wiki_and_over_what_it_kept(name, tmp_path, wiki):
    lessons, before = tmp_path / "notebooks", len(wiki.asked)
    lessons.mkdir()
    (lessons / "sanitize.cfg").write_text((ROOT / "tests" / "sanitize.cfg").read_text("utf-8") + NO_CREDITS, "utf-8")
    for source, opening in OPENINGS.items():
        opened = opening.format(kept=str(tmp_path / "kept.sqlite"), wiki=wiki.address)
        copy = lessons / f"{name}_{source}.ipynb"
        with_first_cell(ROOT / "notebooks" / f"{name}.ipynb", SWAP.format(opening=opened), copy)
    told, code = compared(sorted(lessons.glob("*.ipynb"), reverse=True))  # first live, then kept
    assert (code, len(wiki.asked) > before) == (0, True), told


def compared(notebooks):
    """Return what nbval says of notebooks, and its exit status."""
    options = ["--nbval", "--nbval-current-env", f"--nbval-sanitize-with={notebooks[0].parent / 'sanitize.cfg'}"]
    apart = ["-q", "-p", "no:cacheprovider", "-c", os.devnull, "--rootdir", str(notebooks[0].parent)]
    command = [sys.executable, "-m", "pytest", *apart, *options, *map(str, notebooks)]
    ran = subprocess.run(command, capture_output=True, text=True)
    return ran.stdout + ran.stderr, ran.returncode
