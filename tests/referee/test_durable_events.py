"""Which events are kept with the game before they are told, over evenings in which all of them happen."""

from __future__ import annotations

import pytest

from quarto_pi.referee import Effect, Keep, Save, Tell, fold, start
from quarto_pi.trace.story import DURABLE_EVENTS, as_json
from tests.games.evening import HERE
from tests.referee.heard_evenings import heard

EVENINGS = (
    "call-waiting-and-undo",
    "d04-time-out-forfeits",
    "d03-nobody-calls-the-sixteenth",
    "call-just-after-the-lapse",
    "fault-piece-gone-when-the-reader-is-back",
    "d05-moved-after-giving",
)
OTHERS = {"lifted", "mismatch", "resolved", "reader_fault", "reader_recovered"}


def told(effects: tuple[Effect, ...]) -> set[str]:
    return {f"{as_json(effect.at, effect.report)['event']}" for effect in effects if isinstance(effect, Tell)}


def steps_of(name: str) -> list[tuple[Effect, ...]]:
    evening = heard(name)
    state, effects = start(evening.settings, 0, evening.patience, evening.before)
    steps = [effects]
    for received in evening.inputs:
        state, effects = fold(state, received)
        steps.append(effects)
    return steps


def kept_and_not(names: tuple[str, ...]) -> tuple[set[str], set[str]]:
    """The events of these evenings that came with something that settles, and those that came without."""
    kept: set[str] = set()
    others: set[str] = set()
    for effects in (step for name in names for step in steps_of(name)):
        is_kept = any(isinstance(effect, Save | Keep) for effect in effects)
        (kept if is_kept else others).update(told(effects))
    return kept, others


def test_durable_events_always_come_with_the_game_to_be_kept_and_the_others_need_not() -> None:
    kept, others = kept_and_not(EVENINGS)
    assert set(DURABLE_EVENTS) <= kept
    assert others == OTHERS


@pytest.mark.campaign
def test_durable_events_always_come_with_the_game_to_be_kept_in_every_evening() -> None:
    _, others = kept_and_not(tuple(sorted(file.stem for file in HERE.glob("*.game"))))
    assert others == OTHERS
