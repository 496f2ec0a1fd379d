"""A version rolled out to boards: every transition, and hundreds of fleets with boards that die, are slow, and lie."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass, field, replace

import pytest

from quarto_pi.chain.messages import VersionStep
from quarto_pi.hub.rollout import (
    BACK_SECONDS,
    ILL_SECONDS,
    TAKE_SECONDS,
    WELL_SECONDS,
    WENT_WRONG,
    BoardStep,
    Rollout,
    RolloutRefused,
    RolloutStage,
    RolloutState,
    SeenOfBoard,
    abandon_rollout,
    advance_rollout,
    allowed,
    begin_rollout,
    resume_rollout,
    stop_rollout,
)

NEW, OLD = "2.0", "1.0"
NAMES = tuple(f"board-{number:02}" for number in range(20))
OF_OLD = SeenOfBoard(here=True, version=OLD)
OF_NEW = SeenOfBoard(here=True, version=NEW)
AWAY = SeenOfBoard(here=False, version=OLD)
HOT = frozenset({"temperature"})

Seen = dict[str, SeenOfBoard]


def all_old(**more: SeenOfBoard) -> Seen:
    return dict.fromkeys(NAMES, OF_OLD) | {name.replace("_", "-"): each for name, each in more.items()}


def begun() -> Rollout:
    return begin_rollout(NEW, NAMES, all_old(), 0)


def step_of(rollout: Rollout, name: str = NAMES[0]) -> BoardStep:
    return rollout.boards[name].step


def first(rollout: Rollout, *seen: tuple[SeenOfBoard, float]) -> Rollout:
    """The rollout after the first board was seen like this at these moments, and all others as they were."""
    for each, now in seen:
        rollout = advance_rollout(rollout, {**all_old(), NAMES[0]: each}, now)
    return rollout


# --- One board --------------------------------------------------------------------------------------------------------

TAKING = replace(OF_OLD, told=VersionStep.INSTALLING)
OF_NEW_ILL = replace(OF_NEW, ailments=HOT)
FETCHING = replace(OF_OLD, told=VersionStep.FETCHING)
READY = replace(OF_OLD, told=VersionStep.WAITING)

PATHS: dict[str, tuple[list[tuple[SeenOfBoard, float]], BoardStep]] = {
    "offered": ([(OF_OLD, 1)], BoardStep.OFFERED),
    "offered, away": ([(AWAY, 1), (AWAY, TAKE_SECONDS - 1)], BoardStep.OFFERED),
    "offered, never heard again": ([(AWAY, 1), (AWAY, TAKE_SECONDS)], BoardStep.LOST),
    "fetching": ([(FETCHING, 1)], BoardStep.FETCHING),
    "fetched": ([(FETCHING, 1), (READY, 2)], BoardStep.READY),
    "fetched, switched off for the night": (
        [(FETCHING, 1), (READY, 2), (AWAY, 5), (AWAY, 5 + BACK_SECONDS)],
        BoardStep.READY,
    ),
    "fetched, fetched again and again": ([(READY, 2), (FETCHING, 9), (READY, TAKE_SECONDS)], BoardStep.LATE),
    "fetched, taking": ([(READY, 2), (TAKING, 3)], BoardStep.TAKING),
    "fetching, refused": ([(FETCHING, 1), (replace(OF_OLD, refused="no room."), 2)], BoardStep.REFUSED),
    "fetched, never heard again": ([(READY, 1), (AWAY, 2), (AWAY, TAKE_SECONDS)], BoardStep.LOST),
    "taking, cut, fetching again": ([(TAKING, 1), (AWAY, 2), (FETCHING, 9)], BoardStep.FETCHING),
    "late": ([(OF_OLD, TAKE_SECONDS)], BoardStep.LATE),
    "taking": ([(TAKING, 1)], BoardStep.TAKING),
    "taking, late": ([(TAKING, 1), (OF_OLD, 1 + TAKE_SECONDS)], BoardStep.LATE),
    "taking, away for a moment": ([(TAKING, 1), (AWAY, 5), (AWAY, 4 + BACK_SECONDS)], BoardStep.TAKING),
    "taking, away": ([(TAKING, 1), (AWAY, 5), (AWAY, 5 + BACK_SECONDS)], BoardStep.LOST),
    "taking, refused": ([(TAKING, 1), (replace(OF_OLD, refused="no room."), 2)], BoardStep.REFUSED),
    "refused": ([(replace(OF_OLD, refused="its signature is wrong."), 2)], BoardStep.REFUSED),
    "tried": ([(OF_NEW, 1)], BoardStep.TRIED),
    "taking, tried": ([(TAKING, 1), (OF_NEW, 2)], BoardStep.TRIED),
    "tried, well": ([(OF_NEW, 1), (OF_NEW, 1 + WELL_SECONDS)], BoardStep.WELL),
    "tried, away for a moment": ([(OF_NEW, 1), (AWAY, 5), (OF_NEW, 1 + WELL_SECONDS)], BoardStep.WELL),
    "tried, away at the end": ([(OF_NEW, 1), (AWAY, 1 + WELL_SECONDS)], BoardStep.TRIED),
    "tried, away": ([(OF_NEW, 1), (AWAY, 5), (AWAY, 5 + BACK_SECONDS)], BoardStep.LOST),
    "tried, ill": ([(OF_NEW, 1), (OF_NEW_ILL, 5), (OF_NEW_ILL, 5 + ILL_SECONDS)], BoardStep.ILL),
    "tried, ill for a moment": ([(OF_NEW, 1), (OF_NEW_ILL, 5), (OF_NEW, 9), (OF_NEW_ILL, 99)], BoardStep.TRIED),
    "tried, ill at the end": ([(OF_NEW, 1), (OF_NEW_ILL, 1 + WELL_SECONDS)], BoardStep.TRIED),
    "tried, ill, away, ill": ([(OF_NEW, 1), (OF_NEW_ILL, 5), (AWAY, 9), (OF_NEW_ILL, 99)], BoardStep.ILL),
    "tried, back": ([(OF_NEW, 1), (OF_OLD, 5)], BoardStep.ILL),
    "lost, there again": ([(OF_NEW, 1), (AWAY, 5), (AWAY, 5 + BACK_SECONDS), (OF_NEW, 9_000)], BoardStep.TRIED),
    "late, there after all": ([(OF_OLD, TAKE_SECONDS), (OF_NEW, TAKE_SECONDS + 1)], BoardStep.TRIED),
    "well, ill much later": (
        [(OF_NEW, 1), (OF_NEW, 1 + WELL_SECONDS), (replace(OF_NEW, ailments=HOT), 9e9)],
        BoardStep.WELL,
    ),
    "ill, well again": ([(OF_NEW, 1), (OF_NEW_ILL, 5), (OF_NEW_ILL, 99), (OF_NEW, 199)], BoardStep.ILL),
}


@pytest.mark.parametrize("path", PATHS)
def test_a_board_goes_its_way(path: str) -> None:
    seen, step = PATHS[path]
    assert step_of(first(begun(), *seen)) is step


def test_every_step_of_a_board_is_reached() -> None:
    reached = {step for _, step in PATHS.values()}
    assert reached | {BoardStep.WAITING, BoardStep.HAD_IT} == set(BoardStep)


def test_what_a_board_was_ill_of_before_is_not_the_versions_fault() -> None:
    ill = replace(OF_OLD, ailments=HOT)
    rollout = begin_rollout(NEW, NAMES, {**all_old(), NAMES[0]: ill}, 0)
    rollout = first(rollout, (replace(OF_NEW, ailments=HOT), 1), (replace(OF_NEW, ailments=HOT), 1 + WELL_SECONDS))
    assert step_of(rollout) is BoardStep.WELL
    assert rollout.state is RolloutState.RUNNING


# --- All boards -------------------------------------------------------------------------------------------------------


def test_one_board_then_ten_per_cent_then_all() -> None:
    rollout, seen, now = begun(), all_old(), 0.0
    sizes = [len(rollout.offered)]
    while rollout.stage is not RolloutStage.DONE:
        for name in rollout.offered:
            seen[name] = OF_NEW
        now += 1
        rollout = advance_rollout(rollout, seen, now)
        now += WELL_SECONDS
        rollout = advance_rollout(rollout, seen, now)
        sizes.append(len(rollout.offered))
    assert sizes == [1, 1, 18, 0]
    assert rollout.count(BoardStep.WELL) == len(NAMES)


@pytest.mark.parametrize("step", [BoardStep.ILL, BoardStep.REFUSED, BoardStep.LOST])
def test_the_first_board_that_goes_wrong_stops_it_and_says_why(step: BoardStep) -> None:
    seen = next(seen for seen, reached in PATHS.values() if reached is step)
    rollout = first(begun(), *seen)
    assert rollout.state is RolloutState.STOPPED
    assert rollout.why.startswith("board-00: ")
    later = advance_rollout(rollout, all_old(), 9e9)
    assert (later.state, later.count(BoardStep.WAITING)) == (RolloutState.STOPPED, 19), "nobody new is offered it"


def test_a_rollout_that_goes_on_without_a_board_tries_another_one_first() -> None:
    rollout = first(begun(), (OF_NEW, 1), (OF_OLD, 2))
    rollout = resume_rollout(rollout, all_old(), 3)
    assert (rollout.state, rollout.stage) == (RolloutState.RUNNING, RolloutStage.ONE)
    assert rollout.offered == (NAMES[1],)
    rollout = advance_rollout(rollout, all_old(), 4)
    assert rollout.state is RolloutState.RUNNING, "what was forgiven does not stop it again"


def test_a_board_that_never_takes_it_is_not_waited_for_and_shows_nothing() -> None:
    rollout = first(begun(), (OF_OLD, TAKE_SECONDS))
    assert (rollout.state, rollout.stage) == (RolloutState.RUNNING, RolloutStage.ONE)
    assert rollout.offered == (NAMES[1],)


def test_among_all_boards_a_few_may_go_wrong() -> None:
    names = tuple(f"board-{number:03}" for number in range(200))
    seen = dict.fromkeys(names, OF_OLD)
    rollout = replace(begin_rollout(NEW, names, seen, 0), stage=RolloutStage.ALL)
    rollout = advance_rollout(rollout, seen, 1)
    for bad in range(4):
        seen[names[bad]] = replace(OF_OLD, refused="no room.")
    assert advance_rollout(rollout, seen, 2).state is RolloutState.RUNNING
    seen[names[4]] = replace(OF_OLD, refused="no room.")
    assert advance_rollout(rollout, seen, 2).state is RolloutState.STOPPED


def test_an_owner_stops_resumes_and_abandons_it() -> None:
    rollout = stop_rollout(begun(), "anna")
    assert (rollout.state, rollout.by, rollout.offered) == (RolloutState.STOPPED, "anna", ())
    going_on = resume_rollout(rollout, all_old(), 1)
    assert (going_on.state, going_on.by, going_on.offered) == (RolloutState.RUNNING, "", (NAMES[0],))
    over = abandon_rollout(rollout, "anna")
    assert (over.state, over.offered) == (RolloutState.ABANDONED, ())
    assert advance_rollout(over, {NAMES[0]: OF_NEW}, 9) == over


def test_a_step_that_cannot_be_taken_is_refused_in_a_sentence() -> None:
    over = abandon_rollout(begun(), "anna")
    done = replace(begun(), stage=RolloutStage.DONE)
    steps: tuple[Callable[[], Rollout], ...] = (
        lambda: resume_rollout(begun(), {}, 0),
        lambda: resume_rollout(over, {}, 0),
        lambda: stop_rollout(over, "x"),
        lambda: stop_rollout(done, "x"),
        lambda: stop_rollout(stop_rollout(begun(), "x"), "y"),
        lambda: abandon_rollout(over, "anna"),
        lambda: abandon_rollout(done, "anna"),
        lambda: begin_rollout(NEW, (), {}, 0),
        lambda: begin_rollout(NEW, NAMES, dict.fromkeys(NAMES, OF_NEW), 0),
    )
    for step in steps:
        with pytest.raises(RolloutRefused, match=r"\.$"):
            step()


def test_a_board_that_is_away_is_offered_it_when_it_is_back() -> None:
    seen = all_old(board_00=AWAY)
    rollout = begin_rollout(NEW, NAMES[:2], seen, 0)
    assert rollout.offered == (NAMES[1],)
    seen[NAMES[1]] = OF_NEW
    for now in (1, 1 + WELL_SECONDS):
        rollout = advance_rollout(rollout, seen, now)
    assert (rollout.stage, rollout.offered) == (RolloutStage.ALL, ()), "nobody is left behind"
    assert advance_rollout(rollout, all_old(), 9_000).offered == (NAMES[0],)


def test_boards_that_have_the_version_are_left_alone_and_prove_nothing() -> None:
    rollout = begin_rollout(NEW, NAMES, all_old(board_00=OF_NEW), 0)
    assert step_of(rollout) is BoardStep.HAD_IT
    assert (rollout.stage, rollout.offered) == (RolloutStage.ONE, (NAMES[1],))


# --- A fleet that lives -----------------------------------------------------------------------------------------------


@dataclass
class LivingBoard:
    """A board with a character, over time; what it is seen to be."""

    character: str
    dice: random.Random
    takes_at: float = -1.0
    seen: SeenOfBoard = OF_OLD
    history: list[SeenOfBoard] = field(default_factory=list)

    def live(self, now: float, *, is_offered: bool) -> None:
        """What it is now; one that is offered the version takes it when it likes to."""
        if is_offered and self.takes_at < 0:
            self.takes_at = now + self.dice.uniform(60, 7_200)
        begun = self.takes_at >= 0 and now >= self.takes_at
        lasted = now - self.takes_at
        blinks = self.dice.random() < 0.02
        match self.character:
            case "dead" if begun:
                self.seen = TAKING if lasted < 300 else AWAY
            case "ill" if begun:
                self.seen = replace(OF_NEW, ailments=HOT) if lasted > 600 else OF_NEW
            case "back" if begun:
                self.seen = OF_NEW if lasted < 900 else OF_OLD
            case "refuses" if begun:
                self.seen = replace(OF_OLD, refused="its signature is wrong.")
            case "slow":
                self.seen = AWAY if blinks else OF_OLD
            case "lies":
                self.seen = self.dice.choice((OF_OLD, OF_NEW, TAKING, AWAY, replace(OF_OLD, refused="no."), OF_NEW))
            case "good" if begun:
                self.seen = (
                    FETCHING
                    if lasted < 60
                    else READY
                    if lasted < 200
                    else TAKING
                    if lasted < 300
                    else AWAY
                    if blinks
                    else OF_NEW
                )
            case _:
                self.seen = AWAY if blinks else OF_OLD


WRONG = ("dead", "ill", "back", "refuses")


def lived_through(seed: int, characters: tuple[str, ...], hours: int = 400) -> tuple[Rollout, dict[str, LivingBoard]]:
    """A rollout over a fleet of such boards, looked at every ten minutes; its promises are held at every look."""
    dice = random.Random(seed)
    boards = {f"board-{n:02}": LivingBoard(dice.choice(characters), dice) for n in range(dice.randint(1, 60))}
    seen = {name: board.seen for name, board in boards.items()}
    rollout = begin_rollout(NEW, boards, seen, 0)
    for turn in range(1, hours * 6):
        now = turn * 600.0
        offered = set(rollout.offered)
        for name, board in boards.items():
            board.live(now, is_offered=name in offered)
            seen[name] = board.seen
        before, rollout = rollout, advance_rollout(rollout, seen, now)
        hold_promises(before, rollout)
        if rollout.stage is RolloutStage.DONE or rollout.state is not RolloutState.RUNNING:
            break
    return rollout, boards


def hold_promises(before: Rollout, after: Rollout) -> None:
    started = {name for name, each in after.boards.items() if each.step is not BoardStep.WAITING}
    new = started - {name for name, each in before.boards.items() if each.step is not BoardStep.WAITING}
    if after.state is not RolloutState.RUNNING:
        assert not new, "nobody new is offered the version once it is stopped"
    counted = sum(
        each.step not in {BoardStep.WAITING, BoardStep.HAD_IT, BoardStep.LATE, *WENT_WRONG}
        for each in after.boards.values()
    )
    replaced = sum(each.step is BoardStep.TRIED for each in after.boards.values())
    assert counted - replaced <= allowed(after.stage, len(after.boards))
    if after.stage is RolloutStage.ALL and len(after.boards) > 1:
        assert after.count(BoardStep.WELL), "all are offered only what somebody is well with"
    assert list(RolloutStage).index(after.stage) >= list(RolloutStage).index(before.stage)


@pytest.mark.parametrize("seed", range(20))
def test_good_boards_all_get_the_version(seed: int) -> None:
    rollout, boards = lived_through(seed, ("good",))
    assert rollout.stage is RolloutStage.DONE
    assert rollout.count(BoardStep.WELL) == len(boards)


@pytest.mark.parametrize("character", WRONG)
@pytest.mark.parametrize("seed", range(6))
def test_a_version_that_is_bad_for_everybody_reaches_one_board(seed: int, character: str) -> None:
    rollout, boards = lived_through(seed, (character,))
    assert rollout.state is RolloutState.STOPPED
    assert len(boards) - rollout.count(BoardStep.WAITING) == 1


@pytest.mark.parametrize("seed", range(60))
def test_whatever_boards_do_the_promises_hold_and_it_comes_to_an_end(seed: int) -> None:
    rollout, _ = lived_through(seed, ("good", "good", "good", "slow", "lies", *WRONG))
    # Each board that does not take it is waited for a week, so a fleet of many such may take longer than this.
    is_slow = rollout.count(BoardStep.LATE) > 0
    assert rollout.stage is RolloutStage.DONE or rollout.state is RolloutState.STOPPED or is_slow
    if rollout.stage is RolloutStage.DONE:
        bad = rollout.count(*WENT_WRONG)
        assert bad <= max(0, len(rollout.boards) * 2 // 100)


def test_the_same_seed_makes_the_same_rollout() -> None:
    assert lived_through(7, ("good", "lies", "dead"))[0] == lived_through(7, ("good", "lies", "dead"))[0]
