"""Wrong answers to the exercises of lesson 00, with the words that each is told; and right ones in another style."""

WRONG = {
    "ex_00_1": [
        (
            'def who_wrote(label):\n    return "person" if label == "Question" else "model"\n',
            "The model asked for the page, and the environment answered",
        ),
        (
            "def who_wrote(label):\n"
            '    word = label.split()[0]\n    authors = {"Question": "person", "Observation": "harness"}\n'
            '    return authors.get(word, "model")\n',
            "The words come from the encyclopedia",
        ),
        (
            "def who_wrote(label):\n"
            '    return "model" if label.split()[0] in ("Question", "Thought", "Action") else "environment"\n',
            "A person asked it",
        ),
        (
            "def who_wrote(label):\n"
            '    return {"Q": "person", "T": "model", "A": "model"}.get(label[0], "environment")\n',
            "The limit on steps is kept by the harness",
        ),
        (
            "def who_wrote(label):\n"
            '    words = ("Question", "Observation", "Harness")\n'
            '    authors = dict(zip(words, ("Person", "Environment", "Harness")))\n'
            '    return authors.get(label.split()[0], "Model")\n',
            "Right, but in lower case",
        ),
    ],
    "ex_00_2": [
        ('def moves():\n    return ["Search[Apple Remote]", "Lookup[successor]"]\n', "None of your moves is a Finish"),
        ('def moves():\n    return ["Finish[Siri Remote]"]\n', "you knew it, or guessed it"),
        (
            'def moves():\n    return ["Search[Siri Remote 9]", "Finish[the Siri Remote]"]\n',
            "a list of similar titles does not count",
        ),
        (
            'def moves():\n    return ["Search[Front Row (software)]", "Finish[keyboard function keys]"]\n',
            "Read the new one again",
        ),
        ('def moves():\n    ["Search[Siri Remote]", "Finish[Siri Remote]"]\n', "NoneType"),
    ],
    "ex_00_3": [
        ("def open_page(trajectory):\n    return open_page_faulty(trajectory)\n", "A miss opens nothing"),
        (
            "def open_page(trajectory):\n"
            '    missed = any("Could not find" in line.text for line in trajectory)\n'
            "    return None if missed else open_page_faulty(trajectory)\n",
            "A miss does not close the page",
        ),
        (
            "def open_page(trajectory):\n"
            '    first = trajectory.keep("action").lines[0].text\n    return first[len("Search[") : -1]\n',
            "a later search may succeed",
        ),
        (
            """
def open_page(trajectory):
    page = None
    for action, observation in zip(trajectory.keep("action"), trajectory.keep("observation")):
        if action.text.startswith("Search[") and not observation.text.startswith("Could not find"):
            page = action.text[len("Search[") : -1]
    return page
""",
            "a list opens no page",
        ),
    ],
    "ex_00_4": [
        (
            "def grounded(run):\n    return any(run.answer in line.text for line in run.trajectory)\n",
            "in the model's own line only",
        ),
        (
            "def grounded(run):\n"
            '    return any(run.answer in line.text for line in run.trajectory.keep("observation"))\n',
            "Compare in lower case",
        ),
        (
            'def grounded(run):\n    return run.answer in run.trajectory.keep("observation").lines[0].text\n',
            "Look at all observations",
        ),
        (
            'def grounded(run):\n    return run.answer.lower() == "keyboard function keys"\n',
            "Grounded is not the same as right",
        ),
        (
            'def grounded(run):\n    return run.answer.lower() in ("keyboard function keys", "imac g5")\n',
            "Right is not the same as grounded",
        ),
        (
            "def grounded(run):\n"
            '    read = str(run.trajectory.keep("observation")).lower()\n    return run.answer.lower() in read\n',
            "run.answer is None. Ask for that first",
        ),
    ],
}

RIGHT = {
    "ex_00_1": [
        """
def who_wrote(label):
    if label.startswith("Observation"):
        return "environment"
    if label == "Harness":
        return "harness"
    return "person" if label == "Question" else "model"
"""
    ],
    "ex_00_2": [
        'def moves():\n    return ("search[siri remote]", "It replaced the other.", "Finish[the Siri Remote]")\n',
        'def moves():\n    return ["search[Apple Remote]", "lookup[successor]", "finish[Siri Remote]"]\n',
    ],
    "ex_00_3": [
        """
def open_page(trajectory):
    opened, asked = [None], None
    for line in trajectory:
        if line.role == "action":
            asked = line.text.removeprefix("Search[")[:-1] if line.text.startswith("Search[") else None
        elif line.role == "observation" and asked and "stays open" not in line.text:
            nothing = line.text.startswith("Could not find") or " may mean: " in line.text
            opened.append(opened[-1] if nothing else asked)
    return opened[-1]
"""
    ],
    "ex_00_4": [
        """
def grounded(run):
    read = " ".join(line.text for line in run.trajectory.by("environment"))
    return bool(run.answer) and run.answer.lower() in read.lower()
"""
    ],
}
