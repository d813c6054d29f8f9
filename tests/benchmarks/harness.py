"""`python tests/benchmarks/harness.py` prints the figures of the harness: cases, real turns, the loop's cost, fuzzing.

It needs the kit, pytest (the tests try the cases) and the folder of real inputs: ../shared, or the one that
REACTKIT_SHARED names. `--fuzz 0` leaves the fuzzing out; `--seed 1` tries other replies. The exit status is 1 where
a goal is missed.
"""

import argparse
import json
import os
import platform
import statistics
import sys
import tempfile
import time
import tracemalloc
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT), str(ROOT / "tests"), str(ROOT / "tests" / "benchmarks")]

from fuzzing import fuzz  # noqa: E402
from printouts import read_published  # noqa: E402
from test_printouts import FILES  # noqa: E402

from reactkit.loop import solve  # noqa: E402
from reactkit.models import Scripted  # noqa: E402
from reactkit.prompts import REACT, Exemplars  # noqa: E402
from reactkit.replies import read_command, read_reply  # noqa: E402
from reactkit.tools import Toolbox  # noqa: E402

PAPER_FORM = {name: row[0] for name, row in FILES.items() if "alfworld" not in row[0]}  # published runs, their forms
WORLDS = {name: row[0] for name, row in FILES.items() if "alfworld" in row[0]}
STEPS = [f" I look for page {step}.\nAction {step}: Search[Page {step}]" for step in range(1, 5)]
REPLIES = (*STEPS, " I know it now.\nAction 5: Finish[42]")
OTHERS = tuple(reply.replace(" I ", " I < ", 1) for reply in REPLIES)  # what may open a tag asks for a closer look
TOOLS = {"Search": lambda title: f"{title} is a page with a sentence or two in it."}
TIMES, CALLS, KILOBYTES = 25, 290, 30  # the goals for the loop
ROUNDS, EPISODES = 31, 100


def shared() -> Path:
    """Return the folder of real inputs."""
    folder = Path(os.environ.get("REACTKIT_SHARED") or ROOT.parent / "shared")
    if not folder.is_dir():
        sys.exit(f"no real inputs at {folder}; set REACTKIT_SHARED to the folder that holds cases/ and data/")
    return folder


def cases(folder: Path, family: str) -> list[dict]:
    """Return the shared cases of one family."""
    rows = (folder / "cases" / "react_outputs.jsonl").read_text(encoding="utf-8").splitlines()
    return [case for row in rows if (case := json.loads(row))["family"] == family]


def judged(expected: dict, came: dict) -> str:
    """Return "right", "wrong" or "accepted": what may run was not what ran, or a run ended that should not have.

    Only what counts as the outcome is compared: the kind of result, the tool with its input, the answer.
    """
    if "one_of" in expected:
        found = [judged(one, came) for one in expected["one_of"]]
        return "right" if "right" in found else found[0]
    fields = {"error": (), "action": ("tool", "arg", "args"), "finish": ("answer",)}[expected["result"]]
    same = all(came.get(name) == expected[name] for name in fields if name in expected)
    if came["result"] == expected["result"] and same:
        return "right"
    return "wrong" if came["result"] == "error" else "accepted"


def parse_faults(case: dict) -> list[str]:
    """Return what is wrong with the reading of a reply; "accepted" leads where it was taken for what it is not."""
    from cases_parse import differences, outcome

    came = outcome(case["input"])
    accepted = judged(case["expected"], came) == "accepted"
    return ["accepted"] * accepted + differences(case["expected"], came)


def environment_faults(case: dict) -> list[str]:
    """Return the wrong fields of a case about tools and pages, played in an empty folder, to see what escapes."""
    from test_cases_tools import differences

    before = os.getcwd()
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        try:
            return differences(case, folder)
        finally:
            os.chdir(before)


def loop_faults(case: dict) -> list[str]:
    """Return the wrong fields of a case about how a run went."""
    from test_cases_loop import wrong

    return wrong(case)


def server_faults(case: dict) -> list[str]:
    """Return the wrong fields of a case about a model server."""
    from test_cases_http import faults

    return faults(case)


FAMILIES = {  # family of the cases: what returns the faults in one of them
    "output_parse": parse_faults,
    "environment": environment_faults,
    "loop": loop_faults,
    "http_client": server_faults,
}
ACCEPTED = {"accepted", "result", "error", "ok", "tool_runs", "tool_runs_at_most", "side_effects", "stop_reason"}


def tried(family: str, found: list[dict]) -> tuple[int, dict[str, list[str]]]:
    """Return how many cases of a family were wrongly accepted, and the faults in each that is not right.

    Outside of `output_parse`, that is where a field is wrong that says what may run, or that something failed.
    """
    wrong = {case["id"]: told for case in found if (told := FAMILIES[family](case))}
    return sum(not ACCEPTED.isdisjoint(told) for told in wrong.values()), wrong


