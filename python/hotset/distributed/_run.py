"""Where shards are made: on threads, on processes, on a cluster, or where a scheduler function takes them."""

from __future__ import annotations

import functools
import pickle
import tempfile
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import AbstractContextManager, contextmanager, nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Any, Union

from dask.base import compute as compute_all
from dask.callbacks import Callback
from dask.delayed import delayed

from hotset._hotset import OptionError, Part, merge
from hotset.distributed import _shard
from hotset.distributed._result import ShardError
from hotset.distributed._shard import Done, Shard, cut, make, together

if TYPE_CHECKING:
    from distributed import Client

#: A name of dask's own schedulers, a function that runs a graph, or a client of a cluster.
Scheduler = Union[str, Callable[..., Any], "Client"]
#: What is called with results as they come.
Told = Callable[[Any], None]

#: A shard that ended so many processes is given up; as many as dask gives a task on a cluster.
TRIES = 4
#: What is said of it.
KILLED = f"the process that read it was killed {TRIES} times; it may need more memory than there is"
#: So many parts are merged at once.
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
    """Makes all shards where a scheduler of dask or a function says, large ones in ranges."""
    check(scheduler, pinned)
    cuts = cuts_of(shards, scheduler)
    made = iter(all_made([it for cut in cuts for it in cut], scheduler))
    done = [whole(shard, cut, [next(made) for _ in cut]) for shard, cut in zip(shards, cuts)]
    # What cannot be put together is read whole.
    again = [place for place, it in enumerate(done) if it is None]
    found = dict(zip(again, all_made([shards[place] for place in again], scheduler)))
    return [found[place] if it is None else it for place, it in enumerate(done)]


def cuts_of(shards: Sequence[Shard], scheduler: Scheduler) -> list[tuple[Shard, ...]]:
    """Each in its ranges, where it is large; looked at where it is read."""
    if callable(scheduler):
        return compute(functools.partial(cut, size=_shard.RANGE_BYTES), shards, scheduler)
    return [cut(shard, _shard.RANGE_BYTES) for shard in shards]


def all_made(shards: Sequence[Shard], scheduler: Scheduler) -> list[Done]:
    """The part or piece of each."""
    if scheduler == "processes":
        return [Done(why=KILLED) if it is None else it for it in on_processes(make, shards)]
    return compute(make, shards, scheduler)


def whole(shard: Shard, cut: tuple[Shard, ...], made: list[Done]) -> Done | None:
    """What became of it: of itself, or of its ranges; none where it has to be read whole."""
    if cut == (shard,):
        return made[0]
    killed = next((it for it in made if it.why == KILLED), None)
    return killed or together(shard, made)


def each(
    task: Callable[[Any], Any], inputs: Sequence[Any], scheduler: Scheduler, pinned: bool, told: Told | None = None
) -> list[Any]:
    """What `task` gives for each input; for one that ended its workers, why there is nothing. `told` is called with each result as it
    comes, with some of them twice."""
    results = each_made(task, inputs, scheduler, pinned, told)
    # Schedulers that are functions may tell nothing before.
    if told is not None:
        for result in results:
            told(result)
    return results


def each_made(
    task: Callable[[Any], Any], inputs: Sequence[Any], scheduler: Scheduler, pinned: bool, told: Told | None
) -> list[Any]:
    """As `each`; `told` may not be called with all results."""
    if not is_client(scheduler):
        check(scheduler, pinned)
        if scheduler == "processes":
            return [KILLED if it is None else it for it in on_processes(task, inputs, told)]
        return compute(task, inputs, scheduler, told)
    client: Any = scheduler
    with told_of_lost_scheduler():
        futures = finished(inputs, lambda it: client.compute(delayed(task, pure=False)(it), **place(it, pinned)), told)
        failures = [(future, future.exception()) for future in futures]
        return [future.result() if failure is None else why_lost(failure) for future, failure in failures]


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


def compute(
    task: Callable[[Any], Any], inputs: Sequence[Any], scheduler: Scheduler, told: Told | None = None
) -> list[Any]:
    """What `task` gives for each input."""
    # What is read depends on files, so the names of tasks may be drawn.
    tasks = [delayed(task, pure=False)(it) for it in inputs]
    with telling(tasks, told):
        return list(compute_all(*tasks, scheduler=scheduler))


