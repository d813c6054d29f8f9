"""Plausible wrong answers to the exercises of lesson 09, each with words of the message meant for it."""

HAND = """
def by_hand():
    return {"A": (True, 1.0), "B": (False, 0.8), "C": (False, 0.0), "D": (False, 2 / 3), "E": (False, 2 / 3)}
"""
ARTICLE_DIFFERS = HAND.replace("(True, 1.0)", "(False, 0.75)")
RECALL = HAND.replace("(False, 0.8)", "(False, 2 / 3)")
PRECISION = HAND.replace("(False, 0.8)", "(False, 1.0)")
COUNTED_ONCE = HAND.replace("(False, 0.8)", "(False, 2 / 5)")
CONTAINED = HAND.replace("(False, 0.8)", "(True, 1.0)")
PART_OF_YES = HAND.replace("(False, 0.0)", "(False, 0.5)")
YES_IS_YES = HAND.replace("(False, 0.0)", "(True, 1.0)")
SETS_OF_WORDS = HAND.replace('"D": (False, 2 / 3)', '"D": (False, 1.0)')
SAME_WORD = HAND.replace('"D": (False, 2 / 3)', '"D": (True, 1.0)')
COUNTS_THE = HAND.replace('"E": (False, 2 / 3)', '"E": (False, 0.5)')

LENIENT = """
def lenient(given, gold):
    given, gold = normalise(given), normalise(gold)
    if gold in ("", "yes", "no"):
        return given == gold
    return f" {gold} " in f" {given} "
"""
STILL_STRICT = "def lenient(given, gold):\n    return normalise(given) == normalise(gold)\n"
AS_WRITTEN = "def lenient(given, gold):\n    return gold in given\n"
LETTERS_ONLY = LENIENT.replace('f" {gold} " in f" {given} "', "gold in given")
WRONG_WAY_ROUND = LENIENT.replace('f" {gold} " in f" {given} "', "given in gold")
ANY_ORDER = LENIENT.replace('f" {gold} " in f" {given} "', "set(gold.split()) <= set(given.split())")
NO_SPECIAL_CASES = LENIENT.replace('if gold in ("", "yes", "no")', 'if gold == ""')
NEVER_NO = LENIENT.replace("return given == gold", "return False")
EMPTY_IN_ALL = """
def lenient(given, gold):
    words, wanted = normalise(given).split(), normalise(gold).split()
    if wanted in (["yes"], ["no"]):
        return words == wanted
    return any(words[start : start + len(wanted)] == wanted for start in range(len(words)))
"""
NOT_REFUSED = LENIENT.replace("    return f", '    if "not" in given:\n        return False\n    return f')

INTERVAL = """
def interval(values, chance):
    means = sorted(sum(chance.choices(values, k=len(values))) / len(values) for _ in range(1000))
    return 100 * means[25], 100 * means[-26]
"""
NO_REPLACEMENT = INTERVAL.replace("chance.choices", "chance.sample")
EXTREMES = INTERVAL.replace("means[25]", "means[0]").replace("means[-26]", "means[-1]")
NINE_IN_TEN = INTERVAL.replace("means[25]", "means[50]").replace("means[-26]", "means[-51]")
NINETY = INTERVAL.replace("len(values)", "90")
SHARES = INTERVAL.replace("100 * ", "")
TURNED = INTERVAL.replace("100 * means[25], 100 * means[-26]", "100 * means[-26], 100 * means[25]")
A_LIST = INTERVAL.replace("100 * means[25], 100 * means[-26]", "[100 * means[25], 100 * means[-26]]")
UNSEEDED = INTERVAL.replace("chance.choices", "Random().choices")
ONE_SIDE = INTERVAL.replace("means[25]", "means[300]").replace("means[-26]", "means[-1]")

PAIRED = """
def paired(first, second):
    if first.keys() != second.keys():
        raise ValueError("other questions")
    return bootstrap([first[question] - second[question] for question in first], -1.0)
"""
FROM_ZERO = PAIRED.replace(", -1.0", "")
SECOND_LESS_FIRST = PAIRED.replace("first[question] - second[question]", "second[question] - first[question]")
BY_PLACE = PAIRED.replace(
    "first[question] - second[question] for question in first",
    "one - other for one, other in zip(first.values(), second.values())",
)
MEAN_ONLY = PAIRED.replace(", -1.0)", ", -1.0).mean")
NOT_BOOTSTRAPPED = PAIRED.replace("bootstrap([", "([").replace("], -1.0)", "])")
TOTALS = PAIRED.replace(
    "bootstrap([first[question] - second[question] for question in first], -1.0)",
    "bootstrap([*first.values()]).mean - bootstrap([*second.values()]).mean",
)
WHAT_BOTH_HAVE = PAIRED.replace("if first.keys() != second.keys()", "if not first").replace(
    "for question in first]", "for question in first if question in second]"
)
ONLY_ONE_SIDE = PAIRED.replace("first.keys() != second.keys()", "not first.keys() <= second.keys()")

