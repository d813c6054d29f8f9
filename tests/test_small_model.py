"""The recorded replies of a small real model: who wrote them, with which settings, and that none is there twice."""

from reactkit import kit_questions
from reactkit.shipped import shipped


def test_the_replies_say_whose_they_are_and_how_they_were_made():
    held = shipped("small_model_replies.json")
    assert (held["model"], held["licence"]) == ("SmolLM2-135M-Instruct.Q4_1", "Apache-2.0")
    assert held["settings"] == {"temperature": 0.7, "max_tokens": 120, "stop": None}
    assert {"runtime", "recorded"} < held.keys()


def test_each_of_the_first_24_questions_was_asked_twice_with_a_seed_of_its_own():
    replies = shipped("small_model_replies.json")["replies"]
    assert [(one["question"], one["prompt"], one["seed"]) for one in replies] == [
        (task.text, prompt, 2 * number + later)
        for number, task in enumerate(kit_questions()[:24])
        for later, prompt in enumerate(("six exemplars", "one exemplar"), 1)
    ]
    assert all(one["ended"] in ("stop", "length") and one["reply"].strip() for one in replies)
