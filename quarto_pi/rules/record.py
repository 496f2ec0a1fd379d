"""A game as text: headers, gives, placements and calls, and back to a `Game`.

    [Starter "0"]
    [Winner "1"]
    [Reason "call"]

    1. 7 2. b2 c 3. a1 4 4. c3 call1

Move 1 gives a piece; every later one places the given piece and gives the next. `call0` and `call1` are a player's call
at that moment: after the square by whoever placed, after the given piece by whoever received it. `call1?` was a false
call. `undone` stands after a square to which an undo has come back: the piece stays there, its alignments have lapsed.
A game that did not begin on the empty board has a header `Position`. Headers that this module does not know are kept.
"""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import TypeVar

from quarto_pi.rules.actions import Call, Clear, Give, Place, apply
from quarto_pi.rules.board import Board, Position
from quarto_pi.rules.errors import GameOver, NotationError, QuartoError
from quarto_pi.rules.game import Game, Phase, Reason
from quarto_pi.rules.kinds import Medium, ValueRefused
from quarto_pi.rules.notation import parse_digit, parse_position, parse_square
from quarto_pi.rules.options import IN_RECORD, Calling, Options
from quarto_pi.rules.piece import Player
from quarto_pi.rules.turns import false_call, forfeit, lapse

_T = TypeVar("_T")

_HEADER = re.compile(r'\[(\w+) "([^"]*)"\]')
_NUMBER = re.compile(r"(\d+)\.")
_CALL = re.compile(r"call([01])(\??)")
_UNDONE = "undone"
_OURS = ("Position", "Starter", *(row.name(Medium.RECORD) for row in IN_RECORD), "Winner", "Reason")


