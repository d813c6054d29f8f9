"""The commands `doctor`, `freeze`, `measure` and `train`, after `reactkit`; the status is 1 where one failed."""

import sys
from argparse import ArgumentParser, RawDescriptionHelpFormatter
from dataclasses import fields

from reactkit import doctor, reports
from reactkit.errors import ReactKitError
from reactkit.freeze import counted, freeze, report
from reactkit.frozen import Frozen
from reactkit.teaching import PASSES, Recipe

__all__ = ["main"]

USAGE = """usage: reactkit COMMAND, or python -m reactkit COMMAND

  doctor   checks this machine: one line for each thing the kit needs, OK, or FAIL with the remedy
  freeze   makes a frozen collection of pages, in one file; `freeze --help` says from what
  measure  prints scores of the recordings, or of those in the folder named, and with `--figures FOLDER` draws them
  train    trains a small model on an expert's runs by one method, in an hour; `train --help` says how"""
FREEZE = """Makes one file of pages, which Search and Lookup read without a network.

An input is a folder of .txt files (the name is the title), JSON lines with "title" and "text", HotpotQA's official
JSON, or a MediaWiki dump (.xml, .xml.bz2, .xml.gz). Where a build is stopped, the same command goes on."""
TRAIN = """Trains an adapter for the small model on runs that an expert wrote in an invented world. Where it is stopped,
the same command goes on."""
OPTIONS = {
    "tasks": "how many tasks to learn from",
    "passes": "how often each is read; 0 stands for the method's own number",
    "batch": "how many texts a step learns from",
    "rate": "the highest learning rate",
    "rank": "the width of the adapter",
    "seed": "from which the world, the order and the first numbers are made",
    "everything": "learn what the environment said, too, which spoils a model: to see how",
}


def main(arguments: list[str] | None = None) -> None:
    """Run the command that the arguments name."""
    match sys.argv[1:] if arguments is None else arguments:
        case ["doctor"]:
            checks = doctor.examine()
            print(doctor.report(checks))
            sys.exit(not all(check.ok for check in checks))
        case ["freeze", *told]:
            make(told)
        case ["train", *told]:
            train(told)
        case [*_, "-h" | "--help"]:
            print(USAGE)
        case ["measure", *folder, "--figures", to] if len(folder) < 2:
            measure(folder, to)
        case ["measure", *folder] if len(folder) < 2 and folder != ["--figures"]:
            measure(folder)
        case _:
            sys.exit(USAGE)


def measure(folder: list[str], to: str | None = None) -> None:
    """Print what the recordings come to, and draw it in a folder where one is given."""
    try:
        sys.stdout.buffer.write(f"{reports.report(*folder)}\n".encode())
        if to:
            reports.draw(reports.charts(*folder), to)
    except ReactKitError as error:
        sys.exit(f"reactkit measure: {error}")


def make(told: list[str]) -> None:
    """Freeze a collection, or check one, as the arguments say."""
    parser = ArgumentParser("reactkit freeze", description=FREEZE, formatter_class=RawDescriptionHelpFormatter)
    parser.add_argument(
        "inputs", nargs="*", metavar="INPUT", help="a file or a folder; of two equal titles the first stays"
    )
    parser.add_argument("--to", metavar="FILE", help="the file to make")
    parser.add_argument("--source", default="", metavar="TEXT", help="where the pages are from; else the inputs' names")
    parser.add_argument("--licence", default="", metavar="TEXT", help="under which licence their text stands")
    parser.add_argument("--again", action="store_true", help="make anew what is there, or was begun from other inputs")
    parser.add_argument("--check", metavar="FILE", help="compare a file with its checksums, and say what it holds")
    asked = parser.parse_args(told)
    if bool(asked.inputs) != bool(asked.to) or bool(asked.to) == bool(asked.check):
        parser.error("give one or more inputs and --to FILE, or --check FILE alone")
    try:
        if asked.check:
            (frozen := Frozen(asked.check)).verify()
            print(f"All {counted(int(frozen.about['pages']), 'page')} are as they were made.")
        else:
            frozen = freeze(asked.inputs, asked.to, asked.source, asked.licence, asked.again)
        sys.stdout.reconfigure(errors="replace")  # a title may have letters that a terminal lacks
        print(report(frozen))
    except ReactKitError as error:
        sys.exit(f"reactkit freeze: {error}")
    except KeyboardInterrupt:
        sys.exit("\nStopped. The same command goes on from here.")


def train(told: list[str]) -> None:
    """Train an adapter as the arguments say."""
    parser = ArgumentParser("reactkit train", description=TRAIN)
    parser.add_argument("method", choices=[*PASSES], help="what the expert's runs are written by")
    for field in fields(Recipe)[1:]:
        how = {"action": "store_true"} if field.type is bool else {"type": field.type, "default": field.default}
        parser.add_argument(f"--{field.name}", help=OPTIONS[field.name], **how)
    parser.add_argument("--to", metavar="FOLDER", help="where the adapter and the state are kept; else results/METHOD")
    asked = vars(parser.parse_args(told))
    folder = asked.pop("to") or f"results/{asked['method'].lower()}"
    try:
        from reactkit.tuning import tune  # here: it needs packages that no other command does

        print(f"The adapter is {tune(Recipe(**asked), folder, lambda text: print(text, flush=True))}")
    except ImportError as error:
        sys.exit(f"reactkit train: {error.name} is missing; `python start.py train` installs what training needs")
    except ReactKitError as error:
        sys.exit(f"reactkit train: {error}")
    except KeyboardInterrupt:
        sys.exit("\nStopped. The same command goes on from the last step that was saved.")


if __name__ == "__main__":
    main()
