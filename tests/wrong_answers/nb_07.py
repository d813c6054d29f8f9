"""Plausible wrong answers to the exercises of lesson 07, each with words of the message meant for it."""

GREEDY = """
def read_call(text):
    found = re.match(r"(\\w+)\\[(.*)\\]", text, re.DOTALL)
    return found.groups() if found else None
"""
UP_TO_THE_FIRST = """
def read_call(text):
    found = re.match(r"(\\w+)\\[(.*?)\\]", text, re.DOTALL)
    return found.groups() if found else None
"""
CLOSES_IT_FOR_THE_MODEL = """
def read_call(text):
    name, _, rest = text.partition("[")
    depth = 1
    for place, letter in enumerate(rest):
        depth += {"[": 1, "]": -1}.get(letter, 0)
        if depth == 0:
            return name, rest[:place]
    return name, rest
"""
ONE_ROW = """
def read_call(text):
    name, _, rest = text.split("\\n")[0].partition("[")
    depth = 1
    for place, letter in enumerate(rest):
        depth += {"[": 1, "]": -1}.get(letter, 0)
        if depth == 0:
            return name, rest[:place]
"""
NEEDS_A_BRACKET = """
def read_call(text):
    opened, depth = text.index("["), 0
    for place in range(opened, len(text)):
        depth += {"[": 1, "]": -1}.get(text[place], 0)
        if depth == 0:
            return text[:opened], text[opened + 1 : place]
"""
A_LIST = """
def read_call(text):
    name, _, rest = text.partition("[")
    depth = 1
    for place, letter in enumerate(rest):
        depth += {"[": 1, "]": -1}.get(letter, 0)
        if depth == 0:
            return [name, rest[:place]]
"""

ACCOUNT = """
def account(reply):
    label = LABEL.search(reply)
    if label is None:
        return [("thought", reply)]
    end = reply.find("\\n", label.end())
    end = len(reply) if end < 0 else end
    parts = [("thought", reply[: label.start()]), ("label", label[0]), ("action", reply[label.end() : end])]
    return [(kind, text) for kind, text in [*parts, ("dropped", reply[end:])] if text]
"""
STRIPS = ACCOUNT.replace("[(kind, text) for", "[(kind, text.strip()) for")
EMPTY_PARTS = ACCOUNT.replace(" if text]", "]")
LOSES_THE_REST = ACCOUNT.replace('[*parts, ("dropped", reply[end:])]', "parts")
LOSES_THE_BREAK = ACCOUNT.replace("reply[end:]", "reply[end + 1 :]")
MINUS_ONE = ACCOUNT.replace("    end = len(reply) if end < 0 else end\n", "")
ANYWHERE = ACCOUNT.replace("LABEL.search(reply)", 're.search(r"Action \\d+:", reply)')
LISTS = ACCOUNT.replace("[(kind, text) for", "[[kind, text] for")
A_DICTIONARY = ACCOUNT.replace("[(kind, text) for", "{kind: text for").replace(" if text]", " if text}")
LAST_LABEL = ACCOUNT.replace("LABEL.search(reply)", "(list(LABEL.finditer(reply)) or [None])[-1]")

TIDE = """
def tide_tool():
    def tide(harbour: str, day: int) -> str:
        "Return when the water is high."
        if harbour not in HIGH_WATER:
            raise Refused(f"There is no harbour {harbour!r}. Harbours are: {', '.join(HIGH_WATER)}.")
        return HIGH_WATER[harbour][day - 1]
    return tide
"""
UNTYPED = TIDE.replace("harbour: str, day: int", "harbour, day")
NO_DOCSTRING = TIDE.replace('        "Return when the water is high."\n', "")
FROM_ZERO = TIDE.replace("day - 1", "day")
NO_REFUSAL = TIDE.replace("if harbour not in HIGH_WATER", "if not HIGH_WATER")
REFUSES_IN_PASSING = TIDE.replace("raise Refused(f", "return (f")
VALUE_ERROR = TIDE.replace("raise Refused", "raise ValueError")
NAMED_HIGH = TIDE.replace("def tide(", "def high(").replace("return tide\n", "return high\n")
NO_RETURN_TIDE = TIDE.replace("    return tide\n", "")
NO_RETURN_INSIDE = TIDE.replace("return HIGH_WATER", "HIGH_WATER")
ALL_THE_DAYS = TIDE.replace("[day - 1]", "")
CALLS_IT = TIDE.replace("return tide\n", 'return tide("North Quay", 2)\n')

