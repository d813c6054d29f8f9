"""Plausible wrong answers to the exercises of lesson 14, each with words of the message meant for it."""

LINE = """
def line_for(rows, context, stop):
    request = digest(context, [*stop], rows[0]["settings"])
    for number, row in enumerate(rows, start=1):
        if row.get("request") == request:
            return number
"""
WITHOUT_SETTINGS = LINE.replace(', rows[0]["settings"]', "")
WITHOUT_STOP = """
def line_for(rows, context, stop):
    found = None
    for number, row in enumerate(rows[1:], start=2):
        if row["reply"] == f" {len(context)}":
            found = number
    return found
"""
ALWAYS_THE_FIRST = """
def line_for(rows, context, stop):
    found = [number for number, row in enumerate(rows, start=1) if row.get("reply") == f" {len(context)}"]
    return found[0] if found else None
"""
FROM_ZERO = LINE.replace(", start=1", "")
THE_REPLY = LINE.replace("return number", 'return row["reply"]')
THE_ROW = LINE.replace("return number", "return row")
OTHER_SETTINGS = LINE.replace('rows[0]["settings"]', '{"temperature": 0}')
PRINTS_IT = LINE.replace("return number", "print(number)")
THE_FIRST_ONLY = LINE.replace("            return number", "            return number\n        return None")
A_GUESS = LINE + "    return len(rows)\n"

CAP = """
def capped(model, most):
    made = []
    def asked(context, stop=()):
        if len(made) >= most:
            raise BudgetError("enough")
        made.append(context)
        return model(context, stop)
    return asked
"""
LATE = """
def capped(model, most):
    made = []
    def asked(context, stop=()):
        made.append(model(context, stop))
        if len(made) > most:
            raise BudgetError("too many")
        return made[-1]
    return asked
"""
ONE_TOO_MANY = CAP.replace(">=", ">")
ONE_TOO_FEW = CAP.replace("len(made) >=", "len(made) + 1 >=")
NO_ERROR = CAP.replace('raise BudgetError("enough")', "return None")
EMPTY_REPLY = CAP.replace('raise BudgetError("enough")', 'return ""')
SAYS_SO = CAP.replace('raise BudgetError("enough")', 'return "enough"')
ANEW = CAP.replace("    made = []\n", "").replace("        if len", "        made = []\n        if len")
ONE_LIST_FOR_ALL = "made = []\n" + CAP.replace("    made = []\n", "")
OTHER_ERROR = CAP.replace("BudgetError", "ValueError")
NO_STOP = CAP.replace("model(context, stop)", "model(context)")
ONE_COUNT = """
MADE = []
def capped(model, most):
    first = len(MADE) if most != 1 else 0
    def asked(context, stop=()):
        if len(MADE) - first >= most:
            raise BudgetError("enough")
        MADE.append(context)
        return model(context, stop)
    if most == 1 and len(MADE) > 1:
        del MADE[:]
    return asked
"""

PATIENT = """
def patient(model):
    def asked(context, stop=()):
        reply = model(context, stop)
        return reply if reply.strip() else model(context, stop)
    return asked
"""
HASTY = """
def patient(model):
    def asked(context, stop=()):
        return model(context).strip() or model(context).strip()
    return asked
"""
STRIPS = PATIENT.replace("reply = model(context, stop)", "reply = model(context, stop).strip()")
LOSES_STOP = PATIENT.replace("context, stop)\n        return", "context)\n        return")
LOSES_IT_LATER = PATIENT.replace("else model(context, stop)", "else model(context)")
ALWAYS_TWICE = PATIENT.replace("return reply if", "again = model(context, stop)\n        return reply if")
ONLY_EMPTY = PATIENT.replace("reply.strip()", "reply")
ONCE = PATIENT.replace(" if reply.strip() else model(context, stop)", "")
UNTIL_IT_SPEAKS = """
def patient(model):
    def asked(context, stop=()):
        reply = model(context, stop)
        while not reply.strip():
            reply = model(context, stop)
        return reply
    return asked
"""
REBUILDS = PATIENT.replace("return reply if", "return Completion(reply) if")

