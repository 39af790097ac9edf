"""The requests of a fleet are the trace that one process reads, and the plan for all machines is that process's."""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import hotset
from conftest import KEY, ROOT
from hotset.distributed import ShardError, plan_merged_logs, read_logs

pytest.importorskip("dask")

#: Figures of the machine that planned.
OF_THIS_RUN = ("usage", "timings", "peak_memory_bytes")


def figures(planned: dict[str, Any]) -> str:
    """What a plan says, to the byte."""
    return json.dumps({key: value for key, value in planned.items() if key not in OF_THIS_RUN})


@pytest.mark.parametrize("scheduler", ["processes", "threads"])
def test_the_trace_of_a_fleet_is_that_of_one_process(logs: list[Path], scheduler: str) -> None:
    fleet = read_logs(logs, scheduler=scheduler, client_key=KEY)
    one = hotset.read_logs(logs, client_key=KEY)
    pyarrow = pytest.importorskip("pyarrow")
    for table in ("requests", "objects", "clients"):
        assert pyarrow.table(getattr(fleet.trace, table)).equals(pyarrow.table(getattr(one, table))), table
    assert fleet.trace.sites == one.sites and fleet.missing == ()
    assert fleet.carried_bytes < sum(log.stat().st_size for log in logs) / 3


def test_the_plan_for_all_machines_is_that_of_the_command(logs: list[Path], command: Callable[..., Any]) -> None:
    merged = plan_merged_logs(logs, memory="100KiB", scheduler="threads")
    assert figures(merged.plan.to_dict()) == figures(command("plan", "--memory", "100KiB", *logs))


@pytest.mark.parametrize("name", ["semicomplete-2015.combined.log", "epa-http-1995.txt"])
@pytest.mark.parametrize("seed", [0, 1])
def test_real_logs_dealt_at_random_give_the_plan_of_one_process(name: str, seed: int, tmp_path: Path) -> None:
    log = ROOT.parent / "shared" / "data" / name
    if not log.exists():
        pytest.skip(f"{log} is absent")
    draw = random.Random(seed)
    files = [tmp_path / f"web{number}.log" for number in range(4)]
    dealt: list[list[bytes]] = [[] for _ in files]
    for line in log.read_bytes().splitlines(keepends=True):
        draw.choice(dealt).append(line)
    for file, lines in zip(files, dealt):
        file.write_bytes(b"".join(lines))
    shuffled = draw.sample(files, len(files))
    merged = plan_merged_logs(shuffled, memory="10%", scheduler="threads")
    one = hotset.plan(files, memory="10%")
    assert figures(merged.plan.to_dict()) == figures(one.to_dict())
    merged.plan.save_plan(tmp_path / "merged.json")
    one.save_plan(tmp_path / "one.json")
    assert (tmp_path / "merged.json").read_bytes() == (tmp_path / "one.json").read_bytes()


def test_a_log_that_cannot_be_read_is_named_beside_the_plan(logs: list[Path]) -> None:
    logs[1].write_text("nothing\n" * 100)
    merged = plan_merged_logs(logs, memory="100KiB", scheduler="threads")
    assert [log.files for log in merged.missing] == [(str(logs[1]),)]
    one = hotset.plan([logs[0], logs[2]], memory="100KiB")
    assert figures(merged.plan.to_dict()) == figures(one.to_dict())
    with pytest.raises(ShardError, match="web1"):
        read_logs([logs[1]], scheduler="threads")


def test_requests_and_parts_share_a_store(logs: list[Path], tmp_path: Path) -> None:
    from hotset.distributed import describe_logs

    store = tmp_path / "store"
    assert describe_logs(logs, scheduler="threads", client_key=KEY, store=store).from_store == 0
    assert read_logs(logs, scheduler="threads", client_key=KEY, store=store).from_store == 0
    again = read_logs(logs, scheduler="threads", client_key=KEY, store=store)
    assert again.from_store == 3 and len(again.trace) == len(hotset.read_logs(logs))


def test_damaged_requests_are_refused_by_name(logs: list[Path]) -> None:
    from hotset._hotset import TracePart, merge_trace, trace_part

    data = trace_part(logs[:1], client_key=KEY).to_bytes()
    assert TracePart.from_bytes(data).to_bytes() == data
    for broken in (b"", data[:40], data[:-3], b"x" + data):
        with pytest.raises(hotset.PartError, match="web7"):
            merge_trace([("web7", broken)])
    with pytest.raises(hotset.PartError, match="in one already"):
        merge_trace([("one", data), ("two", data)])
