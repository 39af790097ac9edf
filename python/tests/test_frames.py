"""Tables go out without copies and come in checked."""

from __future__ import annotations

import gc
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import hotset

pl = pytest.importorskip("polars")
pa = pytest.importorskip("pyarrow")


def frames(trace: hotset.Trace) -> dict[str, Any]:
    return {name: pl.DataFrame(getattr(trace, name)) for name in ("requests", "objects", "clients")}


def trace_of(trace: hotset.Trace, **changed: Any) -> hotset.Trace:
    given = {**frames(trace), "sites": trace.sites, **changed}
    return hotset.Trace.from_arrow(given.pop("requests"), **given)


def test_a_frame_has_what_the_trace_has(logs: list[Path]) -> None:
    trace = hotset.read_logs(logs)
    made = frames(trace)
    total = trace.describe().to_dict()["total"]
    assert made["requests"].height == len(trace) == total["requests"] == len(trace.requests)
    assert made["requests"]["bytes"].sum() == total["response_bytes"]
    assert made["requests"]["access"].sum() == total["accesses"]
    joined = made["requests"].filter(pl.col("access")).join(
        made["objects"].with_row_index("object"), on="object"
    )
    assert joined.height == total["accesses"]
    assert str(made["requests"].schema["time"]) == "Datetime(time_unit='us', time_zone='UTC')"


def test_numbers_go_out_without_a_copy(logs: list[Path]) -> None:
    trace = hotset.read_logs(logs)
    first, second = pa.table(trace.requests), pa.table(trace.requests)
    for name in ("time", "client", "site", "object", "bytes", "status"):
        addresses = [table[name].chunk(0).buffers()[1].address for table in (first, second)]
        assert addresses[0] == addresses[1], name
    objects = [pa.table(trace.objects)["size"].chunk(0).buffers()[1].address for _ in range(2)]
    assert objects[0] == objects[1]


def test_a_frame_outlives_its_trace(logs: list[Path]) -> None:
    trace = hotset.read_logs(logs)
    sent = trace.describe().to_dict()["total"]["response_bytes"]
    frame = pl.DataFrame(trace.requests)
    table = trace.requests
    del trace
    gc.collect()
    assert frame["bytes"].sum() == sent == pl.DataFrame(table)["bytes"].sum()


@pytest.mark.parametrize("library", ["polars", "pyarrow", "hotset"])
def test_what_went_out_comes_in_as_it_was(logs: list[Path], library: str) -> None:
    trace = hotset.read_logs(logs)
    given: dict[str, Any] = {name: getattr(trace, name) for name in ("requests", "objects", "clients")}
    if library != "hotset":
        make = pl.DataFrame if library == "polars" else pa.table
        given = {name: make(table) for name, table in given.items()}
    again = trace_of(trace, **given)
    described, described_again = (it.describe().to_dict()["total"] for it in (trace, again))
    for key in ("not_found", "rejected_lines", "top_clients"):
        # What reading counted beside requests, and that clients of logs are numbered.
        del described[key], described_again[key]
    assert described_again == described
    one, other = (hotset.plan(it, memory="100KiB").to_dict() for it in (trace, again))
    assert one["total"] == other["total"]


def test_sliced_and_chunked_columns_come_in_right(logs: list[Path]) -> None:
    trace = hotset.read_logs(logs)
    requests = pa.table(trace.requests)
    parts = [requests.slice(100, 50), requests.slice(7, 13), requests.slice(400)]
    chunked = pa.concat_tables(parts)
    assert chunked["bytes"].num_chunks == 3
    for given in (chunked, pl.from_arrow(chunked, rechunk=False)):
        again = pl.DataFrame(trace_of(trace, requests=given).requests)
        assert again.equals(pl.DataFrame(chunked))


Change = Callable[[Any], Any]


