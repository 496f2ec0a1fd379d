"""What one look at one cell can end in, against simulated chips and tags."""

from __future__ import annotations

from dataclasses import replace

import pytest

from quarto_pi.devices.readers.bank import BankSettings
from quarto_pi.devices.readers.health import Fault
from quarto_pi.sensing.readings import Outcome
from quarto_pi.simulation.bus import NOTHING_ANSWERS_HIGH, NOTHING_ANSWERS_LOW, LineFault
from quarto_pi.simulation.field import Noise
from quarto_pi.simulation.tag import Frame, Tag, TagState
from tests.rig import MakeRig, Rig

UID4 = "DEADBEEF"
UID7 = "04A1B2C3D4E5F6"


def test_an_empty_square_reads_empty(rig: Rig) -> None:
    reading = rig.look("b2")
    assert (reading.cell, reading.outcome, reading.uids) == ("b2", Outcome.EMPTY, ())


@pytest.mark.parametrize("uid", [UID4, UID7, "04A1B2C3D4E5F6A7B8C9", "04A1B2C3D4E588A7B8C9"])
def test_a_resting_tag_reads_as_its_whole_uid_every_time(rig: Rig, uid: str) -> None:
    rig.board.table.rest(uid, "b2")
    for _ in range(40):
        reading = rig.look("b2")
        assert (reading.outcome, reading.uids) == (Outcome.TAG, (uid,))


def test_the_offer_place_reads_like_a_square(rig: Rig) -> None:
    rig.board.table.rest(UID7, "offer")
    assert rig.look("offer").uids == (UID7,)


def test_a_reading_carries_the_millisecond_it_was_taken_at(rig: Rig) -> None:
    before = rig.board.clock.now() // 1000
    reading = rig.look("a1")
    assert before + 5 <= reading.at <= before + 7


def test_a_polled_tag_is_sent_to_sleep_before_its_field_goes(rig: Rig) -> None:
    tag = rig.board.table.tag(UID4)
    rig.board.table.rest(UID4, "a1")
    states: list[TagState] = []
    power_down = tag.power_down

    def watch() -> None:
        states.append(tag.state)
        power_down()

    tag.power_down = watch  # type: ignore[method-assign]
    rig.look("a1")
    assert states == [TagState.HALT]


def test_another_tag_in_the_place_of_a_known_one_is_found_at_once(rig: Rig) -> None:
    rig.board.table.rest(UID4, "a1")
    rig.look("a1")
    rig.board.table.lift(UID4)
    rig.board.table.rest(UID7, "a1")
    assert rig.look("a1").uids == (UID7,)


@pytest.mark.parametrize(
    ("uid", "other"),
    [
        (UID4, "DEADBFEF"),
        (UID4, UID7),
        (UID7, "04A1B2C3D4E5F7"),
        (UID7, "04A1B3C3D4E5F6"),
        ("1020307F", "102030FF"),
    ],
    ids=["4 and 4", "4 and 7 bytes", "differing in the second level", "in the first", "in the 32nd bit"],
)
def test_two_tags_are_told_apart_by_their_uids(rig: Rig, uid: str, other: str) -> None:
    rig.board.table.rest(uid, "c3")
    rig.board.table.rest(other, "c3")
    reading = rig.look("c3")
    assert (reading.outcome, reading.uids) == (Outcome.SEVERAL, tuple(sorted((uid, other))))


@pytest.mark.parametrize(("uid", "other"), [(UID4, "DEADBFEF"), (UID7, "04A1B2C3D4E5F7"), (UID7, "04FFB2C3D4E5F7")])
def test_a_second_tag_beside_a_known_one_is_found_within_two_surveys(make_rig: MakeRig, uid: str, other: str) -> None:
    rig = make_rig(settings=BankSettings(survey_every=4))
    rig.board.table.rest(uid, "c3")
    rig.look("c3")
    rig.board.table.rest(other, "c3")
    outcomes = [rig.look("c3").outcome for _ in range(8)]
    assert Outcome.SEVERAL in outcomes
    assert set(outcomes) <= {Outcome.SEVERAL, Outcome.TAG}


@pytest.mark.parametrize("uid", [UID4, UID7])
def test_a_second_tag_is_found_within_eight_looks_whatever_level_tells_the_two_apart(rig: Rig, uid: str) -> None:
    for offset in range(4):
        cell = f"{'abcd'[offset]}2"
        rig.board.table.rest(uid, cell)
        for _ in range(3 + offset):
            rig.look(cell)
        rig.board.table.rest("04FFB2C3D4E5F7", cell)
        assert Outcome.SEVERAL in [rig.look(cell).outcome for _ in range(8)]
        rig.board.table.lift(uid)
        rig.board.table.lift("04FFB2C3D4E5F7")


def test_three_tags_read_as_several(rig: Rig) -> None:
    for uid in ("DEADBEEF", "DEADBFEF", "5EADBEEF"):
        rig.board.table.rest(uid, "c3")
    assert rig.look("c3").outcome in (Outcome.SEVERAL, Outcome.ERROR)
    assert rig.look("c3").outcome is not Outcome.EMPTY


