"""A Pi to be looked at."""

from pathlib import Path

import pytest

from tests.checks.workbench import Workbench, workbench


@pytest.fixture
def bench(tmp_path: Path) -> Workbench:
    return workbench(tmp_path)
