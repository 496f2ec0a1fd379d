"""People at a board who play with another board: they do what the display asks for, and now and then something else."""

from __future__ import annotations

import random
from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import replace

from quarto_pi.referee import State
from quarto_pi.referee.messages import (
    Abandoned,
    BoardCleared,
    CarryOut,
    ChooseFirst,
    ClearTheBoard,
    Drawn,
    Forfeited,
    GiveNext,
    LastCall,
    LeftOver,
    MoveBack,
    NotGivenYet,
    Paused,
    PlaceThis,
    PlayAgain,
    Prompt,
    PutBack,
    StillThere,
    TakeOff,
    Won,
    WrongPiece,
)
from quarto_pi.rules import Game, Phase, Piece, Place, apply
from quarto_pi.sensing.readings import OFFER, SQUARE_NAMES


class PeopleAtBoard(ABC):
    """What people do, with a table of any kind; `clumsy` is the share of times in which it is something else."""

    def __init__(self, chance: random.Random, clumsy: float = 0.0) -> None:
        self.chance, self.clumsy = chance, clumsy
        self.busy_until = 0
        self.calls = True
        self.now = 0

    # --- the table ----------------------------------------------------------------------------------------------------

    @property
    @abstractmethod
    def standing(self) -> Mapping[str, Piece]:
        """What stands where."""

    @property
    @abstractmethod
    def seen_state(self) -> State:
        """What the referee knows; people know the rules, and what the display says."""

    @abstractmethod
    def put(self, piece: Piece, cell: str) -> None:
        """Put a piece down, from wherever it is."""

    @abstractmethod
    def lift(self, piece: Piece) -> None:
        """Take a piece up."""

    @abstractmethod
    def press(self) -> None:
        """Press the button for a moment."""

    @property
    def prompt(self) -> Prompt:
        """What the display says."""
        view = self.seen_state.view
        assert view is not None
        return view.prompt

    # --- the people ---------------------------------------------------------------------------------------------------

    def live(self, now: int) -> None:
        """Let the people do what they like."""
        self.now = now
        if now < self.busy_until:
            return
        self.busy_until = now + self.chance.choice((400, 900, 1_500, 2_500))
        if self.clumsy and self.chance.random() < self.clumsy:
            self._blunder()
        else:
            self._obey(self.prompt)

    def _blunder(self) -> None:
        """Do something that nobody has asked for."""
        free = [cell for cell in (*SQUARE_NAMES, OFFER) if cell not in self.standing]
        what = self.chance.choice(("press", "stray", "lift"))
        if what == "press":
            self.press()
        elif what == "stray" and self.seen_state.game.available:
            self.put(self.chance.choice(self.seen_state.game.available), self.chance.choice(free))
        elif what == "lift" and self.standing:
            self.lift(self.chance.choice(tuple(self.standing.values())))
        self.busy_until = self.now + 3_000

    def _obey(self, prompt: Prompt) -> None:  # noqa: C901, PLR0912 - one case for each prompt
        game = self.seen_state.game
        match prompt:
            case ChooseFirst() | GiveNext() if self._is_ours(prompt) and game.available:
                if self._sees(game):
                    self.press()
                else:
                    for piece in [self.standing[OFFER]] if OFFER in self.standing else []:
                        self.lift(piece)
                    self.put(self._gift(game), OFFER)
                    self.busy_until = self.now + 4_000
            case PlaceThis(piece=piece):
                if game.open and self._sees(game):
                    self.press()
                else:
                    self._place(game, piece)
            case CarryOut(piece=piece, square=square):
                self.put(piece, square.name)
            case LastCall():
                if self._sees(game):
                    self.press()
            case WrongPiece(piece=piece) | NotGivenYet(piece=piece) | TakeOff(piece=piece) | LeftOver(piece=piece):
                self.lift(piece)
            case PutBack(piece=piece, square=square) | MoveBack(piece=piece, square=square):
                self.put(piece, square.name)
            case StillThere(piece=piece, square=square) | BoardCleared(piece=piece, square=square):
                self.put(piece, square.name)
            case Paused():
                self.press()
            case Won() | Forfeited() | Drawn() | Abandoned() | PlayAgain() | ClearTheBoard():
                for piece in tuple(self.standing.values()):
                    self.lift(piece)
            case _:
                pass

    def _is_ours(self, prompt: ChooseFirst | GiveNext) -> bool:
        player = prompt.giver if isinstance(prompt, ChooseFirst) else prompt.player
        return self.seen_state.settings.seat(player).is_person

    def _sees(self, game: Game) -> bool:
        return self.calls and bool(game.open) and self.chance.random() < 0.6

    def _gift(self, game: Game) -> Piece:
        return self.chance.choice(game.available)

    def _place(self, game: Game, piece: Piece) -> None:
        free = [square for square in game.board.empty_squares if square.name not in self.standing]
        if not free:
            return
        winning = [each for each in free if self._wins(game, each.name)]
        square = self.chance.choice(winning) if winning and self.chance.random() < 0.5 else self.chance.choice(free)
        self.put(piece, square.name)
        self.busy_until = self.now + 1_500

    def _wins(self, game: Game, name: str) -> bool:
        square = next(each for each in game.board.empty_squares if each.name == name)
        return game.phase is Phase.PLACE and bool(apply(replace(game, latch=None), Place(square)).open)
