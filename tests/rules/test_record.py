"""Games as text, and back."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quarto_pi.rules import (
    Calling,
    FalseCallRule,
    Game,
    IllegalAction,
    NotationError,
    Options,
    Phase,
    Player,
    Reason,
    Record,
    Result,
    TimeOut,
    Trait,
    WrongMoment,
    apply,
    parse_position,
    parse_record,
    split_records,
)
from tests.rules.script import FULL, FULL_OPENED_BY_LAST, OPENED_BY_A, B, action, names, play, refuse, square

OPTIONS = st.builds(
    Options,
    squares=st.booleans(),
    traits=st.lists(st.sampled_from(list(Trait)), min_size=1, unique=True).map(tuple),
    calling=st.sampled_from([Calling.BUTTON, Calling.BUTTON, Calling.AUTO]),
    false_call=st.sampled_from([FalseCallRule.REFUSE, FalseCallRule.REFUSE, FalseCallRule.FORFEIT]),
    time_out=st.sampled_from(TimeOut),
    clock_ms=st.sampled_from([None, 30_000]),
    giving_sensed=st.booleans(),
)
NOTES = st.dictionaries(
    st.sampled_from(["Date", "White_player", "Table", "Evening"]),
    st.text(alphabet=st.characters(categories=["L", "N", "P", "Zs"], exclude_characters='"'), max_size=12),
)


def wander(game: Game, random: Random, words: list[str]) -> Game:
    """A game after random actions of these kinds; what is not allowed is left out."""
    for _ in range(random.randint(0, 90)):
        word = random.choice(words)
        if word == "turn":
            word = random.choice(game.available).digit if game.available and not game.hand else "place"
        if word == "place":
            word = random.choice(game.board.empty_squares or [square("a1")]).name
        if word == ">":
            word += random.choice(["a1", "b2", "c3", "d4", "a4", "d1", "c1"])
        at = game.now + random.choice([0, 0, 0, 0, 3000, 11_000])
        try:
            game = apply(game, action(word), at)
        except IllegalAction:
            continue
    return game


def told(game: Game) -> dict[str, Any]:
    """What a record tells of a game; times, pauses and calls that still wait are not written down."""
    over = game.over
    return {
        "starter": game.starter,
        "position": str(game.position),
        "turns": game.turns,
        "calls": game.calls,
        "open": None if over else set(game.open),
        "missed": set(game.missed),
        "phase": game.phase,
        "result": game.result and (game.result.winner, game.result.reason, set(game.result.alignments)),
        "to act": game.to_act,
        "fixed": game.fixed and game.phase is Phase.GIVE,
    }


def check(record: Record) -> None:
    again = parse_record(str(record))
    assert told(again.game) == told(record.game), str(record)
    for name in ("squares", "traits", "calling", "false_call", "giving_sensed"):
        assert getattr(again.game.options, name) == getattr(record.game.options, name)
    assert again.headers == record.headers
    assert str(again) == str(record)


@pytest.mark.slow
@given(options=OPTIONS, starter=st.sampled_from(Player), seed=st.integers(0, 2**32), notes=NOTES)
def test_a_game_played_straight_on_comes_back_as_it_was(
    options: Options, starter: Player, seed: int, notes: dict[str, str]
) -> None:
    game = Game(options=options, starter=starter)
    check(Record(wander(game, Random(seed), ["turn"] * 9 + [">", "c", "clear"]), notes))


@pytest.mark.slow
@given(options=OPTIONS, starter=st.sampled_from(Player), seed=st.integers(0, 2**32))
def test_a_game_with_calls_right_and_false_and_waiting_comes_back_as_it_was(
    options: Options, starter: Player, seed: int
) -> None:
    game = wander(Game(options=options, starter=starter), Random(seed), ["turn"] * 20 + ["call0", "call1"])
    check(Record(game))


@pytest.mark.slow
@given(options=OPTIONS, starter=st.sampled_from(Player), seed=st.integers(0, 2**32))
def test_a_game_with_every_kind_of_action_comes_back_as_it_was(options: Options, starter: Player, seed: int) -> None:
    words = ["turn"] * 20 + [">", ">", "call0", "call1", "undo", "pause", "resume"]
    check(Record(wander(Game(options=options, starter=starter), Random(seed), words)))


@pytest.mark.parametrize(
    "words",
    [
        "",
        "7",
        "7 b2",
        "7 b2 c",
        OPENED_BY_A,
        OPENED_BY_A + " call0",
        OPENED_BY_A + " 8 call1",
        OPENED_BY_A + " 8 call0 call1",
        OPENED_BY_A + " 8 a2",
        OPENED_BY_A + " clear",
        "0 a1 1 b1 2 c1 3 call0 d1",
        "0 a1 1 b1 2 c1 3 call0 d2",
        "0 a1 1 b1 2 c1 3 call0 @10000 d1 call0",
        "0 a1 1 b1 2 c1 3 d2 >d1 call0",
        "7 c b2",
        "7 b2 c a1 undo 4 a3",
        FULL,
        FULL + " clear",
        FULL + " call0 call1 @10000",
        FULL_OPENED_BY_LAST + " call1",
        FULL_OPENED_BY_LAST + " clear",
    ],
)
@pytest.mark.parametrize("sensed", [True, False])
def test_each_kind_of_game_comes_back_as_it_was(words: str, sensed: bool) -> None:
    check(Record(play(words, options=Options(giving_sensed=sensed))))


def test_d2_a_call_before_the_first_give_is_kept() -> None:
    check(Record(play("call0")))
    check(Record(play("call0 7 b2")))


def test_d2_a_false_call_before_the_first_give_that_forfeits_is_kept() -> None:
    check(Record(play("call1", options=Options(false_call=FalseCallRule.FORFEIT))))


def test_d5_a_piece_whose_player_has_called_stays_fixed_in_a_game_read_back() -> None:
    game = parse_record(str(Record(play("7 b2 call1")))).game
    refuse(game, ">c3", WrongMoment, "its player has called")


def test_d1_d5_a_piece_whose_waiting_call_proved_false_stays_where_it_stands_when_read_back() -> None:
    game = play("0 a1 1 b1 2 c1 3 call0 d2")
    check(Record(game))
    refuse(game, ">d1", WrongMoment, "its player has called")
    refuse(parse_record(str(Record(game))).game, ">d1", WrongMoment, "its player has called")


def test_d5_d11_a_piece_moved_to_an_alignment_after_a_call_ahead_proved_false_comes_back() -> None:
    check(Record(play("0 a1 1 b1 2 c1 3 d2 call1 @10000 >d1", options=Options(giving_sensed=False))))


def test_d9_what_stays_lapsed_after_an_undo_is_lapsed_in_a_game_read_back() -> None:
    check(Record(play(OPENED_BY_A + " 8 a2 undo")))


@pytest.mark.parametrize("goes_on", ["", " 9", " 9 b2 a", " a call1 b2"])
def test_d9_a_false_call_of_what_stays_lapsed_after_an_undo_comes_back(goes_on: str) -> None:
    check(Record(play(f"{OPENED_BY_A} 8 a2 undo call0{goes_on}")))


def test_d2_d9_a_forfeit_by_calling_what_stays_lapsed_after_an_undo_comes_back() -> None:
    options = Options(false_call=FalseCallRule.FORFEIT)
    check(Record(play(f"{OPENED_BY_A} 8 a2 undo call0", options=options)))


def test_several_records_are_split_whether_anything_was_played_in_them_or_not() -> None:
    records = [str(Record(Game(), {"Number": "1"})), str(Record(play("7 b2 c"))), str(Record(play("8 a1")))]
    assert [str(parse_record(text)) for text in split_records("\n".join(records))] == records
    assert split_records("\n\n") == []


def test_d4_a_forfeit_by_time_comes_back() -> None:
    game = play("7 b2 c @60000", options=Options(clock_ms=60_000, time_out=TimeOut.FORFEIT))
    again = parse_record(str(Record(game))).game
    assert again.result == Result(B, Reason.FORFEIT)
    assert str(again.position) == "..../..../.7../.... c"


def test_a_game_from_a_position_comes_back_or_is_refused_as_a_record() -> None:
    game = play("8 a2", Game.from_position(parse_position("..../..../..../012. -")))
    try:
        text = str(Record(game))
    except ValueError:
        return
    assert parse_record(text).game.position == game.position


@pytest.mark.parametrize(("name", "value"), [("Event", 'The "big" game'), ("Event", "two\nlines"), ("Two words", "x")])
def test_a_header_that_could_not_be_read_again_is_not_written(name: str, value: str) -> None:
    try:
        text = str(Record(Game(), {name: value}))
    except ValueError:
        return
    assert parse_record(text).headers == {name: value}


def test_a_record_is_written_as_the_interfaces_say() -> None:
    assert str(Record(play(OPENED_BY_A + " call1 8 call1"), {"Date": "2024-05-01"})) == (
        '[Date "2024-05-01"]\n[Starter "0"]\n[Squares "false"]\n[Traits "colour,height,shape,top"]\n'
        '[Calling "button"]\n[FalseCall "refuse"]\n[GivingSensed "true"]\n[Winner "1"]\n[Reason "call"]\n'
        "\n1. 0 2. a1 1 3. b1 2 4. c1 3 5. d1 call1? 8 call1\n"
    )


def test_only_the_final_square_and_the_final_piece_are_written() -> None:
    assert str(Record(play("7 c b2 >c3 4"))).endswith("\n1. c 2. c3 4\n")


def test_long_games_are_wrapped_and_still_read() -> None:
    record = Record(play(FULL + " clear"))
    assert max(len(line) for line in str(record).splitlines()) <= 78
    check(record)


def test_headers_may_be_missing() -> None:
    record = parse_record("1. 7 2. b2 c")
    assert (record.game, record.headers) == (play("7 b2 c"), {})
    assert parse_record("").game == Game()


def test_a_record_is_played_again_by_its_rules() -> None:
    game = parse_record('[Squares "true"]\n[Calling "auto"]\n\n1. 0 2. a1 1 3. b1 2 4. a2 3 5. b2').game
    assert game.result is not None
    assert (game.result.reason, names(game.result.alignments)) == (Reason.AUTO, {("a1 b1 a2 b2", "light tall")})


def test_a_record_may_leave_the_final_call_open() -> None:
    assert parse_record(str(Record(play(FULL)))).game.phase is Phase.FINAL_CALL


WIN = "1. 0 2. a1 1 3. b1 2 4. c1 3 5. d1"

WRONG = [
    ("7", "the moves begin with '7' instead of '1.'"),
    ("2. 7", "move 1 is expected where '2.' stands"),
    ("1. 7 3. b2 c", "move 2 is expected where '3.' stands"),
    (f"{'9' * 5000}. 7", "move 1 is expected where"),
    ("1. b2", "move 1, 'b2': no piece has been given"),
    ("1. 7 2. b2 7", "move 2, '7': LSQH stands on the board"),
    ("1. 7 2. b2 c 3. b2 4", "move 3, 'b2': b2 is taken by LSQH"),
    ("1. 7 2. z9", "move 2, 'z9': 'z9' is not a square: "),
    ("1. 7 2. 2b", "write the letter first, b2"),
    ("1. g", "move 1, 'g': 'g' is not a piece number"),
    ("1. 7 2. b2 call2", "move 2, 'call2'"),
    ("1. 7 2. b2 call1", "move 2, 'call1': a call by player 1 does not count here; a false one is written with '?'"),
    (WIN + " call1", "move 5, 'call1': a call by player 1 does not count here"),
    (WIN + " call0?", "move 5, 'call0?': the call of player 0 was not false; write it without '?'"),
    (WIN + " call0 8", "move 5, '8': the game is over"),
    (WIN + " call0 call1?", "move 5, 'call1?': the game is over"),
    ('[FalseCall "forfeit"]\n\n1. 7 call0? call1?', "move 1, 'call1?': the game is over"),
    ('[Calling "auto"]\n\n1. 7 2. b2 call1?', "move 2, 'call1?'"),
    ("1. 7 b2 c a1 4", "move"),
    ("1. 2. 3. 7", "move"),
    ('[Starter "2"]\n\n', "the header Starter says '2'; it can say 0 or 1"),
    ('[Squares "yes"]\n\n', "the header Squares says 'yes'; it can say true or false"),
    ('[Calling "loud"]\n\n', "the header Calling says 'loud'; it can say button or auto"),
    ('[FalseCall "fine"]\n\n', "the header FalseCall says 'fine'; it can say refuse or forfeit"),
    ('[GivingSensed "no"]\n\n', "the header GivingSensed says 'no'"),
    ('[Traits "color"]\n\n', "the header Traits"),
    ('[Traits ""]\n\n', "the header Traits"),
    ("[Starter 0]\n\n1. 7", "line 1: '[Starter 0]' is not a header; write it as"),
    ('[Date "x"]\n[Date "y"]\n', "line 2: the header Date stands there twice"),
    ('1. 7\n[Starter "0"]\n', "line 2: the header Starter stands after the moves"),
    ('[Winner "0"]\n\n1. 7', "the header Reason"),
    ('[Reason "tired"]\n\n1. 7', "the header Reason says 'tired'; it can say call or auto or draw"),
    (
        '[Reason "draw"]\n\n1. 7',
        "the headers tell the end 'draw' with the winner -, but the moves lead to 'unfinished'",
    ),
    ('[Winner "2"]\n[Reason "call"]\n\n1. 7', "the header Winner says '2'"),
    ('[Winner "0"]\n[Reason "call"]\n\n' + WIN, "the headers tell the end 'call' with the winner 0"),
    ('[Winner "1"]\n[Reason "call"]\n\n' + WIN + " call0", "the headers tell the end 'call' with the winner 1"),
    ('[Winner "0"]\n[Reason "unfinished"]\n\n1. 7', "the headers tell the end 'unfinished' with the winner 0"),
    ('[Winner "-"]\n[Reason "forfeit"]\n\n1. 7', "the headers tell the end 'forfeit' with the winner -"),
]


@pytest.mark.parametrize(("text", "says"), WRONG)
def test_what_cannot_be_read_is_named_with_its_place(text: str, says: str) -> None:
    with pytest.raises(NotationError) as raised:
        parse_record(text)
    sentence = str(raised.value)
    assert says in sentence
    assert sentence.endswith((".", "?"))
    assert "\n" not in sentence


def test_wrong_notation_in_a_record_names_its_right_form_and_its_move() -> None:
    with pytest.raises(NotationError, match=r"move 2.*write the letter first, b2"):
        parse_record("1. 7 2. 2b")


@given(text=st.text(alphabet='[]"Sta 12.\n07bcal?', max_size=40))
def test_any_text_is_either_a_record_or_refused_by_a_named_error(text: str) -> None:
    try:
        record = parse_record(text)
    except NotationError:
        return
    check(record)


def test_starters_and_winners_are_written_as_their_numbers() -> None:
    game = play(OPENED_BY_A + " call1", Game(starter=B))
    text = str(Record(game))
    assert game.result is not None
    assert game.result.winner is B
    assert '[Starter "1"]' in text
    assert '[Winner "1"]' in text
