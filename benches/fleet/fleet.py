"""The sections of `benches/fleet/run`: a killed worker, two workers against one process, points of a sweep, the command, the wheel."""

import datetime
import json
import os
import platform
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
from contextlib import contextmanager
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
WORK = ROOT / "benches" / "work"
sys.path[:0] = [str(ROOT / "benches" / "peers"), str(ROOT / "python" / "tests")]
import hotset  # noqa: E402
from cluster import running  # noqa: E402
from distributed import get_task_stream  # noqa: E402
from hotset.distributed import describe_logs  # noqa: E402
from hotset.distributed import sweep as distributed_sweep  # noqa: E402
from measure import alternate, in_memory, median, pinned, run  # noqa: E402

PROGRAM = os.environ.get("HOTSET", str(ROOT / os.environ.get("CARGO_TARGET_DIR", "target") / "release" / "hotset"))
KEY = "000102030405060708090a0b0c0d0e0f"
#: A log of so many lines has 1.07 GB.
LINES = 5_000_000
SHARDS = 32
KILLS = 20
#: Logs of the comparison with one process, together 4.3 GB.
SPEED_SHARDS = 4
TIMES = 5
#: Pairs of the comparison with one process: how far two workers slow each other differs from run to run.
SPEED_TIMES = 11


def shards(count):
    """Logs of machines that serve the same 50,000 files, each with requests of its own; made once."""
    WORK.mkdir(parents=True, exist_ok=True)
    paths = [WORK / f"fleet-{number}.log" for number in range(count)]
    for number, path in enumerate(paths):
        if not path.exists():
            part = path.with_suffix(".part")
            run([PROGRAM, "generate", "zipf", "--objects", 50_000, "--working-set", "2GiB", "--requests", LINES,
                 "--seed", number, "--log", part])
            part.rename(path)
    return paths


@contextmanager
def workers():
    """Two single-threaded workers, and a client of them."""
    with tempfile.TemporaryDirectory(prefix="hotset-fleet-") as folder, running(Path(folder)) as started:
        with started.client() as client:
            yield client, started.networks


def timed(call):
    """Seconds on the wall, and what came of it."""
    began = time.monotonic()
    made = call()
    return time.monotonic() - began, made


def kills():
    """A worker is killed -9 at a random time of each run."""
    logs = shards(SHARDS)
    whole = sum(log.stat().st_size for log in logs)
    one_seconds, one = timed(lambda: hotset.part(logs, client_key=KEY).to_bytes())
    draw = random.Random(0)
    with workers() as (client, _):
        def described():
            return describe_logs(logs, scheduler=client, client_key=KEY)

        seconds, found = timed(described)
        rows = [("none", seconds, found.part.to_bytes() == one, len(found.missing))]
        while len(rows) <= KILLS:
            # A machine that was busy before may be quick now; a kill must come before the end.
            moment = draw.uniform(0, min(taken for _, taken, *_ in rows))
            client.wait_for_workers(2)
            victim = draw.choice(sorted(client.run(os.getpid).values()))
            killer = threading.Timer(moment, os.kill, (victim, signal.SIGKILL))
            killer.start()
            taken, found = timed(described)
            if taken > moment:
                rows.append((f"{moment:.1f}", taken, found.part.to_bytes() == one, len(found.missing)))
            killer.cancel()
            print(rows[-1], file=sys.stderr, flush=True)
    equal = sum(same and not missing for _, _, same, missing in rows[1:])
    table = lines(["killed after, s", "done after, s", "bytes equal", "logs missing"],
                  [[moment, f"{taken:.1f}", "yes" if same else "no", str(missing)] for moment, taken, same, missing in rows])
    return (f"{SHARDS} logs of {whole / SHARDS / 1e9:.2f} GB on two workers with one thread each. One process on all cores took "
            f"{one_seconds:.1f} s.\n\nRuns with a killed worker whose part has the bytes of that process: {equal} of {KILLS}.\n\n{table}")


