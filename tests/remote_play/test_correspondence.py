"""Invitations and games between boards, one thing at a time; and boards that mean ill."""

from __future__ import annotations

import json
import random
from dataclasses import replace
from pathlib import Path

import jsonschema
import pytest

from quarto_pi.chain import messages
from quarto_pi.remote_play.correspondence import (
    MOST_INVITATIONS,
    MOST_REFUSED,
    CallingOff,
    Declining,
    Freed,
    LetterCame,
    MatchWaits,
)
from quarto_pi.remote_play.letters import (
    AcceptLetter,
    HaveLetter,
    InviteLetter,
    LogLetter,
    Refusal,
    RefuseLetter,
    TakeLetter,
    WithdrawLetter,
    have_letter,
    log_letter,
    pack_letter,
    read_letter,
)
from quarto_pi.remote_play.log import MatchTerms, parse_entry
from quarto_pi.remote_play.match import Match, OtherLog
from quarto_pi.rules import Options, Player, Reason
from tests.remote_play.post import Post, SimulatedBoard

STEP = 100
NAME = "00c0ffee"
AGREED = MatchTerms(NAME, ("", ""), Options(), Player.A).agreed


class Town:
    """Some boards, a post that loses nothing, and the time."""

    def __init__(self, *names: str) -> None:
        self.post = Post(random.Random(1))
        self.boards = {name: SimulatedBoard(name, self.post) for name in names}
        self.now = 0
        for board in self.boards.values():
            board.link(self.now, up=True)

    def __getitem__(self, name: str) -> SimulatedBoard:
        return self.boards[name]

    def wait(self, ms: int = 1_000) -> None:
        """Let time pass; what is sent arrives."""
        until = self.now + ms
        while self.now < until:
            self.now += STEP
            for board in self.boards.values():
                board.pass_time(self.now)
            for letter in self.post.arrived(self.now):
                if letter.to in self.boards:
                    self.boards[letter.to].hear(letter, self.now)

    def write(self, *texts: str) -> None:
        """Let whoever has to write these entries, one after the other."""
        for text in texts:
            author = next(board for board in self.boards.values() if is_author(board))
            author.write(parse_entry(text), self.now)
            self.wait(500)

    def say(self, sender: str, to: str, letter: object) -> None:
        """Let a board write something that it would not write by itself."""
        self.boards[to].take(LetterCame(self.now, sender, pack_letter(letter)), self.now)  # type: ignore[arg-type]


def is_author(board: SimulatedBoard) -> bool:
    return board.known.playing is not None and board.known.playing.match.is_mine


def playing_town(*texts: str) -> Town:
    """North and south play, and these entries are written."""
    town = Town("north", "south", "west")
    town["north"].invite("south", town.now, NAME)
    town.wait()
    town["south"].accept("north", town.now)
    town.wait()
    town.write(*texts)
    return town


def records(town: Town) -> tuple[Match, Match]:
    return town["north"].record(NAME), town["south"].record(NAME)


# --- how a game comes about -------------------------------------------------------------------------------------------


def test_a_game_begins_when_the_invited_guests_take_it() -> None:
    town = playing_town()
    assert (town["north"].started, town["south"].started) == ([NAME], [NAME])
    first, second = records(town)
    assert (first.me, second.me) == (Player.A, Player.B)
    assert first.log.head == second.log.head


def test_an_invitation_is_shown_and_nothing_begins_by_itself() -> None:
    town = Town("north", "south")
    town["north"].invite("south", 0, NAME)
    town.wait(60_000)
    assert [each.board for each in town["south"].known.invitations] == ["north"]
    assert town["south"].started == []


def test_an_invitation_that_nobody_answers_ends_and_the_guests_are_told() -> None:
    town = Town("north", "south")
    town["north"].invite("south", 0, NAME)
    town.wait(MatchWaits().answer + 1_000)
    assert [(each.board, each.why) for each in town["north"].declined] == [("south", None)]
    assert town["south"].known.invitations == ()


