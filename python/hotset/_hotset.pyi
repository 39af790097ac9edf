import pathlib
from collections.abc import Mapping, Sequence
from typing import Any, Literal, final, overload

from typing_extensions import Unpack

from hotset._types import ClientKey, Frame, LogStyle, Path, Paths, Progress, ReadingOptions, Time, Value

__all__ = [
    "Comparison",
    "Description",
    "FrameError",
    "HotsetError",
    "InternalError",
    "JobError",
    "LogError",
    "OptionError",
    "Part",
    "PartError",
    "Plan",
    "SaveError",
    "ScenarioSimulation",
    "Simulation",
    "Sweep",
    "SweepPoints",
    "Table",
    "Trace",
    "TracePart",
    "__version__",
    "compare",
    "describe",
    "files_by_log",
    "generate",
    "joined",
    "merge",
    "merge_trace",
    "part",
    "piece",
    "plan",
    "ranges",
    "read_logs",
    "simulate",
    "simulate_scenario",
    "sweep",
    "sweep_points",
    "trace_part",
]

__version__: str

class HotsetError(Exception): ...
class OptionError(HotsetError): ...
class LogError(HotsetError): ...
class PartError(HotsetError): ...
class JobError(HotsetError): ...
class FrameError(HotsetError): ...
class SaveError(HotsetError): ...
class InternalError(HotsetError): ...

@final
class Description:
    @property
    def requests(self) -> int: ...
    @property
    def accesses(self) -> int: ...
    @property
    def sites(self) -> list[str]: ...
    @property
    def by_site(self) -> Table: ...
    @property
    def hottest(self) -> Table: ...
    @property
    def minutes(self) -> Table: ...
    def to_dict(self) -> dict[str, Any]: ...
    def to_json(self) -> str: ...
    def save(self, path: Path) -> None: ...
    def _repr_html_(self) -> str: ...

@final
class Table:
    def __len__(self) -> int: ...
    @property
    def columns(self) -> list[str]: ...
    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object: ...
    def __arrow_c_schema__(self) -> object: ...

@final
class Trace:
    def __len__(self) -> int: ...
    @staticmethod
    def from_arrow(requests: Frame, *, objects: Frame, clients: Frame, sites: Sequence[str]) -> Trace: ...
    @property
    def requests(self) -> Table: ...
    @property
    def objects(self) -> Table: ...
    @property
    def clients(self) -> Table: ...
    @property
    def sites(self) -> list[str]: ...
    def describe(self, *, time_zone: str | None = None) -> Description: ...

@final
class Part:
    @property
    def requests(self) -> int: ...
    @property
    def logs(self) -> int: ...
    @property
    def files(self) -> Table: ...
    @property
    def name(self) -> str: ...
    def to_bytes(self) -> bytes: ...
    @staticmethod
    def from_bytes(data: bytes, *, name: str | None = None) -> Part: ...
    @staticmethod
    def open(path: Path) -> Part: ...
    def save(self, path: Path) -> None: ...
    def describe(self, *, time_zone: str | None = None) -> Description: ...

@final
class TracePart:
    def to_bytes(self) -> bytes: ...
    @staticmethod
    def from_bytes(data: bytes, *, name: str = "requests") -> TracePart: ...
    def save(self, path: Path) -> None: ...

@final
class Plan:
    @property
    def verdict(self) -> Literal["unchanged", "hold", "leave"]: ...
    def __len__(self) -> int: ...
    @property
    def files(self) -> Table: ...
    def to_dict(self) -> dict[str, Any]: ...
    def to_json(self) -> str: ...
    def save(self, path: Path) -> None: ...
    def save_plan(self, path: Path, *, format: Literal["json", "list", "vmtouch"] = "json") -> None: ...
    def _repr_html_(self) -> str: ...

@final
class Simulation:
    @property
    def hit_ratio(self) -> float: ...
    @property
    def mean_us(self) -> float | None: ...
    @property
    def outcomes(self) -> Table: ...
    @property
    def mean_us_interval(self) -> tuple[float, float] | None: ...
    def to_dict(self) -> dict[str, Any]: ...
    def to_json(self) -> str: ...
    def save(self, path: Path) -> None: ...
    def _repr_html_(self) -> str: ...

