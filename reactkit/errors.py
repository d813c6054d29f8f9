"""What can go wrong outside an episode.

    ReactKitError
    ├── DataError         a file, page, task or number that is missing, damaged or not of the stated form
    ├── ReplayError       a replayed model was asked something that its recording does not hold
    ├── BudgetError       a call was not made, since it might pass the limit that was set
    ├── ScriptError       a scripted model was asked more often than it has replies
    ├── SourceError       a live encyclopedia refused, failed, or did not answer; its `kind` says which
    ├── ModelError        the model raised, or returned something that is not text
    │   └── ServerError   a model server refused, failed, or did not answer; its `kind` says which
    └── ToolError         the environment raised, or returned something that is not text

An error that breaks off a run keeps the run so far as its `trajectory`; elsewhere that is None.

A model's own mistakes are not here: they are lines in the trajectory.
"""

__all__ = [
    "BudgetError", "DataError", "ModelError", "ReactKitError", "ReplayError", "ScriptError", "ServerError",
    "SourceError", "ToolError", "expect",
]  # fmt: skip


class ReactKitError(Exception):
    """The root of every error that the kit raises on purpose; `trajectory` is the run that it broke off, or None."""

    trajectory = None


class DataError(ReactKitError):
    """A file, page, task or number is missing, damaged or not of the stated form."""


class ReplayError(ReactKitError):
    """A replayed model was asked something that its recording does not hold."""


class BudgetError(ReactKitError):
    """A call was not made, since it might pass the limit that was set."""


class ScriptError(ReactKitError):
    """A scripted model was asked more often than it has replies."""


class SourceError(ReactKitError):
    """A live encyclopedia refused, failed, or did not answer; `kind` is one short name, such as "rate_limited".

    `wait` is for how many seconds it asks to be left alone, 0 where it does not say.
    """

    def __init__(self, kind: str, message: str, wait: float = 0.0):
        super().__init__(message)
        self.kind, self.wait = kind, wait


class ModelError(ReactKitError):
    """The model raised, or returned something that is not text."""


class ServerError(ModelError):
    """A model server refused, failed, or did not answer; `kind` is one short name, such as "rate_limited"."""

    def __init__(self, kind: str, message: str):
        super().__init__(message)
        self.kind = kind


class ToolError(ReactKitError):
    """The environment raised, or returned something that is not text."""


def expect(kind: type, value: object, what: str, instead: str) -> None:
    """Refuse a value of another kind with a `DataError`, which says `what` it is and what to give `instead`."""
    if not isinstance(value, kind):
        named = f"{'an' if kind.__name__[0] in 'AEIOU' else 'a'} {kind.__name__}"
        raise DataError(f"{what} is {named}, not {value!r:.80}; give {instead}")
