from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack

import pytest

from tests.web.visit import Visit


@pytest.fixture
def stack() -> Iterator[ExitStack]:
    with ExitStack() as stack:
        yield stack


@pytest.fixture
def visit(stack: ExitStack) -> Visit:
    return Visit(stack)
