"""Logs of a fleet: on any scheduler the same bytes, and what is lost is named."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import hotset
from conftest import KEY
from hotset.distributed import ShardError, describe_logs, plan_logs, read_logs

pytest.importorskip("dask")


@pytest.mark.parametrize("scheduler", ["processes", "threads", "synchronous"])
def test_any_scheduler_gives_the_bytes_of_one_process(logs: list[Path], scheduler: str) -> None:
    found = describe_logs(logs, scheduler=scheduler, client_key=KEY)
    assert found.part.to_bytes() == hotset.part(logs, client_key=KEY).to_bytes()
    assert found.missing == () and found.part.logs == 3


def test_totals_are_those_of_one_process(logs: list[Path], command: Callable[..., Any]) -> None:
    found = describe_logs(logs, scheduler="threads").to_dict()
    one = command("describe", *logs)
    for key in ("requests", "accesses", "objects", "object_bytes", "response_bytes", "clients"):
        assert found["total"][key] == one["total"][key], key
    assert "missing" not in found


def test_a_scheduler_function_gets_the_graph(logs: list[Path]) -> None:
    from dask.local import get_sync

    calls = []

    def scheduler(*arguments: Any, **keywords: Any) -> Any:
        calls.append(arguments)
        return get_sync(*arguments, **keywords)

    assert describe_logs(logs, scheduler=scheduler, keep_clients=True).part.logs == 3
    assert calls


def test_rotated_files_of_a_log_are_one_task(tmp_path: Path, logs: list[Path]) -> None:
    log, rotated = tmp_path / "a.log", tmp_path / "a.log.1"
    rotated.write_text(logs[0].read_text())
    log.write_text(logs[1].read_text())
    found = describe_logs(str(tmp_path / "a.log*"), scheduler="threads", client_key=KEY)
    assert found.part.logs == 1
    assert found.part == hotset.part([log, rotated], client_key=KEY)


def test_logs_belong_to_the_machines_that_are_named(logs: list[Path]) -> None:
    found = describe_logs({"web1": logs[0], "web2": logs[1:]}, scheduler="threads", client_key=KEY)
    sources = {source["file"] for source in found.to_dict()["reading"]["sources"]}
    assert sources == {f"web1:{logs[0]}", f"web2:{logs[1]}", f"web2:{logs[2]}"}


def test_a_log_that_cannot_be_read_is_named_and_the_rest_is_kept(logs: list[Path]) -> None:
    logs[1].write_text("nothing\n" * 100)
    found = describe_logs(logs, scheduler="threads", client_key=KEY)
    assert [log.files for log in found.missing] == [(str(logs[1]),)]
    assert found.part == hotset.part([logs[0], logs[2]], client_key=KEY)
    assert found.to_dict()["missing"][0]["files"] == (str(logs[1]),)
    assert "without 1 log" in repr(found) and str(logs[1]) in found._repr_html_()


@pytest.mark.parametrize("absent", ["absent.log", "absent*.log"])
def test_a_log_that_is_not_there_is_named_and_the_rest_is_kept(logs: list[Path], tmp_path: Path, absent: str) -> None:
    absent = str(tmp_path / absent)
    given = [logs[0], absent, *logs[1:]]
    found = describe_logs(given, scheduler="threads", client_key=KEY, store=tmp_path / "store")
    assert [(log.files, log.node) for log in found.missing] == [((absent,), None)]
    assert absent in found.missing[0].why and found.part == hotset.part(logs, client_key=KEY)
    read = read_logs(given, scheduler="threads", client_key=KEY)
    assert [log.files for log in read.missing] == [(absent,)]
    assert len(read.trace) == found.part.requests
    for nothing in (absent, [absent]):
        with pytest.raises(ShardError, match="absent"):
            describe_logs(nothing, scheduler="threads")
    with pytest.raises(hotset.LogError, match="web0.log"):
        describe_logs([logs[0], absent, logs[0]], scheduler="threads")


def test_nothing_readable_is_an_error(tmp_path: Path) -> None:
    bad = tmp_path / "bad.log"
    bad.write_text("nothing\n" * 100)
    with pytest.raises(ShardError, match="bad.log"):
        describe_logs([bad], scheduler="threads")


def test_a_second_run_goes_on_from_the_store(logs: list[Path], tmp_path: Path) -> None:
    store = tmp_path / "store"

    def run(**options: Any) -> tuple[int, bytes]:
        found = describe_logs(logs, scheduler="threads", client_key=KEY, store=store, **options)
        return found.from_store, found.part.to_bytes()

    first = run()
    assert first[0] == 0 and run() == (3, first[1])
    # What is damaged, was changed or is read by other rules is read again.
    damaged = sorted(store.iterdir())[0]
    damaged.write_bytes(damaged.read_bytes()[:50])
    assert run() == (2, first[1])
    with logs[0].open("a") as log:
        log.write(logs[0].read_text().splitlines()[0] + "\n")
    assert run()[0] == 2
    assert run(query="strip")[0] == 0
    assert run(threads=2)[0] == 3


def test_a_store_that_takes_nothing_loses_nothing(logs: list[Path], tmp_path: Path) -> None:
    store = tmp_path / "store"
    store.write_text("a file, not a folder")
    found = describe_logs(logs, scheduler="threads", client_key=KEY, store=store)
    assert found.part.logs == 3 and len(found.not_stored) == 1


@pytest.mark.parametrize("scheduler", ["processes", "threads", "function"])
def test_a_large_log_is_read_in_ranges_to_the_same_bytes(
    logs: list[Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, scheduler: str
) -> None:
    from dask.local import get_sync

    from hotset.distributed import _run, _shard

    monkeypatch.setattr(_shard, "RANGE_BYTES", 10_000)
    cuts = [_shard.cut(_shard.Shard((str(log),), None, bytes.fromhex(KEY), {}, None), 10_000) for log in logs]
    assert min(map(len, cuts)) > 2
    assert _run.cut is _shard.cut
    store = tmp_path / "store"
    wanted = hotset.part(logs, client_key=KEY).to_bytes()
    for from_store in (0, 3):
        given = get_sync if scheduler == "function" else scheduler
        found = describe_logs(logs, scheduler=given, client_key=KEY, store=store)
        assert found.part.to_bytes() == wanted and found.from_store == from_store
    assert len(list(store.iterdir())) == sum(map(len, cuts))


def test_what_ranges_cannot_say_is_read_whole(
    logs: list[Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from hotset.distributed import _shard

    monkeypatch.setattr(_shard, "RANGE_BYTES", 10_000)
    good = logs[0].read_text()
    # Lines that are none may have a log refused, which depends on all of them.
    logs[1].write_text(good + "no request\n" * 19)
    logs[2].write_text(good + "no request\n" * 400)
    packed = tmp_path / "packed.log.gz"
    import gzip

    packed.write_bytes(gzip.compress(logs[0].read_text().replace("10.0.0", "10.0.1").encode()))
    found = describe_logs([*logs, packed], scheduler="threads", client_key=KEY)
    assert [log.files for log in found.missing] == [(str(logs[2]),)]
    with pytest.raises(hotset.LogError) as refused:
        hotset.describe(logs[2])
    assert found.missing[0].why == str(refused.value)
    assert found.part == hotset.part([logs[0], logs[1], packed], client_key=KEY)


@pytest.mark.parametrize(
    ("options", "says"),
    [
        ({"scheduler": "fibres"}, "scheduler: "),
        ({"scheduler": 3}, "scheduler: "),
        ({"client_key": "12"}, "client_key: "),
        ({"client_key": KEY, "keep_clients": True}, "give one of them"),
        ({"store": "s"}, "store: takes a client_key"),
        ({"pinned": True}, "pinned: "),
    ],
)
def test_bad_options_are_named(logs: list[Path], options: dict[str, Any], says: str) -> None:
    with pytest.raises(hotset.OptionError, match=says):
        describe_logs(logs, **options)


def test_a_log_that_kills_its_process_is_named_after_four_tries(
    logs: list[Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOTSET_TEST_KILLER", str(logs[1]))
    tries = tmp_path / "tries"
    monkeypatch.setenv("HOTSET_TEST_TRIES", str(tries))
    from hotset.distributed import _run

    monkeypatch.setattr(_run, "noted", killing)
    found = describe_logs(logs, scheduler="processes", client_key=KEY)
    assert [log.files for log in found.missing] == [(str(logs[1]),)]
    assert "4 times" in found.missing[0].why
    assert tries.read_text().count("x") >= 4
    assert found.part == hotset.part([logs[0], logs[2]], client_key=KEY)


def killing(task: Any, given: Any, notes: Any) -> Any:
    """As the package's function, but a log that is named ends its process, as one that takes all memory does."""
    from hotset.distributed._run import noted

    if given.files[0] == os.environ["HOTSET_TEST_KILLER"]:
        notes.begun.touch()
        with open(os.environ["HOTSET_TEST_TRIES"], "a") as tries:
            tries.write("x")
        os.kill(os.getpid(), signal.SIGKILL)
    return noted(task, given, notes)


