"""`python tests/benchmarks/compare_frameworks.py` compares the kit with common frameworks, in their own environment.

It makes an environment (`build/frameworks`, or the folder given), installs each framework there by pip, and runs
itself in it. What cannot be installed is named and left out. Nothing here is part of the tests.

Parsers: each gets the 41 shared completions, as from a server that ignores `stop`, in three forms: as they are, with
labels without numbers, and so with a fence around a JSON call, since the prompts of the frameworks ask for these; the
best of the three verdicts counts. After the parser stands what every agent has: a name that is no tool, or arguments
that do not fit, are refused; names match without regard to case; a text that writes a JSON object or a Python dict
counts as arguments by name, an object with one value as that value. Calling Finish, final_answer or Final Answer ends
the run. Only tool, input and answer are compared, not thoughts, warnings or dropped text. The kit gets each case as it
is. The verdicts, from the best to the worst:

    right      the call or the answer that the case expects, or a refusal where it expects an error
    refused    a call or an answer that the case expects was refused: the model is asked again
    accepted   another call was run, or the run ended on something else: no one is told that anything is wrong
    crashed    an exception that is not the parser's own kind of refusal

smolagents reads the JSON calls of its own format only, LangChain's ReAct (2022) the paper's brackets only. DSPy and
AutoGen read no such text (fields, or a server's own tool calls), so they have no row here.

Loops: five scripted steps with one tool and no network. Import: CPU time in a fresh process, caches of bytecode filled.
"""

import argparse
import ast
import contextlib
import importlib.metadata
import io
import json
import logging
import os
import re
import subprocess
import sys
import venv
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import harness

ROOT = Path(__file__).resolve().parents[2]
DISTRIBUTIONS = ("langchain-classic", "llama-index-core", "smolagents", "dspy", "crewai")
ENDINGS = {"finish", "final_answer", "final answer", "answer"}
IMPORTS = {  # what is imported: the standard library's row is the measure of the others
    "the standard library's asyncio": "asyncio",
    "reactkit": "reactkit",
    "langchain-classic": "langchain_classic.agents",
    "llama-index-core": "llama_index.core.agent.react.output_parser",
    "smolagents": "smolagents",
    "dspy": "dspy",
    "crewai": "crewai",
}
QUIET = {"CREWAI_DISABLE_TELEMETRY": "true", "OTEL_SDK_DISABLED": "true", "LANGSMITH_TRACING": "false"}
VERDICTS = ("right", "refused", "accepted", "crashed")
PAGE = "{} is a page with a sentence or two in it."


class Refused(Exception):
    """A parser's own kind of refusal, or that of the agent around it: the model is asked again."""


def langchain(module: str, name: str) -> Callable:
    """Return LangChain's parser `name`; an `OutputParserException` is its refusal."""
    from langchain_core.exceptions import OutputParserException

    parser = getattr(importlib.import_module(f"langchain_classic.agents.{module}"), name)()

    def read(text: str) -> tuple:
        step = refusing(OutputParserException, parser.parse, text)
        return ("", step.return_values["output"]) if hasattr(step, "return_values") else (step.tool, step.tool_input)

    return read


def llama_index() -> Callable:
    """Return LlamaIndex's ReAct parser; a ValueError is its refusal."""
    from llama_index.core.agent.react.output_parser import ReActOutputParser

    def read(text: str) -> tuple:
        step = refusing(ValueError, ReActOutputParser().parse, text)
        return ("", step.response) if hasattr(step, "response") else (step.action, step.action_input)

    return read


def crewai() -> Callable:
    """Return CrewAI's parser; an `OutputParserError` is its refusal."""
    from crewai.agents.parser import OutputParserError, parse

    def read(text: str) -> tuple:
        step = refusing(OutputParserError, parse, text)
        return ("", step.output) if hasattr(step, "output") else (step.tool, step.tool_input)

    return read


def smolagents(name_key: str, input_key: str) -> Callable:
    """Return smolagents' reader of calls in text, with the keys that it is given; its agent refuses on any error."""
    from smolagents.models import get_tool_call_from_text

    def read(text: str) -> tuple:
        call = refusing(Exception, get_tool_call_from_text, text, name_key, input_key).function
        return call.name, call.arguments

    return read


