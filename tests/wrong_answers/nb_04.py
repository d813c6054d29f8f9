"""Answers to the exercises of lesson 04: wrong ones, each with a piece of its message, and other right ones."""

WRONG = {
    "ex_04_1": [
        (
            """def who_wrote(letter):
    return {"A": "person", "B": "model", "C": "model", "D": "model", "E": "harness", "F": "environment"}[letter]
""",
            "This label is the cue",
        ),
        (
            """def who_wrote(letter):
    return {"A": "person", "B": "harness", "C": "model", "D": "harness", "E": "harness", "F": "environment"}[letter]
""",
            "The loop copies this label, but it was in the reply",
        ),
        (
            """def who_wrote(letter):
    return {"A": "person", "B": "harness", "C": "model", "D": "model", "E": "model", "F": "model"}[letter]
""",
            "The model is stopped before this label",
        ),
        (
            """def who_wrote(letter):
    return {"A": "person", "B": "harness", "C": "model", "D": "model", "E": "environment", "F": "environment"}[letter]
""",
            "The tool returns a text without a label",
        ),
        (
            """def who_wrote(letter):
    return {"A": "person", "B": "harness", "C": "model", "D": "model", "E": "harness", "F": "model"}[letter]
""",
            "Only the environment writes what was observed",
        ),
        (
            """def who_wrote(letter):
    return {"A": "person", "B": "harness", "C": "model", "D": "model", "E": "harness", "F": "harness"}[letter]
""",
            "The loop passes this text on",
        ),
    ],
    "ex_04_2": [
        (
            """def to_act(transcript):
    return "\\n".join(line for line in transcript.split("\\n") if line.startswith("Action"))
""",
            "The question and the observations belong to Act too",
        ),
        (
            """def to_act(transcript):
    return "\\n".join(line for line in transcript.split("\\n") if line.startswith(("Question", "Action")))
""",
            "The observations belong to Act too",
        ),
        (
            """def to_act(transcript):
    return "\\n".join(line for line in transcript.split("\\n") if "Thought" not in line)
""",
            "What counts is how a line begins",
        ),
        (
            """def to_act(transcript):
    return [line for line in transcript.split("\\n") if not line.startswith("Thought")]
""",
            "Join them into one text",
        ),
    ],
    "ex_04_3": [
        (
            """def mended(question, model, tools, step_cap=7):
    transcript, step = f"Question: {question}", 1
    while True:
        reply = model(f"{transcript}\\nThought {step}:", [])
        thought, action = reply.split(f"\\nAction {step}:")
        transcript += f"\\nThought {step}:{thought}\\nAction {step}:{action}"
        name, argument = action.strip()[:-1].split("[", 1)
        if name == "Finish":
            return argument, transcript
        transcript += f"\\n{tools[name](argument)}"
        step += 1
""",
            "A reader cannot tell them from the model's",
        ),
        (
            """def mended(question, model, tools, step_cap=7):
    transcript = f"Question: {question}"
    for step in range(1, step_cap + 1):
        reply = model(f"{transcript}\\nThought {step}:", ["\\nObservation:"])
        thought, action = reply.split(f"\\nAction {step}:")
        transcript += f"\\nThought {step}:{thought}\\nAction {step}:{action}"
        name, argument = action.strip()[:-1].split("[", 1)
        if name == "Finish":
            return argument, transcript
        transcript += f"\\nObservation {step}: {tools[name](argument)}"
    return None, f"{transcript}\\nHarness: Stopped: no answer within {step_cap} steps."
""",
            "The model wrote an observation of its own, and the loop took it",
        ),
        (
            """def mended(question, model, tools, step_cap=7):
    transcript, step = f"Question: {question}", 1
    while True:
        reply = model(f"{transcript}\\nThought {step}:", [f"\\nObservation {step}:"])
        thought, action = reply.split(f"\\nAction {step}:")
        transcript += f"\\nThought {step}:{thought}\\nAction {step}:{action}"
        name, argument = action.strip()[:-1].split("[", 1)
        if name == "Finish":
            return argument, transcript
        transcript += f"\\nObservation {step}: {tools[name](argument)}"
        step += 1
""",
            "With step_cap=1 the model may be asked once",
        ),
        (
            """def mended(question, model, tools, step_cap=7):
    transcript = f"Question: {question}"
    for step in range(1, step_cap + 1):
        reply = model(f"{transcript}\\nThought {step}:", [f"\\nObservation {step}:"])
        thought, action = reply.split(f"\\nAction {step}:")
        transcript += f"\\nThought {step}:{thought}\\nAction {step}:{action}"
        name, argument = action.strip()[:-1].split("[", 1)
        if name == "Finish":
            return argument, transcript
        transcript += f"\\nObservation {step}: {tools[name](argument)}"
    return None, transcript
""",
            "the transcript does not say why. Add the fixed last line",
        ),
        (
            """def mended(question, model, tools, step_cap=7):
    transcript = f"Question: {question}"
    for step in range(1, step_cap + 1):
        reply = model(f"{transcript}\\nThought {step}:", [f"\\nObservation {step}:"])
        thought, action = reply.split(f"\\nAction {step}:")
        transcript += f"\\nThought {step}:{thought}\\nAction {step}:{action}"
        name, argument = action.strip()[:-1].split("[", 1)
        if name == "Finish":
            return argument, transcript
        transcript += f"\\nObservation {step}: {tools[name](argument)}"
    return None, f"{transcript}\\nHarness: Stopped: no answer within 7 steps."
""",
            "The last line must name the cap that was given",
        ),
    ],
    "ex_04_4": [
        (
            """def my_react(question, model, tools, step_cap=7):
    transcript = f"Question: {question}"
    for step in range(1, step_cap + 1):
        reply = model(f"{transcript}\\nThought {step}:", [f"\\nObservation {step}:"])
        thought, action = reply.split(f"\\nAction {step}:")
        name, argument = action.strip()[:-1].split("[", 1)
        if name == "Finish":
            return argument, transcript
        transcript += f"\\nThought {step}:{thought}\\nAction {step}:{action}"
        observation = tools[name](argument) if name in tools else f"There is no tool called {name}."
        transcript += f"\\nObservation {step}: {observation}"
    return None, f"{transcript}\\nHarness: Stopped: no answer within {step_cap} steps."
""",
            "The last thought and action belong in the transcript",
        ),
        (
            """def my_react(question, model, tools, step_cap=7):
    transcript = f"Question: {question}"
    for step in range(1, step_cap + 1):
        reply = model(f"{transcript}\\nThought {step}:", [f"\\nObservation {step}:"])
        thought, action = reply.split(f"\\nAction {step}:")
        transcript += f"\\nThought {step}:{thought}\\nAction {step}:{action}"
        name, argument = action.strip()[:-1].split("[", 1)
        if name == "Finish":
            return argument, transcript
        transcript += f"\\nObservation {step}: {tools[name](argument)}"
    return None, f"{transcript}\\nHarness: Stopped: no answer within {step_cap} steps."
""",
            "KeyError",
        ),
        (
            """def my_react(question, model, tools, step_cap=7):
    transcript = f"Question: {question}"
    for step in range(1, step_cap + 1):
        reply = model(f"{transcript}\\nThought {step}:", [f"\\nObservation {step}:"])
        thought, action = reply.split(f"\\nAction {step}:")
        transcript += f"\\nThought {step}:{thought}\\nAction {step}:{action}"
        name, argument = action.strip()[:-1].split("[", 1)
        if name == "Finish":
            return argument, transcript
        if name not in tools:
            return name, f"{transcript}\\nObservation {step}: There is no tool called {name}."
        transcript += f"\\nObservation {step}: {tools[name](argument)}"
    return None, f"{transcript}\\nHarness: Stopped: no answer within {step_cap} steps."
""",
            "An unknown tool does not end the run",
        ),
        (
            """def my_react(question, model, tools, step_cap=7):
    transcript = f"Question: {question}"
    for step in range(1, step_cap):
        reply = model(f"{transcript}\\nThought {step}:", [f"\\nObservation {step}:"])
        thought, action = reply.split(f"\\nAction {step}:")
        transcript += f"\\nThought {step}:{thought}\\nAction {step}:{action}"
        name, argument = action.strip()[:-1].split("[", 1)
        if name == "Finish":
            return argument, transcript
        observation = tools[name](argument) if name in tools else f"There is no tool called {name}."
        transcript += f"\\nObservation {step}: {observation}"
    return None, f"{transcript}\\nHarness: Stopped: no answer within {step_cap} steps."
""",
            "One pass too few",
        ),
        (
            """def my_react(question, model, tools, step_cap=7):
    transcript = f"Question: {question}"
    for step in range(1, step_cap + 1):
        reply = model(f"{transcript}\\nThought {step}:", [])
        thought, action = reply.split(f"\\nAction {step}:")
        transcript += f"\\nThought {step}:{thought}\\nAction {step}:{action}"
        name, argument = action.strip()[:-1].split("[", 1)
        if name == "Finish":
            return argument, transcript
        observation = tools[name](argument) if name in tools else f"There is no tool called {name}."
        transcript += f"\\nObservation {step}: {observation}"
    return None, f"{transcript}\\nHarness: Stopped: no answer within {step_cap} steps."
""",
            "Then it was not stopped: look at the stop string",
        ),
        (
            """def my_react(question, model, tools, step_cap=7):
    transcript = f"Question: {question}"
    for step in range(1, step_cap + 1):
        reply = model(f"{transcript}\\nThought {step}:", [f"\\nObservation {step}:"])
        thought, action = reply.split(f"\\nAction {step}:")
        transcript += f"\\nThought {step}:{thought}\\nAction {step}:{action}"
        name, argument = action.strip()[:-1].split("[", 1)
        if name == "Finish":
            return argument, transcript
        observation = tools[name](argument) if name in tools else f"There is no tool called {name}."
        transcript += f"\\nObservation {step}: {observation}"
    return None, transcript
""",
            "the transcript does not say why: add the fixed line",
        ),
        (
            """def my_react(question, model, tools, step_cap=7):
    transcript, step = f"Question: {question}", 1
    while True:
        reply = model(f"{transcript}\\nThought {step}:", [f"\\nObservation {step}:"])
        thought, action = reply.split(f"\\nAction {step}:")
        transcript += f"\\nThought {step}:{thought}\\nAction {step}:{action}"
        name, argument = action.strip()[:-1].split("[", 1)
        if name == "Finish":
            return argument, transcript
        observation = tools[name](argument) if name in tools else f"There is no tool called {name}."
        transcript += f"\\nObservation {step}: {observation}"
        step += 1
""",
            "With step_cap=2 the model may be asked twice",
        ),
        (
            """def my_react(question, model, tools, step_cap=7):
    transcript, step = f"Question: {question}", 1
    reply = model(f"{transcript}\\nThought {step}:", [f"\\nObservation {step}:"])
    while True:
        thought, action = reply.split("\\nAction 1:")
        transcript += f"\\nThought {step}:{thought}\\nAction {step}:{action}"
        name, argument = action.strip()[:-1].split("[", 1)
        if name == "Finish":
            return argument, transcript
        transcript += f"\\nObservation {step}: {tools[name](argument)}"
        step += 1
""",
            "ask the model anew in each pass",
        ),
        (
            """def my_react(question, model, tools, step_cap=7):
    transcript = f"Question: {question}"
    for step in range(1, step_cap + 1):
        reply = model(f"{transcript}\\nThought {step}:", [f"\\nObservation {step}:"])
        thought, action = reply.split(f"\\nAction {step}:")
        transcript += f"\\nThought {step}:{thought}\\nAction {step}:{action}"
        name, argument = action.strip()[:-1].split("[", 1)
        if name == "Finish":
            return argument
        observation = tools[name](argument) if name in tools else f"There is no tool called {name}."
        transcript += f"\\nObservation {step}: {observation}"
    return None, f"{transcript}\\nHarness: Stopped: no answer within {step_cap} steps."
""",
            "return a pair: answer, transcript",
        ),
        (
            """def my_react(question, model, tools, step_cap=7):
    transcript = f"Question: {question}"
    for step in range(1, step_cap + 1):
        reply = model(f"{transcript}\\nThought {step}:", [f"\\nObservation {step}:"])
        thought, action = reply.split(f"\\nAction {step}:")
        transcript += f"\\nThought {step}:{thought}\\nAction {step}:{action}"
        name, argument = action.strip()[:-1].split("[", 1)
        if name == "Finish":
            return transcript, argument
        observation = tools[name](argument) if name in tools else f"There is no tool called {name}."
        transcript += f"\\nObservation {step}: {observation}"
    return None, f"{transcript}\\nHarness: Stopped: no answer within {step_cap} steps."
""",
            "return the pair in this order",
        ),
        (
            """def my_react(question, model, tools, step_cap=7):
    transcript = f"Question: {question}"
    for step in range(1, step_cap + 1):
        reply = model(f"{transcript}\\nThought {step}:", [f"\\nObservation {step}:"])
        thought, action = reply.split(f"\\nAction {step}:")
        transcript += f"\\nThought {step}:{thought}\\nAction {step}:{action}"
        name, argument = action.strip()[:-1].split("[", 1)
        if name == "Finish":
            return argument, transcript
        observation = tools[name](argument) if name in tools else f"There is no tool called {name}."
        transcript += f"\\nObservation {step}: {observation}"
    return None, transcript + "\\nHarness: Stopped: no answer within {step_cap} steps."
""",
            "An f is missing before the quotes",
        ),
    ],
}

