"""`quarto-pi check` on a board whose readers hang on a Pico."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import replace

import pytest

from quarto_pi.checks import Finding
from quarto_pi.checks.plan import ChosenDevices, checks_of_board, go_through
from quarto_pi.config import parse_config
from quarto_pi.simulation.bus import NOTHING_ANSWERS_LOW, LineFault
from tests.pico.underneath import OnAPico, on_a_pico

pytestmark = pytest.mark.slow


@pytest.fixture
def under() -> Iterator[OnAPico]:
    with ExitStack() as stack:
        yield on_a_pico(stack, parse_config("[panel_lights]\n"), plugged=False)


def findings(under: OnAPico) -> dict[str, Finding]:
    return {
        finding.device: finding
        for finding in go_through(checks_of_board(under.config, under.platform), ChosenDevices())
    }


def test_node_and_all_that_hangs_on_it_is_told_of(under: OnAPico) -> None:
    under.board.faults.set("b2", LineFault(stuck_at=NOTHING_ANSWERS_LOW))
    under.pico.plug_in()
    found = findings(under)
    assert found["node"].ok, found["node"]
    assert "build" in found["node"].detail
    assert [device for device, finding in found.items() if not finding.ok] == ["reader b2"]
    assert len([device for device in found if device.startswith("reader ")]) == 17
    assert {"button call", "button menu", "panel lights"} <= set(found)


def test_node_that_is_not_there_is_one_finding_that_says_what_to_do(under: OnAPico) -> None:
    found = findings(under)
    assert not found["node"].ok
    assert "plug the Pico in" in str(found["node"].fix)
    assert not any(device.startswith("reader ") for device in found)


def test_firmware_of_another_build_is_told_with_what_to_do(under: OnAPico) -> None:
    (under.pico.flash / "build.txt").write_text("0123456789ab\n")
    under.pico.plug_in()
    node = findings(under)["node"]
    assert (node.ok, node.fix) == (False, "run 'quarto-pi firmware'")
    assert "0123456789ab" in node.detail


def test_port_that_nobody_may_open_is_told_with_what_to_do(under: OnAPico) -> None:
    assert under.config.node is not None
    under.config = replace(under.config, node=replace(under.config.node, port="/"))
    node = findings(under)["node"]
    assert not node.ok
    assert node.fix


def test_chips_that_want_their_command_for_every_frame_are_told_of(under: OnAPico) -> None:
    forgetful = ("a1", "c3")
    for cell in forgetful:
        under.board.chips[cell].forgetful = True
    for number, cell in enumerate((*forgetful, "b2")):
        under.board.table.rest(f"04{number:02X}A1B2C3D480", cell)
    under.pico.plug_in()
    found = findings(under)
    told = [device for device, finding in found.items() if "wants its command again" in finding.detail]
    assert told == [f"reader {cell}" for cell in forgetful]
    assert all(found[device].ok for device in told)
