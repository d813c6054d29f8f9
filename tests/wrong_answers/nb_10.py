"""Plausible wrong answers to the exercises of lesson 10, each with words of the message meant for it."""

READ = """
def kinds_read():
    return {
        "A": "hallucination",
        "B": "label ambiguity",
        "C": "search result error",
        "D": "false positive",
        "E": "reasoning error",
        "F": "reasoning error",
    }
"""
MADE_UP_IS_BAD_REASONING = READ.replace('"A": "hallucination"', '"A": "reasoning error"')
A_READERS_EYES = READ.replace('"label ambiguity"', '"true positive"')
NOTHING_FOUND_IS_MADE_UP = READ.replace('"search result error"', '"hallucination"')
RIGHT_IS_RIGHT = READ.replace('"false positive"', '"true positive"')
MADE_UP_WHEN_RIGHT = READ.replace('"false positive"', '"hallucination"')
CIRCLES_ARE_SEARCHES = READ.replace('"E": "reasoning error"', '"E": "search result error"')
ALL_IS_MADE_UP = READ.replace('"F": "reasoning error"', '"F": "hallucination"')
OTHER_WORDS = READ.replace('"label ambiguity"', '"ambiguous"')

CIRCLES = """
def circles(steps):
    pairs = [(action.strip().lower(), seen) for action, seen in steps]
    return sum(pair in pairs[:place] for place, pair in enumerate(pairs))
"""
ACTIONS_ONLY = CIRCLES.replace("(action.strip().lower(), seen)", "action.strip().lower()")
OBSERVATIONS_ONLY = CIRCLES.replace("(action.strip().lower(), seen)", "seen")
AS_SPELLED = CIRCLES.replace("action.strip().lower()", "action")
NO_STRIP = CIRCLES.replace(".strip()", "")
THE_FIRST_TOO = CIRCLES.replace("pair in pairs[:place]", "pairs.count(pair) > 1")
ONLY_THE_LAST = CIRCLES.replace("pairs[:place]", "pairs[max(place - 1, 0) : place]")
SEEN_IN_SMALL = CIRCLES.replace("seen)", "seen.lower())")
NEEDS_A_STEP = CIRCLES.replace("    return", "    pairs[0]\n    return")

MENDED = """
def mended(first, second):
    alike = sum(one == other for one, other in zip(first, second)) / len(first)
    chance = sum(first.count(label) * second.count(label) for label in set(first)) / len(first) ** 2
    return None if chance == 1 else (alike - chance) / (1 - chance)
"""
EVEN_CHANCE = MENDED.replace(
    "sum(first.count(label) * second.count(label) for label in set(first)) / len(first) ** 2",
    "1 / len({*first, *second})",
)
NOT_DIVIDED = MENDED.replace(" / (1 - chance)", "")
ONLY_ALIKE = MENDED.replace("(alike - chance) / (1 - chance)", "alike")
HALF_MENDED = MENDED.replace("(1 - chance)", "(1 - 0.5)")
OVER_THE_RUNS = MENDED.replace("set(first)", "first")
ONE_READER_TWICE = MENDED.replace("second.count(label)", "first.count(label)")
ALWAYS_DEFINED = MENDED.replace("None if chance == 1 else ", "")
ONE_FOR_NONE = MENDED.replace("None if", "1.0 if")

FEWEST = """
def fewest(shares):
    return next(n for n in range(1, 101) if set(shares) <= {round(100 * count / n) for count in range(n + 1)})
"""
CUT_OFF = FEWEST.replace("round(", "int(")
WITHOUT_NONE = FEWEST.replace("range(n + 1)", "range(1, n + 1)")
WITHOUT_ALL = FEWEST.replace("range(n + 1)", "range(n)")
ANY_SHARE = FEWEST.replace("set(shares) <= ", "set(shares) & ")
THE_FIRST_SHARE = FEWEST.replace("set(shares)", "{shares[0]}")
FROM_ABOVE = FEWEST.replace("range(1, 101)", "range(100, 0, -1)")
THE_WORST_ALONE = """
def fewest(shares):
    def alone(share):
        return next(n for n in range(1, 101) if share in {round(100 * count / n) for count in range(n + 1)})

    return max(alone(share) for share in shares)
"""

