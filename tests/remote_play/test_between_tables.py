"""Two tables, with a referee each, play each other; hands carry out what comes from the other one."""

from __future__ import annotations

import random

import pytest

from quarto_pi.referee import PERSON, Order, Patience, Settings
from quarto_pi.referee.effects import WriteEntry
from quarto_pi.referee.menu import STOP_WAITING, Item, items_of
from quarto_pi.referee.messages import (
    CarryOut,
    ChooseFirst,
    FalseCall,
    LastCall,
    MoveBack,
    NoMatchReason,
    NoMatchWith,
    NoQuarto,
    NotHeardYet,
    Notice,
    OtherBoardAway,
    OtherBoardBack,
    OtherBoardLeft,
    OthersLastCall,
    OtherUnreachable,
    PlaceThis,
    Prompt,
    TakeOff,
    Thinking,
    WaitingForBoard,
    Won,
    WrongPiece,
)
from quarto_pi.remote_play.match import Match, read_match
from quarto_pi.rules import Calling, FalseCallRule, Options, Player, Reason, parse_piece, parse_square, parse_traits
from quarto_pi.sensing.readings import OFFER
from tests.remote_play.tables import TableWithPeople, TwoTables

ALL_RULES = (
    Options(),
    Options(squares=True),
    Options(calling=Calling.AUTO, squares=True),
    Options(false_call=FalseCallRule.FORFEIT),
    Options(traits=parse_traits("colour")),
)
LTRF, LTRH, LTQF, LTQH, DSQH, DSQF = map(parse_piece, ("LTRF", "LTRH", "LTQF", "LTQH", "DSQH", "DSQF"))
SETTLED_MS = 5_000
"""After so long a piece that was given is given for good, and the other board knows."""


IMPATIENT = Patience(unreachable=90_000, still_there=20_000)


def begun(settings: Settings | None = None) -> TwoTables:
    """Two tables at which a game with each other has begun; north chooses the first piece."""
    tables = TwoTables(1, settings or Settings(), patience=IMPATIENT)
    tables.begin()
    assert all(table.state.is_match_open for table in tables.tables)
    return tables


def give(tables: TwoTables, table: TableWithPeople, piece: str) -> None:
    """Give a piece for good."""
    table.put(parse_piece(piece), OFFER)
    tables.pass_time(SETTLED_MS)


def place(tables: TwoTables, table: TableWithPeople, piece: str, square: str) -> None:
    """Put a piece on a square, whoever wants it there."""
    table.put(parse_piece(piece), square)
    tables.pass_time(1_500)


def turns(tables: TwoTables, *moves: tuple[str, str]) -> None:
    """Let pieces be given and placed, by whose turn it is, and carried out at the other table."""
    for piece, square in moves:
        giver = next(table for table in tables.tables if table.state.is_by_person)
        receiver = next(table for table in tables.tables if table is not giver)
        give(tables, giver, piece)
        place(tables, receiver, piece, square)


def carry_out(tables: TwoTables, table: TableWithPeople) -> None:
    """Do what the other board wants."""
    prompt = table.prompt
    assert isinstance(prompt, CarryOut), prompt
    place(tables, table, prompt.piece.letters, prompt.square.name)


def asked(table: TableWithPeople) -> Prompt:
    """What the display says."""
    return table.prompt


def notice(table: TableWithPeople) -> Notice | None:
    """What is told in passing."""
    assert table.state.view is not None
    return table.state.view.notice


def press(tables: TwoTables, table: TableWithPeople) -> None:
    """Press the button for a moment."""
    table.press()
    tables.pass_time(200)
    table.live(tables.now)
    tables.pass_time(1_000)


def match_of(table: TableWithPeople) -> Match:
    """The game as a board has it."""
    assert table.match is not None
    return table.match


def entries(table: TableWithPeople) -> list[str]:
    """What a board has of the game's log."""
    return [entry.text for entry in match_of(table).log.entries]


# --- whole games ------------------------------------------------------------------------------------------------------


