"""What a hub counts and measures, as Prometheus reads it: text format 0.0.4, which is a few lines to write."""

from __future__ import annotations

import threading
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from quarto_pi.hub.alarms import Alarm, AlarmKind
from quarto_pi.hub.fleet import BoardCondition, FleetRow
from quarto_pi.hub.game_queries import pair_of
from quarto_pi.hub.rollout import BoardStep

# --- What the intake counts and measures, for who wants to know how it fares ------------------------------------------

COMMIT_SECONDS: Final = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0)
"""The bounds of the parts: from a disk that is fast to one that nobody wants."""


class CommitTimes:
    """How long commits took. One thread counts, any thread reads."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._counts = [0] * (len(COMMIT_SECONDS) + 1)
        self._seconds = 0.0

    def took(self, seconds: float) -> None:
        """One more, and how long it took."""
        with self._lock:
            self._counts[bisect_left(COMMIT_SECONDS, seconds)] += 1
            self._seconds += seconds

    def counted(self) -> tuple[list[int], float]:
        """How many there were in each part, the last of which has no bound, and their seconds altogether."""
        with self._lock:
            return list(self._counts), self._seconds


@dataclass(slots=True)
class IntakeCounts:
    """What was counted since the hub was started, and what waits at present."""

    messages: int = 0
    kept: int = 0
    again: int = 0
    refused: int = 0
    let_fall: int = 0
    batches: int = 0
    away: int = 0
    waiting: int = 0
    commits: CommitTimes = field(default_factory=CommitTimes)


# --- What a hub counts and measures, as Prometheus reads it: text format 0.0.4, which is a few lines to write ---------

CONTENT_TYPE: Final = "text/plain; version=0.0.4; charset=utf-8"
NO_ROLLOUT: Final[Mapping[BoardStep, int]] = {}


@dataclass(frozen=True, slots=True)
class Sample:
    """One line: the name's suffix, labels, and the value."""

    value: float
    labels: Mapping[str, str] = field(default_factory=dict)
    suffix: str = ""


def exposition(
    counts: IntakeCounts,
    rows: Sequence[FleetRow],
    alarms: Sequence[Alarm],
    linked: bool,
    rollout: Mapping[BoardStep, int] = NO_ROLLOUT,
) -> str:
    """Everything that a hub tells Prometheus. Names of boards stand nowhere in it, so it does not grow with them."""
    commits, seconds = counts.commits.counted()
    boards = dict.fromkeys(BoardCondition, 0)
    for row in rows:
        boards[row.condition] += 1
    kinds = dict.fromkeys(AlarmKind, 0)
    for alarm in alarms:
        kinds[alarm.cause.kind] += 1
    under_way = games_under_way(rows)
    waiting = sum(row.status.queued for row in rows if row.status is not None)
    parts = (
        _family("quarto_hub_linked", "gauge", "Whether the hub hears its broker.", [Sample(float(linked))]),
        _family(
            "quarto_boards",
            "gauge",
            "Boards by what they are.",
            [Sample(count, {"state": condition.value}) for condition, count in boards.items()],
        ),
        _family("quarto_games", "gauge", "Games under way.", [Sample(under_way)]),
        _family(
            "quarto_alarms",
            "gauge",
            "Alarms that are on, by what they are about.",
            [Sample(count, {"kind": kind.value.replace(" ", "_")}) for kind, count in kinds.items()],
        ),
        _family(
            "quarto_rollout_boards",
            "gauge",
            "Boards of the version that is being rolled out, by how far they are with it.",
            [Sample(rollout.get(step, 0), {"step": step.value.replace(" ", "_")}) for step in BoardStep],
        ),
        _family("quarto_board_queue", "gauge", "Settled actions that wait on boards.", [Sample(waiting)]),
        _family("quarto_hub_queue", "gauge", "Settled actions that wait in the hub.", [Sample(counts.waiting)]),
        _family("quarto_actions_total", "counter", "Settled actions that were kept.", [Sample(counts.kept)]),
        _family("quarto_repeated_total", "counter", "Settled actions that had come before.", [Sample(counts.again)]),
        _family("quarto_refused_total", "counter", "Messages that were none of ours.", [Sample(counts.refused)]),
        _family(
            "quarto_let_fall_total", "counter", "Messages of floods that were let fall.", [Sample(counts.let_fall)]
        ),
        _family("quarto_messages_total", "counter", "Messages that have come.", [Sample(counts.messages)]),
        _family("quarto_database_away_total", "counter", "How often the database went away.", [Sample(counts.away)]),
        _family(
            "quarto_commit_seconds",
            "histogram",
            "How long the database took for each commit.",
            _histogram(commits, seconds),
        ),
    )
    return "".join(line for part in parts for line in part)


def games_under_way(rows: Iterable[FleetRow]) -> int:
    """How many games are played now; one between two boards is one, as soon as both say what it is called."""
    games: set[str] = set()
    for row in rows:
        if row.game is not None and not row.game.over and row.here:
            status = row.status
            pair = None if status is None else pair_of(row.name, status.match, status.other)
            games.add(pair or row.name)
    return len(games)


def _family(name: str, kind: str, about: str, samples: Iterable[Sample]) -> Iterator[str]:
    yield f"# HELP {name} {about}\n# TYPE {name} {kind}\n"
    for sample in samples:
        labels = ",".join(f'{key}="{_escaped(value)}"' for key, value in sample.labels.items())
        yield f"{name}{sample.suffix}{f'{{{labels}}}' if labels else ''} {_number(sample.value)}\n"


def _histogram(counts: Sequence[int], seconds: float) -> Iterator[Sample]:
    through = 0
    for bound, count in zip((*COMMIT_SECONDS, float("inf")), counts, strict=True):
        through += count
        yield Sample(through, {"le": _number(bound)}, "_bucket")
    yield Sample(seconds, suffix="_sum")
    yield Sample(through, suffix="_count")


def _escaped(value: str) -> str:
    return value.replace("\\", r"\\").replace('"', r"\"").replace("\n", r"\n")


def _number(value: float) -> str:
    return "+Inf" if value == float("inf") else f"{value:g}" if value < 1e5 else repr(value)
