"""What can go wrong outside an episode.

    ReactKitError
    ├── DataError         a file, page, task or number that is missing, damaged or not of the stated form
    ├── ReplayError       a replayed model was asked something that its recording does not hold
    ├── ScriptError       a scripted model was asked more often than it has replies
    ├── ModelError        the model raised, or returned something that is not text
    └── ToolError         a tool raised, or returned something that is not text

An error that breaks off a run keeps the run so far as its `trajectory`; elsewhere that is None.

A model's own mistakes are not here: they are lines in the trajectory.
"""

__all__ = ["DataError", "ModelError", "ReactKitError", "ReplayError", "ScriptError", "ToolError"]


class ReactKitError(Exception):
    """The root of every error that the kit raises on purpose; `trajectory` is the run that it broke off, or None."""

    trajectory = None


class DataError(ReactKitError):
    """A file, page, task or number is missing, damaged or not of the stated form."""


class ReplayError(ReactKitError):
    """A replayed model was asked something that its recording does not hold."""


class ScriptError(ReactKitError):
    """A scripted model was asked more often than it has replies."""


class ModelError(ReactKitError):
    """The model raised, or returned something that is not text."""


class ToolError(ReactKitError):
    """A tool raised, or returned something that is not text."""
