"""The guide over a simulated board: hands put real pieces down, tags are stored, and a game is played with them."""

from __future__ import annotations

from contextlib import ExitStack
from pathlib import Path

import pytest

from quarto_pi.commands.enrol import GuideLines
from quarto_pi.commands.run import Guidance, Learned
from quarto_pi.config import Config, parse_config
from quarto_pi.enrolment import Task
from quarto_pi.enrolment.state import (
    AllKnown,
    CheckReaders,
    GuideNotice,
    GuidePrompt,
    KnownAlready,
    NotStored,
    PutPiece,
    Ready,
    ReplacePiece,
    StoringFails,
    UnclearTag,
)
from quarto_pi.referee.messages import GiveNext
from quarto_pi.rules import PIECES, Player
from quarto_pi.sensing.readings import OFFER, SQUARE_NAMES
from quarto_pi.sensing.tags import TagTable
from quarto_pi.simulation.board import UIDS, Hands, Reach
from quarto_pi.simulation.bus import NOTHING_ANSWERS_LOW, LineFault
from quarto_pi.wiring.board import open_loop
from quarto_pi.wiring.guide import TagsFile, known_so_far, open_guide
from quarto_pi.wiring.platform import simulated_hardware
from tests.evening import CALL_PIN, Watcher

TABLE = TagTable(dict(zip(UIDS, PIECES, strict=True)))
ALL_BUT_THREE = TagTable(dict(zip(UIDS[:13], PIECES[:13], strict=True)))
"""What an enrolment has come to that was broken off before the last three pieces."""
NEW = "04EE1F2A7B9C80"
PUT_MS = 2_100


class FullDisk(TagsFile):
    """A file on a disk without any room, until there is some."""

    def __init__(self, path: Path) -> None:
        super().__init__(path)
        self.full = True

    def write(self, table: TagTable) -> None:
        if self.full:
            raise OSError(28, "No space left on device")
        super().write(table)


class Newcomer:
    """A board that does not know its pieces, and the hands of somebody who follows its guide."""

    def __init__(self, stack: ExitStack, file: TagsFile, task: Task, config: Config | None = None) -> None:
        config = config or Config()
        platform, self.board = simulated_hardware(config=config)
        self._pin = platform.pin_factory.pin(f"GPIO{CALL_PIN}")  # type: ignore[union-attr] # the mock factory
        table, _ = known_so_far(file)
        self.loop = open_guide(config, platform, stack, task, table, file, "en")
        self._hands = Hands(self.board.clock, self.board.table)

    @property
    def now(self) -> float:
        return self.board.clock.ns / 1_000_000

    def asks(self) -> GuidePrompt:
        return self.loop.state.prompt

    @property
    def notice(self) -> GuideNotice | None:
        return None if self.loop.state.told is None else self.loop.state.told.notice

    def wait(self, milliseconds: float) -> None:
        end = self.now + milliseconds
        self.loop.run(lambda: self.now < end)

    def put(self, uid: str, cell: str) -> None:
        self._hands.put(uid, cell, self.now + 1)
        self.wait(PUT_MS)

    def lift(self, uid: str) -> None:
        self._hands.lift(uid, self.now + 1)
        self.wait(PUT_MS)

    def press(self, milliseconds: float = 120) -> None:
        self.board.clock.plan(self.now + 20, self._pin.drive_low)
        self.board.clock.plan(self.now + 20 + milliseconds, self._pin.drive_high)
        self.wait(milliseconds + 500)


@pytest.fixture
def file(tmp_path: Path) -> TagsFile:
    return TagsFile(tmp_path / "state" / "tags.toml")


@pytest.mark.slow
def test_pieces_are_enrolled_on_the_give_place_and_squares_and_stored(stack: ExitStack, file: TagsFile) -> None:
    file.write(ALL_BUT_THREE)
    newcomer = Newcomer(stack, file, Task())
    newcomer.wait(3_500)
    for piece, uid, cell in zip(PIECES[13:], UIDS[13:], (OFFER, *SQUARE_NAMES), strict=False):
        assert newcomer.asks() == PutPiece(piece, piece.number + 1, 16)
        newcomer.put(uid, cell)
    assert newcomer.loop.state.ended
    assert file.read() == TABLE
    assert not file.part.exists()


