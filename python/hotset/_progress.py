"""How far reading is, shown where a notebook runs."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from typing import Any

#: Calls that are done sooner show nothing, seconds.
PATIENCE = 1.0
#: A display is changed no sooner again, seconds.
PACE = 0.25


def in_notebook() -> Progress | None:
    """What shows progress, where the caller runs in a notebook's kernel; none in a terminal and in a script."""
    ipython = sys.modules.get("IPython")
    shell = ipython.get_ipython() if ipython is not None else None
    if getattr(shell, "kernel", None) is None:
        return None
    return Progress(sys.modules["IPython.display"].display, time.monotonic)


class Progress:
    """A line that is changed in place."""

    def __init__(self, display: Callable[..., Any], clock: Callable[[], float]) -> None:
        self.display = display
        self.clock = clock
        self.next = clock() + PATIENCE
        self.handle: Any = None

    def __call__(self, read: int, of: int | None) -> None:
        now = self.clock()
        is_last = self.handle is not None and read == of
        if now < self.next and not is_last:
            return
        self.next = now + PACE
        line = Line(read, of)
        if self.handle is None:
            self.handle = self.display(line, display_id=True)
        else:
            self.handle.update(line)


class Line:
    """So much was read."""

    def __init__(self, read: int, of: int | None) -> None:
        self.read = read
        self.of = of

    def __repr__(self) -> str:
        read = f"{self.read / 1e6:,.0f} MB"
        return f"read {read}" if not self.of else f"read {read} of {self.of / 1e6:,.0f} MB"

    def _repr_html_(self) -> str:
        bar = f'<progress max="{self.of}" value="{self.read}"></progress> ' if self.of else ""
        return f"<div>{bar}{self!r}</div>"
