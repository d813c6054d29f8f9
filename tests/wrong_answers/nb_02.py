"""Wrong answers to the exercises of lesson 02, with the words that each is told; and right ones in another style."""

WRONG = {
    "ex_02_1": [
        ("def first_false(chain):\n    return 4\n", "it follows from the sentence before it"),
        (
            'def first_false(chain):\n    return {"tower": 3, "river": 3, "bridge": None}[chain]\n',
            "It is the wrong river",
        ),
        (
            'def first_false(chain):\n    return {"tower": 3, "river": 2, "bridge": 4}[chain]\n',
            "A chain of thought may be sound",
        ),
    ],
    "ex_02_2": [
        (
            'def cot_text(exemplar):\n    return str(exemplar.keep("question", "thought", "answer"))\n',
            "Those thoughts have numbers",
        ),
        ("def cot_text(exemplar):\n    return standard_text(exemplar)\n", "This is still Standard"),
        (
            'def cot_text(exemplar):\n    return exemplar.keep("question", "rationale", "answer")\n',
            "Turn the trajectory into text",
        ),
        ('def cot_text(exemplar):\n    return str(exemplar.keep("question", "rationale"))\n', "keep the answer"),
    ],
    "ex_02_3": [
        ("def answer_in(reply):\n    return answer_faulty(reply)\n", "A reply can end before its answer"),
        (
            "def answer_in(reply):\n"
            '    lines = [line for line in reply.splitlines() if line.startswith("Answer:")]\n'
            '    return lines[-1].removeprefix("Answer:").strip() if lines else None\n',
            "Take the first answer line",
        ),
        (
            'def answer_in(reply):\n    return reply.split("Answer:", 1)[1].strip() if "Answer:" in reply else None\n',
            "Take one line",
        ),
        (
            "def answer_in(reply):\n"
            "    for line in reply.splitlines():\n"
            '        if "Answer:" in line:\n            return line.split("Answer:")[1].strip()\n',
            "Only a line that begins with it counts",
        ),
    ],
    "ex_02_4": [
        (
            "def first_unsupported(premises):\n"
            "    for place, (title, words) in enumerate(premises):\n"
            '        page = " ".join(sentences_of(title)).casefold()\n'
            "        if not all(word.casefold() in page for word in words):\n"
            "            return place\n",
            "One sentence must have them all",
        ),
        (
            "def first_unsupported(premises):\n"
            "    for place, (title, words) in enumerate(premises, start=1):\n"
            "        if not any(all(word in sentence for word in words) for sentence in sentences_of(title)):\n"
            "            return place\n",
            "Count from 0",
        ),
        (
            "def first_unsupported(premises):\n"
            "    for place, (title, words) in enumerate(premises):\n"
            "        if not any(all(word in sentence for word in words) for sentence in sentences_of(title)):\n"
            "            return place\n",
            "the page writes iPod touch",
        ),
        (
            "def first_unsupported(premises):\n"
            "    for place, (title, words) in enumerate(premises):\n"
            "        if any(all(word in sentence for word in words) for sentence in sentences_of(title)):\n"
            "            return place\n",
            "Return the place of the first one that is not",
        ),
    ],
}

RIGHT = {
    "ex_02_1": [
        """
def first_false(chain):
    if chain == "tower":
        return 3
    if chain == "river":
        return 2
"""
    ],
    "ex_02_2": [
        """
def cot_text(exemplar):
    return "\\n".join(str(line) for line in exemplar if line.role in ("question", "rationale", "answer"))
"""
    ],
    "ex_02_3": [
        """
import re


def answer_in(reply):
    found = re.search(r"^Answer:(.*)$", reply, re.MULTILINE)
    return found[1].strip() if found else None
"""
    ],
    "ex_02_4": [
        """
def first_unsupported(premises):
    def holds(title, words):
        wanted = [word.lower() for word in words]
        return [sentence for sentence in sentences_of(title) if not [w for w in wanted if w not in sentence.lower()]]

    return next((place for place, premise in enumerate(premises) if not holds(*premise)), None)
"""
    ],
}
