"""The loop: hands above simulated chips below, and what the referee makes of them on the way."""

from __future__ import annotations

import json
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path

import pytest

from quarto_pi.cli import main
from quarto_pi.config import Config, parse_config
from quarto_pi.controller.computer import ThinkingComputer
from quarto_pi.controller.loop import Loop
from quarto_pi.devices.readers.interface import Movement
from quarto_pi.referee import PERSON, Choose, Effect, Glimpsed, Light, Order, Seat, Settings, Show, fold
from quarto_pi.referee.effects import GameFinished
from quarto_pi.referee.menu import Item
from quarto_pi.referee.messages import CarryOut, ChooseFirst, Drawn, GiveNext, PlaceThis, Won
from quarto_pi.referee.view import Mark
from quarto_pi.rules import Player, Reason, parse_piece
from quarto_pi.sensing.board import Sensing
from quarto_pi.sensing.readings import CELLS
from quarto_pi.sensing.tags import TagTable
from quarto_pi.simulation.bus import NOTHING_ANSWERS_LOW, LineFault
from quarto_pi.trace.story import as_json
from tests.evening import Build, Evening, on_the_header
from tests.pico.underneath import on_a_pico
from tests.rig import build_rig

SEEN_WITHIN_MS = 200
LINE = [("LTRF", "a1"), ("LTQF", "b1"), ("LSRF", "c1"), ("DTRF", "d1")]


@pytest.fixture(
    params=[
        pytest.param(on_the_header, id="on the header"),
        pytest.param(on_a_pico, id="on a pico", marks=pytest.mark.campaign),
    ]
)
def build(request: pytest.FixtureRequest) -> Build:
    """The readers and buttons of an evening: on the Pi's header, or, in the campaigns, on a Pico.

    One game on a Pico is always played: that of tests/pico/test_unplugged.
    """
    built: Build = request.param
    return built


@pytest.mark.slow
def test_whole_game_is_played_with_pieces_and_the_button(stack: ExitStack, build: Build) -> None:
    evening = Evening(stack, build=build)
    evening.wait(1_500)
    assert evening.watcher.prompt == ChooseFirst(Player.A)
    for piece, square in LINE:
        evening.turn(piece, square)
    evening.press()
    prompt = evening.watcher.prompt
    assert isinstance(prompt, Won)
    assert (prompt.winner, prompt.called) == (Player.A, True)
    evening.clear()
    assert evening.watcher.prompt == ChooseFirst(Player.A)


def test_display_says_whose_turn_it_is(stack: ExitStack, build: Build) -> None:
    evening = Evening(stack, build=build)
    evening.wait(1_500)
    evening.put("LTRF", "offer")
    assert evening.watcher.prompt == PlaceThis(Player.B, parse_piece("LTRF"))