MINE = """
def mine(context, stop=()):
    clues = {"river": "Arne", "launched": "Swift", "film": "Low Water"}
    question = context.rpartition("Question: ")[2].lower()
    return next((f" {reply}" for clue, reply in clues.items() if clue in question), " I do not know")
"""
ALL_OF_IT = MINE.replace('context.rpartition("Question: ")[2].lower()', "context.lower()")
THE_FIRST = MINE.replace('rpartition("Question: ")[2]', 'partition("Question: ")[2]')
AS_WRITTEN = MINE.replace(".lower()", "")
NOTHING = MINE.replace('" I do not know"', '""')
PRINTS = MINE.replace("return next(", "print(next(").replace('" I do not know")', '" I do not know"))')
ONE_CLUE = MINE.replace('"launched": "Swift", ', "")
AN_ANSWER_LESS = MINE.replace("Low Water", "low tide")

WRONG = {
    "ex_14_1": [
        (WITHOUT_SETTINGS, "digest() takes three parts"),
        (WITHOUT_STOP, "The stop strings are part of the request"),
        (ALWAYS_THE_FIRST, "The stop strings are part of the request"),
        (FROM_ZERO, "An editor counts from 1"),
        (THE_REPLY, "That is the reply"),
        (THE_ROW, "That is the line itself"),
        (OTHER_SETTINGS, "other settings on its card"),
        (PRINTS_IT, "Is a return missing"),
        (THE_FIRST_ONLY, "before all lines are seen"),
        (A_GUESS, "Nobody asked this"),
    ],
    "ex_14_2": [
        (LATE, "so they were paid for"),
        (ONE_TOO_MANY, "one too many"),
        (ONE_TOO_FEW, "As many calls as the limit"),
        (NO_ERROR, "Who reads it may take it for a reply"),
        (EMPTY_REPLY, "Who reads it may take it for a reply"),
        (OTHER_ERROR, "raise BudgetError"),
        (SAYS_SO, "raise BudgetError"),
        (ANEW, "Is the list made anew at each call?"),
        (ONE_LIST_FOR_ALL, "Two caps share one count"),
        (NO_STOP, "The stop strings have to reach the model"),
        (ONE_COUNT, "Two caps share one count"),
    ],
    "ex_14_3": [
        (HASTY, "Pass stop on"),
        (STRIPS, "Return the reply as it came"),
        (LOSES_STOP, "Pass stop on"),
        (LOSES_IT_LATER, "Pass them on both times"),
        (ALWAYS_TWICE, "One call, with its stop strings"),
        (ONLY_EMPTY, "It counts as empty"),
        (ONCE, "Ask once more"),
        (UNTIL_IT_SPEAKS, "a third call"),
        (REBUILDS, "Its finish_reason says so"),
    ],
    "ex_14_4": [
        (ALL_OF_IT, "Look at the newest question alone"),
        (THE_FIRST, "Look at the newest question alone"),
        (AS_WRITTEN, "compare in lower case"),
        (NOTHING, "so the reply is: I do not know"),
        (PRINTS, "The question holds the clue river"),
        (ONE_CLUE, "The question holds the clue launched"),
        (AN_ANSWER_LESS, "The question holds the clue film"),
    ],
}

RIGHT = {
    "ex_14_1": [
        """
def line_for(rows, context, stop):
    card, *replies = rows
    requests = [row["request"] for row in replies]
    wanted = digest(context, list(stop), card["settings"])
    return requests.index(wanted) + 2 if wanted in requests else None
""",
    ],
    "ex_14_2": [
        """
def capped(model, most):
    left = most
    def asked(context, stop=()):
        nonlocal left
        if left == 0:
            raise BudgetError("no call is left")
        left -= 1
        return model(context, stop=stop)
    return asked
""",
    ],
    "ex_14_3": [
        """
def patient(model):
    def asked(context, stop=()):
        for _ in range(2):
            reply = model(context, stop=stop)
            if reply.strip() != "":
                break
        return reply
    return asked
""",
    ],
    "ex_14_4": [
        """
def mine(context, stop=()):
    question = context.split("Question: ")[-1].casefold()
    if "river" in question:
        return "Arne"
    if "launched" in question:
        return "Swift"
    return "Low Water" if "film" in question else "I do not know"
""",
    ],
}
