"""Atlas: worlds of any size that nobody knows, since all in them is invented: towns, rivers, people, bands, books.

A fact is a relation between a thing and a value, and stands in one sentence of the thing's page. As in a real
encyclopedia, a thing may go by another name than its page's title, share its name, or hold a fact back: until later on
the page than Search shows, or altogether. All words come from data/atlas.json. The same seed makes the same world.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import cycle, islice
from random import Random

from reactkit.coinage import PARTS, coined_names
from reactkit.encyclopedia import SENTENCES_SHOWN, Encyclopedia, Page, Shelf
from reactkit.shipped import shipped
from reactkit.tools import Toolbox, encyclopedia_tools

__all__ = ["Atlas", "Fact", "Thing"]

SMALLEST = 32  # things: from here on there are two of each kind
UNTITLED, REDIRECTED = 0.08, 0.08  # of the things go by a name that misses, or that redirects
NAMESAKES = ("town",), ("river", "band")
UNTOLD, HIDING, DECOYS = 0.25, 0.2, 0.3  # of the facts, of the pages, of the hidden facts


@dataclass(frozen=True, slots=True)
class Thing:
    """Something that has a page: its kind, what everybody calls it, and the title of its page."""

    kind: str
    called: str
    title: str
    redirects: bool = False

    @property
    def searches(self) -> int:
        """How many searches open its page: two where its name misses or has several meanings."""
        return 1 if self.redirects or self.title == self.called else 2

    def words(self, form: str = "spoken") -> str:
        """Return its name within a sentence, as in "the Velm"; "asked" is the form for a question: "the river Velm"."""
        return shipped("atlas.json")["kinds"][self.kind][form].format(self.called)


@dataclass(frozen=True, slots=True)
class Fact:
    """One fact about a thing: `to` is the thing that the value names, if it has a page.

    `sentence` says it, and stands on the page only where the fact is `told`.
    """

    about: Thing
    relation: str
    value: str
    to: Thing | None
    sentence: str
    told: bool = True

    @property
    def forms(self) -> dict:
        """The words for a fact of its kind, such as the `noun` and the `words` that a reader may look up."""
        return shipped("atlas.json")["kinds"][self.about.kind]["facts"][self.relation]

    @property
    def goal(self) -> str:
        """What one looks for who wants to know it, as in "the length of the Velm"."""
        return self.forms["noun"].format(self.about.words())

    @property
    def known(self) -> str:
        """The fact in one plain sentence."""
        return sentence(self.forms["claim"], self.about.words(), value=self.value)

    def lookups(self, page: Page) -> int:
        """Return how many lookups a reader of `page` makes for it, word by word: none where Search shows it."""
        if self.sentence in page.sentences[:SENTENCES_SHOWN]:
            return 0
        made = 0
        for word in self.forms["words"]:
            hits = [said for said in page.sentences if word in said.casefold()]
            if self.sentence in hits:
                return made + hits.index(self.sentence) + 1
            made += len(hits) or 1
        return made


class Atlas:
    """A world of `size` things made from a `seed`; worlds of two parts ("seen", "unseen", "tuning") share no name.

    A size under 32 or an unknown part is a `ValueError`.
    """

    def __init__(self, seed: int = 0, size: int = 240, part: str = "seen"):
        if size < SMALLEST or part not in PARTS:
            raise ValueError(f"size {size}, part {part!r}: a world needs {SMALLEST} things, and a part of {PARTS}")
        self.seed, self.part, self.rng = seed, part, Random(f"{part} {seed}")
        self.names, data = coined_names(self.rng, part), shipped("atlas.json")
        self.things = sharing(map(self.made_thing, islice(cycle(data["order"]), size)))
        self.of_kind = {kind: [thing for thing in self.things if thing.kind == kind] for kind in data["kinds"]}
        self.facts = {thing: tuple(self.made_facts(thing)) for thing in self.things}
        self.page_of = {thing: self.made_page(thing) for thing in self.things}
        self.pages = (*self.page_of.values(), *disambiguation(self.things))
        self.shelf = Shelf(self.pages)

    def environment(self) -> Toolbox:
        """Return Search and Lookup over the pages of this world."""
        return encyclopedia_tools(Encyclopedia(self.shelf))

    def made_thing(self, kind: str) -> Thing:
        """Return a new thing; its page is called as everybody calls it, or fuller, with or without a redirect."""
        data = shipped("atlas.json")
        names, given = self.rng.choice(data["kinds"][kind]["names"]), self.rng.choice(data["given"])
        coined = {letter: next(self.names) for letter in "ab" if f"{{{letter}}}" in names[1]}
        called, fuller = (name.format(given=given, **coined) for name in names)
        chance = self.rng.random()
        plain = chance > UNTITLED + REDIRECTED
        return Thing(kind, called, called if plain else fuller, not plain and chance > UNTITLED)

    def made_facts(self, thing: Thing) -> Iterator[Fact]:
        """Yield one fact for each relation that its kind has; now and then one that nothing will tell."""
        for relation, forms in shipped("atlas.json")["kinds"][thing.kind]["facts"].items():
            value, to = self.made_value(thing, forms)
            said = sentence(self.rng.choice(forms["says"]), value=value, **names_of(thing))
            yield Fact(thing, relation, value, to, said, self.rng.random() > UNTOLD)

    def made_value(self, thing: Thing, forms: dict) -> tuple[str, Thing | None]:
        """Return a value as the forms of a relation want it: a thing of another name, a word, a name or a number."""
        if "to" in forms:
            some = self.of_kind[forms["to"]]
            at = self.rng.randrange(len(some))
            to = some[at - (some[at].called == thing.called)]
            return to.called, to
        if "any" in forms:
            return self.rng.choice(forms["any"]), None
        if "coined" in forms:
            return forms["coined"].format(a=next(self.names)), None
        return str(self.rng.randint(forms["from"], forms["until"])), None

    def made_page(self, thing: Thing) -> Page:
        """Return the page of a thing: some keep one or two facts back, behind the sentences that Search shows."""
        told = [fact for fact in self.facts[thing] if fact.told]
        self.rng.shuffle(told)
        kept = self.rng.choice((1, 2)) if self.rng.random() < HIDING else 0
        early, late = [fact.sentence for fact in told[kept:]], told[:kept]
        leads, idle = self.idle_sentences(thing)
        early += idle[: SENTENCES_SHOWN - 1 - len(early)] if late else idle[: len(early) < 2]
        self.rng.shuffle(early)
        behind = [said for fact in late for said in (*self.decoys(fact), fact.sentence)]
        redirects = (thing.called,) if thing.redirects else ()
        sentences = (self.rng.choice(leads), *early, *behind)
        return Page(thing.title, sentences, redirects, basis=(f"invented: Atlas, {self.part} {self.seed}",))

    def idle_sentences(self, thing: Thing) -> list[list[str]]:
        """Return ways to begin the page of a thing, and sentences that tell nothing of use, in any order."""
        data = shipped("atlas.json")
        slots = {slot: self.rng.choice(words) for slot, words in data["fillers"].items()}
        forms = data["kinds"][thing.kind]
        fillers = self.rng.sample(forms["fillers"], len(forms["fillers"]))
        return [[sentence(form, **slots, **names_of(thing)) for form in some] for some in (forms["leads"], fillers)]

    def decoys(self, fact: Fact) -> list[str]:
        """Return a sentence that a lookup for this fact finds first, or, more often, none."""
        wanted = self.rng.random() < DECOYS
        return [sentence(fact.forms["decoy"], **names_of(fact.about))] if wanted else []


def sharing(things: Iterable[Thing]) -> tuple[Thing, ...]:
    """Return the things; one town in six gives its name to a river or a band as well."""
    made = list(things)
    towns, others = ([at for at, thing in enumerate(made) if thing.kind in kinds] for kinds in NAMESAKES)
    for pair in zip(towns[::6], others[::6]):
        called = made[pair[0]].called
        for at in pair:
            made[at] = Thing(made[at].kind, called, f"{called} ({made[at].kind})")
    return tuple(made)


def disambiguation(things: Iterable[Thing]) -> list[Page]:
    """Return a page for each name that several things share, with the titles that it may mean."""
    titles = {}
    for thing in things:
        titles.setdefault(thing.called, []).append(thing.title)
    return [Page(called, may_mean=tuple(sorted(some))) for called, some in titles.items() if len(some) > 1]


def names_of(thing: Thing) -> dict[str, str]:
    """Return the names that a sentence on its page may use: its title without a bracket, its name, the last of it."""
    title = thing.title.partition(" (")[0]
    return {"title": title, "name": thing.words(), "last": thing.called.split()[-1]}


def sentence(form: str, *words: str, **fields: str) -> str:
    """Return a form filled in, its first letter large."""
    text = form.format(*words, **fields)
    return text[0].upper() + text[1:]
