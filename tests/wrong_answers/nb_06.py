"""Plausible wrong answers to the exercises of lesson 06, each with words of the message meant for it."""

OUTCOMES = """
def outcomes(row):
    return {
        "A": ["hit", "miss", "first"],
        "B": ["no page", "disambiguation", "no page"],
        "C": ["hit", "first", "first", "first"],
        "D": ["redirect", "first", "next", "no more"],
        "E": ["hit", "first", "miss", "next"],
    }[row]
"""


def row(right, wrong):
    """Return the answer with one row exchanged."""
    assert OUTCOMES.count(right) == 1, right
    return OUTCOMES.replace(right, wrong)


ALL_ROWS = OUTCOMES.replace("[row]", "")
ALL_ROWS_SOME_WRONG = ALL_ROWS.replace('"miss"', '"hit"')

A, B, C = (
    '"A": ["hit", "miss", "first"]',
    '["no page", "disambiguation", "no page"]',
    '["hit", "first", "first", "first"]',
)
D, E = '["redirect", "first", "next", "no more"]', '["hit", "first", "miss", "next"]'

WAY = """
def way():
    return ["Search[Apollo 11]", "Lookup[orbit]", "Search[Michael Collins]"]
"""
GUESSES_THE_MAN = """
def way():
    return ["Search[Michael Collins]"]
"""
GUESSES_THE_TITLE = WAY.replace("Collins]", "Collins (astronaut)]")
NEVER_ASKS_WHO = WAY.replace('"Lookup[orbit]", ', "")
LOOKS_UP_WHAT_IS_SHOWN = WAY.replace('Collins]"', 'Collins]", "Lookup[born]"')
DETOUR = """
def way():
    return ["Search[Apollo 11]", "Lookup[orbit]", "Search[Collins]", "Search[Michael Collins]", "Lookup[Rome]"]
"""
NO_SEARCH = WAY.replace("Search[Michael Collins]", "Lookup[born]")
FINISHES = WAY.replace("Search[Michael Collins]", "Finish[Rome]")
A_TEXT = """
def way():
    return "Search[Apollo 11], Lookup[orbit], Search[Michael Collins]"
"""
IN_ROUND_BRACKETS = WAY.replace('["', '("').replace('"]', '")')
NO_WAY_BACK = WAY.replace("return ", "moves = ")
A_TITLE_ALONE = WAY.replace("Search[Michael Collins]", "Michael Collins")
GUESSES_WITH_UNDERSCORES = GUESSES_THE_MAN.replace(" Collins", "_Collins")

MENDED = """
def mended(text):
    found, begun = [], []
    for word in text.split():
        begun.append(word)
        if word.endswith(".") and word not in SHORT and not re.fullmatch(r"[A-Z]\\.", word):
            found.append(" ".join(begun))
            begun = []
    return found + ([" ".join(begun)] if begun else [])
"""
AS_THEIRS = """
def mended(text):
    return fragments(text)
"""
LOSES_DOTS = """
def mended(text):
    return [piece.strip() for piece in text.split(". ") if piece.strip()]
"""
NO_INITIALS = MENDED.replace(' and not re.fullmatch(r"[A-Z]\\\\.", word)', "").replace(
    ' and not re.fullmatch(r"[A-Z]\\.", word)', ""
)
NO_SHORT = MENDED.replace(" and word not in SHORT", "")
NO_REST = MENDED.replace(' + ([" ".join(begun)] if begun else [])', "")
DOT_FOR_THE_REST = MENDED.replace('[" ".join(begun)] if begun', '[" ".join(begun) + "."] if begun')
EMPTY_REST = (
    MENDED.replace('([" ".join(begun)] if begun else [])', '[" ".join(begun)]')
    .replace("found + [", "found + ([] if found and not begun else [")
    .replace('[" ".join(begun)]\n', '[" ".join(begun)])\n')
)
ANY_CAPITAL = MENDED.replace("re.fullmatch(", "re.search(").replace('[A-Z]\\.", word', '[A-Z]\\.$", word')
RETURNS_AT_ONCE = MENDED.replace('            found.append(" ".join(begun))', '            return [" ".join(begun)]')
REST_ANYWAY = MENDED.replace('([" ".join(begun)] if begun else [])', '[" ".join(begun)]')
BLANK_AT_THE_END = MENDED.replace('found.append(" ".join(begun))', 'found.append(" ".join(begun) + " ")')
BLANK_IN_FRONT = MENDED.replace('found.append(" ".join(begun))', 'found.append(" " + " ".join(begun))')
BLANK_BETWEEN = """
def mended(text):
    return re.split(r"(?<=[.])(?= )", text)
"""
ANY_TWO_CHARACTERS = MENDED.replace('not re.fullmatch(r"[A-Z]\\.", word)', "len(word) != 2")
ANY_LETTER = MENDED.replace("[A-Z]", "[A-Za-z]")
LISTS_OF_WORDS = MENDED.replace('" ".join(begun)', "begun")
ONE_SPACE = MENDED.replace("text.split()", 'text.split(" ")')

