import pathlib
from typing import Any, final

from typing_extensions import Unpack

from hotset._types import ClientKey, Path, Paths, Progress, ReadingOptions, Time

__all__ = [
    "Description",
    "HotsetError",
    "InternalError",
    "LogError",
    "OptionError",
    "Part",
    "PartError",
    "SaveError",
    "Trace",
    "__version__",
    "describe",
    "files_by_log",
    "merge",
    "part",
    "read_logs",
]

__version__: str

class HotsetError(Exception): ...
class OptionError(HotsetError): ...
class LogError(HotsetError): ...
class PartError(HotsetError): ...
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
    def to_dict(self) -> dict[str, Any]: ...
    def to_json(self) -> str: ...
    def save(self, path: Path) -> None: ...
    def _repr_html_(self) -> str: ...

@final
class Trace:
    def __len__(self) -> int: ...
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
    def name(self) -> str: ...
    def to_bytes(self) -> bytes: ...
    @staticmethod
    def from_bytes(data: bytes, *, name: str = "part") -> Part: ...
    @staticmethod
    def open(path: Path) -> Part: ...
    def save(self, path: Path) -> None: ...
    def describe(self, *, time_zone: str | None = None) -> Description: ...

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
def files_by_log(logs: Paths) -> list[list[pathlib.Path]]: ...
