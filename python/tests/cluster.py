"""A real cluster: `dask scheduler` and `dask worker` that talk TLS, each on a network of its own where that may be."""

from __future__ import annotations

import dataclasses
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import distributed

PORT = 8786
#: Longer than programs take to start on a busy machine, seconds.
PATIENCE = 300
#: Private addresses (RFC 1918), of which clusters that run beside each other take different ones.
NETWORK = f"10.93.{os.getpid() % 250}."


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
        for place, name in enumerate(self.names):
            # A network that is deleted takes its devices with it later, when others may want their names.
            subprocess.run(["ip", "link", "del", f"{self.tag}v{place}"], capture_output=True)
            subprocess.run(["ip", "netns", "del", name], capture_output=True)
        subprocess.run(["ip", "link", "del", self.tag], capture_output=True)

    def host(self, place: int) -> str:
        return f"{NETWORK}{place + 1}" if self.made else "127.0.0.1"

    def command(self, place: int) -> list[str]:
        return ["ip", "netns", "exec", self.names[place]] if self.made else []

    def sent_bytes(self) -> int:
        """What all programs, and this machine to them, have sent over the bridge."""
        ports = [f"{self.tag}v{place}" for place in range(len(self.names))]
        # What a program sends, its port on the bridge receives.
        received = sum(counter(port, "rx_bytes") for port in ports)
        return received + counter(self.tag, "tx_bytes")


def ip(arguments: str) -> None:
    subprocess.run(["ip", *arguments.split()], check=True, capture_output=True)


def counter(device: str, name: str) -> int:
    return int(Path(f"/sys/class/net/{device}/statistics/{name}").read_text())


@dataclasses.dataclass
class Cluster:
    """Programs that run, and how to reach them."""

    address: str
    security: Any
    scheduler: subprocess.Popen[bytes]
    networks: Networks
    #: Where each worker is; one address for all where there are no networks of their own.
    hosts: list[str]

    def client(self) -> Any:
        return distributed.Client(self.address, security=self.security, timeout=20)


@contextmanager
def running(folder: Path, workers: int = 2) -> Iterator[Cluster]:
    """A scheduler and single-threaded workers, which keep what they write in `folder`."""
    networks = Networks(1 + workers)
    security = distributed.Security.temporary()
    options = tls_options(security, folder)
    programs: list[subprocess.Popen[bytes]] = []

    def start(place: int, *arguments: str) -> subprocess.Popen[bytes]:
        words = [*networks.command(place), sys.executable, "-m", "dask", *arguments, *options, "--host", networks.host(place)]
        # Workers find the functions of tests.
        environment = {**os.environ, "PYTHONPATH": str(Path(__file__).parent)}
        with (folder / f"{place}.err").open("wb") as errors:
            program = subprocess.Popen(words, stdout=errors, stderr=errors, cwd=folder, env=environment, start_new_session=True)
        programs.append(program)
        return program

    address = f"tls://{networks.host(0)}:{PORT}"
    places = range(1, 1 + workers)
    try:
        scheduler = start(0, "scheduler", "--no-dashboard", "--port", str(PORT))
        for place in places:
            start(place, "worker", address, "--nthreads", "1", "--no-dashboard", "--local-directory", str(folder))
        made = Cluster(address, security, scheduler, networks, sorted({networks.host(place) for place in places}))
        with first_client(made) as client:
            client.wait_for_workers(workers, timeout=PATIENCE)
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


def first_client(cluster: Cluster) -> Any:
    """A client of programs that are being started, which takes minutes where others use the processors."""
    last = time.monotonic() + PATIENCE
    while True:
        try:
            return cluster.client()
        except OSError:
            if time.monotonic() > last or cluster.scheduler.poll() is not None:
                raise


def tls_options(security: Any, folder: Path) -> list[str]:
    """Writes the certificates, and says where they are."""
    options = ["--protocol", "tls"]
    for option, text in (
        ("--tls-ca-file", security.tls_ca_file),
        ("--tls-cert", security.tls_client_cert),
        ("--tls-key", security.tls_client_key),
    ):
        path = folder / f"{option[6:]}.pem"
        path.touch(mode=0o600)
        path.write_text(text)
        options += [option, str(path)]
    return options