@pytest.mark.parametrize("kind", [Noise.PARITY, Noise.PROTOCOL])
def test_a_reception_error_is_an_error_and_not_an_absence(rig: Rig, kind: Noise) -> None:
    rig.board.table.rest(UID4, "a1")
    rig.board.field.add_noise("a1", 1.0, (kind,))
    assert rig.look("a1").outcome is Outcome.ERROR
    assert rig.bank.health()["a1"].last_fault is Fault.RECEPTION


def test_a_wrong_crc_or_bcc_is_an_error_and_no_uid(rig: Rig) -> None:
    rig.board.table.rest(UID4, "a1")
    rig.board.field.add_noise("a1", 1.0, (Noise.FLIPPED,))
    for _ in range(20):
        reading = rig.look("a1")
        assert (reading.outcome, reading.uids) == (Outcome.ERROR, ())


@pytest.mark.parametrize(("length", "place"), [(5, 1), (3, 0)], ids=["a level of the UID", "what answers SELECT"])
def test_each_answer_has_a_check_of_its_own(rig: Rig, length: int, place: int) -> None:
    def one_bit_else(frame: Frame) -> Frame:
        if len(frame.data) != length:
            return frame
        data = bytearray(frame.data)
        data[place] ^= 1
        return replace(frame, data=bytes(data))

    rig.board.table.rest(UID4, "a1")
    rig.board.field.link(rig.board.table.tag(UID4), "a1", rig.board.clock.ns, distortion=one_bit_else)
    assert rig.look("a1").outcome is Outcome.ERROR
    assert rig.bank.health()["a1"].last_fault is Fault.CHECK


def test_another_tag_in_the_place_of_a_known_one_is_found_by_a_survey_too(make_rig: MakeRig) -> None:
    rig = make_rig(settings=BankSettings(survey_every=1))
    rig.board.table.rest(UID4, "a1")
    rig.look("a1")
    rig.board.table.lift(UID4)
    rig.board.table.rest("DEADBFEF", "a1")
    assert rig.look("a1").uids == ("DEADBFEF",)


def test_a_collision_that_is_noise_never_makes_two_tags_of_one(rig: Rig) -> None:
    rig.board.table.rest(UID4, "a1")
    rig.board.field.add_noise("a1", 0.3, (Noise.COLLISION,))
    readings = [rig.look("a1") for _ in range(60)]
    assert {reading.outcome for reading in readings} <= {Outcome.TAG, Outcome.ERROR}
    assert {uid for reading in readings for uid in reading.uids} == {UID4}


def test_a_ghost_on_an_empty_square_is_an_error_and_no_tag(rig: Rig) -> None:
    rig.board.field.add_noise("a1", 1.0, (Noise.GHOST,))
    assert rig.look("a1").outcome is Outcome.ERROR


def test_a_tag_that_breaks_off_after_the_call_is_an_error(rig: Rig) -> None:
    class Mute(Tag):
        def _on_cascade(self, _: object) -> None:
            return None

    rig.board.field.link(Mute(UID4), "a1", rig.board.clock.ns)
    assert rig.look("a1").outcome is Outcome.ERROR
    assert rig.bank.health()["a1"].last_fault is Fault.BROKEN_OFF


@pytest.mark.parametrize("level", [NOTHING_ANSWERS_LOW, NOTHING_ANSWERS_HIGH])
def test_a_reader_that_does_not_answer_is_dead_and_not_empty(rig: Rig, level: int) -> None:
    rig.board.faults.set("a1", LineFault(stuck_at=level))
    assert rig.look("a1").outcome is Outcome.DEAD


def test_a_tag_that_answers_seven_times_in_ten_is_mostly_read_and_never_wrong(rig: Rig) -> None:
    rig.board.table.rest(UID4, "a1", strength=0.7)
    readings = [rig.look("a1") for _ in range(100)]
    assert sum(reading.outcome is Outcome.TAG for reading in readings) > 60
    assert {uid for reading in readings for uid in reading.uids} == {UID4}


def test_a_tag_whose_answer_was_lost_is_found_by_the_second_try(rig: Rig) -> None:
    rig.board.table.rest(UID4, "a1")
    rig.look("a1")
    rig.board.field.add_noise("a1", 0.25, (Noise.LOST,))
    outcomes = [rig.look("a1").outcome for _ in range(100)]
    assert outcomes.count(Outcome.TAG) > 60
    assert rig.bank.health()["a1"].misses > 10


@pytest.mark.parametrize("uid", [UID4, UID7])
def test_transfers_stay_within_nine_seventeen_and_thirty(rig: Rig, uid: str) -> None:
    assert max(rig.transfers_of("b2") for _ in range(64)) <= 9
    rig.board.table.rest(uid, "b2")
    assert rig.transfers_of("b2") <= 30
    assert max(rig.transfers_of("b2") for _ in range(64)) <= 17
