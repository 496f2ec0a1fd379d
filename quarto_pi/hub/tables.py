"""What is written to the tables of a hub and read from them, in the SQL that every database here understands."""

from __future__ import annotations

import json
import secrets
from collections import OrderedDict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from operator import itemgetter
from typing import Final

from quarto_pi.chain.messages import SettledAction
from quarto_pi.hub.alarm_table import AlarmTable
from quarto_pi.hub.alarms import CONTRADICTION, IMPOSSIBLE
from quarto_pi.hub.game_queries import (
    COLUMNS_OF_GAME,
    DISPUTED,
    DISPUTED_FAULT,
    SELECT_GAMES,
    figures_of_row,
    figures_query,
    game_of_row,
    number_of,
    number_or_none,
    pair_of,
    search_condition,
    whole_of,
)
from quarto_pi.hub.replaying import MOST_ACTIONS, ReplayedGame, replay_actions
from quarto_pi.hub.rollout_table import RolloutTable
from quarto_pi.hub.schema import HUB_MIGRATIONS, Database
from quarto_pi.hub.store import (
    MOST_IN_PAGE,
    BoardFigures,
    ChainBoard,
    ChainGame,
    CountedBy,
    GameKey,
    GameSearch,
    KeptActions,
    KeptAlarm,
    ReceivedAction,
    StoreRefused,
)
from quarto_pi.hub.tournament_table import TournamentTable

MOST_REMEMBERED: Final = 4_000
"""Games whose state is in memory, so that an action is replayed once; others are replayed from the table."""

_KEY_OF_GAME: Final = ("board", "history", "game", "received")

_Key = tuple[str, str, int, int]
_Trouble = tuple[tuple[str, str], str]
"""What is the matter with a board's history."""


@dataclass(frozen=True, slots=True)
class _Known:
    """A game as it was left by the last batch."""

    replayed: ReplayedGame
    highest: int
    received: float