def play_through(seed: int) -> Reason:
    """A whole game over a bad wire, with clumsy people and cuts of cable and power; how it has ended."""
    chance = random.Random(seed)
    tables = TwoTables(seed, Settings(rules=chance.choice(ALL_RULES)), clumsy=chance.choice((0, 0, 0.1, 0.25)))
    tables.begin()
    for table in tables.tables:
        table.calls = chance.random() < 0.7
    wire, fails = tables.wire, chance.choice((0, 0, 0.01))
    wire.lost, wire.repeated = chance.choice((0, 0.2, 0.5)), chance.choice((0, 0.3))
    wire.slowest = chance.choice((0, 500, 5_000))
    for _ in range(900):
        tables.pass_time(1_000, people=True)
        assert len(tables.winners) <= 1
        if chance.random() < 0.02:
            wire.cut = not wire.cut
        if chance.random() < fails:
            chance.choice(tables.tables).cut_power()
        if not any(table.state.is_match_open for table in tables.tables):
            break
    wire.cut, wire.lost, wire.repeated, wire.slowest = False, 0.0, 0.0, 0
    for table in tables.tables:
        table.clumsy = 0.0
    over = lambda: not any(table.state.is_match_open for table in tables.tables)  # noqa: E731
    tables.pass_time(3_000_000, people=True, until=over)
    tables.pass_time(60_000)
    (name,) = {name for table in tables.tables for name in table.disk.rows}
    first, second = (read_match(table.disk.rows[name], Options()) for table in tables.tables)
    assert first.log.head == second.log.head
    assert first.result is not None
    assert first.result == second.result
    return first.result.reason


def test_a_whole_game_is_played_at_two_tables() -> None:
    assert play_through(1) is Reason.CALL


@pytest.mark.slow
@pytest.mark.parametrize("seeds", [range(1, 17), pytest.param(range(17, 200), marks=pytest.mark.campaign)])
def test_two_tables_agree_whatever_happens_on_the_way(seeds: range) -> None:
    ends = {play_through(seed) for seed in seeds}
    assert {Reason.CALL, Reason.AUTO, Reason.DRAW, Reason.FORFEIT} <= ends


# --- how a game begins ------------------------------------------------------------------------------------------------


def test_both_boards_say_who_begins_and_undo_pause_and_clock_are_off() -> None:
    tables = begun(Settings(rules=Options(clock_ms=60_000)))
    assert asked(tables.north) == ChooseFirst(Player.A)
    assert asked(tables.south) == Thinking(Player.A, None)
    for table in tables.tables:
        assert table.state.settings.people == ((Player.A,) if table is tables.north else (Player.B,))
        assert not table.state.settings.undo
        assert table.state.game.options.clock_ms is None
        assert not {Item.UNDO, Item.PAUSE} & set(items_of(table.settings, in_match=True))


def test_undo_and_pause_from_the_page_do_nothing() -> None:
    tables = begun()
    turns(tables, ("LTRF", "a1"))
    before = tables.south.state.game
    for item in (Item.UNDO, Item.PAUSE):
        tables.south.feed(Order(tables.south.now + tables.south.ahead, item))
    assert tables.south.state.game.turns == before.turns
    assert tables.south.state.game.paused_since is None


def test_the_next_game_is_again_as_the_people_of_the_board_wish_it() -> None:
    tables = begun()
    tables.north.feed(Order(tables.north.now + tables.north.ahead, Item.NEW_GAME))
    tables.pass_time(2 * Patience().notice)
    assert all(table.state.settings.seats == (PERSON, PERSON) for table in tables.tables)


def test_who_waits_for_an_answer_is_told_so_and_may_stop() -> None:
    tables = TwoTables(1)
    tables.pass_time(500)
    tables.invite()
    tables.pass_time(2_000)
    assert isinstance(notice(tables.north), WaitingForBoard)
    tables.north.want(STOP_WAITING)
    tables.pass_time(2_000)
    assert notice(tables.north) is None
    assert not tables.south.is_invited


def test_a_board_at_which_somebody_plays_can_not_be_invited() -> None:
    tables = TwoTables(1)
    tables.pass_time(500)
    give(tables, tables.south, "LTRF")
    tables.invite()
    tables.pass_time(2_000)
    assert notice(tables.north) == NoMatchWith(NoMatchReason.BUSY)
    assert not tables.south.is_invited


def test_who_begins_to_play_at_his_own_board_does_not_wait_for_another_one() -> None:
    tables = TwoTables(1)
    tables.pass_time(500)
    tables.invite()
    tables.pass_time(1_000)
    assert tables.south.is_invited
    give(tables, tables.north, "LTRF")
    assert not tables.south.is_invited


def test_pieces_of_the_game_before_are_asked_off_and_do_not_stop_the_game() -> None:
    tables = TwoTables(1)
    for cell, piece in (("a1", LTRF), ("b2", LTRH), ("c3", DSQH)):
        tables.south.put(piece, cell)
    tables.begin()
    tables.pass_time(3_000)
    assert tables.south.state.is_match_open
    assert isinstance(tables.south.prompt, TakeOff)
    for piece in (LTRF, LTRH, DSQH):
        tables.south.lift(piece)
    tables.pass_time(2_000)
    assert isinstance(tables.south.prompt, Thinking)


