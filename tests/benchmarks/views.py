"""`python tests/benchmarks/views.py` prints how long a trace of 500 passes takes to open and to step, in Chromium.

The stepper's 1,501 lines are put on a plain page and laid out; then 100 steps are taken with Next, from the middle on.
Beside each time stands its ratio to the least that could be done: the same list without style and script, and one
hidden attribute taken from one line of it. Side by side and the context view are told too, smaller. The exit status is
1 where a goal is missed: the stepper opens in under 300 ms, made in Python and laid out, and takes a step in under
5 ms, the median of 100.
"""

import argparse
import platform
import statistics
import sys
import time
from collections.abc import Callable
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT), str(ROOT / "tests")]

from browser import chromium, plain_page  # noqa: E402

from reactkit import REACT, Exemplars, Scripted, Toolbox, solve  # noqa: E402
from reactkit.runs import Run  # noqa: E402
from reactkit.views import context_at, side_by_side, stepper  # noqa: E402

OPENS_IN, STEPS_IN = 300, 5  # ms
SENTENCE = "The lamp on Gull Rock was lit in 1811, four years after the storm. "
OPEN = """html => new Promise(done => {
  const begun = performance.now();
  const main = document.querySelector("main");
  main.replaceChildren(document.createRange().createContextualFragment(html)); // runs the script
  main.offsetHeight;
  const laid = performance.now() - begun;
  requestAnimationFrame(() => setTimeout(() => done([laid, performance.now() - begun])));
})"""
STEP = """() => {
  const next = [...document.querySelectorAll("button")].find((each) => each.textContent === "Next");
  const slider = document.querySelector("input[type=range]"), spent = [];
  slider.value = Number(slider.min) + Math.floor((slider.max - slider.min) / 2);
  slider.dispatchEvent(new Event("input"));
  document.body.offsetHeight;
  while (spent.length < 100 && next.getAttribute("aria-disabled") !== "true") {
    const begun = performance.now();
    next.click();
    document.body.offsetHeight;
    spent.push(performance.now() - begun);
  }
  return spent;
}"""
LEAST = """() => {
  const items = [...document.querySelectorAll(".rk-tracks li")], spent = [], half = Math.floor(items.length / 2);
  for (const item of items.slice(half)) item.hidden = true;
  document.body.offsetHeight;
  for (const item of items.slice(half, half + 100)) {
    const begun = performance.now();
    item.hidden = false;
    document.body.offsetHeight;
    spent.push(performance.now() - begun);
  }
  return spent;
}"""


def run_of(passes: int) -> Run:
    """Return a run that searches in each of its passes and sees the same sentences."""
    replies = (f"{SENTENCE}\nAction {step}: Search[Gull Rock {step}]" for step in range(1, passes + 1))
    tools = Toolbox({"Search": lambda title: SENTENCE * 4})
    return solve("When was the lamp lit?", REACT, Scripted(replies), tools, Exemplars(), step_cap=passes)


def timed(make: Callable) -> tuple[float, str]:
    """Return the milliseconds that a view takes to be made, and its HTML."""
    begun = time.perf_counter()
    html = make().html
    return (time.perf_counter() - begun) * 1000, html


def measure(page, name: str, make: Callable, rounds: int) -> tuple[float, float]:
    """Print and return the medians of opening a view, made and laid out, and of a step."""
    made, html = min(timed(make) for _ in range(rounds))
    markup = make().markup
    page.set_content(plain_page(""))
    opened = [page.evaluate(OPEN, html) for _ in range(rounds)]
    laid, painted = (statistics.median(each) for each in zip(*opened, strict=True))
    steps = page.evaluate(STEP)
    bare = statistics.median(page.evaluate(OPEN, markup)[0] for _ in range(rounds))
    least = statistics.median(page.evaluate(LEAST))
    step = statistics.median(steps)
    print(f"  {name}, {len(html) / 1000:,.0f} kB, made in {made:.0f} ms")
    print(f"    laid out in {laid:.0f} ms, {laid / bare:.1f} times the bare {bare:.0f} ms; painted by {painted:.0f} ms")
    times = f"{step / (least or 0.1):.1f} times the bare {least:.2f} ms"
    print(f"    a step in {step:.2f} ms, {times}; the slowest of {len(steps)} in {max(steps):.1f} ms")
    return made + laid, step


def main() -> int:
    options = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    options.add_argument("--rounds", type=int, default=5)
    rounds = options.parse_args().rounds
    run, short = run_of(500), run_of(50)
    with chromium() as browser:
        print(f"Python {platform.python_version()}, Chromium {browser.version}, {platform.system()}")
        page = browser.new_page(viewport={"width": 1280, "height": 900})
        opened, step = measure(page, "stepper, 500 passes", lambda: stepper(run), rounds)
        measure(page, "side by side, 4 runs of 50 passes", lambda: side_by_side(dict.fromkeys("abcd", short)), rounds)
        measure(page, "context, 50 calls", lambda: context_at(short), rounds)
    met = opened < OPENS_IN and step < STEPS_IN
    print(f"The stepper's goals, {OPENS_IN} ms to open and {STEPS_IN} ms a step, are {'met' if met else 'missed'}.")
    return not met


if __name__ == "__main__":
    sys.exit(main())
