"""The coach's judgement in words: the engine's own judgements go in."""

import pytest

from quarto_pi.engine.book import GameValue
from quarto_pi.engine.coach import Judgement, Verdict
from quarto_pi.engine.solver import Move
from quarto_pi.languages import LANGUAGES
from quarto_pi.rules import PIECES, parse_piece, parse_square
from quarto_pi.words import Words
from tests.words.room import latin_or_chinese, lines_needed

C3, D4 = parse_square("c3"), parse_square("d4")
GIVE = parse_piece("LSRH")


def judged(verdict: Verdict, better: Move | None, refutation: bool = False) -> Judgement:
    return Judgement(verdict, GameValue.WIN, GameValue.LOSS, better, D4 if refutation else None)


@pytest.mark.parametrize(
    ("judgement", "said"),
    [
        (judged(Verdict.BEST, None), "Well played!"),
        (judged(Verdict.OVERLOOKED_WIN, Move(C3, None, call=True)), "There was a Quarto on c3!"),
        (
            judged(Verdict.GIFT, Move(None, GIVE), refutation=True),
            "The piece you gave wins on d4. Better: give the light, short, round, hollow piece.",
        ),
        (
            judged(Verdict.WIN_LOST, Move(C3, GIVE)),
            "You could have won. Better: place on c3, give the light, short, round, hollow piece.",
        ),
        (judged(Verdict.DRAW_LOST, Move(C3, None)), "Now your opponent can win. Better: c3."),
    ],
)
def test_a_judgement_tells_what_was_wrong_and_what_would_be_better(judgement: Judgement, said: str) -> None:
    assert Words().judgement(judgement) == said


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("verdict", Verdict)
def test_every_judgement_fits_the_screen_in_every_language(language: str, verdict: Verdict) -> None:
    words = Words(language)
    for piece in PIECES:
        for better in (Move(C3, piece), Move(None, piece), Move(C3, None)):
            said = words.judgement(judged(verdict, better, refutation=True))
            assert "%" not in said
            assert lines_needed(said, letters=21, characters=8) <= latin_or_chinese(language, 6, 4), said
