"""Plausible wrong answers to the exercises of lesson 05, each with words of the message meant for it."""

BY_LABEL = """
def who_wrote(number):
    label = transcript[number - 1].split()[0]
    if label in ("Thought", "Action"):
        return "model"
    return {"Question:": "person", "Observation": "environment"}.get(label, "harness")
"""
HARNESS_WRITES_ALL_RESULTS = """
def who_wrote(number):
    if number in (1, 11):
        return "person" if number == 1 else "harness"
    return "harness" if number in (7, 10) else "model"
"""
NOBODY_STOPPED_IT = """
def who_wrote(number):
    if number == 1:
        return "person"
    return "environment" if number in (7, 10) else "model"
"""
ACTIONS_BY_THE_HARNESS = """
def who_wrote(number):
    if number in (3, 6, 9, 11):
        return "harness"
    return {1: "person", 7: "environment", 10: "environment"}.get(number, "model")
"""

AT_THE_WORD = """
def cut_reply(reply):
    return reply.split("Observation")[0].rstrip("\\n") if "Observation" in reply else reply
"""
AT_ANY_LINE_THAT_BEGINS_SO = """
def cut_reply(reply):
    return reply.split("\\nObservation")[0]
"""
NOT_AT_THE_VERY_START = """
def cut_reply(reply):
    return re.split(r"\\nObservation \\d+:", reply)[0]
"""
ONLY_THE_LINE = """
def cut_reply(reply):
    lines = [line for line in reply.split("\\n") if not re.match(r"Observation \\d+:", line)]
    return "\\n".join(lines)
"""
KEEPS_THE_LINE_BREAK = """
def cut_reply(reply):
    return re.split(r"^Observation \\d+:", reply, flags=re.MULTILINE)[0]
"""
AT_THE_LAST_LABEL = """
def cut_reply(reply):
    return re.sub(r"(?s)(.*)(?:^|\\n)Observation \\d+:.*", r"\\1", reply)
"""

STILL_ENDLESS = """
def capped(model, tool, cap):
    lines = []
    while True:
        reply = model("\\n".join(lines))
        if reply.startswith("Answer: "):
            return reply
        lines += [reply, f"Observation: {tool(reply)}"]
"""
LAST_WORDS = """
def capped(model, tool, cap):
    lines = []
    for _ in range(cap):
        reply = model("\\n".join(lines))
        if reply.startswith("Answer: "):
            return reply
        lines += [reply, f"Observation: {tool(reply)}"]
    return f"Answer: {reply}"
"""
ONE_PASS_TOO_MANY = """
def capped(model, tool, cap):
    lines, step = [], 0
    while step <= cap:
        step += 1
        reply = model("\\n".join(lines))
        if reply.startswith("Answer: "):
            return reply
        lines += [reply, f"Observation: {tool(reply)}"]
    return f"Stopped: no answer within {cap} steps."
"""
ONE_PASS_TOO_FEW = """
def capped(model, tool, cap):
    lines = []
    for step in range(1, cap + 1):
        reply = model("\\n".join(lines))
        if step == cap:
            return f"Stopped: no answer within {cap} steps."
        if reply.startswith("Answer: "):
            return reply
        lines += [reply, f"Observation: {tool(reply)}"]
"""
NO_ENDING = """
def capped(model, tool, cap):
    lines = []
    for _ in range(cap):
        reply = model("\\n".join(lines))
        if reply.startswith("Answer: "):
            return reply
        lines += [reply, f"Observation: {tool(reply)}"]
"""
CAP_IN_STONE = """
def capped(model, tool, cap):
    lines = []
    for _ in range(cap):
        reply = model("\\n".join(lines))
        if reply.startswith("Answer: "):
            return reply
        lines += [reply, f"Observation: {tool(reply)}"]
    return "Stopped: no answer within 3 steps."
"""
NO_F = """
def capped(model, tool, cap):
    lines = []
    for _ in range(cap):
        reply = model("\\n".join(lines))
        if reply.startswith("Answer: "):
            return reply
        lines += [reply, f"Observation: {tool(reply)}"]
    return "Stopped: no answer within {cap} steps."
"""
NOTHING_HANDED_ON = """
def capped(model, tool, cap):
    for _ in range(cap):
        reply = model("")
        if reply.startswith("Answer: "):
            return reply
    return f"Stopped: no answer within {cap} steps."
"""
FORGETFUL = """
def capped(model, tool, cap):
    for _ in range(cap):
        reply = model("")
        if reply.startswith("Answer: "):
            return reply
        tool(reply)
    return f"Stopped: no answer within {cap} steps."
"""
LAST_STEP_ONLY = """
def capped(model, tool, cap):
    context = ""
    for _ in range(cap):
        reply = model(context)
        if reply.startswith("Answer: "):
            return reply
        context = f"{reply}\\nObservation: {tool(reply)}\\n"
    return f"Stopped: no answer within {cap} steps."
"""
ASKS_THE_MODEL_ONCE = """
def capped(model, tool, cap):
    reply, lines = model(""), []
    while not reply.startswith("Answer: "):
        lines += [reply, f"Observation: {tool(reply)}"]
    return reply
"""

