"""Progress of long work, in one line."""

import time
from datetime import timedelta
from typing import TextIO

__all__ = ["Bar"]


class Bar:
    """Progress: one line drawn again and again on a terminal; elsewhere, as in a notebook, a line now and then."""

    def __init__(self, size: int, pages: int, show: TextIO, clock=time.monotonic, unit="MB", of="pages"):
        self.size, self.pages, self.show, self.clock, self.unit, self.of = max(size, 1), pages, show, clock, unit, of
        self.pause = 0.2 if show.isatty() else 10  # seconds
        self.began, self.last, self.width = None, clock(), 0

    def __call__(self, done: int) -> None:
        """Show that so many bytes are read, or tasks done, if it is time to."""
        now = self.clock()
        since, already, pages = self.began = self.began or (now, done, self.pages)
        if now < self.last + self.pause:
            return
        self.last, spent = now, max(now - since, 0.001)
        left = timedelta(seconds=round((self.size - done) * spent / max(done - already, 1)))
        pace, drawn = (self.pages - pages) / spent, "#" * min(20 * done // self.size, 20)
        told, most = (f"{n / 1e6:,.1f}" if self.unit == "MB" else f"{n:,}" for n in (done, self.size))
        begin, end = (f"[{drawn:<20}] {told} of {most}", f", {left} left") if self.size > 1 else (told, "")
        line = f"{begin} {self.unit}, {self.pages:,} {self.of}, {pace:,.0f}/s{end}"
        self.show.write(f"\r{line:<{self.width}}" if self.pause < 1 else f"{line}\n")  # over all of the line before
        self.show.flush()
        self.width = len(line)
