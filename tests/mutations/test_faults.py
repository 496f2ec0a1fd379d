"""The list of faults fits the sources: each can be planted, and those who have to notice it are there."""

import pytest

from tests.mutations.fault import ROOT, Fault
from tests.mutations.faults import FAULTS


@pytest.mark.parametrize("fault", FAULTS, ids=lambda fault: f"{fault.file}: {fault.before.strip().splitlines()[0]}")
def test_every_fault_can_be_planted_and_has_tests_to_find_it(fault: Fault) -> None:
    text = (ROOT / fault.path).read_text(encoding="utf-8")
    planted = fault.planted_in(text)
    assert planted != text
    compile(planted, fault.path, "exec")
    assert fault.test_files
    assert all((ROOT / test).is_file() for test in fault.test_files)


def test_no_fault_is_listed_twice() -> None:
    assert len({(fault.file, fault.before, fault.after) for fault in FAULTS}) == len(FAULTS)


def test_a_place_that_is_not_there_or_is_there_twice_is_told() -> None:
    fault = Fault("rules/game.py", "twice", "once", ("rules/game",))
    for text in ("never", "twice and twice"):
        with pytest.raises(ValueError, match="instead of once"):
            fault.planted_in(text)
