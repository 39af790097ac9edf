"""`read_logs`: the requests of a fleet as one trace; `plan_merged_logs`: one plan for all machines."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from typing import TYPE_CHECKING

import hotset
from hotset._hotset import merge_trace
from hotset._types import ClientKey, Path, Paths
from hotset.distributed._describe import key_of, missing_of, reasons, shards_of
from hotset.distributed._result import MissingLog, ShardError
from hotset.distributed._run import Scheduler, gather

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from hotset._types import ReadingOptions


@dataclasses.dataclass(frozen=True)
class FleetTrace:
    """The requests of all logs that could be read."""

    #: In the order in which one process reads them, for `hotset.plan`, `hotset.simulate` and data frames.
    trace: hotset.Trace
    #: Bytes that came from where logs were read.
    carried_bytes: int
    #: Logs that could not be read.
    missing: tuple[MissingLog, ...] = ()
    #: How many logs were in the store already.
    from_store: int = 0
    #: Why requests could not be put into the store, each reason once.
    not_stored: tuple[str, ...] = ()


@dataclasses.dataclass(frozen=True)
class MergedPlan:
    """One plan for all machines."""

    #: The plan.
    plan: hotset.Plan
    #: Logs that could not be read, and that it knows nothing of.
    missing: tuple[MissingLog, ...] = ()


def read_logs(
    logs: Paths | Mapping[str, Paths],
    *,
    scheduler: Scheduler = "processes",
    client_key: ClientKey | None = None,
    keep_clients: bool = False,
    store: Path | None = None,
    pinned: bool = False,
    **reading: Unpack[ReadingOptions],
) -> FleetTrace:
    """The trace that one process reads, of logs that are read where they lie: columns of requests travel, no lines.

    Arguments are those of :func:`describe_logs`. The trace is held in the memory of this process.
    """
    key = key_of(client_key, keep_clients, store)
    shards = shards_of(logs, key, store, pinned, dict(reading), of_requests=True)
    done = gather(shards, scheduler, pinned)
    missing = missing_of(shards, done)
    named = [(shard.name, it.part) for shard, it in zip(shards, done) if it.part is not None]
    if not named:
        raise ShardError("no log could be read: " + "; ".join(map(str, missing)))
    return FleetTrace(
        trace=merge_trace(named),
        carried_bytes=sum(len(part) for _, part in named),
        missing=missing,
        from_store=sum(it.from_store for it in done),
        not_stored=reasons(done),
    )


def plan_merged_logs(
    logs: Paths | Mapping[str, Paths],
    *,
    memory: str | int,
    scheduler: Scheduler = "processes",
    store: Path | None = None,
    client_key: ClientKey | None = None,
    pinned: bool = False,
    backing: str | None = None,
    server_memory: str | int | None = None,
    seed: int = 0,
    **reading: Unpack[ReadingOptions],
) -> MergedPlan:
    """One plan for machines that all serve the same files, from the requests of all in the order in which they came.

    It is the plan that ``hotset plan`` makes of all logs. ``memory`` is that of each machine. For other options of
    :func:`hotset.plan` give it the trace of :func:`read_logs`.
    """
    fleet = read_logs(
        logs, scheduler=scheduler, store=store, client_key=client_key, pinned=pinned, **reading
    )
    plan = hotset.plan(fleet.trace, memory=memory, backing=backing, server_memory=server_memory, seed=seed)
    return MergedPlan(plan, fleet.missing)
