"""What is to be seen at one moment, as JSON.

Nothing here depends on whether an alignment is open (D8): all of it comes from the referee's view, which holds no more
than what people may see.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import fields
from enum import Enum
from functools import cache
from typing import Final

from quarto_pi.enrolment.state import GuideMessage, PutPiece, ReplacePiece
from quarto_pi.languages import LANGUAGE_NAMES, LANGUAGES
from quarto_pi.referee import Against, View
from quarto_pi.referee.messages import Message, PlacedUnheard, StandsThere
from quarto_pi.referee.remote_game import OtherBoard, Others
from quarto_pi.referee.settings import SEAT_LEVELS
from quarto_pi.rules import PIECES, Alignment, Piece, Player, Result, Square
from quarto_pi.trace.story import alignments_as_json
from quarto_pi.web.requests import Moment
from quarto_pi.web.wishes import Json, Refused, settings_as_json, shown
from quarto_pi.words import Words
from quarto_pi.words.terms import Seats

# --- All labels of the page in one language, with the names of pieces, levels and languages ---------------------------


def known_language(language: str) -> str:
    """The language, if the board speaks it."""
    if language not in LANGUAGES:
        raise Refused(404, f"the board does not speak '{shown(language)}': choose one of {', '.join(LANGUAGES)}.")
    return language


@cache
def labels_in(language: str) -> Json:
    """What the page has to say by itself."""
    known_language(language)
    words = Words(language)
    return {
        "language": language,
        "labels": words.page(),
        "pieces": {piece.letters: words.piece(piece) for piece in PIECES},
        "levels": [words.level(number) for number in SEAT_LEVELS],
        "languages": {name: LANGUAGE_NAMES[name] for name in LANGUAGES},
    }


# --- What is to be seen at one moment, as JSON ------------------------------------------------------------------------

API: Final = 1


def snapshot(moment: Moment, words: Words) -> Json:
    """The moment in the language of the game, without what lies below the drivers."""
    view = moment.view
    seats = view.settings.seats
    return {
        "api": API,
        "language": view.settings.language,
        "phase": view.phase.name.lower(),
        "overlays": [overlay.name.lower() for overlay in view.overlays],
        **_told(moment, words),
        "board": {square.name: piece.letters for square, piece in view.board.pieces.items()},
        "hand": None if view.hand is None else view.hand.letters,
        "to_act": None if view.to_act is None else view.to_act.value,
        "players": [_player(player, seats, words) for player in Player],
        "others": None if view.others is None else _others(view.others),
        "marks": {cell: mark.value for cell, mark in view.marks},
        "clock": _clock(view),
        "menu": _menu(view, words),
        "missed": alignments_as_json(view.missed),
        "result": None if view.result is None else _result(view.result),
        "tally": {
            "games": view.tally.games,
            "wins": list(view.tally.wins),
            "draws": view.tally.draws,
            "missed": view.tally.missed,
            "average_ms": view.tally.average_ms,
            "against": [_against(each) for each in view.tally.against],
        },
        "score": list(view.score),
        "celebrates": view.celebrates,
        "asleep": view.asleep,
        "languages": list(view.settings.languages),
        "settings": settings_as_json(view.settings),
        "next_settings": settings_as_json(moment.wishes),
        "lights": {
            "panel": dict(moment.lights.panel),
            "squares": {square: list(light) for square, light in moment.lights.squares.items()},
        },
    }


def _player(player: Player, seats: Seats, words: Words) -> Json:
    seat = seats[player.value]
    return {"name": words.player(player, seats), "computer": seat.level, "board": seat.board}


def _others(others: Others) -> Json:
    """The other boards of a chain, and whether one of them is waited for."""
    return {
        "free": [_board(each) for each in others.free],
        "invitations": [_board(each) for each in others.invitations],
        "waiting": others.is_waiting,
    }


def _board(board: OtherBoard) -> Json:
    return {"name": board.name, "label": board.label, "invites": board.invites}


def _told(moment: Moment, words: Words) -> Json:
    """What is asked for and told: by the guide while there is one, otherwise by the referee."""
    view, guide = moment.view, moment.guide
    if guide is None:
        return {
            "prompt": _message(view.prompt, view, words),
            "notice": None if view.notice is None else _message(view.notice, view, words),
            "guide": None,
        }
    return {
        "prompt": _of_guide(guide.prompt, words),
        "notice": None if guide.notice is None else _of_guide(guide.notice, words),
        "guide": {"help": words.guide_help(guide.prompt), "piece": _asked_piece(guide.prompt)},
    }


def _message(message: Message, view: View, words: Words) -> Json:
    seats = view.settings.seats
    return {
        "kind": type(message).__name__,
        "headline": words.headline(message, seats),
        "text": words.say(message, seats),
        "about": _about(message),
    }


def _of_guide(message: GuideMessage, words: Words) -> Json:
    return {
        "kind": type(message).__name__,
        "headline": words.guide_headline(message),
        "text": words.guide(message),
        "about": _about(message),
    }


def _about(message: Message | PlacedUnheard | GuideMessage) -> Json:
    return {each.name: _value(getattr(message, each.name)) for each in fields(message)}


def _asked_piece(prompt: GuideMessage) -> str | None:
    return prompt.piece.letters if isinstance(prompt, PutPiece | ReplacePiece) else None


def _value(value: object) -> object:
    """What a message names, in the vocabulary of the interface."""
    match value:
        case Piece():
            return value.letters
        case Square():
            return value.name
        case Alignment():
            return alignments_as_json([value])[0]
        case StandsThere() | PlacedUnheard():
            return {"kind": type(value).__name__, "about": _about(value)}
        case Enum():
            return value.value
        case str() | int() | None:
            return value
        case Iterable():
            return [_value(each) for each in value]
    raise TypeError(f"a message holds {value!r}, which has no form in JSON")


def _clock(view: View) -> Json | None:
    clock = view.clock
    if clock is None:
        return None
    return {"player": clock.player.value, "seconds": clock.seconds, "stands": clock.stands}


def _against(against: Against) -> Json:
    return {"level": against.level, "won": against.won, "lost": against.lost, "drawn": against.drawn}


def _menu(view: View, words: Words) -> Json | None:
    if view.menu is None:
        return None
    label, value = words.menu(view.menu, view.settings.seats)
    return {"label": label, "value": value, "help": words.menu_help(view.menu.stage)}


def _result(result: Result) -> Json:
    return {
        "winner": None if result.winner is None else result.winner.value,
        "reason": result.reason.value,
        "alignments": alignments_as_json(result.alignments),
    }
