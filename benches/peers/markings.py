"""Reachable markings a second of the philosophers who take both forks at once: hotset beside SNAKES and Spin, on one core.

    markings.py PHILOSOPHERS     explores the net with SNAKES in this process, and prints markings and seconds of processor time

Spin gets the net as one process with a choice for each transition, searches breadth first as hotset does, without partial
order reduction, and keeps the states only; hotset keeps the firings between them too. SNAKES explores fewer
philosophers, because it is slow. Spin is Debian's; where it is missing, or the C compiler that it needs, it is left out."""

import re
import shutil
import sys
import time
from functools import partial

from measure import Row, alternate, bench_program, median, run

TIMES = 3
UNIT = "k markings/s"
PHILOSOPHERS = 30
SNAKES_PHILOSOPHERS = 12


def snakes(count):
    """Explores the net with SNAKES: how many markings there are, and how long it took."""
    from snakes.nets import PetriNet, Place, StateGraph, Transition, Value, dot

    net = PetriNet("philosophers")
    token = Value(dot)
    for it in range(count):
        for place, tokens in (("fork", [dot]), ("thinking", [dot]), ("eating", [])):
            net.add_place(Place(f"{place} {it}", tokens))
    for it in range(count):
        thinks = [f"thinking {it}", f"fork {it}", f"fork {(it + 1) % count}"]
        for name, takes, gives in (("sit down", thinks, [f"eating {it}"]), ("get up", [f"eating {it}"], thinks)):
            net.add_transition(Transition(f"{name} {it}"))
            for place in takes:
                net.add_input(place, f"{name} {it}", token)
            for place in gives:
                net.add_output(place, f"{name} {it}", token)
    start = time.process_time()
    graph = StateGraph(net)
    graph.build()
    return len(graph), time.process_time() - start


def promela(count):
    """The net for Spin."""
    lines = [f"bit thinking[{count}] = 1, fork[{count}] = 1, eating[{count}];", "active proctype net() {", "do"]
    for it in range(count):
        thinks = [f"thinking[{it}]", f"fork[{it}]", f"fork[{(it + 1) % count}]"]
        for takes, gives in ((thinks, [f"eating[{it}]"]), ([f"eating[{it}]"], thinks)):
            changes = [f"{place} = 0" for place in takes] + [f"{place} = 1" for place in gives]
            lines.append(f":: d_step {{ {' && '.join(takes)} -> {'; '.join(changes)} }}")
    return "\n".join(lines + ["od", "}", ""])


def built_spin(work):
    """The program that Spin makes of the net; nothing where Spin or a compiler is missing."""
    if not (shutil.which("spin") and shutil.which("gcc")):
        return None
    folder = work / "spin"
    folder.mkdir(exist_ok=True)
    (folder / "net.pml").write_text(promela(PHILOSOPHERS))
    compiler = "gcc -O3 -w -DSAFETY -DNOREDUCE -DBFS -DMEMLIM=4000 -o pan pan.c"
    run(["sh", "-c", f"cd '{folder}' && spin -a net.pml && {compiler}"])
    return folder / "pan"


def spin(program):
    """Thousands of states a second of processor time of Spin."""
    explored = run([program, "-E", "-m1000000", "-w22"])
    states = re.search(r"(\d+) states, stored", explored.stdout)
    return int(states[1]) / explored.cpu_seconds / 1e3


def python():
    """Thousands of markings a second of processor time of SNAKES; its start and the making of the net do not count."""
    markings, seconds = run([sys.executable, __file__, str(SNAKES_PHILOSOPHERS)]).stdout.split()
    return int(markings) / float(seconds) / 1e3


def hotset(program):
    """Thousands of markings a second of processor time of hotset: the median of three explorations, as its benchmark takes it."""
    return float(run([program, "philosophers"]).stdout.split()[-1]) * 1e3


def rows(_, work):
    """The comparison as rows of the ratio table."""
    peers = {"SNAKES": python}
    program = built_spin(work)
    if program:
        peers["Spin"] = partial(spin, program)
    ours, *theirs = alternate(TIMES, partial(hotset, bench_program("hotset-petri", "markings")), *peers.values())
    return [Row("petri markings of philosophers", UNIT, median(ours), name, median(rates)) for name, rates in zip(peers, theirs)]


if __name__ == "__main__":
    print(*snakes(int(sys.argv[1])))