ENOUGH = """
def enough(values, points):
    return ceil((2 * pstdev(values) / (points / 100)) ** 2)
"""
ROUNDED_DOWN = ENOUGH.replace("ceil", "int")
A_FRACTION = ENOUGH.replace("ceil", "")
NOT_SQUARED = ENOUGH.replace(" ** 2", "")
POINTS_AS_THEY_ARE = ENOUGH.replace("(points / 100)", "points")
ONE_SPREAD = ENOUGH.replace("2 * pstdev", "pstdev")
OF_A_SAMPLE = "from statistics import stdev\n" + ENOUGH.replace("pstdev", "stdev")
ONE_STUDY = ENOUGH.replace("pstdev(values)", "pstdev(STUDY)")

WRONG = {
    "ex_09_1": [
        (ARTICLE_DIFFERS, "a and the, too"),
        (RECALL, "the share of the gold words that came"),
        (PRECISION, "the share of the given words that are right"),
        (COUNTED_ONCE, "Shared words count twice"),
        (CONTAINED, "Is the rest equal?"),
        (PART_OF_YES, "Beside it F1 gives all or nothing"),
        (YES_IS_YES, "Is the rest equal?"),
        (SETS_OF_WORDS, "It is shared once"),
        (SAME_WORD, "is not the same as a word that comes once"),
        (COUNTS_THE, "Did you count the?"),
    ],
    "ex_09_2": [
        (STILL_STRICT, "and more is allowed"),
        (AS_WRITTEN, "Here art is a piece of a word"),
        (LETTERS_ONLY, "Here art is a piece of a word"),
        (WRONG_WAY_ROUND, "and more is allowed"),
        (ANY_ORDER, "not side by side and in their order"),
        (NO_SPECIAL_CASES, "nothing but an equal answer is right"),
        (NEVER_NO, "No with a full stop is equal to no"),
        (EMPTY_IN_ALL, "an empty text stands in any text"),
        (NOT_REFUSED, "the price of a kinder scorer"),
    ],
    "ex_09_3": [
        (NO_REPLACEMENT, "A value may be taken again"),
        (EXTREMES, "the two most extreme draws"),
        (NINE_IN_TEN, "More than 25 means are left out at an end"),
        (NINETY, "draws of fewer values"),
        (SHARES, "Multiply both ends by 100"),
        (TURNED, "Return the lower end first"),
        (A_LIST, "return a pair: low, high"),
        (UNSEEDED, "Draw from chance alone"),
        (ONE_SIDE, "Leave out as many at the one end as at the other"),
    ],
    "ex_09_4": [
        (FROM_ZERO, "Differences reach down to -1"),
        (SECOND_LESS_FIRST, "That is second less first"),
        (BY_PLACE, "This pairs by place"),
        (MEAN_ONLY, "That is the mean alone"),
        (NOT_BOOTSTRAPPED, "Hand them to bootstrap"),
        (TOTALS, "That is the mean alone"),
        (WHAT_BOTH_HAVE, "The two were not asked the same questions"),
        (ONLY_ONE_SIDE, "The two were not asked the same questions"),
    ],
    "ex_09_5": [
        (ROUNDED_DOWN, "still a little wider"),
        (A_FRACTION, "Questions come whole"),
        (NOT_SQUARED, "Did you square at the end?"),
        (POINTS_AS_THEY_ARE, "Points are hundredths"),
        (ONE_SPREAD, "two times the spread"),
        (OF_A_SAMPLE, "Take pstdev"),
        (ONE_STUDY, "Take it from the values"),
    ],
}

RIGHT = {
    "ex_09_1": [
        """
def by_hand():
    found = {letter: [False, overlap] for letter, overlap in zip("BCDE", (4 / 5, 0, 2 / 3, 0.67))}
    found["A"] = [True, 1]
    return found
""",
    ],
    "ex_09_2": [
        """
def lenient(given, gold):
    words, wanted = normalise(given).split(), normalise(gold).split()
    if words == wanted:
        return True
    if not wanted or wanted in (["yes"], ["no"]):
        return False
    starts = range(len(words) - len(wanted) + 1)
    return any(words[start : start + len(wanted)] == wanted for start in starts)
""",
    ],
    "ex_09_3": [
        """
def interval(values, chance):
    means = []
    for _ in range(1000):
        drawn = [chance.choice(values) for _ in values]
        means.append(100 * sum(drawn) / len(drawn))
    means.sort()
    kept = means[25:-25]
    return kept[0], kept[-1]
""",
    ],
    "ex_09_4": [
        """
def paired(first, second):
    values = []
    if set(first) ^ set(second):
        raise ValueError("not the same questions")
    for question, score in first.items():
        values.append(score - second[question])
    return bootstrap(values, lowest=-1.0)
""",
    ],
    "ex_09_5": [
        """
def enough(values, points):
    n = 1
    while 2 * pstdev(values) / sqrt(n) > points / 100:
        n += 1
    return n
""",
    ],
}