def refusing(kind: type[Exception], read: Callable, *given) -> object:
    """Return what `read` makes of what is given; its own kind of error becomes `Refused`."""
    try:
        return read(*given)
    except kind as error:
        raise Refused(str(error)) from error


PARSERS = {  # row of the table: distribution, how to get its parser
    "LangChain ReActSingleInput": (
        "langchain-classic",
        lambda: langchain("output_parsers", "ReActSingleInputOutputParser"),
    ),
    "LangChain ReAct JSON": (
        "langchain-classic",
        lambda: langchain("output_parsers", "ReActJsonSingleInputOutputParser"),
    ),
    "LangChain MRKL": ("langchain-classic", lambda: langchain("mrkl.output_parser", "MRKLOutputParser")),
    "LangChain ReAct (2022)": ("langchain-classic", lambda: langchain("react.output_parser", "ReActOutputParser")),
    "LangChain chat": ("langchain-classic", lambda: langchain("chat.output_parser", "ChatOutputParser")),
    "LangChain structured chat": (
        "langchain-classic",
        lambda: langchain("structured_chat.output_parser", "StructuredChatOutputParser"),
    ),
    "LlamaIndex ReAct": ("llama-index-core", llama_index),
    "smolagents, name": ("smolagents", lambda: smolagents("name", "arguments")),
    "smolagents, action": ("smolagents", lambda: smolagents("action", "action_input")),
    "CrewAI": ("crewai", crewai),
}


def outcome(read: Callable, given: dict) -> dict:
    """Return what an agent with this parser would do, by the names of the cases' fields."""
    try:
        tool, value = read(given["text"])
        if not tool or tool.strip().casefold() in ENDINGS:
            return {"result": "finish", "answer": single(value).strip()}
        return called(tool, value, given["tools"])
    except Refused:
        return {"result": "error"}
    except Exception as error:  # whatever else a parser raises would end the user's run
        return {"result": f"crashed with {type(error).__name__}"}


def called(tool: str, value: object, tools: list | dict) -> dict:
    """Return the call of a tool as it would run, or refuse it as an agent does."""
    known = {name.casefold(): name for name in tools}
    name = known.get(tool.strip().casefold())
    if name is None:
        raise Refused(f"{tool} is no tool")
    if isinstance(tools, list):
        return {"result": "action", "tool": name, "arg": single(value).strip()}
    named = data(value)
    if isinstance(named, dict) and set(named) == set(tools[name]):
        return {"result": "action", "tool": name, "args": named}
    if len(tools[name]) == 1 and not isinstance(named, dict):
        return {"result": "action", "tool": name, "args": {tools[name][0]: value}, "arg": single(value).strip()}
    raise Refused(f"{value!r} does not fit {tools[name]}")


def data(value: object) -> object:
    """Return a text that writes an object as that object, and all else as it is."""
    for reader in (json.loads, ast.literal_eval):
        if isinstance(value, str):
            with contextlib.suppress(ValueError, SyntaxError):
                found = reader(value.strip())
                value = found if isinstance(found, dict) else value
    return value


def single(value: object) -> str:
    """Return the one input of a tool as text: an object with one value is that value."""
    value = data(value)
    return str(next(iter(value.values())) if isinstance(value, dict) and len(value) == 1 else value)


def forms(text: str) -> set[str]:
    """Return a reply as it is, with labels without numbers, and so with a fence around a JSON call."""
    plain = re.sub(r"^(Thought|Action|Observation) \d+:", r"\1:", text, flags=re.MULTILINE | re.IGNORECASE)
    return {text, plain, re.sub(r"^(Action:)\s*(\{.*\})[ \t]*$", r"\1\n```json\n\2\n```", plain, flags=re.MULTILINE)}


