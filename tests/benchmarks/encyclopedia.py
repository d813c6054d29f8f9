"""`python tests/benchmarks/encyclopedia.py` prints how well and how fast a frozen collection finds pages and titles.

Titles with a fault are asked of the kit, and of what else could be asked: difflib, SQLite's full-text search by words
and by trigrams, and rapidfuzz and tantivy where they are installed. Every draw is fresh: `--seeds 4 5 6` makes three.
All times are CPU times, and ratios are taken within one run. The exit status is 1 where a goal is missed.

The pages are the 5,000 real ones of the folder of real inputs (../shared, or what REACTKIT_SHARED names). The large
collection holds them too, shuffled in among made-up titles. Such a title is a real one in which each word that fewer
than ten titles have gave way: to a word of another title or, as often, to letters strung together as they follow each
other in real words, each chosen after the two before it. The text of a real page stands below it. `--keep FILE` keeps
the large collection for the next run.

Faults that a program makes are not those that people make. So wrong_titles.json has pairs of a wrong title and the one
that was meant, written by hand. The rules of reactkit/likeness.py were made with the bank "tuned" in view; the bank
"held out" was written by someone who knew the titles alone, and is there to be measured, not to be tuned on.
"""

import argparse
import json
import platform
import random
import re
import sqlite3
import statistics
import subprocess
import sys
import tempfile
import time
import tracemalloc
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing
from difflib import get_close_matches
from itertools import islice
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT), str(ROOT / "tests"), str(ROOT / "tests" / "benchmarks")]

from harness import shared  # noqa: E402

from reactkit.encyclopedia import Page  # noqa: E402
from reactkit.freezer import Freezer  # noqa: E402
from reactkit.frozen import Frozen  # noqa: E402
from reactkit.sentences import sentences  # noqa: E402
from reactkit.titles import TITLES_SHOWN, key, plain  # noqa: E402

BY_HAND = Path(__file__).with_name("wrong_titles.json")
LETTERS = "abcdefghijklmnopqrstuvwxyz"
SURPLUS = ("director", "film", "history", "definition", "map", "song", "album", "city", "meaning", "wikipedia")
FEW = 10  # titles that have a word: of fewer, the word makes them special
ROW = "SELECT title, sentences, may_mean, credit, digest FROM pages WHERE title = ?"
RECALL = {"typing error": 99, "dropped word": 90}  # the goals, of 100 titles, at 5,000 pages
FIFTH, TWICE, SLOWEST, FLAT = (
    0.2,
    2.0,
    10.0,
    1.1,
)  # p99 : difflib's p50; hit : raw; p50 in ms; memory
BATCH, ROUNDS = 2000, 15

Ask = Callable[[str], list[str]]


def real_pages(folder: Path) -> dict[str, tuple[str, ...]]:
    """Return the sentences of each real page by its title."""
    rows = (folder / "data" / "wiki" / "vital_articles_sample.jsonl").read_text(encoding="utf-8").splitlines()
    return {page["title"]: sentences(page["extract"]) for page in map(json.loads, rows)}


def word_maker(words: Iterable[str], dice: random.Random) -> Iterator[str]:
    """Yield words that are none of these, their letters strung together as in them."""
    known, follows = set(words), defaultdict(list)
    for word in sorted(known):
        for at, letter in enumerate(f"{word}\n"):
            follows[f"\n\n{word}"[at : at + 2]].append(letter)
    while True:
        word = ""
        while not word.endswith("\n"):
            word += dice.choice(follows[f"\n\n{word}"[-2:]])
        if 4 < len(word) < 15 and word[:-1] not in known:
            yield word[:-1]


def made_up(titles: list[str], dice: random.Random) -> Iterator[str]:
    """Yield titles of the same shape as these, of which none is one of them, and no two are alike."""
    spread = Counter(word for title in titles for word in set(plain(title).split()))
    words, taken = [word for word, count in spread.items() for _ in range(count) if count < FEW], set(map(key, titles))
    maker = word_maker((word for word in spread if word.isalpha() and word.isascii()), dice)

    def other(found: re.Match) -> str:
        if spread[plain(found[0])] >= FEW:
            return found[0]
        word = dice.choice(words) if dice.random() < 0.5 else next(maker)
        return word.capitalize() if found[0][0].isupper() else word

    while True:
        title = re.sub(r"[^\W_]+", other, dice.choice(titles))
        if key(title) not in taken:
            taken.add(key(title))
            yield title


