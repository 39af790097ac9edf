"""Simulated web requests a second: hotset's tiers beside ciw and SimGrid, on one core.

    tiers.py ciw|SimGrid REQUESTS     runs the system in this process, and prints requests a second of processor time

The system is that of `cargo bench -p hotset-models --bench tiers`: 64 clients who think, a proxy, two web servers with disks, links of
10 Gbit/s. ciw has one visit for each station that a request passes, of the same mean times. SimGrid has a process for each client and
worker, which send messages and compute; links are shared by its own model. From Python its processes are threads, which switch
slower than those of its own language. Both have no page cache and send no pieces: whether a
disk is asked is drawn from a probability. So they have less to do. SimGrid's package for Python is Debian's, and is left out where
that is missing."""

import json
import os
import random
import subprocess
import sys
import time
from functools import partial

from measure import Row, alternate, bench_program, median, run

TIMES = 3
UNIT = "k requests/s"
REQUESTS = {"ciw": 20_000, "SimGrid": 4_000}
# Debian's Python, which finds Debian's packages.
DEBIAN = "/usr/bin/python3"
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


WORKERS = 64
REQUEST_BYTES = 194
FILE_BYTES = 32_768
SPEED = 1e9


def simgrid(requests):
    """Requests a second of processor time."""
    import simgrid as library

    random.seed(SEED)
    engine = library.Engine(["tiers", "--log=root.thres:critical"])
    zone = library.NetZone.create_star_zone("switch")
    hosts = {}
    for name, cores in [("clients", CLIENTS), ("front", PROCESSORS), ("web0", PROCESSORS), ("web1", PROCESSORS)]:
        host = hosts[name] = zone.create_host(name, SPEED)
        host.core_count = cores
        link = zone.create_split_duplex_link(name, 10e9 / 8)
        link.set_latency(20e-6)
        up = library.LinkInRoute(link, library.LinkInRoute.Direction.UP)
        host.seal(), link.seal()
        zone.add_route(host.netpoint, None, None, None, [up], True)
    zone.seal()
    answered = 0
    box = library.Mailbox.by_name
    work = library.this_actor.execute

    def client(number):
        nonlocal answered
        own = box(f"client {number}")
        while True:
            library.this_actor.sleep_for(random.expovariate(1 / THINK_S))
            box("front").put(own.name, REQUEST_BYTES)
            own.get()
            answered += 1
            if answered >= requests:
                library.Actor.kill_all()

    def proxy(number):
        own = box(f"proxy {number}")
        while True:
            asked_by = box("front").get()
            work(PROCESSOR_S * SPEED)
            box(f"web{random.randrange(2)}").put(own.name, REQUEST_BYTES)
            own.get()
            work(PROCESSOR_S * SPEED)
            box(asked_by).put("answer", FILE_BYTES)

    def web(place):
        while True:
            asked_by = box(place).get()
            work(PROCESSOR_S * SPEED)
            if random.random() < MISS:
                library.this_actor.sleep_for(random.expovariate(1 / DISK_S))
            box(asked_by).put("answer", int(random.expovariate(1 / FILE_BYTES)))

    for number in range(CLIENTS):
        library.Actor.create(f"client {number}", hosts["clients"], client, number)
    for number in range(WORKERS):
        library.Actor.create(f"proxy {number}", hosts["front"], proxy, number)
        for place in ("web0", "web1"):
            library.Actor.create(f"{place} {number}", hosts[place], web, place)
    start = time.process_time()
    engine.run()
    return answered / (time.process_time() - start)


def in_this_process(peer, requests):
    """What the process of a peer does."""
    print(json.dumps({"ciw": ciw, "SimGrid": simgrid}[peer](requests)))


def rate(python, peer):
    """Thousands of requests a second of processor time of a peer; its start and the making of the network do not count."""
    return json.loads(run([python, __file__, peer, str(REQUESTS[peer])]).stdout.splitlines()[-1]) / 1e3


def peers():
    """The peers that there are, by name."""
    found = {"ciw": partial(rate, sys.executable, "ciw")}
    if os.access(DEBIAN, os.X_OK) and subprocess.run([DEBIAN, "-c", "import simgrid"], capture_output=True, check=False).returncode == 0:
        found["SimGrid"] = partial(rate, DEBIAN, "SimGrid")
    return found


def hotset(program):
    """Thousands of requests a second of processor time of hotset: the median of five runs, as its own benchmark takes it."""
    words = run([program]).stdout.split()
    return float(words[words.index("requests/s,") - 2]) * 1e3


def rows(_program, _work):
    """The comparison as rows of the ratio table."""
    program, others = bench_program("hotset-models", "tiers"), peers()
    ours, *theirs = alternate(TIMES, partial(hotset, program), *others.values())
    return [Row("tiers", UNIT, median(ours), name, median(rates)) for name, rates in zip(others, theirs)]


if __name__ == "__main__":
    who, count = sys.argv[1:]
    in_this_process(who, int(count))
