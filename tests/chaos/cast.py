"""Who plays what this evening: drawn from the seed."""

from __future__ import annotations

import random
from dataclasses import dataclass

from quarto_pi.devices.readers.fields import FieldMode
from quarto_pi.referee import PERSON, Seat, Settings, Starter
from quarto_pi.rules import ALL_TRAITS, Calling, FalseCallRule, Options, TimeOut


@dataclass(frozen=True, slots=True)
class Cast:
    """A board, the rules that are played by, and how the people are.

    `mischief` is how often something goes wrong, `attention` how often people wait until the display follows, `rest`
    how many milliseconds a piece lies at least before somebody goes on, `eager` how often a winning square is taken.
    """

    settings: Settings
    mode: FieldMode
    mischief: float
    attention: float
    rest: tuple[float, float]
    eager: float
    calls: float
    faults: float
    overheard: int
    games: int


def cast_of(seed: int) -> Cast:
    """The evening of a seed."""
    draw = random.Random(f"{seed} cast")
    computer = Seat(3)
    seats = draw.choices(
        [(PERSON, PERSON), (PERSON, computer), (computer, PERSON), (computer, computer)], [55, 25, 14, 6]
    )[0]
    auto = draw.random() < 0.2
    rules = Options(
        squares=draw.random() < 0.3,
        traits=ALL_TRAITS if draw.random() < 0.6 else tuple(draw.sample(ALL_TRAITS, draw.randint(1, 3))),
        calling=Calling.AUTO if auto else Calling.BUTTON,
        false_call=draw.choice((FalseCallRule.REFUSE, FalseCallRule.REFUSE, FalseCallRule.FORFEIT)),
        time_out=draw.choice((TimeOut.SHOW, TimeOut.FORFEIT)),
        clock_ms=draw.choice((None, None, None, 60_000)),
    )
    settings = Settings(
        rules,
        seats,
        draw.choice((Starter.A, Starter.B, Starter.IN_TURN)),
        offer_reader=draw.random() < 0.65,
        buttons=draw.choice((1, 1, 2)),
        undo=draw.random() < 0.85,
    )
    hasty = draw.random() < 0.5
    return Cast(
        settings,
        draw.choices(list(FieldMode), [8, 1, 1])[0],
        mischief=draw.choice((0.0, 0.1, 0.3, 0.6)),
        attention=draw.choice((0.0, 0.2, 0.6, 1.0)),
        rest=(700, 1_200) if hasty else (800, 3_000),
        eager=draw.choice((0.0, 0.1, 0.5, 0.9)),
        calls=draw.choice((0.2, 0.5, 0.9)),
        faults=draw.choice((0.0, 0.0, 0.1, 0.3)),
        overheard=draw.choice((0, 0, 3, 5)),
        games=draw.choices((1, 2), (70, 30))[0],
    )