def test_a_machine_whose_plan_kills_its_process_is_named_after_four_tries(
    logs: list[Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOTSET_TEST_KILLER", str(logs[1]))
    monkeypatch.setenv("HOTSET_TEST_TRIES", str(tmp_path / "tries"))
    from hotset.distributed import _run

    monkeypatch.setattr(_run, "noted", killing)
    found = plan_logs({f"web{n}": log for n, log in enumerate(logs)}, memory="100KiB", scheduler="processes")
    assert [(log.node, "4 times" in log.why) for log in found.missing] == [("web1", True)]
    assert (tmp_path / "tries").read_text().count("x") >= 4
    assert sorted(found.plans) == ["web0", "web2"]


@pytest.mark.parametrize("scheduler", ["processes", "threads"])
def test_each_machine_gets_the_plan_of_its_own_logs(
    logs: list[Path], tmp_path: Path, command: Callable[..., Any], scheduler: str
) -> None:
    machines = {"web1": [str(logs[0])], "web2": [str(log) for log in logs[1:]], "web3": ["/absent.log"]}
    found = plan_logs(machines, memory={"web1": "100KiB", "web2": 200_000, "web3": 1}, scheduler=scheduler)
    assert [(log.node, "/absent.log" in log.why) for log in found.missing] == [("web3", True)]
    for node, memory in (("web1", "100KiB"), ("web2", 200_000)):
        printed = command("plan", "--memory", memory, *machines[node])
        planned = found.plans[node].to_dict()
        assert planned["total"] == printed["total"] and planned["held"] == printed["held"]
        found.plans[node].save_plan(tmp_path / "plan.json")
        hotset.plan(machines[node], memory=memory, previous=tmp_path / "plan.json")


def test_plans_of_a_fleet_take_logs_and_memory_by_machine(logs: list[Path]) -> None:
    for options in ({"logs": logs, "memory": 1}, {"logs": {}, "memory": 1}, {"logs": {"a": logs}, "memory": {"b": 1}}):
        with pytest.raises(hotset.OptionError):
            plan_logs(**options, scheduler="threads")
    with pytest.raises(ShardError, match="web1"):
        plan_logs({"web1": "/absent.log"}, memory="1MiB", scheduler="threads")


def test_ray_runs_the_graph(logs: list[Path]) -> None:
    ray = pytest.importorskip("ray")
    ray_dask = pytest.importorskip("ray.util.dask")
    ray.init(num_cpus=2, include_dashboard=False, log_to_driver=False)
    try:
        found = describe_logs(logs, scheduler=ray_dask.ray_dask_get, client_key=KEY)
    finally:
        ray.shutdown()
    assert found.part == hotset.part(logs, client_key=KEY) and found.missing == ()
