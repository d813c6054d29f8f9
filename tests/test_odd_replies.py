"""Replies in odd layouts that a reviewer made up: what is run of each, and what is noted."""

import pytest

from reactkit.replies import read_reply

ODD = [
    ("- Thought: a\n- Action: Search\n- Action Input: Lake Orrin", "Search[Lake Orrin]", None),
    ("> Action: Search\n> Action Input: Lake Orrin", "Search[Lake Orrin]", None),
    ("### Action\nSearch\n### Action Input\nLake Orrin", "Search[Lake Orrin]", None),
    ("Action: Search\nAction Inputs: Lake Orrin", "Search[Lake Orrin]", None),
    ("Action: Search\nAction Input #1: Lake Orrin", "Search[Lake Orrin]", None),
    ("Action: Search\nAction Input (1): Lake Orrin", "Search[Lake Orrin]", None),
    (
        '{"action": "Search", "action_input": "A"}\n{"action": "Lookup", "action_input": "b"}',
        "Search[A]",
        "several_actions",
    ),
    (
        '```json\n{"action": "Search", "action_input": "A"}\n```\n'
        '```json\n{"action": "Lookup", "action_input": "b"}\n```',
        "Search[A]",
        "several_actions",
    ),
    (
        '<tool_call>\n{"action": "Search", "action_input": "A"}\n</tool_call>\n'
        '<tool_call>\n{"action": "Lookup", "action_input": "b"}\n</tool_call>',
        "Search[A]",
        "several_actions",
    ),
    ('Thought: a\n{"action": "Search", "action_input": "A"}\nFinal Answer: 12', "Search[A]", "answer_not_accepted"),
    (
        'Thought: a\n```json\n{"action": "Search", "action_input": "A"}\n```\nFinal Answer: 12',
        "Search[A]",
        "answer_not_accepted",
    ),
    ('{"action": "Search", "action_input": "A"}\nObservation: x', "Search[A]", None),
    ('{"action": "Search", "action_input": "A"}<|im_end|>', "Search[A]", None),
    ('Action: g[{"a": "x]y"}]', "g(a='x]y')", None),
    ('Action: Search["a ] b"]', "Search[a ] b]", None),
    ("Action: Search['tis the season]", "Search['tis the season]", None),
    ("Action: Search(1984 novel)", "Search[1984 novel]", None),
    ("Action: Search(Orrin (lake))", "Search[Orrin (lake)]", None),
    ("Action: Finish(12 m)", "Finish[12 m]", None),
    ("Action: Finish(12)", "Finish[12]", None),
    ("Thought: I need it Action: Search Action Input: Tarn Bridge", "Search[Tarn Bridge]", None),
    ("Thought 1. x\nAction 1. Search[A]", "Search[A]", None),
    ('Action: {"action": "Finish", "answer": "12"}', "Finish[12]", None),
    ('Action: f\nAction Input: {"a": NaN}', None, "bad_json_arguments"),
    (
        'Thought: It would be wrong to send\n{"action": "Search", "action_input": "A"}\nso I will not.',
        None,
        "no_action",
    ),
    ("Thought: no. Action: Search[x] is wrong.\nFinal Answer: 12", None, None),
    ('<tool_call>\n{"name": "Search", "arguments": {"query": "A"}}\n</tool_call>', "Search(query='A')", None),
    ("Action: web\\_search\nAction Input: A", "web_search[A]", "tool_name_cleaned"),
    (
        "<|channel|>analysis<|message|>Action: Finish[x]<|end|><|start|>assistant<|channel|>final<|message|>"
        "Thought: go\nAction: Search[A]",
        "Search[A]",
        None,
    ),
    ("hm\r\nAction: Finish[guess]\r\n</think>\r\n\r\nThought: go\r\nAction: Search[A]", "Search[A]", None),
    ("Action: Finish[3 m]</think>Thought: go\nAction: Search[A]", "Search[A]", None),
    ("hm\nAction: Finish[3 m]</think>Let me look.\nAction: Search[A]", "Search[A]", None),
    ("hm\nAction: Finish[3 m] or\nAction: Search[B]? </thought> So:\nAction: Search[A]", "Search[A]", None),
    ("Action: Finish[3 m]\n[/THINK]\nThought: go\nAction: Search[A]", "Search[A]", None),
    (
        "Action: Finish[3 m] </think>So: Action: x\nAction: Search[A]\nof </think> tags",
        "Search[A]",
        "trailing_text_ignored",
    ),
    ("<think>a</think>\nAction: Search[A]\nas for </think> tags", "Search[A]", "trailing_text_ignored"),
    ("Action: Search[A]\nAction: Search[the </think> tag]", "Search[A]", "several_actions"),
    ("Action: Search[A]\nNext, `</think>` is a tag", "Search[A]", "trailing_text_ignored"),
    ("Thought: <think>hm\nAction: Finish[guess]\n</think>\nAction: Search[A]", "Search[A]", None),
    ("Sure! <think>hm\nAction: Finish[guess]\n</think>\nThought: go\nAction: Search[A]", "Search[A]", None),
    ("\ufeff<think>hm\nAction: Finish[guess]\n</think>\nAction: Search[A]", "Search[A]", None),
    ("**<think>**hm\nAction: Finish[guess]\n</think>\nAction: Search[A]", "Search[A]", None),
    ("> <think>hm\nAction: Finish[guess]\n</think>\nAction: Search[A]", "Search[A]", None),
    ("[THINK]hm\nAction: Finish[guess]\n[/THINK]\nAction: Search[A]", "Search[A]", None),
    ("<thought>hm\nAction: Finish[guess]\n</thought>\nAction: Search[A]", "Search[A]", None),
    ("<think time=3>hm\nAction: Finish[guess]\n</think>\nAction: Search[A]", "Search[A]", None),
    ("<think>a</think>Action: Search[A]", "Search[A]", None),
    ("<think>a</think>Thought: go\nAction: Search[A]", "Search[A]", None),
    ("Thought: x\r\nAction: today\r\n", "today[]", None),
    ("### Thought 1\r\ngo.\r\n### Action 1\r\nSearch[A]\r\n", "Search[A]", None),
    ('Action:\r\n```json\r\n{"action": "Search", "action_input": "A"}\r\n```', "Search[A]", None),
    ("Action:\r\n```\r\nSearch[A]\r\n```", "Search[A]", None),
    ('Action: f\r\nAction Input:\r\n```json\r\n{"a": 1}\r\n```', "f(a=1)", None),
    ("<|im_start|>assistant\nThought: go\nAction: Search[A]<|im_end|>", "Search[A]", None),
    ("<|start_header_id|>assistant<|end_header_id|>\n\nThought: go\nAction: Search[A]", "Search[A]", None),
    ("<start_of_turn>model\nThought: go\nAction: Search[A]", "Search[A]", None),
    ("<|assistant|> Thought: go\nAction: Search[A]", "Search[A]", None),
    ("Action: search('A')\nsearch('B')", "search[A]", "several_actions"),
    ("Action: search('A'); search('B')", "search[A]", "several_actions"),
    (
        'Action: {"action":"Search","action_input":"A"}\n{"action":"Search","action_input":"B"}',
        "Search[A]",
        "several_actions",
    ),
    ("Action: Search[Lake Orrin] as in note [2]", "Search[Lake Orrin]", "trailing_text_ignored"),
    ("Action: Search[Lake Orrin]\n\nThis is step [1] of my plan.", "Search[Lake Orrin]", "trailing_text_ignored"),
    (
        'Action: [{"action":"Search","action_input":"A"},{"action":"Search","action_input":"B"}]',
        "Search[A]",
        "several_actions",
    ),
    ("Thought 2: go\nAction 2: Search\nAction Input 2: Lake Orrin", "Search[Lake Orrin]", None),
    ("Action: Search\nActionInput: Lake Orrin", "Search[Lake Orrin]", None),
    ("Thoughts: go\nActions: Search[A]", "Search[A]", None),
    ("Thought (1): go\nAction (1): Search[A]", "Search[A]", None),
    ("Action: Search\nAction Input: A\nObservation - cold", "Search[A]", None),
    ("Action: Search\nAction Input: A\nObservation 1 cold", "Search[A]", None),
    ("Action: Search\nAction Input: A\nObservation\ncold", "Search[A]", None),
    ("Action: Search\nAction Input: A\nObservations: cold", "Search[A]", None),
    ("Action: Search\nAction Input: `Lake Orrin`", "Search[Lake Orrin]", None),
    ("Action: Search\nAction Input:\n```\nLake Orrin\n```", "Search[Lake Orrin]", None),
    ('Action: search[{"query": "A"}]', "search(query='A')", None),
    ('Action: search({"query": "A"})', "search(query='A')", None),
    ("Action: Search(Orrin's depth)", "Search[Orrin's depth]", None),
    ("Action: gate(open=true)", "gate(open=True)", None),
    ("Action: Finish(answer='3 m', reason='page')", "Finish[3 m]", None),
    ('{"thought": "x", "action": "Search", "action_input": "A"}', "Search[A]", None),
    ('{"action_input": "A", "action": "Search"}', "Search[A]", None),
    (
        'Thought: It would be wrong to send\n{"action": "Search", "action_input": "wrong lake"}\nso I will not.',
        None,
        None,
    ),
    ('Thought: data\n{"name": "Lake Orrin", "depth": 12}', None, None),
    ("Action: Search[the <think> and </think> tags]", "Search[the <think> and </think> tags]", None),
    ("Action: gate('n', 3)", None, None),
    ("Action: gate(name='n'", None, None),
]


@pytest.mark.parametrize(("text", "action", "note"), ODD)
def test_of_a_reply_in_an_odd_layout_the_right_call_is_run(text, action, note):
    reply = read_reply(text, None)
    assert (str(reply.action) if reply.action else None) == action
    assert note is None or note in [each.kind for each in reply.notes]
    assert "".join(piece for _, piece in reply.parts) == text
