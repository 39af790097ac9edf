"""`plan_logs`: a plan for each machine from its own logs."""

from __future__ import annotations

import dataclasses
import json
import os
import tempfile
from collections.abc import Mapping
from pathlib import Path as FilePath
from typing import TYPE_CHECKING, Any

import hotset
from hotset._hotset import OptionError
from hotset._types import Path, Paths
from hotset.distributed._describe import listed
from hotset.distributed._result import MissingLog, ShardError
from hotset.distributed._run import Scheduler, each

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from hotset._types import ReadingOptions


@dataclasses.dataclass(frozen=True)
class NodePlan:
    """The plan of one machine."""

    #: What `hotset plan --json` prints.
    json: str = dataclasses.field(repr=False)
    #: The plan file, which `hotset apply` takes on that machine.
    plan_file: bytes = dataclasses.field(repr=False)

    def to_dict(self) -> dict[str, Any]:
        """The keys and values that `hotset plan --json` prints."""
        read: dict[str, Any] = json.loads(self.json)
        return read

    def save_plan(self, path: Path) -> None:
        """Writes the plan file."""
        FilePath(path).write_bytes(self.plan_file)


@dataclasses.dataclass(frozen=True)
class FleetPlan:
    """The plans of all machines whose logs could be read."""

    #: By machine.
    plans: Mapping[str, NodePlan]
    #: Machines without a plan.
    missing: tuple[MissingLog, ...] = ()

    def to_dict(self) -> dict[str, Any]:
        """The plans by machine, and `missing` where there are machines without one."""
        made: dict[str, Any] = {"nodes": {node: plan.to_dict() for node, plan in self.plans.items()}}
        if self.missing:
            made["missing"] = [dataclasses.asdict(log) for log in self.missing]
        return made


@dataclasses.dataclass(frozen=True)
class Planned:
    """A task: a machine, its logs, and how to plan."""

    node: str
    files: tuple[str, ...]
    options: dict[str, Any]

    @property
    def name(self) -> str:
        """What it is called."""
        return self.node


def plan_logs(
    logs: Mapping[str, Paths],
    *,
    memory: str | int | Mapping[str, str | int],
    scheduler: Scheduler = "processes",
    pinned: bool = False,
    backing: str | None = None,
    server_memory: str | int | None = None,
    seed: int = 0,
    **reading: Unpack[ReadingOptions],
) -> FleetPlan:
    """One plan a machine, from its own logs: what `hotset plan` there would give.

    ``logs`` are the paths and patterns of each machine, and ``memory`` is that of each, or of all alike. ``scheduler`` and
    ``pinned`` are those of :func:`describe_logs`. A machine whose logs cannot be planned for is named in the result.
    """
    if not isinstance(logs, Mapping) or not logs:
        raise OptionError("logs: takes logs by machine, as {'web1': ['/var/log/access.log']}")
    tasks = [
        Planned(
            node=node,
            files=tuple(os.fspath(path) for path in listed(paths)),
            options={
                "memory": memory_of(memory, node),
                "backing": backing,
                "server_memory": server_memory,
                "seed": seed,
                "threads": 1,
                **reading,
            },
        )
        for node, paths in logs.items()
    ]
    made = each(planned, tasks, scheduler, pinned)
    plans = {task.node: it for task, it in zip(tasks, made) if isinstance(it, NodePlan)}
    missing = tuple(
        MissingLog(task.files, task.node, it) for task, it in zip(tasks, made) if not isinstance(it, NodePlan)
    )
    if not plans:
        raise ShardError("no machine could be planned for: " + "; ".join(map(str, missing)))
    return FleetPlan(plans, missing)


def memory_of(memory: str | int | Mapping[str, str | int], node: str) -> str | int:
    """What a machine has."""
    if not isinstance(memory, Mapping):
        return memory
    if node not in memory:
        raise OptionError(f"memory: says nothing of {node}")
    return memory[node]


def planned(task: Planned) -> NodePlan | str:
    """The plan of one machine, or why there is none."""
    try:
        plan = hotset.plan(list(task.files), **task.options)
        with tempfile.TemporaryDirectory(prefix="hotset-") as folder:
            file = FilePath(folder) / "plan.json"
            plan.save_plan(file)
            return NodePlan(json=plan.to_json(), plan_file=file.read_bytes())
    except (hotset.HotsetError, OSError) as error:
        return str(error)
