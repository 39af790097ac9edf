"""Combined log to columns: hotset beside polars' regular-expression extract, on one file and one core."""

import sys
import time
from pathlib import Path

from measure import alternate, median, run

LINES = 2_000_000
TIMES = 5
PATTERN = (
    r'^(?P<client>\S+) \S+ \S+ \[(?P<time>[^\]]+)\] "(?P<method>\S+) (?P<target>.*?)(?: (?P<protocol>HTTP/\S+))?" '
    r'(?P<status>\d{3}) (?P<bytes>\d+|-)'
)


def generate(hotset, work):
    """The shared log: two million combined lines, about 400 MB."""
    log = work / "two-million.log"
    if not log.exists():
        run([hotset, "generate", "zipf", "--objects", "50000", "--requests", str(LINES), "--seed", "1",
             "-o", str(work / "two-million.trace"), "--log", str(log)])
    return log


def polars_extract(log):
    """Runs this file as a program: reads the log and extracts the columns, as a polars user would."""
    return run([sys.executable, __file__, str(log)], POLARS_MAX_THREADS="1")


def hotset_columns(bench, log):
    """Runs the columns benchmark program on the log."""
    return run([str(bench), str(log)])


def rows(hotset, bench, work):
    """The comparison as rows of the ratio table."""
    log = generate(hotset, work)
    size = log.stat().st_size
    ours, theirs = alternate(lambda: hotset_columns(bench, log), lambda: polars_extract(log), TIMES)
    speed = [size / run.cpu_seconds / 1e9 for run in ours]
    peer = [size / run.cpu_seconds / 1e9 for run in theirs]
    return [
        row("combined log to columns", "polars extract_groups", median(speed), median(peer), "GB/s"),
        row("peak memory of it", "polars extract_groups", median([r.peak_bytes for r in ours]) / 2**20,
            median([r.peak_bytes for r in theirs]) / 2**20, "MiB"),
    ]


def row(work, peer, ours, theirs, unit):
    """One row of the ratio table."""
    return {"work": work, "peer": peer, "hotset": ours, "peer_value": theirs, "ratio": ours / theirs, "unit": unit}


def extract(path):
    """Polars' side: every field of every line by one regular expression, then typed."""
    import polars as pl

    frame = (
        pl.scan_csv(path, has_header=False, separator="\x01", quote_char=None, new_columns=["line"])
        .select(pl.col("line").str.extract_groups(PATTERN).struct.unnest())
        .with_columns(
            pl.col("time").str.to_datetime("%d/%b/%Y:%H:%M:%S %z", strict=False),
            pl.col("status").cast(pl.UInt16),
            pl.col("bytes").cast(pl.UInt64, strict=False),
            pl.col("client").cast(pl.Categorical),
            pl.col("target").cast(pl.Categorical),
        )
        .collect()
    )
    print(frame.height)


if __name__ == "__main__":
    started = time.time()
    extract(Path(sys.argv[1]))
    print(f"{time.time() - started:.2f} s", file=sys.stderr)
