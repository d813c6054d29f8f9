"""Atlas: worlds that nobody knows, tasks that can be settled in them in one way, and an expert that settles them."""

import hashlib
import re
from dataclasses import replace
from functools import cache
from itertools import islice
from random import Random

import prove_tasks
import pytest
from hypothesis import Phase, example, given, settings
from hypothesis import strategies as st

from reactkit.atlas import Atlas
from reactkit.coinage import PARTS, coined_names, part_of
from reactkit.encyclopedia import Encyclopedia, Shelf, shipped_pages
from reactkit.errors import DataError
from reactkit.expert import Expert, training_pieces, worked_run
from reactkit.loop import solve
from reactkit.metrics import exact_match
from reactkit.models import Scripted
from reactkit.prompts import ACT, METHODS, REACT, Exemplars
from reactkit.routes import atlas_claims, atlas_questions, described
from reactkit.shipped import shipped
from reactkit.tasks import LABELS, Task
from reactkit.tools import encyclopedia_tools

DATA = shipped("atlas.json")
FORMS = [(kind, name, forms) for kind, of in DATA["kinds"].items() for name, forms in of["facts"].items()]
SEEDS = st.integers(0, 10**9)
DIGEST = "7a168d3c8244d2c1bf93aed240f385b86feb5d3ef50ef57e3166995bd255aec2"
many_worlds = settings(  # no shrinking: a smaller seed is no simpler world
    max_examples=12, deadline=None, phases=[Phase.explicit, Phase.generate]
)


def routes_of(atlas, count=24):
    return atlas_questions(atlas, count) + atlas_claims(atlas, count)


def runs_of(atlas, method=REACT, count=24):
    """Return the expert's runs of the first questions and claims of a world, each with its route."""
    routes, tools = routes_of(atlas, count), atlas.environment()
    return [(route, worked_run(route.task, method, Expert(routes), tools)) for route in routes]


@cache
def usual():
    """Return a world of the usual size with the expert's runs in it."""
    atlas = Atlas()
    return atlas, runs_of(atlas, count=120)


def texts(run, role):
    return [line.text for line in run.trajectory.keep(role)]


# Worlds


def test_a_seed_makes_the_same_bytes_everywhere():
    atlas = Atlas(7, 48, "tuning")
    runs = [str(run.trajectory) for method in METHODS for _, run in runs_of(atlas, method, 12)]
    made = "\n".join([*map(str, atlas.pages), *map(str, routes_of(atlas, 12)), *runs])
    found = hashlib.sha256(made.encode()).hexdigest()
    assert found == DIGEST, "every world and every training text changed; if that is meant, this is the new digest"


@many_worlds
@given(SEEDS, st.integers(32, 300), st.sampled_from(PARTS))
def test_a_world_has_as_many_things_as_asked_and_a_page_for_each(seed, size, part):
    atlas = Atlas(seed, size, part)
    titles = [page.title for page in atlas.pages]
    meanings = [title for page in atlas.pages for title in page.may_mean]
    assert (len(atlas.things), len(titles)) == (size, len({*titles}))
    assert {*titles} == {thing.title for thing in atlas.things} | {page.title for page in atlas.pages if page.may_mean}
    assert {*meanings} <= {*titles} and len(meanings) == len({*meanings})


def test_a_large_world_has_a_name_for_everything():
    atlas = Atlas(1, 2000)
    assert len({thing.title for thing in atlas.things}) == 2000
    assert max(len(thing.called) for thing in atlas.things) < 40


@many_worlds
@given(SEEDS, SEEDS)
def test_seen_and_unseen_worlds_share_no_name_no_fact_and_no_task(one, other):
    seen, unseen = Atlas(one, 150, "seen"), Atlas(other, 150, "unseen")
    assert {thing.called for thing in seen.things}.isdisjoint(thing.called for thing in unseen.things)
    names = {page.title for page in seen.pages} | {name for page in seen.pages for name in page.redirects}
    told = "\n".join(said for page in unseen.pages for said in (page.title, *page.sentences))
    assert [name for name in names if name in told] == []
    asked = ({route.task.text for route in routes_of(atlas, 40)} for atlas in (seen, unseen))
    assert set.intersection(*asked) == set()