SIMILAR = """
def similar(asked, titles):
    wanted = asked.casefold()
    qualified = [title for title in titles if title.casefold().split(" (")[0] == wanted]
    words = set(wanted.split())
    holding = [title for title in titles if title not in qualified and words <= set(title.casefold().split())]
    return (qualified + holding)[:5]
"""
ONE_GROUP = """
def similar(asked, titles):
    words = set(asked.casefold().split())
    return [title for title in titles if words <= set(title.casefold().split())][:5]
"""
IN_ALPHABETICAL_ORDER = """
def similar(asked, titles):
    words = set(asked.casefold().split())
    return sorted(title for title in titles if words <= set(title.casefold().split()))[:5]
"""
QUALIFIED_ONLY = SIMILAR.replace("(qualified + holding)", "qualified")
HOLDING_FIRST = SIMILAR.replace("(qualified + holding)", "(holding + qualified)")
NO_QUALIFIED = SIMILAR.replace("(qualified + holding)", "holding")
ANY_WORD = SIMILAR.replace("words <= set(title.casefold().split())", "words & set(title.casefold().split())")
CASE_MATTERS = SIMILAR.replace(".casefold()", "")
BY_ITS_BEGINNING = SIMILAR.replace("words <= set(title.casefold().split())", "title.casefold().startswith(wanted)")
BY_LETTERS = SIMILAR.replace("words <= set(title.casefold().split())", "all(w in title.casefold() for w in words)")
TWICE = SIMILAR.replace(
    "title not in qualified and words <= set(title.casefold().split())",
    ('words <= set(title.casefold().replace("(", "").replace(")", "").split())'),
)
ALL_OF_THEM = SIMILAR.replace("[:5]", "")
THE_LAST_FIVE = SIMILAR.replace("[:5]", "[-5:]")
NONE_FOR_NOTHING = SIMILAR.replace("[:5]", "[:5] or None")
A_TUPLE = SIMILAR.replace("return (qualified + holding)[:5]", "return tuple(qualified + holding)[:5]")
FIVE_ANYWAY = SIMILAR.replace("[:5]", "[:5] or titles[:5]")

COLLECTION = """
def collection(folder, file):
    text = "It is old. It is wet. It is loud. It is tall. It is grey. It is a museum."
    (folder / "Lode_Mill.txt").write_text(text, encoding="utf-8")
    (folder / "Anna_Reed.txt").write_text("Anna Reed mended the Lode Mill.", encoding="utf-8")
    return freeze([folder], to=file, source="made up", licence="CC0", date="2026-01-01")
"""
NO_RETURN = COLLECTION.replace("return freeze", "freeze")
ANOTHER_NAME = COLLECTION.replace("Lode_Mill.txt", "Mill.txt")
TOO_EARLY = COLLECTION.replace("It is old. It is wet. ", "")
ONE_FILE = COLLECTION.replace('"Anna_Reed.txt").write_text("Anna Reed', '"More.txt").write_text("Anna Reed')
NO_MUSEUM = COLLECTION.replace("a museum", "a mill")
NO_LICENCE = COLLECTION.replace('licence="CC0", ', "")
AMERICAN = COLLECTION.replace("licence=", "license=")
ANOTHER_ARGUMENT = COLLECTION.replace("to=file", "into=file")
ONE_EMPTY = COLLECTION.replace("Anna Reed mended the Lode Mill.", " ")
ALL_EMPTY = ONE_EMPTY.replace("write_text(text", 'write_text(""')
NO_SOURCE = COLLECTION.replace('source="made up", ', "")