@pytest.mark.slow
def test_enrolment_that_was_cut_off_goes_on_at_the_next_start(stack: ExitStack, file: TagsFile) -> None:
    with ExitStack() as first:
        newcomer = Newcomer(first, file, Task())
        newcomer.wait(3_500)
        for number in range(3):
            newcomer.put(UIDS[number], SQUARE_NAMES[number])
    assert not file.exists()
    newcomer = Newcomer(stack, file, Task())
    newcomer.wait(3_500)
    assert newcomer.asks() == PutPiece(PIECES[3], 4, 16)


@pytest.mark.slow
def test_lost_piece_is_replaced_by_itself_and_its_old_tag_counts_no_longer(stack: ExitStack, file: TagsFile) -> None:
    file.write(TABLE)
    newcomer = Newcomer(stack, file, Task())
    newcomer.wait(3_500)
    for uid, square in list(zip(UIDS, SQUARE_NAMES, strict=True))[:-1]:
        newcomer.board.table.rest(uid, square)
    newcomer.wait(4_000)
    assert newcomer.asks() == AllKnown(15)
    newcomer.put(NEW, "d4")
    assert newcomer.asks() == ReplacePiece(PIECES[15], "d4")
    newcomer.press(1_200)
    assert file.read().uids_of(PIECES[15]) == (NEW,)
    assert TagsFile(file.before).read() == TABLE


@pytest.mark.slow
def test_what_neighbours_overhear_is_no_piece(stack: ExitStack, file: TagsFile) -> None:
    newcomer = Newcomer(stack, file, Task())
    newcomer.board.table.let_reach("b2", "b3", Reach(0.5))
    newcomer.board.table.let_reach("b2", "c2", Reach(0.3, shifted=True))
    newcomer.wait(3_500)
    newcomer.put(UIDS[0], "b2")
    newcomer.wait(3_000)
    assert newcomer.loop.state.roll.table.pieces == {UIDS[0]: PIECES[0]}
    assert newcomer.asks() == PutPiece(PIECES[1], 2, 16)


@pytest.mark.slow
def test_piece_that_is_enrolled_already_is_told(stack: ExitStack, file: TagsFile) -> None:
    newcomer = Newcomer(stack, file, Task())
    newcomer.wait(3_500)
    newcomer.put(UIDS[0], "b2")
    newcomer.lift(UIDS[0])
    newcomer.put(UIDS[0], "c3")
    assert newcomer.notice == KnownAlready(PIECES[0], "c3")


@pytest.mark.slow
def test_wrong_uid_that_passes_every_check_is_not_enrolled_in_the_right_ones_place(
    stack: ExitStack, file: TagsFile
) -> None:
    newcomer = Newcomer(stack, file, Task())
    newcomer.board.table.let_reach("b2", "b3", Reach(1.0, garbled_as="0500A1B2C3D480"))
    newcomer.wait(3_500)
    newcomer.put(UIDS[0], "b2")
    assert isinstance(newcomer.notice, UnclearTag)
    assert newcomer.loop.state.roll.table.pieces == {}
    newcomer.lift(UIDS[0])
    newcomer.put(UIDS[0], "d4")
    assert newcomer.loop.state.roll.table.pieces == {UIDS[0]: PIECES[0]}


def test_dead_reader_is_named_and_a_press_goes_on_without_it(stack: ExitStack, file: TagsFile) -> None:
    newcomer = Newcomer(stack, file, Task())
    newcomer.board.faults.set("c3", LineFault(stuck_at=NOTHING_ANSWERS_LOW))
    newcomer.wait(3_500)
    assert newcomer.asks() == CheckReaders(17, ("c3",), looked=True)
    newcomer.press()
    assert newcomer.asks() == PutPiece(PIECES[0], 1, 16)


@pytest.mark.slow
def test_full_disk_loses_nothing_and_is_tried_again(stack: ExitStack, tmp_path: Path) -> None:
    file = FullDisk(tmp_path / "tags.toml")
    TagsFile(file.path).write(ALL_BUT_THREE)
    newcomer = Newcomer(stack, file, Task(waits=True))
    newcomer.wait(3_500)
    newcomer.put(UIDS[13], SQUARE_NAMES[13])
    newcomer.wait(4_000)
    assert newcomer.notice == StoringFails()
    assert newcomer.loop.complaint == "No space left on device"
    for number in (14, 15):
        newcomer.put(UIDS[number], SQUARE_NAMES[number])
    assert newcomer.asks() == NotStored()
    file.full = False
    newcomer.wait(6_000)
    assert newcomer.asks() == Ready()
    assert file.read() == TABLE


