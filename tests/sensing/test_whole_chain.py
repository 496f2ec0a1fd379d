"""Hands, chips, bank and sensing layer together: nothing is told that did not happen, and all that rests is known.

`make soak` lives through a hundred thousand sweeps.
"""

import pytest

from quarto_pi.devices.readers.fields import FieldMode
from quarto_pi.rules import PIECES
from quarto_pi.sensing.tags import TagTable
from tests.soak.evening import UIDS, Evening


@pytest.mark.slow
@pytest.mark.parametrize(
    ("mode", "seed"),
    [
        (FieldMode.ONE_AT_A_TIME, 100),
        pytest.param(FieldMode.IN_TURN, 101, marks=pytest.mark.campaign),
        (FieldMode.INTERLEAVED, 102),
    ],
)
def test_an_evening_of_hands_faults_and_cross_talk_has_no_false_event(mode: FieldMode, seed: int) -> None:
    report = Evening(seed, mode).live(150)
    assert report.false_events == []
    assert report.wrong_pictures == []
    assert report.events["PiecePlaced"] > 2
    assert report.events["PieceLifted"] > 0


@pytest.mark.slow
def test_a_layer_that_takes_one_piece_for_another_is_found_out() -> None:
    exchanged = dict(zip(PIECES, (*PIECES[1:], PIECES[0]), strict=True))
    report = Evening(100, tags=TagTable({uid: exchanged[piece] for piece, uid in UIDS.items()})).live(80)
    assert report.false_events
    assert report.wrong_pictures


@pytest.mark.slow
def test_the_same_seed_makes_the_same_evening() -> None:
    first, second = (Evening(7).live(8) for _ in range(2))
    assert first == second
