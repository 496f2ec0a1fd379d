"""A finished game as text: headers, gives, placements and calls, and back to a `Game`.

    [Starter "0"]
    [Winner "1"]
    [Reason "call"]

    1. 7 2. b2 c 3. a1 4 4. c3 call1

Move 1 gives a piece; every later one places the given piece and gives the next. `call0` and `call1` are a player's call
at that moment: after the square by whoever placed, after the given piece by whoever received it. `call1?` was a false
call. Headers that this module does not know are kept.
"""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import TypeVar

from quarto_pi.rules.actions import Action, Call, Clear, Give, Place
from quarto_pi.rules.apply import apply
from quarto_pi.rules.calling import fail
from quarto_pi.rules.ending import forfeit
from quarto_pi.rules.errors import NotationError, QuartoError
from quarto_pi.rules.events import Reason, Result
from quarto_pi.rules.game import Game
from quarto_pi.rules.notation import format_traits, parse_digit, parse_square, parse_traits
from quarto_pi.rules.options import Calling, FalseCall, Options
from quarto_pi.rules.player import Player

_T = TypeVar("_T")

_HEADER = re.compile(r'\[(\w+) "([^"]*)"\]')
_NUMBER = re.compile(r"(\d+)\.")
_CALL = re.compile(r"call([01])(\??)")
_TRUTH = {"true": True, "false": False}
_OURS = ("Starter", "Squares", "Traits", "Calling", "FalseCall", "GivingSensed", "Winner", "Reason")


@dataclass(frozen=True, slots=True)
class Record:
    """A game to be written down, or read back: the game and what else its headers tell."""

    game: Game
    headers: Mapping[str, str] = field(default_factory=dict)

    def __str__(self) -> str:
        lines = [f'[{name} "{value}"]' for name, value in {**self.headers, **_headers(self.game)}.items()]
        return "\n".join([*lines, "", *textwrap.wrap(" ".join(_moves(self.game)), 78), ""])


def parse_record(text: str) -> Record:
    """The game in this text, played again by the rules: whatever does not fit them is an error that names the move.

    >>> parse_record("1. 7 2. b2 c").game.position.hand
    Piece(number=12)
    """
    headers, moves = _split(text)
    starter = _choice(headers, "Starter", "0", {"0": Player.A, "1": Player.B})
    game = Game(options=_options(headers), starter=starter)
    for number, word, action in _actions(moves):
        try:
            game = _step(game, action)
        except QuartoError as error:
            raise NotationError(f"move {number}, '{word}': {error}") from error
    game = _finished(game, headers)
    return Record(game, {name: value for name, value in headers.items() if name not in _OURS})


@dataclass(frozen=True, slots=True)
class _WrittenCall:
    """A call as it is written, with the word whether it stood."""

    player: Player
    valid: bool


def _step(game: Game, action: Action | _WrittenCall) -> Game:
    if not isinstance(action, _WrittenCall):
        return apply(game, action)
    if action.valid == bool(game.open_for(action.player)):
        # A false call is written where it was decided: one that was latched must not wait for a placement again.
        return apply(game, Call(action.player)) if action.valid else fail(game, action.player)
    if action.valid:
        raise NotationError(f"player {action.player.value} has nothing to call here; a false call is written with '?'.")
    raise NotationError(f"the call of player {action.player.value} was not false; write it without '?'.")


def _headers(game: Game) -> dict[str, str]:
    options = game.options
    headers = {
        "Starter": f"{game.starter.value}",
        "Squares": str(options.squares).lower(),
        "Traits": format_traits(options.traits),
        "Calling": options.calling.value,
        "FalseCall": options.false_call.value,
        "GivingSensed": str(options.giving_sensed).lower(),
    }
    if game.result is not None:
        headers["Winner"] = "-" if game.result.winner is None else f"{game.result.winner.value}"
        headers["Reason"] = game.result.reason.value
    return headers


def _moves(game: Game) -> Iterator[str]:
    """The moves, each after its number."""
    pieces = [turn.piece for turn in game.turns]
    if game.hand is not None:
        pieces.append(game.hand)
    for index in range(len(game.turns) + 1):
        move = []
        if index:
            move.append(game.turns[index - 1].square.name)
            move.extend(_calls(game, index, given=False))
        if index < len(pieces):
            move.append(pieces[index].digit)
            move.extend(_calls(game, index, given=True))
        if move:
            yield f"{index + 1}."
            yield from move


def _calls(game: Game, placed: int, given: bool) -> Iterator[str]:
    for call in game.calls:
        if (call.placed, call.given) == (placed, given):
            yield f"call{call.player.value}{'' if call.valid else '?'}"


def _split(text: str) -> tuple[dict[str, str], list[str]]:
    headers: dict[str, str] = {}
    words: list[str] = []
    for number, line in enumerate(text.splitlines(), start=1):
        if not line.strip():
            continue
        if not line.startswith("["):
            words.extend(line.split())
            continue
        match = _HEADER.fullmatch(line.strip())
        if match is None:
            raise NotationError(f"line {number}: '{line.strip()}' is not a header; write it as [Starter \"0\"].")
        if match[1] in headers:
            raise NotationError(f"line {number}: the header {match[1]} stands there twice; keep one.")
        if words:
            raise NotationError(f"line {number}: the header {match[1]} stands after the moves; headers come first.")
        headers[match[1]] = match[2]
    return headers, words


def _options(headers: Mapping[str, str]) -> Options:
    return Options(
        squares=_choice(headers, "Squares", "false", _TRUTH),
        traits=parse_traits(headers.get("Traits", "colour,height,shape,top")),
        calling=_choice(headers, "Calling", "button", {calling.value: calling for calling in Calling}),
        false_call=_choice(headers, "FalseCall", "refuse", {penalty.value: penalty for penalty in FalseCall}),
        giving_sensed=_choice(headers, "GivingSensed", "true", _TRUTH),
    )


def _choice(headers: Mapping[str, str], name: str, default: str, values: Mapping[str, _T]) -> _T:
    text = headers.get(name, default)
    if text not in values:
        raise NotationError(f"the header {name} says '{text}'; it can say {' or '.join(values)}.")
    return values[text]


def _actions(words: list[str]) -> Iterator[tuple[int, str, Action | _WrittenCall]]:
    """Every action of the moves, with the number of its move and the word it was read from."""
    number = 0
    for word in words:
        numbered = _NUMBER.fullmatch(word)
        if numbered is not None:
            if int(numbered[1]) != number + 1:
                raise NotationError(f"move {number + 1} is expected where '{word}' stands.")
            number += 1
            continue
        if number == 0:
            raise NotationError(f"the moves begin with '{word}' instead of '1.'.")
        call = _CALL.fullmatch(word)
        if call is not None:
            yield number, word, _WrittenCall(Player(int(call[1])), valid=not call[2])
        elif len(word) == 1:
            yield number, word, Give(parse_digit(word))
        else:
            yield number, word, Place(parse_square(word))


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
    told = Result(winner, reason)
    if game.result is None or (game.result.winner, game.result.reason) != (told.winner, told.reason):
        found = "no end" if game.result is None else f"'{game.result.reason.value}'"
        wanted = f"'{reason.value}' with the winner {headers.get('Winner', '-')}"
        raise NotationError(f"the headers tell the end {wanted}, but the moves lead to {found}: correct one of them.")
    return game
