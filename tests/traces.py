"""Runs that the tests of the views show: four methods on one question, three branches, and hostile text.

The browser test copies this file beside its notebook, so that the page and the test speak of the same runs.
"""

from dataclasses import replace

from reactkit.loop import solve
from reactkit.models import Deaf, Scripted
from reactkit.prompts import ACT, COT, REACT, STANDARD, Exemplars
from reactkit.tools import Toolbox
from reactkit.trajectory import Line, Trajectory

QUESTION = "When was the lamp on Gull Rock first lit?"
HOSTILE = (
    "<b>&amp;</b> </script><script>ran = 1</script> <img src=x onerror=ran=1> \"'\u202e\u200f\r\n "
    "\U0001f926\u200d\u2642\ufe0f " + "long" * 20
)
INVENTED = "Observation 1: It was lit in 1999.\nThought 2: Then 1999."
PAGES = {"Gull Rock": "Gull Rock has had a lighthouse since a storm in 1807.", "lit": "The lamp was first lit in 1811."}


def world():
    return Toolbox({"Search": lambda title: PAGES.get(title, "No such page."), "Lookup": lambda word: PAGES[word]})


def run_of(method, *replies, question=QUESTION):
    """Return the run of a model that goes on writing past every stop string."""
    return solve(question, method, Deaf(Scripted(replies)), world(), Exemplars(instruction="Answer in one word."))


RUNS = {
    "Standard": run_of(STANDARD, "1900"),
    "CoT": run_of(COT, "Lighthouses of that coast are from about 1850.\nAnswer: 1850"),
    "Act": run_of(ACT, "Search[Gull Rock]", "Finish[1807]"),
    "ReAct": run_of(
        REACT,
        f"I need the page of Gull Rock.\nAction 1: Search[Gull Rock]\n{INVENTED}",
        "The year of the storm is not the year of the lamp.\nAction 2: look for the lamp",
        "I look for the word instead.\nAction 3: Lookup[lit]",
        "It was lit in 1811.\nAction 4: Finish[1811]",
    ),
}


def asked(question, name="ReAct"):
    """Return one of the runs as if it had been on this question."""
    first, *others = RUNS[name].trajectory.lines
    lines = (replace(first, text=question), *others)
    return replace(RUNS[name], trajectory=replace(RUNS[name].trajectory, lines=lines))


LINES = RUNS["ReAct"].trajectory.lines
EDITED = Line("observation", "Gull Rock has no lighthouse.", "person", 1)
ENDING = (Line("thought", "Then there is no lamp.", "model", 2), Line("action", "Finish[never]", "model", 2))
BRANCHES = {
    "Scripted": RUNS["ReAct"],
    "Edited": replace(RUNS["ReAct"], trajectory=Trajectory([*LINES[:3], EDITED, *ENDING]), answer="never"),
    "Recorded": replace(RUNS["ReAct"], trajectory=replace(RUNS["ReAct"].trajectory, kind="recorded", model="tiny-1B")),
}
HOSTILE_TRAJECTORY = Trajectory(
    [Line(role, HOSTILE, "model", 1) for role in ("question", "thought", "action", "observation", "answer")],
    "recorded",
    HOSTILE,
)