def freeze(path: Path, pages: dict[str, tuple[str, ...]], size: int, seed: int = 0) -> Path:
    """Return the path of a collection of that many pages: these shuffled in among made-up ones."""
    dice = random.Random(seed)
    texts, titles = list(pages.values()), list(pages)
    names = [*titles, *islice(made_up(titles, dice), size - len(titles))]
    dice.shuffle(names)
    freezer = Freezer(path, {"source": "a benchmark"})
    for start in range(0, size, BATCH):
        with freezer.batch():
            for at, title in enumerate(names[start : start + BATCH], start):
                freezer.add(Page(title, pages.get(title, texts[at % len(texts)])))
        progress(start + BATCH, size)
    freezer.close()
    return path


def progress(done: int, count: int) -> None:
    """Show on the terminal how much of a collection is made."""
    if sys.stderr.isatty():
        print(f"\r  {min(done, count):,} of {count:,} pages", end="\n" if done >= count else "", file=sys.stderr)


def typing_error(title: str, dice: random.Random) -> str:
    """Return a title with one letter left out, put in, exchanged, or swapped with its neighbour."""
    while True:
        at, letter = dice.randrange(len(title)), dice.choice(LETTERS)
        before, after, rest = title[:at], title[at:], title[at + 1 :]
        swapped = after[1:2] + after[:1] + after[2:]
        wrong = dice.choice([before + rest, before + letter + after, before + letter + rest, before + swapped])
        if plain(wrong) and wrong != title:
            return wrong


def dropped_word(title: str, dice: random.Random) -> str:
    """Return a title without one of its words."""
    words = title.split()
    del words[dice.randrange(len(words))]
    return " ".join(words)


def without_qualifier(title: str, _: random.Random) -> str:
    """Return a title without what stands in brackets at its end."""
    return title.rpartition(" (")[0]


def swapped_words(title: str, dice: random.Random) -> str:
    """Return a title with one of its words and the next in the other order."""
    words = title.split()
    at = dice.randrange(1, len(words))
    words[at - 1 : at + 1] = words[at], words[at - 1]
    return " ".join(words)


def word_too_many(title: str, dice: random.Random) -> str:
    """Return a title with a word of those behind it that people add."""
    return f"{title} {dice.choice(SURPLUS)}"


FAULTS = {  # name: which titles can have it, and what makes it
    "typing error": (lambda title: len(title) > 1, typing_error),
    "dropped word": (lambda title: " " in title, dropped_word),
    "no qualifier": (lambda title: re.search(r" \([^()]*\)$", title), without_qualifier),
    "swapped words": (lambda title: len(set(title.split())) > 1, swapped_words),
    "word too many": (lambda title: len(title) > 8, word_too_many),
}


def draws(titles: list[str], count: int, seed: int) -> dict[str, list[tuple[str, str]]]:
    """Return for each fault up to `count` pairs of a title and what is asked in its place."""
    dice = random.Random(seed)
    able = {name: [title for title in titles if fits(title)] for name, (fits, _) in FAULTS.items()}
    chosen = {name: dice.sample(some, min(count, len(some))) for name, some in able.items()}
    return {name: [(title, FAULTS[name][1](title, dice)) for title in some] for name, some in chosen.items()}


def full_text(titles: list[str], tokens: str, pieces: Callable[[str], list[str]]) -> Ask:
    """Return SQLite's full-text search for any of the pieces of what is asked, by its own order of relevance."""
    file = sqlite3.connect(":memory:")
    file.execute(f"CREATE VIRTUAL TABLE names USING fts5 (title, tokenize = '{tokens}')")
    file.executemany("INSERT INTO names VALUES (?)", ((title,) for title in titles))
    question = "SELECT title FROM names WHERE names MATCH ? ORDER BY rank LIMIT 5"

    def ask(asked: str) -> list[str]:
        wanted = " OR ".join('"' + piece.replace('"', '""') + '"' for piece in pieces(asked))
        return [title for (title,) in file.execute(question, (wanted,))] if wanted else []

    return ask


def trigrams(text: str) -> list[str]:
    """Return each three letters in a row."""
    return [text[at : at + 3] for at in range(len(text) - 2)]


