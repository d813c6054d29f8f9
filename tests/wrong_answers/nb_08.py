"""Plausible wrong answers to the exercises of lesson 08, each with words of the message meant for it."""

DECISIONS = """
def decisions():
    return {"A": (11, "CoT-SC"), "B": (10, "ReAct"), "C": (2, "CoT-SC"), "D": (1, "ReAct"), "E": (2, "CoT-SC")}
"""
OF_THE_VOTES = DECISIONS.replace('(10, "ReAct")', '(10, "CoT-SC")')
STRICTLY_HALF = DECISIONS.replace('"C": (2, "CoT-SC")', '"C": (2, "ReAct")')
NO_WINNER = DECISIONS.replace('(1, "ReAct")', '(0, "ReAct")')
TIED_TOGETHER = DECISIONS.replace('"C": (2,', '"C": (4,')
SPELLINGS = DECISIONS.replace('"E": (2, "CoT-SC")', '"E": (1, "ReAct")')
HALF_OF_FOUR = DECISIONS.replace('"E": (2, "CoT-SC")', '"E": (2, "ReAct")')
LEFT_OUT = DECISIONS.replace(', "E": (2, "CoT-SC")', "")
ANSWERS_ALONE = DECISIONS.replace('(11, "CoT-SC")', '"CoT-SC"')

TALLY = """
def tally(answers):
    given = {}
    for answer in answers:
        if answer is not None:
            given.setdefault(ballot(answer), []).append(answer)
    most = max(given.values(), key=len, default=[])
    return (most[0] if most else None), len(most), len(answers)
"""
AS_WRITTEN = TALLY.replace("ballot(answer)", "answer")
THE_BALLOT = TALLY.replace("most[0]", "ballot(most[0])")
LAST_SPELLING = TALLY.replace("most[0]", "most[-1]")
ONLY_VOTES = TALLY.replace("len(answers)", "sum(map(len, given.values()))")
TWO_THINGS = TALLY.replace(", len(answers)\n", "\n")
NONE_VOTES = TALLY.replace("if answer is not None:", "if True:").replace("ballot(answer)", "ballot(answer or '')")
LAST_OF_EQUALS = TALLY.replace("max(given.values(), key=len", "max([*given.values()][::-1], key=len")
NOBODY = TALLY.replace(", default=[]", "")

SETTLE = """
def settle(answers, act):
    given = [answer for answer in answers if answer is not None]
    winner = max(given, key=given.count, default=None)
    return winner if given.count(winner) >= len(answers) / 2 else act()
"""
EAGER = """
def settle(answers, act):
    page = act()
    given = [answer for answer in answers if answer is not None]
    winner = max(given, key=given.count)
    return winner if given.count(winner) > len(given) / 2 else page
"""
MORE_THAN_HALF = SETTLE.replace(">=", ">")
HALF_OF_THE_VOTES = SETTLE.replace("len(answers) / 2", "len(given) / 2")
NOTHING_GIVEN = SETTLE.replace(", default=None", "")
NONE_AGREES = SETTLE.replace("given.count(winner) >=", "answers.count(winner) >=")
ASKED_TWICE = SETTLE.replace("else act()", "else act() and act()")
BACK_TO_THE_VOTE = SETTLE.replace("else act()", "else act() or winner")
NEVER_ACTS = SETTLE.replace("else act()", "else None")

SHARE = """
def share_right(answers, gold, size):
    chosen = list(combinations(answers, size))
    return sum(plain(few)[0] == gold for few in chosen) / len(chosen)
"""
ONE_VOTE = """
def share_right(answers, gold, size):
    return float(plain(answers)[0] == gold)
"""
THE_FIRST_ONES = ONE_VOTE.replace("plain(answers)", "plain(answers[:size])")
OF_THE_SAMPLES = """
def share_right(answers, gold, size):
    return answers.count(gold) / len(answers)
"""
ANY_IS_RIGHT = SHARE.replace("plain(few)[0] == gold", "gold in few")
NOT_DIVIDED = SHARE.replace(" / len(chosen)", "")
USED_UP = SHARE.replace("list(combinations(answers, size))", "combinations(answers, size)").replace(
    "len(chosen)", "len(list(chosen))"
)
THE_PAIR = SHARE.replace("plain(few)[0]", "plain(few)")

