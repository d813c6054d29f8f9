"""Progress of long work, in one line."""

import time
from collections.abc import Callable
from datetime import timedelta
from typing import TextIO

__all__ = ["Bar"]


class Bar:
    """Progress: one line drawn again and again on a terminal; elsewhere, as in a notebook, a line now and then."""

    def __init__(self, size: int, pages: int, show: TextIO, clock: Callable[[], float] = time.monotonic):
        self.size, self.pages, self.show, self.clock = max(size, 1), pages, show, clock
        self.pause = 0.2 if show.isatty() else 10  # seconds
        self.began, self.last, self.width = None, clock(), 0

    def __call__(self, done: int) -> None:
        """Show that so many bytes are read, if it is time to."""
        now = self.clock()
        since, already, pages = self.began = self.began or (now, done, self.pages)
        if now < self.last + self.pause:
            return
        self.last, spent = now, max(now - since, 0.001)
        left = timedelta(seconds=round((self.size - done) * spent / max(done - already, 1)))
        bar, pace, done = "#" * (20 * done // self.size), (self.pages - pages) / spent, f"{done / 1e6:,.1f}"
        line = f"[{bar:<20}] {done} of {self.size / 1e6:,.1f} MB, {self.pages:,} pages, {pace:,.0f}/s, {left} left"
        self.show.write(f"\r{line:<{self.width}}" if self.pause < 1 else f"{line}\n")  # over all of the line before
        self.show.flush()
        self.width = len(line)
