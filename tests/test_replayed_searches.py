"""The searches of 50 published HotpotQA questions, played again over HotpotQA's own paragraphs, and how far they agree.

The runs (Reflexion) read live pages by LangChain's docstore in 2023. The paragraphs are from 2017, the ones that came
with 270 questions. So they cannot find the same, and no number here is a goal: the counts say how far a small frozen
collection stands in for the live site, and they change where titles or sentences are read in another way.
"""

import ast
from collections import Counter
from functools import cache
from io import StringIO

import pytest
from printouts import read_published
from test_authors_format import moves

from reactkit.encyclopedia import Encyclopedia
from reactkit.freeze import freeze
from reactkit.sentences import sentences
from reactkit.titles import key

PARAGRAPHS = ("hotpot_dev_distractor_reflexion.json", "hotpot_train_distractor_sample.json")
FOUND = {(True, True): "both", (True, False): "only theirs", (False, True): "only ours", (False, False): "neither"}
MISS, PLACE = "Could not find [", "(Result"


@pytest.fixture(scope="module")
def source(real_data, tmp_path_factory):
    """The paragraphs of 270 HotpotQA questions, frozen."""
    files = [real_data / "hotpotqa" / name for name in PARAGRAPHS]
    return freeze(files, tmp_path_factory.mktemp("frozen") / "hotpotqa.sqlite", show=StringIO())


@pytest.fixture(scope="module")
def episodes(real_data):
    """The moves of each published run: tool, argument, observation."""
    path = real_data / "trajectories" / "reflexion_react_hotpotqa.txt"
    return [moves(run.trajectory) for run in read_published(path.read_text(encoding="utf-8"), "reflexion", "a model")]


def searched(title, told, page, similar):
    """Yield what to count about one search, for which the source has this page, or None."""
    outcome = FOUND[not told.startswith(MISS), page is not None]
    yield outcome
    if outcome == "both" and page.sentences[0].split() == sentences(told)[0].split():
        yield "both, the same first sentence"
    if outcome == "neither":
        theirs = {key(name) for name in ast.literal_eval(told.partition("Similar: ")[2])}
        for name in similar(title):
            yield f"neither, a similar title of ours {'is' if key(name) in theirs else 'is not'} among theirs"


def replayed(episodes, source):
    """Return the counts of searches, and of lookups."""
    searches, lookups, similar = Counter(), Counter(), cache(source.similar)
    for run in episodes:
        world = Encyclopedia(source)
        for tool, argument, told in run:
            page = source.page(argument) if tool == "Search" else None
            if page:  # a miss leaves the world as it is
                world.search(argument)
            if tool == "Search":
                searches.update(searched(argument, told, page, similar))
            else:
                lookups[FOUND[told.startswith(PLACE), world.lookup(argument).startswith(PLACE)]] += 1
    return dict(searches), dict(lookups)


def test_the_searches_of_50_questions_agree_as_often_as_is_said_here(episodes, source):
    searches, lookups = replayed(episodes, source)
    assert (len(episodes), int(source.about["pages"]), sum(map(len, episodes))) == (52, 2671, 145)
    assert searches == {
        "both": 58,
        "both, the same first sentence": 17,
        "only theirs": 26,
        "neither": 55,
        "neither, a similar title of ours is among theirs": 19,
        "neither, a similar title of ours is not among theirs": 19,
    }
    assert lookups == {"only theirs": 1, "neither": 5}
