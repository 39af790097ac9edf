"""A task: one log with its rotated files, or a range of a large one, becomes a part or a piece of one, or is found in the store."""

from __future__ import annotations

import contextlib
import dataclasses
import hashlib
import json
import os
import secrets
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import hotset
from hotset._hotset import files_by_log, joined, piece, ranges, trace_part

#: So much of each file's beginning and end stands for its content, beside its size and the time of its last change.
SAMPLED_BYTES = 64 * 1024
#: Larger logs are read in ranges of this size, about 1.07 GB. Reading 1.07 GB took two seconds and 255 MB of memory. Putting ranges of a quarter
#: of that together took a tenth of the time of reading them, which logs that have company do not win back: fleets have more logs than workers.
RANGE_BYTES = 1024 * 1024 * 1024
#: Bytes of the checksum behind a stored piece.
CHECKSUM_BYTES = 16


@dataclasses.dataclass(frozen=True)
class Shard:
    """A log and how to read it."""

    #: Paths or patterns of its files.
    files: tuple[str, ...]
    #: The machine it is of.
    node: str | None
    #: Of the pseudonyms; none keeps clients as logged.
    client_key: bytes | None
    #: Options for reading.
    reading: dict[str, Any]
    #: The folder of finished parts.
    store: str | None
    #: Whether its requests are wanted, and not what they contribute to a description.
    of_requests: bool = False
    #: First and last byte of the range that is read of its only file; all of it where there is none.
    range: tuple[int, int] | None = None

    @property
    def name(self) -> str:
        """What it is called."""
        return f"{self.node}: {self.files[0]}" if self.node else self.files[0]

    @property
    def options(self) -> dict[str, Any]:
        """How it is read."""
        return {**self.reading, "client_key": self.client_key, "keep_clients": self.client_key is None}


@dataclasses.dataclass(frozen=True)
class Done:
    """What became of a shard."""

    #: Its part as bytes; none where it could not be made.
    part: bytes | None = None
    #: Why there is none.
    why: str | None = None
    #: Whether it was in the store.
    from_store: bool = False
    #: Why it could not be put into the store.
    not_stored: str | None = None


def make(shard: Shard) -> Done:
    """Reads the log, unless the store has its part. What is wrong with one log is no reason to lose the others."""
    try:
        if shard.store is None:
            return Done(part=read(shard))
        ending = "requests" if shard.of_requests else "part"
        place = Path(shard.store) / f"{fingerprint(shard)}.{ending}"
        found = stored(place)
        if found is not None:
            return Done(part=found, from_store=True)
        part = read(shard)
    except (hotset.HotsetError, OSError) as error:
        return Done(why=str(error))
    return Done(part=part, not_stored=put(part, place))


def read(shard: Shard) -> bytes:
    """The log as a part, its requests, or its range as a piece."""
    if shard.range is not None:
        return piece(shard.files[0], *shard.range, node=shard.node, **shard.options)
    made = trace_part if shard.of_requests else hotset.part
    return made(list(shard.files), node=shard.node, **shard.options).to_bytes()


def cut(shard: Shard, size: int) -> tuple[Shard, ...]:
    """Its ranges of about `size` bytes where it is one large file; itself where it is not, or cannot be cut."""
    try:
        logs = files_by_log(list(shard.files))
        files = [file for log in logs for file in log]
        if shard.of_requests or len(files) != 1 or os.path.getsize(files[0]) <= size:
            return (shard,)
        file = os.fspath(files[0])
        found = ranges(file, size, **shard.options)
    except (hotset.HotsetError, OSError):
        # Whoever reads it says what is wrong.
        return (shard,)
    if len(found) == 1:
        return (shard,)
    return tuple(dataclasses.replace(shard, files=(file,), range=it) for it in found)


def together(shard: Shard, done: Sequence[Done]) -> Done | None:
    """Its part from its pieces; none where it has to be read whole, which then says what is wrong."""
    pieces = [it.part for it in done if it.part is not None]
    if len(pieces) < len(done):
        return None
    try:
        part = joined(pieces, **shard.options).to_bytes()
    except hotset.HotsetError:
        return None
    not_stored = next((it.not_stored for it in done if it.not_stored is not None), None)
    return Done(part=part, from_store=all(it.from_store for it in done), not_stored=not_stored)


def stored(place: Path) -> bytes | None:
    """The part or piece at `place`; none where there is none, or it is damaged."""
    try:
        data = place.read_bytes()
    except OSError:
        return None
    part, checksum = data[:-CHECKSUM_BYTES], data[-CHECKSUM_BYTES:]
    return part if checksum == checksum_of(part) else None


def put(part: bytes, place: Path) -> str | None:
    """Stores a part or piece whole or not at all; why that failed, as a full disk is no reason to lose it."""
    partial = place.with_suffix(f".{os.getpid()}-{secrets.token_hex(4)}")
    try:
        place.parent.mkdir(parents=True, exist_ok=True)
        partial.write_bytes(part + checksum_of(part))
        partial.replace(place)
    except OSError as error:
        with contextlib.suppress(OSError):
            partial.unlink()
        return f"{place.parent}: cannot be written: {error.strerror}"
    return None


def checksum_of(part: bytes) -> bytes:
    """Tells what was written from what is damaged."""
    return hashlib.blake2b(part, digest_size=CHECKSUM_BYTES).digest()


def fingerprint(shard: Shard) -> str:
    """Tells input and options apart. It is made under the key of the pseudonyms, which it does not give away."""
    digest = hashlib.blake2b(key=shard.client_key or b"", digest_size=24)
    reading = {name: value for name, value in shard.reading.items() if name != "threads"}
    told = [hotset.__version__, shard.node, shard.client_key is None, shard.range, reading]
    digest.update(json.dumps(told, sort_keys=True, default=list).encode())
    for log in files_by_log(list(shard.files)):
        for file in log:
            digest.update(content(os.fspath(file)))
    return digest.hexdigest()


def content(path: str) -> bytes:
    """What is told of a file without reading all of it."""
    about = os.stat(path)
    digest = hashlib.blake2b()
    digest.update(json.dumps([path, about.st_size, about.st_mtime_ns]).encode())
    with open(path, "rb") as file:
        digest.update(file.read(SAMPLED_BYTES))
        file.seek(max(0, about.st_size - SAMPLED_BYTES))
        digest.update(file.read(SAMPLED_BYTES))
    return digest.digest()
