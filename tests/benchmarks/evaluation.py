"""`python tests/benchmarks/evaluation.py` prints how near `evaluate` comes to the ideal rate.

A server on this machine answers each request after 100 ms, as many at once as come. With k requests in flight the ideal
is k answers each 100 ms; the rate is told as a share of that, the median of some rounds. The exit status is 1 where the
goal, 0.9 with 32 in flight, is missed.
"""

import argparse
import io
import json
import platform
import statistics
import sys
import tempfile
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from multiprocessing import Pipe, Process
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))

import httpx  # noqa: E402

from reactkit import ACT, STANDARD, Task  # noqa: E402
from reactkit.evaluation import evaluate  # noqa: E402
from reactkit.live import Server  # noqa: E402

DELAY, GOAL, GOAL_AT = 0.1, 0.9, 32


class Slow(BaseHTTPRequestHandler):
    """A model server that answers after a while, always the same."""

    protocol_version, wbufsize = "HTTP/1.1", -1  # in one piece: two small ones wait for each other, 40 ms

    def do_POST(self):
        asked = self.rfile.read(int(self.headers["Content-Length"]))
        time.sleep(DELAY)
        reply = " Search[Apple Remote]" if b"Action" in asked else " Paris"
        body = json.dumps({"choices": [{"text": reply, "finish_reason": "stop"}]}).encode()
        self.send_response(200)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


class Crowd(ThreadingHTTPServer):
    request_queue_size, daemon_threads = 256, True


def serve(told) -> None:
    """Serve on a free port, which `told` hears, until the process is ended."""
    server = Crowd(("127.0.0.1", 0), Slow)
    told.send(server.server_port)
    server.serve_forever()


def rate(address: str, method, in_flight: int, steps: int, folder: Path, number: int) -> float:
    """Return the answers in a second, of as many tasks as keep the server busy for two seconds or more."""
    limits = httpx.Limits(max_connections=in_flight, max_keepalive_connections=in_flight)
    model = Server(address, "slow", key="", chat=False, client=httpx.Client(limits=limits, trust_env=False))
    tasks = [Task(f"What is {n}?", "Paris") for n in range(max(in_flight * 20 // steps, 20 // steps))]
    begun = time.perf_counter()
    results = evaluate(
        tasks, method, model, folder / f"{number}.jsonl", step_cap=steps, in_flight=in_flight, show=io.StringIO()
    )
    spent = time.perf_counter() - begun
    calls = sum(one.calls for one in results.found)
    assert calls == len(tasks) * (steps if method is ACT else 1) and not any(one.error for one in results.found)
    return calls / spent


def main() -> int:
    options = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    options.add_argument("--rounds", type=int, default=5)
    chosen = options.parse_args()
    there, here = Pipe()
    server = Process(target=serve, args=(there,), daemon=True)  # of its own, so that it takes no time of ours
    server.start()
    address, shares, number = f"http://127.0.0.1:{here.recv()}/v1", {}, 0
    print(f"Python {platform.python_version()}, {platform.system()}; {DELAY * 1000:.0f} ms an answer")
    with tempfile.TemporaryDirectory() as folder:
        for method, steps in ((STANDARD, 1), (ACT, 5)):
            for in_flight in (1, 8, 32):
                rates = []
                for _ in range(chosen.rounds):
                    number += 1
                    rates.append(rate(address, method, in_flight, steps, Path(folder), number))
                shares[method.name, in_flight] = statistics.median(rates) / (in_flight / DELAY)
                told = ", ".join(f"{each * DELAY / in_flight:.3f}" for each in sorted(rates))
                print(f"  {method.name:8} {in_flight:3} in flight: {shares[method.name, in_flight]:.3f} ({told})")
    server.terminate()
    met = shares["Standard", GOAL_AT] >= GOAL
    print(f"The goal, {GOAL} with {GOAL_AT} in flight, is {'met' if met else 'missed'}.")
    return not met


if __name__ == "__main__":
    sys.exit(main())
