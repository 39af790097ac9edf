"""Firings a second of timed coloured Petri nets: hotset's engine beside SimPN, SNAKES and libpetri, on one core.

    petri.py simpn|snakes NET FIRINGS     runs a net in this process, and prints its seconds of processor time

SimPN's nets are those of hotset: the same places, arcs and exponential delays, tokens with time stamps. It takes the
first binding of a random transition, hotset any enabled binding. SNAKES and libpetri have no time stamps: their nets
are untimed, so that they have less to do. SNAKES lists all bindings and one of them is chosen; libpetri takes the
first. A million tokens on their way are a question of time, so they have no such row."""

import json
import random
import sys
import time
from functools import partial
from pathlib import Path

from measure import Row, alternate, bench_program, median, run

TIMES = 3
UNIT = "M firings/s"
HERE = Path(__file__).resolve().parent
# Nets with the firings that each peer makes in some seconds.
FIRINGS = {
    "closed network": {"SimPN": 100_000, "SNAKES": 2_000, "libpetri": 3_000_000},
    "producer-consumer": {"SimPN": 100_000, "SNAKES": 20_000, "libpetri": 3_000_000},
    "guards and join": {"SimPN": 50_000, "SNAKES": 5_000, "libpetri": 3_000_000},
    "1 M pending": {"SimPN": 100_000},
}
SERVICES = [1e-3, 0.5e-3, 0.8e-3]
CUSTOMERS = 100
SLOTS = 10
CLIENTS = 10
FAILING = 0.25
TRAVELLERS = 1_000_000
SEED = 1


def simpn(net):
    """A net of SimPN; what makes one firing."""
    from simpn.simulator import SimProblem, SimToken

    def after(value, mean):
        return SimToken(value, delay=random.expovariate(1 / mean))

    def both_after(mean):
        def both(first, second):
            delay = random.expovariate(1 / mean)
            return [SimToken(first, delay=delay), SimToken(second, delay=delay)]
        return both

    problem = SimProblem(debugging=False)

    def place(name, *tokens):
        made = problem.add_var(name)
        for token in tokens:
            made.put(token)
        return made

    def closed_network():
        queues = [place(f"queue {it}") for it in range(len(SERVICES))]
        idle = [place(f"idle {it}", 0) for it in range(len(SERVICES))]
        for customer in range(CUSTOMERS):
            queues[0].put(customer)
        for it, mean in enumerate(SERVICES):
            to = queues[(it + 1) % len(SERVICES)]
            problem.add_event([queues[it], idle[it]], [to, idle[it]], both_after(mean), name=f"serve {it}")

    def producer_consumer():
        producer, consumer = place("producer", 0), place("consumer", 0)
        free, items = place("free slots", *[0] * SLOTS), place("items")
        problem.add_event([free, producer], [items, producer], both_after(1e-3), name="produce")
        problem.add_event([items, consumer], [free, consumer], both_after(1e-3), name="consume")

    def guards_and_join():
        thinking, open_requests, answers = place("thinking", *range(CLIENTS)), place("open requests"), place("answers")

        def ask(client):
            return [SimToken(client), after((client, random.random() < FAILING), 1e-3)]
        problem.add_event([thinking], [open_requests, answers], ask, name="ask")
        problem.add_event(
            [answers, open_requests], [thinking], lambda answer, client: [after(client, 1e-3)], name="accept",
            guard=lambda answer, client: answer[0] == client and not answer[1])
        problem.add_event(
            [answers, open_requests], [open_requests, answers], lambda answer, client: ask(client), name="ask again",
            guard=lambda answer, client: answer[0] == client and answer[1])

    def pending():
        travellers = problem.add_var("travellers")
        travellers.marking.update([SimToken(it, time=random.expovariate(1)) for it in range(TRAVELLERS)])
        problem.add_event([travellers], [travellers], lambda traveller: [after(traveller, 1.0)], name="travel")

    {"closed network": closed_network, "producer-consumer": producer_consumer,
     "guards and join": guards_and_join, "1 M pending": pending}[net]()
    return problem.step


