"""Settled actions to a game: each is held against the rules, and what cannot be is said in one sentence."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Final

from quarto_pi.chain.messages import SettledAction
from quarto_pi.chain.unforeseen import UNFORESEEN, place_of_error
from quarto_pi.hub.game_queries import match_of
from quarto_pi.rules import (
    Alignment,
    Calling,
    Clear,
    Game,
    Give,
    Options,
    Phase,
    Place,
    Player,
    QuartoError,
    Reason,
    Shift,
    TimeOut,
    Undo,
    apply,
    parse_piece,
    parse_square,
)
from quarto_pi.rules.kinds import Medium, ValueRefused
from quarto_pi.rules.options import RULES, pick
from quarto_pi.rules.turns import draw_game, false_call, forfeit, lapse, stand

BEGUN: Final = "begun"
OTHER_SEAT: Final = "board"
"""Who plays at another board, in the words of a board's state."""
LOST_ACTION: Final = "lost"
"""What stands in the place of an action that a board has lost with its card."""
IN_BEGUN: Final = pick(RULES, "squares traits calling false_call time_out")
"""The rules that decide what follows from an action; a board may tell more of them."""
LONGEST_SEAT: Final = 30
MOST_ACTIONS: Final = 10_000
"""No game has more of them; what is told beyond is kept, and not played."""
MOST_CALLS: Final = 1_000
"""False calls of one game that are remembered; nobody presses so often."""


class ImpossibleAction(QuartoError, ValueError):
    """An action that cannot follow what came before it; the text says why."""


@dataclass(frozen=True, slots=True)
class ReplayedGame:
    """What the actions of one game, from the first one without a gap, say about it.

    `through` is the number of the last one. `begun` and `ended` are seconds since 1970, None where the board did not
    know or the game has not ended. `fault` is what was the first thing that could not be; nothing is derived from
    what came after it but the end, as the board tells it. `undone` and `false_calls` are counted on the way. `match` is
    what a game with another board is called, and `other` that board, as this one says.
    """

    through: int = 0
    game: Game | None = None
    seats: tuple[str, ...] = ()
    begun: float | None = None
    ended: float | None = None
    is_over: bool = False
    winner: int | None = None
    reason: str | None = None
    undone: int = 0
    false_calls: int = 0
    fault: str | None = None
    match: str = ""
    other: str = ""

    @property
    def moves(self) -> int:
        """How many pieces stand."""
        return 0 if self.game is None else self.game.board.count

    @property
    def missed(self) -> int:
        """How many alignments have lapsed that nobody had called."""
        return 0 if self.game is None else len(self.game.missed)

    @property
    def position(self) -> str:
        """What stands, and what is in hand."""
        return "" if self.game is None else str(self.game.position)


def replay_actions(actions: Iterable[SettledAction], so_far: ReplayedGame | None = None) -> ReplayedGame:
    """What these actions, each the next one of the same game, make of it; never an error."""
    replayed = so_far or ReplayedGame()
    for action in actions:
        replayed = _after(replayed, action)
    return replayed


def _after(before: ReplayedGame, action: SettledAction) -> ReplayedGame:
    counted = replace(before, through=action.number)
    fault = counted.fault
    if fault is None:
        try:
            return _step(counted, action)
        except QuartoError as error:
            fault = f"action {action.number}: {error}"
        except Exception as error:  # noqa: BLE001 - the action is kept, and its game marked
            fault = f"action {action.number}: {UNFORESEEN} ({place_of_error(error)})."
    return _as_told(replace(counted, fault=fault), action)


def _as_told(replayed: ReplayedGame, action: SettledAction) -> ReplayedGame:
    """The end of a game in which something could not be, as its board tells it; who won nobody can say."""
    event = action.event
    if event.get("event") != "result" or replayed.is_over:
        return replayed
    return replace(replayed, is_over=True, ended=action.at or None, reason=Reason.UNFINISHED.value)


