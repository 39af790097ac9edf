#!/usr/bin/env python3
"""Times each fsync of a job that begins after a rest.

    syncs_after_rest.py FOLDER

writes 256 blocks of 4 KiB into a file of FOLDER, and syncs after 64, 16, 4 and 1 of them. It does so twelve times, 0.3 s after the
last one, into new blocks of a file and over blocks that it has. It prints the median times of the first 24 syncs, and of later ones.
"""

import os
import statistics
import sys
import time

BLOCKS = 256
BLOCK = os.urandom(4096)
REST_S = 0.3
TIMES = 12
FIRST = 24


def ready_file(path, is_new):
    """A file with room for all blocks: not written yet, or written and synced."""
    if is_new and os.path.exists(path):
        os.unlink(path)
    file = os.open(path, os.O_RDWR | os.O_CREAT)
    if is_new:
        os.posix_fallocate(file, 0, BLOCKS * len(BLOCK))
    else:
        os.pwrite(file, BLOCK * BLOCKS, 0)
        os.fsync(file)
    return file


def syncs_ms(path, every, is_new):
    file = ready_file(path, is_new)
    time.sleep(REST_S)
    took = []
    for block in range(BLOCKS):
        os.pwrite(file, BLOCK, block * len(BLOCK))
        if (block + 1) % every == 0:
            begin = time.perf_counter()
            os.fsync(file)
            took.append((time.perf_counter() - begin) * 1e3)
    os.close(file)
    return took


def main(folder):
    path = os.path.join(folder, "syncs-after-rest")
    for every in (64, 16, 4, 1):
        for is_new in (True, False):
            jobs = [syncs_ms(path, every, is_new) for _ in range(TIMES)]
            by_place = [statistics.median(place) for place in zip(*jobs)][:FIRST]
            later = [sync for job in jobs for sync in job[FIRST:]]
            print(
                f"{every} writes a sync, {'new blocks' if is_new else 'over blocks'}:",
                " ".join(f"{ms:.2f}" for ms in by_place),
                f"later {statistics.median(later):.2f} ms" if later else "ms",
            )
    os.unlink(path)


if __name__ == "__main__":
    if len(sys.argv) != 2 or not os.path.isdir(sys.argv[1]):
        sys.exit("syncs_after_rest.py: name one folder of the file system to write to")
    main(sys.argv[1])
