"""Types of what the functions of hotset take."""

from __future__ import annotations

import datetime
import os
from collections.abc import Callable, Sequence
from typing import Literal, Protocol, TypedDict, Union

Path = Union[str, "os.PathLike[str]"]
Paths = Union[Path, Sequence[Path]]
Time = Union[str, datetime.date]
#: What a key of a scenario is set to.
Value = Union[str, int, float, bool]
#: 32 hexadecimal digits, or 16 bytes.
ClientKey = Union[str, bytes]
#: Layout of the lines of a log that is written.
LogStyle = Literal["common", "combined", "vhost-combined"]
#: Called with the bytes that were read and the bytes of all logs, where that is known.
Progress = Callable[[int, "int | None"], object]


class Frame(Protocol):
    """A data frame or table: what has the Arrow PyCapsule interface."""

    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object: ...


class ReadingOptions(TypedDict, total=False):
    """How logs are read: the options of `hotset describe` of the same names."""

    #: Format of the logs; detected by default.
    format: str | None
    #: Format as an nginx `log_format` or Apache `LogFormat` string.
    log_format: str | None
    #: How `log_format` writes times (strftime).
    time_format: str | None
    #: Format as JSON, by the keys that hold a request's fields, as in `"time=ts,uri=request.uri"`.
    json_keys: str | None
    #: Read a log in no known format by a guess at its format.
    guess: bool | None
    #: Zone of the times in the logs that name none.
    log_time_zone: str | None
    #: Rules `NAME=GLOB`, `NAME=host:GLOB`, `NAME=log:GLOB`; the first that matches takes the request.
    sites: Sequence[str] | None
    #: Document roots `SITE=DIR`, or `DIR` of the only site, and aliases `SITE:/prefix/=DIR`.
    roots: Sequence[str] | None
    #: What URLs with a query are.
    query: Literal["auto", "exclude", "strip", "keep"] | None
    #: Which requests are accesses.
    rule: Literal["default", "c1"] | None
    #: Order of requests: as served, or by time.
    order: Literal["log", "time"] | None
    #: Stop at the first line that cannot be read.
    strict: bool | None
    #: Go on as long as at most this share of a log's lines cannot be read, 0 to 1.
    max_rejected: float | None
    #: Threads that read; by default as many as there are processors. What is read does not depend on it.
    threads: int | None
