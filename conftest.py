"""What has to be in place before any test is collected."""

import gc
import os
import signal
from collections.abc import Generator
from importlib.util import find_spec
from pathlib import Path

import pytest
from _pytest.doctest import DoctestModule
from hypothesis import HealthCheck, settings

from quarto_pi.simulation.board import SimulatedBoard
from quarto_pi.simulation.bus import HeaderPins
from quarto_pi.simulation.modules import gpio_over, put_in_place, spidev_over

# Stand-ins for `spidev` and `RPi.GPIO`, for the modules that import them.
_PINS = HeaderPins()
put_in_place(spidev_over(SimulatedBoard(_PINS).bus), gpio_over(_PINS))

# What draws the board to build is large, and installed for `make test` alone.
_DRAWN = (
    *("hardware/assembly.py", "hardware/models.py", "hardware/pictures.py", "hardware/solids.py"),
    *("tests/hardware/test_made.py", "tests/hardware/test_models.py", "tests/hardware/test_shapes.py"),
)
collect_ignore = [] if find_spec("build123d") else [str(Path(__file__).parent / name) for name in _DRAWN]

# What is imported and collected stays: who looks for garbage meanwhile looks through ever more, and finds none.
gc.disable()


def _written_some_time(file: int) -> None:
    """Say at once that a file is on its disk: no test cuts the power of the machine that it runs on."""
    os.fstat(file)


os.fsync = os.fdatasync = _written_some_time  # type: ignore[assignment] # of files, only descriptors are given

# Tests know the usual values, whatever the configuration of the machine that they run on.
os.environ["QUARTO_PI_CONFIG"] = os.devnull

# And they read English, whatever the language of whoever runs them.
os.environ["LC_ALL"] = "C.UTF-8"

# Whoever is started in the background ignores Ctrl-C, and so would every program that a test starts and interrupts.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)

# Every run tries the same examples, and none is held to a time: `--hypothesis-profile=exploring` looks for new ones.
settings.register_profile("repeatable", derandomize=True, deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.register_profile("exploring", deadline=None, max_examples=500, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("repeatable")


def pytest_addoption(parser: pytest.Parser) -> None:
    """A test that takes minutes is a campaign: `make soak` runs them with this option, and nothing else does."""
    parser.addoption("--campaigns", action="store_true", help="run the campaigns, and nothing else")


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Leave out modules that are slow as a whole where nothing slow is wanted: to look at them is to import them."""
    if config.option.markexpr != "not slow" or collection_path.suffix != ".py":
        return None
    return b"\npytestmark = pytest.mark.slow\n" in collection_path.read_bytes() or None


@pytest.hookimpl(wrapper=True)
def pytest_collect_file(file_path: Path) -> Generator[None, list[pytest.Collector], list[pytest.Collector]]:
    """Look for examples in modules that have some: to look is to import, and some import what is slow to load."""
    collectors = yield
    if file_path.suffix == ".py" and b">>>" not in file_path.read_bytes():
        return [collector for collector in collectors if not isinstance(collector, DoctestModule)]
    return collectors


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave out the campaigns, or all but them."""
    wanted = bool(config.getoption("--campaigns"))
    left_out = [item for item in items if (item.get_closest_marker("campaign") is not None) is not wanted]
    if left_out:
        config.hook.pytest_deselected(items=left_out)
        items[:] = [item for item in items if item not in set(left_out)]


def pytest_collection_finish() -> None:
    """What is there by now stays to the end: who looks for garbage need not look through it again and again."""
    gc.collect()
    gc.freeze()
    gc.enable()
