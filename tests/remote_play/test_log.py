"""The log of a game between two boards: one author for each state, legal entries, and a hash for each state."""

from __future__ import annotations

import random

import pytest

from quarto_pi.remote_play.log import EntryRefused, LogEntry, MatchTerms, PlayedLog, parse_entry, rules_of
from quarto_pi.rules import Calling, FalseCallRule, Options, Player, QuartoError, Reason
from tests.remote_play.post import some_entry

TERMS = MatchTerms("0badcafe", ("north", "south"), Options(), Player.A)
ROW = ("LTRF", "a1 LTRH", "b1 LTQF", "c1 LTQH")
"""Three pieces in a row, and a fourth that completes it in hand."""


def log_of(*texts: str, rules: Options | None = None) -> PlayedLog:
    """The log with these entries."""
    terms = MatchTerms(TERMS.match, TERMS.boards, rules or Options(), TERMS.starter)
    return PlayedLog.of(terms, tuple(parse_entry(text) for text in texts))


def refused(*texts: str, rules: Options | None = None) -> None:
    """The last of these entries may not be written after the others."""
    log = log_of(*texts[:-1], rules=rules)
    with pytest.raises(EntryRefused):
        log.after(parse_entry(texts[-1]))


def all_placed(rules: Options | None = None) -> PlayedLog:
    """A log whose sixteen pieces are placed without a call."""
    for seed in range(1_000):
        chance, log = random.Random(seed), log_of(rules=rules)
        while log.author is not None and log.game.board.count < 16:
            log = log.after(some_entry(log.game, chance))
        if log.author is not None and not log.game.open:
            return log
    raise AssertionError("no seed leads to a draw")


@pytest.mark.parametrize("text", ["LTRF", "b2 LTRF", "b2", "b2 QUARTO", "QUARTO", "pass"])
def test_an_entry_is_read_as_it_was_written(text: str) -> None:
    assert parse_entry(text).text == text


@pytest.mark.parametrize("text", ["", "ltrf", "e2", "b2 b3", "LTRF b2", "b2  LTRF", "b2 LTRF QUARTO", "quarto", "b2\n"])
def test_what_is_no_entry_is_refused_in_a_sentence(text: str) -> None:
    with pytest.raises(EntryRefused, match=r"no entry of a game"):
        parse_entry(text)


def test_each_state_has_one_author() -> None:
    log = log_of()
    authors = [log.author]
    for text in ROW:
        log = log.after(parse_entry(text))
        authors.append(log.author)
    assert authors == [Player.A, Player.B, Player.A, Player.B, Player.A]


def test_a_turn_may_end_with_a_call_of_what_it_has_made() -> None:
    game = log_of(*ROW, "d1 QUARTO").game
    assert game.result is not None
    assert (game.result.winner, game.result.reason) == (Player.A, Reason.CALL)


def test_r8_who_is_given_the_next_piece_may_call_what_was_missed() -> None:
    game = log_of(*ROW, "d1 DSQH", "QUARTO").game
    assert game.result is not None
    assert game.result.winner is Player.B


def test_r8_what_was_missed_by_both_counts_no_more() -> None:
    refused(*ROW, "d1 DSQH", "a4 DSQF", "QUARTO")


def test_a_call_of_nothing_is_no_entry_where_it_is_only_refused() -> None:
    refused("LTRF", "QUARTO")
    refused("LTRF", "a1 QUARTO")


def test_d2_a_false_call_forfeits_where_the_rules_say_so() -> None:
    rules = Options(false_call=FalseCallRule.FORFEIT)
    for texts in (("LTRF", "QUARTO"), ("LTRF", "a1 QUARTO")):
        result = log_of(*texts, rules=rules).game.result
        assert result is not None
        assert (result.winner, result.reason) == (Player.A, Reason.FORFEIT)


def test_d7_in_automatic_mode_a_winning_turn_is_its_square_alone() -> None:
    rules = Options(calling=Calling.AUTO)
    result = log_of(*ROW, "d1", rules=rules).game.result
    assert result is not None
    assert (result.winner, result.reason) == (Player.A, Reason.AUTO)
    refused(*ROW, "d1 DSQH", rules=rules)
    refused(*ROW, "d1 QUARTO", rules=rules)


def test_d3_after_the_sixteenth_piece_its_maker_has_the_first_word_and_the_other_one_the_last() -> None:
    log = all_placed()
    maker = log.game.maker
    assert maker is not None
    assert log.author is maker
    log = log.after(parse_entry("pass"))
    assert log.author is maker.other
    log = log.after(parse_entry("pass"))
    assert log.author is None
    assert log.game.result is not None
    assert log.game.result.reason is Reason.DRAW


@pytest.mark.parametrize(
    "texts", [("a1",), ("pass",), ("LTRF", "LTRH"), ("LTRF", "a1"), ("LTRF", "a1 LTRF"), ("LTRF", "a1 LTRH", "a1 DSQH")]
)
def test_what_the_rules_do_not_allow_is_refused(texts: tuple[str, ...]) -> None:
    refused(*texts)


def test_nothing_comes_after_the_end() -> None:
    refused(*ROW, "d1 QUARTO", "a4 DSQF")


def test_games_of_other_boards_rules_names_or_starters_have_no_hash_in_common() -> None:
    others = (
        MatchTerms("0badcaff", TERMS.boards, TERMS.rules, TERMS.starter),
        MatchTerms(TERMS.match, ("south", "north"), TERMS.rules, TERMS.starter),
        MatchTerms(TERMS.match, TERMS.boards, Options(squares=True), TERMS.starter),
        MatchTerms(TERMS.match, TERMS.boards, TERMS.rules, Player.B),
    )
    heads = {PlayedLog.of(terms, (parse_entry("LTRF"),)).head for terms in (TERMS, *others)}
    assert len(heads) == 1 + len(others)


def test_a_hash_tells_the_whole_way_and_not_the_last_position() -> None:
    one = log_of("LTRF", "a1 LTRH", "b1 DSQH")
    other = log_of("LTRH", "b1 LTRF", "a1 DSQH")
    assert one.game.position == other.game.position
    assert one.head != other.head


def test_times_are_each_boards_own() -> None:
    agreed = MatchTerms("a", ("b", "c"), Options(latch_ms=1, clock_ms=5_000, squares=True), Player.A).agreed
    rules = rules_of(agreed, Options(latch_ms=7))
    assert (rules.squares, rules.latch_ms, rules.clock_ms) == (True, 7, None)


@pytest.mark.parametrize("agreed", [[], {}, {"squares": 1}, {"squares": True, "traits": []}, "classic"])
def test_what_are_no_rules_is_refused(agreed: object) -> None:
    with pytest.raises(QuartoError):
        rules_of(agreed, Options())


def test_a_written_entry_is_a_value() -> None:
    assert parse_entry("b2 LTRF") == parse_entry("b2 LTRF") != LogEntry()