GUARD = """
def out_of_patience(run):
    failed = [line.failed for line in run.trajectory.keep("observation")]
    if failed[-3:] == [True, True, True]:
        return Ruling("Stopped: three calls in a row failed.", "budget")
"""
IN_ALL = GUARD.replace("failed[-3:] == [True, True, True]", "sum(failed) >= 3")
EVER_IN_A_ROW = GUARD.replace("failed[-3:] == [True, True, True]", "'TrueTrueTrue' in ''.join(map(str, failed))")
ALL_OF_NOTHING = GUARD.replace("failed[-3:] == [True, True, True]", "all(failed[-3:])")
LAST_THREE_LINES = GUARD.replace('run.trajectory.keep("observation")', "run.trajectory")
BY_WORDS = GUARD.replace("line.failed for", 'line.failed or "failed" in line.text for')
ONLY_WORDS = GUARD.replace(
    'Ruling("Stopped: three calls in a row failed.", "budget")', '"Stopped: three calls in a row failed."'
)
GOES_ON = GUARD.replace(', "budget")', ")")
OTHER_OUTCOME = GUARD.replace('"budget")', '"stopped")')
OTHER_WORDS = GUARD.replace("Stopped: three calls in a row failed.", "Three calls failed.")
THE_WRONG_WAY_ROUND = GUARD.replace(
    '"Stopped: three calls in a row failed.", "budget"', '"budget", "Stopped: three calls in a row failed."'
)
A_PAIR = GUARD.replace("return Ruling(", "return (")
TRUE_OR_FALSE = """
def out_of_patience(run):
    return [line.failed for line in run.trajectory.keep("observation")][-3:] == [True, True, True]
"""
ALL_OF_THEM = GUARD.replace("failed[-3:] == [True, True, True]", "len(failed) >= 3 and all(failed)")

HALF = """
def fenced(text):
    return "\\n".join(f"| {row}" for row in text.split("\\n"))
"""
LABELS_ONLY = """
def fenced(text):
    labels = re.compile(r"(Thought|Action|Observation) \\d")
    rows = [f"| {row}" if labels.match(row) else row for row in text.splitlines()]
    return "| " + "\\n".join(rows)
"""
REMOVES = """
def fenced(text):
    rows = [row for row in text.splitlines() if not re.match(r"(Thought|Action|Observation) \\d", row)]
    return "\\n".join(f"| {row}" for row in rows)
"""
FIRST_ONLY = """
def fenced(text):
    return f"| {text}"
"""
NO_EMPTY_ROWS = """
def fenced(text):
    return "\\n".join(f"| {row}" for row in text.splitlines() if row)
"""
RETURN_TOO = """
def fenced(text):
    return "\\n".join(f"| {row}" for row in re.split(r"\\r\\n|\\r|\\n", text))
"""
WITHOUT_85 = RETURN_TOO.replace("|\\r|", "|[\\r\\u2028\\u2029]|")
TWO_ENDS = RETURN_TOO.replace("\\r\\n|\\r|\\n", "[\\r\\n\\x85\\u2028\\u2029]")
A_ROW_MORE = RETURN_TOO.replace("|\\r|", "|[\\r\\x85\\u2028\\u2029]|")
KEEPS_THE_ENDS = """
def fenced(text):
    return "".join(f"| {row}" for row in text.splitlines(keepends=True))
"""
KEEPS_THE_LAST_END = """
def fenced(text):
    rows = "\\n".join(f"| {row}" for row in text.splitlines())
    return rows + "\\n" if text.endswith("\\n") else rows
"""
MARKS_AN_EMPTY_TEXT = """
def fenced(text):
    return "| " + "\\n| ".join(text.splitlines())
"""
LATER_ROWS = """
def fenced(text):
    return "\\n| ".join(text.splitlines())
"""

