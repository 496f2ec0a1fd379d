"""The whole bank against every fault: no reading that is not so, and nobody waits for a broken reader."""

from __future__ import annotations

from contextlib import nullcontext
from itertools import pairwise

import pytest

from quarto_pi.devices.readers.bank import BankSettings
from quarto_pi.devices.readers.chip import SWITCHING_TRIES
from quarto_pi.devices.readers.fields import CurrentBudget, FieldMode
from quarto_pi.devices.readers.health import Fault, Version
from quarto_pi.devices.readers.scheduler import AttentionSettings
from quarto_pi.sensing.readings import CELLS, SQUARE_NAMES, Outcome, Reading
from quarto_pi.simulation.board import Hands, Reach
from quarto_pi.simulation.bus import NOTHING_ANSWERS_HIGH, NOTHING_ANSWERS_LOW, LineFault
from quarto_pi.simulation.chip import Hang
from quarto_pi.simulation.clock import VARIED
from quarto_pi.simulation.field import Noise
from quarto_pi.simulation.registers import Register
from tests.rig import RESET_PIN, MakeRig, Rig

pytestmark = pytest.mark.slow

TX_CONTROL_WRITE, FIELD_ON, FIELD_OFF = Register.TX_CONTROL << 1, 0x83, 0x80
IN_SOAK = FieldMode.IN_TURN
"""Between the other two in all that it does: `make test` leaves it to `make soak`."""
MODES = pytest.mark.parametrize(
    "mode", [pytest.param(mode, marks=pytest.mark.campaign if mode is IN_SOAK else ()) for mode in FieldMode]
)


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
    assert rig.look("b2").uids == (uids4[SQUARE_NAMES.index("b2")],)
    assert rig.bank.health()["b2"].answers


@MODES
def test_a_brown_out_in_mid_sweep_is_never_an_absence_and_heals(
    make_rig: MakeRig, mode: FieldMode, uids7: list[str]
) -> None:
    rig = make_rig(mode)
    rig.fill(uids7)
    rig.bank.sweep()
    for offset in range(1, int(rig.sweep_ms()), 13):
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
    readings = [reading for _ in range(30) for reading in rig.bank.sweep()]
    assert not wrong_uids(rig, readings)
    assert len(wrongly_empty(rig, readings)) <= len(readings) * 0.005
    assert sum(reading.outcome is Outcome.TAG for reading in readings) > 30 * 8 * 0.7


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
    readings = [reading for _ in range(40) for reading in rig.bank.sweep()]
    assert not wrong_uids(rig, readings)
    assert len(wrongly_empty(rig, readings)) <= 40 * 8 * 0.01
    assert sum(reading.outcome is Outcome.TAG for reading in readings) > 40 * 8 * 0.8


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


def test_settled_squares_are_looked_at_less_often_than_empty_ones_and_never_left_for_long(
    rig: Rig, uids4: list[str]
) -> None:
    rig.fill(uids4[:8])
    while rig.board.clock.now() < 5_000_000:
        rig.bank.round()
    looks: dict[str, list[int]] = {cell: [] for cell in CELLS}
    for _ in range(30):
        for reading in rig.bank.round():
            looks[reading.cell].append(reading.at)
    assert {len(looks[cell]) for cell in SQUARE_NAMES[8:]} == {30}
    assert sum(len(looks[cell]) for cell in SQUARE_NAMES[:8]) < 0.8 * 8 * 30
    gaps = [later - earlier for cell in SQUARE_NAMES[:8] for earlier, later in pairwise(looks[cell])]
    assert max(gaps) < 200


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


@MODES
def test_chips_that_want_their_command_for_every_frame_lose_no_look_and_are_told_of(
    make_rig: MakeRig, mode: FieldMode, uids7: list[str]
) -> None:
    forgetful = SQUARE_NAMES[::2]
    rig = make_rig(mode, forgetful=forgetful, spans=VARIED)
    rig.fill(uids7[:12])
    for _ in range(6):
        outcomes = rig.outcomes()
        assert {cell for cell, outcome in outcomes.items() if outcome is Outcome.TAG} == set(SQUARE_NAMES[:12])
        assert {outcomes[cell] for cell in SQUARE_NAMES[12:]} == {Outcome.EMPTY}
    health = rig.bank.health()
    noticed = {cell for cell in CELLS if health[cell].wants_command_again}
    # one that has never heard a piece had nothing to send after its first frame
    assert noticed == set(forgetful) & set(SQUARE_NAMES[:12])
    assert sum(health[cell].errors for cell in CELLS) == 0


def test_a_clone_that_was_found_out_takes_more_transfers_and_tells_two_tags_apart_all_the_same(
    make_rig: MakeRig, uids7: list[str]
) -> None:
    rig = make_rig(forgetful=("a1",))
    rig.fill([uids7[0], uids7[1]], ("a1", "b1"))
    for _ in range(4):
        rig.bank.sweep()
    assert rig.transfers_of("a1") > rig.transfers_of("b1")
    rig.board.table.rest(uids7[2], "a1")
    assert Outcome.SEVERAL in [rig.look("a1").outcome for _ in range(8)]


