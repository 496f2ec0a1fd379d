"""What the node reads: every reader's look, its moment and its figures, on the real firmware above simulated chips."""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import replace
from functools import partial
from pathlib import Path

import pytest

from quarto_pi.devices.readers.fields import NOT_TOUCHING, write_calibration
from quarto_pi.devices.readers.health import Version
from quarto_pi.sensing.readings import CELLS, SQUARE_NAMES, Outcome, Reading
from quarto_pi.wiring.board import open_node
from tests.pico.conftest import OpenAtHost

pytestmark = pytest.mark.slow

SEVEN = "04A1B2C3D4E5F6"
FOUR = "7A90C3F1"
TEN = "08112233445566778899"
ENDS_LIKE_A_CASCADE_TAG = "08112233445588778899"


def test_every_reader_is_read_with_any_length_of_uid(open_at_host: OpenAtHost) -> None:
    host = open_at_host()
    uids = {"a1": SEVEN, "d4": FOUR, "offer": TEN, "c2": ENDS_LIKE_A_CASCADE_TAG}
    for cell, uid in uids.items():
        host.board.table.rest(uid, cell)
    host.begin()
    seen = host.seen()
    assert {cell: seen[cell].uids for cell in uids} == {cell: (uid,) for cell, uid in uids.items()}
    assert Counter(host.outcomes().values()) == {Outcome.TAG: 4, Outcome.EMPTY: 13}


def test_two_tags_on_a_square_are_both_named(open_at_host: OpenAtHost) -> None:
    host = open_at_host()
    host.board.table.rest(SEVEN, "b2")
    host.board.table.rest(FOUR, "b2")
    host.begin()
    assert (host.seen()["b2"].outcome, host.seen()["b2"].uids) == (Outcome.SEVERAL, tuple(sorted((SEVEN, FOUR))))


@pytest.mark.parametrize("other", ["04A1B2C3D4E5F7", pytest.param("04FFB2C3D4E5F7", marks=pytest.mark.campaign), FOUR])
def test_a_second_tag_beside_a_known_one_is_heard_within_four_looks(open_at_host: OpenAtHost, other: str) -> None:
    host = open_at_host()
    host.board.table.rest(SEVEN, "b2")
    host.begin()
    host.board.table.rest(other, "b2")
    before = len(host.readings)
    host.wait_for(lambda: sum(reading.cell == "b2" for reading in host.readings[before:]) >= 5)
    outcomes = [reading.outcome for reading in host.readings[before:] if reading.cell == "b2"]
    assert Outcome.SEVERAL in outcomes
    assert set(outcomes) <= {Outcome.SEVERAL, Outcome.TAG}


def test_piece_is_told_soon_after_it_has_come_and_gone(open_at_host: OpenAtHost) -> None:
    host = open_at_host()
    host.begin()
    host.board.table.rest(SEVEN, "c3")
    host.wait(300)
    assert host.outcomes()["c3"] is Outcome.TAG
    host.board.table.lift(SEVEN)
    host.wait(300)
    assert host.outcomes()["c3"] is Outcome.EMPTY


@pytest.mark.parametrize("seed", [0, *(pytest.param(seed, marks=pytest.mark.campaign) for seed in (1, 2, 3))])
def test_what_is_new_is_glimpsed_before_the_sweep_is_over_and_told_after_it(
    open_at_host: OpenAtHost, seed: int
) -> None:
    """Each cell is looked at once between two sweeps that are told, however much is glimpsed meanwhile."""
    host = open_at_host(processor_time=True, seed=seed)
    host.begin()
    glimpsed: list[tuple[float, Reading]] = []
    draw = random.Random(seed)
    for cell in draw.sample(SQUARE_NAMES, 6):
        touched_at = host.now + draw.uniform(0, 200)
        host.board.clock.plan(touched_at, partial(host.board.table.rest, SEVEN, cell))
        end, told_at = touched_at + 400, 0.0
        while host.now < end:
            came = host.node.bank.round(lambda reading: glimpsed.append((host.now, reading)))
            assert len({reading.cell for reading in came}) in (0, len(CELLS)), came
            if not told_at and any(reading.cell == cell and reading.uids for reading in came):
                told_at = host.now
        seen_at = min(at for at, reading in glimpsed if reading.cell == cell and reading.uids and at >= touched_at)
        assert seen_at <= told_at
        glimpsed.clear()