WRONG = {
    "ex_07_1": [
        (GREEDY, "The call ends where its own bracket closes"),
        (UP_TO_THE_FIRST, "The first ] closes the inner bracket"),
        (CLOSES_IT_FOR_THE_MODEL, "Who knows what was cut off?"),
        (ONE_ROW, "None would say that the bracket is never closed"),
        (NEEDS_A_BRACKET, "There is no bracket, so there is no call"),
        (A_LIST, "Right value, wrong type: return a tuple"),
    ],
    "ex_07_2": [
        (STRIPS, "Slice, and strip nothing"),
        (EMPTY_PARTS, "A part without any text is left out"),
        (LOSES_THE_REST, "it is not lost either"),
        (LOSES_THE_BREAK, "the one between action and dropped"),
        (MINUS_ONE, "find gave -1"),
        (ANYWHERE, "LABEL matches only where a row begins"),
        (LAST_LABEL, "The first label decides"),
        (LISTS, "Each is to be a pair, a tuple in round brackets"),
        (A_DICTIONARY, "not a dictionary"),
    ],
    "ex_07_3": [
        (UNTYPED, "Without types it cannot name them"),
        (NO_DOCSTRING, "The docstring is missing"),
        (FROM_ZERO, "That is the tide of day 3"),
        (NO_REFUSAL, "does not say which harbours there are"),
        (REFUSES_IN_PASSING, "Raise Refused, so that the line is marked as failed"),
        (VALUE_ERROR, "then it is no fault of the tool"),
        (CALLS_IT, "has to return the function itself"),
        (NAMED_HIGH, "Name the function inside tide"),
        (NO_RETURN_TIDE, "Its last row has to be: return tide"),
        (NO_RETURN_INSIDE, "The function inside returned nothing"),
        (ALL_THE_DAYS, "Pick the one of that day"),
    ],
    "ex_07_4": [
        (IN_ALL, "but not in a row"),
        (EVER_IN_A_ROW, "The last call worked"),
        (ALL_OF_NOTHING, "fewer than three observations"),
        (LAST_THREE_LINES, "Thoughts and actions stand between them"),
        (BY_WORDS, "Ask line.failed, not the words"),
        (ONLY_WORDS, "A guard returns a Ruling"),
        (GOES_ON, "Without an outcome the run goes on"),
        (OTHER_OUTCOME, "Right words, but another outcome"),
        (OTHER_WORDS, "A ruling, but its words are others"),
        (THE_WRONG_WAY_ROUND, "They come first"),
        (A_PAIR, "A guard returns a Ruling"),
        (TRUE_OR_FALSE, "A guard returns a Ruling"),
        (ALL_OF_THEM, "What came before them does not matter"),
    ],
    "ex_07_5": [
        (HALF, "To some readers a new row begins here"),
        (LABELS_ONLY, "A label may be spelled in many ways"),
        (REMOVES, "Mark the row, do not remove it"),
        (FIRST_ONLY, "The second row has no mark"),
        (NO_EMPTY_ROWS, "The empty row belongs to the page"),
        (RETURN_TOO, "To some readers a new row begins here"),
        (WITHOUT_85, "To some readers a new row begins here"),
        (TWO_ENDS, "is one end, not two"),
        (KEEPS_THE_ENDS, "Join the rows by"),
        (A_ROW_MORE, "begins no further row"),
        (KEEPS_THE_LAST_END, "not behind the last one"),
        (MARKS_AN_EMPTY_TEXT, "An empty text has no rows"),
        (LATER_ROWS, "The first row gets the mark as well"),
    ],
}

RIGHT = {
    "ex_07_1": [
        """
def read_call(text):
    opened = text.find("[")
    ends = [at for at, letter in enumerate(text) if letter == "]" and text[:at].count("[") == text[: at + 1].count("]")]
    return (text[:opened], text[opened + 1 : ends[0]]) if opened >= 0 and ends else None
""",
    ],
    "ex_07_2": [
        """
def account(reply):
    found = re.fullmatch(r"(?s)(.*?)(^Action \\d+:)([^\\n]*)(.*)", reply, re.MULTILINE)
    texts = found.groups() if found else [reply]
    return [pair for pair in zip(("thought", "label", "action", "dropped"), texts) if pair[1]]
""",
    ],
    "ex_07_3": [
        """
def tide_tool():
    def tide(harbour: str, day: int):
        \"\"\"Return when the water is high.

        The days count from 1.
        \"\"\"
        times = HIGH_WATER.get(harbour)
        if times is None:
            known = ", ".join(HIGH_WATER.keys())
            raise Refused("There is no harbour " + repr(harbour) + ". Harbours are: " + known + ".")
        return {number: time for number, time in enumerate(times, start=1)}[day]
    return tide
""",
    ],
    "ex_07_4": [
        """
def out_of_patience(run):
    in_a_row = 0
    for line in run.trajectory:
        if line.role == "observation":
            in_a_row = in_a_row + 1 if line.failed else 0
    return Ruling("Stopped: three calls in a row failed.", "budget") if in_a_row >= 3 else None
""",
    ],
    "ex_07_5": [
        """
def fenced(text):
    rows = []
    for row in text.splitlines():
        rows.append("| " + row)
    return "\\n".join(rows)
""",
        """
def fenced(text):
    rows = re.split(r"\\r\\n|[\\n\\r\\v\\f\\x1c-\\x1e\\x85\\u2028\\u2029]", text)
    if rows[-1] == "":
        rows.pop()
    return "\\n".join(map("| {}".format, rows))
""",
    ],
}
