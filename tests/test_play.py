import pytest

from reactkit.actions import NO_ACTION
from reactkit.errors import DataError
from reactkit.loop import solve
from reactkit.models import Scripted
from reactkit.play import COMPARED, NOT_YET, OVER, play
from reactkit.prompts import REACT, Exemplars
from reactkit.tasks import Task
from reactkit.tools import Toolbox
from reactkit.trajectory import Line

PAGES = {"Old Light": "Old Light was lit in 1811.", "New Light": "New Light was lit in 1897."}
FORMS = "Search[…], Next[…], Finish[…]"


class World:
    """Search opens a page; Next counts how often it was asked, so it shows whether the world began again."""

    def __init__(self):
        self.asked = 0

    def reset(self):
        self.asked = 0

    def next(self, text):
        self.asked += 1
        return f"{text} {self.asked}"


@pytest.fixture
def game():
    world = World()
    search = {"Search": lambda title: PAGES.get(title, "No page."), "Next": world.next}
    return play("When was it lit?", Toolbox(search, world.reset))


@pytest.mark.parametrize(
    ("text", "said", "lines"),
    [
        ("", f"Nothing was typed, so nothing happened. Type {FORMS}, or a thought.", []),
        ("  \n", f"Nothing was typed, so nothing happened. Type {FORMS}, or a thought.", []),
        (
            " Search[Old Light] ",
            "Observation 1: Old Light was lit in 1811.",
            [
                Line("action", "Search[Old Light]", "person", 1),
                Line("observation", "Old Light was lit in 1811.", "environment", 1),
            ],
        ),
        (
            "Thought 7: first the page",
            "Kept as Thought 1. It changes nothing outside; Action 1 is still to come.",
            [Line("thought", "first the page", "person", 1)],
        ),
        (
            "first the page",
            "Kept as Thought 1. It changes nothing outside; Action 1 is still to come.",
            [Line("thought", "first the page", "person", 1)],
        ),
        (
            "Search[Old Light",
            "Kept as Thought 1. It changes nothing outside; Action 1 is still to come."
            " If you meant an action: both brackets are needed, as in Search[…].",
            [Line("thought", "Search[Old Light", "person", 1)],
        ),
        (
            "search Old Light",
            "Kept as Thought 1. It changes nothing outside; Action 1 is still to come."
            " If you meant an action: both brackets are needed, as in Search[…].",
            [Line("thought", "search Old Light", "person", 1)],
        ),
        (
            "Searching is next",
            "Kept as Thought 1. It changes nothing outside; Action 1 is still to come.",
            [Line("thought", "Searching is next", "person", 1)],
        ),
        (
            "Action: open the page",
            f"Harness: {NO_ACTION} Actions are: {FORMS}.",
            [
                Line("action", "open the page", "person", 1),
                Line(
                    "instruction",
                    f"{NO_ACTION} Actions are: {FORMS}.",
                    "harness",
                    1,
                ),
            ],
        ),
        (
            "Open[Old Light]",
            f"Observation 1: There is no action called Open. Actions are: {FORMS}.",
            [
                Line("action", "Open[Old Light]", "person", 1),
                Line("observation", f"There is no action called Open. Actions are: {FORMS}.", "environment", 1, True),
            ],
        ),
        (
            "Observation 1: It was lit in 1999.",
            "Not used: “Observation 1: It was lit in 1999.” Only the environment writes observations,"
            " and only one action is run at a time.",
            [],
        ),
        ("finish[1811]", "Finished: your answer is 1811.", [Line("action", "finish[1811]", "person", 1)]),
        ("Answer: 1811", "Finished: your answer is 1811.", [Line("answer", "1811", "person")]),
    ],
)
def test_a_move_adds_its_lines_and_says_what_came_of_it(game, text, said, lines):
    assert game.act(text) == said
    assert list(game.trajectory)[1:] == lines


def test_nothing_follows_the_end(game):
    game.act("Finish[1811]")
    before = game.trajectory
    assert game.act("Search[Old Light]") == OVER
    assert (game.answer, game.trajectory) == ("1811", before)


def test_an_empty_finish_ends_nothing(game):
    assert (
        game.act("Finish[]")
        == f"Harness: Finish[] is empty. Write the answer between the brackets. Actions are: {FORMS}."
    )
    assert game.answer is None


def test_the_same_moves_give_the_trajectory_that_the_loop_gives(game):
    replies = ["Look.\nAction 1: Search[Old Light]", "Act 2: Open[x]", "Action 3: lit", "So.\nAction 4: Finish[1811]"]
    run = solve("When was it lit?", REACT, Scripted(replies), game.environment, Exemplars(instruction="Go."))
    for reply in replies:
        game.act(reply)
    assert [(line.role, line.text, line.step) for line in game.trajectory] == [
        (line.role, line.text, line.step) for line in run.trajectory
    ]
    assert [line.author for line in game.trajectory] == [
        line.author.replace("model", "person") for line in run.trajectory
    ]


def test_undo_takes_back_one_move_and_leaves_the_world_as_it_was_before_it(game):
    game.act("Next[light]")
    before = game.trajectory
    game.act("Next[light]")
    assert game.undo() == "Taken back: Next[light]"
    assert game.trajectory == before
    assert game.act("Next[light]") == "Observation 2: light 2"


def test_undo_opens_a_finished_game_again_and_stops_at_the_question(game):
    game.act("Finish[1811]")
    assert (game.undo(), game.answer) == ("Taken back: Finish[1811]", None)
    assert (game.undo(), len(game.trajectory)) == ("There is no move to take back.", 1)


def test_undo_passes_over_what_was_no_move(game):
    game.act("Next[light]")
    game.act("")
    assert game.undo() == "Taken back: Next[light]"


