"""Descriptions: what the command prints, by the same rules."""

from __future__ import annotations

import datetime
import json
import pickle
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import hotset
from conftest import KEY, ROOT

DATA = ROOT.parent / "shared" / "data"


def test_has_the_keys_and_values_of_the_command(logs: list[Path], command: Callable[..., Any]) -> None:
    assert hotset.describe(logs).to_dict() == command("describe", *logs)


@pytest.mark.parametrize("name", ["epa-http-1995.txt", "semicomplete-2015.combined.log"])
def test_public_logs_are_described_as_by_the_command(name: str, command: Callable[..., Any]) -> None:
    log = DATA / name
    if not log.exists():
        pytest.skip(f"{log} is not there")
    assert hotset.describe(log).to_dict() == command("describe", log)


def test_options_mean_what_they_mean_to_the_command(logs: list[Path], command: Callable[..., Any]) -> None:
    described = hotset.describe(
        logs[0],
        start=datetime.datetime(2026, 3, 1, 10, 0, 30, tzinfo=datetime.timezone.utc),
        end="2026-03-01 11:02",
        time_zone="Europe/Berlin",
        sites=["ones=/f1*", "rest=/*"],
        query="strip",
        keep_clients=True,
        max_rejected=0.5,
    )
    assert described.to_dict() == command(
        "describe", "--from", "2026-03-01T10:00:30Z", "--to", "2026-03-01 11:02", "--time-zone", "Europe/Berlin",
        "--site", "ones=/f1*", "--site", "rest=/*", "--query", "strip", "--keep-clients", "--max-rejected", "50%", logs[0],
    )  # fmt: skip
    assert described.sites == ["ones", "rest", "other"]


def test_a_trace_is_described_as_its_logs(logs: list[Path]) -> None:
    trace = hotset.read_logs(logs)
    assert trace.describe().to_json() == hotset.describe(logs).to_json()
    assert len(trace) == trace.describe().requests


def test_saves_what_it_shows(logs: list[Path], tmp_path: Path) -> None:
    described = hotset.describe(logs)
    described.save(tmp_path / "d.json")
    described.save(tmp_path / "d.html")
    assert json.loads((tmp_path / "d.json").read_text()) == described.to_dict()
    assert (tmp_path / "d.html").read_text().startswith("<!DOCTYPE html>")


def test_a_description_pickles_with_all_that_it_shows(logs: list[Path], tmp_path: Path) -> None:
    merged = hotset.merge([hotset.part(log, client_key=KEY) for log in logs])
    for described in (hotset.describe(logs, time_zone="+02:00"), merged.describe(time_zone="Europe/Berlin")):
        again = pickle.loads(pickle.dumps(described))
        assert again.to_json() == described.to_json()
        pages = [tmp_path / name for name in ("a.html", "b.html")]
        for page, one in zip(pages, (described, again), strict=True):
            one.save(page)
        # They say when they were saved, which may be a second apart.
        first, second = (re.sub(r"\d\d:\d\d:\d\dZ</code>", "", page.read_text()) for page in pages)
        assert first == second
        for table in ("by_site", "hottest", "minutes"):
            assert len(getattr(again, table)) == len(getattr(described, table)) > 0
    with pytest.raises(hotset.PartError, match="pickled description"):
        hotset.Description._of_bytes(b"{}")  # type: ignore[attr-defined]


def test_a_notebook_gets_the_page_in_a_frame(logs: list[Path]) -> None:
    html = hotset.describe(logs)._repr_html_()
    assert html.startswith("<iframe srcdoc=") and "<svg" in html