def telling(tasks: Sequence[Any], told: Told | None) -> AbstractContextManager[Any]:
    """Meanwhile dask's schedulers on this machine call `told` with the result of each task as it comes, in this process."""
    if told is None:
        return nullcontext()
    keys = {task.key for task in tasks}

    def finish(key: Any, result: Any, *_: Any) -> None:
        if key in keys:
            told(result)

    calls: AbstractContextManager[Any] = Callback(posttask=finish)
    return calls


def merged(shards: Sequence[Shard], done: Sequence[Done]) -> Part | None:
    """The parts that were made as one; none where there are none."""
    named = [(shard.name, it.part) for shard, it in zip(shards, done) if it.part is not None]
    return merge_of(named) if named else None


def merge_of(named: Sequence[tuple[str, bytes]]) -> Part:
    """Parts under their names as one."""
    # Opening a part lets other threads run.
    with ThreadPoolExecutor() as threads:
        return merge(list(threads.map(lambda it: Part.from_bytes(it[1], name=it[0]), named)))


# Processes of this machine.


def on_processes(task: Callable[[Any], Any], inputs: Sequence[Any], told: Told | None = None) -> list[Any]:
    """What `task` gives for each input, on as many processes as there are processors; none for one that was given up.

    A process that is killed takes the pool with it: what was finished is kept, what was under way is tried again by itself,
    and an input that ends its process every time is given up."""
    done: dict[int, Any] = {}
    ended = [0] * len(inputs)
    with tempfile.TemporaryDirectory(prefix="hotset-") as folder:
        while len(done) < len(inputs):
            together = batch(len(inputs), done, ended)
            notes = {place: Notes(Path(folder), place) for place in together}
            tasks = [delayed(noted, pure=False)(task, inputs[place], notes[place]) for place in together]
            try:
                # A process is given one at a time: dask gives it six, as if tasks were short.
                with telling(tasks, told):
                    done.update(zip(together, compute_all(*tasks, scheduler="processes", chunksize=1)))
            except BrokenProcessPool:
                for place in together:
                    if notes[place].finished.exists():
                        done[place] = pickle.loads(notes[place].finished.read_bytes())
                    elif notes[place].was_begun():
                        ended[place] += 1
                        if ended[place] == TRIES:
                            done[place] = None
    return [done[place] for place in range(len(inputs))]


def batch(inputs: int, done: dict[int, Any], ended: Sequence[int]) -> list[int]:
    """What to make next: all that never met the end of a process, then those that did, one at a time."""
    left = [place for place in range(inputs) if place not in done]
    unsuspected = [place for place in left if ended[place] == 0]
    return unsuspected or left[:1]


class Notes:
    """What a process leaves behind of an input."""

    def __init__(self, folder: Path, place: int) -> None:
        self.begun = folder / f"{place}.begun"
        self.finished = folder / f"{place}.finished"

    def was_begun(self) -> bool:
        """Whether it was begun and not finished; asked once a try."""
        was = self.begun.exists()
        self.begun.unlink(missing_ok=True)
        return was


def noted(task: Callable[[Any], Any], given: Any, notes: Notes) -> Any:
    """As `task`, and leaves behind how far it came."""
    notes.begun.touch()
    done = task(given)
    partial = notes.finished.with_suffix(".partial")
    partial.write_bytes(pickle.dumps(done))
    partial.rename(notes.finished)
    return done


# A cluster.


def on_cluster(shards: Sequence[Shard], client: Any, pinned: bool) -> tuple[list[Done], Part | None]:
    """One task a shard, on its own machine where shards are pinned. Many parts stay on the cluster and are merged there."""
    with told_of_lost_scheduler():
        futures = on_cluster_made(shards, client, pinned)
        if len(futures) <= MERGED_AT_ONCE:
            done = outcomes(client, futures)
            return done, merged(shards, done)
        # Of a finished shard everything but its part comes here.
        done = outcomes(client, futures, without_part)
        made = [
            (shard.name, future) for shard, future, it in zip(shards, futures, done) if it.why is None
        ]
        return done, on_cluster_merged(client, made)