@many_worlds
@given(SEEDS, st.sampled_from(PARTS))
def test_names_differ_in_more_than_a_letter_and_are_in_their_part(seed, part):
    names = [*islice(coined_names(Random(seed), part), 300)]
    gaps = [re.compile("|".join(name[:at] + ".?" + name[at + 1 :] for at in range(len(name)))) for name in names]
    assert {part_of(name) for name in names} == {part}
    assert [(a, b) for a, gap in zip(names, gaps) for b in names if a != b and gap.fullmatch(b)] == []


def test_no_name_is_a_word_of_the_kits_own_pages():
    own = {word for page in shipped_pages() for text in (page.title, *page.sentences) for word in text.split()}
    assert own.isdisjoint(islice(coined_names(Random(0), "seen"), 3000))


@pytest.mark.parametrize("kind, name, forms", FORMS, ids=[f"{kind}.{name}" for kind, name, _ in FORMS])
def test_every_sentence_for_a_fact_can_be_looked_up_and_no_idle_one_is_in_the_way(kind, name, forms):
    idle = [*DATA["kinds"][kind]["leads"], *DATA["kinds"][kind]["fillers"]]
    assert [said for said in forms["says"] if not any(word in said.casefold() for word in forms["words"])] == []
    assert [said for said in idle if any(word in said.casefold() for word in forms["words"])] == []
    assert forms["words"][0] in forms["decoy"] and "{value}" not in forms["decoy"]


# Pages: what makes a reader search twice, or look up


@many_worlds
@given(SEEDS)
def test_a_thing_is_found_by_its_name_as_its_searches_say(seed):
    atlas = Atlas(seed, 120)
    for thing in atlas.things:
        encyclopedia = Encyclopedia(atlas.shelf)
        told, opened = encyclopedia.search(thing.called), encyclopedia.open
        assert thing.searches == (1 if opened else 2), told
        assert (opened or encyclopedia).title == thing.title if opened else thing.title in told
        assert told.startswith(f"Redirected from {thing.called} to ") == thing.redirects


def test_names_that_miss_redirect_or_mean_several_things_are_all_met():
    _, runs = usual()
    told = [text for _, run in runs for text in texts(run, "observation")]
    for words, least in {"Could not find [": 10, "Redirected from ": 10, "(Result 1 / 2)": 3, "The page ": 10}.items():
        assert sum(text.startswith(words) for text in told) >= least, words
    assert sum(" may mean: " in text for text in told) >= 10


@many_worlds
@given(SEEDS)
def test_the_expert_looks_up_what_the_first_five_sentences_do_not_tell_and_nothing_else(seed):
    atlas = Atlas(seed, 96)
    for route, run in runs_of(atlas):
        first = [said for fact in route.facts for said in atlas.page_of[fact.about].sentences[:5]]
        hidden = [fact for fact in route.facts if fact.sentence not in first]
        looked = [text for text in texts(run, "action") if text.startswith("Lookup")]
        assert bool(looked) == bool(hidden)
        found = [text for text in texts(run, "observation") if text.startswith("(Result")]
        assert all(any(fact.sentence in text for text in found) for fact in hidden if fact.told)


# Tasks


@many_worlds
@given(SEEDS)
def test_every_task_is_proved_from_the_pages(seed):
    atlas = Atlas(seed, 96)
    missed = [thing for thing in atlas.things if atlas.shelf.page(thing.called) is None]
    named = {thing.title: (thing.called,) for thing in missed}  # the proof follows no hints, so they redirect there
    shelf = Shelf(replace(page, redirects=page.redirects + named.get(page.title, ())) for page in atlas.pages)
    short = ["a question needs words from two pages", "its type is 'single'"]
    for route in routes_of(atlas, 40):
        assert prove_tasks.problems(route.task, shelf) == (short if route.task.type == "single" else []), route.task


