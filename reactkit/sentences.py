"""Where a sentence ends: rules for pages and observations that come in one piece.

After a word cut short or an initial, a full stop ends a sentence only before a word of `OPENING`. No library does
better: on HotpotQA's 2,671 paragraphs, where the words were chosen, F1 is 0.987 (pysbd 0.983, sentencex 0.986), and of
100 places in Wikipedia leads where the three disagree, 86 are right by our judgement (39, 53).
"""

import re
from collections.abc import Iterator

__all__ = ["last_end", "sentences"]

SHORT = """Adm|Asst|Bros|Capt|Co|Col|Corp|Det|Dr|Fr|Ft|Gen|Gov|Inc|Jr|Lt|Ltd|Maj|Mr|Mrs|Ms|Mt|Prof|Pvt|Rep|Rev|Sen
|Sgt|Sr|St|Vol|ca|cf|ch|est|fig|fl|ft|lit|no|No|pp|spp|subsp|var|vol|vs|Jan|Feb|Mar|Apr|Jun|Jul|Aug|Sep|Sept|Oct|Nov
|Dec"""
OPENING = """A|According|After|All|Also|Although|Among|An|And|Another|As|At|Based|Because|Before|Both|But|By|Despite
|Due|During|Each|Following|For|From|He|Her|His|However|I|If|In|It|Its|Later|Like|Many|Most|Of|On|One|Other|Over|She
|Since|So|Some|Such|That|The|Their|Then|There|These|They|This|Those|Though|To|Under|Until|We|When|While|With|You"""
STOP = re.compile(r"""(?P<sure>[。！？]+["'”’)\]»」』）]*|(?<=\S)(?=[^\S\n]*\n))|[.!?…]+["'”’)\]»」』）]*""")
NEXT = re.compile(rf"""\s*\Z|\s+(?:(?:{OPENING})\b(?!\.)|(?P<name>\d|["'“‘(\[«¿¡]*[^\W\d_a-zß-öø-ÿα-ωа-я]))""", re.X)
CUT_SHORT = re.compile(  # a single letter is an initial, but for the number in World War I and the unit in 20 °C
    rf"(?<![\w.'’°])(?:(?!(?<=\w\s)I)[^\W\d_]|(?:[^\W\d_]{{1,2}}\.)+[^\W\d_]{{1,2}}|{SHORT})\Z", re.X
)


def sentences(text: str) -> tuple[str, ...]:
    """Return the sentences of a text, for pages that come in one piece; a line break ends one, too."""
    places = [0, *ends(text), len(text)]
    return tuple(piece for start, end in zip(places, places[1:]) if (piece := text[start:end].strip()))


def ends(text: str) -> Iterator[int]:
    """Yield each place where a sentence ends: after its stop, and the quotation marks and brackets that close there."""
    for stop in STOP.finditer(text):
        begins = stop.lastgroup or NEXT.match(text, stop.end())
        named = begins and not stop.lastgroup and begins["name"] and stop[0][0] == "."
        if begins and not (named and CUT_SHORT.search(text, max(0, stop.start() - 16), stop.start())):
            yield stop.end()


def last_end(text: str, room: int) -> int:
    """Return where to cut a text to `room` characters: where a sentence ends, or else between two words."""
    found = [end for end in ends(text) if end <= room]
    return max(found or [gap.start() for gap in re.finditer(r"\s", text[: room + 1])], default=0)
