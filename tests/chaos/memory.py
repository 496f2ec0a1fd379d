"""What the people at the board mean: their own game, kept with the rules alone and not with the referee."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace

from quarto_pi.referee import Answer, Ask, Plan, Settings
from quarto_pi.referee.effects import GameFinished, Report
from quarto_pi.rules import (
    Action,
    Alignment,
    Call,
    Called,
    Ended,
    Event,
    Game,
    Give,
    Missed,
    Piece,
    Place,
    Placed,
    Player,
    Position,
    Result,
    Shifted,
    TimedOut,
    Undone,
    apply,
    pass_time,
)


@dataclass(frozen=True, slots=True)
class Happened:
    """Something that counts in a game, in a form in which what was meant and what was told can be compared."""

    what: str
    player: Player | None = None
    where: str = ""
    valid: bool | None = None
    alignments: frozenset[Alignment] = frozenset()
    position: Position | None = None
    at: int = field(default=0, compare=False)

    def __str__(self) -> str:
        lines = " ".join("-".join(square.name for square in line.squares) for line in self.alignments)
        words = (self.what, self.player and self.player.name, self.where, self.valid, lines, self.position)
        return f"{self.at} ms: " + " ".join(str(word) for word in words if word not in (None, ""))


class Memory:
    """One game as the people mean it, with the moments of what they do."""

    def __init__(self, settings: Settings, starter: Player, now: int) -> None:
        self._settings = settings
        sensed = settings.offer_reader or len(settings.people) < 2
        self.game = Game(replace(settings.rules, giving_sensed=sensed), starter, now=now)
        self.story: list[Happened] = []
        self.plan: Plan | None = None
        self.left_over: Piece | None = None
        """What lay on the give place when a placement was taken back: it makes room for what is given now."""

    @property
    def over(self) -> bool:
        """Whether the game has ended."""
        return self.game.over

    @property
    def is_for_computer(self) -> bool:
        """Whether the piece that is given next, or has been given, is the computer's to place."""
        return self._settings.seat(self.game.receiver).is_computer

    @property
    def is_by_computer(self) -> bool:
        """Whether the piece that is given next, or has been given, is the computer's to choose."""
        return self._settings.seat(self.game.giver).is_computer

    def pass_time(self, at: float) -> None:
        """Let time pass, with what falls due."""
        if not self.over and at > self.game.now:
            self._take(pass_time(self.game, int(at)))

    def act(self, action: Action, at: float) -> None:
        """Do something at a moment; after the end nothing counts any more."""
        self.pass_time(at)
        if not self.over:
            self._take(apply(self.game, action))
            if not isinstance(action, Call):
                self.plan = None

    def see_giving(self, *, sensed: bool) -> None:
        """Giving is sensed from now on, or is not any more: the display says so (D11)."""
        if not self.over and len(self._settings.people) == 2:
            self.game = replace(self.game, options=replace(self.game.options, giving_sensed=sensed))

    def hear_computer(self, ask: Ask, answer: Answer, stands_on: Callable[[str], Piece | None]) -> None:
        """The computer has decided: it calls, or gives, or has its piece placed, where that may stand already."""
        plan, hand = answer.plan, self.game.hand
        if answer.calls:
            if self.game.open_for(ask.player):
                self.act(Call(ask.player), answer.at)
        elif ask.position != self.game.position:
            # It has thought about what people have changed meanwhile.
            return
        elif hand is None and plan.give is not None:
            self.act(Give(plan.give), answer.at)
        elif hand is not None and plan.square is not None:
            self.plan = plan
            if stands_on(plan.square.name) == hand:
                self.carry_out(plan, answer.at)

    def carry_out(self, plan: Plan, at: float) -> None:
        """The computer's piece has come to rest on its square: it calls, or gives the next one."""
        player = self.game.receiver
        if plan.square is not None:
            self.act(Place(plan.square), at)
        if self.over:
            return
        if plan.call and self.game.open_for(player):
            self.act(Call(player), at)
        elif plan.give is not None:
            self.act(Give(plan.give), at)

    def _take(self, game: Game) -> None:
        self.game = replace(game, news=())
        for event in game.news:
            take(
                self.story,
                event if not isinstance(event, Ended) else GameFinished(event.result, game.position),
                game.now,
            )
        player = self.game.to_act
        if player is not None and self._settings.seat(player).is_computer and self.game.clock is not None:
            # Nobody measures the time of the hands that carry out the computer's moves.
            self.game = replace(self.game, clock=None)


def take(story: list[Happened], report: Report | Event, at: int) -> None:
    """Add a report to a story of what counts: pieces where they end up, calls, what was missed, how it ended."""
    match report:
        case Placed(square, piece, player):
            story.append(Happened("placed", player, f"{piece.letters} on {square.name}", at=at))
        case Shifted(_, square, piece, player):
            _move_last(story, Happened("placed", player, f"{piece.letters} on {square.name}", at=at))
        case Undone(square, piece, player):
            story.append(Happened("undone", player, f"{piece.letters} on {square.name}", at=at))
        case Called(player, valid, alignments):
            story.append(Happened("called", player, valid=valid, alignments=frozenset(alignments), at=at))
        case Missed(alignments):
            story.append(Happened("missed", alignments=frozenset(alignments), at=at))
        case TimedOut(player):
            story.append(Happened("timed out", player, at=at))
        case GameFinished(Result(winner, reason, alignments), position):
            # Which piece was in hand is held against the display all the time; an exchange may be too young to be told.
            board = Position(position.board, None)
            story.append(
                Happened("ended", winner, reason.value, alignments=frozenset(alignments), position=board, at=at)
            )
        case _:
            pass


def _move_last(story: list[Happened], placed: Happened) -> None:
    """Let the last placement end on another square: the squares on the way do not count (D5)."""
    index = max(number for number, happened in enumerate(story) if happened.what == "placed")
    story[index] = placed
