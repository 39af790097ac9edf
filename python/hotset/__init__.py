"""What the access logs of the sites you host say, and what memory for them buys.

    import hotset

    description = hotset.describe(["access.log"])
    description.to_dict()       # the keys of `hotset describe --json`

Logs of many machines are read into parts where they lie, and merged:

    key = "000102030405060708090a0b0c0d0e0f"
    parts = [hotset.part([log], client_key=key) for log in ("web1.log", "web2.log")]
    hotset.merge(parts).describe()

Every exception that hotset raises by itself is a :class:`HotsetError`.
"""

from hotset._hotset import (
    Description,
    HotsetError,
    InternalError,
    LogError,
    OptionError,
    Part,
    PartError,
    SaveError,
    Trace,
    __version__,
    describe,
    merge,
    part,
    read_logs,
)

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
    "merge",
    "part",
    "read_logs",
]
