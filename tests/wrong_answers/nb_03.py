"""Answers to the exercises of lesson 03: wrong ones, each with a piece of its message, and other right ones."""

WRONG = {
    "ex_03_1": [
        (
            """def open_page(row):
    return {"A": "Front Row", "B": "Front Row (software)", "C": None, "D": "Warsaw", "E": "iPod"}[row]
""",
            "so the Search is a miss: it opens nothing",
        ),
        (
            """def open_page(row):
    return {"A": "Front Row (software)", "B": "Front Row (software)", "C": None, "D": "Warsaw", "E": "iPod"}[row]
""",
            "A miss offers similar titles, and opens none of them",
        ),
        (
            """def open_page(row):
    return {"B": "Front Row (software)", "D": "Warsaw", "E": "iPod"}.get(row)
""",
            "A miss closes nothing either",
        ),
        (
            """def open_page(row):
    return {"A": "Apple Remote", "B": "Front Row (software)", "C": "Mercury", "D": "Warsaw", "E": "iPod"}[row]
""",
            "A disambiguation lists titles and opens none",
        ),
        (
            """def open_page(row):
    return {"A": "Apple Remote", "B": "Front Row (software)", "C": None, "D": None, "E": "iPod"}[row]
""",
            "It does not close the old page either",
        ),
        (
            """def open_page(row):
    return {"A": "Apple Remote", "B": "Front Row (software)", "C": None, "D": "Vistula", "E": "iPod"}[row]
""",
            "Lookup reads the open page. It never opens another",
        ),
        (
            """def open_page(row):
    return {"A": "Apple Remote", "B": "Front Row (software)", "C": None, "D": "Warsaw", "E": "iPod touch"}[row]
""",
            "it is not the page's own title",
        ),
    ],
    "ex_03_2": [
        (
            """def plan(n):
    return ["Search[Apple Remote]", "Lookup[plastic]"]
""",
            "Each Lookup of the same word moves on by one",
        ),
        (
            """def plan(n):
    return ["Search[Apple Remote]", "Lookup[plastic]"] + ["Lookup[plastic]"] * n
""",
            "That is one too far",
        ),
        (
            """def plan(n):
    return ["Search[Apple Remote]", "Lookup[plastic]"] * n
""",
            "if no Search comes in between",
        ),
        (
            """def plan(n):
    return ["Search[Apple Remote]"] + ["Lookup[plastic]", "Lookup[plastic model]", "Lookup[shuffle]"][:n]
""",
            "Only the moves Search[Apple Remote] and Lookup[plastic] may occur",
        ),
        (
            """def plan(n):
    return ["Search[Apple Remote]"] + ["Lookup[plastic]"] * min(n, 3)
""",
            "Stopping at the third hides that there is no fourth",
        ),
    ],
    "ex_03_3": [
        (
            """def find_next(sentences, words, shown):
    found = [sentence for sentence in sentences if words.casefold() in sentence.casefold()]
    return f"(Result {shown + 1} / {len(found)}) {found[shown]}", shown
""",
            "The number came back unchanged",
        ),
        (
            """def find_next(sentences, words, shown):
    found = [sentence for sentence in sentences if words in sentence]
    if shown == len(found):
        return f'No more results for "{words}".', shown
    return f"(Result {shown + 1} / {len(found)}) {found[shown]}", shown + 1
""",
            "compare without regard to capitals",
        ),
        (
            """def find_next(sentences, words, shown):
    found = [sentence for sentence in sentences if words.casefold() in sentence.casefold()]
    return f"(Result {shown + 1} / {len(found)}) {found[shown]}", shown + 1
""",
            "IndexError",
        ),
        (
            """def find_next(sentences, words, shown):
    found = [sentence for sentence in sentences if words.casefold() in sentence.casefold()]
    shown = shown % len(found)
    return f"(Result {shown + 1} / {len(found)}) {found[shown]}", shown + 1
""",
            "It began again at the top",
        ),
        (
            """def find_next(sentences, words, shown):
    found = [sentence for sentence in sentences if words.casefold() in sentence.casefold()]
    if shown < len(found):
        return f"(Result {shown + 1} / {len(found)}) {found[shown]}", shown + 1
    return f'No more results for "{words}".', shown + 1
""",
            "Nothing was shown this time, so the number must not grow",
        ),
        (
            """def find_next(sentences, words, shown):
    found = [sentence for sentence in sentences if words.casefold() in sentence.casefold()]
    if shown == len(found):
        return [f'No more results for "{words}".', shown]
    return [f"(Result {shown + 1} / {len(found)}) {found[shown]}", shown + 1]
""",
            "as a list. Return a pair",
        ),
    ],
    "ex_03_4": [
        (
            """def lookups(sentences, asked):
    observations = []
    for words in asked:
        found = [sentence for sentence in sentences if words.casefold() in sentence.casefold()]
        observations.append(f"(Result 1 / {len(found)}) {found[0]}")
    return observations
""",
            "The second Lookup gave the first result again",
        ),
        (
            """def lookups(sentences, asked):
    observations, last, shown = [], None, 0
    for words in asked:
        found = [sentence for sentence in sentences if words.casefold() in sentence.casefold()]
        shown = shown if words == last and shown < len(found) else 0
        observations.append(f"(Result {shown + 1} / {len(found)}) {found[shown]}")
        last, shown = words, shown + 1
    return observations
""",
            "It began again at the top",
        ),
        (
            """def lookups(sentences, asked):
    observations, shown = [], {}
    for words in asked:
        found = [sentence for sentence in sentences if words.casefold() in sentence.casefold()]
        place = shown.get(words, 0)
        if place < len(found):
            observations.append(f"(Result {place + 1} / {len(found)}) {found[place]}")
            shown[words] = place + 1
        else:
            observations.append(f'No more results for "{words}".')
    return observations
""",
            "There is one memory, not one for each word",
        ),
        (
            """def lookups(sentences, asked):
    observations, shown = [], 0
    for words in asked:
        found = [sentence for sentence in sentences if words.casefold() in sentence.casefold()]
        if shown < len(found):
            observations.append(f"(Result {shown + 1} / {len(found)}) {found[shown]}")
            shown += 1
        else:
            observations.append(f'No more results for "{words}".')
    return observations
""",
            "The number shown was not set back",
        ),
    ],
}

