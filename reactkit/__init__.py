"""reactkit: ReAct (Yao et al. 2022) built up from Standard, chain-of-thought and Act-only prompting.

Everything here runs without a network, an account or a key. What is imported below is what the kit offers by this name.
Views, plots, checks, guards and servers are imported from their own modules, so that this import stays light.
"""

import sys as _sys

if _sys.version_info < (3, 10):  # noqa: UP036 (said here, since the modules below do not even load there)
    raise ImportError(f"reactkit needs Python 3.10 or newer, and this is {_sys.version.split()[0]}")

from reactkit.actions import Action, Note, read_action
from reactkit.atlas import Atlas
from reactkit.costs import Capped, Cost, dry_run, estimate
from reactkit.encyclopedia import Encyclopedia, Page, Shelf, shipped_pages
from reactkit.errors import (
    BudgetError,
    DataError,
    ModelError,
    ReactKitError,
    ReplayError,
    ScriptError,
    ServerError,
    SourceError,
    ToolError,
)
from reactkit.evaluation import evaluate
from reactkit.expert import Expert, training_pieces, worked_run
from reactkit.loop import STEP_CAPS, solve
from reactkit.metrics import exact_match, f1, label_accuracy, normalise
from reactkit.models import Completion, Deaf, Exchange, Rules, Scripted
from reactkit.prompts import ACT, COT, METHODS, REACT, STANDARD, Exemplars, Method, context, exemplars
from reactkit.recordings import Recording, digest, record, replay
from reactkit.replies import Reply, read_command, read_reply
from reactkit.routes import Route, atlas_claims, atlas_questions
from reactkit.runs import Call, Run
from reactkit.servers import connect, local
from reactkit.stories import Story, apple_remote, paris_coat
from reactkit.tasks import Task, fever_claims, hotpot_questions, kit_claims, kit_questions
from reactkit.tools import Observation, Tool, Toolbox, encyclopedia_tools
from reactkit.trajectory import Line, Trajectory
from reactkit.votes import react_then_vote, vote, vote_then_react

__version__ = "0.1.0"

__all__ = [name for name, value in [*globals().items()] if name[0] != "_" and not isinstance(value, type(_sys))]
