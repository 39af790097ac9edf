"""Running a command and reading what the operating system says it cost."""

import json
import os
import statistics
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

LAUNCHER = Path(__file__).with_name("launch.py")


@dataclass
class Run:
    """One finished command: processor seconds (user + system), seconds on the wall, peak memory, standard output."""

    cpu_seconds: float
    wall_seconds: float
    peak_bytes: int
    stdout: str


@dataclass
class Row:
    """One row of the ratio table: what was measured in which unit, for hotset and for the peer (None: there is none).

    `more_is_better` says which way round the ratio is: it is above 1 where hotset does better. `pair_ratio` is the
    median over pairs of runs, where the machine's load moves both sides of a pair together."""

    work: str
    unit: str
    hotset: float
    peer: str = ""
    peer_value: float | None = None
    more_is_better: bool = True
    pair_ratio: float | None = None

    def ratio(self):
        """How many times better hotset is."""
        if self.peer_value is None or self.pair_ratio is not None:
            return self.pair_ratio
        return self.hotset / self.peer_value if self.more_is_better else self.peer_value / self.hotset


def run(command, **environment):
    """Runs `command` on one core and returns its Run; a failing command is an error."""
    env = os.environ | {"RAYON_NUM_THREADS": "1"} | environment
    reading, writing = os.pipe()
    # Isolated and without packages, so that the launcher stays small.
    launcher = [sys.executable, "-I", "-S", str(LAUNCHER), str(writing)]
    with subprocess.Popen(launcher + [str(part) for part in command], stdout=subprocess.PIPE, text=True, env=env,
                          pass_fds=[writing]) as process:
        os.close(writing)
        stdout = process.stdout.read()
    with open(reading) as cost:
        status, cpu_seconds, wall_seconds, peak_bytes = cost.read().split() or ["unknown", 0, 0, 0]
    if status != "0":
        raise SystemExit(f"{command} ended with status {status}")
    return Run(float(cpu_seconds), float(wall_seconds), int(peak_bytes), stdout)


def in_memory(path):
    """Reads a file, so that whoever reads it next finds it in memory. Machines that page out what was idle for half a
    minute (DAMON) would otherwise have programs read it from the disk, those most that come after a slow one."""
    buffer = memoryview(bytearray(1 << 20))
    with open(path, "rb", buffering=0) as file:
        while file.readinto(buffer):
            pass
    return path


def pinned(to, command):
    """The command on these cores only."""
    return ["taskset", "-c", ",".join(map(str, to))] + [str(part) for part in command]


def bench_program(package, name):
    """Builds the benchmark program `name` of `package`; its path."""
    command = ["cargo", "bench", "--quiet", "--locked", "--no-run", "--message-format", "json"]
    messages = run(command + ["--package", package, "--bench", name]).stdout.splitlines()
    built = [json.loads(line) for line in messages]
    return next(one["executable"] for one in built if one.get("executable") and one["target"]["name"] == name)


def alternate(times, *calls):
    """Calls each in turn, `times` times over; the results of each."""
    rounds = [[call() for call in calls] for _ in range(times)]
    return [list(results) for results in zip(*rounds)]


def median(values):
    """The middle value."""
    return statistics.median(values)
