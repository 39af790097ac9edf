"""Cache simulation from trace file to answer: hotset beside libCacheSim, on one trace and one core.

Reuse distances have no row: libCacheSim's package on PyPI does not expose its profilers."""

import json
import sys
import time
from dataclasses import dataclass
from functools import partial

from measure import Row, alternate, median, run

REQUESTS = 10_000_000
ALPHA = 0.9
MOST_PAGES = 10
PAGE = 4096
SEED = 9
CACHE_SHARE = 0.1
TIMES = 5
POLICIES = ["lru", "sieve"]


@dataclass
class Case:
    """A trace by Zipf's law over so many objects."""

    name: str
    objects: int


CASES = [Case("zipf-1m", 1_000_000), Case("zipf-20m", 20_000_000)]


def generate(case, trace):
    """Writes ten million requests as oracleGeneral records; the bytes of all objects asked for.

    Sizes are whole pages, so that it makes no difference whether a simulator counts bytes or pages. Ids are the ranks
    in random order; the next access (which neither policy uses) is left at -1, "none"."""
    import numpy as np

    random = np.random.default_rng(SEED)
    cumulative = np.cumsum(np.arange(1, case.objects + 1, dtype=np.float64) ** -ALPHA)
    ranks = np.searchsorted(cumulative, random.random(REQUESTS) * cumulative[-1])
    ids = random.permutation(case.objects)[ranks]
    sizes = random.integers(1, MOST_PAGES, case.objects, endpoint=True) * PAGE
    records = np.zeros(REQUESTS, dtype=[("time", "<u4"), ("id", "<u8"), ("size", "<u4"), ("next", "<i8")])
    records["time"] = np.arange(REQUESTS) // 1000
    records["id"] = ids + 1
    records["size"] = sizes[ids]
    records["next"] = -1
    records.tofile(trace)
    return int(sizes[np.unique(ids)].sum())


def prepare(case, hotset, work):
    """The trace in both programs' own formats, and the cache's bytes."""
    theirs, ours, total = (work / f"{case.name}.{kind}" for kind in ["oracleGeneral.bin", "trace", "bytes"])
    if not total.exists():
        total.write_text(str(generate(case, theirs)))
    if not ours.exists():
        run([hotset, "import", "--format", "oracle-general", str(theirs), "-o", str(ours)])
    return theirs, ours, int(int(total.read_text()) * CACHE_SHARE) // PAGE * PAGE


def libcachesim(policy, trace, memory):
    """(processor seconds, hits, peak bytes) of libCacheSim's own reader and policy in a process of their own.

    The start of Python and its modules is not counted against it."""
    finished = run([sys.executable, __file__, policy, str(trace), str(memory)])
    answer = json.loads(finished.stdout)
    return answer["cpu_seconds"], answer["hits"], finished.peak_bytes


def peer(policy, trace, memory):
    """What the process of `libcachesim` does."""
    import libcachesim as lcs

    start = time.process_time()
    reader = lcs.TraceReader(trace, lcs.TraceType.ORACLE_GENERAL_TRACE)
    cache = {"lru": lcs.LRU, "sieve": lcs.Sieve}[policy](cache_size=int(memory))
    miss_ratio, _ = cache.process_trace(reader)
    seconds = time.process_time() - start
    print(json.dumps({"cpu_seconds": seconds, "hits": round((1 - miss_ratio) * REQUESTS)}))


def simulate(hotset, policy, trace, memory):
    """(processor seconds, hits, peak bytes) of the whole hotset process."""
    command = [hotset, "simulate", "trace", "--policy", policy, "--memory", str(memory), "--json", str(trace)]
    finished = run(command)
    return finished.cpu_seconds, json.loads(finished.stdout)["hits"], finished.peak_bytes


def compare(case, hotset, policy, paths):
    """One policy on both sides in turn, as rows of the ratio table; different hit counts are an error."""
    theirs, ours, memory = paths
    runs = alternate(
        TIMES, partial(simulate, hotset, policy, ours, memory), partial(libcachesim, policy, theirs, memory)
    )
    hits = {hits for side in runs for _, hits, _ in side}
    if len(hits) != 1:
        raise SystemExit(f"{policy}: hit counts differ: hotset {runs[0][0][1]}, libCacheSim {runs[1][0][1]}")
    speed, peer_speed = (REQUESTS / median([seconds for seconds, _, _ in side]) / 1e6 for side in runs)
    peak, peer_peak = (median([peak for _, _, peak in side]) / 2**20 for side in runs)
    work = f"{policy}, {case.objects // 1_000_000} M objects, {hits.pop():,} hits"
    return [
        Row(work, "M requests/s", speed, "libCacheSim", peer_speed),
        Row("- its peak memory", "MiB", peak, "libCacheSim", peer_peak, more_is_better=False),
    ]


def rows(hotset, work):
    """The comparison as rows of the ratio table."""
    prepared = [(case, prepare(case, hotset, work)) for case in CASES]
    return [row for case, paths in prepared for policy in POLICIES for row in compare(case, hotset, policy, paths)]


if __name__ == "__main__":
    peer(*sys.argv[1:])