@pytest.mark.slow
def test_recorded_game_is_replayed_to_the_same_events(
    stack: ExitStack, build: Build, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "evening.trace"
    evening = Evening(stack, record=file, build=build)
    evening.wait(1_500)
    for piece, square in LINE:
        evening.turn(piece, square)
    evening.press()
    evening.clear()
    evening.turn("DSQH", "c3")
    live = [as_json(tell.at, tell.report) for tell in evening.watcher.told]
    assert main(["replay", "--json", str(file)]) == 0
    replayed = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert replayed[:-1] == live
    assert (replayed[-1]["event"], replayed[-1]["reason"]) == ("result", "unfinished")


def test_recording_of_a_board_of_which_no_reader_answers_grows_no_faster_than_that_of_a_good_one(
    stack: ExitStack, tmp_path: Path
) -> None:
    def lines_of(evening: Evening, file: Path) -> int:
        before = len(file.read_text(encoding="utf-8").splitlines())
        evening.wait(2_000)
        return len(file.read_text(encoding="utf-8").splitlines()) - before

    file = tmp_path / "evening.trace"
    evening = Evening(stack, record=file)
    evening.wait(500)
    good = lines_of(evening, file)
    for cell in CELLS:
        evening.board.faults.set(cell, LineFault(stuck_at=NOTHING_ANSWERS_LOW))
    evening.wait(1_500)
    assert lines_of(evening, file) <= good


@pytest.mark.slow
def test_game_by_other_rules_is_recorded_in_a_file_of_its_own(stack: ExitStack, build: Build, tmp_path: Path) -> None:
    file = tmp_path / "evening.trace"
    evening = Evening(stack, parse_config('[game]\nstarter = "in turn"\n'), record=file, build=build)
    evening.wait(1_500)
    for piece, square in LINE:
        evening.turn(piece, square)
    evening.press()
    evening.clear()
    headers = [json.loads(name.read_text().partition("\n")[0]) for name in (file, tmp_path / "evening-2.trace")]
    assert [header["starter"] for header in headers] == [0, 1]
    assert main(["replay", str(tmp_path / "evening-2.trace")]) == 0


@pytest.mark.parametrize(
    ("file", "why"),
    [("/dev/full", "No space left on device"), ("/dev/null/evening.trace", "Not a directory")],
    ids=["full", "gone"],
)
def test_disk_that_can_not_be_written_ends_the_recording_and_not_the_game(
    stack: ExitStack, build: Build, file: str, why: str, capsys: pytest.CaptureFixture[str]
) -> None:
    evening = Evening(stack, record=Path(file), build=build)
    evening.wait(1_500)
    evening.turn("LTRF", "a1")
    assert evening.watcher.prompt == GiveNext(Player.B)
    stack.close()
    told = f"quarto-pi: nothing more is recorded, but the game goes on: {file} cannot be written ({why}).\n"
    assert capsys.readouterr().err == told


def carry_out(evening: Evening) -> None:
    """What hands do against the computer: place its piece, and give it the next one."""
    while not evening.state.game.over:
        evening.wait_for(lambda: isinstance(evening.watcher.prompt, CarryOut | PlaceThis | GiveNext | Won | Drawn))
        match evening.watcher.prompt:
            case CarryOut(_, piece, square):
                evening.put(piece.letters, square.name)
            case PlaceThis(_, piece):
                evening.put(piece.letters, evening.state.game.board.empty_squares[0].name)
            case GiveNext():
                evening.put(evening.state.game.available[0].letters, "offer")
                evening.lift(evening.state.game.hand.letters if evening.state.game.hand else "LTRF")
            case _:
                break


@pytest.mark.slow
def test_computer_thinks_in_its_own_process_and_hands_carry_its_moves_out(stack: ExitStack, build: Build) -> None:
    evening = Evening(stack, parse_config("[game]\nplayer_2 = 4\n"), build=build)
    evening.wait(1_500)
    evening.put("LTRF", "offer")
    carry_out(evening)
    ended = [report for report in evening.watcher.reports if isinstance(report, GameFinished)]
    assert [end.result.reason for end in ended] == [Reason.CALL]
    assert ended[0].result.winner is Player.B


@pytest.mark.slow
def test_board_without_give_place_is_played_on(stack: ExitStack, build: Build) -> None:
    evening = Evening(stack, parse_config("[readers]\noffer = false\n"), build=build)
    evening.wait(1_500)
    for piece, square in LINE:
        evening.put(piece, square)
    evening.press()
    evening.wait(6_000)
    prompt = evening.watcher.prompt
    assert isinstance(prompt, Won)
    assert prompt.winner is Player.A


@pytest.mark.slow
def test_button_is_taken_at_its_own_moment(stack: ExitStack, build: Build) -> None:
    evening = Evening(stack, Config(), build=build)
    evening.wait(1_500)
    for piece, square in LINE[:3]:
        evening.turn(piece, square)
    evening.put("DTRF", "offer")
    evening.lift("DTRF")
    evening.press()
    evening.put("DTRF", "d1")
    evening.wait(1_000)
    prompt = evening.watcher.prompt
    assert isinstance(prompt, Won)
    assert prompt.winner is Player.A


@pytest.mark.slow
def test_computer_plays_itself_with_the_help_of_hands(stack: ExitStack) -> None:
    evening = Evening(stack, parse_config("[game]\nplayer_1 = 2\nplayer_2 = 3\n[readers]\noffer = false\n"))
    evening.wait(1_500)
    carry_out(evening)
    ended = [report for report in evening.watcher.reports if isinstance(report, GameFinished)]
    assert len(ended) == 1
    assert ended[0].result.reason in (Reason.CALL, Reason.DRAW)


@pytest.mark.slow
def test_what_is_chosen_elsewhere_counts_as_in_the_menu(stack: ExitStack, build: Build) -> None:
    evening = Evening(stack, build=build)
    evening.wait(1_500)
    wishes = replace(evening.state.settings, seats=(PERSON, Seat(3)), language="fr")
    evening.loop.post(lambda at: Choose(at, wishes))
    evening.wait(300)
    assert evening.state.settings == wishes
    evening.put("LTRF", "offer")
    evening.loop.post(lambda at: Order(at, Item.NEW_GAME))
    evening.wait(300)
    ended = [report for report in evening.watcher.reports if isinstance(report, GameFinished)]
    assert [end.result.reason for end in ended] == [Reason.UNFINISHED]


class Display:
    """Notes what it is shown and when it may go on, each with how many turns the loop has taken by then."""

    def __init__(self) -> None:
        self.turns: Callable[[], int] = lambda: 0
        self.noted: list[tuple[str, int]] = []

    def perform(self, effect: Effect) -> None:
        if isinstance(effect, Show) and ("b2", Mark.SEEN) in effect.view.marks:
            self.noted.append(("shown", self.turns()))

    def tick(self, now: int) -> None:
        del now
        self.noted.append(("tick", self.turns()))

    def after_shown(self) -> list[tuple[str, int]]:
        return self.noted[next(index for index, (what, _) in enumerate(self.noted) if what == "shown") :]


class NoButtons:
    def movements(self) -> list[Movement]:
        return []


def test_displays_show_a_touch_before_the_sweep_is_over_that_sees_it() -> None:
    rig = build_rig()
    uid = "0401A1B2C3D480"
    display, output = Display(), Display()
    never = ThinkingComputer(lambda: pytest.fail("nobody asks the computer"))
    sensing = Sensing(TagTable.from_codes({uid: "LTRF"}))
    loop = Loop(rig.bank, NoButtons(), rig.board.clock, sensing, Settings(), never, [output], displays=[display])
    display.turns = output.turns = lambda: loop.turns
    for _ in range(12):
        loop.turn()
    rig.board.table.rest(uid, "b2")
    loop.turn()
    seen_in = loop.turns - 1
    assert display.after_shown()[:2] == [("shown", seen_in), ("tick", seen_in)]
    # Others are told too, and go on with what they do once the sweep is over.
    assert output.after_shown()[:2] == [("shown", seen_in), ("tick", seen_in + 1)]


def test_what_is_only_glimpsed_changes_nothing_but_the_marks(stack: ExitStack) -> None:
    evening = Evening(stack)
    evening.wait(1_500)
    before, now = evening.state, round(evening.now - evening.began)
    glimpsed, effects = fold(before, Glimpsed(now, "b2"))
    assert replace(glimpsed, touches=before.touches) == before
    assert [type(effect) for effect in effects] == [Show, Light]
    again, nothing = fold(glimpsed, Glimpsed(now, "b2"))
    assert nothing == ()
    assert replace(again, touches=before.touches) == before


@pytest.mark.slow
def test_touch_is_seen_at_once_and_counts_after_its_rest(stack: ExitStack) -> None:
    """In the board's own time, through simulated chips."""
    evening = Evening(stack)
    evening.wait(1_500)
    for piece, square in LINE[:2]:
        for cell in ("offer", square):
            if cell != "offer":
                evening.lift(piece)
            evening.put(piece, cell)
            at, marked = evening.watcher.marked[-1]
            assert marked == cell
            assert at - evening.began - evening.done_at <= SEEN_WITHIN_MS
            assert evening.watcher.told[-1].at - evening.done_at >= SEEN_WITHIN_MS
            shown = next(effect for effect in reversed(evening.watcher.effects) if isinstance(effect, Show))
            assert shown.view.marks == ()