def by_rapidfuzz(titles: list[str], scorer: str) -> Ask:
    """Return rapidfuzz's search by one of its scorers."""
    from rapidfuzz import fuzz, process, utils

    score, ready = getattr(fuzz, scorer), utils.default_process
    cleaned = [ready(title) for title in titles]
    return lambda asked: [titles[at] for *_, at in process.extract(ready(asked), cleaned, scorer=score, limit=5)]


def by_tantivy(titles: list[str]) -> Ask:
    """Return tantivy's search for any of the words."""
    import tantivy

    index = tantivy.Index(tantivy.SchemaBuilder().add_text_field("title", stored=True).build())
    writer = index.writer()
    for title in titles:
        writer.add_document(tantivy.Document(title=title))
    writer.commit()
    writer.wait_merging_threads()
    index.reload()
    searcher = index.searcher()

    def ask(asked: str) -> list[str]:
        wanted = index.parse_query(plain(asked), ["title"])
        return [searcher.doc(address)["title"][0] for _, address in searcher.search(wanted, 5).hits]

    return ask


def rivals(path: Path, titles: list[str], slow: bool) -> dict[str, Ask]:
    """Return ways to ask for a title by name, ours first; what is not installed is told and passed over."""
    makers = {
        "reactkit": lambda: Frozen(path).similar,
        "difflib": lambda: lambda asked: get_close_matches(asked, titles, TITLES_SHOWN),
        "FTS5 words": lambda: full_text(titles, "unicode61", lambda asked: plain(asked).split()),
        "FTS5 trigram": lambda: full_text(titles, "trigram", trigrams),
        "rapidfuzz ratio": lambda: by_rapidfuzz(titles, "ratio"),
        "rapidfuzz WRatio": lambda: by_rapidfuzz(titles, "WRatio"),
        "tantivy": lambda: by_tantivy(titles),
    }
    ready = {}
    for name in makers if slow else makers.keys() - {"difflib"}:
        try:
            ready[name] = makers[name]()
        except (ImportError, sqlite3.Error) as error:
            print(f"  passed over: {name} ({error})")
    return {name: ready[name] for name in makers if name in ready}


def tried(asks: dict[str, Ask], pairs: list[tuple[str, str]]) -> dict[str, tuple[int, list[float]]]:
    """Return for each way to ask how many titles were among its answers, and the seconds that each answer took."""
    found, seconds = Counter(), defaultdict(list)
    for title, asked in pairs:
        for name, ask in asks.items():
            began = time.process_time()
            answers = ask(asked)
            seconds[name].append(time.process_time() - began)
            found[name] += title in answers
    return {name: (found[name], seconds[name]) for name in asks}