def _step(replayed: ReplayedGame, action: SettledAction) -> ReplayedGame:
    event = action.event
    kind = event.get("event")
    if action.number > MOST_ACTIONS:
        raise ImpossibleAction(f"no game has more than {MOST_ACTIONS} actions.")
    if kind == LOST_ACTION:
        raise ImpossibleAction("its board has lost it.")
    if (kind == BEGUN) is not (replayed.game is None):
        raise ImpossibleAction("a game begins with 'begun', and with that alone.")
    if replayed.game is None:
        options, starter = _options(event), Player(_whole(event, "starter", 1))
        seats = tuple(seat_of(player) for player in _players(event))
        match, other = match_of(event) if OTHER_SEAT in seats else ("", "")
        begun = action.at or None
        return replace(replayed, game=Game(options, starter), seats=seats, begun=begun, match=match, other=other)
    if replayed.is_over:
        raise ImpossibleAction("the game is over, and something follows.")
    game = _played(replayed.game, kind, event)
    replayed = replace(
        replayed,
        game=replace(game, news=()),
        undone=replayed.undone + (kind == "undone"),
        false_calls=replayed.false_calls + (kind == "called" and event.get("valid") is False),
    )
    if kind != "result":
        return replayed
    winner = None if game.result is None or game.result.winner is None else game.result.winner.value
    reason = None if game.result is None else game.result.reason.value
    return replace(replayed, is_over=True, ended=action.at or None, winner=winner, reason=reason)


def _played(game: Game, kind: object, event: Mapping[str, object]) -> Game:
    """The game after an event; what is no matter of the rules leaves it as it is."""
    match kind:
        case "given":
            by = Player(_whole(event, "by", 1))
            if by is not game.giver:
                raise ImpossibleAction(f"player {by.value} gives, and it is the other one's turn.")
            return apply(game, Give(parse_piece(_text(event, "piece"))))
        case "placed":
            return _placed(game, event)
        case "called":
            return _called(game, event)
        case "missed":
            return _missed(game, event)
        case "undone":
            return _undone(game, event)
        case "timeout":
            player = Player(_whole(event, "player", 1))
            is_lost = game.options.time_out is TimeOut.FORFEIT and not game.over
            return forfeit(game, player) if is_lost else game
        case "result":
            return _ended(game, event)
        case _:
            return game


def _placed(game: Game, event: Mapping[str, object]) -> Game:
    piece, square = parse_piece(_text(event, "piece")), parse_square(_text(event, "square"))
    player = Player(_whole(event, "player", 1))
    last = game.last_turn
    if game.phase in (Phase.GIVE, Phase.FINAL_CALL) and last is not None and last.piece == piece:
        if last.player is not player:
            raise ImpossibleAction(f"player {player.value} moves a piece that the other one has placed.")
        # A change of mind (D5); the sixteenth piece has no other square to go to.
        return apply(game, Shift(square))
    if player is not game.receiver:
        raise ImpossibleAction(f"player {player.value} places, and it is the other one's turn.")
    return apply(game, Place(square, piece))


def _called(game: Game, event: Mapping[str, object]) -> Game:
    player, valid = Player(_whole(event, "player", 1)), event.get("valid")
    if not isinstance(valid, bool):
        raise ImpossibleAction("a call's 'valid' is neither true nor false.")
    if game.over or game.options.calling is Calling.AUTO:
        raise ImpossibleAction("nobody can call any more, or at all.")
    if valid:
        if not game.open_for(player):
            raise ImpossibleAction(f"the call of player {player.value} does not count.")
        if _alignments(event) != _as_told_of(game.open):
            raise ImpossibleAction("a call points out other alignments than those that are open.")
        return stand(game, player)
    if game.open_for(player) and game.options.giving_sensed:
        raise ImpossibleAction(f"the call of player {player.value} was not false.")
    if len(game.calls) >= MOST_CALLS:
        raise ImpossibleAction(f"more than {MOST_CALLS} calls were false.")
    return false_call(game, player)


def _missed(game: Game, event: Mapping[str, object]) -> Game:
    told = _alignments(event)
    if told <= _as_told_of(game.missed):
        return game
    if told <= _as_told_of(game.open) | _as_told_of(game.missed):
        return lapse(game)
    raise ImpossibleAction("an alignment is told as missed that was not there.")