@final
class ScenarioSimulation:
    def to_dict(self) -> dict[str, Any]: ...
    def to_json(self) -> str: ...
    def save(self, path: Path) -> None: ...
    def _repr_html_(self) -> str: ...

@final
class Sweep:
    def __len__(self) -> int: ...
    @property
    def table(self) -> Table: ...
    @property
    def best(self) -> dict[str, Any] | None: ...
    @property
    def knee(self) -> dict[str, Any] | None: ...
    def to_dict(self) -> dict[str, Any]: ...
    def to_json(self) -> str: ...
    def save(self, path: Path) -> None: ...
    def _repr_html_(self) -> str: ...

@final
class SweepPoints:
    def __len__(self) -> int: ...
    def begin(self) -> list[int]: ...
    def part(self, points: Sequence[int]) -> bytes: ...
    def add(self, part: bytes) -> None: ...
    def finish(self) -> Sweep: ...
    def end(self) -> None: ...

@final
class Comparison:
    @property
    def names(self) -> list[str]: ...
    @property
    def outcomes(self) -> Table: ...
    def to_dict(self) -> dict[str, Any]: ...
    def to_json(self) -> str: ...
    def save(self, path: Path) -> None: ...
    def _repr_html_(self) -> str: ...

def plan(
    traffic: Paths | Trace,
    *,
    memory: str | int | None = None,
    server_memory: str | int | None = None,
    page_cache: Literal["linux", "whole-files"] | None = None,
    backing: str | None = None,
    scenario: Path | None = None,
    objective: Literal["mean", "targets"] | None = None,
    targets: Sequence[str] | None = None,
    groups: bool = False,
    previous: Path | None = None,
    for_gain: float | None = None,
    candidates: Sequence[str] | None = None,
    seed: int = 0,
    start: Time | None = None,
    end: Time | None = None,
    time_zone: str | None = None,
    progress: Progress | None = None,
    **reading: Unpack[ReadingOptions],
) -> Plan: ...
def simulate(
    traffic: Paths | Trace,
    *,
    memory: str | int,
    policy: str | None = None,
    unit: Literal["bytes", "pages"] | None = None,
    backing: str | None = None,
    sampled: float | None = None,
    seed: int = 0,
    start: Time | None = None,
    end: Time | None = None,
    time_zone: str | None = None,
    progress: Progress | None = None,
    **reading: Unpack[ReadingOptions],
) -> Simulation: ...
def simulate_scenario(
    scenario: Path,
    logs: Paths | Trace | None = None,
    *,
    set: Mapping[str, Value] | None = None,
    seed: int = 0,
    progress: Progress | None = None,
    **reading: Unpack[ReadingOptions],
) -> ScenarioSimulation: ...
def sweep(
    scenario: Path,
    logs: Paths | Trace | None = None,
    *,
    vary: Mapping[str, Value | Sequence[Value]],
    by: Literal["simulate", "model"] | None = None,
    targets: Sequence[str] | None = None,
    minimise: str | None = None,
    seed: int = 0,
    output: Path | None = None,
    progress: Progress | None = None,
    **reading: Unpack[ReadingOptions],
) -> Sweep: ...
def sweep_points(
    scenario: Path,
    logs: Paths | None = None,
    *,
    vary: Mapping[str, Value | Sequence[Value]],
    by: Literal["simulate", "model"] | None = None,
    targets: Sequence[str] | None = None,
    minimise: str | None = None,
    seed: int = 0,
    output: Path | None = None,
    **reading: Unpack[ReadingOptions],
) -> SweepPoints: ...
def compare(documents: Sequence[Path], *, seed: int = 0) -> Comparison: ...
def describe(
    logs: Paths,
    *,
    start: Time | None = None,
    end: Time | None = None,
    time_zone: str | None = None,
    keep_clients: bool = False,
    progress: Progress | None = None,
    **reading: Unpack[ReadingOptions],
) -> Description: ...
def read_logs(
    logs: Paths,
    *,
    start: Time | None = None,
    end: Time | None = None,
    time_zone: str | None = None,
    keep_clients: bool = False,
    client_key: ClientKey | None = None,
    progress: Progress | None = None,
    **reading: Unpack[ReadingOptions],
) -> Trace: ...
def part(
    logs: Paths,
    *,
    client_key: ClientKey | None = None,
    keep_clients: bool = False,
    node: str | None = None,
    progress: Progress | None = None,
    **reading: Unpack[ReadingOptions],
) -> Part: ...
def merge(parts: list[Part]) -> Part: ...
def trace_part(
    logs: Paths,
    *,
    client_key: ClientKey | None = None,
    keep_clients: bool = False,
    node: str | None = None,
    **reading: Unpack[ReadingOptions],
) -> TracePart: ...
def merge_trace(parts: list[tuple[str, bytes]]) -> Trace: ...
def files_by_log(logs: Paths) -> list[list[pathlib.Path]]: ...
def ranges(
    log: Path, size: int, *, client_key: ClientKey | None = None, keep_clients: bool = False, **reading: Unpack[ReadingOptions]
) -> list[tuple[int, int]]: ...
def piece(
    log: Path,
    start: int,
    end: int,
    *,
    client_key: ClientKey | None = None,
    keep_clients: bool = False,
    node: str | None = None,
    **reading: Unpack[ReadingOptions],
) -> bytes: ...
def joined(
    pieces: Sequence[bytes], *, client_key: ClientKey | None = None, keep_clients: bool = False, **reading: Unpack[ReadingOptions]
) -> Part: ...
@overload
def generate(
    workload: Literal["single-file"],
    *,
    size: str | int = "64KiB",
    requests: int = 100_000,
    rate: float = 100.0,
    seed: int = 0,
    log: Path | None = None,
    log_style: LogStyle | None = None,
) -> Trace: ...
@overload
def generate(
    workload: Literal["average-size"],
    *,
    size: str | int = "64KiB",
    objects: int = 1000,
    requests: int = 100_000,
    rate: float = 100.0,
    seed: int = 0,
    log: Path | None = None,
    log_style: LogStyle | None = None,
) -> Trace: ...
@overload
def generate(
    workload: Literal["zipf"],
    *,
    zipf_class: int | None = None,
    alpha: float = 0.9,
    objects: int = 10_000,
    working_set: str | int = "256MiB",
    size_correlation: float | None = None,
    requests: int = 100_000,
    rate: float = 100.0,
    seed: int = 0,
    log: Path | None = None,
    log_style: LogStyle | None = None,
) -> Trace: ...
@overload
def generate(
    workload: Literal["shifting"],
    *,
    zipf_class: int | None = None,
    alpha: float = 0.9,
    objects: int = 10_000,
    working_set: str | int = "256MiB",
    size_correlation: float | None = None,
    requests: int = 100_000,
    rate: float = 100.0,
    shift_every: int = 20_000,
    share: float = 1.0,
    seed: int = 0,
    log: Path | None = None,
    log_style: LogStyle | None = None,
) -> Trace: ...
@overload
def generate(
    workload: Literal["specweb99"],
    *,
    connections: int = 100,
    requests: int = 100_000,
    seed: int = 0,
    log: Path | None = None,
    log_style: LogStyle | None = None,
) -> Trace: ...
@overload
def generate(
    workload: Literal["twin"],
    *,
    name: Literal["olympics98", "nyse", "proxy"],
    scale: float = 1.0,
    seed: int = 0,
    log: Path | None = None,
    log_style: LogStyle | None = None,
) -> Trace: ...
@overload
def generate(
    workload: Literal["mix"],
    *,
    sites: Mapping[str, Trace],
    seed: int = 0,
    log: Path | None = None,
    log_style: LogStyle | None = None,
) -> Trace: ...
