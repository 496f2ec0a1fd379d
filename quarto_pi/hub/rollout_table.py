"""Versions on their way to boards, in the hub's database: a hub that starts again goes on where it was."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from quarto_pi.hub.alarm_table import RunsSql
from quarto_pi.hub.rollout import BoardProgress, BoardStep, Rollout, RolloutStage, RolloutState

ROLLOUT_MIGRATION: Final = (
    """CREATE TABLE rollouts (
        number BIGINT PRIMARY KEY,
        keeper TEXT NOT NULL,
        sha256 TEXT NOT NULL,
        size BIGINT NOT NULL,
        version TEXT NOT NULL,
        begun DOUBLE PRECISION NOT NULL,
        begun_by TEXT NOT NULL,
        stage TEXT NOT NULL,
        state TEXT NOT NULL,
        why TEXT NOT NULL,
        decided_by TEXT NOT NULL
    )""",
    """CREATE TABLE rollout_boards (
        rollout BIGINT NOT NULL,
        board TEXT NOT NULL,
        place INTEGER NOT NULL,
        step TEXT NOT NULL,
        since DOUBLE PRECISION NOT NULL,
        offered DOUBLE PRECISION NOT NULL,
        away DOUBLE PRECISION,
        ill DOUBLE PRECISION,
        ill_before TEXT NOT NULL,
        why TEXT NOT NULL,
        forgiven INTEGER NOT NULL,
        PRIMARY KEY (rollout, board)
    )""",
)
"""What the tables of a hub have from version 4 on."""

_COLUMNS_OF_BOARD: Final = (
    "rollout, board, place, step, since, offered, away, ill, ill_before, why, forgiven"  # in the order of `_values`
)
_CHANGING: Final = ("step", "since", "offered", "away", "ill", "ill_before", "why", "forgiven")


@dataclass(frozen=True, slots=True)
class KeptRollout:
    """A rollout with its number, the bundle that it rolls out, and who has begun it when."""

    number: int
    sha256: str
    size: int
    begun: float
    begun_by: str
    rollout: Rollout


class RolloutTable:
    """The tables of rollouts; whatever fails raises `StoreAway`.

    Hubs that share a database have bundles and boards of their own: each is the `keeper` of its rollouts.
    """

    def __init__(self, database: RunsSql) -> None:
        self._database = database

    def begin(self, keeper: str, begun: KeptRollout) -> KeptRollout:
        """Keep a new rollout; it is returned with its number."""
        run = self._database.run
        rollout = begun.rollout
        with self._database.transaction():
            rows: Sequence[object] = ()
            while not rows:
                # Another hub of this database may take the same number at the same moment.
                ((newest,),) = run("SELECT coalesce(max(number), 0) FROM rollouts")
                number = int(str(newest)) + 1
                rows = run(
                    "INSERT INTO rollouts (number, keeper, sha256, size, version, begun, begun_by, stage, state, why, "
                    "decided_by) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (number) DO NOTHING "
                    "RETURNING number",
                    (
                        number,
                        keeper,
                        begun.sha256,
                        begun.size,
                        rollout.version,
                        float(begun.begun),
                        begun.begun_by,
                        rollout.stage.value,
                        rollout.state.value,
                        rollout.why,
                        rollout.by,
                    ),
                )
            self._put_boards(number, rollout, list(rollout.boards))
        return KeptRollout(number, begun.sha256, begun.size, begun.begun, begun.begun_by, rollout)

    def keep(self, number: int, before: Rollout, after: Rollout) -> None:
        """Keep what has become of a rollout, of which this was kept before."""
        changed = [
            name
            for name, each in after.boards.items()
            if each != before.boards.get(name) or (name in after.forgiven) != (name in before.forgiven)
        ]
        with self._database.transaction():
            self._database.run(
                "UPDATE rollouts SET stage = ?, state = ?, why = ?, decided_by = ? WHERE number = ?",
                (after.stage.value, after.state.value, after.why, after.by, number),
            )
            for name in before.boards.keys() - after.boards.keys():
                self._database.run("DELETE FROM rollout_boards WHERE rollout = ? AND board = ?", (number, name))
            self._put_boards(number, after, changed)

    def newest(self, keeper: str) -> KeptRollout | None:
        """The last rollout of this hub, which may go on."""
        rows = self._database.run(
            "SELECT number, sha256, size, begun, begun_by, version, stage, state, why, decided_by FROM rollouts "
            "WHERE keeper = ? ORDER BY number DESC LIMIT 1",
            (keeper,),
        )
        if not rows:
            return None
        number, sha256, size, begun, begun_by, version, stage, state, why, by = map(str, rows[0])
        boards, forgiven = self._boards(int(number))
        rollout = Rollout(version, boards, RolloutStage(stage), RolloutState(state), why, by, forgiven)
        return KeptRollout(int(number), sha256, int(size), float(begun), begun_by, rollout)

    def _boards(self, number: int) -> tuple[dict[str, BoardProgress], frozenset[str]]:
        rows = self._database.run(
            f"SELECT {_COLUMNS_OF_BOARD} FROM rollout_boards WHERE rollout = ? ORDER BY place",  # noqa: S608 - ours
            (number,),
        )
        boards = {}
        for _, name, _, step, since, offered, away, ill, before, why, _ in rows:
            boards[str(name)] = BoardProgress(
                BoardStep(str(step)),
                float(str(since)),
                frozenset(map(str, json.loads(str(before)))),
                str(why),
                None if away is None else float(str(away)),
                None if ill is None else float(str(ill)),
                float(str(offered)),
            )
        return boards, frozenset(str(row[1]) for row in rows if row[-1])

    def _put_boards(self, number: int, rollout: Rollout, names: Sequence[str]) -> None:
        places = {name: place for place, name in enumerate(rollout.boards)}
        updates = ", ".join(f"{name} = excluded.{name}" for name in _CHANGING)
        for name in names:
            each = rollout.boards[name]
            self._database.run(
                f"INSERT INTO rollout_boards ({_COLUMNS_OF_BOARD}) "  # noqa: S608 - ours
                f"VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (rollout, board) DO UPDATE SET {updates}",
                (
                    number,
                    name,
                    places[name],
                    each.step.value,
                    float(each.since),
                    float(each.offered),
                    None if each.away is None else float(each.away),
                    None if each.ill is None else float(each.ill),
                    json.dumps(sorted(each.before)),
                    each.why,
                    int(name in rollout.forgiven),
                ),
            )
