"""Whose text stands in the observations is printed wherever a run is shown, and is no part of what a model reads."""

import pytest

from reactkit import REACT, Encyclopedia, Line, Page, Scripted, Shelf, Trajectory, encyclopedia_tools, solve
from reactkit.play import play
from reactkit.prompts import Exemplars
from reactkit.views import side_by_side, stepper

CREDIT = "Kite, wiki.example, revision 7 of 2026-01-02, CC BY-SA 4.0 <b>"
SHOWN = "From Kite, wiki.example, revision 7 of 2026-01-02, CC BY-SA 4.0 &lt;b&gt;"
PAGES = [Page("Kite", ("It flies.",), credit=CREDIT), Page("Line", ("It holds.",))]


@pytest.fixture
def run():
    model = Scripted(["Hm.\nAction 1: Search[Kite]", "Then?\nAction 2: Search[Line]", "So.\nAction 3: Finish[air]"])
    return solve("Where?", REACT, model, encyclopedia_tools(Encyclopedia(Shelf(PAGES))), Exemplars())


def test_a_run_keeps_the_credits_of_the_pages_it_saw_also_when_the_next_run_has_begun(run):
    assert run.trajectory.credits == (CREDIT,)
    assert Trajectory.from_json(run.trajectory.to_json()) == run.trajectory
    assert (run.trajectory + Line("thought", "More.", "model", 4)).credits == (CREDIT,)


def test_the_model_does_not_read_them(run):
    assert CREDIT not in "".join(call.context for call in run.calls)


@pytest.mark.parametrize(
    "show", [stepper, lambda run: side_by_side({"ReAct": run}), lambda run: run], ids=["stepper", "side by side", "run"]
)
def test_each_view_names_them_once_escaped(run, show):
    markup = run._repr_html_() if show(run) is run else show(run).html
    assert markup.count(SHOWN) == 1


def test_the_plain_text_of_a_view_ends_with_them(run):
    assert repr(stepper(run)).splitlines()[-1] == f"From {CREDIT}"


def test_the_game_names_them_too():
    game = play("Where?", encyclopedia_tools(Encyclopedia(Shelf(PAGES))))
    assert SHOWN not in game.html()
    game.act("Search[Kite]")
    assert game.html().count(SHOWN) == 1
    assert repr(game).splitlines()[-1] == f"From {CREDIT}"
