"""`python tests/benchmarks/evaluation.py` prints how near `evaluate` comes to the ideal rate.

A server in a process of its own answers each request 100 ms after it came, as many at once as come. With k requests in
flight the ideal is k answers each 100 ms; the rate is told as a share of that, the median of some rounds. Standard asks
once for a task, Act five times. Before them stand as many threads that send requests with httpx, and do nothing else:
what they miss is the machine's. The exit status is 1 where the goal, 0.9 with 32 in flight, is missed.
"""

import argparse
import asyncio
import io
import json
import os
import platform
import re
import statistics
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))

import httpx  # noqa: E402

from reactkit import ACT, STANDARD, Task  # noqa: E402
from reactkit.evaluation import evaluate  # noqa: E402
from reactkit.live import Server  # noqa: E402
from reactkit.prompts import exemplars  # noqa: E402

DELAY, GOAL, ROUNDS, STEPS = 0.1, 0.9, 20, {"httpx": 1, "Standard": 1, "Act": 5}  # seconds, share, replies to each
METHODS = {method.name: method for method in (STANDARD, ACT)}
SEARCH, PARIS = (json.dumps({"choices": [{"text": text}]}).encode() for text in (" Search[Apple Remote]", " Paris"))


async def connected(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    """Answer the requests on one connection, each after the delay."""
    try:
        while head := await reader.readuntil(b"\r\n\r\n"):
            came = time.monotonic()
            asked = await reader.readexactly(int(re.search(rb"(?i)content-length: *(\d+)", head)[1]))
            told = SEARCH if b"Action" in asked else PARIS
            await asyncio.sleep(came + DELAY - time.monotonic())
            writer.write(b"HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n%b" % (len(told), told))
    except (asyncio.IncompleteReadError, ConnectionError):
        writer.close()


async def serve() -> None:
    """Serve on a free port, which is printed, until the input ends."""
    server = await asyncio.start_server(connected, "127.0.0.1", 0, backlog=256)
    print(server.sockets[0].getsockname()[1], flush=True)
    await asyncio.to_thread(sys.stdin.read)
    os._exit(0)


def plain(address: str, method, in_flight: int, _) -> int:
    """Send the requests of an evaluation and nothing else; return their number."""
    sent = json.dumps({"prompt": f"{exemplars().text(STANDARD)}\n\nQuestion: What is 1?\nAnswer:"})
    with httpx.Client(trust_env=False, limits=httpx.Limits()) as client, ThreadPoolExecutor(in_flight) as pool:
        posted = [pool.submit(client.post, f"{address}/completions", content=sent) for _ in range(in_flight * ROUNDS)]
    return sum(each.result().is_success for each in posted)


def whole(address: str, method, in_flight: int, path: Path) -> int:
    """Evaluate, and return the number of requests."""
    steps = STEPS[method.name]
    tasks = [Task(f"What is {n}?", "Paris") for n in range(in_flight * ROUNDS // steps)]
    model, options = Server(address, "slow", key="", chat=False), {"show": io.StringIO(), "step_cap": steps}
    found = evaluate(tasks, method, model, path, in_flight=in_flight, **options).found
    assert {(one.calls, one.error) for one in found} == {(steps, "")} and len(found) == len(tasks)
    return len(tasks) * steps


def share(address: str, name: str, in_flight: int, path: Path) -> float:
    """Return the answers in a second, as a share of the ideal."""
    begun, method = time.perf_counter(), METHODS.get(name)
    count = (whole if method else plain)(address, method, in_flight, path)
    return count / (time.perf_counter() - begun) * DELAY / in_flight


def main() -> int:
    options = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    options.add_argument("--rounds", type=int, default=5)
    options.add_argument("--in-flight", type=int, nargs="+", default=(1, 8, 32))
    chosen, shares = options.parse_args(), {}
    command, pipes = [sys.executable, __file__, "serve"], {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE}
    print(f"Python {platform.python_version()}, {platform.system()}; {DELAY * 1000:.0f} ms an answer")
    with subprocess.Popen(command, text=True, **pipes) as server, tempfile.TemporaryDirectory() as folder:
        address = f"http://127.0.0.1:{server.stdout.readline().strip()}/v1"
        for in_flight in chosen.in_flight:
            for number in range(chosen.rounds):
                for name in STEPS:  # by turns, so that what else the machine does meets all alike
                    got = share(address, name, in_flight, Path(folder) / f"{name}{in_flight}{number}.jsonl")
                    shares.setdefault((name, in_flight), []).append(got)
            for name in STEPS:
                told = ", ".join(f"{each:.3f}" for each in sorted(shares[name, in_flight]))
                print(f"  {name:8} {in_flight:3} in flight: {statistics.median(shares[name, in_flight]):.3f} ({told})")
        server.stdin.close()
    missed = [name for name in METHODS if statistics.median(shares.get((name, 32), [1])) < GOAL]
    print(f"The goal, {GOAL} with 32 in flight, is {'missed' if missed else 'met'}.")
    return bool(missed)


if __name__ == "__main__":
    sys.exit(asyncio.run(serve()) if sys.argv[1:] == ["serve"] else main())