# --- turns ------------------------------------------------------------------------------------------------------------


def test_a_turn_is_told_when_the_next_piece_is_given_and_carried_out_over_there() -> None:
    tables = begun()
    turns(tables, ("LTRF", "b2"))
    assert entries(tables.north) == ["LTRF"]
    assert asked(tables.north) == Thinking(Player.B, LTRF)
    give(tables, tables.south, "DSQH")
    assert entries(tables.north) == ["LTRF", "b2 DSQH"]
    assert asked(tables.north) == CarryOut(Player.B, LTRF, parse_square("b2"), OFFER)
    carry_out(tables, tables.north)
    assert asked(tables.north) == PlaceThis(Player.A, DSQH)


def test_d5_a_piece_may_be_moved_until_the_next_one_is_given_and_only_the_last_square_is_told() -> None:
    tables = begun()
    turns(tables, ("LTRF", "b2"))
    place(tables, tables.south, "LTRF", "c4")
    give(tables, tables.south, "DSQH")
    assert entries(tables.north)[-1] == "c4 DSQH"


def test_d12_a_given_piece_may_be_exchanged_at_once_and_is_told_once_it_is_given_for_good() -> None:
    tables = begun()
    tables.north.put(LTRF, OFFER)
    tables.pass_time(1_500)
    tables.north.lift(LTRF)
    tables.north.put(LTRH, OFFER)
    tables.pass_time(2_000)
    assert entries(tables.south) == []
    tables.pass_time(2 * SETTLED_MS)
    assert entries(tables.south) == ["LTRH"]


def test_d12_a_piece_that_was_told_can_not_be_exchanged_and_another_one_is_wrong_there() -> None:
    tables = begun()
    give(tables, tables.north, "LTRF")
    tables.north.lift(LTRF)
    tables.north.put(LTRH, OFFER)
    tables.pass_time(2 * SETTLED_MS)
    assert entries(tables.south) == ["LTRF"]
    assert isinstance(tables.north.prompt, WrongPiece)
    assert not [each for each in tables.north.effects if isinstance(each, WriteEntry) and each.entry.give == LTRH]


def test_d6_the_other_boards_piece_on_a_wrong_square_is_corrected_as_the_computers_is() -> None:
    tables = begun()
    turns(tables, ("LTRF", "b2"))
    give(tables, tables.south, "DSQH")
    place(tables, tables.north, "LTRF", "d4")
    tables.pass_time(3_000)
    assert asked(tables.north) == CarryOut(Player.B, LTRF, parse_square("b2"), "d4")
    carry_out(tables, tables.north)
    tables.north.put(LTRF, "d1")
    tables.pass_time(3_000)
    assert asked(tables.north) == MoveBack(LTRF, "d1", parse_square("b2"))


# --- calls ------------------------------------------------------------------------------------------------------------

ROW = (("LTRF", "a1"), ("LTRH", "b1"), ("LTQF", "c1"), ("LTQH", "d1"))


def in_a_row(tables: TwoTables) -> None:
    """Let the fourth piece of a row be placed by north; south has not been told yet."""
    for number, (piece, square) in enumerate(ROW):
        giver, receiver = tables.tables if number % 2 == 0 else tables.tables[::-1]
        give(tables, giver, piece)
        if number:
            carry_out(tables, receiver)
        place(tables, receiver, piece, square)


def test_r7_who_makes_four_alike_calls_and_both_boards_show_it_once_it_is_carried_out() -> None:
    tables = begun()
    in_a_row(tables)
    maker, other = tables.north, tables.south
    press(tables, maker)
    assert isinstance(maker.prompt, Won)
    tables.pass_time(2_000)
    assert entries(other)[-1] == "d1 QUARTO"
    carry_out(tables, other)
    assert isinstance(other.prompt, Won)
    assert other.state.game.result is not None
    assert other.state.game.result.winner is Player.A


def test_r8_what_was_missed_over_there_is_called_here_after_the_next_piece_is_given() -> None:
    tables = begun()
    in_a_row(tables)
    give(tables, tables.north, "DSQH")
    carry_out(tables, tables.south)
    press(tables, tables.south)
    tables.pass_time(2_000)
    assert entries(tables.north)[-1] == "QUARTO"
    assert isinstance(tables.north.prompt, Won)
    assert tables.north.state.game.result is not None
    assert tables.north.state.game.result.winner is Player.B