RIGHT = {
    "ex_04_1": [
        """def who_wrote(letter):
    if letter in "CD":
        return "model"
    return "harness" if letter in "BE" else "person" if letter == "A" else "environment"
""",
    ],
    "ex_04_2": [
        """def to_act(transcript):
    kept = []
    for line in transcript.splitlines():
        if line[: len("Thought")] != "Thought":
            kept.append(line)
    return "\\n".join(kept)
""",
    ],
    "ex_04_3": [
        """def mended(question, model, tools, step_cap=7):
    transcript, step = f"Question: {question}", 1
    while step <= step_cap:
        reply = model(transcript + f"\\nThought {step}:", (f"\\nObservation {step}:",))
        transcript = f"{transcript}\\nThought {step}:{reply}"
        name, _, rest = reply.partition(f"\\nAction {step}:")[2].strip().partition("[")
        if name == "Finish":
            return rest[:-1], transcript
        transcript = f"{transcript}\\nObservation {step}: {tools[name](rest[:-1])}"
        step = step + 1
    return None, transcript + f"\\nHarness: Stopped: no answer within {step_cap} steps."
""",
    ],
    "ex_04_4": [
        """def my_react(question, model, tools, step_cap=7):
    lines = [f"Question: {question}"]
    for step in range(1, step_cap + 1):
        reply = model("\\n".join([*lines, f"Thought {step}:"]), [f"\\nObservation {step}:"])
        lines.append(f"Thought {step}:{reply}")
        name, argument = reply.split(f"\\nAction {step}: ")[1].removesuffix("]").split("[", 1)
        if name == "Finish":
            return argument, "\\n".join(lines)
        try:
            tool = tools[name]
        except KeyError:
            lines.append(f"Observation {step}: There is no tool called {name}.")
        else:
            lines.append(f"Observation {step}: {tool(argument)}")
    lines.append(f"Harness: Stopped: no answer within {step_cap} steps.")
    return None, "\\n".join(lines)
""",
    ],
}