def test_an_invitation_whose_board_is_gone_is_not_shown_for_ever() -> None:
    town = Town("north", "south")
    town["north"].invite("south", 0, NAME)
    town.wait()
    town["north"].link(town.now, up=False)
    town.wait(MatchWaits().fresh + 1_000)
    assert town["south"].known.invitations == ()


def test_who_refuses_is_not_asked_again_and_the_other_one_is_told() -> None:
    town = Town("north", "south")
    town["north"].invite("south", 0, NAME)
    town.wait()
    town["south"].take(Declining(town.now, "north"), town.now)
    town.wait(5_000)
    assert [(each.board, each.why) for each in town["north"].declined] == [("south", Refusal.NO)]
    assert town["south"].known.invitations == ()


def test_a_board_at_which_somebody_plays_is_busy() -> None:
    town = Town("north", "south")
    town["south"].take(Freed(0, free=False), 0)
    town["north"].invite("south", 0, NAME)
    town.wait()
    assert [each.why for each in town["north"].declined] == [Refusal.BUSY]


def test_of_two_boards_that_take_an_open_invitation_one_plays_and_the_other_one_is_told() -> None:
    town = Town("north", "south", "west")
    town["north"].invite(None, 0, NAME)
    town["south"].accept("north", 0)
    town["west"].accept("north", 0)
    town.wait(5_000)
    started = [name for name in ("south", "west") if town[name].started]
    declined = [name for name in ("south", "west") if town[name].declined]
    assert len(started) == len(declined) == 1
    assert town["north"].started == [NAME]


def test_an_open_invitation_stands_again_where_who_took_it_is_gone() -> None:
    town = Town("north", "south", "west")
    town["north"].invite(None, 0, NAME)
    town.say("west", "north", TakeLetter())
    assert not town["north"].known.invites_anybody
    town.boards.pop("west")
    town.wait(MatchWaits().taken + 1_000)
    assert town["north"].known.invites_anybody
    town["south"].accept("north", town.now)
    town.wait()
    assert town["south"].started == [NAME]


def test_boards_that_invite_each_other_play_one_game() -> None:
    town = Town("north", "south")
    town["north"].invite("south", 0, NAME)
    town["south"].invite("north", 0, "00decaff")
    town.wait(5_000)
    assert town["north"].started == town["south"].started == [NAME]


def test_an_invitation_that_is_called_off_is_gone_also_for_who_takes_it_at_that_moment() -> None:
    town = Town("north", "south")
    town["north"].invite("south", 0, NAME)
    town.wait()
    town["south"].accept("north", town.now)
    town["north"].take(CallingOff(town.now), town.now)
    town.wait(5_000)
    assert town["north"].started == town["south"].started == []
    assert [each.why for each in town["south"].declined] == [Refusal.GONE]


# --- how a game goes on -----------------------------------------------------------------------------------------------


def test_what_one_board_settles_the_other_one_has_and_says_so() -> None:
    first, second = records(playing_town("LTRF", "b2 DSQH"))
    assert [entry.text for entry in second.log.entries] == ["LTRF", "b2 DSQH"]
    assert first.confirmed == second.confirmed == 2


def test_who_is_cut_off_is_away_and_back_and_nothing_is_lost() -> None:
    town = playing_town("LTRF")
    town["south"].link(town.now, up=False)
    town["south"].write(parse_entry("b2 DSQH"), town.now)
    town.wait(MatchWaits().silence + MatchWaits().pulse)
    for name in ("north", "south"):
        assert town[name].ongoing.away_since is not None
    town["south"].link(town.now, up=True)
    town.wait()
    for name in ("north", "south"):
        assert town[name].ongoing.away_since is None
        assert town[name].ongoing.match.count == 2


def test_who_thinks_for_hours_is_there_and_loses_nothing() -> None:
    town = playing_town("LTRF")
    for _ in range(60):
        town.wait(60_000)
        assert town["north"].ongoing.away_since is None
    assert town["north"].ongoing.match.result is None


def test_who_gives_up_wins_nothing_and_loses_nothing() -> None:
    town = playing_town("LTRF")
    town["south"].give_up(town.now)
    town.wait(5_000)
    first, second = records(town)
    assert first.result == second.result
    assert first.result is not None
    assert (first.result.winner, first.result.reason) == (None, Reason.UNFINISHED)
    assert first.is_agreed
    assert second.is_agreed


