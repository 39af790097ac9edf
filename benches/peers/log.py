"""Combined log to columns: hotset beside polars' regular-expression extract, on one file and one core."""

import json
import sys
import time
from functools import partial
from pathlib import Path

from measure import Row, alternate, bench_program, in_memory, median, run

LINES = 2_000_000
TIMES = 5
HEAD = r'^(?P<client>[^ ]+) [^ ]+ [^ ]+ \[(?P<time>[^\]]+)\] "(?P<method>[^ "]+) '
TAIL = r'" (?P<status>[0-9]{3}) (?P<bytes>[0-9]+|-)'
# The second also takes what hotset takes: targets with spaces or quotes, requests without a protocol. The first, whose
# groups all end at a fixed byte, is matched in one pass and several times faster; on this log both read every line.
PATTERNS = {
    "plain": HEAD + r'(?P<target>[^ "]+) (?P<protocol>[^"]+)' + TAIL,
    "any": HEAD + r'(?P<target>.*?)(?: (?P<protocol>HTTP/[^ "]+))?' + TAIL,
}
ENGINES = ["in-memory", "streaming"]


def generate(hotset, work):
    """The shared log: two million combined lines, about 430 MB."""
    log = work / "two-million.log"
    if not log.exists():
        part = work / "two-million.part"
        run([hotset, "generate", "zipf", "--objects", "50000", "--working-set", "2GiB", "--requests", str(LINES),
             "--seed", "1", "--log", str(part)])
        part.rename(log)
    return log


def polars_extract(log, pattern, engine):
    """(processor seconds, peak bytes) of the columns in polars, in a process of their own.

    The start of Python and its modules is not counted against it."""
    finished = run([sys.executable, __file__, str(in_memory(log)), pattern, engine], POLARS_MAX_THREADS="1")
    return json.loads(finished.stdout)["cpu_seconds"], finished.peak_bytes


def hotset_columns(bench, log):
    """(processor seconds, peak bytes) of the whole process of the columns benchmark, which reads the log once."""
    finished = run([bench, "--runs=1", "--threads=1", str(in_memory(log))])
    return finished.cpu_seconds, finished.peak_bytes


def rows(hotset, work):
    """The comparison as rows of the ratio table; polars by each expression with the faster of its two engines."""
    log = generate(hotset, work)
    bench = bench_program("hotset-trace", "log_to_columns")
    queries = [(pattern, engine) for pattern in PATTERNS for engine in ENGINES]
    peers = [partial(polars_extract, log, *query) for query in queries]
    ours, *theirs = alternate(TIMES, partial(hotset_columns, bench, log), *peers)
    rate = log.stat().st_size / 1e9
    return [
        row
        for pattern in PATTERNS
        for row in compare(rate, pattern, ours, [(query[1], runs) for query, runs in zip(queries, theirs)
                                                 if query[0] == pattern])
    ]


def compare(rate, pattern, ours, engines):
    """Rows of the table for one expression."""
    engine, best = min(engines, key=lambda one: seconds(one[1]))
    peer = f"polars, {engine}"
    return [
        Row(f"log to columns, {pattern} lines", "GB/s", rate / seconds(ours), peer, rate / seconds(best)),
        Row("- its peak memory", "MiB", mebibytes(ours), peer, mebibytes(best), more_is_better=False),
    ]


def seconds(runs):
    """Median processor time."""
    return median([cpu_seconds for cpu_seconds, _ in runs])


def mebibytes(runs):
    """Median peak memory."""
    return median([peak_bytes for _, peak_bytes in runs]) / 2**20


def columns(path, pattern, engine):
    """Polars' side: every field of every line by one regular expression, then typed."""
    import polars as pl

    lines = pl.scan_csv(path, has_header=False, separator="\x01", quote_char=None, new_columns=["line"])
    return (
        lines.select(pl.col("line").str.extract_groups(PATTERNS[pattern]).struct.unnest())
        .with_columns(
            pl.col("time").str.to_datetime("%d/%b/%Y:%H:%M:%S %z", strict=False),
            pl.col("status").cast(pl.UInt16),
            pl.col("bytes").cast(pl.UInt64, strict=False),
            pl.col("client").cast(pl.Categorical),
            pl.col("target").cast(pl.Categorical),
        )
        .collect(engine=engine)
    )


def extract(path, pattern, engine):
    """The processor seconds that the columns take polars, its import left out."""
    import polars  # noqa: F401

    start = time.process_time()
    frame = columns(path, pattern, engine)
    if frame.height != LINES or frame["status"].null_count():
        raise SystemExit("polars did not read every line")
    return time.process_time() - start


if __name__ == "__main__":
    print(json.dumps({"cpu_seconds": extract(Path(sys.argv[1]), sys.argv[2], sys.argv[3])}))
