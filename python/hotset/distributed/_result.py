"""What a fleet's logs give, and what they lack."""

from __future__ import annotations

import dataclasses
import html
from typing import Any

from hotset._hotset import Description, HotsetError, Part
from hotset._types import Path


class ShardError(HotsetError):
    """No log of a fleet could be read, or the scheduler went away."""


@dataclasses.dataclass(frozen=True)
class MissingLog:
    """A log that is not in the result."""

    #: Its files.
    files: tuple[str, ...]
    #: The machine it is of, where one was named.
    node: str | None
    #: Why.
    why: str

    def __str__(self) -> str:
        of = f" of {self.node}" if self.node else ""
        return f"{', '.join(self.files)}{of}: {self.why}"


@dataclasses.dataclass(frozen=True)
class FleetDescription:
    """A description of all logs that could be read."""

    #: Their description.
    description: Description
    #: What it was made of: it merges with parts of other logs.
    part: Part
    #: Logs that could not be read.
    missing: tuple[MissingLog, ...] = ()
    #: How many logs were in the store already.
    from_store: int = 0
    #: Why parts could not be put into the store, each reason once.
    not_stored: tuple[str, ...] = ()

    def to_dict(self) -> dict[str, Any]:
        """The keys of `hotset merge --json`, and `missing` where logs are."""
        described = self.description.to_dict()
        if self.missing:
            described["missing"] = [dataclasses.asdict(log) for log in self.missing]
        return described

    def save(self, path: Path) -> None:
        """Writes the description as JSON, or as a page where `path` ends in `.html`; neither names missing logs."""
        self.description.save(path)

    def _repr_html_(self) -> str:
        listed = "".join(f"<li>{html.escape(str(log))}</li>" for log in self.missing)
        lacks = f"<p>Without {len(self.missing)} logs:</p><ul>{listed}</ul>" if listed else ""
        return lacks + self.description._repr_html_()

    def __repr__(self) -> str:
        lacks = f", without {len(self.missing)} logs" if self.missing else ""
        return f"<hotset.distributed.FleetDescription of {self.part.requests} requests of {self.part.logs} logs{lacks}>"