def test_a_win_that_was_settled_before_it_was_known_that_the_other_one_has_left_stands() -> None:
    town = playing_town("LTRF", "a1 LTRH", "b1 LTQF", "c1 LTQH")
    town["north"].link(town.now, up=False)
    town["south"].give_up(town.now)
    town["north"].write(parse_entry("d1 QUARTO"), town.now)
    first, second = records(town)
    assert first.result is not None
    assert not first.is_agreed
    assert second.result is not None
    assert second.result.winner is None
    town["north"].link(town.now, up=True)
    town.wait(5_000)
    first, second = records(town)
    assert second.result == first.result
    assert first.result is not None
    assert first.result.winner is Player.A
    assert first.is_agreed
    assert second.is_agreed


def test_who_has_heard_that_the_other_one_has_left_writes_no_more() -> None:
    town = playing_town("LTRF", "a1 LTRH", "b1 LTQF", "c1 LTQH")
    town["south"].give_up(town.now)
    town.wait()
    forged = Match.begun(records(town)[0].terms, Player.A, "northsecret").log
    for text in ("LTRF", "a1 LTRH", "b1 LTQF", "c1 LTQH", "d1 QUARTO"):
        forged = forged.after(parse_entry(text))
    letter = LogLetter(NAME, tuple(each.text for each in forged.entries), ("",) * 5, forged.head, knows=True)
    town.say("north", "south", letter)
    assert records(town)[1].result == records(town)[0].result


def test_a_board_that_has_lost_its_journal_has_left() -> None:
    town = playing_town("LTRF")
    town["south"].journal.clear()
    town["south"].start_again(town.now)
    town["south"].link(town.now, up=True)
    town.wait(MatchWaits().pulse + 1_000)
    result = town["north"].record(NAME).result
    assert result is not None
    assert result.winner is None


def test_a_board_set_back_to_an_older_journal_has_its_own_entries_back_from_the_other_one() -> None:
    town = playing_town("LTRF")
    older = dict(town["south"].journal)
    town.write("b2 DSQH", "c2 DSQF")
    town["south"].journal = older
    town["south"].start_again(town.now)
    town["south"].link(town.now, up=True)
    town.wait(3_000)
    assert records(town)[1].log.entries == records(town)[0].log.entries
    assert records(town)[1].count == 3


def test_what_the_other_board_has_stands_where_a_board_set_back_has_played_something_else() -> None:
    town = playing_town("LTRF")
    older = dict(town["south"].journal)
    town.write("b2 DSQH")
    town["south"].journal = older
    town["south"].start_again(town.now)
    town["south"].write(parse_entry("a4 LTRH"), town.now)
    assert records(town)[1].count == 2
    town["south"].link(town.now, up=True)
    town.wait(3_000)
    assert [each.text for each in records(town)[1].log.entries] == ["LTRF", "b2 DSQH"]
    assert records(town)[0].log.entries == records(town)[1].log.entries


# --- boards that mean ill ---------------------------------------------------------------------------------------------


def honest(town: Town) -> Match:
    return town["south"].record(NAME)


@pytest.mark.parametrize(
    "texts",
    [
        ("LTRF", "b2 DSQH"),  # in the name of who is to place
        ("LTRF", "b2 LTRF"),  # a piece that is placed
        ("LTRH",),  # another first piece than it gave
        ("LTRF", "QUARTO"),
        ("nonsense",),
    ],
)
def test_nobody_writes_what_is_another_players_or_against_the_rules(texts: tuple[str, ...]) -> None:
    town = playing_town("LTRF")
    before = honest(town)
    letter = LogLetter(NAME, texts, ("0" * 32,) * len(texts), "0" * 64)
    for _ in range(3):
        town.say("north", "south", letter)
    assert honest(town) == before


