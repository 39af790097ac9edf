"""A large combined log to columns on one core and on two: hotset beside polars, DuckDB and GoAccess, with memory.

    benches/peers/run reading                          20 million lines, some 4.3 GB
    HOTSET_READING_LINES=2000000 benches/peers/run reading

Polars and DuckDB take the fields out of each line by the regular expression of `log.py` that is matched in one pass, and
type them as hotset does. GoAccess parses the log into its own report, on one core and once, because it takes minutes. A
program that is not installed is left out.

How much faster two cores are than one is up to the machine too: they share caches, and on rented machines perhaps a core
with a neighbour. Two readers at once, each of a log of its own and on a core of its own, show what it has to give. The
log is in memory at the start of every run."""

import importlib.util
import os
import re
import shutil
import sys
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path

import log
from measure import Row, alternate, bench_program, in_memory, median, pinned, run

LINES = int(os.environ.get("HOTSET_READING_LINES", "20000000"))
TIMES = 3
TIMES_SCALING = 9
GOACCESS_FORMAT = ["--log-format=COMBINED", "--no-global-config"]
# DuckDB names groups beside the expression.
PATTERN_OF_NUMBERS = re.sub(r"\?P<[a-z]+>", "", log.PATTERNS["plain"])
DUCKDB_QUERY = """
    create temporary table columns as
    select fields['client'] as client, fields['target'] as target, fields['method'] as method,
        fields['protocol'] as protocol, fields['status']::usmallint as status,
        try_cast(fields['bytes'] as ubigint) as bytes, strptime(fields['time'], '%d/%b/%Y:%H:%M:%S %z') as time
    from (
        select regexp_extract(line, '{pattern}', ['client', 'time', 'method', 'target', 'protocol', 'status', 'bytes'])
            as fields
        from read_csv('{log}', columns = {{'line': 'varchar'}}, delim = '\x01', quote = '', escape = '', header = false)
    )
"""


def generate(hotset, work):
    """The log of so many lines."""
    path = work / f"reading-{LINES}.log"
    if not path.exists():
        part = path.with_suffix(".part")
        run([hotset, "generate", "zipf", "--objects", "50000", "--working-set", "2GiB", "--requests", str(LINES),
             "--seed", "1", "--log", str(part)])
        part.rename(path)
    return path


def on(cores, path, command):
    """Runs a command that reads the log, on the first `cores` cores that this program may use; its Run."""
    in_memory(path)
    return run(pinned(sorted(os.sched_getaffinity(0))[:cores], command), RAYON_NUM_THREADS="")


def two_at_once(path, command):
    """Runs a command that reads the log twice at the same time, each on a core of its own; the Run that took longer."""
    in_memory(path)
    cores = sorted(os.sched_getaffinity(0))[:2]
    with ThreadPoolExecutor(len(cores)) as pool:
        runs = pool.map(lambda core: run(pinned([core], command)), cores)
    return max(runs, key=lambda one: one.wall_seconds)


def commands(hotset, work, path):
    """(name, command as a function of the number of cores) of each program that is installed; hotset first."""
    bench = bench_program("hotset-trace", "log_to_columns")
    yield "hotset", lambda cores: [bench, "--runs=1", f"--threads={cores}", path]
    for name, package in [("polars", "polars"), ("DuckDB", "duckdb")]:
        if importlib.util.find_spec(package) is None:
            print(f"{name} is not installed and left out")
            continue
        yield name, lambda cores, package=package: [sys.executable, __file__, package, path, cores]


def goaccess_row(work, path, gigabytes, ours):
    """GoAccess on one core, beside hotset's runs there. It takes minutes, so that it runs once."""
    goaccess = shutil.which("goaccess")
    if goaccess is None:
        print("GoAccess is not installed and left out")
        return []
    report = work / "goaccess.json"
    one = [on(1, path, [goaccess, path, *GOACCESS_FORMAT, "--no-progress", "--output", report])]
    return [
        Row(work_name(1), "GB/s", gigabytes / wall(ours), "GoAccess", gigabytes / wall(one)),
        Row("- peak memory", "MiB", mebibytes(ours), "GoAccess", mebibytes(one), more_is_better=False),
    ]


def work_name(cores):
    """What is done."""
    return f"{LINES // 1_000_000} M lines to columns, {cores} core" + "s" * (cores > 1)


def rows(hotset, work):
    """Rates on the wall, and memory, on one core and on two as rows of the table."""
    path = generate(hotset, work)
    gigabytes = path.stat().st_size / 1e9
    found = list(commands(hotset, work, path))
    table = []
    for cores in [1, 2][:len(os.sched_getaffinity(0))]:
        calls = {name: partial(on, cores, path, command(cores)) for name, command in found}
        if cores > 1:
            table += scaling_rows(path, gigabytes, found[0][1])
        runs = dict(zip(calls, alternate(TIMES, *calls.values())))
        ours = runs.pop("hotset")
        for name, theirs in runs.items():
            table.append(Row(work_name(cores), "GB/s", gigabytes / wall(ours), name, gigabytes / wall(theirs)))
            table.append(Row("- peak memory", "MiB", mebibytes(ours), name, mebibytes(theirs), more_is_better=False))
        if cores == 1:
            table += goaccess_row(work, path, gigabytes, ours)
    return table


def scaling_rows(path, gigabytes, command):
    """Two cores beside one, and beside two readers at once; ratios are medians over pairs of runs."""
    alone, together = command(1), command(2)
    calls = partial(on, 1, path, alone), partial(on, 2, path, together), partial(two_at_once, path, alone)
    one, two, both = alternate(TIMES_SCALING, *calls)
    rate = gigabytes / wall(two)
    return [
        Row(work_name(2), "GB/s", rate, "hotset, 1 core", gigabytes / wall(one), pair_ratio=pair_ratio(one, two)),
        Row(work_name(2), "GB/s", rate, "hotset, 2 at once", 2 * gigabytes / wall(both),
            pair_ratio=pair_ratio(both, two) / 2),
    ]


def pair_ratio(theirs, ours):
    """How many times as fast the second of each pair was, the median."""
    return median([their.wall_seconds / our.wall_seconds for their, our in zip(theirs, ours)])


def wall(runs):
    """Median seconds on the wall, the start of the program included."""
    return median([one.wall_seconds for one in runs])


def mebibytes(runs):
    """Median peak memory."""
    return median([one.peak_bytes for one in runs]) / 2**20


def with_polars(path, cores):
    """All fields of all lines as columns in memory."""
    os.environ["POLARS_MAX_THREADS"] = str(cores)
    log.columns(path, "plain", "streaming")


def with_duckdb(path, cores):
    """The same as a table in memory."""
    import duckdb

    connection = duckdb.connect(config={"threads": cores})
    connection.execute(DUCKDB_QUERY.format(pattern=PATTERN_OF_NUMBERS, log=path))
    read = connection.execute("select count(*), count(status) from columns").fetchone()
    if read != (LINES, LINES):
        raise SystemExit("DuckDB did not read every line")


if __name__ == "__main__":
    program, path, cores = sys.argv[1:]
    {"polars": with_polars, "duckdb": with_duckdb}[program](Path(path), int(cores))
