"""What is refused, and by which exception."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import textwrap
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import hotset
from conftest import KEY, lines


@pytest.mark.parametrize(
    ("options", "says"),
    [
        ({"format": "apache"}, "format: "),
        ({"format": "combined", "guess": "perhaps"}, "guess: "),
        ({"format": "combined", "log_format": "%h"}, "give one of them"),
        ({"log_format": "combined"}, 'format="combined"'),
        ({"log_format": "%Q"}, "log_format: "),
        ({"time_format": "%s"}, "time_format: goes with log_format"),
        ({"json_keys": "time"}, "json_keys: "),
        ({"sites": "a=/x"}, "sites: "),
        ({"sites": ["nothing"]}, "sites: "),
        ({"roots": ["a="]}, "roots: "),
        ({"query": "maybe"}, "query: "),
        ({"rule": 1}, "rule: "),
        ({"order": "up"}, "order: "),
        ({"max_rejected": 2.0}, "max_rejected: "),
        ({"max_rejected": float("nan")}, "max_rejected: "),
        ({"threads": 0}, "threads: "),
        ({"threads": -1}, "threads: "),
        ({"format": "combined", "guess": True}, "guess, format, log_format: give one of them"),
        ({"log_format": '%h %t "%r" %>s %b', "guess": True}, "guess, format, log_format: give one of them"),
        ({"log_format": '%h "%r" %>s %b', "time_format": "%F %T"}, "log_format: the format string logs no time"),
        ({"strict": True, "max_rejected": 0.5}, "strict, max_rejected: give one of them"),
        ({"rule": "c1", "roots": ["/srv"]}, "rule c1 looks no file up and keeps no query; leave it out, or roots"),
        ({"rule": "c1", "query": "keep"}, "leave it out, or query"),
        ({"start": "soon"}, "start: "),
        ({"start": 3}, "start: "),
        ({"start": "2026-03-02", "end": "2026-03-01"}, "start, end: "),
        ({"time_zone": "Mars/Olympus"}, "time_zone: "),
        ({"memory": 1}, "memory: is no option"),
    ],
)
def test_bad_options_are_named(logs: list[Path], options: dict[str, Any], says: str) -> None:
    with pytest.raises(hotset.OptionError) as refused:
        hotset.describe(logs, **options)
    assert says in str(refused.value)


def test_what_stands_for_clients_is_said_once_and_not_of_a_trace_folder(logs: list[Path], tmp_path: Path, command: Callable[..., Any]) -> None:
    with pytest.raises(hotset.OptionError, match="client_key, keep_clients: give one of them"):
        hotset.read_logs(logs, client_key=KEY, keep_clients=True)
    folder = tmp_path / "web.trace"
    command("import", *logs, "-o", folder)
    for options in ({"client_key": KEY}, {"keep_clients": True}, {"query": "strip"}):
        with pytest.raises(hotset.OptionError, match="web.trace: is a trace folder"):
            hotset.read_logs(folder, **options)
    assert len(hotset.read_logs(folder, client_key=None, query=None)) > 0


def test_an_option_that_is_none_is_not_given(logs: list[Path]) -> None:
    trace = hotset.read_logs(logs, query=None, strict=None, max_rejected=None)
    none: dict[str, Any] = dict.fromkeys(("query", "format", "sites", "roots", "rule", "guess", "threads"))
    assert len(hotset.plan(trace, memory="200KiB", **none)) == len(hotset.plan(trace, memory="200KiB"))
    with pytest.raises(hotset.OptionError, match="no_such: is no option"):
        hotset.describe(logs, no_such=None)  # type: ignore[call-arg]
    with pytest.raises(hotset.OptionError, match="sites: give the traces"):
        hotset.generate("mix", sites=None)  # type: ignore[call-overload]


def test_what_is_to_be_known_of_reading_is_a_warning(logs: list[Path]) -> None:
    for call in (hotset.describe, hotset.read_logs, lambda logs, **of: hotset.simulate(logs, memory="1MiB", **of)):
        with pytest.warns(UserWarning, match="^log_time_zone changes nothing: "):
            call(logs, log_time_zone="Europe/Berlin")


@pytest.mark.parametrize("given", [5, None, ["web.log", 5], {"web.log"}, object()])
@pytest.mark.parametrize("call", [hotset.describe, hotset.read_logs, lambda given: hotset.simulate(given, memory="1MiB", policy="lru")])
def test_what_is_no_path_is_named(given: Any, call: Any) -> None:
    wrong = given[1] if isinstance(given, list) else given
    with pytest.raises(TypeError, match=f"not {type(wrong).__name__}: give one or a list of them"):
        call(given)


@pytest.mark.parametrize(
    "options",
    [
        {},
        {"client_key": "12"},
        {"client_key": b"12"},
        {"client_key": 12},
        {"client_key": KEY, "keep_clients": True},
        {"client_key": KEY, "rule": "c1"},
    ],
)
def test_parts_need_one_good_key_and_mergeable_options(logs: list[Path], options: dict[str, Any]) -> None:
    with pytest.raises(hotset.OptionError):
        hotset.part(logs, **options)


def test_a_missing_log_is_named(tmp_path: Path) -> None:
    with pytest.raises(hotset.LogError, match="absent.log"):
        hotset.describe(tmp_path / "absent.log")
    with pytest.raises(hotset.OptionError, match="logs: name at least one"):
        hotset.describe([])


def test_a_part_that_is_damaged_cut_or_none_is_refused(logs: list[Path]) -> None:
    good = hotset.part(logs, client_key=KEY).to_bytes()
    for bad in (b"", b"nothing", good[:30], good[:-1], good[:12] + b"\x09" + good[13:], good[:40] + b"\0" + good[41:]):
        with pytest.raises(hotset.PartError, match="web1.part"):
            hotset.Part.from_bytes(bad, name="web1.part")


def test_a_part_of_another_key_or_given_twice_is_refused_by_name(logs: list[Path], tmp_path: Path) -> None:
    first = hotset.part(logs[0], client_key=KEY)
    with pytest.raises(hotset.PartError, match="web0.log is in .*web0.log already"):
        hotset.merge([first, first])
    with pytest.raises(hotset.PartError, match="another key"):
        hotset.merge([first, hotset.part(logs[1], client_key=KEY[::-1])])
    with pytest.raises(hotset.HotsetError, match="no part given"):
        hotset.merge([])
    with pytest.raises(hotset.PartError, match="absent.part"):
        hotset.Part.open(tmp_path / "absent.part")


def test_a_place_that_cannot_be_written_is_named(logs: list[Path], tmp_path: Path) -> None:
    with pytest.raises(hotset.SaveError, match="nowhere"):
        hotset.describe(logs).save(tmp_path / "nowhere" / "d.json")


def test_every_error_is_a_hotset_error() -> None:
    errors = [getattr(hotset, name) for name in hotset.__all__ if name.endswith("Error")]
    assert len(errors) > 4 and all(issubclass(error, hotset.HotsetError) for error in errors)


def test_progress_is_told_and_may_end_the_work(tmp_path: Path) -> None:
    log = tmp_path / "long.log"
    log.write_text("".join(lines(1)) * 2_000)
    told: list[tuple[int, int | None]] = []
    hotset.describe(log, progress=lambda read, of: told.append((read, of)))
    assert told[-1] == (log.stat().st_size, log.stat().st_size)

    def stop(read: int, of: int | None) -> None:
        raise KeyError("enough")

    with pytest.raises(KeyError, match="enough"):
        hotset.describe(log, progress=stop)


def test_ctrl_c_ends_reading(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe.log"
    os.mkfifo(pipe)
    program = textwrap.dedent("""
        import hotset, sys
        print("reading", flush=True)
        try:
            hotset.describe(sys.argv[1], format="combined")
        except KeyboardInterrupt:
            print("interrupted", flush=True)
            import os; os._exit(7)
    """)
    child = subprocess.Popen([sys.executable, "-c", program, pipe], stdout=subprocess.PIPE, text=True)
    assert child.stdout is not None and child.stdout.readline() == "reading\n"
    with open(pipe, "w") as log:
        log.write("".join(lines(1)))
        log.flush()
        child.send_signal(signal.SIGINT)
        assert child.stdout.readline() == "interrupted\n"
    assert child.wait() == 7


def test_other_threads_run_while_logs_are_read(tmp_path: Path) -> None:
    import threading


    log = tmp_path / "long.log"
    log.write_text("".join(lines(1)) * 4_000)
    ticks, done = 0, threading.Event()

    def tick() -> None:
        nonlocal ticks
        while not done.wait(0.001):
            ticks += 1

    thread = threading.Thread(target=tick)
    thread.start()
    began = time.monotonic()
    hotset.describe(log)
    took = time.monotonic() - began
    done.set()
    thread.join()
    # With the lock held it could tick once.
    assert ticks > 5, f"{ticks} ticks in {took} s"


# How often the requests are repeated, so that work that did not end would still be seen after a second.
WORK = {
    "plan": (1, "hotset.plan(trace, memory='64MiB')"),
    "describe": (1, "trace.describe()"),
    "simulate": (20, "hotset.simulate(trace, memory='64MiB', policy='belady')"),
    "samples by hash": (5, "hotset.simulate(trace, memory='64MiB', sampled=0.9)"),
    "samples by importance": (15, "hotset.simulate(trace, memory='64MiB', policy='two-list', sampled=0.9)"),
}


@pytest.mark.parametrize("job", WORK)
def test_ctrl_c_ends_the_work_itself(job: str) -> None:
    program = textwrap.dedent("""
        import random, resource, sys, threading, time
        import pyarrow as pa
        import hotset

        def busy():
            usage = resource.getrusage(resource.RUSAGE_SELF)
            return usage.ru_utime + usage.ru_stime

        count, files = 400_000, 40_000
        draw = random.Random(1)
        wanted = [min(int(draw.paretovariate(0.6)), files) - 1 for _ in range(count)]
        wanted, count = wanted * TIMES, count * TIMES
        requests = pa.table({
            "time": pa.array(range(0, count * 1000, 1000), pa.timestamp("us", "UTC")),
            "client": pa.array([0] * count, pa.uint32()), "site": pa.array([0] * count, pa.uint16()),
            "object": pa.array(wanted, pa.uint32()), "bytes": pa.array([9000] * count, pa.uint64()),
            "status": pa.array([200] * count, pa.uint16()), "method": pa.array([0] * count, pa.uint8()),
            "protocol": pa.array([1] * count, pa.uint8()), "access": pa.array([True] * count, pa.bool_()),
        })
        objects = pa.table({
            "site": pa.array([0] * files, pa.uint16()), "path": pa.array([f"/f{n}" for n in range(files)]),
            "size": pa.array([9000] * files, pa.uint64()),
        })
        trace = hotset.Trace.from_arrow(requests, objects=objects, clients=pa.table({"client": ["a"]}), sites=["all"])
        del requests, objects, wanted
        try:
            print("begins", flush=True)
            WORK
            print("finished", flush=True)
        except KeyboardInterrupt:
            # A busy machine takes its time to come to where the work looks whether to end.
            for _ in range(4):
                before = busy()
                time.sleep(1)
                spent = busy() - before
                if spent < 0.3:
                    break
            print("idle" if spent < 0.3 else "busy", flush=True)
    """)
    times, work = WORK[job]
    program = program.replace("TIMES", str(times)).replace("WORK", work)
    child = subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE, text=True)
    assert child.stdout is not None and child.stdout.readline() == "begins\n"
    time.sleep(0.05)
    child.send_signal(signal.SIGINT)
    said = child.stdout.readline()
    if said == "finished\n":
        child.wait()
        pytest.skip("this machine was done before Ctrl-C")
    assert said == "idle\n"
    assert child.wait() == 0
