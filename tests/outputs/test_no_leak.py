"""D8 on pixels and lamps: nobody sees that an alignment exists until it is called or has lapsed.

The same hands are played twice, once by the rules and once on boards that never find an alignment. Whatever differs
before the moment of the call, or of the lapse, is a leak.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest

from quarto_pi.referee import Effect, Light, Show, Tell
from quarto_pi.referee.effects import Save
from quarto_pi.referee.messages import LookClosely
from quarto_pi.referee.view import Attention, Mark
from quarto_pi.rules import Board, Called, Missed, Player
from tests.chain.said import said_on_chain
from tests.games.evening import parse_evening
from tests.games.performance import Performance, Timed
from tests.outputs.stage import Sight, sights

LINE = "turn LTRF a1\nturn LSQH b1\nturn LTRH c1\nturn LSQF d1\n"
DIAGONAL = "turn DTRF a1\nturn DSRH b2\nturn DTQH c3\nturn LSQF b1\nturn LTRH a2\nturn DSQF d4\n"
SQUARE = "turn LTRF b2\nturn LSQH b3\nturn LTRH c2\nturn LSQF c3\n"
SEVERAL = "turn LTRF a1\nturn LTRH b1\nturn DTRF a2\nturn DTRH a3\nturn LTQF c1\nturn DTQF a4\nturn LTQH d1\n"

HANDS = {
    "the maker calls": f"{LINE}wait 8\npress call\nwait 6",
    "the receiver calls": f"{LINE}give DTRF\nwait 8\npress call",
    "it lapses": f"{LINE}wait 5\ngive DTRF\nwait 5\nput DTRF a2",
    "a diagonal": f"{DIAGONAL}wait 3\npress call",
    "several at once": f"{SEVERAL}give DSRF\nput DSRF d4",
    "a square of four": f"rules: squares\n{SQUARE}wait 3\npress call",
    "one trait": f"rules: traits colour\n{LINE}give DTRF\nwait 3\npress call",
    "the clock runs": f"rules: clock 30\n{LINE}wait 25\ngive DTRF\nwait 3\npress call",
    "the call comes before the placement": "turn LTRF a1\nturn LSQH b1\nturn LTRH c1\ngive LSQF\n"
    "press call\nwait 2\nput LSQF d1",
    "another call was false": f"turn DTQH d4\npress call\nwait 2\n{LINE}wait 3\npress call",
    "two buttons": f"buttons: 2\n{LINE}wait 3\npress call0",
    "giving is not sensed": f"give place: no\n{LINE}wait 8\nput DTRF a2",
    "giving is not sensed, two buttons": f"give place: no\nbuttons: 2\n{LINE}wait 3\npress call0",
    "a piece is put right meanwhile": f"{LINE}slide LTRF a2\nwait 5\nslide LTRF a1\nwait 3\npress call",
    "a reader is lost meanwhile": f"{LINE}dead b3\nwait 8\nalive b3\nwait 4\npress call",
    "the piece is moved on and back": f"{LINE}slide LSQF d2\nwait 3\nslide LSQF d1\nwait 3\npress call",
    "the menu is opened meanwhile": f"{LINE}hold call for 3.2\npress call 2 times\nwait 30\npress call",
}

MUCH_ALIKE = {
    "the receiver calls",
    "a diagonal",
    "a square of four",
    "one trait",
    "another call was false",
    "giving is not sensed, two buttons",
    "a reader is lost meanwhile",
    "the piece is moved on and back",
}
"""Different for the rules, and hardly for the outputs: these are in `make soak`."""


def effects_of_hands(hands: str) -> list[Timed]:
    """What the referee wants done when these hands play, as each effect's moment and the effect."""
    performance = Performance(parse_evening("no leak", f"title: Nothing leaks\n{hands}\nend\n"))
    performance.play()
    return performance.effects()


def twins(hands: str, monkeypatch: pytest.MonkeyPatch) -> tuple[list[Timed], list[Timed]]:
    """The same hands by the rules, and on boards without alignments."""
    real = effects_of_hands(hands)
    with monkeypatch.context() as blind:
        blind.setattr(Board, "alignments_through", lambda *_: ())
        return real, effects_of_hands(hands)


def revealed_at(effects: list[Timed]) -> int:
    """When an alignment was called, or had lapsed."""
    for at, effect in effects:
        match effect:
            case Tell(_, Missed()):
                return at
            case Tell(_, Called(alignments=alignments)) if alignments:
                return at
    pytest.fail("these hands have made no alignment")