@pytest.mark.parametrize("rule", FalseCallRule)
def test_r9_a_call_while_only_the_other_board_may_call_is_never_a_false_one(rule: FalseCallRule) -> None:
    tables = begun(Settings(rules=Options(false_call=rule)))
    give(tables, tables.north, "LTRF")
    press(tables, tables.north)
    assert notice(tables.north) == FalseCall(Player.A, NoQuarto.OTHERS_MOMENT)
    assert all(table.state.is_match_open for table in tables.tables)


def test_d1_a_call_before_placing_is_decided_here_and_told_with_its_placement() -> None:
    tables = begun()
    for number, (piece, square) in enumerate(ROW[:3]):
        giver, receiver = tables.tables if number % 2 == 0 else tables.tables[::-1]
        give(tables, giver, piece)
        if number:
            carry_out(tables, receiver)
        place(tables, receiver, piece, square)
    give(tables, tables.south, "LTQH")
    carry_out(tables, tables.north)
    press(tables, tables.north)
    assert entries(tables.south)[-1] == "c1 LTQH"
    place(tables, tables.north, "LTQH", "d1")
    tables.pass_time(2_000)
    assert entries(tables.south)[-1] == "d1 QUARTO"


def test_d2_a_false_call_that_forfeits_is_told_and_lost_on_both_boards() -> None:
    tables = begun(Settings(rules=Options(false_call=FalseCallRule.FORFEIT)))
    turns(tables, ("LTRF", "b2"))
    press(tables, tables.south)
    tables.pass_time(2_000)
    assert entries(tables.north)[-1] == "b2 QUARTO"
    carry_out(tables, tables.north)
    results = [table.state.game.result for table in tables.tables]
    assert all(result is not None and result.reason is Reason.FORFEIT for result in results)
    assert all(result is not None and result.winner is Player.A for result in results)


def test_d2_a_false_call_that_is_only_refused_stays_here() -> None:
    tables = begun()
    turns(tables, ("LTRF", "b2"))
    press(tables, tables.south)
    give(tables, tables.south, "DSQH")
    assert entries(tables.north) == ["LTRF", "b2 DSQH"]


def test_d3_after_the_last_piece_its_maker_has_the_first_word_and_the_other_board_the_last() -> None:
    tables = begun(Settings(rules=Options(traits=parse_traits("top"))))
    for table in tables.tables:
        table.calls = False
    final = lambda: any(isinstance(table.prompt, LastCall) for table in tables.tables)  # noqa: E731
    tables.pass_time(1_000_000, people=True, until=final)
    maker = next(table for table in tables.tables if isinstance(table.prompt, LastCall))
    other = next(table for table in tables.tables if table is not maker)
    tables.pass_time(3_000, people=True)
    assert isinstance(other.prompt, OthersLastCall)
    press(tables, other)
    assert other.state.is_match_open
    tables.pass_time(15_000, people=True, until=lambda: isinstance(other.prompt, LastCall))
    assert isinstance(other.prompt, LastCall)
    assert isinstance(maker.prompt, OthersLastCall)
    tables.pass_time(15_000)
    assert entries(maker)[-2:] == ["pass", "pass"]
    assert entries(maker) == entries(other)


# --- who is away, and who leaves --------------------------------------------------------------------------------------


def test_both_sides_are_told_that_the_other_one_is_away_and_that_he_is_back() -> None:
    tables = begun()
    give(tables, tables.north, "LTRF")
    tables.wire.cut = True
    tables.pass_time(2_000)
    assert all(isinstance(notice(table), OtherBoardAway) for table in tables.tables)
    tables.pass_time(20_000)
    assert asked(tables.north) == OtherUnreachable(Player.B)
    assert isinstance(asked(tables.south), PlaceThis)
    tables.wire.cut = False
    tables.pass_time(2_000)
    assert all(isinstance(notice(table), OtherBoardBack) for table in tables.tables)
    assert asked(tables.north) == Thinking(Player.B, LTRF)


def test_a_game_whose_other_board_stays_away_is_given_up_after_a_time_and_nobody_wins() -> None:
    tables = begun()
    give(tables, tables.north, "LTRF")
    tables.wire.cut = True
    tables.pass_time(IMPATIENT.unreachable - 30_000)
    assert all(table.state.is_match_open for table in tables.tables)
    tables.pass_time(45_000)
    assert not any(table.state.is_match_open for table in tables.tables)
    assert tables.winners == set()
    tables.wire.cut = False
    tables.pass_time(60_000)
    assert all(match_of(table).is_agreed for table in tables.tables)


