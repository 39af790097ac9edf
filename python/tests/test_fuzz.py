"""Whatever is given to any public function, it is a result, a `HotsetError` or a `TypeError`, and it comes soon."""

from __future__ import annotations

import datetime
import faulthandler
import gc
import inspect
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

import hotset
from conftest import KEY, lines

pytest.importorskip("hypothesis")
pytest.importorskip("dask")
pl = pytest.importorskip("polars")
pa = pytest.importorskip("pyarrow")

from hypothesis import HealthCheck, given, settings  # noqa: E402
from hypothesis import strategies as st  # noqa: E402

import hotset.distributed  # noqa: E402

#: Seconds after which a call hangs. Those here take hundredths.
PATIENCE = 60

#: All tests of this file together take a quarter of a minute.
few = settings(
    max_examples=60,
    deadline=None,
    database=None,
    derandomize=True,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)

#: Texts that are no Unicode, or end where C ends them, among those that options take.
TEXTS = [
    "", "\0", "\ud800", "ä\n", "-", "--site", "1MiB", "50%", "1e400", "-1", "99999999999999999999", "nan", "lru", "belady", "hdd", "keep",
    "strip", "c1", "time", "combined", "json", "all=*", "a=host:*", "all=/", "UTC", "Europe/Berlin", "2026-03-01", "all=mean<1ms", "html",
    "%h %l %u %t \"%r\" %>s %b", "time=ts,uri=u", KEY, "x" * 5000, "*[", "/dev/null", "/proc/self/mem", "threads", "processes",
]  # fmt: skip


class Odd:
    """Raises wherever it is asked."""

    def __fspath__(self) -> str:
        raise TypeError("no path")

    def isoformat(self) -> str:
        raise ValueError("no time")

    def __index__(self) -> int:
        raise TypeError("no number")

    def __len__(self) -> int:
        raise TypeError("no length")


scalars = st.one_of(
    st.sampled_from(TEXTS),
    st.none(),
    st.booleans(),
    st.integers(),
    st.sampled_from([0, 1, 2**31, 2**63, 2**64, 10**30, -1]),
    st.floats(),
    st.text(max_size=8),
    st.binary(max_size=20),
    st.datetimes(),
    st.just(datetime.date(2026, 3, 1)),
    st.builds(Odd),
    st.just(len),
)
values = st.one_of(
    scalars,
    st.lists(scalars, max_size=3),
    st.dictionaries(st.sampled_from(TEXTS[:4] + ["a"]), scalars, max_size=2),
    st.tuples(scalars, scalars),
)

READING = [
    "format", "log_format", "time_format", "json_keys", "guess", "log_time_zone", "sites", "roots", "query", "rule", "order",
    "strict", "max_rejected", "no_such_option",
]  # fmt: skip


def options_of(function: Callable[..., Any]) -> list[str]:
    """Names of its keyword arguments, those for reading among them."""
    named = inspect.signature(function).parameters.values()
    keywords = [it.name for it in named if it.kind is it.KEYWORD_ONLY]
    return keywords + (READING if any(it.kind is it.VAR_KEYWORD for it in named) else [])


@pytest.fixture(autouse=True)
def hangs_end_the_tests() -> Iterator[None]:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        yield
    faulthandler.cancel_dump_traceback_later()