def speed():
    """Two workers against one process, what merging takes, and what crosses the network."""
    logs = [in_memory(log) for log in shards(SPEED_SHARDS)]
    whole = sum(log.stat().st_size for log in logs)
    crossed, reading, merging = [], [], []
    with workers() as (client, networks):
        def on_workers():
            before = networks.sent_bytes() if networks.made else 0
            with get_task_stream(client=client) as tasks:
                seconds, found = timed(lambda: describe_logs(logs, scheduler=client, client_key=KEY))
            crossed.append(networks.sent_bytes() - before if networks.made else 0)
            spent = computed(tasks.data)
            reading.append(sum(of for name, of in spent if name == "make"))
            merging.append(sum(of for name, of in spent if name != "make"))
            return seconds, found.part.to_bytes()

        def by_one():
            seconds, part = timed(described_by_one)
            return seconds, part.to_bytes()

        def described_by_one():
            part = hotset.part(logs, client_key=KEY, threads=1)
            part.describe()
            return part

        two, one = alternate(SPEED_TIMES, on_workers, by_one)
    same = all(part == one[0][1] for _, part in [*two, *one])
    ratio = median([both / alone for (both, _), (alone, _) in zip(two, one)])
    rest = [both - (read + merged) / 2 for (both, _), read, merged in zip(two, reading, merging)]
    table = lines(["", "median"], [
        ["two workers ÷ one process, time", f"{ratio:.2f}"],
        ["two workers, s", f"{median([seconds for seconds, _ in two]):.2f}"],
        ["one process with one thread, s", f"{median([seconds for seconds, _ in one]):.2f}"],
        ["reading, s of workers", f"{median(reading):.2f}"],
        ["merging and passing on, s of workers", f"{median(merging):.2f}"],
        ["beside all that: the last merge, describing and waiting, s", f"{median(rest):.2f}"],
        ["crossed the network, bytes", f"{median(crossed):,.0f}" if any(crossed) else "not counted: takes root"],
        ["of the logs", f"1/{whole / median(crossed):.0f}" if any(crossed) else "-"],
        ["bytes equal", "yes" if same else "no"],
    ])
    return f"{len(logs)} logs, {whole / 1e9:.2f} GB, in memory; {SPEED_TIMES} runs in turn. The cluster was up before.\n\n{table}"


def computed(tasks):
    """The name of each task's function, and for how long it ran."""
    return [(str(task["key"]).split("-")[0].strip("('"), span["stop"] - span["start"])
            for task in tasks for span in task["startstops"] if span["action"] == "compute"]


#: One web server with a seeking disk.
SCENARIO = """
client = [{ name = "crowd", asks = "web1", clients = 4, think = "1ms" }]
node = [{ name = "web1", memory = "1MiB" }]
link = [{ node = "web1", rate = "1Gbit" }]
[[store]]
name = "disk"
profile = "hdd"
disk = { kind = "seeking", rate = "39MB" }
"""
#: Keys and values of 10,000 points.
VARY = {"node.web1.memory": "4MiB..400MiB:+4MiB", "client.crowd.clients": "1..100:+1"}
#: A simulation of so many requests takes about ten milliseconds.
SWEPT_REQUESTS = int(os.environ.get("HOTSET_SWEPT_REQUESTS", 6_000))


def sweep():
    """Two workers that simulate the points of a grid, against half the time that one takes for them."""
    with tempfile.TemporaryDirectory(prefix="hotset-fleet-") as folder, workers() as (client, _):
        log, scenario, table = (Path(folder) / name for name in ("web.log", "tiers.toml", "a.parquet"))
        hotset.generate("zipf", objects=500, working_set="64MiB", requests=SWEPT_REQUESTS, log=log)
        scenario.write_text(SCENARIO)
        with get_task_stream(client=client) as tasks:
            seconds, swept = timed(lambda: distributed_sweep(scenario, log, vary=VARY, scheduler=client, output=table))
        ideal = sum(of for name, of in computed(tasks.data) if name == "simulated") / 2
        one_seconds, _ = timed(lambda: hotset.sweep(scenario, log, vary=VARY, output=Path(folder) / "b.parquet"))
        same = table.read_bytes() == (Path(folder) / "b.parquet").read_bytes()
    points = len(swept)
    return lines(["", ""], [
        ["points", f"{points:,}"],
        ["a point on a worker, ms", f"{2e3 * ideal / points:.1f}"],
        ["two workers, s", f"{seconds:.1f}"],
        ["half of the time in their tasks, s", f"{ideal:.1f}"],
        ["over that", f"{100 * (seconds / ideal - 1):.1f} %"],
        [f"one process on {os.cpu_count()} processors, s", f"{one_seconds:.1f}"],
        ["bytes equal", "yes" if same else "no"],
    ])


