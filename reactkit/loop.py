"""The loop: ask the model, read its reply, let the environment answer, append, ask again (paper, sections 2 and 3.2).

The same code serves Standard, CoT, Act and ReAct; a method that may not act is done after one pass.
"""

from collections.abc import Iterable
from dataclasses import replace

from reactkit.actions import NO_ACTION, Note
from reactkit.errors import ModelError, ReactKitError, ToolError, expect
from reactkit.guards import Guard
from reactkit.models import Model, kind_of, name_of
from reactkit.prompts import Exemplars, Method, context, exemplars
from reactkit.replies import Reply, read_reply
from reactkit.runs import Call, Run
from reactkit.tasks import Task
from reactkit.tools import Environment, encyclopedia_tools, forms_of
from reactkit.trajectory import Line, Trajectory, label_of

__all__ = ["STEP_CAPS", "solve"]

KEPT = "the run so far is in this error's .trajectory"
STEP_CAPS = {"Question": 7, "Claim": 5}  # paper, section 3.2; the authors' FEVER notebook uses 7
METHOD = "one such as REACT, or one of METHODS"
TOLD = ("several_actions", "trailing_text_ignored", "answer_not_accepted")


def solve(
    task: Task | str,
    method: Method,
    model: Model,
    environment: Environment | None = None,
    shown: Exemplars | None = None,
    step_cap: int | None = None,
    guards: Iterable[Guard] = (),
) -> Run:
    """Return the run of one task by one method.

    `environment` defaults to the offline encyclopedia, `shown` to the kit's exemplars for such a task, `step_cap` to
    the paper's 7 passes for a question and 5 for a claim; the paper has no `guards`. The environment is reset first. A
    model or environment that raises, or returns something that is not text, is a `ModelError` or `ToolError`; any error
    of the kit keeps the run so far.
    """
    task = task if isinstance(task, Task) else Task(task)
    environment = encyclopedia_tools() if environment is None else environment
    shown = exemplars(task.asks) if shown is None else shown
    cap = passes(task, method, step_cap)
    environment.reset()
    run = Run(method, opening(task, model))
    for step in range(1, cap + 1):
        run, reply = ask(run, model, shown, step)
        answer = final_answer(reply)
        if answer:
            return judged(replace(run, outcome="finished", answer=answer), step, guards)
        if method.acts:
            run = answered(run, reply, step, environment)
            run = judged(run, step, guards) if guards else run
        if run.outcome != "step cap":
            return run
    if not method.acts:
        return replace(run, outcome="no answer")
    return with_lines(run, f"Stopped: no answer within {cap} steps.")


def passes(task: Task, method: Method, step_cap: int | None) -> int:
    """Return how many passes the run may take: one where the method may not act."""
    expect(Method, method, "the method", METHOD)
    if step_cap is not None and step_cap < 1:
        raise ValueError(f"the step cap is {step_cap}; it must be at least 1")
    if step_cap is None and task.asks not in STEP_CAPS:
        raise ValueError(f"the paper has no step cap for a {task.asks}; give one as step_cap")
    return (step_cap or STEP_CAPS[task.asks]) if method.acts else 1


def opening(task: Task, model: Model) -> Trajectory:
    """Return the trajectory before the first pass: the question, and whose trace this will be."""
    return Trajectory((Line("question", task.text),), kind_of(model), name_of(model), task.asks)


def ask(run: Run, model: Model, shown: Exemplars, step: int) -> tuple[Run, Reply]:
    """Return the run with the lines of one reply; where the action or answer is missing, it is asked for once more.

    The authors' GPT-3 notebook does the same, but keeps only the first line of such a reply as the thought.
    """
    run, reply = call(run, model, shown, step, run.method.cue)
    missing = reply.action_text is None and reply.answer is None
    cut_off = missing and any(note.kind == "truncated_output" for note in reply.notes)
    if missing and not cut_off and run.method.cue != run.method.ends_with:
        return call(run, model, shown, step, run.method.ends_with)
    return run, reply