WORTH = """
def worth(flagged, kinds, kind):
    meant = {name for name in kinds if kinds[name] == kind}
    both = flagged & meant
    precision = len(both) / len(flagged) if flagged else None
    recall = len(both) / len(meant) if meant else None
    return precision, recall, len(meant) / len(kinds)
"""
TURNED = WORTH.replace("return precision, recall", "return recall, precision")
OF_ALL = WORTH.replace("/ len(flagged)", "/ len(kinds)").replace("/ len(meant)", "/ len(kinds)")
FLAGGED_RATE = WORTH.replace("len(meant) / len(kinds)", "len(flagged) / len(kinds)")
NO_CARE = WORTH.replace(" if flagged else None", "")
ZERO_FOR_NONE = WORTH.replace("if meant else None", "if meant else 0.0")
ONE_KIND = WORTH.replace("== kind", '== "reasoning error"')

WRONG = {
    "ex_10_1": [
        (MADE_UP_IS_BAD_REASONING, "the reasoning holds"),
        (A_READERS_EYES, "it is among the failures"),
        (NOTHING_FOUND_IS_MADE_UP, "nothing came back that it could use"),
        (RIGHT_IS_RIGHT, "who built the mill"),
        (MADE_UP_WHEN_RIGHT, "That is a kind of wrong runs"),
        (CIRCLES_ARE_SEARCHES, "The page came with the first search"),
        (ALL_IS_MADE_UP, "nothing is made up"),
        (OTHER_WORDS, "is none of KINDS"),
    ],
    "ex_10_2": [
        (ACTIONS_ONLY, "something new was seen"),
        (OBSERVATIONS_ONLY, "it tries something else"),
        (AS_SPELLED, "one action in three spellings"),
        (NO_STRIP, "one action in three spellings"),
        (THE_FIRST_TOO, "The first time is no repeat"),
        (ONLY_THE_LAST, "Compare with all earlier steps"),
        (SEEN_IN_SMALL, "Observations are compared as they are"),
        (NEEDS_A_STEP, "No step, no circle"),
    ],
    "ex_10_3": [
        (EVEN_CHANCE, "Chance hangs on the habits"),
        (NOT_DIVIDED, "divided by what could be"),
        (ONLY_ALIKE, "Take off what chance gives"),
        (HALF_MENDED, "divided by what could be"),
        (OVER_THE_RUNS, "Chance hangs on the habits"),
        (ONE_READER_TWICE, "takes one reader's shares twice"),
        (ALWAYS_DEFINED, "return None"),
        (ONE_FOR_NONE, "return None"),
    ],
    "ex_10_4": [
        (CUT_OFF, "two of three are 67, rounded"),
        (WITHOUT_NONE, "Try both ends"),
        (WITHOUT_ALL, "Try both ends"),
        (ANY_SHARE, "One that fits a share alone is not enough"),
        (THE_FIRST_SHARE, "One that fits a share alone is not enough"),
        (FROM_ABOVE, "One of three is 33"),
        (THE_WORST_ALONE, "One that fits a share alone is not enough"),
    ],
    "ex_10_5": [
        (TURNED, "the other way round"),
        (OF_ALL, "not shares of all runs"),
        (FLAGGED_RATE, "does not ask what was flagged"),
        (NO_CARE, "Nothing is flagged"),
        (ZERO_FOR_NONE, "No run is of this kind"),
        (ONE_KIND, "its precision is the base rate"),
    ],
}

RIGHT = {
    "ex_10_1": [
        """
def kinds_read():
    found = dict.fromkeys("EF", "reasoning error")
    found |= {"A": "hallucination", "B": "label ambiguity", "C": "search result error", "D": "false positive"}
    return found
""",
    ],
    "ex_10_2": [
        """
def circles(steps):
    known, count = set(), 0
    for action, seen in steps:
        step = (action.strip().casefold(), seen)
        count += step in known
        known.add(step)
    return count
""",
    ],
    "ex_10_3": [
        """
def mended(first, second):
    n, chance = len(first), 0
    for label in {*first, *second}:
        chance += (first.count(label) / n) * (second.count(label) / n)
    if abs(chance - 1) < 1e-9:
        return None
    alike = sum(1 for place in range(n) if first[place] == second[place]) / n
    return (alike - chance) / (1 - chance)
""",
    ],
    "ex_10_4": [
        """
def fewest(shares):
    n = 1
    while not all(any(round(100 * count / n) == share for count in range(n + 1)) for share in shares):
        n += 1
    return n
""",
    ],
    "ex_10_5": [
        """
def worth(flagged, kinds, kind):
    def share(names, test):
        found = [test(name) for name in names]
        return sum(found) / len(found) if found else None

    meant = [name for name in kinds if kinds[name] == kind]
    return (
        share(flagged, lambda name: kinds[name] == kind),
        share(meant, lambda name: name in flagged),
        share(kinds, lambda name: kinds[name] == kind),
    )
""",
    ],
}
