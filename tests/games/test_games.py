"""Whole evenings, each a plain file beside this one: README.md explains how they are written."""

import re

import pytest

from tests.games.evening import Evening, EveningError, evenings, parse_evening
from tests.games.judging import complaints
from tests.games.performance import Performance

EVENINGS = evenings()
SEEDS = (1, 2)
PAINS = (
    "picochess #1",
    "#112",
    "#171",
    "#101",
    "#152",
    "rfid #437",
    "pi-rc522 #10",
    "#55",
    "#589",
    "OPENCHESSBOARD #7",
)


FIRST_OF_A_RULE = {
    next(evening.name for evening in EVENINGS if evening.name.startswith(rule))
    for rule in {evening.name[:4] for evening in EVENINGS if re.match(r"[rd]\d\d-", evening.name)}
}
OF_UNREST = ("d05-", "d13-", "fault-", "hand-", "noisy-", "sensing-")


def _marks_of(evening: Evening, seed: int) -> tuple[pytest.MarkDecorator, ...]:
    """`make check` plays one evening for each rule and each decision, `make test` all of them.

    Where it matters what readers hear when, evenings are heard a second time; the others are in `make soak` only.
    """
    unrest = evening.name.startswith(OF_UNREST)
    if seed != SEEDS[0]:
        return (pytest.mark.slow if unrest else pytest.mark.campaign,)
    return () if evening.name in FIRST_OF_A_RULE and not unrest else (pytest.mark.slow,)


@pytest.mark.parametrize(
    ("evening", "seed"),
    [pytest.param(evening, seed, marks=_marks_of(evening, seed)) for evening in EVENINGS for seed in SEEDS],
    ids=lambda given: given.name if isinstance(given, Evening) else f"{given}",
)
def test_the_referee_says_what_the_evening_expects(evening: Evening, seed: int) -> None:
    performance = Performance(evening, seed)
    played = performance.play()
    found = complaints(played, performance.effects())
    assert not found, f"{evening.name}: {evening.header['title']}\n" + "\n".join(found)


def test_every_rule_has_an_evening() -> None:
    numbers = {number for evening in EVENINGS for number in evening.covers}
    assert numbers == {f"R{number}" for number in range(1, 12)} | {f"D{number}" for number in range(1, 17)}


def test_whatever_users_of_other_boards_suffered_from_has_an_evening() -> None:
    sources = " ".join(evening.header.get("source", "") for evening in EVENINGS)
    for pain in PAINS:
        assert pain in sources


@pytest.mark.parametrize(
    ("said", "fault"),
    [
        ("> placed LTRF a1 by A", "expected 'placed LTRF a1 by A', and there was 'placed LTRF a1 by B'"),
        ("", "after 'put LTRF a1' nobody expects 'placed LTRF a1 by B'"),
        ("> placed LTRF a1 by B\n> missed a1 b1 c1 d1 (colour)", "and there was nothing"),
        ("> placed LTRF a1 by B\nshows GiveNext A", "expected 'shows GiveNext A', and it is 'GiveNext B'"),
        ("> placed LTRF a1 by B\nnotice FalseCall A", "and it is 'nothing'"),
        ("> placed LTRF a1 by B\nno menu\nmarks a1 won", "and it is 'none'"),
    ],
)
def test_evening_that_expects_something_else_is_told_of(said: str, fault: str) -> None:
    hands = "give LTRF\n> given LTRF by A\nput LTRF a1\n"
    end = "\nend\n> result unfinished, ..../..../..../0... -\n"
    performance = Performance(parse_evening("wrong", f"title: wrong\n{hands}{said}{end}"))
    found = complaints(performance.play(), performance.effects())
    assert len(found) == 1
    assert fault in found[0]


def test_evening_that_nobody_can_play_is_told_with_its_line() -> None:
    with pytest.raises(EveningError, match="line 2: 'juggle LTRF'"):
        Performance(parse_evening("wrong", "title: wrong\njuggle LTRF\n")).play()
    with pytest.raises(EveningError, match="the title is missing"):
        parse_evening("wrong", "give LTRF\n")
