"""The commands `reactkit doctor`, `freeze` and `measure`, also after `python -m`; the status is 1 where one failed."""

import sys
from argparse import ArgumentParser, RawDescriptionHelpFormatter

from reactkit import doctor, reports
from reactkit.errors import ReactKitError
from reactkit.freeze import counted, freeze, report
from reactkit.frozen import Frozen

__all__ = ["main"]

USAGE = """usage: reactkit COMMAND, or python -m reactkit COMMAND

  doctor   checks this machine: one line for each thing the kit needs, OK, or FAIL with the remedy
  freeze   makes a frozen collection of pages, in one file; `freeze --help` says from what
  measure  prints the scores of the recordings and kinds of failures, or scores of those in the folder that you name;
           with `--figures FOLDER` at the end, draws the figures there, as SVG files"""
FREEZE = """Makes one file of pages, which Search and Lookup read without a network.

An input is a folder of .txt files (the name is the title), JSON lines with "title" and "text", HotpotQA's official
JSON, or a MediaWiki dump (.xml, .xml.bz2, .xml.gz). Where a build is stopped, the same command goes on."""


def main(arguments: list[str] | None = None) -> None:
    """Run the command that the arguments name."""
    match sys.argv[1:] if arguments is None else arguments:
        case ["doctor"]:
            checks = doctor.examine()
            print(doctor.report(checks))
            sys.exit(not all(check.ok for check in checks))
        case ["freeze", *told]:
            make(told)
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


if __name__ == "__main__":
    main()
