"""Where shards are made: on threads, on processes, on a cluster, or where a scheduler function takes them."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, Union

from dask.base import compute as compute_all
from dask.delayed import delayed

from hotset._hotset import OptionError, Part, merge
from hotset.distributed._result import ShardError
from hotset.distributed._shard import Done, Shard, make

if TYPE_CHECKING:
    from distributed import Client

#: A name of dask's own schedulers, a function that runs a graph, or a client of a cluster.
Scheduler = Union[str, Callable[..., Any], "Client"]

#: A shard that ended so many processes is given up; as many as dask gives a task on a cluster.
TRIES = 4
#: So many parts are merged by one task of a cluster.
MERGED_AT_ONCE = 8
#: dask's schedulers on this machine.
LOCAL = ("processes", "threads", "synchronous")


def run(shards: Sequence[Shard], scheduler: Scheduler, pinned: bool) -> tuple[list[Done], Part | None]:
    """Makes all shards and merges their parts."""
    if is_client(scheduler):
        return on_cluster(shards, scheduler, pinned)
    done = on_this_machine(shards, scheduler, pinned)
    return done, merged(shards, done)


def gather(shards: Sequence[Shard], scheduler: Scheduler, pinned: bool) -> list[Done]:
    """Makes all shards, and brings their parts here."""
    if is_client(scheduler):
        return on_cluster_gathered(shards, scheduler, pinned)
    return on_this_machine(shards, scheduler, pinned)


def on_this_machine(shards: Sequence[Shard], scheduler: Scheduler, pinned: bool) -> list[Done]:
    """Makes all shards where a scheduler of dask or a function says."""
    check(scheduler, pinned)
    return on_processes(shards) if scheduler == "processes" else compute(shards, scheduler)


def each(task: Callable[[Any], Any], inputs: Sequence[Any], scheduler: Scheduler, pinned: bool) -> list[Any]:
    """What `task` gives for each input; for one that ended its workers, why there is nothing."""
    if not is_client(scheduler):
        check(scheduler, pinned)
        try:
            return list(compute_all(*[delayed(task, pure=False)(it) for it in inputs], scheduler=scheduler))
        except BrokenProcessPool as error:
            raise ShardError("a process was killed; it may need more memory than there is") from error
    client: Any = scheduler
    futures = [client.compute(delayed(task, pure=False)(it), **place(it, pinned)) for it in inputs]
    found = []
    for future in futures:
        failure = future.exception()
        found.append(future.result() if failure is None else f"{type(failure).__name__}: {failure}")
    return found


def check(scheduler: Scheduler, pinned: bool) -> None:
    """Refuses what is no scheduler of this machine."""
    if isinstance(scheduler, str) and scheduler not in LOCAL:
        raise OptionError(f"scheduler: {scheduler!r} is none: use {', '.join(LOCAL)}, a client or a scheduler function")
    if not isinstance(scheduler, str) and not callable(scheduler):
        raise OptionError(f"scheduler: give {', '.join(LOCAL)}, a client or a scheduler function")
    if pinned:
        raise OptionError("pinned: goes with the client of a cluster")


def place(task: Any, pinned: bool) -> dict[str, Any]:
    """Where a task may run."""
    return {"workers": [task.node], "allow_other_workers": False} if pinned else {}


def is_client(scheduler: Scheduler) -> bool:
    """Whether it is a client of a cluster; the package that says so may not be there."""
    return any(of.__name__ == "Client" and of.__module__.startswith("distributed") for of in type(scheduler).__mro__)


def compute(shards: Sequence[Shard], scheduler: Scheduler) -> list[Done]:
    """One task a shard."""
    # Reading draws no random numbers and depends on files, so the names of tasks may be drawn.
    tasks = [delayed(make, pure=False)(shard) for shard in shards]
    return list(compute_all(*tasks, scheduler=scheduler))


def merged(shards: Sequence[Shard], done: Sequence[Done]) -> Part | None:
    """The parts that were made as one; none where there are none."""
    named = [(shard.name, it.part) for shard, it in zip(shards, done) if it.part is not None]
    return Part.from_bytes(merge_bytes(named), name="all logs") if named else None


def merge_bytes(named: Sequence[tuple[str, bytes]]) -> bytes:
    """Parts under their names as one."""
    return merge([Part.from_bytes(data, name=name) for name, data in named]).to_bytes()


# Processes of this machine.


def on_processes(shards: Sequence[Shard]) -> list[Done]:
    """On as many processes as there are processors. A process that is killed takes the pool with it: what was finished
    is kept, what was under way is tried again by itself, and a shard that ends its process every time is given up."""
    done: dict[int, Done] = {}
    ended = [0] * len(shards)
    with tempfile.TemporaryDirectory(prefix="hotset-") as folder:
        while len(done) < len(shards):
            together = batch(len(shards), done, ended)
            notes = {place: Notes(Path(folder), place) for place in together}
            tasks = [delayed(noted, pure=False)(shards[place], notes[place]) for place in together]
            try:
                done.update(zip(together, compute_all(*tasks, scheduler="processes")))
            except BrokenProcessPool:
                for place in together:
                    found = notes[place].finished()
                    if found is not None:
                        done[place] = found
                    elif notes[place].was_begun():
                        ended[place] += 1
                        if ended[place] == TRIES:
                            done[place] = Done(why=f"the process that read it was killed {TRIES} times")
    return [done[place] for place in range(len(shards))]


def batch(shards: int, done: dict[int, Done], ended: Sequence[int]) -> list[int]:
    """What to make next: all that never met the end of a process, then those that did, one at a time."""
    left = [place for place in range(shards) if place not in done]
    unsuspected = [place for place in left if ended[place] == 0]
    return unsuspected or left[:1]


class Notes:
    """What a process leaves behind of a shard."""

    def __init__(self, folder: Path, place: int) -> None:
        self.begun = folder / f"{place}.begun"
        self.part = folder / f"{place}.part"

    def was_begun(self) -> bool:
        """Whether it was begun and not finished; asked once a try."""
        was = self.begun.exists()
        self.begun.unlink(missing_ok=True)
        return was

    def finished(self) -> Done | None:
        """What was finished."""
        return Done(part=self.part.read_bytes()) if self.part.exists() else None


def noted(shard: Shard, notes: Notes) -> Done:
    """As `make`, and leaves behind how far it came."""
    notes.begun.touch()
    done = make(shard)
    if done.part is not None:
        partial = notes.part.with_suffix(".partial")
        partial.write_bytes(done.part)
        partial.rename(notes.part)
    return done


# A cluster.


def on_cluster(shards: Sequence[Shard], client: Any, pinned: bool) -> tuple[list[Done], Part | None]:
    """One task a shard, on its own machine where shards are pinned. Parts stay on the cluster and are merged there."""
    with told_of_lost_scheduler():
        futures = on_cluster_made(shards, client, pinned)
        # Of a finished shard everything but its part comes here.
        done = [outcome(future, without_part) for future in futures]
        made = [
            (shard.name, future) for shard, future, it in zip(shards, futures, done) if it.why is None
        ]
        return done, on_cluster_merged(client, made)


def on_cluster_gathered(shards: Sequence[Shard], client: Any, pinned: bool) -> list[Done]:
    """One task a shard; its part comes here."""
    with told_of_lost_scheduler():
        return [outcome(future) for future in on_cluster_made(shards, client, pinned)]


def on_cluster_made(shards: Sequence[Shard], client: Any, pinned: bool) -> list[Any]:
    """Futures of all shards, which are over."""
    import distributed

    tasks = [(delayed(make, pure=False)(shard), place(shard, pinned)) for shard in shards]
    futures = [client.compute(task, **at) for task, at in tasks]
    distributed.wait(futures)
    return futures


@contextmanager
def told_of_lost_scheduler() -> Iterator[None]:
    """Says what to do where the scheduler goes away."""
    from distributed.client import FutureCancelledError, FuturesCancelledError
    from distributed.comm import CommClosedError

    try:
        yield
    except (FutureCancelledError, FuturesCancelledError, CommClosedError, OSError) as error:
        raise ShardError(
            f"the scheduler went away: {error}; run this again, with the same store finished logs are not read again"
        ) from error


def outcome(future: Any, told: Callable[[Done], Done] | None = None) -> Done:
    """What became of a shard; of a finished one what `told` leaves of it."""
    error = future.exception()
    if error is None:
        done: Done = (future.client.submit(told, future) if told else future).result()
        return done
    if type(error).__name__ == "KilledWorker":
        return Done(why=f"the workers that read it were killed, {TRIES} times")
    if type(error).__name__ == "FutureCancelledError":
        raise error
    return Done(why=f"{type(error).__name__}: {error}")


def without_part(done: Done) -> Done:
    """What there is to tell of a shard."""
    return Done(why=done.why, from_store=done.from_store, not_stored=done.not_stored)


def on_cluster_merged(client: Any, made: list[tuple[str, Any]]) -> Part | None:
    """Merges as a tree, so that no worker needs to hold all parts until the last merge."""
    if not made:
        return None
    level = [(name, client.submit(part_of, future)) for name, future in made]
    while True:
        groups = [level[start : start + MERGED_AT_ONCE] for start in range(0, len(level), MERGED_AT_ONCE)]
        level = [
            (group[0][0], client.submit(merge_named, [name for name, _ in group], [data for _, data in group]))
            for group in groups
        ]
        if len(level) == 1:
            return Part.from_bytes(level[0][1].result(), name="all logs")


def part_of(done: Done) -> bytes | None:
    """The bytes of a shard that was made."""
    return done.part


def merge_named(names: list[str], parts: list[bytes]) -> bytes:
    """As `merge_bytes`, of lists whose items a cluster fills in."""
    return merge_bytes(list(zip(names, parts)))