WRONG = {
    "ex_06_1": [
        (row(A, '"A": ["hit", "miss", "no page"]'), "A miss closes nothing: Apple Remote is still open"),
        (row(A, '"A": ["hit", "miss", "absent"]'), "opens none of the titles it offers"),
        (row(A, '"A": ["hit", "hit", "first"]'), "so the second Search is no hit"),
        (ALL_ROWS, "the list of one row: [row] is missing"),
        (ALL_ROWS_SOME_WRONG, "the list of one row: [row] is missing"),
        (row(B, '["no page", "disambiguation", "first"]'), "lists titles and opens none"),
        (row(B, '["no page", "disambiguation", "absent"]'), "lists titles and opens none"),
        (row(B, '["absent", "disambiguation", "absent"]'), "so no page can lack the word"),
        (row(B, '["no page", "miss", "no page"]'), "Pages of this name do exist"),
        (row(B, '["no page", "hit", "first"]'), "Which page would it open?"),
        (row(C, '["hit", "first", "first", "next"]'), "one memory, not one for each word"),
        (row(C, '["hit", "first", "next", "next"]'), "start at their own first place"),
        (row(D, '["redirect", "first", "first", "first"]'), "Capitals do not matter"),
        (row(D, '["redirect", "first", "absent", "next"]'), "Capitals do not matter"),
        (row(D, '["redirect", "first", "next", "first"]'), "it does not begin again"),
        (row(D, '["hit", "first", "next", "no more"]'), "not the page's own title"),
        (row(D, '["miss", "no page", "no page", "no page"]'), "another name of the page: it opens"),
        (row(E, '["hit", "first", "miss", "first"]'), "the Lookup goes on"),
        (row(E, '["hit", "first", "miss", "no page"]'), "Warsaw is still open"),
        (row(E, '["hit", "first", "hit", "first"]'), "It brings similar titles"),
    ],
    "ex_06_2": [
        (GUESSES_THE_MAN, "you knew him already"),
        (GUESSES_THE_TITLE, "A redirect will do"),
        (NEVER_ASKS_WHO, "Which of them stayed in orbit?"),
        (LOOKS_UP_WHAT_IS_SHOWN, "One move too many"),
        (DETOUR, "Leave out what brings nothing"),
        (NO_SEARCH, "write down after each move which page is open"),
        (FINISHES, "Finish does not look anything up"),
        (A_TEXT, "Return a list"),
        (IN_ROUND_BRACKETS, "Return a list"),
        (NO_WAY_BACK, "is a return missing?"),
        (A_TITLE_ALONE, "no move such as Search[…]: 'Michael Collins'"),
        (GUESSES_WITH_UNDERSCORES, "you knew him already"),
    ],
    "ex_06_3": [
        (AS_THEIRS, "a dot came in"),
        (LOSES_DOTS, "dots are lost"),
        (NO_INITIALS, "is an initial, so the sentence goes on"),
        (NO_SHORT, "A word in SHORT ends no sentence"),
        (NO_REST, "is part of the text, too"),
        (DOT_FOR_THE_REST, "a dot came in"),
        (EMPTY_REST, "An empty text has no sentences"),
        (ANY_CAPITAL, "but it is no initial"),
        (RETURNS_AT_ONCE, "does a return stand inside the loop?"),
        (REST_ANYWAY, "only if words are left"),
        (BLANK_AT_THE_END, "a blank too many"),
        (BLANK_IN_FRONT, "a blank too many"),
        (BLANK_BETWEEN, "a blank too many"),
        (ANY_TWO_CHARACTERS, "5. is no capital letter"),
        (ANY_LETTER, "a. is a letter, but no capital"),
        (LISTS_OF_WORDS, "Join the words of each sentence"),
        (ONE_SPACE, "stands one space"),
    ],
    "ex_06_4": [
        (ONE_GROUP, "Those with a qualifier come first"),
        (IN_ALPHABETICAL_ORDER, "the order of the list"),
        (QUALIFIED_ONLY, "The second group is missing"),
        (NO_QUALIFIED, "These come first"),
        (HOLDING_FIRST, "Those with a qualifier come first"),
        (ANY_WORD, "holds only one of the two words"),
        (CASE_MATTERS, "Case must not matter"),
        (BY_ITS_BEGINNING, "Compare words, not the beginning"),
        (BY_LETTERS, "Rowing holds these letters"),
        (TWICE, "offer it once"),
        (ALL_OF_THEM, "cut the list in the end"),
        (THE_LAST_FIVE, "the first ones"),
        (NONE_FOR_NOTHING, "an empty list"),
        (A_TUPLE, "Return a list"),
        (FIVE_ANYWAY, "would send a model astray"),
    ],
    "ex_06_5": [
        (NO_RETURN, "return freeze"),
        (ANOTHER_NAME, "The file's name is the title"),
        (TOO_EARLY, "It has to stand behind them"),
        (ONE_FILE, "a file of her own"),
        (NO_MUSEUM, "has to hold the word museum"),
        (AMERICAN, "with a c at the end"),
        (ANOTHER_ARGUMENT, "freeze wants [folder], to="),
        (ONE_EMPTY, "A file without text is no page"),
        (ALL_EMPTY, "a text in each file"),
        (NO_LICENCE, "nobody knows what may be done"),
        (NO_SOURCE, "Hand source, licence and date"),
    ],
}

