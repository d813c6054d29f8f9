"""The labels in a model's reply: which row begins a thought, an action, an answer or an observation, and which none.

The labels are the paper's (`Thought 1:`, `Action 1:`), its figure's (`Act 1:`) and those of later prompts
(`Action Input:`, `Final Answer:`). Layout and spelling are forgiven: case, numbers, bold type, headings, wide colons.
"""

import re

from reactkit.actions import INPUT_KEYS, find_action
from reactkit.literals import data_end

__all__ = ["segments"]

ROLES = {"claim": "question", "act": "action", "obs": "observation", "final answer": "answer"}
WORDS = r"question|claim|thought|action[ _]?input|action|act|observation|obs|final[ _]answer|answer"
TAG = r"(?:think|thinking|thought|reasoning)"
ROW = r"(?:^|(?<=[\r\v\f\x85\u2028\u2029])|(?<=</think>)|(?<=</thinking>)|(?<=\|>))"  # wherever a reader sees one begin
UNSEEN = r"\x00-\x08\x0e-\x1f\x7f-\x84\x86-\x9f\xad\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff"
BLANK = rf"[ \t{UNSEEN}\xa0\u1680\u2000-\u200a\u202f\u205f\u3000*_`#-]"  # around a label: layout, seen or unseen
LABEL = (
    rf"(?P<row>{ROW}(?P<mark>(?:>|{BLANK})*)(?P<word>{WORDS})s?{BLANK}{{0,9}}?\(?(?P<number>\d*)\)?{BLANK}{{0,9}}?"
    r"(?P<colon>[:：]|[-–—](?=\s)|(?<=\d)\.(?=\s)|(?=\r?$)|(?<=\d)(?=[ \t]+\w))(?:[*_`]{1,3}(?=\s|$))?)"
)
THINKING = (  # closed, wherever it begins; or never closed, at the beginning of a row
    rf"(?P<reasoning>(?:^[ \t>*\ufeff]*)?(?<!`)[<\[](?P<tag>{TAG})\b[^\n>\]]{{0,40}}[>\]][\s\S]*?[<\[]/(?P=tag)[>\]]"
    rf"|^[ \t>*\ufeff]*[<\[]{TAG}\b[^\n>\]]{{0,40}}[>\]][\s\S]*\Z"
    r"|<\|channel\|>analysis<\|message\|>[\s\S]*?(?:<\|end\|>|\Z))"
)
TURN = (  # of a chat template, with the header of the model's own turn
    r"(?P<turn><\|channel\|>\w+<\|message\|>|(?:<\|[\w ]{1,20}\|>|<(?:start|end)_of_turn>)"
    r"(?:(?:assistant|model)(?=\s|<))?(?:<\|end_header_id\|>)?|</s>|\[/?INST\]|^(?:Human|User):)"
)
INLINE = (  # read only where no row begins with a label for an action, and but for JSON, none for an answer
    r"(?P<action>(?<=[.!?。][ \t])act(?:ion)?[ \t]*\d*[:：](?=[ \t]*[\w.-]+[\[(])"
    r"|(?<=[ \t])act(?:ion)?[ \t]*\d*[:：](?=[ \t]*[\w.-]+[ \t]+action[ _]input[ \t]*[:：]))"
    r"|(?P<json>^[ \t]*(?:(?:```\w*|<tool_call>)\s*)?(?=\{\s*[\"']\w+[\"']\s*:))"
    r"|(?P<answer>(?<=[.!?。][ \t])final answer[:：])"
)
FLAGS = re.IGNORECASE | re.MULTILINE
AT_ROWS = re.compile(f"{THINKING}|{TURN}|{LABEL}", FLAGS)
ANYWHERE = re.compile(f"{THINKING}|{TURN}|{LABEL}|{INLINE}", FLAGS)
ENDS_THINKING = re.compile(
    rf"([\s\S]*?)</{TAG}>[ \t]*(?=\r?\n|\Z|(?:thought|action|act|final answer|answer)\b)", re.IGNORECASE
)
MARK = re.compile(rf"\s*[<\[]/?{TAG}\b[^\n>\]]{{0,40}}[>\]]\s*", re.IGNORECASE)  # that opens or closes thinking
OPENS = re.compile(rf"(?<!`)[<\[]{TAG}\b[^\n>\]]{{0,40}}[>\]]", re.IGNORECASE)
CLOSES = re.compile(rf"(?<!`)[<\[]/{TAG}[>\]]", re.IGNORECASE)
HALF_A_MARK = re.compile(r"(?:<|[<\[]/\w{0,9})\Z")
OPENS_THINKING = re.compile(rf"<{TAG}", re.IGNORECASE)
CALL = re.compile(rf"[\"'](?:{'|'.join(INPUT_KEYS)})[\"']")
LAST = re.compile(  # behind it: nothing, another call, the marker of a turn, or what a model goes on with
    r"\s*(?:```|</tool_call>)?\s*(?:\Z|(?:```\w*\s*|<tool_call>\s*)?\{|<\||</s>|\W*(?:obs|thought|(?:final )?answer))",
    re.I,
)
DATA = re.compile(r"\s*(?:```\w*\s*)?\{")