def test_readings_have_the_moment_of_the_look(open_at_host: OpenAtHost) -> None:
    host = open_at_host()
    host.begin()
    host.readings.clear()
    began = host.now
    host.wait(2_000)
    looks = [reading.at for reading in host.readings if reading.cell == "a1"]
    assert len(looks) > 10
    assert looks == sorted(looks)
    assert all(began - 200 < at <= host.now for at in looks)


def test_health_is_that_of_the_chips(open_at_host: OpenAtHost) -> None:
    host = open_at_host()
    host.board.table.rest(SEVEN, "a1")
    host.begin()
    host.wait(2_500)
    health = host.node.bank.health()
    assert {figures.version for figures in health.values()} == {Version.NXP}
    assert all(figures.answers and figures.polls > 10 for figures in health.values())
    last_seen = health["a1"].last_seen
    assert last_seen is not None
    assert host.now - 1_500 < last_seen <= host.now
    assert health["b1"].last_seen is None


def test_piece_that_was_taken_away_is_missed_twice_and_then_forgotten(open_at_host: OpenAtHost) -> None:
    host = open_at_host()
    host.board.table.rest(SEVEN, "a1")
    host.begin()
    host.board.table.lift(SEVEN)
    host.wait(3_000)
    assert host.node.bank.health()["a1"].misses == 2


def test_configuration_that_comes_twice_resets_no_reader(open_at_host: OpenAtHost) -> None:
    host = open_at_host()
    host.begin()
    host.link._send(host.link._wiring.write(host.link._writer))
    host.wait(1_500)
    assert {figures.resets for figures in host.node.bank.health().values()} == {1}


def test_self_test_costs_no_reader_a_look_and_the_host_no_patience(open_at_host: OpenAtHost) -> None:
    host = open_at_host("[panel_lights]\n")
    host.board.set_up()
    host.begin()
    host.wait(1_500)
    host.readings.clear()
    host.link.test()
    host.wait_for(lambda: host.link.health is not None and host.link.health.tests == 1)
    host.wait(1_500)
    assert host.link.condition.ok
    assert {reading.outcome for reading in host.readings} == {Outcome.TAG, Outcome.EMPTY}
    assert {figures.errors for figures in host.node.bank.health().values()} == {0}


def test_board_that_is_wired_anew_shows_nothing_of_its_old_wiring(open_at_host: OpenAtHost) -> None:
    host = open_at_host()
    host.board.table.rest(SEVEN, "d4")
    host.begin()
    assert host.outcomes()["d4"] is Outcome.TAG
    host.node.close()
    a1, d4 = (SQUARE_NAMES.index(cell) for cell in ("a1", "d4"))
    lines = {cell: {a1: d4, d4: a1}.get(line, line) for line, cell in enumerate(SQUARE_NAMES)}
    config = replace(host.under.config, readers=replace(host.under.config.readers, lines=lines))
    assert config.node is not None
    for bounce in range(400):
        press = host.under.call.drive_low if bounce % 2 == 0 else host.under.call.drive_high
        host.board.clock.plan(host.now + 2 * bounce, press)
    with open_node(config, config.node, host.under.platform) as node:
        readings = []
        end = host.now + 1_500
        while host.now < end:
            readings += node.bank.round()
    assert {reading.cell for reading in readings if reading.uids} == {"a1"}
    assert {reading.outcome for reading in readings if reading.cell == "a1"} == {Outcome.DEAD, Outcome.TAG}


def test_fields_are_on_together_as_far_as_calibration_and_current_allow(
    open_at_host: OpenAtHost, tmp_path: Path
) -> None:
    file = tmp_path / "apart.toml"
    write_calibration(file, NOT_TOUCHING)
    host = open_at_host(f'[fields]\nmode = "in turn"\nsupply_ma = 600\ncalibration = "{file}"\n')
    host.board.set_up()
    host.begin()
    assert host.board.field.most_on == 3
    assert set(host.outcomes().values()) == {Outcome.TAG, Outcome.EMPTY}
