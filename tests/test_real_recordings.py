"""The recorded episodes that the counts in these tests were made from: a word changed in one is another recording."""

import hashlib

import pytest

SHA256 = {  # the first 16 digits, over \\n line ends
    "adapt_alfworld_davinci003.json": "ebd7cea939ca1f5b",
    "fireact_answers_3models.jsonl": "f0fa2dff1f76f317",
    "fireact_gpt35_chat.json": "8421496c15ce0f87",
    "fireact_llama2_13b_alpaca.json": "4a420fdbcd6b9000",
    "fireact_llama2_7b_alpaca.json": "a0f9cc052a640191",
    "knowagent_alfworld_llama2_13b.jsonl": "14b0757589e1ef76",
    "knowagent_hotpotqa_llama2_13b.jsonl": "ec1bfde5f9796647",
    "react_fever_davinci002.jsonl": "daabc075dc154f29",
    "react_fever_davinci002_stdout.txt": "8c64fc4f5abe5fac",
    "react_hotpotqa_gpt35_stdout.txt": "a8d5792f61164dbc",
    "react_webshop_davinci002.jsonl": "770df20181bccd67",
    "reflexion_cot_hotpotqa.txt": "8f392ec64e2e759e",
    "reflexion_react_hotpotqa.txt": "e2dcd923689acf07",
}


@pytest.mark.parametrize(("name", "digest"), SHA256.items())
def test_the_recording_is_the_one_that_was_counted(real_data, name, digest):
    content = (real_data / "trajectories" / name).read_bytes().replace(b"\r\n", b"\n")
    assert hashlib.sha256(content).hexdigest()[:16] == digest, f"{name} is not the file that these tests were made from"
