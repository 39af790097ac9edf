"""Plans, simulations and comparisons: what the command prints."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import hotset
from conftest import KEY


def without_usage(document: Any) -> Any:
    """What depends on the process and the time of day is left out."""
    document.pop("peak_memory_bytes", None)
    for outcome in document.get("outcomes", []):
        outcome["provenance"].pop("date", None)
    return document


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"memory": "200KiB"}, ["--memory", "200KiB"]),
        ({"memory": 200_000, "page_cache": "whole-files", "seed": 7, "for_gain": 0.2},
         ["--memory", 200_000, "--page-cache", "whole-files", "--seed", 7, "--for-gain", "20%"]),
        ({"memory": "10%", "backing": "nvme", "candidates": ["ssd"], "query": "strip"},
         ["--memory", "10%", "--backing", "nvme", "--candidate", "ssd", "--query", "strip"]),
    ],
)  # fmt: skip
def test_plans_as_the_command(
    logs: list[Path], command: Callable[..., Any], options: dict[str, Any], words: list[object]
) -> None:
    planned = hotset.plan(logs, **options)
    assert without_usage(planned.to_dict()) == without_usage(command("plan", *words, *logs))


def test_a_trace_that_was_read_is_planned_for_again_and_again(logs: list[Path]) -> None:
    trace = hotset.read_logs(logs)
    first, second = (without_usage(hotset.plan(trace, memory="200KiB").to_dict()) for _ in range(2))
    assert first == second == without_usage(hotset.plan(logs, memory="200KiB").to_dict())
    with pytest.raises(hotset.OptionError, match="read already"):
        hotset.plan(trace, memory="1MiB", query="strip")


def test_without_a_size_the_plan_is_for_what_is_free_and_sizes_are_proposed(logs: list[Path], tmp_path: Path) -> None:
    planned = hotset.plan(logs, for_gain=0.01)
    told = planned.to_dict()
    proposal = told["proposal"]
    assert proposal["free_bytes"] == told["memory_bytes"] > proposal["all_files_bytes"] > 0
    assert proposal["scan_bytes"] == proposal["free_bytes"] - proposal["all_files_bytes"]
    assert proposal["sizes"][-1]["reasons"] == ["free"]
    assert "proposal" not in hotset.plan(logs, memory="200KiB").to_dict()
    planned.save(tmp_path / "plan.html")
    assert "How much memory to hold files in" in (tmp_path / "plan.html").read_text()
    with pytest.raises(hotset.OptionError, match="memory: .* free here"):
        planned.save_plan(tmp_path / "plan.json")


def test_a_plan_file_is_taken_as_previous_and_nothing_changes(logs: list[Path], tmp_path: Path) -> None:
    planned = hotset.plan(logs, memory="200KiB")
    planned.save_plan(tmp_path / "plan.json")
    again = hotset.plan(logs, memory="200KiB", previous=tmp_path / "plan.json")
    assert len(again) == len(planned)
    assert again.verdict in ("unchanged", "leave")
    planned.save(tmp_path / "plan.html")
    assert "<svg" in (tmp_path / "plan.html").read_text() and planned._repr_html_().startswith("<iframe")


def test_a_list_says_how_many_files_it_has_by_their_urls(tmp_path: Path) -> None:
    planned = hotset.plan(hotset.generate("zipf", objects=5_000, working_set="100MiB", requests=40_000), memory="30MiB")
    with pytest.warns(UserWarning, match=f"plan.list: {len(planned):,} files go by URL path, because their sites have no root; roots "):
        planned.save_plan(tmp_path / "plan.list", format="list")
    assert (tmp_path / "plan.list").read_bytes().count(b"\n") == len(planned)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        planned.save_plan(tmp_path / "plan.json")


@pytest.mark.parametrize("policy", ["two-list", "lru", "sieve", "s3-fifo", "arc", "gdsf", "belady"])
def test_simulates_as_the_command(logs: list[Path], command: Callable[..., Any], policy: str) -> None:
    simulated = hotset.simulate(logs, memory="100KiB", policy=policy)
    printed = command("simulate", "trace", "--memory", "100KiB", "--policy", policy, *logs)
    assert without_usage(simulated.to_dict()) == without_usage(printed)
    assert 0 <= simulated.hit_ratio <= 1


def test_samples_as_the_command(logs: list[Path], command: Callable[..., Any]) -> None:
    simulated = hotset.simulate(hotset.read_logs(logs), memory="20%", sampled=0.5, seed=3)
    printed = command("simulate", "trace", "--memory", "20%", "--sampled", "50%", "--seed", 3, *logs)
    assert simulated.to_dict() == printed and simulated.mean_us is None


def test_estimates_the_page_cache_as_the_command(logs: list[Path], command: Callable[..., Any]) -> None:
    simulated = hotset.simulate(logs, memory="20%", policy="two-list", sampled=0.5, seed=3)
    words = ("--memory", "20%", "--policy", "two-list", "--sampled", "50%", "--seed", 3)
    assert simulated.to_dict() == command("simulate", "trace", *words, *logs)


def test_an_estimated_mean_lies_within_its_interval(logs: list[Path]) -> None:
    simulated = hotset.simulate(logs, memory="20%", policy="two-list", sampled=0.5)
    assert simulated.mean_us is not None and simulated.mean_us_interval is not None
    low, high = simulated.mean_us_interval
    assert low <= simulated.mean_us <= high and low < high
    assert "hit_ratio_low" in simulated.outcomes.columns and simulated._repr_html_()
    assert hotset.simulate(logs, memory="20%").mean_us_interval is None


def test_compares_as_the_command(logs: list[Path], tmp_path: Path, command: Callable[..., Any]) -> None:
    files = [tmp_path / "lru.json", tmp_path / "arc.json"]
    for file in files:
        hotset.simulate(logs, memory="100KiB", policy=file.stem).save(file)
    compared = hotset.compare(files, seed=2)
    assert compared.to_dict() == command("compare", "--seed", 2, *files)
    assert compared.names == ["lru", "arc"]


@pytest.mark.parametrize(
    ("call", "error", "says"),
    [
        (lambda logs: hotset.plan(logs).save_plan("plan.json"), hotset.OptionError, "memory: "),
        (lambda logs: hotset.plan(logs, memory="much"), hotset.OptionError, "memory: "),
        (lambda logs: hotset.plan(logs, memory=-1), hotset.OptionError, "memory: "),
        (lambda logs: hotset.plan(logs, memory=1.5), hotset.OptionError, "memory: "),
        (lambda logs: hotset.plan(logs, memory="1MiB", server_memory=-1), hotset.OptionError, "^server_memory: give bytes"),
        (lambda logs: hotset.plan(logs, memory="1MiB", page_cache="none"), hotset.OptionError, "page_cache: "),
        (lambda logs: hotset.plan(logs, memory="1MiB", targets=["shop"]), hotset.OptionError, "targets: "),
        (lambda logs: hotset.plan(logs, memory="1MiB", targets=["shop=p99<20ms"]), hotset.HotsetError, "shop"),
        (lambda logs: hotset.plan(logs, memory="1MiB", objective="targets"), hotset.OptionError, "target"),
        (lambda logs: hotset.plan(logs, memory="1MiB", for_gain=1.5), hotset.OptionError, "for_gain: "),
        (lambda logs: hotset.plan(logs, memory="1MiB", backing="tape"), hotset.OptionError, "tape"),
        (lambda logs: hotset.plan(logs, scenario="absent.toml"), hotset.HotsetError, "absent.toml"),
        (lambda logs: hotset.plan(logs, memory="1MiB", previous="absent.json"), hotset.JobError, "absent.json"),
        (lambda logs: hotset.simulate(logs, memory="1MiB", policy="mru"), hotset.OptionError, "policy: "),
        (lambda logs: hotset.simulate(logs, memory="1MiB", unit="files"), hotset.OptionError, "unit: "),
        (lambda logs: hotset.simulate(logs, memory="1MiB", sampled=0.0), hotset.OptionError, "sampled: "),
        (lambda logs: hotset.simulate(logs, memory="1MiB", sampled=0.5, policy="arc"), hotset.OptionError, "lru"),
        (lambda logs: hotset.compare([]), hotset.OptionError, "documents: "),
        (lambda logs: hotset.compare(["absent.json"]), hotset.JobError, "absent.json"),
        (lambda logs: hotset.compare(logs), hotset.JobError, "web0.log"),
    ],
)  # fmt: skip
def test_what_cannot_be_is_refused(
    logs: list[Path], call: Callable[[list[Path]], object], error: type[Exception], says: str
) -> None:
    with pytest.raises(error, match=says):
        call(logs)


def test_traffic_without_file_reads_is_refused(tmp_path: Path) -> None:
    log = tmp_path / "posts.log"
    log.write_text('10.0.0.1 - - [01/Mar/2026:10:00:00 +0000] "POST /x HTTP/1.1" 200 5 "-" "t"\n' * 30)
    with pytest.raises(hotset.JobError, match="posts.log"):
        hotset.plan(log, memory="1MiB")
    assert hotset.part(log, client_key=KEY).requests == 30
