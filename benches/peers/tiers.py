"""Simulated web requests a second: hotset's tiers beside ciw, on one core.

    tiers.py ciw REQUESTS     runs the system in this process, and prints requests a second of processor time

The system is that of `cargo bench -p hotset-models --bench tiers`: 64 clients who think, a proxy, two web servers with disks, links of
10 Gbit/s. ciw has one visit for each station that a request passes, of the same mean times. It has no page cache and sends no
pieces: whether a disk is asked is drawn from a probability. So ciw has less to do."""

import json
import random
import sys
import time
from functools import partial

from measure import Row, alternate, bench_program, median, run

TIMES = 3
UNIT = "k requests/s"
REQUESTS = 20_000
SEED = 1
CLIENTS = 64
THINK_S = 2e-3
# Of a processor for a request, and for the answer that a proxy hands back: as hotset's benchmark has them.
PROCESSOR_S = 19.86e-6
PROCESSORS = 4
# A request of 194 bytes and a file of 32 KiB at 10 Gbit/s.
ASKING_S = 194 * 8 / 10e9
SENDING_S = 32_768 * 8 / 10e9
# How often the disk is asked, as in hotset's benchmark, and how long it takes.
MISS = 0.295
DISK_S = 100e-6
THINK, FRONT_IN, FRONT_ASK = 0, 1, 2
WEB_IN, WEB, DISK, WEB_OUT = (3, 4), (5, 6), (7, 8), (9, 10)
ANSWER_IN, FRONT_ANSWER, FRONT_OUT = 11, 12, 13
STATIONS = 14


def routing():
    """From each station to each, by probability."""
    matrix = [[0.0] * STATIONS for _ in range(STATIONS)]
    matrix[THINK][FRONT_IN] = 1.0
    matrix[FRONT_IN][FRONT_ASK] = 1.0
    for web in range(2):
        matrix[FRONT_ASK][WEB_IN[web]] = 0.5
        matrix[WEB_IN[web]][WEB[web]] = 1.0
        matrix[WEB[web]][DISK[web]] = MISS
        matrix[WEB[web]][WEB_OUT[web]] = 1.0 - MISS
        matrix[DISK[web]][WEB_OUT[web]] = 1.0
        matrix[WEB_OUT[web]][ANSWER_IN] = 1.0
    matrix[ANSWER_IN][FRONT_ANSWER] = 1.0
    matrix[FRONT_ANSWER][FRONT_OUT] = 1.0
    matrix[FRONT_OUT][THINK] = 1.0
    return matrix


def ciw(requests):
    """Requests a second of processor time."""
    import ciw as library

    exponential = [THINK_S, ASKING_S, PROCESSOR_S, ASKING_S, ASKING_S, PROCESSOR_S, PROCESSOR_S, DISK_S, DISK_S,
                   SENDING_S, SENDING_S, SENDING_S, PROCESSOR_S, SENDING_S]
    servers = [float("inf"), 1, PROCESSORS, 1, 1, PROCESSORS, PROCESSORS, float("inf"), float("inf"), 1, 1, 1, PROCESSORS, 1]
    nobody = [None] * (STATIONS - 1)
    network = library.create_network(
        arrival_distributions=[library.dists.Sequential([0.0, float("inf")])] + nobody,
        batching_distributions=[library.dists.Deterministic(CLIENTS)] + [library.dists.Deterministic(1)] * (STATIONS - 1),
        service_distributions=[library.dists.Exponential(1 / mean) for mean in exponential],
        number_of_servers=servers,
        routing=routing())
    library.seed(SEED)
    random.seed(SEED)
    simulation = library.Simulation(network)
    start = time.process_time()
    # Thinking takes longest by far, so requests follow each other at about this rate.
    simulation.simulate_until_max_time(requests * THINK_S / CLIENTS)
    seconds = time.process_time() - start
    asked = sum(1 for record in simulation.get_all_records() if record.node == THINK + 1)
    return asked / seconds


def in_this_process(requests):
    """What the process of ciw does."""
    print(json.dumps(ciw(requests)))


def peer():
    """Thousands of requests a second of processor time of ciw; its start and the making of the network do not count."""
    return json.loads(run([sys.executable, __file__, "ciw", str(REQUESTS)]).stdout) / 1e3


def hotset(program):
    """Thousands of requests a second of processor time of hotset: the median of five runs, as its own benchmark takes it."""
    words = run([program]).stdout.split()
    return float(words[words.index("requests/s,") - 2]) * 1e3


def rows(_program, _work):
    """The comparison as a row of the ratio table."""
    program = bench_program("hotset-models", "tiers")
    ours, theirs = alternate(TIMES, partial(hotset, program), peer)
    return [Row("tiers", UNIT, median(ours), "ciw", median(theirs))]


if __name__ == "__main__":
    _, count = sys.argv[1:]
    in_this_process(int(count))
