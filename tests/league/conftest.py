"""A cluster for the tests of dask."""

import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from clusters import Cluster
from running import Place


@pytest.fixture
def cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cluster]:
    """A scheduler without a worker yet."""
    with tempfile.TemporaryDirectory(prefix="d-") as temporary:
        cluster = Cluster(Place(tmp_path_factory.mktemp("cluster"), Path(temporary)))
        try:
            cluster.start_scheduler()
            yield cluster
        finally:
            cluster.close()
        assert not cluster.bots(4)