def is_seen(effect: Effect) -> bool:
    """Whether outputs hear of it; what is kept of a game has its alignments, and nobody sees that."""
    return not isinstance(effect, Save)


def first_difference(real: list[Sight], twin: list[Sight]) -> int | None:
    """The moment of the first tick that somebody could tell the two by."""
    assert len(real) == len(twin) > 50
    return next((one.at for one, other in zip(real, twin, strict=True) if one != other), None)


@pytest.mark.slow
@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=pytest.mark.campaign if name in MUCH_ALIKE else ()) for name in HANDS]
)
def test_nobody_sees_an_alignment_before_it_is_called_or_has_lapsed(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    real, twin = twins(HANDS[name], monkeypatch)
    until = revealed_at(real)
    shown, blind = ([timed for timed in effects if timed[0] < until and is_seen(timed[1])] for effects in (real, twin))
    if shown == blind:
        return  # Outputs know nothing but the effects and the time: what is the same for them looks the same.
    assert first_difference(sights(real, until), sights(twin, until)) is None


@pytest.mark.slow
@pytest.mark.parametrize("name", ["the maker calls", "it lapses"])
def test_what_is_revealed_is_seen_on_display_panel_and_squares(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    real, twin = twins(HANDS[name], monkeypatch)
    since = revealed_at(real)
    seen, other = ([sight for sight in sights(of, since + 6_000) if sight.at >= since] for of in (real, twin))
    assert [sight.dots for sight in seen] != [sight.dots for sight in other]
    assert [sight.panel for sight in seen] != [sight.panel for sight in other]
    # While it is celebrated who has won, light runs over the other squares as well.
    lights = [(at, effect.lights) for at, effect in real if isinstance(effect, Light) and at >= since]
    calm_at = next(at for at, lit in lights if lit.squares and not lit.celebrates)
    calm = [sight for sight in seen if sight.at >= calm_at]
    assert {square for sight in calm for square in sight.squares} == {"a1", "b1", "c1", "d1"}
    assert not any(sight.squares for sight in other)


@pytest.mark.slow
def test_coach_would_be_noticed_as_a_leak(monkeypatch: pytest.MonkeyPatch) -> None:
    switched_on = "hold call for 3.2\npress call 7 times\nhold call for 1.2\npress call\nhold call for 1.2\n"
    real, twin = twins(f"{switched_on}{LINE}wait 3\npress call", monkeypatch)
    until = revealed_at(real)
    seen, other = sights(real, until), sights(twin, until)
    assert first_difference(seen, other) is not None
    assert [sight.dots for sight in seen] != [sight.dots for sight in other]
    assert [sight.panel for sight in seen] != [sight.panel for sight in other]


@pytest.mark.slow
@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=pytest.mark.campaign if name in MUCH_ALIKE else ()) for name in HANDS]
)
def test_nobody_on_the_chain_hears_of_it_either(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    real, twin = twins(HANDS[name], monkeypatch)
    until = revealed_at(real)
    assert said_on_chain(real, until) == said_on_chain(twin, until)
    assert said_on_chain(real) != said_on_chain(twin)


def with_hint(effect: Effect) -> Effect:
    """The display hints at something."""
    return Show(replace(effect.view, notice=LookClosely(Player.A))) if isinstance(effect, Show) else effect


def with_attention(effect: Effect) -> Effect:
    """The lamp for attention burns."""
    return Light(replace(effect.lights, attention=Attention.TOLD)) if isinstance(effect, Light) else effect


def with_square(effect: Effect) -> Effect:
    """One square is lit."""
    return Light(replace(effect.lights, squares=(("d1", Mark.WON),))) if isinstance(effect, Light) else effect


@pytest.mark.slow
@pytest.mark.parametrize("leak", [with_hint, with_attention, with_square])
def test_leak_through_a_single_display_would_be_noticed(
    leak: Callable[[Effect], Effect], monkeypatch: pytest.MonkeyPatch
) -> None:
    real, twin = twins(HANDS["it lapses"], monkeypatch)
    until = revealed_at(real)
    last = max(at for at, effect in real if isinstance(effect, Show | Light) and at < until)
    leaking = [(at, leak(effect) if at == last else effect) for at, effect in real]
    assert first_difference(sights(leaking, until), sights(twin, until)) is not None
