"""What is shown in turn while nobody plays: invitations in several languages, how to play, games, statistics."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache, lru_cache
from pathlib import Path
from typing import Final

from quarto_pi.languages import LANGUAGE_NAMES
from quarto_pi.referee.messages import ClearTheBoard, Giving, Prompt
from quarto_pi.referee.tally import Tally
from quarto_pi.referee.view import Mark, View
from quarto_pi.rules import PIECES, Board, Game, Piece, Player, Record, parse_record
from quarto_pi.screens.boards import MarkedBoard, Size
from quarto_pi.screens.icons import Code, Sign, fits
from quarto_pi.screens.layout import (
    BAR,
    GAP,
    DrawnPicture,
    Filled,
    Page,
    PageItem,
    alone,
    lay_out,
    text_pages,
    width_of,
)
from quarto_pi.screens.scene import LESSONS, PiecePicture, Scene
from quarto_pi.screens.text import BOLD, HEADLINES, LARGE, NARROW, PLAIN, ROOMY, TINY, TITLE
from quarto_pi.words import Statistic, Words
from quarto_pi.words.terms import Seats

# --- Games of the computer against itself, move by move: what a display shows of the game while nobody plays ----------
#
# They were played beforehand (`make demonstrations`) and are kept as records. So a board that invites people has
# nothing to think about, and nothing of it depends on how fast it is.

DEMONSTRATIONS_FILE: Final = Path(__file__).parent / "demonstrations.games"

GIVEN_MS: Final = 1_500
PLACED_MS: Final = 2_000
CALLED_MS: Final = 6_000
"""How long it is seen what was given, where it was placed, and who has won."""

CALL: Final = "QUARTO!"
LABEL: Final = 12


@dataclass(frozen=True, slots=True)
class ShownMoment:
    """What is seen of a game at one time: whose turn it is, at the end who has called."""

    board: Board
    player: Player
    hand: Piece | None
    game: Game | None = None


@cache
def demonstration_games() -> tuple[Record, ...]:
    """The games that are shown."""
    return tuple(
        parse_record(text) for text in re.split(r"\n\n(?=\[)", DEMONSTRATIONS_FILE.read_text(encoding="utf-8"))
    )


def moments_of(game: Game) -> Iterator[ShownMoment]:
    """A game from the first piece given to the call."""
    board = Board()
    for turn in game.turns:
        yield ShownMoment(board, turn.player, turn.piece)
        board = board.place(turn.square, turn.piece)
        yield ShownMoment(board, turn.player, None)
    winner = game.result.winner if game.result else None
    if winner is not None:
        yield ShownMoment(board, winner, None, game)


def pages_of_game(record: Record, words: Words, size: Size) -> tuple[Page, ...]:
    """A game as pages, each under a headline that says what it is."""
    levels = [int(record.headers[name]) for name in ("A", "B")]
    return tuple(
        _page(moment, words.demonstration(), words.level(levels[moment.player.value]), size)
        for moment in moments_of(record.game)
    )


def _page(moment: ShownMoment, caption: str, who: str, size: Size) -> Page:
    width, height = size
    low = height < 48
    bar = LABEL if low else BAR
    top = 0 if low else bar
    table = _table(moment)
    side = width_of(table, height - top)
    left = side + GAP
    head = (left, 0, width, bar) if low else (0, 0, width, bar)
    items: list[PageItem] = [
        alone(caption, (head[0] + 1, head[1], head[2] - 1, head[3]), (PLAIN, TINY) if low else HEADLINES, centred=low),
        Filled(head),
        DrawnPicture(table, (0, top, side, height)),
    ]
    if moment.game is not None:
        items.append(alone(CALL, (left, bar, width, height - LABEL * (not low)), (LARGE, BOLD, NARROW)))
        if not low:
            items.append(alone(who, (left, height - LABEL, width, height), (PLAIN, TINY)))
        return Page(tuple(items), CALLED_MS)
    right = width
    if moment.hand is not None:
        room = width_of(PiecePicture(moment.hand), height - bar)
        right = width - room - GAP
        items.append(DrawnPicture(PiecePicture(moment.hand), (width - room, bar, width, height)))
    items.append(alone(who, (left, bar, right, height), (PLAIN, TINY)))
    return Page(tuple(items), PLACED_MS if moment.hand is None else GIVEN_MS)


def _table(moment: ShownMoment) -> MarkedBoard:
    alignments = moment.game.result.alignments if moment.game is not None and moment.game.result else ()
    return MarkedBoard(moment.board, {square.name: Mark.WON for each in alignments for square in each.squares})


# --- What is shown in turn while nobody plays: invitations in several languages, how to play, games, statistics -------

GAME_NAME: Final = "QUARTO"
"""The name of the game is the same in every language."""

LINE_HEIGHT: Final = 12
NUMBER_WIDTH: Final = 32
SHORT: Final = 11
"""A line of the statistics, the place for its number, and the letters of an address that go into one line."""

PARADE: Final = (PIECES[0], PIECES[15], PIECES[3], PIECES[8], PIECES[6], PIECES[13], PIECES[1], PIECES[10])
"""The pieces under the invitations: every value of every trait is among them."""


def attract_pages(
    words: Words, size: Size, view: View, address: str = "", between: tuple[Page, ...] = ()
) -> tuple[Page, ...]:
    """All pages, in the order in which they are shown; the address is that of the page, where others can look on.

    What stands `between` comes first, and again between the parts.
    """
    settings = view.settings
    parts = _programme(
        words.language, size, view.prompt, view.giving, view.tally, settings.seats, settings.languages, address
    )
    return tuple(page for part in parts for page in (*between, *part))


@lru_cache(maxsize=4)
def _programme(  # noqa: PLR0913 - all that it depends on
    language: str,
    size: Size,
    prompt: Prompt,
    giving: Giving,
    tally: Tally,
    seats: Seats,
    languages: tuple[str, ...],
    address: str,
) -> tuple[tuple[Page, ...], ...]:
    """The parts: how to begin and how to play come first; the other languages stand between the parts, a page each."""
    words = _words_in(language)
    games = [list(pages_of_game(game, words, size)) for game in demonstration_games()]
    invitations = [page for turn, text in enumerate(words.invitations()) for page in _invitation(text, size, turn)]
    held = [*_holding(words, size), *([_look_on(address, size)] if fits(address, size[1]) else [])]
    parts = [
        [Page(_title(size)), *_begin(words, size, prompt), *_lessons(words, size, giving)],
        held,
        games[0],
        invitations,
        games[1],
        [*_begin(words, size, prompt), *_lessons(words, size, giving)],
        *([_statistics(words, size, tally, seats)] if tally.games else []),
        games[2],
        held,
        *games[3:],
    ]
    others = [other for other in languages if other != language]
    for index, other in enumerate(others):
        parts[index % len(parts)] = [*parts[index % len(parts)], *_in_other_words(_words_in(other), size, prompt)]
    return tuple(tuple(part) for part in parts)


_words_in = cache(Words)
"""The words of every language are needed again and again."""


@lru_cache(maxsize=16)
def _begin(words: Words, size: Size, prompt: Prompt) -> tuple[Page, ...]:
    """How to begin."""
    picture = Sign.CLEAR if isinstance(prompt, ClearTheBoard) else Sign.GIVE
    return lay_out(Scene(words.headline(prompt), words.say(prompt), beside=picture), size)


@lru_cache(maxsize=32)
def _in_other_words(words: Words, size: Size, prompt: Prompt) -> tuple[Page, ...]:
    """The same in a few words of another language, and how to get that language."""
    return lay_out(Scene(LANGUAGE_NAMES[words.language], words.language_hint(prompt), beside=Sign.BUTTON), size)


@lru_cache(maxsize=16)
def _holding(words: Words, size: Size) -> tuple[Page, ...]:
    """What it is good for to hold the button."""
    return tuple(
        page for hint in words.held_button() for page in lay_out(Scene(hint.title, hint.text, beside=Sign.BUTTON), size)
    )


@lru_cache(maxsize=16)
def _lessons(words: Words, size: Size, giving: Giving) -> tuple[Page, ...]:
    """How to play, a picture beside each sentence."""
    return tuple(
        page
        for lesson, picture in zip(words.how_to_play(giving), LESSONS, strict=True)
        for page in lay_out(Scene(lesson.title, lesson.text, beside=picture), size)
    )


def _look_on(address: str, size: Size) -> Page:
    """Where the page is: as a code for phones, and to be typed."""
    width, height = size
    place = address.removeprefix("http://").rstrip("/")
    middle = len(place) // 2
    # An address has no blanks: it is broken behind the stop or the colon that is nearest to its middle.
    breaks = [index + 1 for index, letter in enumerate(place) if letter in ".:-"] or [middle]
    cut = min(breaks, key=lambda index: abs(index - middle))
    room = width - height - 2
    lines = (place[:cut], place[cut:]) if len(place) > SHORT else (place,)
    top = (height - LINE_HEIGHT * len(lines)) // 2
    written = tuple(
        alone(line, (0, top + LINE_HEIGHT * index, room, top + LINE_HEIGHT * (index + 1)), (PLAIN, TINY))
        for index, line in enumerate(lines)
    )
    return Page((*written, DrawnPicture(Code(address), (width - height, 0, width, height))))


def _statistics(words: Words, size: Size, tally: Tally, seats: Seats) -> list[Page]:
    """What has been counted, a number in each line."""
    lines = [
        (words.statistic(Statistic.GAMES), f"{tally.games}"),
        *((words.player(player, seats), f"{tally.wins[player.value]}") for player in Player),
        (words.statistic(Statistic.DRAWS), f"{tally.draws}"),
        (words.statistic(Statistic.MISSED), f"{tally.missed}"),
        (words.statistic(Statistic.AVERAGE_TIME), words.time(tally.average_ms // 1000)),
    ]
    levels = [(words.level(each.level), f"{each.won}/{each.games}") for each in tally.against]
    title = words.statistic(Statistic.AGAINST)
    return [*_table_of(lines, size), *_table_of(levels, size, title)]


def _table_of(lines: list[tuple[str, str]], size: Size, title: str = "") -> list[Page]:
    """Lines with a number at their end, on as many pages as they need; the title stands on each of them."""
    width, height = size
    head = [alone(title, (0, 0, width, LINE_HEIGHT), (PLAIN, TINY), centred=False)] if title else []
    count = -(-len(lines) // (height // LINE_HEIGHT - len(head)))
    each = -(-len(lines) // max(1, count))
    pages = []
    for start in range(0, len(lines), max(1, each)):
        items: list[PageItem] = [*head]
        for index, (label, number) in enumerate(lines[start : start + each], len(head)):
            top, bottom = index * LINE_HEIGHT, (index + 1) * LINE_HEIGHT
            items.append(alone(label, (0, top, width - NUMBER_WIDTH, bottom), (PLAIN, TINY), centred=False))
            items.append(alone(number, (width - NUMBER_WIDTH, top, width, bottom), (PLAIN, TINY)))
        pages.append(Page(tuple(items)))
    return pages


def _title(size: Size) -> tuple[PageItem, ...]:
    width, height = size
    if height < 48:
        return (alone(GAME_NAME, (0, 0, width, height), (TITLE,)),)
    return (alone(GAME_NAME, (0, 0, width, 30), (TITLE,)), *_parade(size, 30, 0))


def _invitation(text: str, size: Size, turn: int) -> list[Page]:
    width, height = size
    faces = (LARGE, BOLD, NARROW, ROOMY, PLAIN)
    if height < 48:
        return [Page(items) for items in text_pages(text, (0, 0, width, height), faces, centred=True)]
    return [Page((alone(text, (0, 0, width, 36), faces), *_parade(size, 38, turn)))]


def _parade(size: Size, top: int, turn: int) -> tuple[PageItem, ...]:
    """Pieces along the lower edge, others and elsewhere on every page."""
    width, bottom = size
    step = (bottom - top) * 5 // 8 + 8
    count = width // step
    start = (width - count * step) // 2 + 4 + 2 * turn % 5
    return tuple(
        DrawnPicture(PiecePicture(PARADE[(turn + index) % len(PARADE)]), (left, top, left + step - 8, bottom))
        for index in range(count)
        for left in (start + index * step,)
    )