BY_ROLE = """
def unsupported_numbers(trajectory):
    seen = numbers(str(trajectory.keep("question", "observation")))
    return [value for value in numbers(trajectory.lines[-1].text) if value not in seen]
"""
ANY_LINE_BEFORE = """
def unsupported_numbers(trajectory):
    seen = [value for line in trajectory.lines[:-1] for value in numbers(line.text)]
    return [value for value in numbers(trajectory.lines[-1].text) if value not in seen]
"""
PARTS_OF_NUMBERS = """
def unsupported_numbers(trajectory):
    given = " ".join(line.text for line in trajectory.by("person", "environment"))
    return [value for value in numbers(trajectory.lines[-1].text) if value not in given]
"""
ENVIRONMENT_ALONE = """
def unsupported_numbers(trajectory):
    seen = [value for line in trajectory.by("environment") for value in numbers(line.text)]
    return [value for value in numbers(trajectory.lines[-1].text) if value not in seen]
"""
ANSWER_LINES_ONLY = """
def unsupported_numbers(trajectory):
    seen = [value for line in trajectory.by("person", "environment") for value in numbers(line.text)]
    said = [value for line in trajectory.keep("answer") for value in numbers(line.text)]
    return [value for value in said if value not in seen]
"""
A_TUPLE = """
def unsupported_numbers(trajectory):
    seen = [value for line in trajectory.by("person", "environment") for value in numbers(line.text)]
    return tuple(value for value in numbers(trajectory.lines[-1].text) if value not in seen)
"""

WRONG = {
    "ex_05_1": [
        (BY_LABEL, "The label says Observation. Look in the record"),
        (HARNESS_WRITES_ALL_RESULTS, "The tool returned this line"),
        (NOBODY_STOPPED_IT, "Which program counts the passes?"),
        (ACTIONS_BY_THE_HARNESS, "The one who asks wrote it"),
    ],
    "ex_05_2": [
        (AT_THE_WORD, "The word stands inside a sentence here"),
        (AT_ANY_LINE_THAT_BEGINS_SO, "but it is no label"),
        (NOT_AT_THE_VERY_START, "The label may open the reply"),
        (ONLY_THE_LINE, "What follows the invented line builds on it"),
        (KEEPS_THE_LINE_BREAK, "The line break before the label has to go too"),
        (AT_THE_LAST_LABEL, "It has to come before the first"),
    ],
    "ex_05_3": [
        (STILL_ENDLESS, "asked more often than the cap allows"),
        (LAST_WORDS, "The last words of the model are no answer"),
        (ONE_PASS_TOO_MANY, "One step too many"),
        (ONE_PASS_TOO_FEW, "A reply counts in the last step too"),
        (NO_ENDING, "Past the cap the loop returned nothing"),
        (CAP_IN_STONE, "name the cap of this run"),
        (NO_F, "An f is missing before the quotes"),
        (NOTHING_HANDED_ON, "The tool was never asked"),
        (FORGETFUL, "handed an empty text in each step"),
        (LAST_STEP_ONLY, "what the model did not get to read"),
        (ASKS_THE_MODEL_ONCE, "ScriptError"),
    ],
    "ex_05_4": [
        (BY_ROLE, "Ask for lines by author, not by role"),
        (ANY_LINE_BEFORE, "The 3 stands in Thought 2 only"),
        (PARTS_OF_NUMBERS, "2 is a part of the text 12"),
        (ENVIRONMENT_ALONE, "What the person gave is supported"),
        (ANSWER_LINES_ONLY, "Here the answer is a Finish action"),
        (A_TUPLE, "as a tuple. Return a list"),
    ],
}

RIGHT = {
    "ex_05_1": [
        """
def who_wrote(number):
    authors = ["person"] + ["model"] * 5 + ["environment"] + ["model"] * 2 + ["environment", "harness"]
    return authors[number - 1]
""",
        """
def who_wrote(number):
    line = transcript[number - 1]
    if any(line in reply.split("\\n") for reply in replies):
        return "model"
    if any(line.endswith(f": {result}") for _, result in tool_results):
        return "environment"
    return "person" if line.startswith("Question") else "harness"
""",
    ],
    "ex_05_2": [
        """
def cut_reply(reply):
    lines = reply.split("\\n")
    for at, line in enumerate(lines):
        if re.match(r"Observation \\d+:", line):
            return "\\n".join(lines[:at])
    return reply
""",
    ],
    "ex_05_3": [
        """
def capped(model, tool, cap):
    lines, asked = [], 0
    while asked < cap:
        asked += 1
        reply = model("\\n".join(lines))
        if reply.startswith("Answer: "):
            return reply
        lines.append(reply)
        lines.append("Observation: " + tool(reply))
    return "Stopped: no answer within " + str(cap) + " steps."
""",
    ],
    "ex_05_4": [
        """
def unsupported_numbers(trajectory):
    supported = set()
    for line in trajectory:
        if line.author in ("person", "environment"):
            supported.update(numbers(line.text))
    found = []
    for value in numbers(trajectory.lines[-1].text):
        if value not in supported:
            found.append(value)
    return found
""",
    ],
}
