"""Cache simulation from trace file to answer: hotset beside libCacheSim, on one trace and one core.

    cache.py HOTSET WORK_DIRECTORY        prints the ratio table; the Python must have libcachesim and numpy
"""

import json
import sys
import time
from pathlib import Path

from measure import alternate, median, run

REQUESTS = 10_000_000
OBJECTS = 1_000_000
ALPHA = 0.9
MOST_PAGES = 10
PAGE = 4096
SEED = 9
CACHE_SHARE = 0.1
TIMES = 5
POLICIES = ["lru", "sieve"]


def generate(trace):
    """Writes ten million requests by Zipf's law as oracleGeneral records; the bytes of all objects asked for.

    Sizes are whole pages, so that it makes no difference whether a simulator counts bytes or pages. Ids are the ranks
    in random order: the next access (which neither policy uses) is left at -1, "none"."""
    import numpy as np

    random = np.random.default_rng(SEED)
    cumulative = np.cumsum(np.arange(1, OBJECTS + 1, dtype=np.float64) ** -ALPHA)
    ranks = np.searchsorted(cumulative, random.random(REQUESTS) * cumulative[-1])
    ids = random.permutation(OBJECTS)[ranks]
    sizes = random.integers(1, MOST_PAGES, OBJECTS, endpoint=True) * PAGE
    records = np.zeros(REQUESTS, dtype=[("time", "<u4"), ("id", "<u8"), ("size", "<u4"), ("next", "<i8")])
    records["time"] = np.arange(REQUESTS) // 1000
    records["id"] = ids + 1
    records["size"] = sizes[ids]
    records["next"] = -1
    records.tofile(trace)
    return int(sizes[np.unique(ids)].sum())


def prepare(hotset, work):
    """The trace in both programs' own formats, and the cache's bytes."""
    theirs, ours, total = work / "zipf.oracleGeneral.bin", work / "zipf.trace", work / "zipf.bytes"
    if not total.exists():
        total.write_text(str(generate(theirs)))
    if not ours.exists():
        run([hotset, "import", "--format", "oracle-general", str(theirs), "-o", str(ours)])
    return theirs, ours, int(int(total.read_text()) * CACHE_SHARE) // PAGE * PAGE


def libcachesim(policy, trace, memory):
    """(processor seconds, hits) of libCacheSim's own reader and policy in a process of their own.

    The start of Python and its modules is not counted against it."""
    answer = json.loads(run([sys.executable, __file__, "--peer", policy, str(trace), str(memory)]).stdout)
    return answer["cpu_seconds"], answer["hits"]


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
    """(processor seconds, hits) of the whole hotset process."""
    command = [hotset, "simulate", "trace", "--policy", policy, "--memory", str(memory), "--json", str(trace)]
    finished = run(command)
    return finished.cpu_seconds, json.loads(finished.stdout)["hits"]


def compare(hotset, policy, theirs, ours, memory):
    """One policy on both sides in turn, as a row of the ratio table; different hit counts are an error."""
    runs = alternate(lambda: simulate(hotset, policy, ours, memory), lambda: libcachesim(policy, theirs, memory), TIMES)
    hits = {hits for side in runs for _, hits in side}
    if len(hits) != 1:
        raise SystemExit(f"{policy}: hit counts differ: hotset {runs[0][0][1]}, libCacheSim {runs[1][0][1]}")
    speed, peer_speed = (REQUESTS / median([seconds for seconds, _ in side]) / 1e6 for side in runs)
    return row(f"{policy} from trace file to answer, {hits.pop()} hits", "libCacheSim", speed, peer_speed, "M requests/s")


def row(work, peer_name, ours, theirs, unit):
    """One row of the ratio table."""
    return {"work": work, "peer": peer_name, "hotset": ours, "peer_value": theirs, "ratio": ours / theirs, "unit": unit}


def rows(hotset, work):
    """The comparison as rows of the ratio table.

    Reuse distances have no row: libCacheSim's package on PyPI does not expose its profilers."""
    theirs, ours, memory = prepare(hotset, work)
    return [compare(hotset, policy, theirs, ours, memory) for policy in POLICIES]


def main():
    """Prints the rows, or is the peer's process."""
    if sys.argv[1] == "--peer":
        peer(*sys.argv[2:])
        return
    for line in rows(sys.argv[1], Path(sys.argv[2])):
        print("{work:50} {hotset:8.1f} {peer_value:8.1f} {unit}, {ratio:.2f} times {peer}".format(**line))


if __name__ == "__main__":
    main()
