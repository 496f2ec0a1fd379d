"""A board of a chain whose guests play with those of another board, as a process that is there to be killed.

The real loop, referee, journal, chain and seat for other boards above the table of `tests/cafe`, with people who do
what the display says, and now and then something else. It says what `table` says, and is asked the same.
"""

from __future__ import annotations

import argparse
import random
from contextlib import ExitStack
from typing import Final

from quarto_pi.controller.computer import ThinkingComputer
from quarto_pi.controller.loop import Loop, Output
from quarto_pi.journal.queue import SettledQueue
from quarto_pi.journal.writer import open_journal
from quarto_pi.referee import Settings, State
from quarto_pi.referee.inputs import WantBoard
from quarto_pi.rules import PIECES, FalseCallRule, Options, Piece
from quarto_pi.sensing.board import Sensing
from quarto_pi.sensing.tags import TagTable
from quarto_pi.simulation.clock import SimulatedClock
from quarto_pi.wiring.chain import OpenChain, Surveyed
from tests.cafe.wood import UIDS, Wood, standing
from tests.chain_faults.stumbling import Stumbles
from tests.chain_faults.table import (
    Orders,
    Teller,
    announce,
    chain_config,
    complain,
    nobody,
    stumbles_of,
    table_options,
    wall_of,
)
from tests.chain_faults.wording import say
from tests.remote_play.people import PeopleAtBoard

CLUMSY: Final = (0.0, 0.05)
INVITES_AFTER_MS: Final = 5_000


class PeopleAtWood(PeopleAtBoard):
    """People at a real loop; those of one board invite, and those of the other one answer."""

    def __init__(self, wood: Wood, chance: random.Random, clumsy: float, *, invites: bool) -> None:
        super().__init__(chance, clumsy)
        self._wood = wood
        self._invites = invites
        self._asks_at = 0
        self.loop: Loop | None = None

    @property
    def seen_state(self) -> State:
        assert self.loop is not None
        assert self.loop.state is not None
        return self.loop.state

    @property
    def standing(self) -> dict[str, Piece]:
        return self._wood.cells_taken

    def put(self, piece: Piece, cell: str) -> None:
        self._wood.put(piece, cell)

    def lift(self, piece: Piece) -> None:
        # The display may ask for a piece that nobody sees there any more.
        if piece in self.standing.values():
            self._wood.lift(piece)

    def press(self) -> None:
        self._wood.press()

    def live(self, now: int) -> None:
        """Play with the other board, and with nobody else: whatever stands there between two games is taken off."""
        if self.seen_state.is_match_open:
            super().live(now)
        elif now >= self.busy_until:
            self.busy_until = now + self.chance.choice((400, 900))
            for piece in tuple(self.standing.values())[:1]:
                self.lift(piece)

    def look_for_others(self, now: int) -> None:
        """Invite the other board, or take its invitation."""
        state, others = self.seen_state, self.seen_state.others
        if state.is_match_open or others is None or now < self._asks_at or self.standing:
            return
        offered = others.free if self._invites else others.invitations
        if offered and not others.is_waiting:
            self._asks_at = now + INVITES_AFTER_MS
            choice = offered[0]
            assert self.loop is not None
            self.loop.post(lambda at: WantBoard(at, choice))


def play(wanted: argparse.Namespace, stack: ExitStack) -> None:
    """Play until the power fails."""
    stumbles: Stumbles = stumbles_of(wanted)
    draw, rules = random.Random(wanted.seed), random.Random(wanted.rules)
    clock = SimulatedClock()
    wood = Wood(dict(standing(wanted.standing)), clock, announce)
    wall = wall_of(wanted.days)
    settings = Settings(Options(squares=rules.random() < 0.5, false_call=rules.choice(tuple(FalseCallRule))))
    kept = open_journal(wanted.folder / "journal", settings, stack, at_once=True, wall=wall, is_on_chain=True)
    say(history=SettledQueue(wanted.folder / "journal").history())
    chain = OpenChain(chain_config(wanted), complain, wall)
    stack.callback(chain.close)
    chain.serve(kept.writer)
    sensing = Sensing(TagTable(dict(zip(UIDS, PIECES, strict=True))))
    shown: list[Output] = [Teller(), chain.output(Surveyed())]
    people = PeopleAtWood(wood, draw, draw.choice(CLUMSY), invites=wanted.invites)
    remembered = kept.remembered
    seat = chain.other_boards(kept, settings.rules)
    people.loop = Loop(
        *(wood, wood, clock, sensing, remembered.wishes, ThinkingComputer(nobody), shown, None, kept.writer),
        remembered.before,
        other_boards=seat,
    )
    orders = Orders(plays=not wanted.rests, stumbles=stumbles)
    people.loop.turn()
    say(plays=True)
    while True:
        people.loop.turn()
        now = clock.now() // 1_000
        people.live(now)
        state = people.seen_state
        if orders.plays:
            people.look_for_others(now)
        is_agreed = seat.match is None or seat.match.is_agreed
        orders.say_whether(rests=not orders.plays and not state.is_match_open and is_agreed)
        orders.pass_time(wanted.pace)


def main() -> None:
    """Sit down at the table."""
    parser = table_options("guests", __doc__)
    parser.add_argument("--rules", default="", help="the seed of its rules")
    parser.add_argument("--invites", action="store_true", help="and the other board answers")
    with ExitStack() as stack:
        play(parser.parse_args(), stack)


if __name__ == "__main__":
    main()
