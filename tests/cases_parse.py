"""What the kit makes of one reply in the shared cases, under the names that the cases use."""

import re
from inspect import Parameter, Signature

from reactkit.models import cut
from reactkit.replies import read_reply
from reactkit.tools import Tool, Toolbox

KEPT = {"label", "reasoning", "thought", "action", "answer"}
WARNINGS = {
    "missing_thought_label",
    "tool_name_cleaned",
    "lenient_json",
    "several_actions",
    "trailing_text_ignored",
    "answer_not_accepted",
    "turn_marker_in_reply",
}
POINTS = {  # a point that the model must be told, where our wording is another
    "position of the fault": "at character",
    "there is no tool 'Use Search'": "There is no action called Use Search",
}


def outcome(given):
    """Return what the parser and the tools make of a reply, by the names of the cases' fields."""
    text = given.get("text", "".join(given.get("chunks", ())))
    reply, ran = read_reply(text, None, finish_reason=given.get("finish_reason")), []
    assert "".join(piece for _, piece in reply.parts) == text
    notes, box = list(reply.notes), toolbox(given["tools"], ran)
    failure = reply.refusal.kind if reply.refusal else ""
    if reply.action is not None and reply.action.tool != "Finish" and not failure:
        seen = box.observe(reply.action)
        failure, told = getattr(seen, "failure", ""), str(seen)
    else:
        told = " ".join(note.message for note in notes)
    finished = reply.action is not None and reply.action.tool == "Finish"
    tool, value = ran[0] if ran else ("", {})
    return {
        "result": "error" if failure else "finish" if finished or reply.answer is not None else "action",
        "thought": reply.thought,
        "tool": tool,
        "arg": next(iter(value.values()), None) if len(value) == 1 else None,
        "args": value,
        "answer": reply.action.argument if finished else reply.answer,
        "warnings": sorted(note.kind for note in notes if note.kind in WARNINGS),
        "dropped": [{"kind": kind, "text": piece.strip()} for kind, piece in reply.parts if kind not in KEPT],
        "error": failure,
        "tool_runs": len(ran),
        "told": told,
        "reasoning": reply.reasoning,
        "shown_to_user": cut(text, given.get("stop", ())),
    }


def toolbox(tools, ran):
    """Return tools that note what they are given: of a list, each takes one text, of a map the named parameters."""
    named = tools if isinstance(tools, dict) else dict.fromkeys(tools)
    return Toolbox([Tool(noting(name, names, ran), name) for name, names in named.items() if name.lower() != "finish"])


def noting(name, names, ran):
    def run(*one, **given):
        ran.append((name, {"": one[0]} if one else given))
        return "done"

    one = [Parameter("text", Parameter.POSITIONAL_ONLY)]
    listed = one if names is None else [Parameter(each, Parameter.KEYWORD_ONLY) for each in names]
    run.__signature__ = Signature(listed)
    return run


def differences(expected, came):
    """Return each field of a case in which `came` differs, as text; a field that is not known is one, too."""
    if "one_of" in expected:
        found = [differences(one, came) for one in expected["one_of"]]
        return [] if [] in found else found[0]
    return [told for name, value in expected.items() if (told := difference(name, value, came))]


def difference(name, value, came):
    if name == "tell_model":
        missing = [point for point in value if not tells(came["told"], POINTS.get(point, point))]
        return f"the model is not told {missing}: {came['told']!r}" if missing else ""
    if name == "did_you_mean":
        return "" if tells(came["told"], f"did you mean {value}") else f"not suggested: {came['told']!r}"
    if name == "raw_kept":  # the assertion in `outcome` holds for every reply
        return ""
    if name == "not_error":
        return f"the error is {value}" if came["error"] == value else ""
    if name == "warnings":
        value = sorted(value)
    if name not in came:
        return f"the field {name} is not known"
    return "" if came[name] == value else f"{name}: {came[name]!r} instead of {value!r}"


def tells(told, point):
    """Return whether a message makes a point: the words of the point in order, whatever stands between and around."""
    words = re.findall(r"\w+|[\[\]]", point.casefold())
    pattern = r".*?".join(re.escape(word) for word in words)
    return re.search(pattern, told.casefold(), re.DOTALL) is not None