def on_cluster_gathered(shards: Sequence[Shard], client: Any, pinned: bool) -> list[Done]:
    """One task a shard; its part comes here."""
    with told_of_lost_scheduler():
        return outcomes(client, on_cluster_made(shards, client, pinned))


def on_cluster_made(shards: Sequence[Shard], client: Any, pinned: bool) -> list[Any]:
    """Futures of all shards, large ones in ranges; they are over."""
    import distributed

    looked = [client.submit(cut, it, _shard.RANGE_BYTES, pure=False, **place(it, pinned)) for it in shards]
    distributed.wait(looked)
    cuts = [(it,) if future.exception() else future.result() for it, future in zip(shards, looked)]
    return finished(list(zip(shards, cuts)), lambda it: made_on_cluster(client, it[0], it[1], pinned))


def finished(inputs: Sequence[Any], started: Callable[[Any], Any], told: Told | None = None) -> list[Any]:
    """A future for each input; they are over. `told` is called with each result as it comes.

    A worker that is killed counts against every task that waited for it (distributed's `Scheduler.remove_worker`). So where
    several were given up, each is tried again by itself: only what ends its workers then is lost."""
    import distributed

    futures = [started(it) for it in inputs]
    if told is not None:
        for future in distributed.as_completed(futures):
            if future.status == "finished":
                told(future.result())
    distributed.wait(futures)
    given_up = [place for place, future in enumerate(futures) if was_killed(future.exception())]
    if len(given_up) > 1:
        for place in given_up:
            futures[place] = started(inputs[place])
            distributed.wait(futures[place])
    return futures


def was_killed(error: BaseException | None) -> bool:
    """Whether the workers of a task were killed."""
    return type(error).__name__ == "KilledWorker"


def made_on_cluster(client: Any, shard: Shard, cut: tuple[Shard, ...], pinned: bool) -> Any:
    """The future of its part; of ranges they are put together on its own machine."""
    at = place(shard, pinned)
    futures = [client.submit(make, it, pure=False, **at) for it in cut]
    return futures[0] if cut == (shard,) else client.submit(together_or_whole, shard, futures, pure=False, **at)


def together_or_whole(shard: Shard, made: list[Done]) -> Done:
    """Its part from its pieces, or read whole."""
    return together(shard, made) or make(shard)


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


def outcomes(client: Any, futures: Sequence[Any], told: Callable[[Done], Done] | None = None) -> list[Done]:
    """What became of each shard; of a finished one what `told` leaves of it."""
    errors = [future.exception() for future in futures]
    made = [future for future, error in zip(futures, errors) if error is None]
    found = iter(client.gather([client.submit(told, future) for future in made] if told else made))
    return [next(found) if error is None else Done(why=why_lost(error)) for error in errors]


def why_lost(error: BaseException) -> str:
    """Why a task of a cluster gave nothing."""
    if was_killed(error):
        return f"the workers that read it were killed, {TRIES} times"
    if type(error).__name__ == "FutureCancelledError":
        raise error
    return f"{type(error).__name__}: {error}"


def without_part(done: Done) -> Done:
    """What there is to tell of a shard."""
    return Done(why=done.why, from_store=done.from_store, not_stored=done.not_stored)


def on_cluster_merged(client: Any, made: list[tuple[str, Any]]) -> Part | None:
    """Merges as a tree, so that no worker needs to hold all parts. The last merge is made here, where its result is wanted."""
    if not made:
        return None
    level = [(name, client.submit(part_of, future)) for name, future in made]
    while len(level) > MERGED_AT_ONCE:
        groups = [level[start : start + MERGED_AT_ONCE] for start in range(0, len(level), MERGED_AT_ONCE)]
        level = [
            (group[0][0], client.submit(merge_named, [name for name, _ in group], [data for _, data in group]))
            for group in groups
        ]
    parts = client.gather([data for _, data in level])
    return merge_of([(name, data) for (name, _), data in zip(level, parts)])


def part_of(done: Done) -> bytes | None:
    """The bytes of a shard that was made."""
    return done.part


def merge_named(names: list[str], parts: list[bytes]) -> bytes:
    """As `merge_of`, in bytes, of lists whose items a cluster fills in."""
    return merge_of(list(zip(names, parts))).to_bytes()