def test_start_again_leaves_the_question_alone_and_a_fresh_world(game):
    game.act("Next[light]")
    assert game.reset() == f"Your move: {FORMS}, or a thought in your own words."
    assert [line.text for line in game.trajectory] == ["When was it lit?"]
    assert game.act("Next[light]") == "Observation 1: light 1"


def test_a_claim_is_called_a_claim(game):
    claim = play(Task("The light is old.", "SUPPORTS", "Claim"), game.environment)
    assert str(claim.trajectory) == "Claim: The light is old."


def test_the_box_makes_a_move_on_enter_and_is_empty_afterwards(game):
    game.later = lambda do: do()
    game.box.value = "Search[Old Light]"
    game.box._handle_msg({"content": {"data": {"method": "custom", "content": {"event": "submit"}}}, "buffers": []})
    assert (game.box.value, len(game.trajectory)) == ("", 3)
    assert game.note.value == '<p role="alert">Observation 1: Old Light was lit in 1811.</p>'


def test_each_button_does_what_it_says(game):
    box, act, undo, again = game.panel().children[-2].children
    assert [button.description for button in (act, undo, again)] == ["Act", "Undo", "Start again"]
    lengths = []
    for move, button in [("Search[Old Light]", act), ("look", act), ("", undo), ("", again)]:
        box.value = move
        button.click()
        lengths.append(len(game.trajectory))
    assert lengths == [3, 4, 3, 1]


def test_without_a_front_end_the_game_is_a_readable_list_and_hostile_text_stays_text(game):
    game.act("<img src=x onerror=alert(1)>")
    game.act("Observation: <img src=x onerror=alert(1)>")
    bundle = game._repr_mimebundle_()
    assert bundle["text/plain"] == (
        "[live · a person] typed by a person, who plays the model\n"
        "Question (written by the person): When was it lit?\n"
        "Thought 1 (written by the person): <img src=x onerror=alert(1)>"
    )
    assert "<span>&lt;img src=x onerror=alert(1)&gt;</span>" in bundle["text/html"]
    assert "<img" not in bundle["text/html"] + game.note.value + game.lines.value


def test_of_two_actions_typed_at_once_the_first_is_run(game):
    game.act("Finish[1811]\nAction 2: Search[Old Light]")
    assert (game.answer, [line.role for line in game.trajectory]) == ("1811", ["question", "action"])


def test_two_calls_in_one_line_are_told_apart_from_a_missing_bracket(game):
    assert game.act("Next[light] Action 2: Next[light]").endswith(
        "one at a time, and nothing behind its closing bracket."
    )
    assert game.act("Next[light").endswith("both brackets are needed, as in Search[…].")


def test_the_card_says_how_the_game_ended(game):
    game.act("Finish[1811]")
    game.act("one more")
    assert '<p class="rk-end"><b>Finished</b>: your answer is 1811</p>' in game.lines.value


def test_the_play_stands_beside_a_models_run_on_the_same_question_and_no_other(game):
    run = solve(
        game.task, REACT, Scripted([" I look.\nAction 1: Finish[1811]"], "Toy-1B"), game.environment, Exemplars()
    )
    game.act("Search[Old Light]")
    text = game.beside(run).text
    assert text.startswith("You\n[live") and f"\n\nReAct, {run.trajectory.model or 'scripted'}\n[scripted" in text
    assert "Action 1 (written by the person): Search[Old Light]" in text and "Finished: the answer is 1811" in text
    other = solve(Task("Why?"), REACT, Scripted(["Action 1: Finish[A]"]), game.environment, Exemplars(), step_cap=1)
    with pytest.raises(DataError, match="ReAct, scripted has another question than yours, which is "):
        game.beside(other)
    with pytest.raises(DataError, match="has another question than yours"):
        play(game.task, game.environment, [other])


def test_a_run_that_is_in_no_list_is_refused(game):
    run = solve("Who?", REACT, Scripted([" Nobody.\nAction 1: Finish[nobody]"]), Toolbox({}), Exemplars())
    with pytest.raises(DataError, match=r"play\(\): others is an Iterable, not ReAct.*; give runs in a list"):
        play("Who?", Toolbox({}), others=run)


def test_of_runs_alike_in_method_and_model_none_is_lost(game):
    answers = ("1900", "1950", "2000")
    runs = [
        solve(game.task, REACT, Scripted([f"Action 1: Finish[{year}]"], "Toy"), game.environment) for year in answers
    ]
    assert [*play(game.task, game.environment, runs).others] == ["ReAct, Toy", "ReAct, Toy (2)", "ReAct, Toy (3)"]
    assert play(game.task, game.environment, runs[:1]).beside(runs[1]).text.count("\nReAct, Toy") == 2
    with pytest.raises(DataError, match="each of the others is a Run, not None; give runs in a list"):
        play(game.task, game.environment, [None])


def test_the_others_are_shown_once_the_game_is_finished_and_go_with_the_next_change(game):
    assert [button.description for button in game.panel().children[-2].children[1:]] == ["Act", "Undo", "Start again"]
    run = solve(game.task, REACT, Scripted(["Action 1: Finish[1900]"], "Toy-1B"), game.environment, Exemplars())
    game = play(game.task, game.environment, [run])
    *_, row, below = game.panel().children
    compare = row.children[-1]
    assert compare.description == "Compare"
    game.act("Search[Old Light]")
    compare.click()
    assert (NOT_YET in game.note.value, below.outputs) == (True, ())
    game.act("Finish[1811]")
    compare.click()
    (shown,) = below.outputs
    assert COMPARED in game.note.value and shown["data"]["text/plain"] == game.beside().text
    assert "Finish[1811]" in game.beside().text and "Finish[1900]" in game.beside().text
    game.undo()
    assert below.outputs == ()