CALLS = """
def calls(tasks):
    first = sum(steps + (0 if answered else samples) for steps, answered, votes, samples in tasks)
    second = sum(samples + (steps if votes < samples / 2 else 0) for steps, answered, votes, samples in tasks)
    return first, second
"""
BOTH_ALWAYS = CALLS.replace("(0 if answered else samples)", "samples").replace(
    "(steps if votes < samples / 2 else 0)", "steps"
)
TURNED_ROUND = CALLS.replace("return first, second", "return second, first")
VOTE_INSTEAD = CALLS.replace("steps + (0 if answered else samples)", "(steps if answered else samples)")
ACT_INSTEAD = CALLS.replace("samples + (steps if votes < samples / 2 else 0)", "(steps if votes < samples / 2 else 21)")
AT_HALF_TOO = CALLS.replace("votes < samples / 2", "votes <= samples / 2")
THE_LAST_ONE = """
def calls(tasks):
    for steps, answered, votes, samples in tasks:
        first = steps if answered else steps + samples
        second = samples + steps if votes < samples / 2 else samples
    return first, second
"""

WRONG = {
    "ex_08_1": [
        (OF_THE_VOTES, "n is 21"),
        (STRICTLY_HALF, "exactly half of 4"),
        (NO_WINNER, "One of them still wins"),
        (TIED_TOGETHER, "One of them wins, with two"),
        (SPELLINGS, "are one ballot"),
        (HALF_OF_FOUR, "exactly half: not less"),
        (LEFT_OUT, "nothing is written for poll E"),
        (ANSWERS_ALONE, "11 of 21 is more than half"),
    ],
    "ex_08_2": [
        (AS_WRITTEN, "Count by ballot(answer)"),
        (THE_BALLOT, "as it was spelled first"),
        (LAST_SPELLING, "That is the last spelling"),
        (ONLY_VOTES, "return len(answers)"),
        (TWO_THINGS, "Return three things"),
        (NONE_VOTES, "has no vote"),
        (LAST_OF_EQUALS, "the ballot that came first wins"),
        (NOBODY, "Nobody has a vote"),
    ],
    "ex_08_3": [
        (EAGER, "Decide first"),
        (MORE_THAN_HALF, "this is not less"),
        (HALF_OF_THE_VOTES, "count in n"),
        (NOTHING_GIVEN, "none agree: ReAct is asked"),
        (NONE_AGREES, "None has no vote"),
        (ASKED_TWICE, "ReAct was run twice"),
        (BACK_TO_THE_VOTE, "ReAct has the last word"),
        (NEVER_ACTS, "ReAct was not run"),
    ],
    "ex_08_4": [
        (ONE_VOTE, "Take all choices"),
        (THE_FIRST_ONES, "Take all choices"),
        (OF_THE_SAMPLES, "Let each choice vote"),
        (ANY_IS_RIGHT, "need not be won by Paris"),
        (NOT_DIVIDED, "Divide by the number of choices"),
        (USED_UP, "ZeroDivisionError"),
        (THE_PAIR, "compare its first part"),
    ],
    "ex_08_5": [
        (BOTH_ALWAYS, "only where it is needed"),
        (TURNED_ROUND, "turned round"),
        (VOTE_INSTEAD, "The 7 calls of ReAct were made"),
        (ACT_INSTEAD, "had to be drawn"),
        (AT_HALF_TOO, "does not switch"),
        (THE_LAST_ONE, "Add up all of them"),
    ],
}

RIGHT = {
    "ex_08_1": [
        """
def decisions():
    votes = {"A": (11, 21), "B": (10, 21), "C": (2, 4), "D": (1, 3), "E": (2, 4)}
    return {poll: (most, "ReAct" if 2 * most < size else "CoT-SC") for poll, (most, size) in votes.items()}
""",
    ],
    "ex_08_2": [
        """
def tally(answers):
    ballots = [ballot(answer) for answer in answers if answer is not None]
    if not ballots:
        return None, 0, len(answers)
    won = max(ballots, key=ballots.count)
    spelled = next(answer for answer in answers if answer is not None and ballot(answer) == won)
    return spelled, ballots.count(won), len(answers)
""",
    ],
    "ex_08_3": [
        """
def settle(answers, act):
    counts = {}
    for answer in answers:
        if answer is not None:
            counts[answer] = counts.get(answer, 0) + 1
    most = max(counts.values(), default=0)
    if 2 * most < len(answers):
        return act()
    return next(answer for answer in counts if counts[answer] == most)
""",
    ],
    "ex_08_4": [
        """
def share_right(answers, gold, size):
    hits = total = 0
    for few in combinations(answers, size):
        winner, _ = plain(few)
        hits += winner == gold
        total += 1
    return hits / total
""",
    ],
    "ex_08_5": [
        """
def calls(tasks):
    acted = sum(row[0] for row in tasks) + sum(row[3] for row in tasks if not row[1])
    voted = sum(row[3] for row in tasks) + sum(row[0] for row in tasks if 2 * row[2] < row[3])
    return acted, voted
""",
    ],
}