def command():
    """The package's processor time against the command's, on one core."""
    log = in_memory(shards(1)[0])
    # Reading has threads of its own, which one core makes take turns.
    core = [min(os.sched_getaffinity(0))]
    python = pinned(core, [sys.executable, "-c"])
    program = pinned(core, [PROGRAM])

    def calling(call):
        return [*python, f"import hotset; hotset.{call}"]

    with tempfile.TemporaryDirectory() as folder:
        part = f"{folder}/log.part"
        pairs = [
            ("`describe`", [*program, "describe", "--json", log], calling(f"describe([{str(log)!r}], threads=1).to_json()")),
            ("`part`", [*program, "part", "--client-key", KEY, "-o", part, log],
             calling(f"part([{str(log)!r}], client_key={KEY!r}, threads=1).save({part!r})")),
        ]
        rows = [against(name, theirs, ours) for name, theirs, ours in pairs]
    # Both say themselves what reading took, so that neither start nor end of a process is in it.
    reads = [*python, f"import hotset, time; start = time.process_time(); trace = hotset.read_logs([{str(log)!r}], threads=1); "
                      "print(time.process_time() - start)"]
    read, plan = alternate(TIMES, lambda: run(reads), lambda: run([*program, "plan", "--timings", "--json", "--memory", "10%", log]))
    ours = [float(one.stdout) for one in read]
    theirs = [reading_seconds(one.stdout) for one in plan]
    rows.append(["`read_logs`", f"{median(ours):.2f}", f"{median(theirs):.2f}",
                 f"{median([mine / its for mine, its in zip(ours, theirs)]):.3f}"])
    table = lines(["work", "package, s", "command, s", "package ÷ command"], rows)
    return (f"Processor time on one core for a log of {log.stat().st_size / 1e9:.2f} GB in memory; {TIMES} runs in turn, medians. "
            f"`describe` and `part` are whole programs. `read_logs` stands beside the time on the wall that `hotset plan --timings` gives for reading.\n\n{table}")


def against(name, theirs, ours):
    """A row: the command and the package in turn."""
    commands, packages = alternate(TIMES, lambda: run(theirs), lambda: run(ours))
    ratio = median([ours.cpu_seconds / theirs.cpu_seconds for ours, theirs in zip(packages, commands)])
    return [name, f"{median([one.cpu_seconds for one in packages]):.2f}", f"{median([one.cpu_seconds for one in commands]):.2f}",
            f"{ratio:.3f}"]


def reading_seconds(document):
    """What `--timings` says of reading."""
    return json.loads(document)["timings_seconds"]["read"]


def wheel():
    """The wheel's size, and how long it is built from nothing."""
    with tempfile.TemporaryDirectory() as folder:
        source = Path(folder) / "hotset"
        shutil.copytree(ROOT, source, ignore=shutil.ignore_patterns("target", ".git", "work", ".venv", "corpus", "artifacts"))
        maturin = Path(sys.executable).with_name("maturin")
        seconds, _ = timed(lambda: subprocess.run(
            [maturin, "build", "--quiet", "--release", "--interpreter", sys.executable, "--out", folder],
            cwd=source / "python", check=True))
        size = next(Path(folder).glob("*.whl")).stat().st_size
    return f"{size / 1e6:.2f} MB; built from nothing in {seconds / 60:.1f} minutes (crates were downloaded before)."


def lines(head, rows):
    """A table."""
    return "\n".join("| " + " | ".join(cells) + " |" for cells in [head, ["---"] * len(head), *rows])


SECTIONS = {"kills": ("A worker killed in each run", kills), "speed": ("Two workers against one process", speed),
            "sweep": ("Points of a sweep on two workers", sweep), "command": ("The package against the command", command), "wheel": ("The wheel", wheel)}


def keep(heading, text):
    """Writes a section into the document of the day; sections measured before stay."""
    day = datetime.date.today().isoformat()
    path = ROOT / "benches" / "results" / f"{day}-fleet.md"
    before = path.read_text() if path.exists() else ""
    kept = {part.split("\n", 1)[0]: "## " + part.rstrip() + "\n" for part in before.split("\n## ")[1:]}
    kept[heading] = f"## {heading}\n\n{text}\n"
    head = f"# Logs of a fleet, {day}\n\nBy `benches/fleet/run`; {os.cpu_count()} cores, {platform.system()} {platform.release()}.\n"
    path.write_text("\n".join([head, *(kept[name] for name, _ in SECTIONS.values() if name in kept)]))


def main():
    """Measures the sections that were asked for, prints each and keeps it."""
    asked = sys.argv[1:] or list(SECTIONS)
    for name in asked:
        if name not in SECTIONS:
            raise SystemExit(f"benches/fleet/run: {name!r} is no section: use {', '.join(SECTIONS)}")
    for name in asked:
        heading, measure = SECTIONS[name]
        load = " ".join(f"{value:.1f}" for value in os.getloadavg())
        text = f"{measure()}\n\nLoad average before: {load} (1, 5, 15 minutes)."
        print(f"## {heading}\n\n{text}\n", flush=True)
        keep(heading, text)


if __name__ == "__main__":
    sys.exit(main())
