"""The table of phases, and its picture in the docs."""

from __future__ import annotations

from pathlib import Path

import pytest

from quarto_pi.referee.phases import TRANSITIONS, NoSuchTransition, Occurrence, Phase, diagram, follow

DOCS = Path(__file__).parents[2] / "docs" / "referee.md"


def test_diagram_in_the_docs_is_drawn_from_the_table() -> None:
    assert f"```mermaid\n{diagram()}```" in DOCS.read_text(encoding="utf-8")


def test_every_phase_can_be_reached_and_left() -> None:
    reached = {Phase.CHOOSE}
    while True:
        further = reached | {to for phase in reached for to in TRANSITIONS[phase].values()}
        if further == reached:
            break
        reached = further
    assert reached == set(Phase) == set(TRANSITIONS)
    assert all(TRANSITIONS[phase] for phase in Phase)


def test_change_that_the_table_does_not_know_is_refused() -> None:
    with pytest.raises(NoSuchTransition, match="in the phase 'attract' it cannot be that the piece is placed"):
        follow(Phase.ATTRACT, Occurrence.PLACED)
