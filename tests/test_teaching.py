"""teaching: the same tasks for each method, whole texts, and only the model's own words learned."""

import pytest

from reactkit import METHODS, Atlas, DataError, Expert, worked_run
from reactkit.teaching import PASSES, THINGS, Recipe, batches, encoded, teaching_routes, teaching_texts

END = 0x10FFFF  # no character of a text


def letters(text):
    return [ord(letter) for letter in text]


@pytest.mark.parametrize("method", METHODS, ids=lambda method: method.name)
def test_the_texts_are_the_experts_whole_runs_of_the_same_tasks(method):
    routes, texts = teaching_routes(24), teaching_texts(Recipe(method.name, tasks=24))
    expert, world = Expert(routes), Atlas(0, THINGS, "seen").environment()
    runs = [worked_run(route.task, method, expert, world) for route in routes]
    assert ["".join(map("".join, pieces)) for pieces in texts] == [str(run.trajectory) for run in runs]
    assert [run.answer == route.task.gold for run, route in zip(runs, routes)].count(False) == 0


def test_a_quarter_of_the_tasks_are_claims_and_fewer_are_among_more():
    few, more = teaching_routes(24), teaching_routes(96)
    assert [route.task.asks for route in few] == ["Question"] * 18 + ["Claim"] * 6
    assert {*few} < {*more} and teaching_routes(24, seed=1) != few


@pytest.mark.parametrize("method", ["Act", "ReAct"])
def test_no_word_of_the_environment_is_learned_and_each_word_of_the_expert_is(method):
    for pieces in teaching_texts(Recipe(method, tasks=24)):
        ids, learned = encoded(pieces, letters, END)
        own = "".join(chr(one) for one, mine in zip(ids, learned) if mine and one != END)
        read = "".join(chr(one) for one, mine in zip(ids, learned) if not mine)
        assert own == "".join(wrote for _, wrote in pieces) and own.endswith("]") and "Finish[" in own
        assert read.startswith(("Question: ", "Claim: ")) and "Finish[" not in read and "Search[" not in read
        assert own.count("\nObservation ") == len(pieces) - 1 and "Could not find" not in own


def test_the_model_learns_to_end_and_with_everything_all_that_it_reads():
    pieces = (("ab", "cd"), ("e", "f"))
    assert encoded(pieces, letters, END) == ([*letters("abcdef"), END], [False, False, True, True, False, True, True])
    assert encoded(pieces, letters, END, everything=True)[1] == [True] * 7


def test_each_pass_has_every_text_once_of_like_length_in_another_order():
    recipe, lengths = Recipe("ReAct", tasks=50, passes=2, batch=8), [place * 37 % 400 for place in range(50)]
    first, second = (batches(lengths, recipe, turn) for turn in range(2))
    assert sorted(sum(first, [])) == sorted(sum(second, [])) == [*range(50)]
    assert len(first) == len(second) == recipe.steps / 2 == 7 and first != second
    assert batches(lengths, recipe, 0) == first != batches(lengths, Recipe("ReAct", tasks=50, passes=2, seed=1), 0)
    spans = [max(lengths[at] for at in some) - min(lengths[at] for at in some) for some in first]
    assert max(spans) < 100


def test_a_recipe_knows_how_often_its_texts_are_read():
    assert {name: Recipe(name).passes for name in PASSES} == PASSES and Recipe("CoT", passes=3).passes == 3
    assert Recipe("ReAct", tasks=20, passes=3, batch=8).steps == 9


@pytest.mark.parametrize(
    ("given", "told"),
    [
        ({"method": "Toolformer"}, "no method 'Toolformer' to teach; there are Standard, CoT, Act, ReAct"),
        ({"method": "Act", "tasks": 0}, "tasks must be more than 0"),
        ({"method": "Act", "rate": -1.0}, "rate must be more than 0"),
        ({"method": "Act", "passes": -1}, "passes must be more than 0"),
    ],
)
def test_what_cannot_be_taught_is_refused(given, told):
    with pytest.raises(DataError, match=told):
        Recipe(**given)