def episodes(folder: Path, forms: dict[str, str]) -> Iterator:
    """Yield the trajectories of the published runs in these forms."""
    for name, form in forms.items():
        with (folder / name).open(encoding="utf-8", newline="") as file:
            yield from read_published(file.read(), form, "a model")


def turns(folder: Path) -> Iterator[tuple[str | None, str, str]]:
    """Yield the thought, the label and the action of each turn of a real model in the paper's form that has one."""
    for printout in episodes(folder, PAPER_FORM):
        thought = None
        for label, line in zip(printout.labels, printout.trajectory):
            if line.author == "model" and line.role == "action":
                yield thought, label.strip(), line.text
            thought = line.text if line.author == "model" and line.role == "thought" else None


def written(thought: str | None, label: str, action: str) -> str:
    """Return a turn as the model wrote it."""
    return f"{'' if thought is None else ' ' + thought}\n{label} {action}"


def real_turns(folder: Path) -> Iterator[str]:
    """Yield each turn of a real model in the paper's form that has an action, as the model wrote it."""
    return (written(*turn) for turn in turns(folder))


def commands(folder: Path) -> Iterator[str]:
    """Yield each row that a real model wrote in a world of commands."""
    for printout in episodes(folder, WORLDS):
        for line in printout.trajectory:
            if line.author == "model":
                yield f"think: {line.text}" if line.role == "thought" else line.text


def readings(texts: list[str], read: Callable) -> Counter:
    """Return how many texts were read, and how many refused, by the name of the refusal."""
    refusals = ((reply := read(text)).refusal and reply.refusal.kind for text in texts)
    return Counter(kind or "read" for kind in refusals)


def plain_loop() -> Callable:
    """Return the loop on plain strings that lesson 04 writes, taken out of the lesson."""
    cells = json.loads((ROOT / "notebooks" / "04_react.ipynb").read_text(encoding="utf-8"))["cells"]
    (source,) = ["".join(cell["source"]) for cell in cells if "plain-loop" in cell["metadata"].get("tags", [])]
    names = {}
    exec(compile(source, "04_react", "exec"), names)
    return names["react"]


def bare(replies: tuple[str, ...]) -> Callable:
    """Return the thinnest scripted model: an iterator, and no record of what it was asked."""
    script = iter(replies)
    return lambda context, stop=(): next(script)


def loops(model: Callable, replies: tuple[str, ...] = REPLIES) -> tuple[Callable, Callable]:
    """Return two ways to run the five steps with a fresh scripted model: by `solve`, and on plain strings."""
    react, box, nothing = plain_loop(), Toolbox(TOOLS), Exemplars()
    return (
        lambda: solve("Which?", REACT, model(replies), box, nothing),
        lambda: react("Which?", model(replies), TOOLS),
    )


def ratio(ours: Callable, plain: Callable, rounds: int = ROUNDS, episodes: int = EPISODES) -> tuple[float, float]:
    """Return the CPU time of ours in microseconds, and how many times the plain one's that is.

    Both are medians of interleaved rounds.
    """
    pairs = [(cpu_time(ours, episodes), cpu_time(plain, episodes)) for _ in range(rounds)]
    return statistics.median(one for one, _ in pairs) * 1e6, statistics.median(one / other for one, other in pairs)


def cpu_time(run: Callable, episodes: int) -> float:
    """Return the CPU time of one run in seconds."""
    began = time.process_time()
    for _ in range(episodes):
        run()
    return (time.process_time() - began) / episodes


def python_calls(run: Callable) -> Counter:
    """Return the Python functions that one run enters, by name and file; comprehensions and generators count too."""
    entered = Counter()

    def note(frame, event, _):
        if event == "call":
            entered[f"{frame.f_code.co_name} in {Path(frame.f_code.co_filename).name}"] += 1

    run()  # what is done once and kept is no cost of an episode
    sys.setprofile(note)
    try:
        run()
    finally:
        sys.setprofile(None)
    entered[f"{run.__code__.co_name} in {Path(run.__code__.co_filename).name}"] -= 1
    return +entered


def peak(run: Callable) -> float:
    """Return the most memory that one run holds above what was held before it, in units of 1,000 bytes."""
    run()
    tracemalloc.start()
    before = tracemalloc.get_traced_memory()[0]
    tracemalloc.reset_peak()
    run()
    most = tracemalloc.get_traced_memory()[1] - before
    tracemalloc.stop()
    return most / 1000


