"""Running a command and reading what the operating system says it cost."""

import os
import statistics
import subprocess
from dataclasses import dataclass


@dataclass
class Run:
    """One finished command: processor seconds (user + system), peak memory in bytes, standard output."""

    cpu_seconds: float
    peak_bytes: int
    stdout: str


def run(command, **environment):
    """Runs `command` on one core and returns its Run; a failing command is an error."""
    env = os.environ | {"RAYON_NUM_THREADS": "1"} | environment
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=env)
    stdout = process.stdout.read()
    _, status, usage = os.wait4(process.pid, 0)
    if status != 0:
        raise SystemExit(f"{command} ended with status {status}")
    return Run(usage.ru_utime + usage.ru_stime, usage.ru_maxrss * 1024, stdout)


def alternate(first, second, times):
    """Calls the two in turn `times` times; (results of first, results of second)."""
    pairs = [(first(), second()) for _ in range(times)]
    return [a for a, _ in pairs], [b for _, b in pairs]


def median(values):
    """The middle value."""
    return statistics.median(values)