def percentile(seconds: list[float], share: int) -> float:
    """Return the time in milliseconds within which that many of 100 answers came."""
    return sorted(seconds)[max(len(seconds) * share // 100 - 1, 0)] * 1000


def most(titles: list[str], pairs: list[tuple[str, str]]) -> float:
    """Return how many of the titles without one of their words can be expected among five at best, of 100.

    Where more than five titles come to the same without a word, nobody can know which one was meant.
    """
    cut = Counter()
    for title in titles:
        words = plain(title).split()
        cut.update({" ".join(words[:at] + words[at + 1 :]) for at in range(len(words))})
    return statistics.mean(min(1, TITLES_SHOWN / max(cut[plain(asked)], 1)) for _, asked in pairs) * 100


def show_recall(
    asks: dict[str, Ask], titles: list[str], every: list[str], count: int, seeds: list[int]
) -> tuple[dict[str, float], dict[str, tuple[float, float]]]:
    """Print how often each way found the title that was meant, of 100, and how fast; return ours, and all p50 and p99.

    The `titles` are asked for with faults; `every` title is one that might be meant.
    """
    pairs = {fault: [pair for seed in seeds for pair in draws(titles, count, seed)[fault]] for fault in FAULTS}
    came = {fault: tried(asks, some) for fault, some in pairs.items()}
    found = {name: {fault: 100 * came[fault][name][0] / len(pairs[fault]) for fault in FAULTS} for name in asks}
    spent = {name: [second for fault in FAULTS for second in came[fault][name][1]] for name in asks}
    times = {name: (percentile(spent[name], 50), percentile(spent[name], 99)) for name in asks}
    print(f"  right title among the five, of 100 {'  '.join(FAULTS)}      p50 ms   p99 ms  : difflib's p50")
    print(f"    {'n':30}" + "".join(f"{len(pairs[fault]):14}" for fault in FAULTS))
    for name, shares in found.items():
        ratios = "".join(f"{some / times['difflib'][0]:8.3f}" for some in times[name] if "difflib" in times)
        row = "".join(f"{shares[fault]:14.1f}" for fault in FAULTS)
        print(f"    {name:30}{row}{times[name][0]:12.2f}{times[name][1]:9.2f}{ratios}")
    print(f"    a dropped word leaves too little; at best {most(every, pairs['dropped word']):.1f}")
    return found["reactkit"], times


def show_by_hand(asks: dict[str, Ask], titles: list[str]) -> dict[str, int]:
    """Print how many titles each way found of those that people wrote wrongly on purpose; return ours of each bank.

    Strangers are no title at all: of these the fewest answers are best.
    """
    banks, ours = json.loads(BY_HAND.read_text(encoding="utf-8")), {}
    strangers = banks.pop("strangers")
    for bank, rows in banks.items():
        pairs = [(wanted, asked) for _, asked, wanted in rows if wanted in set(titles)]
        came = {name: found for name, (found, _) in tried(asks, pairs).items()}
        ours[bank] = came["reactkit"]
        print(f"  wrong titles by hand, {bank} (n = {len(pairs)}): {', '.join(f'{n} {c}' for n, c in came.items())}")
        missed = [f"{asked} ({wanted})" for wanted, asked in pairs if wanted not in asks["reactkit"](asked)]
        print(f"    not found: {'; '.join(missed)}")
    came = {name: sum(bool(ask(stranger)) for stranger in strangers) for name, ask in asks.items()}
    print(f"  strangers with suggestions (n = {len(strangers)}): {', '.join(f'{n} {c}' for n, c in came.items())}")
    return ours


def show_strangers(ask: Ask, titles: list[str], count: int, seed: int) -> None:
    """Print to how many titles that nothing should resemble something was suggested."""
    dice = random.Random(seed)
    words = {word for title in titles for word in plain(title).split()}
    maker = word_maker((word for word in words if word.isalpha() and word.isascii()), dice)
    firsts = [words[0] for title in titles if len(words := title.split()) > 1]
    for name, first in (("made-up", lambda: next(maker)), ("real first", lambda: dice.choice(firsts))):
        answers = [ask(f"{first()} {next(maker)}".title()) for _ in range(count)]
        told = sum(map(bool, answers))
        print(
            f"    a {name} word and a made-up one: {told} of {count} got suggestions, {sum(map(len, answers))} titles"
        )


def show_hits(path: Path, titles: list[str], rounds: int) -> float:
    """Print what an exact title costs beside a raw read of its row by the primary key, and return the ratio."""
    frozen, raw = Frozen(path), sqlite3.connect(path)

    def taken(read: Callable) -> float:
        began = time.process_time()
        for title in titles:
            read(title)
        return (time.process_time() - began) / len(titles)

    pairs = [(taken(frozen.page), taken(lambda title: raw.execute(ROW, (title,)).fetchall())) for _ in range(rounds)]
    times = statistics.median(ours / theirs for ours, theirs in pairs)
    ours, theirs = (statistics.median(some) * 1e6 for some in zip(*pairs))
    print(f"  exact title: {ours:.1f} us, raw read {theirs:.1f} us, median of ratios {times:.2f}", end=" ")
    print(f"({rounds} rounds x {len(titles)} titles)")
    return times


def held(path: Path, count: int) -> dict[str, float]:
    """Return the megabytes that this process holds at most, before and while it uses some pages of a collection.

    What Python allots is traced in a second pass.
    """
    file = sqlite3.connect(path)
    every = max(file.execute("SELECT max(rowid) FROM pages").fetchone()[0] // count, 1)
    titles = [title for (title,) in file.execute("SELECT title FROM pages WHERE rowid % ? = 0", (every,))][:count]
    file.close()
    before = resident()
    use(path, titles)
    most = resident()
    tracemalloc.start()
    use(path, titles)
    return {"before": before, "peak": most, "traced": tracemalloc.get_traced_memory()[1] / 1e6}


def resident() -> float:
    """Return the most memory that this process has held, in megabytes; on Linux, without that of its parent."""
    try:
        told = Path("/proc/self/status").read_text()
    except FileNotFoundError:
        import resource

        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1000
    return int(re.search(r"VmHWM:\s+(\d+) kB", told)[1]) * 1.024 / 1000


def use(path: Path, titles: list[str]) -> None:
    """Read, ask for and verify pages."""
    frozen, dice = Frozen(path), random.Random(0)
    for title in titles:
        frozen.page(title)
        frozen.similar(typing_error(title, dice))
    frozen.verify()


def show_memory(paths: list[Path], count: int) -> float:
    """Print the peak of memory in a fresh process for each collection, and return how it grew from first to last."""
    told = []
    for path in paths:
        command = [sys.executable, __file__, "--held", str(path), "--draws", str(count)]
        told.append(json.loads(subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True).stdout))
        print(f"    {path.name:16} {', '.join(f'{name} {megabytes:.1f} MB' for name, megabytes in told[-1].items())}")
    ratio = told[-1]["peak"] / told[0]["peak"]
    print(f"    large : small {ratio:.2f}")
    return ratio


def show_size(path: Path, pages: dict[str, tuple[str, ...]]) -> None:
    """Print the size of the file for each page, beside its text."""
    count = int(Frozen(path).about["pages"])
    text = statistics.mean(len(f"{title}{' '.join(lines)}".encode()) for title, lines in pages.items())
    print(f"  {path.stat().st_size / 1e6:.1f} MB, {path.stat().st_size / count:.0f} bytes a page; its text {text:.0f}")


def show(folder: Path, pages: dict[str, tuple[str, ...]], chosen: argparse.Namespace) -> dict[str, bool]:
    """Print all figures, and return whether each goal is met."""
    titles, met = list(pages), {}
    count, seeds = chosen.draws, chosen.seeds
    small = freeze(folder / "small.sqlite", pages, len(pages))
    large = Path(chosen.keep or folder / "large.sqlite")
    if not large.exists():
        freeze(large, pages, chosen.large)
    print(f"{len(pages):,} real pages; seeds {seeds}")
    ours, times = show_recall(rivals(small, titles, True), titles, titles, count, seeds)
    met |= {fault: ours[fault] >= goal for fault, goal in RECALL.items()}
    met["p99"] = times["reactkit"][1] <= FIFTH * times["difflib"][0]
    show_by_hand(rivals(small, titles, True), titles)
    show_strangers(Frozen(small).similar, titles, 2 * count, seeds[0])
    met["hit"] = show_hits(small, titles[:1000], ROUNDS) <= TWICE
    show_size(small, pages)
    with closing(sqlite3.connect(large)) as file:
        every = [title for (title,) in file.execute("SELECT title FROM pages")]
    print(f"{len(every):,} pages, the real ones among them; only these are asked for, seed {seeds[0]}")
    _, times = show_recall(rivals(large, every, False), titles, every, count, seeds[:1])
    met["p50"] = times["reactkit"][0] <= SLOWEST
    show_strangers(Frozen(large).similar, titles, 2 * count, seeds[0])
    show_hits(large, titles[:1000], ROUNDS)
    show_size(large, pages)
    print(f"Peak memory of a fresh process that reads, asks for and verifies pages; {3 * count} pages are read")
    met["memory"] = show_memory([small, large], 3 * count) <= FLAT
    return met


def main() -> int:
    """Print all figures; return 1 where a goal is missed."""
    options = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    options.add_argument("--seeds", type=int, nargs="+", default=[1], help="one fresh draw for each")
    options.add_argument("--draws", type=int, default=100, help="titles of each fault for each seed")
    options.add_argument("--large", type=int, default=200_000, help="pages of the large collection")
    options.add_argument("--keep", help="where the large collection is kept, or was kept")
    options.add_argument("--held", type=Path, help=argparse.SUPPRESS)
    chosen = options.parse_args()
    if chosen.held:
        print(json.dumps(held(chosen.held, chosen.draws)))
        return 0
    print(f"Python {platform.python_version()}, SQLite {sqlite3.sqlite_version}, {platform.system()}; CPU times")
    with tempfile.TemporaryDirectory() as folder:
        met = show(Path(folder), real_pages(shared()), chosen)
    missed = [name for name, reached in met.items() if not reached]
    print(f"Goals missed: {', '.join(missed)}." if missed else "All goals met.")
    return bool(missed)


if __name__ == "__main__":
    sys.exit(main())
