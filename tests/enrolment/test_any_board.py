"""Readers that mishear, and random hands: no UID is enrolled that no tag has, and no tag for two pieces."""

from __future__ import annotations

import random
from collections.abc import Callable

import pytest

from quarto_pi.enrolment import Task
from quarto_pi.rules import PIECES
from quarto_pi.sensing.readings import OFFER, SQUARE_NAMES, Outcome, Reading, squares_touch
from tests.enrolment.table import TABLE, UIDS, Guided, guided
from tests.sensing.hands import garbled

pytestmark = pytest.mark.slow

SEEDS = [0, 1, *(pytest.param(seed, marks=pytest.mark.campaign) for seed in range(2, 8))]


def mishearing(guide: Guided, rng: random.Random) -> Callable[[str, tuple[str, ...]], Reading | None]:
    """Readers that fail, miss, garble, invent, overhear their neighbours, and are not always looked at."""
    weak = {uid: rng.choice((1.0, 1.0, 0.7)) for uid in UIDS}
    overheard = {
        (cell, other) for cell in SQUARE_NAMES for other in SQUARE_NAMES if cell != other and squares_touch(cell, other)
    }
    hearing = {pair: rng.choice((0.0, 0.0, 0.0, 0.2, 0.4)) for pair in sorted(overheard)}

    def look(cell: str, uids: tuple[str, ...]) -> Reading | None:
        if rng.random() < 0.05:
            return None
        if rng.random() < 0.05:
            return Reading(cell, Outcome.ERROR, (), 0)
        heard = [uid for uid in uids if rng.random() < weak[uid]]
        for (other, here), share in hearing.items():
            if here == cell and rng.random() < share:
                heard += [uid if rng.random() < 0.7 else garbled(uid, rng) for uid in guide.lying.get(other, ())]
        if rng.random() < 0.03:
            heard = [rng.randbytes(7).hex().upper()]
        if rng.random() < 0.03:
            heard = [garbled(uid, rng) for uid in heard]
        heard = list(dict.fromkeys(heard))[:2]
        return Reading(cell, (Outcome.EMPTY, Outcome.TAG, Outcome.SEVERAL)[len(heard)], tuple(heard), 0)

    return look


@pytest.mark.parametrize("seed", SEEDS)
def test_nothing_is_enrolled_but_tags_that_were_put_down_each_for_one_piece(seed: int) -> None:
    rng = random.Random(seed)
    guide = guided(Task(waits=True))
    guide.look = mishearing(guide, rng)
    put_down: set[str] = set()
    for _ in range(60):
        act = rng.random()
        cell = rng.choice((*SQUARE_NAMES, OFFER))
        if act < 0.65 and cell not in guide.lying:
            uid = rng.choice(UIDS)
            put_down.add(uid)
            guide.put(uid, cell, sweeps=rng.randrange(1, 30))
        elif act < 0.9 and guide.lying:
            guide.take(rng.choice(sorted(guide.lying)), sweeps=rng.randrange(1, 15))
        elif act < 0.95:
            guide.press()
        elif rng.random() < 0.3:
            guide.hold()
        table = guide.state.roll.table.pieces
        assert set(table) <= put_down
        assert len(set(table.values())) == len(table)
        for stored in guide.stored:
            assert len(set(stored.pieces.values())) == len(stored.pieces)


@pytest.mark.parametrize("seed", SEEDS)
def test_noise_alone_enrols_nothing(seed: int) -> None:
    rng = random.Random(seed)
    guide = guided()

    def look(cell: str, _: tuple[str, ...]) -> Reading | None:
        uids = tuple(rng.randbytes(rng.choice((4, 7))).hex().upper() for _ in range(rng.choice((0, 1, 1, 2))))
        return Reading(cell, (Outcome.EMPTY, Outcome.TAG, Outcome.SEVERAL)[len(uids)], uids, 0)

    guide.look = look
    guide.sweep(100)
    assert guide.state.roll.table.pieces == {}


@pytest.mark.parametrize("seed", SEEDS)
def test_on_a_noisy_board_patient_hands_enrol_all_sixteen_rightly(seed: int) -> None:
    rng = random.Random(seed)
    guide = guided(Task(waits=True))
    guide.look = mishearing(guide, rng)
    for piece, uid in zip(PIECES, UIDS, strict=False):
        for _ in range(30):
            if piece in guide.state.roll.table.pieces.values():
                break
            cell = rng.choice(SQUARE_NAMES)
            guide.put(uid, cell, sweeps=40)
            guide.take(cell, sweeps=10)
    assert guide.state.roll.table == TABLE


@pytest.mark.parametrize("seed", SEEDS)
def test_the_same_looks_and_presses_lead_to_the_same_guide(seed: int) -> None:
    def played() -> Guided:
        rng = random.Random(seed)
        guide = guided()
        guide.look = mishearing(guide, rng)
        for uid in UIDS[:4]:
            guide.put(uid, rng.choice(SQUARE_NAMES))
        return guide

    assert played().effects == played().effects
