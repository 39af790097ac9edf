"""Running a command and reading what the operating system says it cost."""

import json
import os
import statistics
import subprocess
import time
from dataclasses import dataclass


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
    start = time.monotonic()
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=env)
    stdout = process.stdout.read()
    _, status, usage = os.wait4(process.pid, 0)
    wall = time.monotonic() - start
    if status != 0:
        raise SystemExit(f"{command} ended with status {status}")
    return Run(usage.ru_utime + usage.ru_stime, wall, usage.ru_maxrss * 1024, stdout)


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