def test_a_board_that_goes_on_writing_what_nobody_may_loses_its_game_and_nobody_wins() -> None:
    town = playing_town("LTRF")
    for _ in range(MOST_REFUSED):
        town.say("north", "south", LogLetter(NAME, ("LTRF", "b2 DSQH"), ("0" * 32,) * 2, "0" * 64))
    result = honest(town).result
    assert result is not None
    assert (result.winner, result.reason) == (None, Reason.UNFINISHED)


def test_a_third_board_can_do_nothing_to_a_game() -> None:
    town = playing_town("LTRF")
    before = honest(town)
    for letter in (
        replace(log_letter(town["north"].record(NAME)), has_left=True),
        RefuseLetter(NAME, Refusal.GONE),
        HaveLetter(NAME, 1, "0" * 64, has_left=True),
        WithdrawLetter(NAME),
        AcceptLetter(NAME),
    ):
        town.say("west", "south", letter)
        town.say("west", "north", letter)
    assert honest(town) == before
    town.write("b2 DSQH")
    assert records(town)[0].count == 2


def test_letters_of_an_earlier_game_change_nothing_in_the_next() -> None:
    town = playing_town("LTRF", "a1 LTRH")
    old = log_letter(town["north"].record(NAME))
    town["north"].give_up(town.now)
    town.wait(5_000)
    town["north"].invite("south", town.now, "00decaff")
    town.wait()
    town["south"].accept("north", town.now)
    town.wait()
    town.write("DSQH")
    town.say("north", "south", old)
    match = town["south"].ongoing.match
    assert [each.text for each in match.log.entries] == ["DSQH"]
    assert match.name == "00decaff"


def test_a_flood_is_not_read() -> None:
    town = playing_town("LTRF")
    before = len(town.post.letters)
    for _ in range(1_000):
        town.say("west", "south", HaveLetter("0" * 8, 1, "0" * 64))
    assert len(town.post.letters) - before <= 60
    town.write("b2 DSQH")
    assert records(town)[0].count == 2


def test_so_many_invitations_are_remembered_and_no_more() -> None:
    town = Town("south")
    for number in range(50):
        town.say(f"b{number}", "south", InviteLetter(f"{number:08x}", AGREED, Player.A))
    assert len(town["south"].known.invitations) == MOST_INVITATIONS


def test_every_letter_comes_out_as_it_went_in() -> None:
    for letter in (
        InviteLetter(NAME, AGREED, Player.B),
        TakeLetter(),
        AcceptLetter(NAME),
        WithdrawLetter(NAME),
        RefuseLetter(NAME, Refusal.BUSY),
        RefuseLetter("", Refusal.GONE),
        LogLetter(NAME, ("LTRF",), ("0" * 32,), "a" * 64, has_left=True, knows=True),
        HaveLetter(NAME, 3, "a" * 64),
    ):
        assert read_letter(pack_letter(letter)) == letter


def test_seals_of_another_game_are_worth_nothing() -> None:
    town = playing_town("LTRF", "b2 DSQH")
    first, second = records(town)
    other = Match.begun(first.terms, Player.A, "another secret").written(parse_entry("LTRF"))
    fresh = Match.begun(first.terms, Player.A, first.secret)
    assert fresh.joined(OtherLog(first.log.entries[:1], first.seals[:1])).count == 1
    with pytest.raises(ValueError, match="is said to be this board's"):
        fresh.joined(OtherLog(other.log.entries, other.seals))
    assert second.count == 2


@pytest.mark.parametrize("texts", [(), ("LTRF", "b2 DSQH")])
def test_letters_are_what_the_schema_says(texts: tuple[str, ...]) -> None:
    schema = json.loads(Path(messages.__file__).with_name("messages.schema.json").read_text(encoding="utf-8"))
    letter = {"$ref": "#/$defs/letter", "$defs": schema["$defs"]}
    match = records(playing_town(*texts))[0]
    for each in (
        InviteLetter(NAME, AGREED, Player.B),
        TakeLetter(),
        AcceptLetter(NAME),
        WithdrawLetter(NAME),
        RefuseLetter("", Refusal.GONE),
        log_letter(match),
        have_letter(match),
    ):
        jsonschema.Draft202012Validator(letter).validate(json.loads(pack_letter(each)))