@MODES
@pytest.mark.parametrize("seed", [0, *(pytest.param(seed, marks=pytest.mark.campaign) for seed in (1, 2))])
def test_no_good_chip_is_taken_for_a_clone_with_or_without_tags_on_wires_that_lose_much(
    make_rig: MakeRig, mode: FieldMode, seed: int, uids4: list[str]
) -> None:
    rig = make_rig(mode, seed=seed, spans=VARIED)
    rig.fill(uids4[:8])
    for cell in CELLS:
        rig.board.faults.set(cell, LineFault(loses=0.01, flip_to_chip=0.002))
        rig.board.field.add_noise(cell, 0.05)
    for _ in range(40):
        rig.bank.sweep()
    assert not any(health.wants_command_again for health in rig.bank.health().values())


@MODES
def test_a_field_whose_switching_off_was_lost_is_off_before_another_goes_on(
    make_rig: MakeRig, mode: FieldMode, uids4: list[str]
) -> None:
    rig = make_rig(mode, budget=CurrentBudget(supply_ma=390))  # one field at a time in every mode
    rig.fill(uids4[:8])
    transfer = rig.board.bus.transfer
    lost = 0

    def lose_some(data: list[int], speed_hz: int, mode: int) -> list[int]:
        nonlocal lost
        if data == [TX_CONTROL_WRITE, FIELD_OFF]:
            lost += 1
            if lost % 2:
                return [0xFF, 0xFF]
        return transfer(data, speed_hz, mode)

    rig.board.bus.transfer = lose_some  # type: ignore[assignment,method-assign]
    for _ in range(3):
        assert Outcome.DEAD not in rig.outcomes().values()
        assert rig.board.field.on == set()
    assert lost >= 2 * 3 * len(CELLS)
    assert rig.board.field.most_on == 1


def test_a_chip_that_does_not_let_go_of_its_field_is_an_event_and_tried_again_before_each_other(
    make_rig: MakeRig, uids4: list[str]
) -> None:
    rig = make_rig(FieldMode.IN_TURN)
    rig.fill(uids4)
    rig.bank.sweep()
    chip = rig.board.chips["b2"]
    write, stubborn = chip._writers[Register.TX_CONTROL], True

    def keep_on(value: int, at: int) -> None:
        if value != FIELD_OFF or not stubborn:
            write(value, at)

    chip._writers[Register.TX_CONTROL] = keep_on
    outcomes = rig.outcomes()
    assert rig.board.field.on == {"b2"}
    assert {outcome for cell, outcome in outcomes.items() if cell not in ("b2", "offer")} == {Outcome.TAG}
    health = rig.bank.health()["b2"]
    assert (health.fields_left_on, health.answers) == (1, False)
    stubborn = False
    for _ in range(3):
        rig.bank.sweep()
    assert rig.board.field.on == set()
    assert rig.bank.health()["b2"].answers


def test_a_chip_that_lets_go_of_its_field_before_the_sweep_is_over_is_no_event(
    make_rig: MakeRig, uids4: list[str]
) -> None:
    rig = make_rig(FieldMode.IN_TURN)
    rig.fill(uids4)
    rig.bank.sweep()
    chip = rig.board.chips["b2"]
    write, refuses = chip._writers[Register.TX_CONTROL], iter(range(SWITCHING_TRIES))

    def refuse_at_first(value: int, at: int) -> None:
        if value != FIELD_OFF or next(refuses, None) is None:
            write(value, at)

    chip._writers[Register.TX_CONTROL] = refuse_at_first
    assert rig.outcomes()["b2"] is Outcome.TAG
    assert next(refuses, None) is None
    assert rig.board.field.on == set()
    health = rig.bank.health()["b2"]
    assert (health.fields_left_on, health.answers) == (0, True)


@pytest.mark.parametrize("error", [OSError(5, "Input/output error"), RuntimeError("the pins are gone")], ids=repr)
def test_closing_switches_every_field_off_whatever_fails(make_rig: MakeRig, error: Exception) -> None:
    rig = make_rig(FieldMode.IN_TURN)
    for cell in CELLS:
        rig.board.chips[cell].transfer([TX_CONTROL_WRITE, FIELD_ON], rig.board.clock.ns, 2_000)
    transfer = rig.board.bus.transfer
    broken = {"c1", "d4", "offer"}
    assert rig.board.field.on == set(CELLS)

    def fail_for_some(data: list[int], speed_hz: int, mode: int) -> list[int]:
        if broken & {chip.cell for chip in rig.board.bus._selected()}:
            raise error
        return transfer(data, speed_hz, mode)

    rig.board.bus.transfer = fail_for_some  # type: ignore[assignment,method-assign]
    with pytest.raises(type(error)) if isinstance(error, RuntimeError) else nullcontext():
        rig.bank.close()
    assert rig.board.field.on == broken
    assert rig.factory.pin("GPIO24").function == "input"
    rig.bank.close()


