"""The loop: ask the model, read its reply, let the environment answer, append, ask again (paper, sections 2 and 3.2).

The same code serves Standard, CoT, Act and ReAct; a method that may not act is done after one pass.
"""

from dataclasses import dataclass, replace
from typing import Literal

from reactkit.actions import Action, Reply, read_reply
from reactkit.errors import ModelError, ReactKitError, ToolError
from reactkit.marks import card, exact
from reactkit.models import Model, kind_of, name_of
from reactkit.prompts import Exemplars, Method, context, exemplars
from reactkit.tasks import Task
from reactkit.tools import Environment, encyclopedia_tools
from reactkit.trajectory import Line, Trajectory

__all__ = ["Call", "Outcome", "Run", "STEP_CAPS", "solve"]

Outcome = Literal["finished", "step cap", "no answer"]
KEPT = "the run so far is in this error's .trajectory"
STEP_CAPS = {"Question": 7, "Claim": 5}  # paper, section 3.2; the authors' FEVER notebook uses 7


@dataclass(frozen=True, slots=True)
class Call:
    """One call of the model: the exact text that it read, what it replied, and what of that was not used."""

    step: int
    context: str
    reply: str
    dropped: str = ""


@dataclass(frozen=True, slots=True, repr=False)
class Run:
    """What came of one task: `answer` is None unless the outcome is "finished"."""

    method: Method
    trajectory: Trajectory
    outcome: Outcome = "step cap"
    answer: str | None = None
    calls: tuple[Call, ...] = ()

    def __repr__(self) -> str:
        ending = self.outcome if self.answer is None else f"{self.outcome}: {self.answer}"
        return f"{self.method.name}, {ending} (model calls: {len(self.calls)}; {self.trajectory.badge})"

    def _repr_html_(self) -> str:
        return card(f'{self.trajectory.html()}<p class="rk-end">{exact(repr(self))}</p>')


def solve(
    task: Task | str,
    method: Method,
    model: Model,
    environment: Environment | None = None,
    shown: Exemplars | None = None,
    step_cap: int | None = None,
) -> Run:
    """Return the run of one task by one method.

    `environment` defaults to the offline encyclopedia, `shown` to the kit's exemplars for such a task, `step_cap` to
    the paper's 7 passes for a question and 5 for a claim. The environment is reset first. A model or tool that raises,
    or returns something that is not text, is a `ModelError` or `ToolError`; any error of the kit keeps the run so far.
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
            return replace(run, outcome="finished", answer=answer)
        if method.acts:
            run = answered(run, reply.action, step, environment)
    if not method.acts:
        return replace(run, outcome="no answer")
    return with_lines(run, [Line("instruction", f"Stopped: no answer within {cap} steps.", "harness")])


def passes(task: Task, method: Method, step_cap: int | None) -> int:
    """Return how many passes the run may take: one where the method may not act."""
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
    run = with_lines(run, lines_of(reply, run.method, step))
    missing = reply.action_text is None and reply.answer is None
    if missing and run.method.cue != run.method.ends_with:
        run, reply = call(run, model, shown, step, run.method.ends_with)
        run = with_lines(run, lines_of(reply, run.method, step))
    return run, reply


def call(run: Run, model: Model, shown: Exemplars, step: int, cue: str) -> tuple[Run, Reply]:
    """Return the run with one more call of the model, and that call's reply, read."""
    trajectory, acts = run.trajectory, run.method.acts
    read = context(run.method, shown, trajectory, Line(cue, "", "model", step if acts else None).label())
    stop = (f"\nObservation {step}:",) if acts else (f"\n{trajectory.asks}:",)
    try:
        text = model(read, stop)
    except ReactKitError as error:
        error.trajectory = trajectory
        raise
    except Exception as error:  # a model is any function, so it may raise anything
        told = f"the model raised {type(error).__name__} in step {step}: {error!s:.200}".removesuffix(": ")
        raise broken_off(ModelError(f"{told}; {KEPT}"), trajectory) from error
    if not isinstance(text, str):
        told = f"the model returned {type(text).__name__} in step {step}, not a string"
        raise broken_off(ModelError(f"{told}; {KEPT}"), trajectory)
    reply = read_reply(text, cue, acts)
    return replace(run, calls=(*run.calls, Call(step, read, text, reply.dropped))), reply


def lines_of(reply: Reply, method: Method, step: int) -> list[Line]:
    """Return what the model wrote as lines; only a method that acts numbers its passes."""
    parts = [("thought" if method.acts else "rationale", reply.thought), ("action", reply.action_text)]
    number = step if method.acts else None
    lines = [Line(role, text, "model", number) for role, text in parts if text is not None]
    return lines + ([Line("answer", reply.answer, "model")] if reply.answer is not None else [])


def final_answer(reply: Reply) -> str | None:
    """Return the answer that ends the run: an answer line, or the input of Finish."""
    finished = reply.action is not None and reply.action.tool.lower() == "finish"
    return reply.action.argument if finished else reply.answer


def answered(run: Run, action: Action | None, step: int, environment: Environment) -> Run:
    """Return the run with what the environment, or else the harness, says to the action."""
    try:
        return with_lines(run, [result(action, step, environment)])
    except ReactKitError as error:
        error.trajectory = run.trajectory
        raise
    except Exception as error:  # a tool is any function, so it may raise anything
        told = ToolError(f"{action} raised {error!r:.200} in step {step}; {KEPT}")
        raise broken_off(told, run.trajectory) from error


def broken_off(error: ReactKitError, trajectory: Trajectory) -> ReactKitError:
    """Return the error with the run that it breaks off, so that nothing of the run is lost."""
    error.trajectory = trajectory
    return error


def result(action: Action | None, step: int, environment: Environment) -> Line:
    """Return the environment's observation, or the harness's note where there is nothing that could be run."""
    forms = ", ".join(f"{name}[…]" for name in (*environment.names, "Finish"))
    if action is None:
        return Line("instruction", f"No action could be read. Write one of: {forms}.", "harness", step)
    if action.tool.lower() == "finish":
        return Line("instruction", "Finish[] is empty. Write the answer between the brackets.", "harness", step)
    told = environment.observe(action)
    if not isinstance(told, str):
        raise TypeError(f"{action.tool} returned {type(told).__name__}, not a string")
    return Line("observation", told, "environment", step)


def with_lines(run: Run, lines: list[Line]) -> Run:
    return replace(run, trajectory=run.trajectory + lines)