def test_a_touch_says_that_somebody_still_waits_for_the_other_board() -> None:
    tables = begun()
    give(tables, tables.north, "LTRF")
    tables.wire.cut = True
    tables.pass_time(IMPATIENT.unreachable - 30_000)
    press(tables, tables.north)
    tables.pass_time(IMPATIENT.unreachable - 30_000)
    assert tables.north.state.is_match_open


def test_who_thinks_is_not_away_and_loses_nothing() -> None:
    tables = begun()
    give(tables, tables.north, "LTRF")
    tables.pass_time(2 * IMPATIENT.unreachable)
    assert all(table.state.is_match_open for table in tables.tables)
    assert asked(tables.north) == Thinking(Player.B, LTRF)


def test_who_ends_the_game_is_told_of_and_nobody_wins() -> None:
    tables = begun()
    turns(tables, ("LTRF", "b2"))
    tables.south.feed(Order(tables.south.now + tables.south.ahead, Item.NEW_GAME))
    tables.pass_time(2_000)
    assert isinstance(notice(tables.north), OtherBoardLeft)
    assert not any(table.state.is_match_open for table in tables.tables)
    assert tables.winners == set()


def test_a_winner_is_told_that_the_other_board_does_not_know_yet() -> None:
    tables = begun()
    in_a_row(tables)
    tables.wire.cut = True
    press(tables, tables.north)
    tables.pass_time(12_000)
    assert isinstance(notice(tables.north), NotHeardYet)
    tables.wire.cut = False
    tables.pass_time(40_000)
    assert not isinstance(notice(tables.north), NotHeardYet)


def test_the_record_of_who_had_given_up_is_amended_when_it_hears_that_the_other_one_had_won() -> None:
    tables = begun()
    in_a_row(tables)
    tables.wire.cut = True
    tables.south.feed(Order(tables.south.now + tables.south.ahead, Item.NEW_GAME))
    press(tables, tables.north)
    tables.pass_time(1_000)
    number = tables.south.disk.number
    tables.wire.cut = False
    tables.pass_time(60_000)
    assert match_of(tables.north).result == match_of(tables.south).result
    amended = tables.south.disk.amended[number]
    assert amended.result is not None
    assert (amended.result.winner, amended.result.reason) == (Player.A, Reason.CALL)


def test_a_win_that_had_come_stands_where_nobody_carried_it_out() -> None:
    tables = begun()
    in_a_row(tables)
    press(tables, tables.north)
    tables.pass_time(2_000)
    assert isinstance(tables.south.prompt, CarryOut)
    number = tables.south.state.number
    tables.south.feed(Order(tables.south.now + tables.south.ahead, Item.NEW_GAME))
    tables.pass_time(2_000)
    amended = tables.south.disk.amended[number]
    assert amended.result is not None
    assert amended.result.winner is Player.A


# --- after a power cut ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("moment", [1_500, 4_000])
def test_a_game_goes_on_where_it_was_after_a_power_cut(moment: int) -> None:
    tables = begun()
    turns(tables, ("LTRF", "b2"))
    tables.south.put(DSQH, OFFER)
    tables.pass_time(moment)
    tables.south.cut_power()
    tables.pass_time(5_000)
    press(tables, tables.south)
    tables.pass_time(2 * SETTLED_MS)
    assert entries(tables.north) == ["LTRF", "b2 DSQH"]
    carry_out(tables, tables.north)
    assert asked(tables.north) == PlaceThis(Player.A, DSQH)
    assert asked(tables.south) == Thinking(Player.A, DSQH)


def test_a_win_outlives_a_power_cut_before_the_other_board_has_heard_of_it() -> None:
    tables = begun()
    in_a_row(tables)
    tables.wire.cut = True
    press(tables, tables.north)
    tables.north.cut_power()
    tables.pass_time(5_000)
    tables.wire.cut = False
    tables.pass_time(60_000)
    assert match_of(tables.south).result is not None
    assert entries(tables.south)[-1] == "d1 QUARTO"


def test_a_board_without_its_game_after_a_start_has_left() -> None:
    tables = begun()
    turns(tables, ("LTRF", "b2"))
    tables.south.disk.game = None
    tables.south.cut_power()
    tables.pass_time(5_000)
    assert isinstance(notice(tables.north), OtherBoardLeft)
    assert tables.winners == set()