def _undone(game: Game, event: Mapping[str, object]) -> Game:
    last = game.last_turn
    told = (_text(event, "piece"), _text(event, "square"))
    if last is None or told != (last.piece.letters, last.square.name):
        raise ImpossibleAction("something else is undone than the last placement.")
    return apply(game, Undo())


def _ended(game: Game, event: Mapping[str, object]) -> Game:
    reason, winner = _text(event, "reason"), event.get("winner")
    if not game.over and reason == Reason.UNFINISHED.value:
        game = apply(game, Clear())
    if not game.over and reason == Reason.DRAW.value and game.phase is Phase.FINAL_CALL:
        game = draw_game(game)
    found = game.result
    if found is None:
        raise ImpossibleAction(f"the board ends the game with '{reason}', and by the rules it goes on.")
    if (reason, winner) != (found.reason.value, None if found.winner is None else found.winner.value):
        raise ImpossibleAction(
            f"the board ends the game with '{reason}', and by the rules it is '{found.reason.value}'."
        )
    # A game that gave way to the next one ends as it was seen last.
    if found.reason is not Reason.UNFINISHED and _text(event, "position") != str(game.position):
        raise ImpossibleAction(f"the board ends with another position than {game.position}.")
    return game


def _options(event: Mapping[str, object]) -> Options:
    rules = event.get("rules")
    if not isinstance(rules, dict):
        raise ImpossibleAction("a game begins without its rules.")
    # Where nobody says that giving was sensed, a call that would have counted without is not called impossible (D11).
    options = Options(giving_sensed=event.get("offer_reader") is True)
    for row in IN_BEGUN:
        if row.key in rules:
            try:
                options = row.read(options, rules[row.key], Medium.TRACE)
            except ValueRefused as error:
                raise ImpossibleAction(f"the rule {row.key} is none that there is: {error.todo}") from error
    return options


def _players(event: Mapping[str, object]) -> list[object]:
    players = event.get("players")
    if not isinstance(players, list) or len(players) != 2:
        raise ImpossibleAction("a game begins without two players.")
    return players


def seat_of(player: object) -> str:
    """Who plays, in the words of a board's state, from the word that the header of a trace has for it.

    >>> seat_of("human"), seat_of("ai 5")
    ('person', 'computer 5')
    """
    if not isinstance(player, str) or not 0 < len(player) <= LONGEST_SEAT or not player.isprintable():
        raise ImpossibleAction("a player is none that there is.")
    if player == "human":
        return "person"
    return f"computer{player.removeprefix('ai')}" if player.split()[:1] == ["ai"] else player


def _alignments(event: Mapping[str, object]) -> frozenset[tuple[frozenset[str], frozenset[str]]]:
    """The alignments of an event: of each its squares and its traits."""
    told = event.get("alignments")
    if not isinstance(told, list) or not all(isinstance(each, dict) for each in told):
        raise ImpossibleAction("an event's alignments are no list of objects.")
    return frozenset((_words(each, "squares"), _words(each, "traits")) for each in told)


def _as_told_of(alignments: Iterable[Alignment]) -> frozenset[tuple[frozenset[str], frozenset[str]]]:
    return frozenset(
        (
            frozenset(square.name for square in alignment.squares),
            frozenset(trait.value for trait in alignment.traits),
        )
        for alignment in alignments
    )


def _words(of: Mapping[str, object], key: str) -> frozenset[str]:
    words = of.get(key)
    if not isinstance(words, list) or not all(isinstance(word, str) for word in words):
        raise ImpossibleAction(f"an alignment's {key} are no list of words.")
    return frozenset(words)


def _text(event: Mapping[str, object], key: str) -> str:
    value = event.get(key)
    if not isinstance(value, str):
        raise ImpossibleAction(f"an event's {key} is no text.")
    return value


def _whole(event: Mapping[str, object], key: str, highest: int) -> int:
    value = event.get(key)
    if type(value) is not int or not 0 <= value <= highest:
        raise ImpossibleAction(f"an event's {key} is no whole number up to {highest}.")
    return value
