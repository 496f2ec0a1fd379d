"""What is wrong is said in one sentence that can be shown anywhere, whatever was written."""

from __future__ import annotations

import pytest

from quarto_pi.rules import NotationError, QuartoError, parse_piece, parse_position
from quarto_pi.rules.errors import LONGEST_SENTENCE


@pytest.mark.parametrize("text", ["LT\nRF", "LT\x1b[2JRF", "LT\u2028RF", "LT\ud800RF"])
def test_sentence_stays_on_its_line_whatever_it_quotes(text: str) -> None:
    with pytest.raises(NotationError) as caught:
        parse_piece(text)
    assert str(caught.value).isprintable()
    assert "LT" in str(caught.value)


def test_sentence_about_a_page_of_text_keeps_its_beginning_and_what_to_do() -> None:
    with pytest.raises(QuartoError) as caught:
        parse_position("x" * 10_000 + "/.... -")
    sentence = str(caught.value)
    assert len(sentence) <= LONGEST_SENTENCE
    assert sentence.startswith("a board has four ranks")
    assert sentence.endswith("....'.")


def test_sentence_of_usual_length_is_as_it_was_written() -> None:
    assert str(QuartoError("the café is closed: come back tomorrow.")) == "the café is closed: come back tomorrow."
