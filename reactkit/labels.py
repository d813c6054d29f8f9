"""The labels in a model's reply: which row begins a thought, an action, an answer or an observation, and which none.

The labels are the paper's (`Thought 1:`, `Action 1:`), its figure's (`Act 1:`) and those of later prompts
(`Action Input:`, `Final Answer:`). Layout and spelling are forgiven: case, numbers, bold type, headings, wide colons.
"""

import re

from reactkit.actions import find_action
from reactkit.literals import data_end

__all__ = ["segments"]

ROLES = {
    "claim": "question",
    "act": "action",
    "obs": "observation",
    "final answer": "answer",
    "action_input": "action input",
}
WORDS = r"question|claim|thought|action[ _]input|action|act|observation|obs|final answer|answer"
ROW = r"(?:^|(?<=[\r\v\f\x85\u2028\u2029]))"  # a row begins wherever some reader would see one begin
UNSEEN = r"\x00-\x08\x0e-\x1f\x7f-\x84\x86-\x9f\xad\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff"
BLANK = rf"[ \t{UNSEEN}\xa0\u1680\u2000-\u200a\u202f\u205f\u3000*_`#-]"  # around a label: layout, seen or unseen
LABEL = (
    rf"(?P<row>{ROW}(?P<mark>(?:>|{BLANK}){{0,24}})(?P<word>{WORDS}){BLANK}{{0,9}}?"
    rf"(?P<number>\d*){BLANK}{{0,9}}?(?P<colon>[:：]|[-–—](?=\s)|$)(?:[*_`]{{1,3}}(?=\s|$))?)"
)
THINKING = r"(?P<reasoning>^[ \t]*<(?P<tag>think|thinking|reasoning)>[\s\S]*?(?:</(?P=tag)>|\Z))"
TURN = r"(?P<turn><\|[\w ]{1,20}\|>|</s>|\[/?INST\]|<(?:start|end)_of_turn>|^(?:Human|User):)"
INLINE = (  # read only where no row begins with a label for an action or an answer
    r"(?P<action>(?<=[.!?。][ \t])act(?:ion)?[ \t]*\d*[:：](?=[ \t]*[\w.-]+(?:[\[(]|[ \t]+action[ _]input[ \t]*[:：]))"
    r"|^[ \t]*(?:```\w*\n[ \t]*)?(?=\{\s*\"(?:action|tool|tool_name|name)\"))"
    r"|(?P<answer>(?<=[.!?。][ \t])final answer[:：])"
)
FLAGS = re.IGNORECASE | re.MULTILINE
AT_ROWS = re.compile(f"{THINKING}|{TURN}|{LABEL}", FLAGS)
ANYWHERE = re.compile(f"{THINKING}|{TURN}|{LABEL}|{INLINE}", FLAGS)
ENDS_THINKING = re.compile(r"([\s\S]*?)</(?:think|thinking|reasoning)>[ \t]*(?=\n|\Z)", re.IGNORECASE)
OPENS_THINKING = re.compile(r"<(?:think|reasoning)", re.IGNORECASE)
DATA = re.compile(r"\s*(?:```\w*\s*)?\{")


def segments(text: str, cue: str) -> list[tuple[str, str, str]]:
    """Return all of the text in order, as (role, label, what stands under it); what has no label belongs to the `cue`.

    Two roles are not a line's: "reasoning" is a thinking block, and "turn" a marker of a chat template.
    """
    ends = ENDS_THINKING.match(text)
    at = ends.end() if ends and not OPENS_THINKING.search(ends[1]) else 0
    found = tokens(AT_ROWS, text, at)
    labelled = {"action", "answer"} & {role for role, _, _ in found}
    found = [(cue, at, at), *(found if labelled else tokens(ANYWHERE, text, at))]
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
    return parts


def tokens(pattern: re.Pattern, text: str, at: int) -> list[tuple[str, int, int]]:
    """Return each label as its role, start and end; what stands in the braces of a call is no label."""
    found = []
    while token := pattern.search(text, at):
        at, role = max(token.end(), token.start() + 1), token.lastgroup
        if role == "row":
            word = " ".join(token["word"].lower().split())
            decorated = token["number"] or set("#*_`") & set(token["mark"])
            role = ROLES.get(word, word) if token["colon"] in (":", "：") or decorated else ""
        if role:
            found.append((role, token.start(), token.end()))
        data = DATA.match(text, token.end()) if role in ("action", "action input") else None
        at = max(at, data_end(text, data.end() - 1)) if data else at
    return found
