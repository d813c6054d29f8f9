"""Real HotpotQA questions and FEVER claims load as the same type as the kit's own; a wrong file says what is wrong."""

import json
import tracemalloc
from collections import Counter

import pytest

from reactkit.errors import DataError
from reactkit.tasks import Task, fever_claims, hotpot_questions, kit_claims, kit_questions, rows


def test_500_hotpotqa_questions_load(real_data):
    path = real_data / "hotpotqa" / "hotpot_dev_sample.json"
    tasks = hotpot_questions(path)
    rows = json.loads(path.read_text(encoding="utf-8"))
    assert [(task.text, task.gold, task.name) for task in tasks] == [
        (row["question"], row["answer"], str(row["idx"])) for row in rows
    ]
    assert Counter((task.asks, task.type) for task in tasks) == {
        ("Question", "bridge"): 396,
        ("Question", "comparison"): 104,
    }


def test_500_fever_claims_load(real_data):
    path = real_data / "fever" / "fever_dev_sample.jsonl"
    tasks = fever_claims(path)
    rows = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    assert [(task.text, task.gold, task.name) for task in tasks] == [
        (row["claim"], row["label"], str(row["id"])) for row in rows
    ]
    assert Counter((task.asks, task.gold) for task in tasks) == {
        ("Claim", "SUPPORTS"): 168,
        ("Claim", "REFUTES"): 153,
        ("Claim", "NOT ENOUGH INFO"): 179,
    }


@pytest.mark.parametrize(
    "name, count",
    [("hotpot_dev_edge_answers", 51), ("hotpot_train_distractor_sample", 220), ("hotpot_dev_distractor_reflexion", 50)],
)
def test_the_official_json_loads_as_the_simplified_does(real_data, name, count):
    tasks = hotpot_questions(real_data / "hotpotqa" / f"{name}.json")
    assert len({task.name for task in tasks}) == len(tasks) == count


def test_real_tasks_are_of_the_same_type_as_the_kits_own(real_data):
    real = (*hotpot_questions(real_data / "hotpotqa" / "hotpot_dev_sample.json"),)
    real += fever_claims(real_data / "fever" / "fever_dev_sample.jsonl")
    assert {type(task) for task in (*real, *kit_questions(), *kit_claims())} == {Task}


@pytest.mark.parametrize(
    "load, name, message",
    [
        (hotpot_questions, "fever/fever_dev_sample.jsonl", r"fever_dev_sample\.jsonl: entry 1 has no question, answer"),
        (fever_claims, "hotpotqa/hotpot_dev_sample.json", r"hotpot_dev_sample\.json: entry 1 has no claim, label, id"),
        (hotpot_questions, "trajectories/reflexion_react_hotpotqa.txt", "neither a JSON list nor JSON lines"),
        (fever_claims, "README.md", "neither a JSON list nor JSON lines"),
        (hotpot_questions, "hotpotqa/absent.json", r"absent\.json cannot be opened"),
        (fever_claims, "fever", "cannot be opened"),
    ],
)
def test_a_wrong_file_is_a_data_error_that_names_it(real_data, load, name, message):
    with pytest.raises(DataError, match=message):
        load(real_data / name)


@pytest.mark.parametrize(
    "text, message",
    [
        ("[1, 2]", "entry 1 has no claim, label, id"),
        ('{"id": 5, "claim": "Ice is warm.", "label": "MAYBE"}', "claim 5 is labelled 'MAYBE'; use one of SUPPORTS"),
        ('\n{"id": 5, "claim": "Ice is warm.", "label": "REFUTES"}\n{"id": 6}\n', "entry 2 has no claim, label"),
        ("[{]", "neither a JSON list nor JSON lines"),
    ],
)
def test_a_damaged_entry_is_a_data_error_that_says_where(tmp_path, text, message):
    path = tmp_path / "claims.jsonl"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(DataError, match=message):
        fever_claims(path)


def test_what_no_task_holds_is_dropped_while_the_official_file_is_read(tmp_path):
    paragraphs = [[f"Page {number}", ["A sentence of this page."] * 9] for number in range(10)]
    row = {"_id": "a", "question": "Who?", "answer": "Ann", "type": "bridge", "level": "hard", "context": paragraphs}
    path = tmp_path / "hotpot.json"
    path.write_text(json.dumps([row] * 300))
    assert rows(path, ("question",)) == [{name: row[name] for name in ("_id", "question", "answer", "type")}] * 300
    tracemalloc.start()
    tasks = hotpot_questions(path)
    held, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert (len(tasks), most < 3 * path.stat().st_size, held < path.stat().st_size / 4) == (300, True, True)
