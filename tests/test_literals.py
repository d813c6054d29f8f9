import pytest

from reactkit.literals import read_data


@pytest.mark.parametrize(
    ("text", "value", "exact"),
    [
        ('{"a": "x"}', {"a": "x"}, True),
        ('{"a": "x\ny"}', {"a": "x\ny"}, True),
        ("{'a': True, 'b': None}", {"a": True, "b": None}, False),
        ('{"a": [1, 2,], "b": true,}', {"a": [1, 2], "b": True}, False),
        ('{"a": ",}"}', {"a": ",}"}, True),
        ('{"a": ",}",}', {"a": ",}"}, False),
        ('{"a": x}', None, False),
        ("{'a': {1, 2}}", None, False),
        ("{'a': b'x'}", None, False),
        ("{'a': __import__('os')}", None, False),
        ("[" * 100_000, None, False),
        ('{"a": ' * 100_000, None, False),
    ],
)
def test_json_is_read_and_what_is_nearly_json_with_what_is_wrong(text, value, exact):
    came, fault = read_data(text)
    assert (came, fault == "") == (value, exact)
