"""Defaults of the package that are the paper's numbers, held against the file of the paper's numbers."""

from reactkit.encyclopedia import SENTENCES_SHOWN, TITLES_SHOWN
from reactkit.loop import STEP_CAPS
from reactkit.paper import table
from reactkit.prompts import exemplars


def test_the_step_caps_are_the_papers():
    caps = table("step cap")
    assert STEP_CAPS == {"Question": caps.value("HotpotQA", "paper"), "Claim": caps.value("FEVER", "paper")}


def test_search_shows_as_much_as_in_the_paper():
    shown = table("search")
    papers = (shown.value("page found", "sentences"), shown.value("page not found", "titles"))
    assert (SENTENCES_SHOWN, TITLES_SHOWN) == papers


def test_there_are_as_many_exemplars_as_in_the_paper():
    counts = {task: table("exemplars").value(task, "count") for task in ("HotpotQA", "FEVER")}
    assert {
        "HotpotQA": len(exemplars("Question").trajectories),
        "FEVER": len(exemplars("Claim").trajectories),
    } == counts