def rounds_within(rig: Rig, milliseconds: int) -> int:
    """How many rounds a loop goes in so long, if it waits as it is told."""
    clock, rounds = rig.board.clock, 0
    until = clock.now() + 1_000 * milliseconds
    while clock.now() < until:
        rig.bank.round()
        rounds += 1
        clock.wait_until(clock.now() + 1_000 * rig.bank.pause_ms)
    return rounds


@MODES
def test_with_no_reader_answering_the_loop_rests_and_all_are_back_within_two_seconds(
    make_rig: MakeRig, mode: FieldMode, uids4: list[str]
) -> None:
    rig = make_rig(mode, spans=VARIED)
    rig.fill(uids4)
    rig.bank.sweep()
    for cell in CELLS:
        rig.board.faults.set(cell, LineFault(stuck_at=NOTHING_ANSWERS_LOW))
    rig.bank.sweep()
    assert rounds_within(rig, 10_000) <= 5 * 10 + 1
    rig.board.faults.clear()
    rounds_within(rig, 1_700)
    assert rig.bank.answering == len(CELLS)
    assert sum(outcome is Outcome.TAG for outcome in rig.outcomes().values()) == 16


@MODES
@pytest.mark.parametrize("answering", [1, 4])
def test_dead_readers_do_not_make_the_rounds_of_the_others_faster_than_a_whole_board_has_them(
    make_rig: MakeRig, mode: FieldMode, answering: int
) -> None:
    rig = make_rig(mode, spans=VARIED)
    for cell in CELLS[answering:]:
        rig.board.faults.set(cell, LineFault(stuck_at=NOTHING_ANSWERS_HIGH))
    rig.bank.sweep()
    assert rounds_within(rig, 3_000) <= 3_000 / 25 + 1


@pytest.mark.parametrize("hang", Hang)
def test_a_chip_that_ignores_commands_is_brought_back_by_the_reset_line(
    make_rig: MakeRig, hang: Hang, uids7: list[str]
) -> None:
    rig = make_rig(with_reset=True)
    rig.fill(uids7)
    rig.bank.sweep()
    rig.board.clock.advance_ms(BankSettings().hard_reset_every_ms)
    rig.board.chips["b2"].hang = hang
    seen = []
    while rig.outcomes()["b2"] is not Outcome.TAG:
        seen.append(rig.board.clock.now())
        assert len(seen) < 60
    assert rig.board.chips["b2"].hang is None
    assert seen[-1] - seen[0] < 2_500_000
    assert set(rig.outcomes().values()) == {Outcome.TAG, Outcome.EMPTY}


def test_a_chip_that_ignores_commands_stays_away_without_a_reset_line(rig: Rig, uids7: list[str]) -> None:
    rig.fill(uids7)
    rig.bank.sweep()
    rig.board.chips["b2"].hang = Hang.MUTE
    for _ in range(20):
        rig.board.clock.advance_ms(1_100)
        assert rig.outcomes()["b2"] is Outcome.DEAD


def test_a_chip_that_hung_before_the_start_is_brought_back_by_it(make_rig: MakeRig) -> None:
    rig = make_rig(with_reset=True, start=False)
    rig.board.chips["b2"].hang = Hang.MUTE
    assert set(rig.bank.start().values()) == {Version.NXP}


def test_a_reader_that_is_gone_for_good_has_the_others_reset_once(make_rig: MakeRig, uids7: list[str]) -> None:
    rig = make_rig(with_reset=True)
    rig.fill(uids7)
    rig.bank.sweep()
    rig.board.clock.advance_ms(BankSettings().hard_reset_every_ms)
    rig.board.faults.set("b2", LineFault(stuck_at=NOTHING_ANSWERS_LOW))
    before = rig.board.chips["a1"].resets
    for _ in range(30):
        rig.board.clock.advance_ms(1_100)
        readings = rig.bank.sweep()
        assert not wrongly_empty(rig, readings)
    assert rig.board.chips["a1"].resets == before + 1
    assert rig.bank.health()["a1"].resets == 2


def test_a_reader_that_comes_and_goes_has_the_others_reset_now_and_then(make_rig: MakeRig, uids7: list[str]) -> None:
    rig = make_rig(with_reset=True)
    rig.fill(uids7)
    began = rig.board.clock.now()
    for _ in range(40):
        rig.board.faults.clear("b2")
        rig.board.clock.advance_ms(1_100)
        rig.bank.sweep()
        rig.bank.sweep()
        rig.board.faults.set("b2", LineFault(stuck_at=NOTHING_ANSWERS_LOW))
        for _ in range(4):
            rig.bank.sweep()
            rig.board.clock.advance_ms(1_100)
    most = (rig.board.clock.now() - began) / BankSettings().hard_reset_every_ms / 1_000
    assert 1 < rig.bank.health()["a1"].resets <= most + 1


def test_the_reset_line_is_let_go_of_when_the_bank_is_closed(make_rig: MakeRig) -> None:
    rig = make_rig(with_reset=True)
    rig.bank.close()
    assert rig.factory.pin(f"GPIO{RESET_PIN}").function == "input"
