"""What people do beside the plain moves: second thoughts, mistakes, bumps, and what they forget."""

from __future__ import annotations

from tests.chaos.evening import Script
from tests.chaos.people import People


def before_giving(people: People) -> Script:
    yield people.random.uniform(1, 1_000)


def after_giving(people: People) -> Script:
    yield 1.0


def before_placing(people: People) -> Script:
    yield people.random.uniform(1, 1_000)
    game = people.memory.game
    if game.open and game.receiver in people.settings.people and people.chance(people.cast.calls / 2):
        yield from people.call(game.receiver)


def after_placing(people: People) -> Script:
    yield 1.0
