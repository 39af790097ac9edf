"""What no peer offers: the exact byte miss-ratio curve, and a plan from a log to the answer."""

import json
import re

import log
from measure import Row, bench_program, median, run

TIMES = 3
CURVE_LINE = re.compile(r"^(?P<trace>.+?) +curve +(?P<rate>[0-9.]+) M requests/s", re.MULTILINE)


def curves():
    """The exact curve's rate on each of the traces of the policies' benchmark."""
    text = run([bench_program("hotset-cache", "policies"), "curve"]).stdout
    return [Row(f"exact curve, {found['trace']}", "M requests/s", float(found["rate"]))
            for found in CURVE_LINE.finditer(text)]


def plan(hotset, work):
    """`hotset plan` on the shared log: time on the wall, processor time, peak memory, and the parts of a run."""
    command = [hotset, "plan", "--memory", "10%", "--timings", "--json", str(log.generate(hotset, work))]
    runs = [run(command, RAYON_NUM_THREADS="") for _ in range(TIMES)]
    last = json.loads(runs[-1].stdout)
    parts = [Row(f"- {part}", "s", seconds) for part, seconds in last["timings_seconds"].items()]
    return [
        Row("plan of 2 M lines, wall", "s", median([one.wall_seconds for one in runs])),
        Row("- its processor time", "s", median([one.cpu_seconds for one in runs])),
        Row("- its peak memory", "MiB", median([one.peak_bytes for one in runs]) / 2**20),
        *parts,
    ]


def rows(hotset, work):
    """Both as rows of the table."""
    return curves() + plan(hotset, work)