class SqlStore:
    """A `HubStore` over any such database."""

    def __init__(
        self, database: Database, migrations: Sequence[Sequence[str]] = HUB_MIGRATIONS, name: str = "the database"
    ) -> None:
        self._database = database
        self._known: OrderedDict[GameKey, _Known] = OrderedDict()
        self._epoch = self._brought_up_to_date(migrations, name)

    @property
    def epoch(self) -> str:
        """What this database is known by: a new one has another one."""
        return self._epoch

    @property
    def watched(self) -> AlarmTable:
        """What the watch over all boards keeps."""
        return AlarmTable(self._database)

    @property
    def tournaments(self) -> TournamentTable:
        """Tournaments, and who may watch without being logged in."""
        return TournamentTable(self._database)

    @property
    def rollouts(self) -> RolloutTable:
        """Versions on their way to boards."""
        return RolloutTable(self._database)

    def close(self) -> None:
        """Let go of the database."""
        self._database.close()

    def _brought_up_to_date(self, migrations: Sequence[Sequence[str]], name: str) -> str:
        run = self._database.run
        with self._database.transaction():
            self._database.lock_schema()
            version = 0
            if self._database.has_tables():
                version = int(str(run("SELECT value FROM hub WHERE name = 'version'")[0][0]))
            if version > len(migrations):
                raise StoreRefused(
                    f"{name} was written by a newer quarto-pi (version {version} of its tables, this one knows "
                    f"{len(migrations)}) and is left as it is: install the newer quarto-pi again."
                )
            for migration in migrations[version:]:
                for statement in migration:
                    run(statement)
            if version < len(migrations):
                put = "INSERT INTO hub (name, value) VALUES (?, ?) ON CONFLICT (name) DO "
                run(f"{put} UPDATE SET value = excluded.value", ("version", str(len(migrations))))
                run(f"{put} NOTHING", ("epoch", secrets.token_hex(8)))
            return str(run("SELECT value FROM hub WHERE name = 'epoch'")[0][0])

    # --- Actions ------------------------------------------------------------------------------------------------------

    def keep(self, received: Sequence[ReceivedAction]) -> list[KeptActions]:
        """Keep actions, and what follows from them, in one transaction: it is on disk when this returns."""
        if not received:
            return []
        bodies: dict[_Key, tuple[ReceivedAction, str]] = {}
        quarrels: list[ReceivedAction] = []
        for each in received:
            body = body_of_action(each.action)
            first = bodies.setdefault((each.board, *each.action.key), (each, body))
            if first[1] != body:
                quarrels.append(each)
        keys = sorted(bodies)
        try:
            with self._database.transaction():
                fresh = self._inserted(keys, bodies)
                quarrels += self._contradicted([key for key in keys if key not in fresh], bodies)
                known, troubles = self._brought_forward(keys, fresh, bodies)
                troubles += [self._contradiction(each) for each in quarrels]
        except BaseException:
            # What was read within a transaction that came to nothing may be wrong.
            self._known.clear()
            raise
        self._remember(known)
        return [
            _told(
                (board, history),
                known,
                tuple(bodies[key][0].action for key in group if key in fresh),
                tuple(trouble for of, trouble in troubles if of == (board, history)),
            )
            for (board, history), group in groupby(keys, key=lambda key: key[:2])
        ]

    def _inserted(self, keys: Sequence[_Key], bodies: dict[_Key, tuple[ReceivedAction, str]]) -> set[_Key]:
        """Put these into the table; those that were not there are returned."""
        values: list[object] = []
        for key in keys:
            each, body = bodies[key]
            values += [*key, float(each.action.at), float(each.at), body]
        rows = self._database.run(
            f"INSERT INTO settled (board, history, game, number, at, received, body) VALUES {_marks(len(keys), 7)} "
            "ON CONFLICT (board, history, game, number) DO NOTHING RETURNING board, history, game, number",
            values,
        )
        return {_key(row) for row in rows}

    def _contradicted(
        self, keys: Sequence[_Key], bodies: dict[_Key, tuple[ReceivedAction, str]]
    ) -> list[ReceivedAction]:
        """Those of the keys that are there already, and say something else."""
        if not keys:
            return []
        rows = self._database.run(
            "SELECT board, history, game, number, body FROM settled WHERE (board, history, game, number) IN "
            f"(VALUES {_marks(len(keys), 4)})",
            [value for key in keys for value in key],
        )
        return [bodies[_key(row)][0] for row in rows if bodies[_key(row)][1] != row[4]]

    def _contradiction(self, each: ReceivedAction) -> _Trouble:
        number, game = each.action.number, each.action.game
        text = f"Action {number} of game {game} was told twice, and not the same; the first counts."
        self.raise_alarm(each.board, CONTRADICTION, text, each.at)
        return (each.board, each.action.history), text

    def _brought_forward(
        self, keys: Sequence[_Key], fresh: set[_Key], bodies: dict[_Key, tuple[ReceivedAction, str]]
    ) -> tuple[dict[GameKey, _Known], list[_Trouble]]:
        """The games of these keys with what is new of them, written into their table."""
        games = {key[:3]: [other for other in group if other in fresh] for key, group in _by_game(keys)}
        before = self._before(list(games))
        after: dict[GameKey, _Known] = {}
        troubles: list[_Trouble] = []
        for key, new in games.items():
            known = before[key]
            after[key] = self._advanced(key, known, [bodies[each][0] for each in new])
            fault = after[key].replayed.fault
            if fault is not None and known.replayed.fault is None:
                text = f"Game {key[2]} cannot have been played like this: {fault} It is kept, and marked."
                self.raise_alarm(key[0], IMPOSSIBLE, text, bodies[new[-1]][0].at)
                troubles.append((key[:2], text))
        changed = [(key, after[key]) for key, new in games.items() if new]
        if changed:
            values = [value for key, known in changed for value in _game_values(key, known)]
            columns = COLUMNS_OF_GAME.split(", ")
            # What was found of older games stays: their boards do not tell what they are called.
            updates = ", ".join(
                f"{name} = {f'coalesce(excluded.{name}, games.{name})' if name == 'pair' else f'excluded.{name}'}"
                for name in columns
                if name not in _KEY_OF_GAME
            )
            self._database.run(
                f"INSERT INTO games ({COLUMNS_OF_GAME}) VALUES {_marks(len(changed), len(columns))} "
                f"ON CONFLICT (board, history, game) DO UPDATE SET {updates}",
                values,
            )
            troubles += self._disputed([key for key, known in changed if known.replayed.winner is not None], bodies)
        return after, troubles

    def _disputed(self, keys: Sequence[GameKey], bodies: dict[_Key, tuple[ReceivedAction, str]]) -> list[_Trouble]:
        """Those of these games of which the other board tells that the other player has won."""
        if not keys:
            return []
        at = max(each.at for each, _ in bodies.values())
        rows = self._database.run(
            f"SELECT g.board, g.history, g.game FROM games g WHERE (g.board, g.history, g.game) IN "
            f"(VALUES {_marks(len(keys), 3)}) AND {DISPUTED}",
            [value for key in keys for value in key],
        )
        troubles: list[_Trouble] = []
        for key in map(_game_key, rows):
            text = f"Game {key[2]} has two winners: {DISPUTED_FAULT} It is kept, and nobody has won it."
            self.raise_alarm(key[0], CONTRADICTION, text, at)
            troubles.append((key[:2], text))
        return troubles

    def _before(self, keys: Sequence[GameKey]) -> dict[GameKey, _Known]:
        """These games as the last batch, of whichever hub, has left them."""
        rows = self._database.run(
            "SELECT board, history, game, received, through, highest, fault FROM games "
            f"WHERE (board, history, game) IN (VALUES {_marks(len(keys), 3)}){self._database.row_lock}",
            [value for key in keys for value in key],
        )
        there = {_game_key(row): row for row in rows}
        found: dict[GameKey, _Known] = {}
        for key in keys:
            row = there.get(key)
            if row is None:
                found[key] = _Known(ReplayedGame(), 0, 0.0)
                continue
            through, highest = whole_of(row[4]), whole_of(row[5])
            known = self._known.get(key)
            if known is None or (known.replayed.through, known.highest) != (through, highest):
                replayed = replay_actions(self._rows(key, 0, min(through, MOST_ACTIONS + 1)))
                fault = replayed.fault or (None if row[6] is None else str(row[6]))
                known = _Known(replace(replayed, through=through, fault=fault), highest, number_of(row[3]))
            found[key] = known
        return found

    def _advanced(self, key: GameKey, known: _Known, new: Sequence[ReceivedAction]) -> _Known:
        """A game with these actions, as far as there is no gap before them."""
        if not new:
            return known
        highest = max(known.highest, new[-1].action.number)
        if known.highest > known.replayed.through:
            # What came too early stands in the table.
            actions: Iterable[SettledAction] = self._rows(key, known.replayed.through, highest)
        else:
            actions = (each.action for each in new)
        replayed = replay_actions(_without_gap(actions, known.replayed.through), known.replayed)
        return _Known(replayed, highest, known.received or new[0].at)

    def _rows(self, key: GameKey, after: int, to: int) -> list[SettledAction]:
        rows = self._database.run(
            "SELECT number, at, body FROM settled WHERE board = ? AND history = ? AND game = ? AND number > ? "
            "AND number <= ? ORDER BY number",
            (*key, after, to),
        )
        return [
            SettledAction(key[1], key[2], whole_of(number), number_of(at), json.loads(str(body)))
            for number, at, body in rows
        ]

    def _remember(self, known: dict[GameKey, _Known]) -> None:
        for key, each in known.items():
            self._known[key] = each
            self._known.move_to_end(key)
        while len(self._known) > MOST_REMEMBERED:
            self._known.popitem(last=False)

    def actions(self, key: GameKey) -> list[SettledAction]:
        """All actions of a game that are there, in their order."""
        return self._rows(key, 0, 2**62)

    def try_writing(self) -> None:
        """Write something that changes nothing."""
        with self._database.transaction():
            self._database.run("UPDATE hub SET value = value WHERE name = 'version'")

    # --- Boards -------------------------------------------------------------------------------------------------------

    def put_board(self, name: str, house: str | None, at: float) -> ChainBoard:
        """A board that has an account, with its house; None leaves the house as it is."""
        with self._database.transaction():
            self._database.run(
                "INSERT INTO boards (name, house, added) VALUES (?, ?, ?) "
                "ON CONFLICT (name) DO UPDATE SET revoked = NULL",
                (name, house or "", at),
            )
            if house is not None:
                self._database.run("UPDATE boards SET house = ? WHERE name = ?", (house, name))
            rows = self._database.run("SELECT name, house, added, revoked FROM boards WHERE name = ?", (name,))
        return _board(rows[0])

    def revoke_board(self, name: str, at: float) -> bool:
        """Note that a board has no account any more; whether it is known at all."""
        with self._database.transaction():
            return bool(
                self._database.run(
                    "UPDATE boards SET revoked = coalesce(revoked, ?) WHERE name = ? RETURNING name", (at, name)
                )
            )

    def boards(self) -> list[ChainBoard]:
        """All boards that there ever were, by name."""
        return [
            _board(row) for row in self._database.run("SELECT name, house, added, revoked FROM boards ORDER BY name")
        ]

    # --- Games --------------------------------------------------------------------------------------------------------

    def games(self, search: GameSearch) -> list[ChainGame]:
        """The games that are asked for, the newest first."""
        where, values = search_condition(search, paged=True)
        most = max(1, min(search.most, MOST_IN_PAGE))
        return [
            game_of_row(row)
            for row in self._database.run(
                f"{SELECT_GAMES} WHERE {where} "
                "ORDER BY g.received DESC, g.board DESC, g.history DESC, g.game DESC LIMIT ?",
                (*values, most),
            )
        ]

    def game(self, key: GameKey) -> ChainGame | None:
        """One game."""
        rows = self._database.run(f"{SELECT_GAMES} WHERE g.board = ? AND g.history = ? AND g.game = ?", key)
        return game_of_row(rows[0]) if rows else None

    def figures(self, search: GameSearch, by: CountedBy = CountedBy.BOARD) -> list[BoardFigures]:
        """What was played, board by board, or over more; `live`, `before` and `most` do not matter."""
        sql, values = figures_query(replace(search, live=None), by)
        return [figures_of_row(row) for row in self._database.run(sql, values)]

    # --- Alarms -------------------------------------------------------------------------------------------------------

    def raise_alarm(self, board: str, kind: str, text: str, at: float) -> bool:
        """Note that something is the matter; whether this was not so before."""
        with self._database.transaction():
            again = self._database.run(
                "UPDATE alarms SET text = ?, last = ?, times = times + 1 WHERE board = ? AND kind = ? "
                "AND ended IS NULL RETURNING times",
                (text, at, board, kind),
            )
            if again:
                return False
            return bool(
                self._database.run(
                    "INSERT INTO alarms (board, kind, first, text, last, times) VALUES (?, ?, ?, ?, ?, 1) "
                    "ON CONFLICT DO NOTHING RETURNING times",
                    (board, kind, at, text, at),
                )
            )

    def end_alarm(self, board: str, kind: str, at: float, by: str = "") -> bool:
        """Note that something is the matter no more, or who has put it aside; whether it was before."""
        with self._database.transaction():
            return bool(
                self._database.run(
                    "UPDATE alarms SET ended = ?, ended_by = ? WHERE board = ? AND kind = ? AND ended IS NULL "
                    "RETURNING times",
                    (at, by, board, kind),
                )
            )

    def alarms(self, *, ended: bool = False, most: int = 200) -> list[KeptAlarm]:
        """What is the matter, the newest first; with what was the matter once."""
        rows = self._database.run(
            "SELECT board, kind, text, first, last, times, ended, ended_by FROM alarms "
            f"{'' if ended else 'WHERE ended IS NULL '}ORDER BY first DESC, board, kind LIMIT ?",
            (most,),
        )
        return [
            KeptAlarm(
                str(board),
                str(kind),
                str(text),
                number_of(first),
                number_of(last),
                whole_of(times),
                number_or_none(ended_at),
                str(by),
            )
            for board, kind, text, first, last, times, ended_at, by in rows
        ]


