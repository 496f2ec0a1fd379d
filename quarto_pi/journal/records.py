"""What is written down: the journal's entries, and how they are made of effects. Nothing is written here.

What is settled is numbered for the hub of a chain: in each game from 1 without a gap, each number for one action only.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Final

from quarto_pi.referee import Begin, Continue, Effect, Keep, Save, Settings, Tell
from quarto_pi.referee.all_settings import IN_JOURNAL
from quarto_pi.referee.effects import ReaderFault, ReaderFaultGone, Report
from quarto_pi.referee.tally import NEWCOMER
from quarto_pi.rules import Game, Player, QuartoError, Record
from quarto_pi.rules.kinds import Medium, Plain
from quarto_pi.rules.notation import EMPTY_BOARD
from quarto_pi.trace.format import rules_and_players
from quarto_pi.trace.story import DURABLE_EVENTS, as_json

# --- Numbers of what is settled, for the hub of a chain: in each game from 1 without a gap ----------------------------


@dataclass(frozen=True, slots=True)
class SettledRow:
    """A settled action that waits for the hub: its game, its number there, its second of the calendar, the event."""

    game: int
    number: int
    at: float
    told: str

    @property
    def ends_game(self) -> bool:
        """Whether nothing of its game follows."""
        return bool(json.loads(self.told)["event"] == _RESULT)


@dataclass(frozen=True, slots=True)
class NewestAction:
    """The newest action that has a number; none, where no game is."""

    game: int = 0
    number: int = 0
    is_over: bool = True

    @classmethod
    def of(cls, row: SettledRow, shift: int = 0) -> NewestAction:
        """What is newest once this row is."""
        return cls(row.game + shift, row.number, row.ends_game)


_BEGUN: Final = "begun"
_RESULT: Final = "result"


def packed_event(fields: Mapping[str, object]) -> str:
    """An event as it is written down, always in the same letters."""
    return json.dumps(fields, separators=(",", ":"))


def unfinished_at(position: str) -> str:
    """The result of a game of which nothing more will be told."""
    return packed_event(
        {"event": _RESULT, "winner": None, "reason": "unfinished", "position": position, "alignments": []}
    )


class ActionNumbers:
    """Makes rows of what the referee tells.

    A game is told from its first action on, which is preceded by who plays by which rules. One that had begun before
    anybody wanted to be told is left out. One that gives way to the next without an end gets one then.
    """

    def __init__(self, newest: NewestAction) -> None:
        self._newest = newest
        self._position = EMPTY_BOARD
        self._beginning: tuple[int, str] | None = None
        self._is_told = False

    def rows_of(self, effect: Effect, at: float) -> Iterator[SettledRow]:
        """The rows that come of an effect at this second of the calendar."""
        match effect:
            case Begin(number=number, starter=starter, settings=settings, match=match):
                began = {"event": _BEGUN, **rules_and_players(settings, starter.value)}
                if match and settings.other_board is not None:
                    # Both boards tell of this game: by this the hub knows that it is one.
                    began |= {"match": match, "other": settings.other_board}
                self._beginning = number, packed_event(began)
                self._is_told = True
            case Continue(number=number, game=game):
                self._beginning = None
                self._is_told = number == self._newest.game and not self._newest.is_over
                self._position = str(game.position)
            case Save(game=game):
                self._position = str(game.position)
            case Tell(moment, report) if self._is_told:
                told = as_json(moment, report)
                if told.pop("t") is not None and told["event"] in DURABLE_EVENTS:
                    yield from self._begin(at)
                    yield self._row(at, packed_event(told))
            case _:
                pass

    def _begin(self, at: float) -> Iterator[SettledRow]:
        """What stands before the first action of a game: the end of the one before, if it has none."""
        if self._beginning is None:
            return
        if not self._newest.is_over:
            yield self._row(at, unfinished_at(self._position))
        (game, began), self._beginning = self._beginning, None
        self._newest = NewestAction(game, 0, is_over=False)
        yield self._row(at, began)

    def _row(self, at: float, told: str) -> SettledRow:
        row = SettledRow(self._newest.game, self._newest.number + 1, at, told)
        self._newest = NewestAction.of(row)
        return row


# --- What is written down: the rows of one settled action, which become one transaction -------------------------------


@dataclass(frozen=True, slots=True)
class GameRow:
    """A game as it stands. `waits` is what its record cannot tell: what has been used of times that are running."""

    number: int
    begun: float
    ended: float | None
    settings: str
    record: str
    waits: str
    winner: int | None
    reason: str | None
    played_ms: int
    missed: int
    level_a: int | None
    level_b: int | None


@dataclass(frozen=True, slots=True)
class EventRow:
    """Something that was told, at a second of the calendar."""

    game: int
    at: float
    told: str


@dataclass(frozen=True, slots=True)
class ReaderRow:
    """A reader that was lost, or works again."""

    cell: str
    at: float
    lost: bool


@dataclass(frozen=True, slots=True)
class ChoiceRow:
    """A setting that people chose, and what the file said."""

    key: str
    chosen: str
    file: str


@dataclass(frozen=True, slots=True)
class TakenRow:
    """What the hub has taken of a game: its settled actions up to a number need not be kept any more."""

    history: str
    game: int
    number: int


@dataclass(frozen=True, slots=True)
class MatchRow:
    """A game with another board as this one has it, by the name that both call it."""

    name: str
    kept: str


@dataclass(frozen=True, slots=True)
class AmendedRow:
    """How a game has ended after all that this board had given up, as the other board knew it by then."""

    number: int
    record: str
    winner: int | None
    reason: str


def amended_row(number: int, game: Game) -> AmendedRow:
    """A game that is over, as it stands instead of what was written of it."""
    result = game.result
    if result is None:
        raise ValueError(f"game {number} goes on: nothing is to be amended.")
    winner = None if result.winner is None else result.winner.value
    return AmendedRow(number, str(Record(game)), winner, result.reason.value)


@dataclass(frozen=True, slots=True)
class Entry:
    """All that one step of the referee wants to be kept: one game may end in it and the next one begin.

    On a board of a chain also what waits for the hub, what need not wait any more, and the games with other boards.
    """

    games: tuple[GameRow, ...] = ()
    events: tuple[EventRow, ...] = ()
    readers: tuple[ReaderRow, ...] = ()
    choices: tuple[ChoiceRow, ...] = ()
    settled: tuple[SettledRow, ...] = ()
    taken: tuple[TakenRow, ...] = ()
    matches: tuple[MatchRow, ...] = ()
    amended: tuple[AmendedRow, ...] = ()

    @property
    def is_settled(self) -> bool:
        """Whether something is settled by it; what is merely told may be written with the next one."""
        return bool(self.games or self.choices or self.matches or self.amended)


# --- What people have chosen at the table, as it is written down ------------------------------------------------------
#
# A choice wins over the configuration's `[game]` until the file says something else for that key.


def as_keys(settings: Settings) -> dict[str, Plain]:
    """Settings as plain values, one for each key."""
    return {row.name(Medium.JOURNAL): row.write(settings, Medium.JOURNAL) for row in IN_JOURNAL}


def as_settings(keys: Mapping[str, object], like: Settings) -> Settings:
    """These values, on a board with the wiring of `like`; what they leave out, or what no longer makes sense, too."""
    settings = like
    try:
        for row in IN_JOURNAL:
            name = row.name(Medium.JOURNAL)
            if name in keys:
                settings = row.read(settings, keys[name], Medium.JOURNAL)
    except QuartoError:
        # A value that another version knew: rather the file's settings than none.
        return like
    return settings


def chosen(rows: Mapping[str, tuple[str, str]], file: Settings) -> Settings:
    """The settings of a start: what people chose, for each key of which the file says the same as it did then."""
    now = as_keys(file)
    standing = {
        key: json.loads(choice) for key, (choice, said) in rows.items() if key in now and json.loads(said) == now[key]
    }
    return as_settings(standing, file)


# --- The scribe: what the referee wants to be kept, as entries of the journal. It writes nothing by itself ------------


@dataclass(frozen=True, slots=True)
class Running:
    """The game that is being played, and when it has begun, in seconds of the calendar."""

    number: int
    settings: Settings
    begun: float


class GameRecorder:
    """Knows which game is being played, and since when; a game that goes on has `begun` earlier.

    With `numbers`, on a board of a chain, what is settled is written down for the hub as well.
    """

    def __init__(
        self,
        file: Settings,
        wall: Callable[[], float],
        begun: float | None = None,
        numbers: ActionNumbers | None = None,
    ) -> None:
        self._file = {key: json.dumps(value) for key, value in as_keys(file).items()}
        self._wall = wall
        self._begun = begun
        self._numbers = numbers
        self._running: Running | None = None

    def entry_of(self, effects: Iterable[Effect]) -> Entry | None:
        """What is to be written of these effects; None if nothing is."""
        entry = _Draft()
        for effect in effects:
            if self._numbers is not None:
                entry.settled += self._numbers.rows_of(effect, self._wall())
            match effect:
                case Begin(number=number, settings=settings):
                    self._running = Running(number, settings, self._wall())
                case Continue(number=number, settings=settings):
                    self._running = Running(number, settings, self._wall() if self._begun is None else self._begun)
                case Tell(at, report):
                    entry.events.append(self._event(at, report))
                    if isinstance(report, ReaderFault | ReaderFaultGone):
                        lost = isinstance(report, ReaderFault)
                        entry.readers.append(ReaderRow(report.cell, self._wall(), lost))
                case Save():
                    row = self._game(effect)
                    if row is not None:
                        entry.games[row.number] = row
                case Keep(settings):
                    entry.choices = self._choices(settings)
                case _:
                    pass
        return entry.finished()

    def _event(self, at: int, report: Report) -> EventRow:
        told = json.dumps(as_json(at, report), separators=(",", ":"))
        return EventRow(self._running.number if self._running else 0, self._wall(), told)

    def _game(self, saved: Save) -> GameRow | None:
        running = self._running
        if running is None:
            return None
        game = saved.game
        result = game.result
        first, second = (running.settings.seat(player).level for player in Player)
        return GameRow(
            number=running.number,
            begun=running.begun,
            ended=self._wall() if game.over else None,
            settings=json.dumps(as_keys(running.settings)),
            record=str(Record(game)),
            waits=json.dumps(waits_of(saved)),
            winner=None if result is None or result.winner is None else result.winner.value,
            reason=None if result is None else result.reason.value,
            played_ms=saved.played_ms,
            missed=len(game.missed),
            level_a=first,
            level_b=second,
        )

    def _choices(self, settings: Settings) -> tuple[ChoiceRow, ...]:
        return tuple(ChoiceRow(key, json.dumps(value), self._file[key]) for key, value in as_keys(settings).items())


class _Draft:
    """An entry on its way."""

    def __init__(self) -> None:
        self.games: dict[int, GameRow] = {}
        self.events: list[EventRow] = []
        self.readers: list[ReaderRow] = []
        self.choices: tuple[ChoiceRow, ...] = ()
        self.settled: list[SettledRow] = []

    def finished(self) -> Entry | None:
        # What is settled has been told as well.
        if not (self.games or self.events or self.readers or self.choices):
            return None
        return Entry(
            tuple(self.games.values()), tuple(self.events), tuple(self.readers), self.choices, tuple(self.settled)
        )


SCORE_KEYS: Final = ("won_by_a", "won_by_b")
"""The keys of what both sides had won in the sitting."""


SKILL_KEYS: Final = ("skill", "skill_games")
"""The keys of how well the person had played in it, in thousandths of a level, and in how many games."""


def waits_of(saved: Save) -> dict[str, int]:
    """What a record does not tell: a call that waits, a move's time, what is left over, and the score so far."""
    game = saved.game
    waits = {} if game.latch is None else {"latched": game.latch.player.value}
    if game.clock is not None:
        at = game.now if game.paused_since is None else game.paused_since
        waits |= {"used_ms": at - game.clock.started, "told": int(game.clock.told)}
    if saved.left_over is not None:
        waits["left_over"] = saved.left_over.number
    if any(saved.score):
        waits |= dict(zip(SCORE_KEYS, saved.score, strict=True))
    if saved.skill != NEWCOMER:
        # In thousandths, as everything here is a whole number.
        waits |= dict(zip(SKILL_KEYS, (round(1000 * saved.skill.level), saved.skill.games), strict=True))
    return waits
