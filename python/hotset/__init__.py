"""What the access logs of the sites you host say, and what memory for them buys.

    import hotset

    description = hotset.describe(["access.log"])
    description.to_dict()  # the keys of `hotset describe --json`

    plan = hotset.plan(["access.log"], memory="512MiB")
    plan.save_plan("plan.json")  # what `hotset apply` takes

Logs of many machines are read into parts where they lie, and merged:

    key = "000102030405060708090a0b0c0d0e0f"
    parts = [hotset.part([log], client_key=key) for log in ("web1.log", "web2.log")]
    hotset.merge(parts).describe()

Every exception that hotset raises by itself is a :class:`HotsetError`.
"""

from hotset._hotset import (
    Comparison,
    Description,
    FrameError,
    HotsetError,
    InternalError,
    JobError,
    LogError,
    OptionError,
    Part,
    PartError,
    Plan,
    SaveError,
    ScenarioSimulation,
    Simulation,
    Sweep,
    Table,
    Trace,
    __version__,
    compare,
    describe,
    generate,
    merge,
    part,
    plan,
    read_logs,
    simulate,
    simulate_scenario,
    sweep,
)

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
    "Table",
    "Trace",
    "__version__",
    "compare",
    "describe",
    "generate",
    "merge",
    "part",
    "plan",
    "read_logs",
    "simulate",
    "simulate_scenario",
    "sweep",
]
