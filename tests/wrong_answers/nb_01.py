"""Wrong answers to the exercises of lesson 01, with the words that each is told; and right ones in another style."""

WRONG = {
    "ex_01_1": [
        (
            'def kept(label):\n    return label in ("Question", "Thought", "Answer")\n',
            "Thinking before the answer is chain of thought",
        ),
        (
            'def kept(label):\n    return label in ("Question", "Answer") or label.startswith("Action")\n',
            "Finish[…] carries the answer too",
        ),
        ('def kept(label):\n    return label == "Answer"\n', "nothing to answer"),
        (
            'def kept(label):\n    return not label.startswith(("Thought", "Action"))\n',
            "nothing is observed",
        ),
    ],
    "ex_01_2": [
        (
            "def yes_or_ipod(context, stop=()):\n"
            '    return " yes" if context.startswith("Question: Is ") else " iPod"\n',
            "that one is an exemplar",
        ),
        (
            "def yes_or_ipod(context, stop=()):\n"
            '    return " yes" if "Is " in context.split("Question: ")[-1] else " iPod"\n',
            "Look at the beginning only",
        ),
        (
            "def yes_or_ipod(context, stop=()):\n"
            '    return "yes" if context.split("Question: ")[-1].startswith("Is ") else "iPod"\n',
            "begins with Is",
        ),
    ],
    "ex_01_3": [
        (
            "def right(given, gold):\n    return given.lower() == gold.lower()\n",
            "the article and the full stop must go",
        ),
        ("def right(given, gold):\n    return normalise(given) in normalise(gold)\n", "Compare with ==, not with in"),
        ("def right(given, gold):\n    return normalise(given) == gold\n", "Normalise that side, too"),
        ("def right(given, gold):\n    return normalise(gold) in normalise(given)\n", "the text says the opposite"),
    ],
    "ex_01_4": [
        (
            "def prompt(pairs, question):\n"
            '    blocks = [f"Question: {asked}\\nAnswer: {answer}" for asked, answer in pairs]\n'
            '    return "\\n".join([*blocks, f"Question: {question}\\nAnswer:"])\n',
            "Between two blocks stands a blank line",
        ),
        (
            "def prompt(pairs, question):\n"
            '    blocks = [f"Question: {asked}\\nAnswer: {answer}" for asked, answer in [*pairs, (question, "")]]\n'
            '    return "\\n\\n".join(blocks)\n',
            "ends with a space",
        ),
        (
            "def prompt(pairs, question):\n"
            '    blocks = [f"Question: {asked}\\nAnswer: {answer}" for asked, answer in pairs]\n'
            '    return "\\n\\n".join([*blocks, f"Question: {question}"])\n',
            "end with Answer:",
        ),
        (
            "def prompt(pairs, question):\n"
            '    shown = "\\n\\n".join(f"Question: {asked}\\nAnswer: {answer}" for asked, answer in pairs)\n'
            '    return f"{shown}\\n\\nQuestion: {question}\\nAnswer:"\n',
            "nothing to set apart",
        ),
    ],
}

RIGHT = {
    "ex_01_1": ['def kept(label):\n    return label.lower() in ["question", "answer"]\n'],
    "ex_01_2": [
        """
def yes_or_ipod(context, stop=()):
    question = [line for line in context.splitlines() if line.startswith("Question:")][-1]
    if question.split()[1] == "Is":
        return " yes"
    return " iPod"
"""
    ],
    "ex_01_3": [
        """
def right(given, gold):
    cleaned = [normalise(text) for text in (given, gold)]
    return cleaned[0] == cleaned[1]
"""
    ],
    "ex_01_4": [
        """
def prompt(pairs, question):
    text = ""
    for asked, answer in pairs:
        text += "Question: " + asked + "\\nAnswer: " + answer + "\\n\\n"
    return text + "Question: " + question + "\\nAnswer:"
"""
    ],
}
