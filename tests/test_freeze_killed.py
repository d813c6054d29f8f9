"""A build that is killed, again and again, goes on with nothing lost and nothing doubled."""

import random
import subprocess
import sys
from contextlib import suppress

from reactkit.freeze import freeze
from reactkit.frozen import Frozen

BUILD = """
import io, sys
from reactkit.freeze import freeze

class Asking(io.StringIO):
    def isatty(self):
        return True

    def write(self, text):
        print("mark", flush=True)
        input()

freeze(sys.argv[2:], sys.argv[1], source="real pages", date="now", batch=10, show=Asking())
"""
INPUTS = (
    "wiki/vital_articles_sample.jsonl",
    "hotpotqa/hotpot_dev_distractor_reflexion.json",
    "hotpotqa/hotpot_train_distractor_sample.json",
)


def killed(to, inputs, moment):
    """Go on with a build until it shows progress, and kill it a moment later; return whether it was killed."""
    words = [sys.executable, "-c", BUILD, to, *inputs]
    with subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as build, suppress(OSError):
        if build.stdout.readline():
            print(file=build.stdin, flush=True)
            with suppress(subprocess.TimeoutExpired):
                build.wait(moment)
        build.kill()
    return build.returncode != 0


def told(frozen):
    """Return all that two builds of the same have in common."""
    frozen.verify()
    counts = [frozen.file.execute(f"SELECT count(*) FROM {table}").fetchone() for table in ("pages", "names", "marks")]
    return frozen.about, counts, frozen.rows("SELECT name, title FROM names ORDER BY name")


def test_a_build_that_is_killed_at_many_places_ends_as_if_nothing_had_happened(tmp_path, real_data):
    inputs, rng, kills, to = [real_data / name for name in INPUTS], random.Random(4), 0, tmp_path / "x.sqlite"
    wanted = told(freeze(inputs, tmp_path / "wanted.sqlite", source="real pages", date="now", batch=10))
    while not to.exists():
        kills += killed(to, inputs, rng.uniform(0, 0.15 + (kills / 12) ** 2))  # later on it compares all before it ends
        assert kills < 100, "the build never ends"
    assert told(Frozen(to)) == wanted
    assert (kills > 1, wanted[0]["pages"]) == (True, "7657")
