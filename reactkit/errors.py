"""What can go wrong outside an episode.

    ReactKitError
    ├── DataError         a file, page, task or number that is missing, damaged or not of the stated form
    ├── ReplayError       a replayed model was asked something that its recording does not hold
    ├── ScriptError       a scripted model was asked more often than it has replies
    └── RunError          something broke in the middle of a run; keeps the run so far
        ├── ModelError    the model raised, or returned something that is not text
        └── ToolError     a tool raised, or returned something that is not text

A model's own mistakes are not here: they are lines in the trajectory.
"""

__all__ = ["DataError", "ModelError", "ReactKitError", "ReplayError", "RunError", "ScriptError", "ToolError"]


class ReactKitError(Exception):
    """The root of every error that the kit raises on purpose."""


class DataError(ReactKitError):
    """A file, page, task or number is missing, damaged or not of the stated form."""


class ReplayError(ReactKitError):
    """A replayed model was asked something that its recording does not hold."""


class ScriptError(ReactKitError):
    """A scripted model was asked more often than it has replies."""


class RunError(ReactKitError):
    """Something broke in the middle of a run; `trajectory` is the run so far."""

    def __init__(self, message, trajectory=None):
        super().__init__(message)
        self.trajectory = trajectory


class ModelError(RunError):
    """The model raised, or returned something that is not text."""


class ToolError(RunError):
    """A tool raised, or returned something that is not text."""
