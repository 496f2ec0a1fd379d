"""People at the table: what they know, what they see, and how they do the simple things."""

from __future__ import annotations

import random
from collections.abc import Callable, Generator

from quarto_pi.referee import ButtonName
from quarto_pi.referee.phases import Overlay
from quarto_pi.referee.view import Mark
from quarto_pi.rules import PIECES, Call, Calling, Give, Phase, Piece, Place, Player, Square, parse_square
from quarto_pi.sensing.readings import OFFER
from tests.chaos.cast import Cast
from tests.chaos.evening import Evening, Misjudged, Script
from tests.chaos.hands import Fingers, Hands
from tests.chaos.memory import Memory

WHO_CALLED = "WhoCalled"
PATIENCE_MS = 40_000.0
"""How long people go on doing what the display says before they call it stuck."""
DECIDED_MS = 9_000.0
"""How long after a call people know that it has been decided."""
INSIST_MS = 4_000.0
"""When the display does not follow for so long, people lift a piece and put it down again."""


class People:
    """Everybody at the table, and the game that they mean to play."""

    def __init__(self, evening: Evening, cast: Cast, draw: random.Random) -> None:
        self.evening = evening
        self.cast = cast
        self.settings = cast.settings
        self.random = draw
        self.hands = Hands(evening, draw)
        self.fingers = Fingers(evening, draw)
        self.memory = Memory(cast.settings, Player.A, evening.ms)
        self.put_away: Piece | None = None
        self.giving_up = False
        """They have had enough of this game, and put nothing back."""
        self.goes_on_at_once = False
        """They give the first piece of the next game before the board has said that it begins."""
        self.gives_again: Piece | None = None
        """What they gave when they ordered a new game, and give once more as its first piece."""
        self._asked_until = 0.0

    # --- what they know -----------------------------------------------------------------------------------------------

    @property
    def now(self) -> float:
        """Milliseconds of the evening."""
        return self.evening.now

    @property
    def senses_giving(self) -> bool:
        """Whether the people give on the give place."""
        return self.settings.offer_reader and OFFER not in self.unseen

    @property
    def gives_by_placing(self) -> bool:
        """Whether nobody but the people sees who gives what: two people without a give place."""
        return not self.memory.game.options.giving_sensed

    @property
    def is_asked_for(self) -> bool:
        """Whether the display asks to put something right."""
        return Overlay.MISMATCH in self.evening.view.overlays

    @property
    def unseen(self) -> list[str]:
        """The cells of which the display says that nothing is seen there."""
        return [cell for cell, mark in self.evening.shown.lit.items() if mark == Mark.UNSEEN.value]

    @property
    def free(self) -> list[Square]:
        """The squares on which really nothing stands."""
        taken = set(self.evening.table.resting.values())
        if not self.senses_giving:
            # Nobody sees who gives what, so people put nothing where nothing is seen.
            taken |= set(self.unseen)
        return [square for square in self.memory.game.board.empty_squares if square.name not in taken]

    def chance(self, probability: float) -> bool:
        """Whether something happens that happens so often."""
        return self.random.random() < probability

    def aligns(self, piece: Piece, square: Square) -> bool:
        """Whether a piece on a square would complete a line."""
        rules, board = self.memory.game.options, self.memory.game.board
        return bool(board.place(square, piece).alignments_through(square, rules.squares, rules.traits))

    def agrees(self) -> bool:
        """Whether the display shows the game that the people mean."""
        view, game = self.evening.view, self.memory.game
        if game.over:
            story = self.evening.told.story
            return bool(story) and story[-1].what == "ended"
        return view.result is None and (view.board, view.hand) == (game.board, game.hand) and not self.is_asked_for

    def agrees_on_hand(self) -> bool:
        """Whether everybody sees alike who has what: not while a give place that sees nothing is being found out."""
        return OFFER not in self.unseen or self.evening.view.hand == self.memory.game.hand

    # --- what they do -------------------------------------------------------------------------------------------------

    def rest(self) -> Script:
        """Leave a piece where it is for a while."""
        yield self.random.uniform(*self.cast.rest)

    def mind_clock(self) -> Script:
        """Do nothing in the last seconds of a move's time: nobody could tell whether it was done in time."""
        left = self.memory.game.time_left(int(self.now))
        if left is not None and 0 < left < 4_000:
            yield left + 4_500.0
        self.memory.pass_time(self.now)

    def until(self, happens: Callable[[], bool], what: str, patience: float = PATIENCE_MS) -> Script:
        """Wait for something, doing what the display says."""
        begin = self.now
        while not happens():
            if self.now - begin > patience:
                meant, wrong = self.memory.game.position, self.evening.wrong(self.memory)
                raise Misjudged(f"stuck while waiting for {what}: {self.evening.view.prompt}, meant {meant}, {wrong}")
            yield self.random.uniform(100, 300)
            if not happens():
                yield from self.obey()

    def follow(self) -> Script:
        """Wait until the display has followed."""
        yield from self.until(
            lambda: self.agrees() and (self.memory.over or not self.evening.wrong(self.memory)),
            "the table and the display to be right",
        )

    def call(self, player: Player, held: float | None = None) -> Script:
        """Press the button, and say who it was if that is asked."""
        yield from self.until(lambda: self.now >= self._asked_until, "the last call to be decided")
        game = self.memory.game
        last = game.final_call_until
        if self.memory.over or (last is not None and last - self.now < 1_500):
            # In the last moment of the final call nobody could tell whether it was in time.
            return
        is_asked = self.is_caller_asked
        expected = (game.maker if game.open else game.receiver) if is_asked else player
        self.mean_call(player)
        yield from self.fingers.press(self.button_of(player), None if is_asked else held)
        if is_asked:
            yield from self._say_who(confirms=player is expected)
        elif self.settings.asks_before_a_forfeit and game.options.calling is Calling.BUTTON:
            self._asked_until = self.now + DECIDED_MS
            if not self.memory.over and self.memory.game.latch is None and self.chance(0.3):
                yield from self._own_up(player)

    def _say_who(self, *, confirms: bool) -> Script:
        """Answer the question who called: wait for yes, press for the other one."""
        evening, pressed_at = self.evening, self.now
        if confirms and self.chance((1 - self.cast.attention) / 2):
            # They don't even look: whoever waits says yes. But they know that it takes a while.
            self._asked_until = self.now + DECIDED_MS
            return
        yield from self.until(lambda: evening.shown.prompt == WHO_CALLED, "the question who called")
        if not confirms:
            yield max(800.0 - (self.now - pressed_at), 1.0) + self.random.uniform(0, 2_000)
            yield from self.fingers.press(ButtonName.CALL)
        yield from self.until(lambda: evening.shown.prompt != WHO_CALLED, "the call to be decided")

    def _own_up(self, player: Player) -> Script:
        """Say who has pressed, though a false call loses the game (D14)."""
        evening = self.evening
        yield from self.until(lambda: evening.shown.prompt == WHO_CALLED, "the question who pressed")
        for _ in range(1 if evening.shown.presses_once is player else 2):
            yield self.random.uniform(800, 1_500)
            yield from self.fingers.press(ButtonName.CALL)
        self.memory.act(Call(player), self.now)
        yield from self.until(lambda: evening.shown.prompt != WHO_CALLED, "the call to be decided")

    @property
    def is_being_asked(self) -> bool:
        """Whether it may still be asked who called."""
        return self.now < self._asked_until or self.evening.shown.prompt == WHO_CALLED

    @property
    def is_caller_asked(self) -> bool:
        """Whether the display asks who called: one button, two people, and nobody sees who gives what (D11)."""
        game = self.memory.game
        is_open = game.phase is Phase.GIVE and bool(game.board.count) and game.options.calling is Calling.BUTTON
        return is_open and self.settings.buttons == 1 and self.gives_by_placing

    def button_of(self, player: Player) -> ButtonName:
        """The button that this player presses."""
        if self.settings.buttons == 1:
            return ButtonName.CALL
        return (ButtonName.CALL_A, ButtonName.CALL_B)[player.value]

    def mean_call(self, player: Player) -> None:
        """A player calls now, as far as that can be told from the button that is pressed."""
        memory = self.memory
        memory.pass_time(self.now)
        game = memory.game
        if game.options.calling is Calling.AUTO or (not game.board.count and game.hand is None):
            return
        caller = player
        people = self.settings.people
        if self.settings.buttons == 1 and len(people) == 1:
            caller = people[0]
        elif self.settings.buttons == 1 and not self.is_caller_asked:
            caller = game.receiver if game.phase is Phase.PLACE else game.maker or player
        self.evening.say("meant", f"{caller.name} calls")
        # Nobody loses by a press of which it is not known whose it was (D14).
        sure = self.is_caller_asked or not self.settings.asks_before_a_forfeit
        memory.act(Call(caller, sure), self.now)

    def mean_place(self, piece: Piece, square: Square) -> None:
        """The piece has come to rest: that is the move."""
        if self.memory.game.hand is None:
            self.memory.act(Give(piece), self.now)
        self.memory.act(Place(square), self.now)

    def mean_give(self, piece: Piece) -> None:
        """The piece is given."""
        self.memory.act(Give(piece), self.now)

    # --- what the display says ----------------------------------------------------------------------------------------

    def obey(self) -> Script:  # noqa: C901, PLR0912 - one case for each thing that may be asked
        """Do what the display says, once there was time to read it."""
        evening, shown = self.evening, self.evening.shown
        shown_for = self.now - max(evening.display.since, evening.touched_at)
        if shown_for < self.random.uniform(700, 2_000):
            return
        if (yield from self._answer(shown_for)):
            return
        piece, cells = next(iter(shown.pieces), None), shown.squares
        home = cells[shown.prompt == "MoveBack"] if shown.prompt in ("PutBack", "MoveBack") else None
        match shown.prompt:
            case "PutBack" | "MoveBack" if piece is not None and home is not None and self._belongs(piece, home):
                if self.giving_up:
                    return
                if evening.cell_of(piece) != home:
                    yield from self.hands.carry(piece, home)
                elif shown_for > INSIST_MS:
                    yield from self.again(piece, home)
            case "NotGivenYet" if piece is not None and self._has_placed(piece, cells[0]):
                # The give place has not seen it: once more, and slowly.
                yield from self.hands.carry(piece, OFFER)
                yield from self.again(piece, cells[0])
            case "WrongPiece" | "NotGivenYet" | "TakeOff" | "LeftOver" if piece is not None:
                if evening.cell_of(piece) == cells[0]:
                    yield from self.hands.lift(piece)
            case "TwoPieces":
                yield from self._make_room(cells[0])
            case "ClearTheBoard" if cells:
                for standing in PIECES:
                    if evening.cell_of(standing) == cells[0]:
                        yield from self.hands.lift(standing)
            case _ if shown_for > INSIST_MS and not self.memory.over:
                yield from self._insist()

    def _answer(self, shown_for: float) -> Generator[float, None, bool]:
        """Answer what the display asks, if people know it; whether there was something to answer."""
        evening, asked = self.evening, self.evening.shown.asked
        if asked is None:
            return False
        piece, square = asked
        where = evening.cell_of(piece)
        if (where not in (None, OFFER)) if square is None else (where == square):
            yield from self.fingers.press(self.button_of(self._asked(square)))
            yield 300.0
        elif square is not None and evening.shown.prompt == "StillThere" and self._belongs(piece, square):
            if not self.giving_up and shown_for > INSIST_MS / 2:
                yield from self.hands.carry(piece, square)
        return True

    def _belongs(self, piece: Piece, cell: str) -> bool:
        """Whether people know that a piece stands there in their game."""
        return self.memory.game.board[parse_square(cell)] == piece

    def _asked(self, square: str | None) -> Player:
        """Who answers: with two buttons whoever has the piece in question."""
        game, people = self.memory.game, self.settings.people or tuple(Player)
        return game.receiver if square is None and game.receiver in people else people[0]

    def _make_room(self, cell: str) -> Script:
        """Take off a cell what is not meant to be there."""
        game = self.memory.game
        meant = {game.hand, *(piece for square, piece in game.board.pieces.items() if square.name == cell)}
        for piece in PIECES:
            if self.evening.cell_of(piece) == cell and piece not in meant:
                yield from self.hands.lift(piece)

    def _has_placed(self, piece: Piece, cell: str) -> bool:
        """Whether a piece stands where it was meant to be placed."""
        meant = next((square for square, other in self.memory.game.board.pieces.items() if other == piece), None)
        return meant is not None and meant.name == cell == self.evening.cell_of(piece)

    def _insist(self) -> Script:
        """The board seems not to have seen the last thing that was done: do it once more."""
        game = self.memory.game
        if game.hand is not None and self.senses_giving and self.evening.view.hand != game.hand:
            where = self.evening.cell_of(game.hand)
            if where == OFFER:
                yield from self.again(game.hand, OFFER)
                return
            if where is None:
                # They took it away when the display asked for that; now it asks them to give.
                yield from self.hands.carry(game.hand, OFFER)
                return
        for square, piece in game.board.pieces.items():
            if self.evening.view.board[square] != piece and self.evening.cell_of(piece) == square.name:
                yield from self.again(piece, square.name)
                return

    def again(self, piece: Piece, cell: str) -> Script:
        """Lift a piece and put it down again, because the display does not follow."""
        self.evening.counts["done again"] += 1
        self.evening.say("hands", "once more")
        yield 1_500.0
        yield from self.hands.lift(piece)
        yield 1_000.0
        yield from self.hands.put(piece, cell)
        yield 1_000.0

    def clear(self, leaving: int = 0) -> Script:
        """Take everything off the board, or leave some pieces on their squares."""
        pieces = [piece for piece in PIECES if self.evening.cell_of(piece) is not None]
        self.random.shuffle(pieces)
        # What lies on the give place goes first, then what nobody hears: the board could not ask for it.
        pieces.sort(key=lambda piece: (self.evening.cell_of(piece) != OFFER, piece not in self.evening.mute))
        for piece in pieces[: len(pieces) - leaving]:
            self.evening.spawn(self.hands.lift(piece))
            yield self.random.choice((1.0, self.random.uniform(50, 400)))
        yield 300.0
