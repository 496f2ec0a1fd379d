"""A reader bank to test with, tags for it, and what a test opens and leaves to be closed."""

from collections.abc import Iterator
from contextlib import ExitStack

import pytest

from tests.open_databases import tell_open_databases
from tests.rig import MakeRig, Rig, build_rig

tell_open_databases()


@pytest.fixture
def stack() -> Iterator[ExitStack]:
    with ExitStack() as stack:
        yield stack


@pytest.fixture
def make_rig() -> MakeRig:
    return build_rig


@pytest.fixture
def rig() -> Rig:
    return build_rig()


@pytest.fixture
def uids4() -> list[str]:
    return [f"1{number:X}A0B1{number:02X}" for number in range(16)]


@pytest.fixture
def uids7() -> list[str]:
    return [f"04{number:02X}A1B2C3D480" for number in range(16)]


@pytest.fixture
def uids(uids4: list[str], uids7: list[str]) -> dict[int, list[str]]:
    return {4: uids4, 7: uids7}