def best(read: Callable, case: dict) -> str:
    """Return the best verdict on a case in its forms."""
    found = {
        verdict(case["expected"], outcome(read, case["input"] | {"text": text}))
        for text in forms(case["input"]["text"])
    }
    return next(each for each in VERDICTS if each in found)


def verdict(expected: dict, came: dict) -> str:
    """Return the verdict on one outcome."""
    if came["result"].startswith("crashed"):
        return "crashed"
    judged = harness.judged(expected, came)
    return "refused" if judged == "wrong" else judged


def installed(distribution: str) -> str:
    """Return the version of a distribution, or nothing where it is not here."""
    try:
        return importlib.metadata.version(distribution)
    except importlib.metadata.PackageNotFoundError:
        return ""


def usable(name: str, distribution: str, make: Callable) -> Callable | None:
    """Return what `make` makes of an installed distribution; say so where that cannot be imported as it is here."""
    try:
        return make() if installed(distribution) else None
    except Exception as error:  # another package's import may raise anything
        print(f"{name} is left out: {type(error).__name__}: {error!s:.80}")
        return None


def compare_parsers(cases: list[dict]) -> None:
    """Print a row of verdicts for each parser, for all of them together, and for the kit."""
    kit = importlib.import_module("cases_parse").outcome
    rows = {}
    for name, (distribution, parser) in PARSERS.items():
        if read := usable(name, distribution, parser):
            rows[name] = [best(read, case) for case in cases]
    together = sum("right" in found for found in zip(*rows.values()))
    rows["reactkit"] = [verdict(case["expected"], kit(case["input"])) for case in cases]
    print(f"\nParsers, {len(cases)} completions{'':12}" + "".join(f"{each:>10}" for each in VERDICTS))
    for name, found in rows.items():
        counts = Counter(found)
        print(f"  {name:32}" + "".join(f"{counts[each]:10}" for each in VERDICTS))
    print(f"  {'frameworks, the best for each':32}{together:10}")
    refusing_all = [verdict(case["expected"], {"result": "error"}) for case in cases]
    print(f"  {'refusing whatever comes':32}{refusing_all.count('right'):10}")


def langchain_loop() -> Callable:
    """Return five steps by LangChain's agent executor with its fake model."""
    from langchain_classic.agents import AgentExecutor, create_react_agent
    from langchain_core.language_models.fake import FakeListLLM
    from langchain_core.prompts import PromptTemplate
    from langchain_core.tools import Tool

    replies = [f"Thought: I look.\nAction: Search\nAction Input: Page {step}" for step in range(1, 5)]
    tools = [Tool(name="Search", func=lambda title: PAGE.format(title), description="Search for a page.")]
    prompt = PromptTemplate.from_template("{tools} {tool_names}\nQuestion: {input}\n{agent_scratchpad}")

    def run() -> str:
        model = FakeListLLM(responses=[*replies, "Thought: I know it now.\nFinal Answer: 42"])
        agent = create_react_agent(model, tools, prompt)
        return AgentExecutor(agent=agent, tools=tools).invoke({"input": "Which?"})["output"]

    return run


def smolagents_loop() -> Callable:
    """Return five steps by smolagents' agent that calls tools."""
    from smolagents import Model, ToolCallingAgent, tool
    from smolagents.models import ChatMessage, MessageRole
    from smolagents.monitoring import LogLevel

    @tool
    def search(title: str) -> str:
        """Search for a page.

        Args:
            title: Its title.
        """
        return PAGE.format(title)

    def run() -> str:
        calls = [f'{{"name": "search", "arguments": {{"title": "Page {step}"}}}}' for step in range(1, 5)]
        script, model = iter([*calls, '{"name": "final_answer", "arguments": {"answer": "42"}}']), Model()
        model.generate = lambda *_, **__: ChatMessage(role=MessageRole.ASSISTANT, content=f"Action:\n{next(script)}")
        return ToolCallingAgent(tools=[search], model=model, verbosity_level=LogLevel.OFF).run("Which?")

    return run


