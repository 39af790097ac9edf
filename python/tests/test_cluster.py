"""Describing on a real cluster, and what becomes of it when programs are killed."""

from __future__ import annotations

import os
import signal
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import hotset
from conftest import KEY, lines
from hotset.distributed import ShardError, describe_logs

distributed = pytest.importorskip("distributed")
from cluster import Cluster, running  # noqa: E402  # needs what may be missing


@pytest.fixture
def cluster(tmp_path: Path) -> Iterator[Cluster]:
    """A scheduler and two single-threaded workers."""
    with running(tmp_path) as started:
        yield started


def many(tmp_path: Path, count: int = 8) -> list[Path]:
    """Logs that take a worker some time."""
    logs = [tmp_path / f"web{chr(97 + number)}.log" for number in range(count)]
    for number, log in enumerate(logs):
        log.write_text("".join(lines(number)) * 150)
    return logs


def test_a_cluster_gives_the_bytes_of_one_process_and_talks_tls_only(
    logs: list[Path], cluster: Cluster, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from hotset.distributed import _shard

    one = hotset.part(logs, client_key=KEY).to_bytes()
    with cluster.client() as client:
        found = describe_logs(logs, scheduler=client, client_key=KEY)
        assert found.part.to_bytes() == one
        assert all(worker.startswith("tls://") for worker in client.scheduler_info()["workers"])
        # A log that cannot be read does no harm to the others.
        broken = tmp_path / "broken.log"
        broken.write_text("nothing\n" * 100)
        found = describe_logs([*logs, broken], scheduler=client, client_key=KEY)
        assert found.part.to_bytes() == one and [log.files for log in found.missing] == [(str(broken),)]
        # Large logs are read in ranges, and whole where that cannot be.
        monkeypatch.setattr(_shard, "RANGE_BYTES", 10_000)
        logs[2].write_text(logs[2].read_text() + "no request\n" * 19)
        found = describe_logs([*logs, broken], scheduler=client, client_key=KEY)
        assert found.part == hotset.part(logs, client_key=KEY)
        assert [log.files for log in found.missing] == [(str(broken),)]
    with pytest.raises(OSError):
        distributed.Client(cluster.address.replace("tls", "tcp"), timeout=3)


def test_pinned_logs_are_read_on_their_own_machine(logs: list[Path], cluster: Cluster) -> None:
    if len(cluster.hosts) < 2:
        pytest.skip("takes networks of their own: root, and ip of iproute2")
    first, second = cluster.hosts
    with cluster.client() as client:
        found = describe_logs({first: logs[0], second: logs[1:]}, scheduler=client, client_key=KEY, pinned=True)
        assert found.missing == () and found.part.logs == 3
        absent = describe_logs({first: logs[0], second: "/absent.log"}, scheduler=client, client_key=KEY, pinned=True)
        assert [(log.node, log.files) for log in absent.missing] == [(second, ("/absent.log",))]


@pytest.mark.parametrize("merged_at_once", [3, 8])
def test_a_worker_killed_meanwhile_changes_no_byte(
    tmp_path: Path, cluster: Cluster, monkeypatch: pytest.MonkeyPatch, merged_at_once: int
) -> None:
    from hotset.distributed import _run

    # Eight parts are merged on workers, or here.
    monkeypatch.setattr(_run, "MERGED_AT_ONCE", merged_at_once)
    logs, store = many(tmp_path), tmp_path / "store"
    one = hotset.part(logs, client_key=KEY).to_bytes()
    with cluster.client() as client:
        victim = sorted(client.run(os.getpid).values())[0]
        threading.Thread(target=kill_when_some_are_done, args=(store, victim), daemon=True).start()
        found = describe_logs(logs, scheduler=client, client_key=KEY, store=store)
        assert victim not in client.run(os.getpid).values(), "over before the worker was killed"
        assert found.part.to_bytes() == one and found.missing == ()


def kill_when_some_are_done(store: Path, pid: int) -> None:
    """Kills a process when the first part is in the store."""
    while not list(store.glob("*.part")):
        time.sleep(0.01)
    os.kill(pid, signal.SIGKILL)


@pytest.mark.parametrize("merged_at_once", [2, 8])
def test_a_log_that_kills_workers_is_named_and_the_rest_is_kept(
    logs: list[Path], cluster: Cluster, monkeypatch: pytest.MonkeyPatch, merged_at_once: int
) -> None:
    from hotset.distributed import _run

    monkeypatch.setattr(_run, "make", killing)
    monkeypatch.setattr(_run, "MERGED_AT_ONCE", merged_at_once)
    with cluster.client() as client:
        found = describe_logs(logs, scheduler=client, client_key=KEY)
    assert [log.files for log in found.missing] == [(str(logs[1]),)] and "killed" in found.missing[0].why
    assert found.part == hotset.part([logs[0], logs[2]], client_key=KEY)


def killing(shard: Any) -> Any:
    """As the package's function, but a log that is named ends its process."""
    from hotset.distributed._shard import make

    if shard.files[0].endswith("web1.log"):
        os.kill(os.getpid(), signal.SIGKILL)
    return make(shard)


def test_the_next_run_goes_on_where_a_scheduler_was_killed(tmp_path: Path, cluster: Cluster) -> None:
    logs, store = many(tmp_path), tmp_path / "store"
    one = hotset.part(logs, client_key=KEY).to_bytes()

    # Should no part come, nobody waits for it when the test has failed.
    threading.Thread(target=kill_when_some_are_done, args=(store, cluster.scheduler.pid), daemon=True).start()
    with cluster.client() as client:
        with pytest.raises(ShardError, match="scheduler went away"):
            describe_logs(logs, scheduler=client, client_key=KEY, store=store)
    found = describe_logs(logs, scheduler="threads", client_key=KEY, store=store)
    assert found.from_store > 0 and found.part.to_bytes() == one