@many_worlds
@given(SEEDS)
def test_no_question_of_several_hops_is_answered_before_the_last_page(seed):
    atlas = Atlas(seed, 96)
    for route in atlas_questions(atlas, 30, ["two hops", "three hops"]):
        titles = [evidence.page for evidence in route.task.evidence]
        early = [said for title in titles[:-1] for said in atlas.shelf.page(title).sentences]
        assert len(titles) == len(route.facts) >= 2
        assert not re.search(rf"\b{route.task.gold}\b", " ".join([route.task.text, *early]))


@many_worlds
@given(SEEDS)
def test_what_is_not_enough_is_told_nowhere_and_what_is_refuted_is_told_otherwise(seed):
    atlas = Atlas(seed, 96)
    for route in atlas_claims(atlas, 30):
        last, claim, gold = route.facts[-1], route.task.text, route.task.gold
        page = " ".join(atlas.page_of[last.about].sentences).casefold()
        told = any(word in page for word in last.forms["words"])
        assert told == (gold != "NOT ENOUGH INFO")
        assert gold == "NOT ENOUGH INFO" or bool(re.search(rf"\b{last.value}\b", claim)) == (gold == "SUPPORTS")


def test_each_sort_of_question_and_each_label_comes_by_turns():
    atlas, runs = usual()
    sorts = [(route.task.type, len(route.facts)) for route, _ in runs[:6]]
    assert sorts == [("single", 1), *[("bridge", 2)] * 3, ("bridge", 3), ("comparison", 2)]
    assert [route.task.gold for route, _ in runs[120:126]] == [*LABELS] * 2
    assert {len(route.facts) for route, _ in runs[120:]} == {1, 2}


def test_a_longer_list_of_tasks_begins_with_a_shorter_one_and_repeats_nothing():
    atlas, _ = usual()
    longer = atlas_questions(atlas, 200)
    assert longer[:50] == atlas_questions(atlas, 50)
    assert len({route.task.text for route in longer}) == len({route.task.name for route in longer}) == 200


def test_each_comparison_is_answered_by_either_side():
    atlas, _ = usual()
    routes = atlas_questions(atlas, 120, ["comparison"])
    sides = {(route.word, route.facts[0].about.called == route.task.gold) for route in routes}
    assert sides == {(word, first) for word in ("earlier", "later", "longer", "deeper") for first in (True, False)}


@many_worlds
@given(SEEDS)
@example(23)
def test_no_task_names_what_is_to_be_found(seed):
    for route in routes_of(Atlas(seed, 48), 60):
        found = [fact.value for fact in route.facts[:-1] if not route.word]
        assert [name for name in found if re.search(rf"\b{name}\b", route.task.text)] == [], route.task
        assert route.word or not re.search(rf"\b{route.facts[-1].value}\b", described(route.facts)), route.task


def test_too_small_a_world_and_too_many_tasks_are_refused():
    with pytest.raises(ValueError, match="size 31"):
        Atlas(size=31)
    with pytest.raises(ValueError, match="part 'train'"):
        Atlas(part="train")
    with pytest.raises(DataError, match="32 things give [0-9]+ tasks, not 5000; make a larger Atlas"):
        atlas_questions(Atlas(0, 32), 5000)
    with pytest.raises(ValueError, match="'two hop'.* is not a choice among one hop, two hops"):
        atlas_questions(Atlas(0, 32), 1, ["two hop"])
    with pytest.raises(ValueError, match="is not a choice among SUPPORTS, REFUTES"):
        atlas_claims(Atlas(0, 32), 1, [])


# The expert


