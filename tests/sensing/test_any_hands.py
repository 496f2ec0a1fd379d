"""Random hands and bad readers: nothing is reported that did not happen, and all that rests is."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from quarto_pi.rules import PIECES
from quarto_pi.sensing.board import Sensing
from quarto_pi.sensing.events import BoardEvent, ReaderFailed, ReaderRecovered, Settled
from quarto_pi.sensing.readings import CELLS, DEFAULT_TIMES, Outcome, SensingTimes
from tests.sensing.evenings import Verdict, hold_against, random_noise, watch
from tests.sensing.hands import TAGS, Hands, Noise, Table, touching
from tests.soak.hands import evening

Step = tuple[str, int, int, int]

CLEAN = Noise()
steps = st.lists(
    st.tuples(
        st.sampled_from(["act", "slide", "hover", "fail", "brown-out", "lift two"]),
        st.integers(0, 15),
        st.integers(0, 16),
        st.sampled_from([0, 100, 300, 1_000, 4_000]),
    ),
    max_size=12,
)
intervals = st.sampled_from([20, 40, 70, 100])
fast = settings(max_examples=5)


def bound_of(times: SensingTimes, interval: int) -> int:
    """How long a piece may rest, on readers that do not fail, before it has to be reported.

    What stood there before has to be doubted away, at a bit for each look at least and longer if much vanished
    at once; the tag has to lead all cells that it came by; and it has to rest.
    """
    looks = 2 * (times.removed_confidence + times.lead_sweeps + times.placed_after_sweeps)
    return times.vanished_after_ms + times.placed_after_ms + looks * interval


def played(actions: list[Step]) -> tuple[Hands, int]:
    """Hands that do these things, as far as they can be done, and when they have finished."""
    hands, at = Hands(), 2_000
    for kind, number, index, gap in actions:
        piece, cell = PIECES[number], CELLS[index]
        start, is_free = hands.where(piece), cell not in hands.occupied()
        match kind:
            case "fail":
                hands.fail((cell,), at, at + 3 * gap, Outcome.ERROR if number % 2 else Outcome.DEAD)
            case "brown-out":
                hands.fail(CELLS, at, at + gap)
            case "hover" if start is None:
                at = hands.hover(piece, cell, at, 150) + 600
            case "slide" if start is not None and is_free:
                at = hands.slide(piece, cell, at)
            case "lift two":
                for other in [one for one in PIECES if hands.where(one)][:2]:
                    at = hands.lift(other, at)
            case "act" if start is not None:
                at = hands.lift(piece, at)
            case "act" if is_free:
                at = hands.put(piece, cell, at)
            case _:
                pass
        at += gap
    return hands, at


def judged(hands: Hands, end: int, noise: Noise, seed: int, interval: int, bound: int) -> Verdict:
    """The verdict on an evening that ends with a quiet stretch, after which the photograph has to be true."""
    until = max([end, *(stop for _, _, stop, _ in hands.failing)]) + 2 * bound
    state, events = watch(Sensing(TAGS), Table(hands, noise, seed, interval).sweeps(until))
    failed: list[BoardEvent] = []
    if hands.failing:
        failed = [event for event in events if isinstance(event, ReaderFailed | ReaderRecovered)]
        # nobody can say how long a rest takes to be reported where a reader is dead meanwhile
        bound = until
    standing = {(rest.cell, rest.piece) for rest in hands.rests if rest.end is None}
    assert set(state.photograph.pieces) == standing
    settled = [event for event in events if isinstance(event, Settled)]
    assert set(settled[-1].photograph.pieces) == standing
    return hold_against(hands, [event for event in events if event not in failed], bound, bound, until)


@pytest.mark.slow
@fast
@given(steps, intervals, st.integers(0, 1_000))
def test_on_a_clean_board_every_event_happened_and_every_rest_is_reported_in_time(
    actions: list[Step], interval: int, seed: int
) -> None:
    hands, end = played(actions)
    verdict = judged(hands, end, CLEAN, seed, interval, bound_of(DEFAULT_TIMES, interval))
    assert (verdict.false, verdict.unreported) == ([], [])


@pytest.mark.slow
@fast
@given(steps, intervals, st.integers(0, 1_000))
def test_on_a_noisy_board_every_event_happened_and_every_rest_is_reported_in_time(
    actions: list[Step], interval: int, seed: int
) -> None:
    hands, end = played(actions)
    verdict = judged(hands, end, random_noise(seed, 0.3), seed, interval, 2 * bound_of(DEFAULT_TIMES, interval))
    assert (verdict.false, verdict.unreported) == ([], [])


@pytest.mark.slow
@fast
@given(st.integers(0, 15), st.integers(0, 15), intervals, st.integers(0, 1_000))
def test_a_weak_piece_beside_a_neighbour_that_hears_it_is_reported_and_stays(
    number: int, index: int, interval: int, seed: int
) -> None:
    piece, cell = PIECES[number], CELLS[index]
    noise = Noise(
        weak=frozenset({piece}), error=0.05, echoing=frozenset({(cell, touching(cell)[0])}), echo=0.3, garble=0.2
    )
    hands = Hands()
    hands.put(piece, cell, 2_000)
    verdict = judged(hands, 20_000, noise, seed, interval, 2 * bound_of(DEFAULT_TIMES, interval))
    assert (verdict.false, verdict.unreported) == ([], [])


@pytest.mark.slow
@pytest.mark.parametrize("seed", [0, *(pytest.param(seed, marks=pytest.mark.campaign) for seed in (1, 2))])
def test_an_evening_on_a_usual_board_has_no_false_event_and_every_rest_is_reported(seed: int) -> None:
    sweeps, verdict = evening(seed)
    assert sweeps > 2_000
    assert (verdict.false, verdict.unreported) == ([], [])


@pytest.mark.slow
def test_a_layer_that_believes_too_soon_is_found_out() -> None:
    hasty = SensingTimes(
        placed_after_ms=0, lead_sweeps=1, removed_after_ms=0, removed_confidence=1, vanished_after_ms=0
    )
    _, verdict = evening(0, Sensing(TAGS, hasty))
    assert verdict.false