RIGHT = {
    "ex_06_1": [
        """
def outcomes(row):
    told = {
        "A": "hit,miss,first",
        "B": "no page,disambiguation,no page",
        "C": "hit,first,first,first",
        "D": "redirect,first,next,no more",
        "E": "hit,first,miss,next",
    }
    return told[row].split(",")
""",
    ],
    "ex_06_2": [
        """
def way():
    moves = ["Search[apollo 11]"]
    moves.append("Lookup[Collins stayed]")
    moves.append("search[michael collins]")
    return moves
""",
        WAY.replace("Michael Collins", "Michael_Collins"),
        WAY.replace("Apollo 11", "Apollo  11").replace("Michael Collins", " Michael  Collins "),
    ],
    "ex_06_3": [
        """
def mended(text):
    pieces = [""]
    for word in text.split():
        pieces[-1] = (pieces[-1] + " " + word).strip()
        initial = len(word) == 2 and word[0].isupper()
        if word[-1] == "." and not initial and word not in SHORT:
            pieces.append("")
    return [piece for piece in pieces if piece]
""",
        """
def mended(text):
    text = " ".join(text.split())
    words = [m for m in re.finditer(r"(\\S+\\.)(?= |$)", text) if m[1] not in SHORT]
    ends = [m.end() for m in words if not re.match(r"[A-Z]\\.$", m[1])]
    pieces = [text[a:b].strip() for a, b in zip([0, *ends], [*ends, len(text)])]
    return [piece for piece in pieces if piece]
""",
    ],
    "ex_06_4": [
        """
def similar(asked, titles):
    first, second = [], []
    for title in titles:
        words = title.lower().split()
        if re.fullmatch(re.escape(asked) + r" \\(.*\\)", title, re.IGNORECASE):
            first.append(title)
        elif all(word in words for word in asked.lower().split()):
            second.append(title)
    first.extend(second)
    return first[:5]
""",
    ],
    "ex_06_5": [
        """
def collection(folder, file):
    pages = {"Lode Mill": "Wet. Old. Grey. Tall. Loud. In our time it serves as a museum.", "Anna Reed": "A miller."}
    for title, text in pages.items():
        with open(folder / (title + ".txt"), "w", encoding="utf-8") as page:
            page.write(text)
    frozen = freeze([str(folder)], str(file), date="2026-01-01", licence="CC0", source="made up")
    return frozen
""",
    ],
}