@pytest.mark.parametrize("method", METHODS, ids=lambda method: method.name)
def test_the_expert_is_right_by_every_method(method):
    @many_worlds
    @given(SEEDS, st.sampled_from(PARTS))
    def right(seed, part):
        for route, run in runs_of(Atlas(seed, 64, part), method):
            assert run.outcome == "finished" and exact_match(run.answer, route.task.gold), str(run.trajectory)
            assert not run.trajectory.by("harness") and not any(call.dropped for call in run.calls)

    right()


def test_only_the_environment_writes_observations():
    atlas, runs = usual()
    for _, run in runs:
        world = encyclopedia_tools(Encyclopedia(atlas.shelf))
        answers = [world.observe(call.action) for call in run.calls[:-1]]
        assert texts(run, "observation") == answers
        assert {line.role for line in run.trajectory.by("model")} == {"thought", "action"}


def test_act_is_react_without_its_thoughts():
    atlas, runs = usual()
    expert, tools = Expert(route for route, _ in runs), atlas.environment()
    for route, run in runs[::5]:
        assert worked_run(route.task, ACT, expert, tools).trajectory == run.trajectory.keep(*ACT.roles)


def test_the_expert_goes_by_what_it_reads():
    atlas, runs = usual()
    route = next(route for route, _ in runs if route.task.gold == "SUPPORTS")
    sentences = {fact.sentence for fact in route.facts}
    broken = [
        replace(page, sentences=tuple(said for said in page.sentences if said not in sentences)) for page in atlas.pages
    ]
    tools = encyclopedia_tools(Encyclopedia(Shelf(broken)))
    assert worked_run(route.task, REACT, Expert([route]), tools).answer == "NOT ENOUGH INFO"
    assert worked_run(route.task, REACT, Expert([route]), atlas.environment()).answer == "SUPPORTS"


def test_the_expert_refuses_a_question_whose_way_it_does_not_know():
    with pytest.raises(DataError, match="knows no way to answer 'Who made the kite"):
        solve(Task("Who made the kite?"), REACT, Expert([]), shown=Exemplars())


def test_the_same_context_always_gets_the_same_words():
    _, runs = usual()
    expert = Expert(route for route, _ in runs)
    for _, run in runs[::10]:
        assert [expert(call.context) for call in reversed(run.calls)] == [call.reply for call in reversed(run.calls)]


# Training texts


@pytest.mark.parametrize("method", METHODS, ids=lambda method: method.name)
def test_pieces_are_the_whole_text_and_the_model_wrote_its_own_lines_and_the_stop(method):
    atlas, runs = usual()
    expert, tools = Expert(route for route, _ in runs), atlas.environment()
    for route, _ in runs[::8]:
        run = worked_run(route.task, method, expert, tools)
        found = training_pieces(run)
        shown = run.trajectory.keep(*method.roles)
        assert "".join(read + wrote for read, wrote in found) == str(shown)
        read, wrote = (" ".join(some) for some in zip(*found))
        assert all((line.text in wrote) == (line.author == "model") for line in shown if line.role != "question")
        assert all(line.text in read for line in shown.keep("question", "observation"))
        assert all(wrote.endswith(f"\nObservation {n}:") for n, (_, wrote) in enumerate(found[:-1], start=1))


def test_a_run_whose_replies_were_not_kept_as_they_are_gives_no_pieces():
    replies = [
        " I look.\nAction 1: Search[Apple Remote]\nObservation 1: I made this up.",
        " Good.\nAction 2: Finish[x]",
    ]
    model = Scripted(replies)
    run = solve("Which?", REACT, lambda context, stop: model(context), shown=Exemplars())
    with pytest.raises(DataError, match="step 2 does not go on from the reply before"):
        training_pieces(run)


def test_runs_are_short_enough_for_a_small_model():
    sizes = {}
    for route, run in usual()[1][:120]:
        sizes.setdefault((route.task.type, len(route.facts)), []).append(len(str(run.trajectory.keep(*REACT.roles))))
    mean = {sort: sum(some) / len(some) for sort, some in sizes.items()}
    assert mean["bridge", 2] < 800 and mean["bridge", 3] < 1200 and mean["single", 1] < 500
