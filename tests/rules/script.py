"""Games in few words: `play("0 a1 1 b1")` gives piece 0, which is placed on a1, and gives piece 1 for b1.

A hex digit gives, a square places (`b1=7` with the piece that was put down), `>c3` moves the piece just placed, `call0`
and `call1` call, `undo`, `pause`, `resume` and `clear` are themselves, `@500` lets time pass up to 500 ms.
"""

from __future__ import annotations

import pytest

from quarto_pi.rules import (
    PIECES,
    SQUARES,
    Action,
    Alignment,
    Call,
    Clear,
    Game,
    Give,
    IllegalAction,
    Options,
    Pause,
    Piece,
    Place,
    Player,
    Resume,
    Shift,
    Square,
    Undo,
    apply,
    pass_time,
)

A, B = Player.A, Player.B

WORDLESS: dict[str, Action] = {"undo": Undo(), "pause": Pause(), "resume": Resume(), "clear": Clear()}

# The starter, A, gives first: B places the first and the third piece, A the second and the fourth.
OPENED_BY_A = "0 a1 1 b1 2 c1 3 d1"
OPENED_BY_B = "8 a4 0 a1 1 b1 2 c1 3 d1"
FULL = "2 a1 1 b1 e c1 d d1 7 a2 b b2 4 c2 0 d2 5 a3 f b3 9 c3 8 d3 a a4 c b4 3 c4 6 d4"
FULL_WITH_SQUARES = "6 a1 0 b1 9 c1 4 d1 c a2 b b2 5 c2 2 d2 3 a3 7 b3 e c3 d d3 a a4 8 b4 f c4 1 d4"
FULL_OPENED_BY_LAST = "d a1 6 b1 4 c1 1 d1 e a2 9 b2 8 c2 2 d2 0 a3 7 b3 5 c3 a d3 b a4 3 b4 f c4 c d4"


def piece(digit: str) -> Piece:
    return PIECES[int(digit, 16)]


def square(name: str) -> Square:
    return SQUARES["abcd".index(name[0]) + 4 * "1234".index(name[1])]


def action(word: str) -> Action:
    if len(word) == 1:
        return Give(piece(word))
    if word.startswith("call"):
        return Call(Player(int(word[4])))
    if word.startswith(">"):
        return Shift(square(word[1:]))
    if word in WORDLESS:
        return WORDLESS[word]
    name, _, found = word.partition("=")
    return Place(square(name), piece(found) if found else None)


def play(words: str, game: Game | None = None, options: Options | None = None) -> Game:
    """The game after these words, by these options from the start or on from another game."""
    game = game or Game(options=options or Options())
    for word in words.split():
        game = pass_time(game, int(word[1:])) if word.startswith("@") else apply(game, action(word))
    return game


def refuse(game: Game, word: str, error: type[IllegalAction], says: str, at: int | None = None) -> None:
    """Check that what this word asks for is refused by this error, in one sentence, with the game left as it was."""
    before = repr(game)
    with pytest.raises(error) as raised:
        apply(game, action(word), at)
    sentence = str(raised.value)
    assert type(raised.value) is error
    assert says in sentence
    assert sentence.endswith(".")
    assert "\n" not in sentence
    assert repr(game) == before


def names(alignments: tuple[Alignment, ...]) -> set[tuple[str, str]]:
    """Alignments as pairs such as `("a1 b1 c1 d1", "light tall")`."""
    return {
        (" ".join(square.name for square in alignment.squares), " ".join(value.word for value in alignment.values))
        for alignment in alignments
    }
