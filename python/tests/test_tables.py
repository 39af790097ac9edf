"""Every result goes to a library of data frames."""

from __future__ import annotations

from pathlib import Path

import pytest

import hotset
from conftest import KEY

pl = pytest.importorskip("polars")


def test_a_description_has_its_sites_files_and_minutes(logs: list[Path]) -> None:
    described = hotset.describe(logs, sites=["a=/f1*", "b=/*"])
    document = described.to_dict()
    sites = pl.DataFrame(described.by_site)
    for column in ("site", "requests", "accesses", "objects", "object_bytes", "response_bytes", "clients", "connections"):
        assert sites[column].to_list() == [site[column] for site in document["sites"]]
    hottest = pl.DataFrame(described.hottest)
    wanted = [(file["site"], file["path"], file["accesses"], file["size_bytes"]) for file in document["total"]["hottest"]]
    assert hottest.rows()[: len(wanted)] == wanted and hottest["accesses"].sum() == document["total"]["accesses"]
    minutes = pl.DataFrame(described.minutes)
    assert minutes["requests"].sum() == document["total"]["requests"]
    assert str(minutes.schema["time"]) == "Datetime(time_unit='us', time_zone='UTC')"


def test_a_part_has_its_files(logs: list[Path]) -> None:
    files = pl.DataFrame(hotset.part(logs, client_key=KEY).files)
    total = hotset.describe(logs).to_dict()["total"]
    assert (files.height, files["accesses"].sum(), files["size"].sum()) == (total["objects"], total["accesses"], total["object_bytes"])


def test_a_plan_has_the_files_to_hold(logs: list[Path]) -> None:
    planned = hotset.plan(logs, memory="200KiB")
    files = pl.DataFrame(planned.files)
    assert files.height == len(planned) > 0
    assert files["size"].sum() == planned.to_dict()["held"]["bytes"]
    assert files["order"].to_list() == list(range(files.height))
    assert files["saved_us_per_byte"].min() > 0


def test_simulations_and_comparisons_have_their_outcomes(logs: list[Path], tmp_path: Path) -> None:
    files = []
    for policy in ("lru", "sieve"):
        simulated = hotset.simulate(logs, memory="100KiB", policy=policy)
        row = pl.DataFrame(simulated.outcomes).row(0, named=True)
        assert (row["policy"], row["hit_ratio"], row["mean_us"]) == (policy, simulated.hit_ratio, simulated.mean_us)
        files.append(tmp_path / f"{policy}.json")
        simulated.save(files[-1])
    compared = hotset.compare(files)
    outcomes = pl.DataFrame(compared.outcomes)
    assert outcomes["outcome"].to_list() == compared.names
    assert (outcomes["mean_us_low"] <= outcomes["mean_us"]).all() and outcomes["mean_ratio"][1] == pytest.approx(
        outcomes["mean_us"][1] / outcomes["mean_us"][0]
    )
    sampled = pl.DataFrame(hotset.simulate(logs, memory="20%", sampled=0.5).outcomes)
    assert (sampled["hit_ratio_low"] <= sampled["hit_ratio_high"]).all() and sampled["memory_bytes"].is_sorted()
