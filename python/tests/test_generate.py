"""What is made up is what the command makes up."""

from __future__ import annotations

import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import hotset

#: Workloads with their parameters in Python, and as the command takes them.
WORKLOADS: list[tuple[str, dict[str, Any], list[str]]] = [
    ("single-file", {"size": "1MiB", "requests": 50}, ["--size", "1MiB", "--requests", "50"]),
    ("average-size", {"requests": 500}, ["--requests", "500"]),
    ("zipf", {"requests": 500}, ["--requests", "500"]),
    ("zipf", {"size_correlation": -0.8, "requests": 500}, ["--size-correlation", "-0.8", "--requests", "500"]),
    ("zipf", {"zipf_class": 0, "requests": 500, "rate": 5.0}, ["--class", "0", "--requests", "500", "--rate", "5"]),
    (
        "shifting",
        {"alpha": 0.7, "objects": 90, "working_set": 9_000_000, "shift_every": 99, "share": 0.5, "requests": 500},
        "--alpha 0.7 --objects 90 --working-set 9000000 --shift-every 99 --share 0.5 --requests 500".split(),
    ),
    ("specweb99", {"connections": 20, "requests": 500}, ["--connections", "20", "--requests", "500"]),
    ("twin", {"name": "nyse", "scale": 0.01}, ["nyse", "--scale", "0.01"]),
]


@pytest.mark.parametrize(("workload", "parameters", "words"), WORKLOADS)
def test_a_workload_is_that_of_the_command(
    workload: str, parameters: dict[str, Any], words: list[str], tmp_path: Path, command: Callable[..., Any]
) -> None:
    made: Any = hotset.generate(workload, seed=7, log=tmp_path / "python.log", **parameters)  # type: ignore[call-overload]
    told = command("generate", workload, *words, "--seed", 7, "--log", tmp_path / "command.log", "-o", tmp_path / "made.trace")
    assert len(made) == told["requests"]
    assert (tmp_path / "python.log").read_bytes() == (tmp_path / "command.log").read_bytes()
    stored = hotset.read_logs(tmp_path / "made.trace")
    pyarrow = pytest.importorskip("pyarrow")
    for table in ("requests", "objects"):
        assert pyarrow.table(getattr(made, table)).equals(pyarrow.table(getattr(stored, table))), table


def test_the_same_seed_gives_the_same_log(tmp_path: Path) -> None:
    logs = [tmp_path / name for name in ("one.log", "two.log", "three.log")]
    for log, seed in zip(logs, (1, 1, 2)):
        hotset.generate("zipf", requests=300, seed=seed, log=log, log_style="common")
    one, two, three = (log.read_bytes() for log in logs)
    assert one == two != three and one.count(b"\n") == 300
    assert len(hotset.read_logs(logs[0], format="common")) == 300


def test_a_mix_is_made_of_traces_in_their_order() -> None:
    shop, blog = (hotset.generate("zipf", requests=200, seed=seed) for seed in (1, 2))
    mixed = hotset.generate("mix", sites={"shop": shop, "blog": blog})
    assert len(mixed) == 400 and mixed.sites == ["shop", "blog"]
    assert hotset.plan(mixed, memory="10%").to_dict()["sites"][0]["site"] == "shop"


def test_requests_that_another_rule_counted_are_not_mixed(logs: list[Path]) -> None:
    shop, blog = hotset.read_logs(logs[0]), hotset.read_logs(logs[1], rule="c1")
    with pytest.raises(hotset.OptionError, match="^sites: blog was read by rule c1, "):
        hotset.generate("mix", sites={"shop": shop, "blog": blog})


def test_a_log_by_virtual_host_has_no_site_that_it_would_rename(tmp_path: Path) -> None:
    sites = {name: hotset.generate("zipf", requests=200, seed=seed) for seed, name in enumerate(("my shop", "blog"))}
    log = tmp_path / "both.log"
    with pytest.raises(hotset.OptionError, match="^log_style: site `my shop` would be read back by another name"):
        hotset.generate("mix", sites=sites, log=log, log_style="vhost-combined")
    assert not log.exists()
    hotset.generate("mix", sites={"shop": sites["my shop"], "blog": sites["blog"]}, log=log, log_style="vhost-combined")
    assert sorted(hotset.read_logs(log, format="vhost-combined").sites) == ["blog", "shop"]


@pytest.mark.parametrize(
    ("workload", "parameters", "says"),
    [
        ("zip", {}, "workload: "),
        ("zipf", {"size": 1}, "size: is no parameter of zipf"),
        ("zipf", {"requests": -1}, "requests: "),
        ("zipf", {"objects": 0}, "workload: "),
        ("zipf", {"size_correlation": 2}, "workload: "),
        ("zipf", {"alpha": float("nan")}, "workload: "),
        ("zipf", {"zipf_class": 9}, "zipf_class: "),
        ("zipf", {"working_set": "much"}, "working_set: "),
        ("zipf", {"log_style": "xml"}, "log_style: "),
        ("twin", {}, "name: "),
        ("twin", {"name": "monday"}, "name: "),
        ("mix", {}, "sites: "),
        ("mix", {"sites": 3}, "sites: "),
        ("mix", {"sites": {"a": 1, "b": 2}}, "sites: "),
    ],
)
def test_bad_parameters_are_named(workload: Any, parameters: dict[str, Any], says: str) -> None:
    with pytest.raises(hotset.OptionError, match=says):
        hotset.generate(workload, **parameters)


def test_what_does_not_fit_is_refused(tmp_path: Path) -> None:
    with pytest.raises(hotset.JobError, match="memory"):
        hotset.generate("zipf", requests=2**62)
    with pytest.raises(hotset.JobError, match="memory"):
        hotset.generate("specweb99", connections=100_000_000, requests=10)
    with pytest.raises(hotset.SaveError, match="absent"):
        hotset.generate("zipf", requests=5, log=tmp_path / "absent" / "a.log")