RIGHT = {
    "ex_03_1": [
        """def open_page(row):
    opened = None
    for move in ROWS[row]:
        page = Shelf(shipped_pages()).page(move.removeprefix("Search[")[:-1]) if move.startswith("Search[") else None
        if page and not page.may_mean:
            opened = page.title
    return opened
""",
    ],
    "ex_03_2": [
        'plan = lambda n: ["search[Apple Remote]"] + ["Lookup[Plastic]"] * n',
        """def plan(n):
    moves = ["Search[Apple Remote]"]
    for _ in range(n):
        moves.append("Lookup[plastic]")
    return moves
""",
    ],
    "ex_03_3": [
        """def find_next(sentences, words, shown):
    found = list(filter(lambda sentence: words.lower() in sentence.lower(), sentences))
    if found[shown:]:
        shown += 1
        return f"(Result {shown} / {len(found)}) {found[shown - 1]}", shown
    return f'No more results for "{words}".', shown
""",
    ],
    "ex_03_4": [
        """def lookups(sentences, asked):
    observations = []
    for place, words in enumerate(asked):
        before = 0
        while before < place and asked[place - before - 1] == words:
            before += 1
        found = [sentence for sentence in sentences if words.lower() in sentence.lower()]
        if before < len(found):
            observations.append(f"(Result {before + 1} / {len(found)}) {found[before]}")
        else:
            observations.append(f'No more results for "{words}".')
    return observations
""",
    ],
}
