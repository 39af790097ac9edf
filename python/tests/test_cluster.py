"""A real cluster: `dask scheduler` and two `dask worker` that talk TLS, each on a network of its own where that may be."""

from __future__ import annotations

import dataclasses
import os
import signal
import subprocess
import sys
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
PORT = 8786
#: Private addresses (RFC 1918), of which tests that run beside each other take different ones.
NETWORK = f"10.93.{os.getpid() % 250}."


@dataclasses.dataclass
class Cluster:
    """Programs that run, and how to reach them."""

    address: str
    security: Any
    scheduler: subprocess.Popen[bytes]
    #: Where each worker is; one address for all where there are no networks of their own.
    hosts: list[str]

    def client(self) -> Any:
        return distributed.Client(self.address, security=self.security, timeout=20)


class Networks:
    """A network for each program, joined by a bridge, or none where that may not be."""

    def __init__(self, count: int) -> None:
        self.tag = f"hs{os.getpid() % 100_000}"
        self.names = [f"{self.tag}-{place}" for place in range(count)]
        self.made = os.geteuid() == 0 and self.make()

    def make(self) -> bool:
        try:
            ip(f"link add {self.tag} type bridge")
            ip(f"addr add {NETWORK}254/24 dev {self.tag}")
            ip(f"link set {self.tag} up")
            for place, name in enumerate(self.names):
                ip(f"netns add {name}")
                ip(f"link add {self.tag}v{place} type veth peer name eth0 netns {name}")
                ip(f"link set {self.tag}v{place} master {self.tag} up")
                ip(f"-n {name} addr add {NETWORK}{place + 1}/24 dev eth0")
                ip(f"-n {name} link set eth0 up")
                ip(f"-n {name} link set lo up")
        except (OSError, subprocess.CalledProcessError):
            self.remove()
            return False
        return True

    def remove(self) -> None:
        for name in self.names:
            subprocess.run(["ip", "netns", "del", name], capture_output=True)
        subprocess.run(["ip", "link", "del", self.tag], capture_output=True)

    def host(self, place: int) -> str:
        return f"{NETWORK}{place + 1}" if self.made else "127.0.0.1"

    def command(self, place: int) -> list[str]:
        return ["ip", "netns", "exec", self.names[place]] if self.made else []


def ip(arguments: str) -> None:
    subprocess.run(["ip", *arguments.split()], check=True, capture_output=True)


@pytest.fixture
def cluster(tmp_path: Path) -> Iterator[Cluster]:
    """A scheduler and two single-threaded workers."""
    networks = Networks(3)
    security = distributed.Security.temporary()
    options = ["--protocol", "tls"]
    for option, text in (
        ("--tls-ca-file", security.tls_ca_file),
        ("--tls-cert", security.tls_client_cert),
        ("--tls-key", security.tls_client_key),
    ):
        path = tmp_path / f"{option[6:]}.pem"
        path.touch(mode=0o600)
        path.write_text(text)
        options += [option, str(path)]
    programs: list[subprocess.Popen[bytes]] = []

    def start(place: int, *arguments: str) -> subprocess.Popen[bytes]:
        words = [*networks.command(place), sys.executable, "-m", "dask", *arguments, *options, "--host", networks.host(place)]
        environment = {**os.environ, "PYTHONPATH": str(Path(__file__).parent)}
        with (tmp_path / f"{place}.err").open("wb") as errors:
            program = subprocess.Popen(words, stdout=errors, stderr=errors, cwd=tmp_path, env=environment, start_new_session=True)
        programs.append(program)
        return program

    address = f"tls://{networks.host(0)}:{PORT}"
    try:
        scheduler = start(0, "scheduler", "--no-dashboard", "--port", str(PORT))
        for place in (1, 2):
            start(place, "worker", address, "--nthreads", "1", "--no-dashboard", "--local-directory", str(tmp_path))
        made = Cluster(address, security, scheduler, sorted({networks.host(1), networks.host(2)}))
        with made.client() as client:
            client.wait_for_workers(2, timeout=60)
        yield made
    finally:
        for program in programs:
            try:
                # Workers have processes of their own; all are in the program's session.
                os.killpg(program.pid, signal.SIGKILL)
            except ProcessLookupError:
                pass
            program.wait()
        networks.remove()


def many(tmp_path: Path, count: int = 8) -> list[Path]:
    """Logs that take a worker some time."""
    logs = [tmp_path / f"web{chr(97 + number)}.log" for number in range(count)]
    for number, log in enumerate(logs):
        log.write_text("".join(lines(number)) * 150)
    return logs


def test_a_cluster_gives_the_bytes_of_one_process_and_talks_tls_only(
    logs: list[Path], cluster: Cluster, tmp_path: Path
) -> None:
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


def test_a_worker_killed_meanwhile_changes_no_byte(tmp_path: Path, cluster: Cluster) -> None:
    logs = many(tmp_path)
    one = hotset.part(logs, client_key=KEY).to_bytes()
    with cluster.client() as client:
        victim = sorted(client.run(os.getpid).values())[0]
        threading.Timer(0.5, os.kill, (victim, signal.SIGKILL)).start()
        began = time.monotonic()
        found = describe_logs(logs, scheduler=client, client_key=KEY)
        assert time.monotonic() - began > 0.5, "over before the worker was killed"
        assert found.part.to_bytes() == one and found.missing == ()


def test_a_log_that_kills_workers_is_named_and_the_rest_is_kept(
    logs: list[Path], cluster: Cluster, monkeypatch: pytest.MonkeyPatch
) -> None:
    from hotset.distributed import _run

    monkeypatch.setattr(_run, "make", killing)
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

    def kill_when_some_are_done() -> None:
        while not list(store.glob("*.part")):
            time.sleep(0.01)
        cluster.scheduler.kill()

    # Should no part come, nobody waits for it when the test has failed.
    threading.Thread(target=kill_when_some_are_done, daemon=True).start()
    with cluster.client() as client:
        with pytest.raises(ShardError, match="scheduler went away"):
            describe_logs(logs, scheduler=client, client_key=KEY, store=store)
    found = describe_logs(logs, scheduler="threads", client_key=KEY, store=store)
    assert found.from_store > 0 and found.part.to_bytes() == one
