"""The whole bank against every fault: no reading that is not so, and nobody waits for a broken reader."""

from __future__ import annotations

import pytest

from quarto_pi.devices.attention import AttentionSettings
from quarto_pi.devices.fields import FieldMode
from quarto_pi.devices.reader_bank import BankSettings
from quarto_pi.devices.reader_terms import Fault, Version
from quarto_pi.sensing.readings import CELLS, SQUARES, Outcome, Reading
from quarto_pi.simulation.faults import NOTHING_ANSWERS_HIGH, NOTHING_ANSWERS_LOW, LineFault
from quarto_pi.simulation.field import Noise
from quarto_pi.simulation.table import Hands, Reach
from tests.rig import MakeRig, Rig

MODES = pytest.mark.parametrize("mode", FieldMode)


def truth(rig: Rig) -> dict[str, str]:
    return {cell: uid for uid, cell in rig.board.table.resting.items()}


def wrong_uids(rig: Rig, readings: list[Reading]) -> list[Reading]:
    """The readings that name a UID which does not rest there."""
    where = truth(rig)
    return [reading for reading in readings if reading.uids and reading.uids != (where.get(reading.cell),)]


def wrongly_empty(rig: Rig, readings: list[Reading]) -> list[Reading]:
    return [reading for reading in readings if reading.outcome is Outcome.EMPTY and reading.cell in truth(rig)]


def test_start_names_the_version_of_every_reader(make_rig: MakeRig) -> None:
    versions = {"a1": 0x91, "b1": 0x88, "c1": 0x82, "d1": 0x12, "a2": 0xB2}
    rig = make_rig(versions=versions, start=False)
    rig.board.faults.set("d4", LineFault(stuck_at=NOTHING_ANSWERS_LOW))
    found = rig.bank.start()
    assert [found[cell] for cell in ("a1", "b1", "c1", "d1", "a2", "d4", "b2")] == [
        Version.NXP,
        Version.CLONE,
        Version.CLONE,
        Version.COUNTERFEIT,
        Version.UNKNOWN,
        Version.NO_CHIP,
        Version.NXP,
    ]


@pytest.mark.parametrize("level", [NOTHING_ANSWERS_LOW, NOTHING_ANSWERS_HIGH])
def test_start_waits_for_a_chip_that_holds_its_line_until_it_is_up(make_rig: MakeRig, level: int) -> None:
    rig = make_rig(start=False)
    rig.board.faults.set("d4", LineFault(stuck_at=level))
    rig.board.clock.plan(20, lambda: rig.board.faults.clear("d4"))
    assert rig.bank.start()["d4"] is Version.NXP


def test_start_waits_for_all_readers_side_by_side(make_rig: MakeRig) -> None:
    rig = make_rig(start=False)
    rig.bank.start()
    assert rig.board.clock.now() < 20_000


@pytest.mark.parametrize("version", [0x88, 0x82, 0x12])
def test_clones_and_counterfeits_read_like_the_others(make_rig: MakeRig, version: int, uids7: list[str]) -> None:
    rig = make_rig(versions=dict.fromkeys(CELLS, version))
    rig.fill(uids7)
    for _ in range(5):
        readings = rig.bank.sweep()
        assert not wrong_uids(rig, readings)
        assert not wrongly_empty(rig, readings)


@MODES
@pytest.mark.parametrize("level", [NOTHING_ANSWERS_LOW, NOTHING_ANSWERS_HIGH])
def test_a_dead_reader_does_not_stop_the_others_and_comes_back(
    make_rig: MakeRig, mode: FieldMode, level: int, uids4: list[str]
) -> None:
    rig = make_rig(mode)
    rig.fill(uids4)
    rig.bank.sweep()
    usual_ms = rig.sweep_ms()
    rig.board.faults.set("b2", LineFault(stuck_at=level))
    for _ in range(30):
        before = rig.board.clock.ns
        outcomes = rig.outcomes()
        assert outcomes.pop("b2") is Outcome.DEAD
        assert outcomes.pop("offer") is Outcome.EMPTY
        assert set(outcomes.values()) == {Outcome.TAG}
        assert (rig.board.clock.ns - before) / 1e6 < usual_ms + 3
    assert not rig.bank.health()["b2"].answers
    rig.board.faults.clear("b2")
    rig.board.clock.advance_ms(1_100)
    rig.bank.sweep()
    rig.bank.sweep()
    assert rig.look("b2").uids == (uids4[SQUARES.index("b2")],)
    assert rig.bank.health()["b2"].answers