def progress(done: int, count: int) -> None:
    """Show on the terminal how much of the fuzzing is done."""
    if sys.stderr.isatty():
        bar = "#" * (30 * done // count)
        print(f"\r  [{bar:30}] {done:,} of {count:,}", end="\n" if done == count else "", file=sys.stderr, flush=True)


def fuzzed(texts: list[str], count: int, seed: int) -> tuple[Counter, dict, float]:
    """Return the faults found in `count` replies by kind, the shortest reply with each, and the slowest in seconds."""
    found, shortest, slowest, done = Counter(), {}, 0.0, 0
    for read, faults, replies, longest in fuzz(texts, count, seed):
        found, slowest, done = found + faults, max(slowest, longest), done + read
        for kind, reply in replies.items():
            shortest[kind] = min(shortest.get(kind, reply), reply, key=lambda one: len(one[0]))
        progress(done, count)
    return found, shortest, slowest


def show_cases(folder: Path) -> bool:
    """Print the cases by family, and whether all are right."""
    print("Shared cases, every given field compared")
    count = right = accepted = 0
    for family in FAMILIES:
        found = cases(folder, family)
        taken, wrong = tried(family, found)
        print(f"  {family:14} {len(found) - len(wrong):3} of {len(found)} right, {taken} wrongly accepted")
        for case, told in wrong.items():
            print(f"      {case}: {'; '.join(told)}")
        count, right, accepted = count + len(found), right + len(found) - len(wrong), accepted + taken
    print(f"  {'all':14} {right:3} of {count} right, {accepted} wrongly accepted")
    return right == count


def show_readings(turns: list[str], rows: list[str]) -> bool:
    """Print how many real replies are read, and whether all but one are; an empty answer is a call that is read."""
    print("Real replies of published runs")
    by_name = {"turns in the paper's form": readings(turns, read_reply), "ALFWorld rows": readings(rows, read_command)}
    for name, found in by_name.items():
        told = ", ".join(f"{kind} {count:,}" for kind, count in found.items() if kind != "read")
        print(f"  {name:26} {found['read']:,} of {found.total():,} read{'; refused: ' + told if told else ''}")
    refused = sum(found.total() - found["read"] - found["empty_answer"] for found in by_name.values())
    return refused <= 1


def show_loop() -> bool:
    """Print what five scripted steps cost by `solve`, beside the plain loop, and whether the goals are met."""
    print(f"Loop: 5 scripted steps beside lesson 04's loop on strings, in one process ({ROUNDS} rounds x {EPISODES})")
    met = []
    rows = {
        "replies exactly in the paper's form, the kit's Scripted model": (Scripted, REPLIES),
        "replies in any other form (here with a < in the thought), Scripted": (Scripted, OTHERS),
        "replies exactly in the paper's form, a bare iterator as model": (bare, REPLIES),
    }
    for name, (model, replies) in rows.items():
        ours, plain = loops(model, replies)
        assert plain() == (ours().answer, str(ours().trajectory)), "the two loops tell different stories"
        (micro, times), calls, held = ratio(ours, plain), python_calls(ours), peak(ours)
        print(f"  {name}:")
        print(f"    {times:.1f} times the CPU time ({micro:.0f} us against {micro / times:.0f} us),", end=" ")
        print(f"{calls.total()} Python calls (plain: {python_calls(plain).total()}), {held:.1f} KB peak")
        met.append(times <= TIMES and calls.total() <= CALLS and held <= KILOBYTES)
    print("  most often entered: " + ", ".join(f"{name} {count}" for name, count in calls.most_common(8)))
    told = ", ".join("yes" if one else "no" for one in met)
    print(f"  {TIMES} times, {CALLS} calls and {KILOBYTES} KB kept to: {told}; the goal is set for the first")
    return met[0]


def show_fuzzing(texts: list[str], count: int, seed: int) -> bool:
    """Print what was found in random and mutated replies, and whether that is nothing."""
    began = time.perf_counter()
    found, shortest, slowest = fuzzed(texts, count, seed)
    print(
        f"Fuzzing: {count:,} replies, seed {seed}, {len(texts):,} texts to mutate, {time.perf_counter() - began:.0f} s"
    )
    print(f"  {found.total()} faults; slowest reply {slowest * 1000:.1f} ms")
    for kind, faults in found.most_common():
        print(f"  {kind}: {faults}; the shortest: {ascii(shortest[kind])}")
    return not found


def main() -> int:
    """Print all figures; return 1 where a goal is missed."""
    options = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    options.add_argument("--fuzz", type=int, default=100_000, help="how many replies to make up")
    options.add_argument("--seed", type=int, default=0)
    chosen, folder = options.parse_args(), shared()
    print(f"Python {platform.python_version()}, {platform.system()}; 1 KB = 1,000 bytes")
    runs = folder / "data" / "trajectories"
    turns, rows = list(real_turns(runs)), list(commands(runs))
    texts = [*turns, *rows, *(text for case in cases(folder, "output_parse") if (text := case["input"].get("text")))]
    goals = {"cases": show_cases(folder), "real replies": show_readings(turns, rows), "loop": show_loop()}
    if chosen.fuzz:
        goals["fuzzing"] = show_fuzzing(texts, chosen.fuzz, chosen.seed)
    missed = [name for name, met in goals.items() if not met]
    print(f"Goals missed: {', '.join(missed)}." if missed else "All goals met.")
    return bool(missed)


if __name__ == "__main__":
    sys.exit(main())
