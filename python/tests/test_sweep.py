"""Scenarios, simulated once and at the points of a grid: the values of the command, and the same table wherever it is made."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any, Literal

import pytest

import hotset

pl = pytest.importorskip("polars")

SCENARIO = """
client = [{ name = "crowd", asks = "web1", clients = 4, think = "1ms" }]
node = [{ name = "web1", memory = "1MiB" }]
link = [{ node = "web1", rate = "100Mbit" }]
[[store]]
name = "disk"
profile = "hdd"
disk = { kind = "seeking", rate = "39MB" }
"""
VARY: dict[str, Any] = {"node.web1.memory": "256KiB..4MiB:x2", "store.disk.kind": ["ext4", "xfs"]}
ON_COMMAND_LINE = ["--vary", "node.web1.memory=256KiB..4MiB:x2", "--vary", "store.disk.kind=ext4,xfs"]


@pytest.fixture
def scenario(tmp_path: Path) -> Path:
    path = tmp_path / "tiers.toml"
    path.write_text(SCENARIO)
    return path


def test_a_simulated_scenario_has_the_values_of_the_command(
    scenario: Path, logs: list[Path], command: Callable[..., Any], tmp_path: Path
) -> None:
    simulated = hotset.simulate_scenario(scenario, logs, set={"node.web1.memory": "2MiB", "node.web1.cpus": 0.5}, seed=1)
    settings = ["--set", "node.web1.memory=2MiB", "--set", "node.web1.cpus=0.5"]
    assert simulated.to_dict() == command("simulate", "scenario", scenario, *logs, *settings, "--seed", 1)
    assert "web1" in simulated._repr_html_() and "tiers.toml" in repr(simulated)
    simulated.save(tmp_path / "a.json")
    assert json.loads((tmp_path / "a.json").read_text())["outcomes"][0]["name"] == "tiers"


def test_a_sweep_has_the_values_and_the_table_of_the_command(
    scenario: Path, logs: list[Path], command: Callable[..., Any], tmp_path: Path
) -> None:
    swept = hotset.sweep(scenario, logs, vary=VARY, output=tmp_path / "a.parquet", seed=1)
    printed = command("sweep", scenario, *logs, *ON_COMMAND_LINE, "--seed", 1, "-o", tmp_path / "b.parquet")
    document = swept.to_dict()
    assert document.pop("table") == str(tmp_path / "a.parquet") and printed.pop("table") == str(tmp_path / "b.parquet")
    assert document == printed and len(swept) == 10
    assert (tmp_path / "a.parquet").read_bytes() == (tmp_path / "b.parquet").read_bytes()
    assert pl.DataFrame(swept.table).equals(pl.read_parquet(tmp_path / "a.parquet"))
    assert swept.best == document["best"] and swept.knee == document["knee"]
    assert "<svg" in swept._repr_html_()
    swept.save(tmp_path / "a.html")
    swept.save(tmp_path / "a.json")


def test_a_sweep_by_formulas_has_the_table_of_the_command(
    scenario: Path, logs: list[Path], command: Callable[..., Any], tmp_path: Path
) -> None:
    swept = hotset.sweep(scenario, logs, vary=VARY, by="model", output=tmp_path / "a.parquet")
    printed = command("sweep", scenario, *logs, *ON_COMMAND_LINE, "--by", "model", "-o", tmp_path / "b.parquet")
    assert swept.to_dict()["by"] == printed["by"] == "model"
    assert (tmp_path / "a.parquet").read_bytes() == (tmp_path / "b.parquet").read_bytes()
    table = pl.DataFrame(swept.table)
    assert table["p95_us"].null_count() == len(table) and table["mean_us"].null_count() == 0


def test_a_trace_is_swept_and_targets_are_told(scenario: Path, logs: list[Path]) -> None:
    trace = hotset.read_logs(logs)
    swept = hotset.sweep(scenario, trace, vary={"client.crowd.clients": [1, 2]}, targets=[f"{trace.sites[0]}=mean<1us"])
    assert swept.best is None and swept.to_dict()["meeting"] == 0
    assert pl.DataFrame(swept.table)["client.crowd.clients"].to_list() == [1.0, 2.0]


@pytest.mark.parametrize(
    ("options", "kind", "says"),
    [
        ({"vary": {}}, hotset.OptionError, "nothing is varied"),
        ({"vary": {"node.web1.memory": "1MiB..2MiB"}}, hotset.OptionError, "vary: .*has no step"),
        ({"vary": {"node.web1.memroy": "1MiB"}}, hotset.JobError, "vary node.web1.memroy=1MiB: .*did you mean"),
        ({"vary": {"node.web1.memory": ["1MiB", "a,b"]}}, hotset.OptionError, "cannot have a comma"),
        ({"vary": ["node.web1.memory=1MiB"]}, hotset.OptionError, "give a mapping"),
        ({"vary": VARY, "by": "guess"}, hotset.OptionError, "by: write simulate or model"),
        ({"vary": VARY, "by": "model", "targets": ["all=p95<1s"]}, hotset.OptionError, "targets all=p95 < 1 s: formulas"),
        ({"vary": VARY, "minimise": "link.web1.rate"}, hotset.OptionError, "minimise link.web1.rate: is not varied"),
    ],
)
def test_what_cannot_be_swept_is_refused(
    scenario: Path, logs: list[Path], options: dict[str, Any], kind: type[Exception], says: str
) -> None:
    with pytest.raises(kind, match=says):
        hotset.sweep(scenario, logs, **options)


@pytest.mark.parametrize("by", ["simulate", "model"])
@pytest.mark.parametrize("scheduler", ["processes", "threads", "synchronous"])
def test_a_distributed_sweep_gives_the_same_bytes(
    scenario: Path, logs: list[Path], tmp_path: Path, scheduler: str, by: Literal["simulate", "model"]
) -> None:
    pytest.importorskip("dask")
    from hotset import distributed

    given = [str(log) for log in logs]
    one = hotset.sweep(scenario, given, vary=VARY, by=by, output=tmp_path / "a.parquet")
    many = distributed.sweep(scenario, given, vary=VARY, by=by, output=tmp_path / "b.parquet", scheduler=scheduler)
    assert (tmp_path / "a.parquet").read_bytes() == (tmp_path / "b.parquet").read_bytes()
    documents = [swept.to_dict() for swept in (one, many)]
    for document in documents:
        del document["table"]
    assert documents[0] == documents[1]


def test_an_ended_distributed_sweep_goes_on_to_the_same_bytes(
    scenario: Path, logs: list[Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("dask")
    from hotset import distributed
    from hotset.distributed import _sweep

    given = [str(log) for log in logs]
    hotset.sweep(scenario, given, vary=VARY, output=tmp_path / "a.parquet")
    table, kept = tmp_path / "b.parquet", tmp_path / "b.parquet.points"
    made: list[_sweep.Batch] = []
    simulated = _sweep.simulated

    def swept(most: int) -> None:
        def counted(batch: _sweep.Batch) -> bytes | str:
            if len(made) == most:
                raise RuntimeError("it was ended")
            made.append(batch)
            return simulated(batch)

        made.clear()
        monkeypatch.setattr(_sweep, "simulated", counted)
        distributed.sweep(scenario, given, vary=VARY, output=table, scheduler="synchronous")

    # Each point is a batch.
    monkeypatch.setattr(_sweep, "BATCH_SECONDS", 0.0)
    with pytest.raises(RuntimeError, match="it was ended"):
        swept(3)
    # One is simulated before there are batches.
    assert not table.exists() and len(kept.read_text().splitlines()) == 4
    swept(10)
    assert sum(len(batch.points) for batch in made) == 10 - 4 - 1
    assert table.read_bytes() == (tmp_path / "a.parquet").read_bytes() and not kept.exists()


def test_a_distributed_sweep_refuses_what_cannot_be(scenario: Path, logs: list[Path]) -> None:
    pytest.importorskip("dask")
    from hotset import distributed

    with pytest.raises(hotset.JobError, match="moosefs"):
        distributed.sweep(scenario, logs, vary={"store.disk.kind": ["ext4", "moosefs"]}, scheduler="threads")


def test_batches_take_about_a_second_and_leave_nobody_idle() -> None:
    pytest.importorskip("dask")
    from hotset.distributed._sweep import batch_size

    assert batch_size(10_000, 0.01, 2) == 100
    assert batch_size(40, 0.01, 2) == 5
    assert batch_size(10, 5.0, 2) == 1