@MODES
def test_a_brown_out_in_mid_sweep_is_never_an_absence_and_heals(
    make_rig: MakeRig, mode: FieldMode, uids7: list[str]
) -> None:
    rig = make_rig(mode)
    rig.fill(uids7)
    rig.bank.sweep()
    for offset in range(1, int(rig.sweep_ms()), 2):
        rig.board.clock.plan(rig.board.clock.ns / 1e6 + offset, rig.board.brown_out)
        readings = rig.bank.sweep()
        assert not wrong_uids(rig, readings)
        assert not wrongly_empty(rig, readings)
        for _ in range(3):
            readings = rig.bank.sweep()
            assert not wrongly_empty(rig, readings)
        assert sum(reading.outcome is Outcome.TAG for reading in readings) == 16


def test_a_brown_out_between_sweeps_shows_as_errors_once(rig: Rig, uids4: list[str]) -> None:
    rig.fill(uids4)
    rig.bank.sweep()
    rig.board.brown_out("a1", "b1")
    outcomes = rig.outcomes()
    # their modulation and timer settings are gone; what tells is the time-out that does not come
    assert outcomes["a1"] is Outcome.ERROR
    assert outcomes["b1"] is Outcome.ERROR
    assert set(rig.outcomes().values()) == {Outcome.TAG, Outcome.EMPTY}
    assert rig.bank.health()["a1"].resets == 2


def test_a_lost_setting_is_found_before_a_tag_is_called_gone(rig: Rig, uids4: list[str]) -> None:
    rig.fill(uids4)
    rig.bank.sweep()
    rig.board.chips["a1"].register[0x15] = 0  # TxASKReg: no tag understands the reader any more
    assert rig.look("a1").outcome is Outcome.ERROR
    assert rig.bank.health()["a1"].last_fault is Fault.CONFIGURATION
    rig.bank.sweep()
    assert rig.look("a1").outcome is Outcome.TAG


def test_a_lost_setting_of_an_empty_square_is_found_by_an_audit(make_rig: MakeRig) -> None:
    rig = make_rig(settings=BankSettings(audit_every=4))
    rig.board.chips["a1"].register[0x15] = 0
    assert Outcome.ERROR in [rig.look("a1").outcome for _ in range(4)]
    rig.bank.sweep()
    assert rig.board.chips["a1"].register[0x15] == 0x40


@MODES
def test_flipped_bits_on_the_bus_never_make_a_wrong_uid(make_rig: MakeRig, mode: FieldMode, uids7: list[str]) -> None:
    rig = make_rig(mode)
    rig.fill(uids7[:8])
    for cell in CELLS:
        rig.board.faults.set(cell, LineFault(flip_to_chip=0.002, flip_to_host=0.002))
    readings = [reading for _ in range(60) for reading in rig.bank.sweep()]
    assert not wrong_uids(rig, readings)
    assert len(wrongly_empty(rig, readings)) <= len(readings) * 0.005
    assert sum(reading.outcome is Outcome.TAG for reading in readings) > 60 * 8 * 0.7


def test_a_chip_that_loads_the_line_makes_errors_and_no_absences(rig: Rig, uids4: list[str]) -> None:
    rig.fill(uids4)
    rig.bank.sweep()
    rig.board.faults.load_miso("d4", 0.05)
    readings = [reading for _ in range(20) for reading in rig.bank.sweep()]
    assert not wrong_uids(rig, readings)
    assert not wrongly_empty(rig, readings)
    assert {reading.outcome for reading in readings} & {Outcome.ERROR, Outcome.DEAD}


@MODES
def test_noise_on_the_air_never_makes_a_wrong_uid(make_rig: MakeRig, mode: FieldMode, uids4: list[str]) -> None:
    rig = make_rig(mode)
    rig.fill(uids4[:8])
    for cell in CELLS:
        rig.board.field.add_noise(cell, 0.1)
    readings = [reading for _ in range(80) for reading in rig.bank.sweep()]
    assert not wrong_uids(rig, readings)
    assert len(wrongly_empty(rig, readings)) <= 80 * 8 * 0.01
    assert sum(reading.outcome is Outcome.TAG for reading in readings) > 80 * 8 * 0.8


def test_a_shifted_uid_from_next_door_is_caught_by_its_check_byte(rig: Rig) -> None:
    rig.board.table.let_reach("a1", "b1", Reach(1.0, shifted=True))
    rig.board.table.rest("DEADBEEF", "a1")
    assert rig.look("b1").outcome is Outcome.ERROR


def test_a_piece_heard_next_door_is_read_there_and_counted_as_a_cross_read(rig: Rig) -> None:
    rig.board.table.let_reach("a1", "b1", Reach(1.0))
    rig.board.table.rest("DEADBEEF", "a1")
    rig.bank.sweep()
    assert rig.look("b1").uids == ("DEADBEEF",)
    assert rig.bank.health()["b1"].cross_reads > 0