@dataclass(frozen=True, slots=True)
class Record:
    """A game to be written down, or read back: the game and what else its headers tell."""

    game: Game
    headers: Mapping[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for name, value in self.headers.items():
            if not _HEADER.fullmatch(f'[{name} "{value}"]') or value.splitlines() not in ([], [value]):
                raise NotationError(
                    f"the header {name!r} with {value!r} cannot be written: "
                    "its name is one word, its text one line without quotation marks."
                )

    def __str__(self) -> str:
        lines = [f'[{name} "{value}"]' for name, value in {**self.headers, **_headers(self.game)}.items()]
        return "\n".join([*lines, "", *textwrap.wrap(" ".join(_moves(self.game)), 78), ""])


def parse_record(text: str) -> Record:
    """The game in this text, played again by the rules: whatever does not fit them is an error that names the move.

    >>> parse_record("1. 7 2. b2 c").game.position.hand
    Piece(number=12)
    """
    headers, words = _split(text)
    game = _beginning(headers)
    number = 0
    for word in words:
        numbered = _NUMBER.fullmatch(word)
        if numbered is not None:
            number += 1
            if numbered[1].lstrip("0") != f"{number}":
                raise NotationError(f"move {number} is expected where {word!r} stands: write '{number}.' there.")
            continue
        try:
            game = _step(game, word, number)
        except QuartoError as error:
            raise NotationError(f"move {number}, {word!r}: {error}") from error
    game = _finished(game, headers)
    return Record(game, {name: value for name, value in headers.items() if name not in _OURS})


def split_records(text: str) -> list[str]:
    """The records of a text that holds several, one after the other: each begins with its headers."""
    records: list[list[str]] = [[]]
    for line in text.splitlines(keepends=True):
        if line.startswith("[") and records[-1] and not records[-1][-1].startswith("["):
            records.append([])
        records[-1].append(line)
    return [text for record in records if (text := "".join(record)).strip()]


def _step(game: Game, word: str, number: int) -> Game:
    """The game after one word of move `number`."""
    call = _CALL.fullmatch(word)
    if call is not None:
        return _call(game, Player(int(call[1])), valid=not call[2])
    if word == _UNDONE:
        return replace(lapse(game), fixed=True, news=())
    if word.startswith("call"):
        raise NotationError("a call is written call0 or call1, with '?' behind it where it was false.")
    game = apply(game, Give(parse_digit(word)) if len(word) == 1 else Place(parse_square(word)))
    belongs_to = len(game.turns) + 1
    if number != belongs_to:
        raise NotationError(f"this belongs to move {belongs_to}: write '{belongs_to}.' before it.")
    return game


def _call(game: Game, player: Player, valid: bool) -> Game:
    if valid and not game.over and not game.open_for(player):
        raise NotationError(f"a call by player {player.value} does not count here; a false one is written with '?'.")
    if valid or game.options.calling is Calling.AUTO:
        return apply(game, Call(player))
    if game.over:
        raise GameOver("the game is over: nobody can call any more.")
    # Where giving is not sensed a piece may be moved into an alignment after somebody has called in vain (D5, D11).
    if game.open_for(player) and game.options.giving_sensed:
        raise NotationError(f"the call of player {player.value} was not false; write it without '?'.")
    # A false call is written where it was decided: one that was latched must not wait for a placement again.
    return false_call(game, player)


def _headers(game: Game) -> dict[str, str]:
    options, start = game.options, _start(game)
    headers = {} if start == Position() else {"Position": str(start)}
    headers["Starter"] = f"{game.starter.value}"
    headers |= {row.name(Medium.RECORD): f"{row.write(options, Medium.RECORD)}" for row in IN_RECORD}
    if game.result is not None:
        headers["Winner"] = "-" if game.result.winner is None else f"{game.result.winner.value}"
        headers["Reason"] = game.result.reason.value
    return headers


def _start(game: Game) -> Position:
    """The position before the first give that is known."""
    placed = {turn.square for turn in game.turns}
    return Position(Board.of({square: piece for square, piece in game.board.pieces.items() if square not in placed}))


def _moves(game: Game) -> Iterator[str]:
    """The words of the moves, each move after its number."""
    pieces = [turn.piece for turn in game.turns]
    if game.hand is not None:
        pieces.append(game.hand)
    before = game.board.count - len(game.turns)
    for index in range(len(game.turns) + 1):
        words = [game.turns[index - 1].square.name] if index else []
        if index and (_had_lapsed(game, before + index) or (index == len(game.turns) and _came_back(game))):
            words.append(_UNDONE)
        words.extend(_calls(game, before + index, given=False))
        if index < len(pieces):
            words.append(pieces[index].digit)
            words.extend(_calls(game, before + index, given=True))
        if words:
            yield f"{index + 1}."
            yield from words


def _came_back(game: Game) -> bool:
    """Whether an undo came back to the last placement: it stays where it is, for no call's sake, or has lapsed."""
    last = game.turns[-1]
    called = any(call.placed == game.board.count and call.player is last.player for call in game.calls)
    lapsed = not game.open and any(last.square in alignment.squares for alignment in game.missed)
    return (game.fixed and not called) or (lapsed and game.phase is not Phase.OVER)


def _had_lapsed(game: Game, placed: int) -> bool:
    """Whether somebody called falsely at the right moment, which an undo's coming back had made too late."""
    turns = game.turns[: placed - _start(game).board.count]
    called = any(
        call.placed == placed and not call.valid and call.given is not (call.player is turns[-1].player)
        for call in game.calls
    )
    if not called or not game.options.giving_sensed:
        return False
    board = Board.of({**_start(game).board.pieces, **{turn.square: turn.piece for turn in turns}})
    return bool(board.alignments_through(turns[-1].square, game.options.squares, game.options.traits))


def _calls(game: Game, placed: int, given: bool) -> Iterator[str]:
    for call in game.calls:
        if (call.placed, call.given) == (placed, given):
            yield f"call{call.player.value}{'' if call.valid else '?'}"


def _split(text: str) -> tuple[dict[str, str], list[str]]:
    """The headers and the words after them."""
    headers: dict[str, str] = {}
    words: list[str] = []
    for number, line in enumerate(text.splitlines(), start=1):
        if not line.startswith("["):
            words.extend(line.split())
            continue
        match = _HEADER.fullmatch(line.strip())
        if match is None:
            raise NotationError(f'line {number}: {line.strip()!r} is not a header; write it as [Starter "0"].')
        if match[1] in headers:
            raise NotationError(f"line {number}: the header {match[1]} stands there twice; keep one.")
        if words:
            raise NotationError(f"line {number}: the header {match[1]} stands after the moves; headers come first.")
        headers[match[1]] = match[2]
    if words and not _NUMBER.fullmatch(words[0]):
        raise NotationError(f"the moves begin with {words[0]!r} instead of '1.'.")
    return headers, words


def _beginning(headers: Mapping[str, str]) -> Game:
    """The game before its first move."""
    options = _options(headers)
    starter = _choice(headers, "Starter", "0", {"0": Player.A, "1": Player.B})
    if "Position" not in headers:
        return Game(options=options, starter=starter)
    try:
        position = parse_position(headers["Position"])
    except NotationError as error:
        raise NotationError(f"the header Position: {error}") from error
    return Game.from_position(position, options, starter)


def _options(headers: Mapping[str, str]) -> Options:
    """The rules that the headers tell; what they leave out is as usual."""
    options = Options()
    for row in IN_RECORD:
        name = row.name(Medium.RECORD)
        if name not in headers:
            continue
        try:
            options = row.read(options, headers[name], Medium.RECORD)
        except ValueRefused as error:
            if error.reason:
                raise NotationError(f"the header {name}: {error.reason}") from error
            raise NotationError(f"the header {name} says {headers[name]!r}; it can say {error.allowed}.") from error
    return options


def _choice(headers: Mapping[str, str], name: str, default: str, values: Mapping[str, _T]) -> _T:
    text = headers.get(name, default)
    if text not in values:
        raise NotationError(f"the header {name} says {text!r}; it can say {' or '.join(values)}.")
    return values[text]


def _finished(game: Game, headers: Mapping[str, str]) -> Game:
    """The game with the end that its headers tell, where the moves alone do not tell it."""
    if "Reason" not in headers and "Winner" not in headers:
        return game
    reason = _choice(headers, "Reason", "", {reason.value: reason for reason in Reason})
    winner = _choice(headers, "Winner", "-", {"0": Player.A, "1": Player.B, "-": None})
    if not game.over and reason in (Reason.DRAW, Reason.UNFINISHED):
        game = apply(game, Clear())
    if not game.over and reason is Reason.FORFEIT and winner is not None:
        game = forfeit(game, winner.other)
    if game.result is None or (game.result.winner, game.result.reason) != (winner, reason):
        found = "no end" if game.result is None else f"'{game.result.reason.value}'"
        wanted = f"'{reason.value}' with the winner {headers.get('Winner', '-')}"
        raise NotationError(f"the headers tell the end {wanted}, but the moves lead to {found}: correct one of them.")
    return game
