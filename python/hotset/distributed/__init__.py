"""Descriptions, traces and plans of the logs of a whole fleet: each log is read where it lies, and only parts travel.

    from hotset.distributed import describe_logs

    described = describe_logs(["web1.log", "web2.log"], scheduler="processes")
    described.to_dict()["total"]        # as one process counts them
    described.missing                   # logs that could not be read, and why

Work goes through :mod:`dask`: on threads or processes of this machine, on a cluster whose client is given, or wherever
another scheduler function takes it. It is in the extra ``hotset[dask]``.
"""

# Where each deed is done:
#   a task, and what is kept of it        _shard.py
#   where tasks run                       _run.py
#   plans of machines                     _plan.py
#   one trace and one plan of all         _trace.py
#   a scenario at the points of a grid    _sweep.py

from hotset.distributed._cluster import cluster
from hotset.distributed._describe import describe_logs
from hotset.distributed._plan import FleetPlan, NodePlan, plan_logs
from hotset.distributed._result import FleetDescription, MissingLog, ShardError
from hotset.distributed._sweep import sweep
from hotset.distributed._trace import FleetTrace, MergedPlan, plan_merged_logs, read_logs

__all__ = [
    "FleetDescription",
    "FleetPlan",
    "FleetTrace",
    "MergedPlan",
    "MissingLog",
    "NodePlan",
    "ShardError",
    "cluster",
    "describe_logs",
    "plan_logs",
    "plan_merged_logs",
    "read_logs",
    "sweep",
]
