"""Foresee a run: before each line is shown, say what comes next, who writes it and, if you like, how sure you are.

The view is the stepper's readable list with another script: it asks, shows the line, says in words what was right,
and at the end how often you were right by how sure you were. Nothing is sent or stored: the choices live in the page
and go with it. (`questions.predict` is another thing: one question of the page's own, before a cell is run.)
"""

from typing import TYPE_CHECKING

from reactkit.marks import static, style
from reactkit.trajectory import Trajectory
from reactkit.views import TraceView, name_of, stepper

if TYPE_CHECKING:
    from reactkit.runs import Run

__all__ = ["Foresight", "foresee"]


class Foresight(TraceView):
    """A view that asks before it shows each line; without its script every line is there to read."""

    __slots__ = ()

    @property
    def html(self) -> str:
        """The markup with its styles and its script: all that a page needs, without network."""
        return dressed(self.markup, "foresee")


def foresee(shown: "Trajectory | Run", name: str | None = None) -> Foresight:
    """Return the view that asks, before each line and at the end, what comes next and who writes it.

    A choice counts as right where kind and author both are. Every question may be skipped. `name` is what assistive
    technology calls the view: "Foresee", the method and the question where it is None.
    """
    view = stepper(shown, name or f"Foresee {name_of(shown)}")
    return Foresight(view.markup, view.text)


def dressed(markup: str, part: str, arguments: str = "") -> str:
    """Return the markup with the kit's style, and this part's own, whose script is a function of `arguments`."""
    return f"{style(part)}{markup}<script>{static(f'{part}.js').rstrip()}({arguments});</script>"
