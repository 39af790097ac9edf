"""Parts: merged in any order and grouping, they say what one process says."""

from __future__ import annotations

import itertools
import pickle
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import hotset
from conftest import KEY


def whole(logs: list[Path], command: Callable[..., Any]) -> Any:
    """What one process prints of all logs, less what parts cannot have."""
    described = command("describe", *logs)
    for of in [described["total"], *described["sites"]]:
        of.pop("miss_ratio_curve", None)
    return described


def test_any_order_and_grouping_gives_the_same_bytes(logs: list[Path]) -> None:
    parts = [hotset.part(log, client_key=KEY) for log in logs]
    at_once = hotset.part(logs, client_key=KEY).to_bytes()
    for first, second, third in itertools.permutations(parts):
        assert hotset.merge([first, hotset.merge([second, third])]).to_bytes() == at_once


def test_merged_parts_describe_what_the_command_merges(
    logs: list[Path], tmp_path: Path, command: Callable[..., Any]
) -> None:
    files = []
    for log in logs:
        files.append(tmp_path / f"{log.name}.part")
        hotset.part(log, client_key=KEY).save(files[-1])
    merged = hotset.merge([hotset.Part.open(file) for file in files])
    assert merged.describe().to_dict() == command("merge", *files)


def test_a_part_has_the_bytes_that_the_command_writes(
    logs: list[Path], tmp_path: Path, command: Callable[..., Any]
) -> None:
    import os

    from conftest import ROOT

    program = os.environ.get("HOTSET", str(ROOT / "target" / "debug" / "hotset"))
    written = tmp_path / "web.part"
    words = [program, "part", "--node", "a", "--client-key", KEY, "-o", str(written), *map(str, logs)]
    subprocess.run(words, check=True)
    assert hotset.part(logs, client_key=bytes.fromhex(KEY), node="a").to_bytes() == written.read_bytes()


def test_a_part_travels_as_bytes_and_pickled(logs: list[Path]) -> None:
    part = hotset.part(logs, client_key=KEY)
    assert pickle.loads(pickle.dumps(part)) == part
    assert hotset.Part.from_bytes(part.to_bytes()) == part
    assert (part.logs, part.requests) == (3, hotset.describe(logs).requests)


def test_totals_are_those_of_one_process(logs: list[Path], command: Callable[..., Any]) -> None:
    merged = hotset.merge([hotset.part(log, client_key=KEY) for log in logs]).describe().to_dict()
    one = command("describe", *logs)
    for key in ("requests", "accesses", "objects", "object_bytes", "response_bytes", "clients"):
        assert merged["total"][key] == one["total"][key], key