def call(run: Run, model: Model, shown: Exemplars, step: int, cue: str) -> tuple[Run, Reply]:
    """Return the run with one more call of the model and the lines of its reply, and that reply, read."""
    trajectory, acts = run.trajectory, run.method.acts
    read = context(run.method, shown, trajectory, label_of(cue, step if acts else None))
    stop = (f"\nObservation {step}:",) if acts else (f"\n{trajectory.asks}:",)
    natively = getattr(model, "reply_to", None)  # a server with tool calls of its own reads messages, not a context
    try:
        text = natively(trajectory, shown, step) if natively else model(read, stop)
    except Exception as error:  # a model is any function, so it may raise anything
        told = f"the model raised {type(error).__name__} in step {step}: {error!s:.200}".removesuffix(": ")
        raise broken_off(error, ModelError(f"{told}; {KEPT}"), trajectory)  # noqa: B904
    if not isinstance(text, str):
        told = f"the model returned {type(text).__name__} in step {step}, not a string"
        raise broken_off(None, ModelError(f"{told}; {KEPT}"), trajectory)
    reply = read_reply(text, cue, acts, getattr(text, "finish_reason", None))
    read = getattr(text, "asked", "") or read
    made = Call(step, read, text, reply.dropped, reply.action, getattr(text, "tokens_read", None))
    return replace(run, trajectory=trajectory + lines_of(reply, acts, step), calls=(*run.calls, made)), reply


def lines_of(reply: Reply, acts: bool, step: int) -> list[Line]:
    """Return what the model wrote as lines; only a method that `acts` numbers its passes."""
    parts = [("thought" if acts else "rationale", reply.thought), ("action", reply.action_text)]
    number = step if acts else None
    lines = [Line(role, text, "model", number) for role, text in parts if text is not None]
    return lines + ([Line("answer", reply.answer, "model")] if reply.answer is not None else [])


def final_answer(reply: Reply) -> str | None:
    """Return the answer that ends the run: an answer line, or the input of Finish."""
    finished = reply.action is not None and reply.action.tool == "Finish"  # whatever the model called it
    return reply.action.argument if finished else reply.answer


def answered(run: Run, reply: Reply, step: int, environment: Environment) -> Run:
    """Return the run with what the environment, or else the harness, says to the reply."""
    told = [note.message for note in reply.notes if heard(note, reply)] if reply.notes else []
    try:
        run = with_lines(run, result(reply, step, environment), *told, step=step)
        credits = getattr(environment, "credits", tuple)()
        same = credits == run.trajectory.credits
        return run if same else replace(run, trajectory=replace(run.trajectory, credits=credits))
    except Exception as error:  # an environment is any object, so it may raise anything
        told = ToolError(f"{reply.action} raised {error!r:.200} in step {step}; {KEPT}")
        raise broken_off(error, told, run.trajectory)  # noqa: B904


def heard(note: Note, reply: Reply) -> bool:
    """Return whether the model should hear a note although its call was run.

    An answer behind an invented observation is no fault of the model's: a server that ignores `stop` let it run on.
    """
    ran_on = note.kind == "answer_not_accepted" and "model_observation" in dict(reply.parts)
    return note.kind in TOLD and not ran_on


def judged(run: Run, step: int, guards: Iterable[Guard]) -> Run:
    """Return the run with what the guards say to it; the first that ends it has the last word."""
    for guard in guards:
        ruling = guard(run)
        if ruling is not None and ruling.tell:
            run = with_lines(run, ruling.tell, step=step)
        if ruling is not None and ruling.outcome and run.answer is None:
            return replace(run, outcome=ruling.outcome)
    return run


def broken_off(error: Exception | None, told: ReactKitError, trajectory: Trajectory) -> ReactKitError:
    """Return the error that breaks off a run, one of the kit's own as it is, with the run so far: nothing is lost."""
    broken = error if isinstance(error, ReactKitError) else told
    broken.trajectory, broken.__cause__ = trajectory, error if broken is told else broken.__cause__
    return broken


def result(reply: Reply, step: int, environment: Environment) -> Line:
    """Return the environment's observation, or the harness's note where there is nothing that could be run."""
    action, refusal = reply.action, reply.refusal if reply.notes else None
    if refusal is not None or action is None:
        told = f"{refusal.message if refusal else NO_ACTION} Actions are: {forms_of(environment)}."
        return Line("instruction", told, "harness", step)
    seen = environment.observe(action)
    if not isinstance(seen, str):
        raise TypeError(f"{action.tool} returned {type(seen).__name__}, not a string")
    failure, full = getattr(seen, "failure", ""), getattr(seen, "full", None)
    return Line("observation", str(seen), "environment", step, bool(failure), full)


def with_lines(run: Run, *more: Line | str, step: int | None = None) -> Run:
    """Return the run with more lines; a text alone is a word of the harness."""
    lines = [Line("instruction", one, "harness", step) if isinstance(one, str) else one for one in more]
    return replace(run, trajectory=run.trajectory + lines)