def body_of_action(action: SettledAction) -> str:
    """What an action says, as text: the same always as the same; its time may be put right afterwards."""
    return json.dumps(action.event, sort_keys=True, separators=(",", ":"), allow_nan=False)


def _told(
    history: tuple[str, str],
    known: dict[GameKey, _Known],
    new: tuple[SettledAction, ...],
    troubles: tuple[str, ...],
) -> KeptActions:
    each = [(key[2], state) for key, state in sorted(known.items(), key=itemgetter(0)) if key[:2] == history]
    return KeptActions(
        *history,
        tuple((game, state.replayed.through) for game, state in each if state.replayed.through),
        tuple((game, state.replayed.through + 1) for game, state in each if state.highest > state.replayed.through),
        new,
        troubles,
    )


def _by_game(keys: Sequence[_Key]) -> Iterable[tuple[_Key, list[_Key]]]:
    for _, group in groupby(keys, key=lambda key: key[:3]):
        members = list(group)
        yield members[0], members


def _without_gap(actions: Iterable[SettledAction], after: int) -> Iterable[SettledAction]:
    for action in actions:
        if action.number != after + 1:
            return
        after += 1
        yield action


def _marks(rows: int, columns: int) -> str:
    return ", ".join([f"({', '.join('?' * columns)})"] * rows)


def _key(row: Sequence[object]) -> _Key:
    return str(row[0]), str(row[1]), whole_of(row[2]), whole_of(row[3])


def _game_key(row: Sequence[object]) -> GameKey:
    return str(row[0]), str(row[1]), whole_of(row[2])


def _game_values(key: GameKey, known: _Known) -> list[object]:
    each = known.replayed
    return [
        *key,
        float(known.received),
        each.begun,
        each.ended,
        int(each.is_over),
        json.dumps(each.seats),
        each.winner,
        each.reason,
        each.moves,
        each.missed,
        each.undone,
        each.false_calls,
        each.position,
        each.through,
        known.highest,
        each.fault,
        pair_of(key[0], each.match, each.other),
    ]


def _board(row: Sequence[object]) -> ChainBoard:
    return ChainBoard(str(row[0]), str(row[1]), number_of(row[2]), number_or_none(row[3]))
