"""What a notebook shows."""

from __future__ import annotations

import sys
import types
from pathlib import Path
from typing import Any

import pytest

import hotset
from conftest import ROOT, lines
from hotset import _progress


class Display:
    """Notes what it is told to show."""

    def __init__(self) -> None:
        self.shown: list[str] = []

    def __call__(self, what: Any, display_id: bool) -> Display:
        assert display_id
        self.shown.append(repr(what))
        return self

    def update(self, what: Any) -> None:
        self.shown.append(what._repr_html_())


def kernel(monkeypatch: pytest.MonkeyPatch, shell: object) -> Display:
    """As in a process where IPython runs that shell."""
    display = Display()
    for name, module in {"IPython": {"get_ipython": lambda: shell}, "IPython.display": {"display": display}}.items():
        made = types.ModuleType(name)
        vars(made).update(module)
        monkeypatch.setitem(sys.modules, name, made)
    return display


def test_progress_is_shown_in_a_notebook_and_nowhere_else(logs: list[Path], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_progress, "PATIENCE", 0.0)
    for shell, is_shown in ((None, False), (types.SimpleNamespace(), False), (types.SimpleNamespace(kernel=1), True)):
        display = kernel(monkeypatch, shell)
        hotset.describe(logs)
        assert bool(display.shown) == is_shown
    told: list[int] = []
    display = kernel(monkeypatch, types.SimpleNamespace(kernel=1))
    hotset.describe(logs, progress=lambda read, of: told.append(read))
    assert told and not display.shown, "whoever takes progress shows it"


def test_a_line_is_changed_in_place_and_not_too_often() -> None:
    display, now = Display(), 0.0
    progress = _progress.Progress(display, lambda: now)
    for now, read in ((0.5, 10), (2.0, 20_000_000), (2.1, 30_000_000), (2.5, 40_000_000), (2.6, 50_000_000)):
        progress(read, 50_000_000)
    assert display.shown[0] == "read 20 MB of 50 MB"
    assert [line.split("> ")[-1] for line in display.shown[1:]] == ["read 40 MB of 50 MB</div>", "read 50 MB of 50 MB</div>"]
    assert "<progress" in display.shown[1]


def test_the_notebook_of_the_book_runs_and_stores_no_outputs() -> None:
    nbformat, nbclient = pytest.importorskip("nbformat"), pytest.importorskip("nbclient")
    pytest.importorskip("ipykernel")
    notebook = nbformat.read(ROOT / "docs" / "notebooks" / "fleet.ipynb", as_version=4)
    nbformat.validate(notebook)
    cells = [cell for cell in notebook.cells if cell.cell_type == "code"]
    assert not any(cell.outputs or cell.execution_count for cell in cells)
    nbclient.NotebookClient(notebook, timeout=120, kernel_name="python3").execute()
    shown = [output.data for cell in cells for output in cell.outputs if "data" in output]
    assert sum("<iframe" in data.get("text/html", "") for data in shown) == 3, "description, plan and comparison"


def test_a_picture_is_small_enough_to_be_kept_in_a_notebook(tmp_path: Path) -> None:
    trace = hotset.generate("zipf", objects=5_000, working_set="100MiB", requests=40_000)
    plan = hotset.plan(trace, memory="30MiB")
    assert len(plan) > 500
    for result in (plan, trace.describe()):
        result.save(tmp_path / "page.html")
        page, picture = (tmp_path / "page.html").read_text(), result._repr_html_()
        assert len(picture) < 100_000 < len(page)
        assert "<script" not in picture and "&quot;" not in picture.replace("&amp;quot;", "")
        assert picture.count("<svg") == page.count("<svg") > 0


def test_every_result_has_a_picture(tmp_path: Path) -> None:
    log = tmp_path / "web.log"
    log.write_text("".join(lines(1)))
    simulated = hotset.simulate(log, memory="100KiB", policy="lru")
    assert "<svg" in simulated._repr_html_() and "Mean response in the course" in simulated._repr_html_()
    files = [tmp_path / "lru.json", tmp_path / "sieve.json"]
    for file in files:
        hotset.simulate(log, memory="100KiB", policy=file.stem).save(file)
    for result in (hotset.describe(log), hotset.plan(log, memory="100KiB"), hotset.compare(files)):
        assert "<svg" in result._repr_html_()
