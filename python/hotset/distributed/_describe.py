"""`describe_logs`."""

from __future__ import annotations

import os
import secrets
from collections.abc import Mapping, Sequence

from typing import TYPE_CHECKING, Any

from hotset._hotset import LogError, OptionError, files_by_log
from hotset._types import ClientKey, Path, Paths
from hotset.distributed._result import FleetDescription, MissingLog, ShardError
from hotset.distributed._run import Scheduler, run
from hotset.distributed._shard import Done, Shard

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from hotset._types import ReadingOptions


def describe_logs(
    logs: Paths | Mapping[str, Paths],
    *,
    scheduler: Scheduler = "processes",
    client_key: ClientKey | None = None,
    keep_clients: bool = False,
    store: Path | None = None,
    pinned: bool = False,
    time_zone: str | None = None,
    **reading: Unpack[ReadingOptions],
) -> FleetDescription:
    """Describes logs as one process would, to the byte of its part, wherever and in whatever order they are read.

    ``logs`` are paths and patterns of this machine, or a mapping from the names of machines to theirs, which are looked
    up where they are read. One task reads one log with its rotated files; a mapping's value is one task for each of its
    items, so name all files of a rotated log by one pattern there. A log of one large file is read in ranges, a task each.

    ``scheduler`` is ``processes``, ``threads``, ``synchronous``, a client of a Dask cluster, or a function that runs a
    Dask graph, such as ``ray.util.dask.ray_dask_get``. With ``pinned`` the names of machines are those of workers or
    their hosts, and each log is read on its own.

    ``store`` is a folder that all who read can see. Finished parts are kept there under a hash of their input and their
    options, so that a second run goes on from them. It takes a ``client_key`` (or ``keep_clients``), as clients under
    another key do not merge; without a store the key is drawn and forgotten.

    A log that is not there, cannot be read, or ends the processes which read it, is named in the result, which has the others.
    """
    key = key_of(client_key, keep_clients, store)
    shards = shards_of(logs, key, store, pinned, dict(reading))
    done, part = run(shards, scheduler, pinned)
    missing = missing_of(shards, done)
    if part is None:
        raise ShardError("no log could be read: " + "; ".join(map(str, missing)))
    return FleetDescription(
        description=part.describe(time_zone=time_zone),
        part=part,
        missing=missing,
        from_store=sum(it.from_store for it in done),
        not_stored=reasons(done),
    )


def shards_of(
    logs: Paths | Mapping[str, Paths],
    key: bytes | None,
    store: Path | None,
    pinned: bool,
    reading: dict[str, Any],
    of_requests: bool = False,
) -> list[Shard]:
    """A task for each log."""
    kept = None if store is None else os.fspath(os.path.abspath(store))
    options: dict[str, Any] = {"threads": 1, **reading}
    shards = [
        Shard(files=tuple(files), node=node, client_key=key, reading=options, store=kept, of_requests=of_requests)
        for node, files in tasks_of(logs)
    ]
    if pinned and any(shard.node is None for shard in shards):
        raise OptionError("pinned: takes logs by machine, as {'web1': ['/var/log/access.log']}")
    return shards


def missing_of(shards: Sequence[Shard], done: Sequence[Done]) -> tuple[MissingLog, ...]:
    """The logs that could not be read."""
    return tuple(MissingLog(it.files, it.node, of.why) for it, of in zip(shards, done) if of.why is not None)


def reasons(done: Sequence[Done]) -> tuple[str, ...]:
    """Why parts were not stored, each reason once."""
    return tuple(sorted({it.not_stored for it in done if it.not_stored is not None}))


def key_of(client_key: ClientKey | None, keep_clients: bool, store: Path | None) -> bytes | None:
    """The key of all tasks; none keeps clients as logged."""
    if keep_clients:
        if client_key is not None:
            raise OptionError("client_key, keep_clients: give one of them")
        return None
    if client_key is None:
        if store is not None:
            raise OptionError("store: takes a client_key, or keep_clients: parts of later runs need the same")
        return secrets.token_bytes(16)
    if isinstance(client_key, bytes) and len(client_key) == 16:
        return client_key
    if isinstance(client_key, str) and len(client_key) == 32:
        try:
            return bytes.fromhex(client_key)
        except ValueError:
            pass
    raise OptionError("client_key: give 32 hexadecimal digits or 16 bytes")


def tasks_of(logs: Paths | Mapping[str, Paths]) -> list[tuple[str | None, list[str]]]:
    """The machine and the files of each task."""
    if isinstance(logs, Mapping):
        return [(node, [os.fspath(path)]) for node, paths in logs.items() for path in listed(paths)]
    try:
        return [(None, [os.fspath(file) for file in log]) for log in files_by_log(logs)]
    except LogError:
        found, absent = told_apart(listed(logs))
    # What is not there is a task as well: reading it says why it is missing.
    return (tasks_of(found) if found else []) + [(None, [os.fspath(path)]) for path in absent]


def told_apart(logs: Sequence[Path]) -> tuple[list[Path], list[Path]]:
    """Paths and patterns that stand for files, and those that do not."""
    found: list[Path] = []
    absent: list[Path] = []
    for path in logs:
        try:
            files_by_log([path])
            found.append(path)
        except LogError:
            absent.append(path)
    if not absent:
        # Each stands for files, but all together do not: one is named twice, and `files_by_log` says which.
        files_by_log(logs)
    return found, absent


def listed(paths: Paths) -> Sequence[Path]:
    """One path or several as several."""
    return [paths] if isinstance(paths, (str, os.PathLike)) else paths