@pytest.fixture(scope="session")
def log(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("fuzz") / "web.log"
    path.write_text("".join(lines(3, 120)))
    return path


@pytest.fixture(scope="session")
def trace(log: Path) -> hotset.Trace:
    return hotset.read_logs(log)


@pytest.fixture(scope="session")
def outcome(log: Path) -> Path:
    path = log.parent / "lru.json"
    hotset.simulate(log, memory="50KiB", policy="lru").save(path)
    return path


def tried(call: Callable[[], Any]) -> Any:
    """What it gives, or none where it refuses as documented. One that hangs ends the tests."""
    faulthandler.dump_traceback_later(PATIENCE, exit=True)
    try:
        return call()
    except hotset.InternalError:
        raise
    except (hotset.HotsetError, TypeError) as refused:
        message = str(refused)
        assert message.strip()
        assert not any(f"--{name}" in message for name in ("client-key", "keep-clients", "sampled", "query ", "target ", "objective "))
        return None


VARY = {"vary": {"node.web1.memory": "1MiB,2MiB"}}
FUNCTIONS = [
    hotset.describe, hotset.read_logs, hotset.part, hotset.merge, hotset.plan, hotset.simulate, hotset.compare,
    hotset.simulate_scenario, hotset.sweep, hotset.distributed.sweep, hotset.generate, hotset.Part.from_bytes, hotset.Part.open, hotset.Trace.from_arrow,
    hotset.distributed.describe_logs, hotset.distributed.plan_logs, hotset.distributed.read_logs, hotset.distributed.plan_merged_logs,
]  # fmt: skip


def test_every_public_function_is_here() -> None:
    public = {it for module in (hotset, hotset.distributed) for it in (getattr(module, name) for name in module.__all__)}
    functions = {it for it in public if callable(it) and not isinstance(it, type)}
    # It starts processes, and takes a number of them.
    assert functions - {hotset.distributed.cluster} <= set(FUNCTIONS)


@pytest.mark.parametrize("function", FUNCTIONS, ids=lambda it: it.__name__)
@given(data=st.data())
@few
def test_any_first_argument(function: Callable[..., Any], data: st.DataObject) -> None:
    here = {"scheduler": "synchronous"}
    needed = {
        hotset.plan: {"memory": "1MiB"}, hotset.simulate: {"memory": "1MiB"}, hotset.part: {"client_key": KEY},
        hotset.Trace.from_arrow: {"objects": None, "clients": None, "sites": []},
        hotset.sweep: VARY, hotset.distributed.sweep: {**VARY, **here}, hotset.distributed.describe_logs: here, hotset.distributed.read_logs: here,
        hotset.distributed.plan_logs: {"memory": 1, **here}, hotset.distributed.plan_merged_logs: {"memory": 1, **here},
    }  # fmt: skip
    # Standard input would be waited for.
    first = data.draw(values.filter(lambda it: it != "-" and not (isinstance(it, (list, tuple, dict)) and "-" in str(it))))
    tried(lambda: function(first, **needed.get(function, {})))


def drawn(data: st.DataObject, function: Callable[..., Any], fixed: dict[str, Any]) -> dict[str, Any]:
    """Some options of a function with any values."""
    names = data.draw(st.lists(st.sampled_from([it for it in options_of(function) if it not in fixed]), max_size=3, unique=True))
    return {**fixed, **{name: data.draw(values, label=name) for name in names}}


@pytest.mark.parametrize("function", [hotset.describe, hotset.read_logs, hotset.part], ids=lambda it: it.__name__)
@given(data=st.data())
@few
def test_any_option_for_reading(function: Callable[..., Any], log: Path, data: st.DataObject) -> None:
    fixed = {"client_key": KEY} if function is hotset.part else {}
    found = tried(lambda: function(log, **drawn(data, function, fixed)))
    if found is not None:
        assert repr(found).startswith("<hotset.")


@given(data=st.data())
@few
def test_any_option_of_a_plan(log: Path, trace: hotset.Trace, data: st.DataObject) -> None:
    traffic = data.draw(st.sampled_from([log, trace]))
    fixed = data.draw(st.sampled_from([{"memory": "50KiB"}, {}]))
    found = tried(lambda: hotset.plan(traffic, **drawn(data, hotset.plan, fixed)))
    if found is not None:
        assert found.to_dict()["verdict"] and found._repr_html_()


@given(data=st.data())
@few
def test_any_option_of_a_simulation(log: Path, trace: hotset.Trace, data: st.DataObject) -> None:
    traffic = data.draw(st.sampled_from([log, trace]))
    fixed = data.draw(st.sampled_from([{"memory": "50KiB"}, {}]))
    found = tried(lambda: hotset.simulate(traffic, **drawn(data, hotset.simulate, fixed)))
    if found is not None:
        assert 0 <= found.hit_ratio <= 1 and found._repr_html_()


@pytest.fixture(scope="session")
def scenario(log: Path) -> Path:
    path = log.parent / "tiers.toml"
    path.write_text('[[node]]\nname = "web1"\nmemory = "1MiB"\n[[store]]\nname = "disk"\nprofile = "hdd"\n')
    return path


@given(data=st.data())
@few
def test_any_option_of_a_scenario(scenario: Path, log: Path, trace: hotset.Trace, data: st.DataObject) -> None:
    traffic = data.draw(st.sampled_from([log, trace, None]))
    simulated = tried(lambda: hotset.simulate_scenario(scenario, traffic, **drawn(data, hotset.simulate_scenario, {})))
    if simulated is not None:
        assert simulated.to_dict()["outcomes"] and simulated._repr_html_()
    # What is written would stay.
    fixed = data.draw(st.sampled_from([{"output": None}, {"output": None, **VARY}]))
    fixed = {**fixed, "vary": fixed.get("vary", data.draw(values, label="vary"))}
    swept = tried(lambda: hotset.sweep(scenario, traffic, **drawn(data, hotset.sweep, fixed)))
    if swept is not None:
        assert len(swept) and swept._repr_html_()


GENERATED = ["single-file", "average-size", "zipf", "shifting", "specweb99", "twin", "mix"]
PARAMETERS = [
    "size", "objects", "zipf_class", "alpha", "working_set", "size_correlation", "rate", "shift_every", "share", "connections", "name", "scale", "sites",
    "seed", "log_style", "no_such_parameter",
]  # fmt: skip


@given(data=st.data())
@few
def test_any_parameter_of_a_workload(data: st.DataObject) -> None:
    workload = data.draw(st.sampled_from(GENERATED))
    fixed: dict[str, Any] = {"twin": {"name": "nyse", "scale": 0.01}, "mix": {}}.get(workload, {"requests": 50})
    names = data.draw(st.lists(st.sampled_from(PARAMETERS), max_size=3, unique=True))
    made = tried(lambda: hotset.generate(workload, **{**fixed, **{name: data.draw(values, label=name) for name in names}}))
    if made is not None:
        assert len(made) > 0 and repr(made).startswith("<hotset.Trace")


@given(data=st.data())
@few
def test_any_option_of_a_fleet(log: Path, data: st.DataObject) -> None:
    from hotset.distributed import describe_logs, plan_logs, plan_merged_logs, read_logs

    here = {"scheduler": "synchronous", "pinned": False}
    planned = {**here, "memory": "50KiB"}
    of_fleet = [({"a": log}, plan_logs, planned), (log, describe_logs, here), (log, read_logs, here), (log, plan_merged_logs, planned)]
    logs, function, fixed = data.draw(st.sampled_from(of_fleet))
    options = drawn(data, function, fixed)
    # A folder of this name would be made where the tests run.
    options.pop("store", None)
    tried(lambda: function(logs, **options))


@given(schedulers=values)
@few
def test_any_scheduler(log: Path, schedulers: Any) -> None:
    if schedulers not in ("processes", len):
        tried(lambda: hotset.distributed.describe_logs(log, scheduler=schedulers))


@given(documents=st.lists(st.one_of(values, st.just("LRU")), max_size=3), seed=values)
@few
def test_any_documents(outcome: Path, documents: list[Any], seed: Any) -> None:
    tried(lambda: hotset.compare([outcome if it == "LRU" else it for it in documents], seed=seed))


@given(data=st.data())
@few
def test_any_bytes_of_a_part(log: Path, data: st.DataObject) -> None:
    good = bytearray(hotset.part(log, client_key=KEY).to_bytes())
    for _ in range(data.draw(st.integers(1, 4))):
        good[data.draw(st.integers(0, len(good) - 1))] = data.draw(st.integers(0, 255))
    part = tried(lambda: hotset.Part.from_bytes(bytes(good[: data.draw(st.integers(0, len(good)))])))
    if part is not None:
        tried(part.describe)
        tried(lambda: hotset.merge([part, part]))


@given(zone=values, place=values, form=values)
@few
def test_any_argument_of_a_result(log: Path, trace: hotset.Trace, zone: Any, place: Any, form: Any) -> None:
    part, planned = hotset.part(log, client_key=KEY), hotset.plan(trace, memory="50KiB")
    tried(lambda: part.describe(time_zone=zone))
    tried(lambda: trace.describe(time_zone=zone))
    tried(lambda: planned.save_plan(log.parent / "plan", format=form))
    if isinstance(place, (str, bytes)) or isinstance(place, Odd):
        for result in (part, planned, trace.describe()):
            tried(lambda: result.save(f"/nowhere/{place}" if isinstance(place, str) else place))
    tried(lambda: part == place)


# Frames.

TYPES = [
    pa.uint8(), pa.uint16(), pa.uint32(), pa.uint64(), pa.int64(), pa.float64(), pa.bool_(), pa.string(), pa.large_string(), pa.string_view(),
    pa.binary(), pa.timestamp("us", "UTC"), pa.timestamp("ns"), pa.null(), pa.list_(pa.uint8()), pa.dictionary(pa.int8(), pa.string()),
    pa.struct([("a", pa.uint8())]), pa.decimal128(10), pa.duration("us"), pa.date32(),
]  # fmt: skip


def odd_column(data: st.DataObject, rows: int) -> Any:
    """A column of any type; with values that fit where they are numbers, else of nulls."""
    kind = data.draw(st.sampled_from(TYPES))
    draw: Any = st.none()
    if pa.types.is_integer(kind) or pa.types.is_timestamp(kind):
        most = 2 ** min(kind.bit_width - (0 if pa.types.is_unsigned_integer(kind) else 1), 63) - 1
        draw = st.integers(0, most)
    elif pa.types.is_boolean(kind):
        draw = st.booleans()
    elif pa.types.is_string(kind) or pa.types.is_large_string(kind):
        draw = st.text(st.characters(exclude_categories=["Cs"]), max_size=4)
    value = data.draw(draw)
    absent = data.draw(st.booleans())
    column = pa.array([None if absent and row % 7 == 3 else value for row in range(rows)], pa.int64() if pa.types.is_timestamp(kind) else kind)
    return column.cast(kind)


def changed(data: st.DataObject, table: Any) -> Any:
    """The table with a column changed, left out, sliced, or cut into chunks."""
    how = data.draw(st.sampled_from(["column", "column", "without", "slice", "chunks", "empty", "same", "unnamed"]))
    name = data.draw(st.sampled_from(table.column_names))
    place = table.column_names.index(name)
    if how == "column" and table.num_rows:
        return table.set_column(place, name, odd_column(data, table.num_rows))
    if how == "without":
        return table.drop_columns([name])
    if how == "slice":
        return table.slice(data.draw(st.integers(0, table.num_rows)), data.draw(st.integers(0, table.num_rows)))
    if how == "chunks":
        cuts = sorted(data.draw(st.lists(st.integers(0, table.num_rows), max_size=4)))
        pieces = zip([0, *cuts], [*cuts, table.num_rows])
        return pa.concat_tables([table.slice(start, end - start) for start, end in pieces])
    if how == "unnamed":
        return table.rename_columns([""] * table.num_columns)
    return table.slice(0, 0) if how == "empty" else table


@given(data=st.data())
@few
def test_any_frames(trace: hotset.Trace, data: st.DataObject) -> None:
    frames = [pa.table(getattr(trace, name)) for name in ("requests", "objects", "clients")]
    requests, objects, clients = (changed(data, frame) for frame in frames)
    sites = data.draw(st.sampled_from([trace.sites, [], ["a", "b"], ["\0"], "all", None, [3], trace.sites * 3]))
    if data.draw(st.booleans()):
        requests = pl.from_arrow(requests, rechunk=False) if requests.num_columns == len(set(requests.column_names)) else requests
    made = tried(lambda: hotset.Trace.from_arrow(requests, objects=objects, clients=clients, sites=sites))
    if made is None:
        return
    del frames, requests, objects, clients
    gc.collect()
    described = tried(made.describe)
    assert described is None or described.to_dict()["total"]["requests"] == len(made) == pl.DataFrame(made.requests).height
    tried(lambda: hotset.plan(made, memory="50KiB").to_dict())
    tried(lambda: hotset.simulate(made, memory="50KiB", policy="belady").to_dict())


def test_a_frame_that_is_freed_while_it_is_used(trace: hotset.Trace) -> None:
    class Freed:
        """Lets go of its data as soon as it has handed them over."""

        def __init__(self, frame: Any) -> None:
            self.frame = frame

        def __arrow_c_stream__(self, requested_schema: object | None = None) -> object:
            stream = self.frame.__arrow_c_stream__(requested_schema)
            del self.frame
            gc.collect()
            return stream

    def copies(name: str) -> Freed:
        return Freed(pa.table({key: list(column) for key, column in pl.DataFrame(getattr(trace, name)).to_dict().items()},
                              schema=pa.table(getattr(trace, name)).schema))  # fmt: skip

    made = hotset.Trace.from_arrow(copies("requests"), objects=copies("objects"), clients=copies("clients"), sites=trace.sites)
    assert pl.DataFrame(made.requests).equals(pl.DataFrame(trace.requests))


@pytest.mark.parametrize(
    ("call", "says"),
    [
        (lambda log: hotset.simulate(log, memory="1MiB", sampled=0.5, policy="arc"), "without sampled"),
        (lambda log: hotset.part(log, client_key=KEY, rule="c1"), "rule c1"),
        (lambda log: hotset.plan(log, memory="1MiB", objective="targets"), "objective targets: no site has a target: name one with targets "),
        (lambda log: hotset.merge([hotset.part(log, client_key=KEY), hotset.part(log, client_key=KEY)]), "the machines with node"),
    ],
)  # fmt: skip
def test_messages_name_options_as_python_does(log: Path, call: Callable[[Path], Any], says: str) -> None:
    with pytest.raises(hotset.HotsetError, match=says) as refused:
        call(log)
    assert "--" not in str(refused.value)