def test_a_garbled_uid_that_passes_every_check_is_passed_on_for_sensing_to_judge(rig: Rig) -> None:
    rig.board.table.let_reach("a1", "b1", Reach(1.0, garbled_as="DEADBEEE"))
    rig.board.table.rest("DEADBEEF", "a1")
    assert rig.look("a1").uids == ("DEADBEEF",)
    assert rig.look("b1").uids == ("DEADBEEE",)


@MODES
def test_a_sliding_piece_is_never_read_as_another(make_rig: MakeRig, mode: FieldMode) -> None:
    rig = make_rig(mode)
    hands = Hands(rig.board.clock, rig.board.table)
    rig.board.table.rest("DEADBEEF", "a1")
    end = hands.slide("DEADBEEF", "a1", "b1", at=500, duration=900)
    seen: set[tuple[str, str]] = set()
    while rig.board.clock.now() < (end + 500) * 1000:
        seen.update((reading.cell, uid) for reading in rig.bank.sweep() for uid in reading.uids)
    assert seen == {("a1", "DEADBEEF"), ("b1", "DEADBEEF")}
    assert rig.look("b1").uids == ("DEADBEEF",)
    rig.look("a1")
    assert rig.look("a1").outcome is Outcome.EMPTY


def test_repeated_errors_reset_a_reader_in_the_background(make_rig: MakeRig) -> None:
    rig = make_rig(settings=BankSettings(errors_before_reset=3))
    rig.board.table.rest("DEADBEEF", "a1")
    rig.board.field.add_noise("a1", 1.0, (Noise.PARITY,))
    for _ in range(4):
        rig.bank.sweep()
    assert rig.bank.health()["a1"].resets >= 2


def test_health_counts_what_happened(rig: Rig) -> None:
    rig.board.table.rest("DEADBEEF", "a1")
    rig.bank.sweep()
    seen_at = rig.bank.health()["a1"].last_seen
    rig.board.table.lift("DEADBEEF")
    rig.bank.sweep()
    health = rig.bank.health()["a1"]
    assert (health.polls, health.misses, health.errors) == (2, 1, 0)
    assert health.miss_rate == 0.5
    assert health.error_rate == 0.0
    assert health.last_seen == seen_at
    assert health.version is Version.NXP


def test_closing_switches_all_fields_off_and_lets_go_of_bus_and_pins(rig: Rig) -> None:
    rig.board.table.rest("DEADBEEF", "a1")
    with rig.bank:
        rig.bank.sweep()
    rig.bank.close()
    assert rig.board.field.on == set()
    assert rig.factory.pin("GPIO24").function == "input"


def test_settled_squares_are_looked_at_less_often_than_empty_ones(rig: Rig, uids4: list[str]) -> None:
    rig.fill(uids4[:8])
    while rig.board.clock.now() < 5_000_000:
        rig.bank.round()
    looks = dict.fromkeys(CELLS, 0)
    for _ in range(30):
        for reading in rig.bank.round():
            looks[reading.cell] += 1
    assert {looks[cell] for cell in SQUARES[:8]} == {10}
    assert {looks[cell] for cell in SQUARES[8:]} == {30}


def test_a_square_that_changed_is_looked_at_in_every_round(rig: Rig, uids4: list[str]) -> None:
    rig.fill(uids4[:8])
    while rig.board.clock.now() < 5_000_000:
        rig.bank.round()
    rig.board.table.lift(uids4[0])
    rig.bank.sweep()
    assert all("a1" in {reading.cell for reading in rig.bank.round()} for _ in range(10))


def test_an_idle_board_is_swept_slowly_until_something_changes(make_rig: MakeRig) -> None:
    attention = AttentionSettings(idle_after=2_000, idle_interval=400)
    rig = make_rig(settings=BankSettings(attention=attention))
    rig.bank.round()
    assert rig.bank.pause_ms == 0
    rig.board.clock.advance_ms(2_500)
    rig.bank.round()
    assert rig.bank.pause_ms == 400
    rig.board.table.rest("DEADBEEF", "c3")
    rig.bank.round()
    assert rig.bank.pause_ms == 0


def test_a_bus_that_fails_makes_every_reader_dead_until_it_works_again(rig: Rig, uids4: list[str]) -> None:
    rig.fill(uids4)
    rig.bank.sweep()
    transfer = rig.board.bus.transfer

    def fail(data: object, speed_hz: int, mode: int) -> list[int]:
        raise OSError(5, f"no transfer of {data} at {speed_hz} Hz in mode {mode}")

    rig.board.bus.transfer = fail  # type: ignore[method-assign]
    assert set(rig.outcomes().values()) == {Outcome.DEAD}
    rig.board.bus.transfer = transfer  # type: ignore[method-assign]
    for _ in range(3):
        rig.board.clock.advance_ms(1_100)
        rig.bank.sweep()
    assert sum(outcome is Outcome.TAG for outcome in rig.outcomes().values()) == 16
    assert rig.board.field.most_on == 1
