"""Versions side by side."""

from __future__ import annotations

from pathlib import Path

import pytest
from installing.versions import Versions


@pytest.fixture
def versions(tmp_path: Path) -> Versions:
    versions = Versions(tmp_path)
    for name in ("0.1.0-a", "0.1.0-b", "0.2.0-c"):
        versions.named(name).folder.mkdir(parents=True)
    return versions


def test_nothing_counts_at_first(versions: Versions) -> None:
    assert versions.current is None
    assert versions.previous is None


def test_version_that_counted_is_remembered(versions: Versions) -> None:
    versions.switch_to(versions.named("0.1.0-a"))
    versions.switch_to(versions.named("0.1.0-b"))
    assert versions.current == versions.named("0.1.0-b")
    assert versions.previous == versions.named("0.1.0-a")


def test_switching_to_what_counts_already_forgets_nothing(versions: Versions) -> None:
    for name in ("0.1.0-a", "0.1.0-b", "0.1.0-b"):
        versions.switch_to(versions.named(name))
    assert versions.previous == versions.named("0.1.0-a")


def test_two_versions_are_kept(versions: Versions) -> None:
    for name in ("0.1.0-a", "0.1.0-b", "0.2.0-c"):
        versions.switch_to(versions.named(name))
    assert versions.prune() == ["0.1.0-a"]
    assert sorted(each.name for each in versions.folder.iterdir()) == ["0.1.0-b", "0.2.0-c"]


def test_link_is_relative_so_that_the_card_can_be_looked_at_elsewhere(versions: Versions, tmp_path: Path) -> None:
    versions.switch_to(versions.named("0.1.0-a"))
    assert str((tmp_path / "current").readlink()) == "versions/0.1.0-a"


def test_link_to_a_version_that_was_removed_by_hand_counts_for_nothing(versions: Versions) -> None:
    versions.switch_to(versions.named("0.1.0-a"))
    versions.named("0.1.0-a").folder.rmdir()
    assert versions.current is None
