"""The table: resting, hovering and sliding pieces, reach beyond the square, hands on the clock, equal seeds."""

from __future__ import annotations

import random

import pytest

from quarto_pi.simulation.board import Hands, Reach, SimulatedTable
from quarto_pi.simulation.clock import SimulatedClock
from quarto_pi.simulation.field import Field, Noise
from quarto_pi.simulation.registers import Error
from quarto_pi.simulation.tag import Frame

UID = "DEADBEEF"
WUPA = Frame(b"\x52", last_bits=7)
ANTICOLLISION = Frame(b"\x93\x20")


class Air:
    """A table with all antennas on, and a reader that asks."""

    def __init__(self, seed: int = 1) -> None:
        self.clock = SimulatedClock()
        self.field = Field(random.Random(seed))
        self.table = SimulatedTable(self.clock, self.field)
        self.hands = Hands(self.clock, self.table)
        for cell in ("a1", "b1"):
            self.field.set_antenna(cell, on=True, at=0)

    def uid_at(self, cell: str) -> bytes | None:
        """Reset the tags by the field, call, ask for the UID, and return what came."""
        for other in list(self.field.on):
            self.field.set_antenna(other, on=False, at=self.clock.ns)
        self.field.set_antenna(cell, on=True, at=self.clock.ns)
        self.clock.advance_ms(6)
        if self.field.transmit(cell, WUPA, self.clock.ns) is None:
            return None
        self.clock.advance_ms(1)
        answer = self.field.transmit(cell, ANTICOLLISION, self.clock.ns)
        return answer.frame.data if answer else None

    def share(self, cell: str, looks: int = 200) -> float:
        return sum(self.uid_at(cell) is not None for _ in range(looks)) / looks


@pytest.fixture
def air() -> Air:
    return Air()


def test_a_resting_piece_is_heard_by_its_square_only(air: Air) -> None:
    air.table.rest(UID, "a1")
    assert air.uid_at("a1") == bytes.fromhex("DEADBEEF22")
    assert air.uid_at("b1") is None


def test_a_lifted_piece_is_heard_by_nobody(air: Air) -> None:
    air.table.rest(UID, "a1")
    air.table.lift(UID)
    assert air.uid_at("a1") is None


def test_a_hovering_piece_answers_now_and_then(air: Air) -> None:
    air.table.hover(UID, "a1", 0.7)
    # two frames have to be answered
    assert 0.35 < air.share("a1") < 0.65


def test_a_piece_between_squares_is_heard_by_neither_one_or_both(air: Air) -> None:
    air.table.between(UID, {})
    assert (air.uid_at("a1"), air.uid_at("b1")) == (None, None)
    air.table.between(UID, {"b1": 1.0})
    assert (air.uid_at("a1") is None, air.uid_at("b1") is None) == (True, False)
    air.table.between(UID, {"a1": 1.0, "b1": 1.0})
    assert air.uid_at("a1") == air.uid_at("b1") == bytes.fromhex("DEADBEEF22")


def test_a_neighbour_may_hear_a_piece_as_it_is(air: Air) -> None:
    air.table.let_reach("a1", "b1", Reach(1.0))
    air.table.rest(UID, "a1")
    assert air.uid_at("b1") == bytes.fromhex("DEADBEEF22")


def test_a_neighbour_may_hear_a_piece_shifted_without_an_error(air: Air) -> None:
    air.table.let_reach("a1", "b1", Reach(1.0, shifted=True))
    air.table.rest(UID, "a1")
    shifted = int.from_bytes(bytes.fromhex("DEADBEEF22"), "little") << 1 & (1 << 40) - 1
    assert air.uid_at("b1") == shifted.to_bytes(5, "little")


def test_a_neighbour_may_hear_a_garbled_uid_that_passes_every_check(air: Air) -> None:
    air.table.let_reach("a1", "b1", Reach(1.0, garbled_as="DEADBEEE"))
    air.table.rest(UID, "a1")
    assert air.uid_at("b1") == bytes.fromhex("DEADBEEE23")
    air.table.lift(UID)
    assert air.uid_at("b1") is None


def test_a_hand_lowers_a_piece_through_weak_coupling_to_rest(air: Air) -> None:
    rests_at = air.hands.put(UID, "a1", at=100, approach=3000)
    air.clock.advance_ms(90)
    assert air.uid_at("a1") is None
    air.clock.advance_ms(rests_at)
    assert air.table.resting == {UID: "a1"}
    assert air.share("a1", 20) == 1.0


def test_a_hand_lifts_a_piece_out_of_reach(air: Air) -> None:
    air.table.rest(UID, "a1")
    air.clock.advance_ms(air.hands.lift(UID, at=50) + 1)
    assert air.table.resting == {}
    assert air.uid_at("a1") is None


def test_a_hand_slides_a_piece_to_the_next_square(air: Air) -> None:
    air.table.rest(UID, "a1")
    air.clock.advance_ms(air.hands.slide(UID, "a1", "b1", at=50) + 1)
    assert air.table.resting == {UID: "b1"}
    assert air.uid_at("a1") is None
    assert air.uid_at("b1") is not None


@pytest.mark.parametrize(
    ("kind", "error"),
    [(Noise.PARITY, Error.PARITY), (Noise.PROTOCOL, Error.PROTOCOL), (Noise.COLLISION, Error.COLLISION)],
)
def test_noise_shows_as_the_error_it_is(air: Air, kind: Noise, error: Error) -> None:
    air.table.rest(UID, "a1")
    air.clock.advance_ms(6)
    air.field.add_noise("a1", 1.0, (kind,))
    answer = air.field.transmit("a1", WUPA, air.clock.ns)
    assert answer is not None
    assert answer.errors == error


def test_a_flipped_bit_comes_with_its_parity_in_order(air: Air) -> None:
    air.table.rest(UID, "a1")
    air.clock.advance_ms(6)
    air.field.add_noise("a1", 1.0, (Noise.FLIPPED,))
    answer = air.field.transmit("a1", WUPA, air.clock.ns)
    assert answer is not None
    assert not answer.errors
    assert (int.from_bytes(answer.frame.data, "little") ^ 0x0004).bit_count() == 1


def test_a_ghost_is_heard_where_nobody_answers(air: Air) -> None:
    air.field.add_noise("a1", 1.0, (Noise.GHOST,))
    answer = air.field.transmit("a1", WUPA, air.clock.ns)
    assert answer is not None
    assert answer.errors == Error.PROTOCOL


def test_equal_seeds_give_equal_evenings() -> None:
    def evening(seed: int) -> list[bool]:
        air = Air(seed)
        air.table.hover(UID, "a1", 0.6)
        return [air.uid_at("a1") is not None for _ in range(60)]

    assert evening(7) == evening(7)
    assert evening(7) != evening(8)
