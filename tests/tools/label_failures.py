"""Read recorded runs, and put what you took them for into reactkit/data/failures.json.

python tests/tools/label_failures.py MODEL METHOD [--claims] [--right]          print the runs that have no label yet
python tests/tools/label_failures.py MODEL METHOD --add FILE --by "YOUR NAME"   add labels from a text file

A line of the file is a task's id, a mode and a reason, as in

    q07, hallucination, It says that the first single was Beautiful; the page says Dirrty.

Give each label by reading the run and its pages, never by a rule. The modes, in the order to ask in, are printed above
the runs. An id that has a label already gets the new one, so that a second reading can correct the first.
"""

import argparse
import json
import sys
from pathlib import Path
from textwrap import indent

from reactkit import DataError, kit_claims, kit_questions, shipped_pages
from reactkit.doctor import DATA
from reactkit.failures import FIELDS, MODES, labels, modes_of, written_in
from reactkit.laboratory import FOLDER, recorded_runs
from reactkit.measures import right

FILE = DATA / "failures.json"
PAGES = {page.title: page.sentences for page in shipped_pages()}


def entries():
    return json.loads(FILE.read_text(encoding="utf-8")) if FILE.exists() else []


def evidence(task):
    """Return the evidence path of a task: of each page the sentences that count, or what must not stand on it."""
    rows = []
    for proof in task.evidence:
        told = [
            said for said in PAGES.get(proof.page, ()) if any(part.lower() in said.lower() for part in proof.contains)
        ]
        never = f" (nothing there about: {', '.join(proof.never)})" if proof.never else ""
        rows.append(f"page {proof.page}: {' '.join(told)}{never}")
    return "\n".join(rows)


def unlabelled(model, method, claims, was_right, held, folder=FOLDER):
    """Yield each recorded run of the asked sort that has no label for exactly these words, with its task."""
    runs = recorded_runs(model, method, folder)
    done = {tuple(entry[field] for field in FIELDS[:4]) for entry in held}
    for task in kit_claims() if claims else kit_questions():
        for run in runs[task]:
            if right(task, run) == was_right and (model, method, task.name, written_in(run)) not in done:
                yield task, run


def show(model, method, claims, was_right):
    print("\n".join(f"{mode.partition(', ')[2]}: {MODES[mode]}" for mode in modes_of(method)))
    for number, (task, run) in enumerate(unlabelled(model, method, claims, was_right, entries()), 1):
        print(f"\n{number}. {task.name} ({task.type or 'claim'}), expected: {task.gold}")
        print(indent(f"{evidence(task)}\n--\n{run.trajectory}\n-- {run.outcome}: {run.answer}", "    "))


def fits(entry, folder):
    """Return whether a label still has its run; one that has none, as after a new recording, is named and dropped."""
    try:
        return bool(labels([entry], folder))
    except DataError as error:
        print(f"dropped: {error}", file=sys.stderr)


def added(text, model, method, by, held, folder=FOLDER):
    """Return the entries held and those in the text, later ones in place of earlier ones; all are checked."""
    runs = {task.name: few for task, few in recorded_runs(model, method, folder).items()}
    kept = {tuple(entry[field] for field in FIELDS[:3]): entry for entry in held if fits(entry, folder)}
    for row in filter(str.strip, text.splitlines()):
        name, term, reason = (*map(str.strip, row.split(",", 2)), "", "")[:3]
        mode = next((mode for mode in MODES if mode.endswith(f", {term}")), term)
        replies = written_in(runs[name][0]) if runs.get(name) else "not recorded"
        kept[model, method, name] = dict(zip(FIELDS, (model, method, name, replies, mode, reason, by)))
    made = [kept[key] for key in sorted(kept)]
    labels(made, folder)
    return made


def main():
    options = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    options.add_argument("model")
    options.add_argument("method", help="CoT, Act or ReAct")
    options.add_argument("--claims", action="store_true", help="claims in place of questions")
    options.add_argument("--right", action="store_true", help="right runs in place of wrong ones")
    options.add_argument("--add", type=Path, help="a text file with labels")
    options.add_argument("--by", help="who read the runs")
    chosen = options.parse_args()
    if chosen.add is None:
        return show(chosen.model, chosen.method, chosen.claims, chosen.right)
    try:
        made = added(chosen.add.read_text(encoding="utf-8"), chosen.model, chosen.method, chosen.by or "", entries())
    except DataError as error:
        sys.exit(f"nothing was added: {error}")
    rows = ",\n".join(f" {json.dumps(entry, ensure_ascii=False)}" for entry in made)
    FILE.write_text(f"[\n{rows}\n]\n", encoding="utf-8", newline="\n")
    print(f"{len(made)} labels in {FILE.name}; now renew the checksums: python start.py refresh --checksums")


if __name__ == "__main__":
    main()