def snakes(net):
    """A net of SNAKES; what makes one firing: a binding among all that are enabled."""
    from snakes.nets import Expression, PetriNet, Place, Transition, Tuple, Variable

    made = PetriNet(net)

    def place(name, *tokens):
        made.add_place(Place(name, list(tokens)))

    def transition(name, takes, gives, guard=None):
        made.add_transition(Transition(name, guard and Expression(guard)))
        for of, arc in takes.items():
            made.add_input(of, name, arc)
        for of, arc in gives.items():
            made.add_output(of, name, arc)

    customer, server = Variable("customer"), Variable("server")
    if net == "closed network":
        for it in range(len(SERVICES)):
            place(f"queue {it}", *(range(CUSTOMERS) if it == 0 else []))
            place(f"idle {it}", 0)
        for it in range(len(SERVICES)):
            to = f"queue {(it + 1) % len(SERVICES)}"
            transition(f"serve {it}", {f"queue {it}": customer, f"idle {it}": server}, {to: customer, f"idle {it}": server})
    elif net == "producer-consumer":
        place("producer", 0), place("consumer", 0), place("free slots", *range(SLOTS)), place("items")
        transition("produce", {"producer": server, "free slots": customer}, {"items": customer, "producer": server})
        transition("consume", {"items": customer, "consumer": server}, {"free slots": customer, "consumer": server})
    else:
        made.globals["fails"] = lambda: random.random() < FAILING
        place("thinking", *range(CLIENTS)), place("open requests"), place("answers")
        answer, asked = Tuple([customer, Variable("failed")]), Tuple([Variable("customer"), Expression("fails()")])
        request = Variable("request")
        transition("ask", {"thinking": customer}, {"open requests": customer, "answers": asked})
        transition("accept", {"answers": answer, "open requests": request}, {"thinking": customer},
                   guard="customer == request and not failed")
        transition("ask again", {"answers": answer, "open requests": request}, {"open requests": request, "answers": asked},
                   guard="customer == request and failed")
    transitions = made.transition()

    def step():
        bindings = [(it, binding) for it in transitions for binding in it.modes()]
        chosen, binding = random.choice(bindings)
        chosen.fire(binding)
        return binding
    return step


def in_this_process(engine, net, firings):
    """What the process of `python` does."""
    random.seed(SEED)
    step = {"SimPN": simpn, "SNAKES": snakes}[engine](net)
    start = time.process_time()
    for firing in range(firings):
        if step() is None:
            raise SystemExit(f"{engine} came to a stop after {firing} firings")
    print(json.dumps(time.process_time() - start))


def python(engine, net, firings):
    """M firings a second of processor time of an engine for Python; its start and the making of the net do not count."""
    return firings / json.loads(run([sys.executable, __file__, engine, net, str(firings)]).stdout) / 1e6


def libpetri(program, net, firings):
    """M firings a second of processor time of libpetri."""
    fired, seconds = run([program, net, str(firings)]).stdout.split()
    return int(fired) / float(seconds) / 1e6


def hotset(program, net):
    """M firings a second of processor time of hotset's engine: the median of five runs, as its own benchmark takes it."""
    return float(run([program, net]).stdout.split()[-1])


def compare(net, peers, program, peer_program):
    """One net on all sides in turn, as rows of the ratio table."""
    calls = {name: partial(libpetri, peer_program, net, firings) if name == "libpetri" else partial(python, name, net, firings)
             for name, firings in peers.items()}
    ours, *theirs = alternate(TIMES, partial(hotset, program, net), *calls.values())
    return [Row(f"petri {net}", UNIT, median(ours), name, median(rates)) for name, rates in zip(calls, theirs)]


def built_libpetri(work):
    """The program that runs libpetri's nets."""
    run(["cargo", "build", "--quiet", "--release", "--locked", "--manifest-path", HERE / "libpetri" / "Cargo.toml",
         "--target-dir", work / "libpetri"])
    return work / "libpetri" / "release" / "peer-libpetri"


def rows(_, work):
    """The comparison as rows of the ratio table."""
    programs = bench_program("hotset-petri", "firings"), built_libpetri(work)
    return [row for net, peers in FIRINGS.items() for row in compare(net, peers, *programs)]


if __name__ == "__main__":
    engine, net, firings = sys.argv[1:]
    in_this_process(engine, net, int(firings))