@pytest.mark.parametrize(
    ("frame", "change", "says"),
    [
        ("requests", lambda it: it.drop("bytes"), "requests: column bytes is missing"),
        ("requests", lambda it: it.head(0), "requests: has no rows"),
        ("requests", lambda it: it.with_columns(pl.col("bytes").cast(pl.Int64)), "column bytes is Int64; cast it"),
        ("requests", lambda it: it.with_columns(pl.col("time").cast(pl.Int64)), "column time is Int64; cast it"),
        ("requests", lambda it: it.with_columns(pl.col("time").dt.cast_time_unit("ms")), "column time is Timestamp"),
        ("requests", lambda it: it.with_columns(pl.col("access").cast(pl.UInt8)), "column access is UInt8"),
        ("requests", lambda it: it.with_columns(pl.when(pl.col("bytes") > 9).then("bytes")), "column bytes has .* nulls"),
        ("requests", lambda it: it.with_columns(pl.lit(None).alias("site")), "requests: "),
        ("requests", lambda it: it.with_columns(pl.lit(9, pl.UInt16).alias("site")), "id 9, and there are"),
        ("requests", lambda it: it.with_columns(pl.lit(2**32 - 1, pl.UInt32).alias("client")), "column client has the id"),
        ("requests", lambda it: it.with_columns(pl.lit(10**6, pl.UInt32).alias("object")), "column object has the id"),
        ("requests", lambda it: it.with_columns(pl.lit(None, pl.UInt32).alias("object")), "column access is true"),
        ("requests", lambda it: it.with_columns(pl.lit(2**63, pl.UInt64).alias("bytes")), "column bytes adds up"),
        ("requests", lambda it: it.with_columns(pl.lit(9, pl.UInt8).alias("method")), "column method has a number"),
        ("requests", lambda it: it.with_columns(pl.lit(40_000, pl.UInt16).alias("status")), "column status"),
        ("requests", lambda it: it.with_columns(pl.col("time").dt.offset_by("400y")), "column time has a time"),
        ("objects", lambda it: it.with_columns(pl.lit(0, pl.UInt64).alias("size")), "column size has a 0"),
        ("objects", lambda it: it.with_columns(pl.lit(2**62, pl.UInt64).alias("size")), "column size adds up"),
        ("objects", lambda it: it.with_columns(pl.lit(1).alias("path")), "column path is Int32"),
        ("objects", lambda it: it.head(1), "column object has the id"),
        ("clients", lambda it: it.head(1), "column client has the id"),
        ("clients", lambda it: it["client"].to_list(), "clients: is no frame"),
        ("clients", lambda it: None, "clients: is no frame"),
        ("sites", lambda it: [], "column site has the id 0, and there are 0 sites"),
    ],
)  # fmt: skip
def test_a_frame_that_is_no_trace_is_refused(logs: list[Path], frame: str, change: Change, says: str) -> None:
    trace = hotset.read_logs(logs)
    given = {**frames(trace), "sites": trace.sites}
    with pytest.raises(hotset.FrameError, match=says):
        trace_of(trace, **{frame: change(given[frame])})


def test_clients_need_no_names_where_their_ids_are_dense(logs: list[Path]) -> None:
    trace = hotset.read_logs(logs)
    given = frames(trace)
    again = trace_of(trace, clients=given["clients"].head(0))
    assert len(again) == len(trace) and len(again.clients) == 0
    assert again.describe().to_dict()["total"]["clients"] is None
    sparse = given["requests"].with_columns(pl.lit(len(trace), pl.UInt32).alias("client"))
    with pytest.raises(hotset.FrameError, match=f"column client has the id {len(trace)}, and there are {len(trace)} requests"):
        trace_of(trace, requests=sparse, clients=given["clients"].head(0))


class Hostile:
    """Says that it is a frame."""

    def __init__(self, gives: object) -> None:
        self.gives = gives

    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object:
        if isinstance(self.gives, Exception):
            raise self.gives
        return self.gives


def test_capsules_of_something_else_or_spent_are_refused(logs: list[Path]) -> None:
    trace = hotset.read_logs(logs)
    spent = trace.clients.__arrow_c_stream__()
    pa.RecordBatchReader._import_from_c_capsule(spent)
    for gives in (None, 3, KeyError("no"), trace.clients.__arrow_c_schema__(), spent):
        with pytest.raises(hotset.FrameError, match="clients: "):
            trace_of(trace, clients=Hostile(gives))