@pytest.mark.slow
def test_first_start_ends_in_a_game_with_the_tags_and_the_language_that_were_chosen(
    tmp_path: Path, stack: ExitStack
) -> None:
    config = parse_config(f'[readers]\ntags = "{tmp_path / "tags.toml"}"\n')
    platform, board = simulated_hardware(config=config)
    pin = platform.pin_factory.pin(f"GPIO{CALL_PIN}")  # type: ignore[union-attr] # the mock factory

    def press(at: float, milliseconds: float) -> None:
        board.clock.plan(at, pin.drive_low)
        board.clock.plan(at + milliseconds, pin.drive_high)

    hands = Hands(board.clock, board.table)
    press(1_000, 100)
    press(2_000, 1_200)
    for number, square in enumerate(SQUARE_NAMES):
        hands.put(UIDS[number], square, 10_000 + number * PUT_MS)
    end = 10_000 + 16 * PUT_MS
    for number in range(16):
        hands_off = Hands(board.clock, board.table)
        hands_off.lift(UIDS[number], end + 200 * number)
    press(end + 6_000, 100)
    file = TagsFile(tmp_path / "tags.toml")

    def goes_on() -> bool:
        return board.clock.ns < 120_000_000_000

    guidance = Guidance(config, platform, file, GuideLines(), None, None, None, goes_on)
    learned = guidance.learn_first()
    assert learned == Learned(TABLE, "fr")
    assert file.read() == TABLE
    assert guidance.learn_first() == Learned(TABLE)
    watcher = Watcher(lambda: 0.0)
    loop = open_loop(config, platform, stack, learned.tags, (watcher,))
    learned.hand_over(loop, config)
    now = board.clock.ns / 1_000_000
    hands.put(UIDS[0], OFFER, now + 2_000)
    Hands(board.clock, board.table).lift(UIDS[0], now + 4_000)
    hands.put(UIDS[0], "b2", now + 5_000)
    loop.run(lambda: board.clock.ns / 1_000_000 < now + 8_000)
    assert watcher.prompt == GiveNext(Player.B)
    assert loop.state is not None
    assert loop.state.settings.language == "fr"


@pytest.mark.slow
def test_enrolment_from_the_menu_that_was_cut_off_goes_on_when_the_menu_asks_again(tmp_path: Path) -> None:
    platform, board = simulated_hardware()
    pin = platform.pin_factory.pin(f"GPIO{CALL_PIN}")  # type: ignore[union-attr] # the mock factory
    file = TagsFile(tmp_path / "tags.toml")
    file.write(TABLE)
    anew = {NEW: PIECES[0], **dict(zip(UIDS[1:15], PIECES[1:15], strict=True))}
    file.write(TagTable(anew))
    Hands(board.clock, board.table).put(UIDS[15], "a1", 6_000)
    board.clock.plan(12_000, pin.drive_low)
    board.clock.plan(12_100, pin.drive_high)
    guidance = Guidance(
        Config(), platform, file, GuideLines(), None, None, None, lambda: board.clock.ns < 20_000_000_000
    )
    learned = guidance.learn_again(TABLE, "en")
    assert learned == Learned(TagTable({**anew, UIDS[15]: PIECES[15]}), "en")


def test_guide_that_is_stopped_brings_nothing(tmp_path: Path) -> None:
    config = parse_config(f'[readers]\ntags = "{tmp_path / "tags.toml"}"\n')
    platform, board = simulated_hardware(config=config)
    guidance = Guidance(
        config,
        platform,
        TagsFile(tmp_path / "tags.toml"),
        GuideLines(),
        None,
        None,
        None,
        lambda: board.clock.ns < 1_000_000_000,
    )
    assert guidance.learn_first() is None


def test_damaged_file_that_only_the_board_wrote_is_set_aside_and_the_guide_begins(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    platform, board = simulated_hardware()
    file = TagsFile(tmp_path / "tags.toml")
    file.path.write_bytes(b"\0" * 400)
    guidance = Guidance(
        Config(), platform, file, GuideLines(), None, None, None, lambda: board.clock.ns < 1_000_000_000
    )
    assert guidance.learn_first() is None
    assert file.path.with_name("tags.toml.damaged").read_bytes() == b"\0" * 400
    said = capsys.readouterr()
    assert "It is kept as" in said.err
    assert said.out.startswith("English")
