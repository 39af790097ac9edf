"""A cluster on this machine, for work that is to be tried before it is sent to a larger one."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from distributed import Client


@contextmanager
def cluster(workers: int = 2) -> Iterator[Client]:
    """A scheduler and single-threaded workers on this machine, for as long as the block lasts.

    Dask runs what it is sent, so all talk is encrypted and takes a certificate that is made for this cluster.
    """
    from distributed import Client, LocalCluster, Security

    security = Security.temporary()
    with (
        LocalCluster(
            n_workers=workers,
            threads_per_worker=1,
            security=security,
            dashboard_address=None,
        ) as local,
        Client(local, security=security) as client,
    ):
        yield client
