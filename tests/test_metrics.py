"""The kit's scores against the official scorers: by hand-worked cases, and by what was recorded of real models."""

import json

import pytest

from reactkit.metrics import exact_match, f1, label_accuracy, normalise


def lines(path):
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


@pytest.mark.parametrize(
    "answer, normal",
    [
        ("The Eiffel Tower", "eiffel tower"),
        ("  a   bridge\tof an\nisland ", "bridge of island"),
        ("The The", ""),
        ("1,800 to 7,000 ft", "1800 to 7000 ft"),
        ("Jean-Loup", "jeanloup"),
        ("theatre, another, than", "theatre another than"),
        ("A.", ""),
        ("1947–91", "1947–91"),  # a dash beyond ASCII is no punctuation to the scorer
        ("Élan", "élan"),
        ("a_b", "ab"),
    ],
)
def test_normalise_drops_case_punctuation_articles_and_spaces_in_that_order(answer, normal):
    assert normalise(answer) == normal


@pytest.mark.parametrize(
    "given, gold, em, overlap",
    [
        ("Dijon", "dijon.", True, 1.0),
        ("the city of Dijon", "Dijon", False, 0.5),
        ("function keys", "keyboard function keys", False, 0.8),
        ("Colmar", "Dijon", False, 0.0),
        ("yes", "Yes", True, 1.0),
        ("yes it is", "yes", False, 0.0),  # no partial credit beside yes, no, noanswer
        ("no", "no one", False, 0.0),
        ("noanswer given", "noanswer", False, 0.0),
        ("rome rome", "rome", False, 2 / 3),  # a word counts as often as it occurs
        ("", "Dijon", False, 0.0),
        ("the", "a", True, 0.0),  # equal when nothing is left, yet no word is shared
    ],
)
def test_exact_match_and_f1_are_the_official_ones(given, gold, em, overlap):
    assert (exact_match(given, gold), f1(given, gold)) == (em, pytest.approx(overlap))
    assert f1(gold, given) == pytest.approx(overlap)


def test_all_730_recorded_scores_of_three_models_come_out_again(real_data):
    cases = [
        (row["answer"], answer, row["recorded"][model])
        for row in lines(real_data / "trajectories" / "fireact_answers_3models.jsonl")
        for model, answer in row["pred"].items()
        if answer is not None
    ]
    scored = [(int(exact_match(given, gold)), f1(given, gold)) for gold, given, recorded in cases]
    assert len(cases) == 730
    assert [em for em, overlap in scored] == [recorded["em"] for *_, recorded in cases]
    assert [overlap for em, overlap in scored] == pytest.approx([recorded["f1"] for *_, recorded in cases])


def test_awkward_gold_answers_match_themselves_in_any_dress(real_data):
    rows = json.loads((real_data / "hotpotqa" / "hotpot_dev_edge_answers.json").read_text(encoding="utf-8"))
    assert len(rows) == 51
    for row in rows:
        answer = row["answer"]
        assert exact_match(f"The {answer.upper()}!", answer)
        assert normalise(normalise(answer)) == normalise(answer)
        assert f1(answer, answer) == (0.0 if row["why"] == "normalises_to_empty" else 1.0)


def test_the_fever_predictions_score_as_their_source_says(real_data):
    rows = lines(real_data / "fever" / "fever_shared_task_predictions.jsonl")
    pairs = [(row["predicted_label"], row["label"]) for row in rows]
    assert len(pairs) == 600
    assert label_accuracy(pairs[:100]) == 0.48
    assert label_accuracy(pairs) == pytest.approx(0.4916667, abs=1e-7)


@pytest.mark.parametrize(
    "pairs, share",
    [
        ([], 0.0),
        ([("supports", "SUPPORTS"), (None, "REFUTES")], 0.5),
        ([("NOT ENOUGH INFORMATION", "NOT ENOUGH INFO")], 0.0),
        (iter([("REFUTES", "REFUTES")]), 1.0),
    ],
)
def test_label_accuracy_is_the_share_of_equal_labels(pairs, share):
    assert label_accuracy(pairs) == share