def segments(text: str, cue: str, cut: bool = False, at: int = 0) -> list[tuple[str, str, str]]:
    """Return all of the text in order, as (role, label, what stands under it); what has no label belongs to the `cue`.

    Two roles are not a line's: "reasoning" is a thinking block, and "turn" a marker of a chat template. Up to `at` all
    is thinking; of a reply that the server `cut`, so is what follows a mark that opens it and is not closed.
    """
    ends = None if at else ENDS_THINKING.match(text)
    at = ends.end() if ends and not OPENS_THINKING.search(ends[1]) else at
    end = left_open(text, at) if cut else len(text)
    text, thinking = text[:end], text[end:]
    found = tokens(AT_ROWS, text, at)
    labelled = {"action", "answer"} & {role for role, _, _ in found}
    wider = found if "action" in labelled else tokens(ANYWHERE, text, at)
    # an object that comes before an answer is a call; it has no label of its own
    first = next(("act" in text[start:end].lower() for role, start, end in wider if role in ("action", "answer")), True)
    found = [(cue, at, at), *(found if labelled and first else wider)]
    if cue == "action" and labelled and find_action(text[at : found[1][1]])[0] is None:
        found[0] = ("thought", at, at)  # talk before the action that was asked for
    parts, role = [("reasoning", "", text[:at])], cue
    for (following, start, body), end in zip(found, [start for _, start, _ in found[1:]] + [len(text)]):
        if following == "reasoning":
            parts.append(("reasoning", "", text[start:body]))
            start = body
        else:
            role = following
        parts.append((role, text[start:body], text[body:end]))
    return [*parts, ("reasoning", "", thinking)] if thinking else parts


def left_open(text: str, at: int) -> int:
    """Return where thinking begins that is not closed any more; the length of the text where none does."""
    last = max((mark.end() for mark in CLOSES.finditer(text, at)), default=at)
    return next((mark.start() for mark in OPENS.finditer(text, last) if not in_call(text, mark.start())), len(text))


def thought_until(text: str, behind: int, cut: bool) -> int:
    """Return where thinking ends that began before the text, if that is `behind` a call in it; 0 where it does not.

    Of a reply that the server `cut`, half a mark at the end closes it, too. Behind a mark that opens thinking, any
    other that closes it is text.
    """
    opens = OPENS.search(text)
    closes = CLOSES.finditer(text, behind, opens.start() if opens else len(text))
    half = cut and not opens and HALF_A_MARK.search(text)
    return next((mark.end() for mark in closes if not in_call(text, mark.start())), len(text) if half else 0)


def in_call(text: str, at: int) -> bool:
    """Return whether a place stands in the input of a call: in its row, a bracket is open."""
    before = text[text.rfind("\n", 0, at) + 1 : at]
    return before.count("[") > before.count("]")


def tokens(pattern: re.Pattern, text: str, at: int) -> list[tuple[str, int, int]]:
    """Return each label as its role, start and end; what stands in the braces of a call is no label."""
    found = []
    while token := pattern.search(text, at):
        at, role, start, end = max(token.end(), token.start() + 1), token.lastgroup, token.start(), token.end()
        if role == "row":
            role = role_of(token, found[-1][0] if found else "")
        elif role == "reasoning":
            if in_call(text, start):
                at, role = start + 1, ""
        data = DATA.match(text, end) if role in ("action", "action input", "json") else None
        data_ends = data_end(text, data.end() - 1) if data else 0
        if role == "json":  # an object alone is a call only if it looks like one, and no talk goes on behind it
            role = "action" if CALL.search(text[end:data_ends]) and LAST.match(text, data_ends) else ""
        if role:
            found.append((role, start, end))
            at = max(at, data_ends)
    return found


def role_of(token: re.Match, last: str) -> str:
    """Return the role that a label stands for, or nothing where a row only begins with such a word.

    Behind an action, an observation is known by less than a colon: nobody else would go on with that word.
    """
    word = token["word"].lower().replace("_", " ")
    role, colon = "action input" if "input" in word else ROLES.get(word, word), token["colon"] in (":", "：")
    bare = token["colon"] or token.string[token.end() : token.end() + 1] in ("", "\r", "\n")
    decorated = bare and (token["number"] or set("#*_`") & set(token["mark"]))
    invented = role == "observation" and last in ("action", "action input") and (bare or token["number"])
    return role if colon or decorated or invented else ""
