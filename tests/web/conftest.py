from __future__ import annotations

from contextlib import ExitStack

import pytest

from tests.web.visit import Visit


@pytest.fixture
def visit(stack: ExitStack) -> Visit:
    return Visit(stack)
