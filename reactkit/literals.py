"""Values in a model's text: JSON, and what is nearly JSON. Nothing is evaluated; what is no plain value is refused."""

import ast
import json
import re
import warnings

__all__ = ["UNREADABLE", "data_end", "group_end", "literal", "quiet", "read_data"]

STRINGS = r""""(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'"""
TRAILING_COMMA = re.compile(rf"({STRINGS})|,(?=\s*[}}\]])", re.DOTALL)
COMMENT = re.compile(rf"{STRINGS}|(//|/\*)", re.DOTALL)
CLOSERS = {"[": "]", "(": ")", "{": "}"}
BRACKETS = re.compile(r"[\[\](){}]")
QUOTED = re.compile(r"\\.|[\"'\[\](){}]", re.DOTALL)
LONGEST = 20_000  # characters; what is longer is read as JSON or not at all, since the other readings are slow
JSON_WORDS = {"true": True, "false": False, "null": None}
UNREADABLE = (ValueError, SyntaxError, TypeError, RecursionError, MemoryError)


def read_data(text: str) -> tuple[object, str]:
    """Return the value that `text` writes as JSON, or nearly so, and where it is not JSON, why: None is no value."""
    try:
        return json.loads(text, strict=False, parse_constant=int), ""  # NaN is no JSON, and no int
    except RecursionError:
        return None, "it is nested too deeply"
    except ValueError as error:
        at = getattr(error, "pos", 0)
        what = f"{getattr(error, 'msg', error)} at character {at}, near {text[max(at - 10, 0) : at + 10]!r}"
    for reader in (literal, without_trailing_commas):
        try:
            return quiet(reader, text[:LONGEST]), what
        except UNREADABLE:
            continue
    commented = any(found[1] for found in COMMENT.finditer(text[:LONGEST]))
    return None, what + "; comments are not allowed" * commented


def literal(written) -> object:
    """Return a Python literal as the JSON value that it equals; what JSON has no form for is a TypeError."""
    word = JSON_WORDS.get(getattr(written, "id", ""), written)  # true, false and null, as models write them in a call
    return json.loads(json.dumps(ast.literal_eval(word) if word is written else word))


def without_trailing_commas(text: str) -> object:
    return json.loads(TRAILING_COMMA.sub(r"\1", text), strict=False, parse_constant=int)


def quiet(read, *arguments, **options):
    """Call a reader without the warnings that Python has for a stray backslash: the text is a model's, not ours."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return read(*arguments, **options)


def data_end(text: str, start: int) -> int:
    """Return where the object that begins at `start` ends; where it is not closed, the end of its line."""
    end, line_end = group_end(text, start, True), text.find("\n", start)
    return end if end > 0 else line_end if line_end > 0 else len(text)


def group_end(text: str, start: int, quotes: bool = False) -> int:
    """Return where the bracket at `start` is closed, or -1; with `quotes`, brackets inside quotes do not count."""
    opener, depth, quote = text[start], 0, None
    for piece in (QUOTED if quotes else BRACKETS).finditer(text, start):
        if quote or (quotes and piece[0] in "\"'"):
            quote = None if piece[0] == quote else quote or piece[0]
            continue
        depth += {opener: 1, CLOSERS[opener]: -1}.get(piece[0], 0)
        if depth == 0:
            return piece.end()
    return -1
