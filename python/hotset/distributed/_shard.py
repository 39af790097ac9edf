"""A task: one log with its rotated files becomes a part, or is found in the store."""

from __future__ import annotations

import dataclasses
import hashlib
import json
import os
from pathlib import Path
from typing import Any, Union

import hotset
from hotset._hotset import TracePart, trace_part

#: So much of each file's beginning and end stands for its content, beside its size and the time of its last change.
SAMPLED_BYTES = 64 * 1024


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

    @property
    def name(self) -> str:
        """What it is called."""
        return f"{self.node}: {self.files[0]}" if self.node else self.files[0]


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
            return Done(part=read(shard).to_bytes())
        ending = "requests" if shard.of_requests else "part"
        place = Path(shard.store) / f"{fingerprint(shard)}.{ending}"
        found = stored(place, kind(shard))
        if found is not None:
            return Done(part=found, from_store=True)
        part = read(shard)
    except (hotset.HotsetError, OSError) as error:
        return Done(why=str(error))
    return Done(part=part.to_bytes(), not_stored=put(part, place))


#: What a shard becomes.
Kind = Union[type[hotset.Part], type[TracePart]]


def kind(shard: Shard) -> Kind:
    """What it becomes."""
    return TracePart if shard.of_requests else hotset.Part


def read(shard: Shard) -> hotset.Part | TracePart:
    """The log as a part."""
    make_part = trace_part if shard.of_requests else hotset.part
    return make_part(
        list(shard.files),
        client_key=shard.client_key,
        keep_clients=shard.client_key is None,
        node=shard.node,
        **shard.reading,
    )


def stored(place: Path, kind: Kind) -> bytes | None:
    """The part at `place`; none where there is none that can be read."""
    try:
        data = place.read_bytes()
        kind.from_bytes(data, name=str(place))
    except (OSError, hotset.PartError):
        return None
    return data


def put(part: hotset.Part | TracePart, place: Path) -> str | None:
    """Stores a part; why that failed, as a full disk is no reason to lose it."""
    try:
        place.parent.mkdir(parents=True, exist_ok=True)
        part.save(place)
    except (hotset.SaveError, OSError) as error:
        return str(error)
    return None


def fingerprint(shard: Shard) -> str:
    """Tells input and options apart. It is made under the key of the pseudonyms, which it does not give away."""
    digest = hashlib.blake2b(key=shard.client_key or b"", digest_size=24)
    reading = {name: value for name, value in shard.reading.items() if name != "threads"}
    told = [hotset.__version__, shard.node, shard.client_key is None, reading]
    digest.update(json.dumps(told, sort_keys=True, default=list).encode())
    for log in hotset._hotset.files_by_log(list(shard.files)):
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
