"""`sweep`: a scenario at the points of a grid, in batches."""

from __future__ import annotations

import dataclasses
import math
import os
import secrets
import threading
import time
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Literal

import hotset
from hotset._hotset import OptionError, Sweep, SweepPoints, sweep_points
from hotset._types import Path, Paths, Value
from hotset.distributed._describe import listed
from hotset.distributed._result import ShardError
from hotset.distributed._run import Scheduler, each, is_client

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from hotset._types import ReadingOptions

#: A task costs a few milliseconds, so batches of this length cost about a hundredth more than points alone.
BATCH_SECONDS = 1.0
#: Each worker has so many batches or more, so that none is idle for long in the end.
BATCHES_EACH = 4


@dataclasses.dataclass(frozen=True)
class Ground:
    """What is read before points are simulated, and which sweep it is of: files may change between two."""

    scenario: str
    arguments: dict[str, Any]
    sweep: str


@dataclasses.dataclass(frozen=True)
class Batch:
    """A task: points of these numbers, rising."""

    ground: Ground
    points: list[int]

    @property
    def name(self) -> str:
        """What it is called."""
        return f"{self.ground.scenario}: points {self.points[0]} to {self.points[-1]}"


#: What this process has read for the sweep that it is at.
held: dict[str, SweepPoints] = {}
#: Threads read it once.
lock = threading.Lock()


def sweep(
    scenario: Path,
    logs: Paths | None = None,
    *,
    vary: Mapping[str, Value | Sequence[Value]],
    scheduler: Scheduler = "processes",
    by: Literal["simulate", "model"] | None = None,
    targets: Sequence[str] | None = None,
    minimise: str | None = None,
    seed: int = 0,
    output: Path | None = None,
    **reading: Unpack[ReadingOptions],
) -> Sweep:
    """Simulates or calculates a scenario at the points of a grid on many workers. The result, and the bytes of ``output``, are those of :func:`hotset.sweep`.

    ``scheduler`` is that of :func:`describe_logs`; the other arguments are those of :func:`hotset.sweep`. Points go out in batches of about a
    second. All workers read the scenario and the logs by the names that are given, so they have to see the same files. Batches that
    come back are kept beside ``output`` until it is written, and the same call goes on from them, or `hotset sweep`.
    """
    if not isinstance(vary, Mapping):
        raise OptionError("vary: give a mapping from keys of the scenario to values")
    arguments: dict[str, Any] = {
        "logs": None if logs is None else [os.fspath(log) for log in listed(logs)],
        "vary": dict(vary),
        "by": by,
        "seed": seed,
        **reading,
    }
    ground = Ground(os.fspath(scenario), arguments, secrets.token_hex(8))
    points = sweep_points(scenario, targets=targets, minimise=minimise, output=output, **arguments)
    try:
        left = points.begin()
        if left:
            simulate(points, left, ground, scheduler)
        return points.finish()
    finally:
        # An error may be kept, and what it holds with it.
        points.end()


def simulate(points: SweepPoints, left: Sequence[int], ground: Ground, scheduler: Scheduler) -> None:
    """Has the points that are left simulated, and keeps each batch as it comes."""
    started = time.monotonic()
    points.add(points.part(left[:1]))
    size = batch_size(len(left), time.monotonic() - started, workers_of(scheduler))
    batches = [Batch(ground, list(left[start : start + size])) for start in range(1, len(left), size)]

    def keep(part: object) -> None:
        if isinstance(part, bytes):
            points.add(part)

    parts = each(simulated, batches, scheduler, pinned=False, told=keep)
    for batch, part in zip(batches, parts):
        if not isinstance(part, bytes):
            raise ShardError(f"{batch.name}: {part}")


def batch_size(points: int, seconds: float, workers: int) -> int:
    """Points of a batch, where one takes so long."""
    fair = math.ceil(points / (BATCHES_EACH * workers))
    return max(1, min(fair, round(BATCH_SECONDS / max(seconds, 1e-6))))


def workers_of(scheduler: Scheduler) -> int:
    """How many tasks run at a time."""
    if is_client(scheduler):
        client: Any = scheduler
        threads: int = sum(client.nthreads().values())
        return max(1, threads)
    return os.cpu_count() or 1


def simulated(batch: Batch) -> bytes | str:
    """What the points of a batch came to, or why there is nothing."""
    try:
        return points_of(batch.ground).part(batch.points)
    except (hotset.HotsetError, OSError) as error:
        return str(error)


def points_of(ground: Ground) -> SweepPoints:
    """What is read once for all batches of a sweep."""
    with lock:
        if ground.sweep not in held:
            held.clear()
            held[ground.sweep] = sweep_points(ground.scenario, **ground.arguments)
        return held[ground.sweep]