def dspy_loop() -> Callable:
    """Return four steps and the finish by DSPy's ReAct, and the call that extracts the answer."""
    import dspy
    from dspy.utils import DummyLM

    def search(title: str) -> str:
        """Search for a page."""
        return PAGE.format(title)

    def step(tool: str, arguments: str) -> dict:
        return {"next_thought": "I look.", "next_tool_name": tool, "next_tool_args": arguments}

    def run() -> str:
        replies = [step("search", f'{{"title": "Page {number}"}}') for number in range(1, 5)]
        model = DummyLM([*replies, step("finish", "{}"), {"reasoning": "I know it.", "answer": "42"}])
        with dspy.context(lm=model):
            return dspy.ReAct("question -> answer", tools=[search])(question="Which?").answer

    return run


LOOPS = {"langchain-classic": langchain_loop, "smolagents": smolagents_loop, "dspy": dspy_loop}


def compare_loops() -> None:
    """Print what five scripted steps cost in each framework, beside the plain loop on strings."""
    ours, plain = harness.loops(harness.Scripted)
    rows = {"plain loop": plain, "reactkit": ours}
    rows |= {name: run for name, loop in LOOPS.items() if (run := usable(name, name, loop))}
    print(f"\nFive scripted steps{'times the plain loop':>38}{'Python calls':>16}")
    for name, run in rows.items():
        came = run()
        answer = came[0] if isinstance(came, tuple) else getattr(came, "answer", came)
        assert answer == "42", f"{name}: {came!r}"
        times = harness.ratio(run, plain, rounds=5, episodes=10)[1]
        print(f"  {name:32}{times:23.1f}{harness.python_calls(run).total():16,}")


def compare_imports() -> None:
    """Print the CPU time of each import, beside one of the standard library."""
    print(f"\nImport{'ms':>38}{'times asyncio':>16}")
    measure = importing("asyncio")
    for name, module in IMPORTS.items():
        if name not in DISTRIBUTIONS or usable(name, name, lambda module=module: importlib.import_module(module)):
            seconds = importing(module)
            print(f"  {name:32}{seconds * 1000:10.0f}{seconds / measure:16.1f}")


def importing(module: str) -> float:
    """Return the least CPU seconds that an import takes in three processes, after one that fills the caches."""
    program = f"import time; began = time.process_time(); import {module}; print('took', time.process_time() - began)"
    command = [sys.executable, "-c", program]
    ran = [subprocess.run(command, check=True, cwd=ROOT, capture_output=True, text=True).stdout for _ in range(4)]
    return min(float(text.rpartition("took ")[2]) for text in ran[1:])


def install(folder: Path) -> Path:
    """Return the Python of an environment with all frameworks that pip can install there; say which it cannot."""
    python = folder / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
    if not python.exists():
        venv.create(folder, with_pip=True)
    for name in DISTRIBUTIONS:  # one by one, so that one which fails does not take the others with it
        command = [str(python), "-m", "pip", "install", "--quiet", "--prefer-binary", name]
        if subprocess.run(command, capture_output=True).returncode:
            print(f"{name} could not be installed; it is left out")
    return python


def compare(folder: Path) -> None:
    """Print all comparisons, in the environment that this process runs in."""
    logging.disable(logging.ERROR)
    versions = [f"{name} {version}" for name in DISTRIBUTIONS if (version := installed(name))]
    print(f"Python {sys.version.split()[0]}; {', '.join(versions)}")
    completions = [case for case in harness.cases(folder, "output_parse") if case["input"]["kind"] == "completion"]
    compare_parsers(completions)
    with contextlib.redirect_stderr(io.StringIO()):  # the agents' own reports
        compare_loops()
    compare_imports()


def main() -> int:
    """Install, and run this file in the environment; return its exit status."""
    options = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    options.add_argument("folder", nargs="?", type=Path, default=ROOT / "build" / "frameworks")
    options.add_argument("--here", action="store_true", help="compare what this environment holds; install nothing")
    chosen = options.parse_args()
    if chosen.here:
        compare(harness.shared())
        return 0
    return subprocess.run([str(install(chosen.folder)), __file__, "--here"], env=os.environ | QUIET).returncode


if __name__ == "__main__":
    sys.exit(main())
