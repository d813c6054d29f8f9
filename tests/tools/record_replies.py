"""Record what a small real model writes when nothing stops it: reactkit/data/small_model_replies.json, for lesson 07.

python tests/tools/record_replies.py        needs `python start.py local --install-only`, and some minutes

Each of the kit's first 24 questions is asked twice, without a stop string: after the six exemplars, and after the
first of them alone. The model samples, with the number of the reply as its seed. A run that was stopped goes on where
it was.
"""

import datetime
import json
import platform
import sys
from importlib.metadata import version
from pathlib import Path

from reactkit import REACT, Exemplars, Line, Trajectory, context, exemplars, kit_questions
from reactkit.live import Server
from reactkit.servers import served, weights

PATH = Path(__file__).resolve().parents[2] / "reactkit" / "data" / "small_model_replies.json"
ASKED = 24  # questions; lesson 07 counts the 48 replies
SETTINGS = {"temperature": 0.7, "max_tokens": 120, "stop": None}


def prompts(task):
    """Yield the name of each way to ask, and what the model reads."""
    trajectory, shown = Trajectory((Line("question", task.text),)), exemplars("Question")
    yield "six exemplars", context(REACT, shown, trajectory, "Thought 1")
    yield "one exemplar", context(REACT, Exemplars(shown.trajectories[:1]), trajectory, "Thought 1")


def main():
    path = weights()
    server = served(path)
    head = {
        "model": path.stem,
        "licence": "Apache-2.0",
        "runtime": f"xllamacpp {version('xllamacpp')}, {platform.machine()}",
        "settings": SETTINGS,
        "recorded": datetime.date.today().isoformat(),
        "replies": [],
    }
    held = json.loads(PATH.read_text(encoding="utf-8")) if PATH.exists() else head
    done = {(one["question"], one["prompt"]) for one in held["replies"]}
    rows = [(task.text, *prompt) for task in kit_questions()[:ASKED] for prompt in prompts(task)]
    for number, (question, prompt, read) in enumerate(rows, 1):
        if (question, prompt) not in done:
            settings = {**SETTINGS, "seed": number}
            model = Server(server.listening_address, path.stem, key="", chat=False, settings=settings, timeout=300)
            reply = model(read)
            row = {"question": question, "prompt": prompt, "seed": number, "ended": reply.finish_reason, "reply": reply}
            held["replies"].append(row)
            PATH.write_text(json.dumps(held, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")
        print(f"{number} of {len(rows)}", end="\r", file=sys.stderr, flush=True)
    del server


if __name__ == "__main__":
    main()
