"""Measures hotset beside its peers, prints the table and keeps it in benches/results/, dated.

    compare.py [PART...]        parts: log reading cache replay petri tiers markings alone; all of them by default. A part
    alone is kept under its name."""

import datetime
import importlib.metadata
import os
import platform
import subprocess
import sys
from pathlib import Path

import alone
import cache
import log
import markings
import petri
import reading
import replay
import tiers

ROOT = Path(__file__).resolve().parents[2]
HOTSET = str(ROOT / os.environ.get("CARGO_TARGET_DIR", "target") / "release" / "hotset")
WORK = ROOT / "benches" / "work"
RESULTS = ROOT / "benches" / "results"
PARTS = {"log": log.rows, "reading": reading.rows, "cache": cache.rows, "replay": replay.rows,
         "petri": petri.rows, "tiers": tiers.rows, "markings": markings.rows, "alone": alone.rows}
PEERS = ["polars", "duckdb", "libcachesim", "numpy", "simpn", "SNAKES", "ciw"]
HEAD = ["work", "hotset", "peer", "unit", "ratio", "peer's name"]
NOTES = """\
Rates are per second of processor time (user + system) on one core; hotset's include the start of its
process, the peers' leave out the start of Python and the import of its modules. Both sides ran in turn;
figures are medians. A ratio above 1 says how many times better hotset is. libCacheSim's reuse-distance
profiler is not in its package on PyPI, so the exact curve has no peer here. Polars reads "plain" lines
by an expression without alternatives, and "any" lines by one that takes the requests hotset takes
(spaces in a target, no protocol); each with the faster of its engines, on one thread. Rates of the large
log are per second on the wall, programs pinned to one core and to two; GoAccess makes its report, hotset,
polars and DuckDB make columns, the peers' in memory. Of a cache scan's
memory 4 bytes are for each request and 24 (LRU) or 17 (SIEVE) for each distinct object; some 10 MiB are
the program and a row group being decoded. Objects are those that requests are drawn from: 10 M
requests touch 3.6 M of 20 M. Load generators ask nginx for one file of 1 KB over 64 kept connections, as
fast as it answers, on a core of their own where there are several; hotset by `hotset replay --clients 64`,
with its start, schedule, histograms and report. Their ratios are medians over pairs of runs. Petri nets
run on one core; making a net is left out on all sides. hotset chooses among all enabled bindings, keeps
the order of queues, records times and averages. SimPN runs the same timed nets, takes the first binding
of a random transition and records nothing. SNAKES and libpetri have no time stamps: theirs are untimed,
which is less to do. SNAKES lists all bindings and one is chosen; libpetri takes the first, and has no
guards: the code of one transition decides in place of two guards. Tiers are a proxy and two web servers; ciw and
SimGrid have no page caches and send no pieces. SimGrid is used from Python, where its processes are threads. Markings are those of 30 philosophers,
of 12 for SNAKES; Spin searches breadth first without reduction and keeps no firings. The largest share of a busy machine's
noise is in seconds on the wall."""


def cells(row):
    """A row as text."""
    peer_value = "-" if row.peer_value is None else f"{row.peer_value:.2f}"
    ratio = "-" if row.ratio() is None else f"{row.ratio():.2f}"
    return [row.work, f"{row.hotset:.2f}", peer_value, row.unit, ratio, row.peer or "-"]


def table(rows):
    """An aligned Markdown table."""
    lines = [HEAD] + [cells(row) for row in rows]
    widths = [max(len(line[column]) for line in lines) for column in range(len(HEAD))]
    lines.insert(1, ["-" * width for width in widths])
    return "\n".join("| " + " | ".join(text.ljust(width) for text, width in zip(line, widths)) + " |" for line in lines)


def output(*command):
    """What a command prints, its first line."""
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout.splitlines()[0]


def processor():
    """The model of the processor, where the system tells."""
    lines = Path("/proc/cpuinfo").read_text().splitlines()
    return next((line.split(":", 1)[1].strip() for line in lines if line.startswith("model name")), platform.machine())


def load():
    """The load average over 1, 5 and 15 minutes."""
    return " ".join(f"{value:.1f}" for value in os.getloadavg())


def machine(load_before):
    """Where and with what it was measured."""
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 2**30
    installed = {package.name: package.version for package in importlib.metadata.distributions()}
    peers = "".join(f", {name} {installed[name]}" for name in PEERS if name in installed)
    allowed = len(os.sched_getaffinity(0))
    share = "" if allowed == os.cpu_count() else f" ({allowed} of them used)"
    return "\n".join([
        f"- machine: {processor()}, {os.cpu_count()} cores{share}, {memory:.0f} GiB, {platform.system()} {platform.release()}",
        f"- load average before: {load_before}; after: {load()} (1, 5, 15 minutes)",
        f"- hotset at {output('git', 'rev-parse', '--short', 'HEAD')}, {output('rustc', '--version')}",
        f"- Python {platform.python_version()}{peers}",
        f"- {replay.setting(WORK)}",
    ])


def keep(text, parts):
    """Writes the results of the day."""
    name = "-".join(["peers"] + ([] if parts == list(PARTS) else parts))
    path = RESULTS / f"{datetime.date.today().isoformat()}-{name}.md"
    path.write_text(text)
    print(f"\nkept in {path.relative_to(ROOT)}")


def main():
    """Runs the parts asked for."""
    WORK.mkdir(exist_ok=True)
    RESULTS.mkdir(exist_ok=True)
    load_before = load()
    parts = sys.argv[1:] or list(PARTS)
    rows = [row for part in parts for row in PARTS[part](HOTSET, WORK)]
    print(table(rows))
    keep(f"# hotset beside its peers, {datetime.date.today().isoformat()}\n\n"
         f"{machine(load_before)}\n\n{table(rows)}\n\n{NOTES}\n", parts)


if __name__ == "__main__":
    main()
