"""Whether a chain has kept its word: what hands did, what boards told and kept, and what the hub has, side by side.

A plain model over lists and dictionaries. It shares no code with boards or hub, and reads what they keep by SQL of its
own, in `evidence`. It is asked once nothing is under way any more: by then nothing may be missing anywhere.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

Event = Mapping[str, Any]
Taken = dict[tuple[str, str], dict[int, list["HubAction"]]]
"""What the hub has, by board and history, and by game."""

SETTLED_EVENTS: Final = ("given", "placed", "called", "missed", "undone", "timeout", "result")
"""What counts as settled, besides that a game has begun."""


@dataclass(frozen=True, slots=True)
class HandMove:
    """A piece that a hand has put somewhere; `cell` is a square, `offer` or None for off the board."""

    piece: str
    cell: str | None


@dataclass
class Table:
    """What was seen at one board's table: by those who moved the pieces, and by those who were told of them.

    A history is begun anew with each journal, so told events stand below the history in which they were told.
    """

    board: str
    hands: list[HandMove] = field(default_factory=list)
    told: dict[str, list[tuple[int, Event]]] = field(default_factory=lambda: defaultdict(list))


@dataclass(frozen=True, slots=True)
class HubAction:
    """One row of what the hub has taken in, or of what waits for it."""

    board: str
    history: str
    game: int
    number: int
    event: Event


@dataclass
class FoundJournal:
    """What one journal of a board holds: the settled events of each game, and its queue for the hub.

    What the hub has taken leaves the queue with the next write, so that some of it may still be there.
    """

    board: str
    history: str
    games: dict[int, list[Event]]
    queue: list[HubAction] = field(default_factory=list)
    outcomes: dict[int, tuple[int | None, str]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class HubGame:
    """One row of the games that the hub counts."""

    board: str
    history: str
    game: int
    reason: str | None
    winner: int | None


@dataclass
class FoundHub:
    """What a hub's tables hold."""

    actions: list[HubAction]
    games: list[HubGame]


@dataclass(frozen=True, slots=True)
class Evidence:
    """Everything that is compared. Journals that are gone for good are not in it; what they had told is."""

    tables: Sequence[Table]
    journals: Sequence[FoundJournal]
    hubs: Sequence[FoundHub]


def faults_in(evidence: Evidence) -> list[str]:
    """What is wrong, a sentence each; nothing if the chain has kept its word."""
    return [*_journals_against_tables(evidence), *_inventions(evidence), *_hubs(evidence)]


def faults_with_others(evidence: Evidence) -> list[str]:
    """The same for boards that play with each other: what another board's hands have done no hand of this one has."""
    return [*_journals_against_tables(evidence), *_hubs(evidence)]


# --- At the table ----------------------------------------------------------------------------------------------------


def _journals_against_tables(evidence: Evidence) -> Iterator[str]:
    kept = {(journal.board, journal.history): journal for journal in evidence.journals}
    for table in evidence.tables:
        for history, told in table.told.items():
            journal = kept.get((table.board, history))
            if journal is None:
                continue
            for game, events in _by_game(told).items():
                missing = _not_in_order(events, journal.games.get(game, []))
                if missing is not None:
                    yield f"{table.board}: its journal has lost what was told in game {game}: {missing}"


def _inventions(evidence: Evidence) -> Iterator[str]:
    """What a journal has that no hand has done.

    A pulled plug comes between the journal and the display, where it leaves one entry untold at most.
    """
    tables = {table.board: table for table in evidence.tables}
    for journal in evidence.journals:
        hands = [_as_event(hand) for hand in tables[journal.board].hands]
        for game in sorted(journal.games):
            invented = _not_in_order(list(_moves(journal.games[game])), hands)
            if invented is not None:
                yield f"{journal.board}: in game {game} its journal has what no hand has done: {invented}"


def _by_game(told: Iterable[tuple[int, Event]]) -> dict[int, list[Event]]:
    games: dict[int, list[Event]] = defaultdict(list)
    for game, event in told:
        games[game].append(event)
    return games


def _not_in_order(wanted: Sequence[Event], found: Sequence[Event]) -> Event | None:
    """The first of `wanted` that `found` has not got behind those before it; None where all are there."""
    rest = iter(found)
    for event in wanted:
        if not any(each == event for each in rest):
            return event
    return None


def _moves(events: Iterable[Event]) -> Iterator[Event]:
    for event in events:
        if event["event"] in ("given", "placed"):
            yield {key: event[key] for key in ("event", "piece", "square") if key in event}


def _as_event(hand: HandMove) -> Event:
    if hand.cell == "offer":
        return {"event": "given", "piece": hand.piece}
    return {"event": "placed", "piece": hand.piece, "square": hand.cell}


# --- At the hub ------------------------------------------------------------------------------------------------------


def _hubs(evidence: Evidence) -> Iterator[str]:
    taken: Taken = defaultdict(lambda: defaultdict(list))
    for hub in evidence.hubs:
        for action in hub.actions:
            taken[action.board, action.history][action.game].append(action)
    for (board, history), games in taken.items():
        for game, actions in games.items():
            yield from _one_game(board, history, game, actions)
    for journal in evidence.journals:
        yield from _journal_at_hub(journal, taken[journal.board, journal.history])
    yield from _queues(evidence.journals, taken)
    kept = {(journal.board, journal.history) for journal in evidence.journals}
    for table in evidence.tables:
        for history, told in table.told.items():
            if (table.board, history) not in kept:
                yield from _lost_journal(table.board, _by_game(told), taken[table.board, history])
    yield from _counted(evidence, taken)


def _one_game(board: str, history: str, game: int, actions: Sequence[HubAction]) -> Iterator[str]:
    """Each number once, from 1 without a gap, and the first one says that the game has begun."""
    times = Counter(action.number for action in actions)
    for number, count in times.items():
        if count > 1:
            yield f"{board} {history}: the hub has action {number} of game {game} {count} times"
    gaps = set(range(1, max(times) + 1)) - set(times)
    if gaps:
        yield f"{board} {history}: the hub lacks actions {sorted(gaps)} of game {game}, and has later ones"
    for action in actions:
        if (action.number == 1) is not (action.event.get("event") == "begun"):
            yield f"{board} {history}: action {action.number} of game {game} is {action.event}"


def _journal_at_hub(journal: FoundJournal, taken: Mapping[int, list[HubAction]]) -> Iterator[str]:
    """What the hub has of each game is what the journal has, in its order, and neither more nor less."""
    name = f"{journal.board} {journal.history}"
    for game in sorted({*journal.games, *taken}):
        mine = journal.games.get(game, [])
        theirs = [each.event for each in sorted(taken.get(game, []), key=lambda each: each.number)]
        theirs = _as_played(theirs, mine)
        if theirs == mine:
            continue
        differs = next((place for place, (a, b) in enumerate(zip(mine, theirs, strict=False)) if a != b), None)
        if differs is not None:
            yield f"{name}: in game {game} the hub has {theirs[differs]} where the journal has {mine[differs]}"
        elif len(theirs) < len(mine):
            yield f"{name}: {len(mine) - len(theirs)} settled actions of game {game} never reached the hub"
        else:
            yield f"{name}: the hub has {len(theirs) - len(mine)} actions more of game {game} than the journal"


def _queues(
    journals: Iterable[FoundJournal], taken: Mapping[tuple[str, str], Mapping[int, list[HubAction]]]
) -> Iterator[str]:
    """What stands in a queue though nothing is under way is what the hub has, under the same number."""
    for journal in journals:
        for row in journal.queue:
            if row not in taken.get((row.board, row.history), {}).get(row.game, []):
                yield f"{row.board} {row.history}: action {row.number} of game {row.game} waits: {row.event}"


def _as_played(theirs: Sequence[Event], mine: Sequence[Event]) -> list[Event]:
    """What the hub was told, without that a game has begun, or that one which nobody ended was left unfinished."""
    played = [event for event in theirs if event.get("event") != "begun"]
    if played and played[-1].get("reason") == "unfinished" and len(played) == len(mine) + 1:
        return played[:-1]
    return played


def _lost_journal(
    board: str, told: Mapping[int, Sequence[Event]], taken: Mapping[int, Sequence[HubAction]]
) -> Iterator[str]:
    """Of a journal that is gone the hub has a part: what was told, from the beginning, and at most one entry more."""
    for game, actions in taken.items():
        theirs = [each.event for each in sorted(actions, key=lambda each: each.number)]
        theirs = [event for event in theirs if event.get("event") != "begun"]
        invented = _not_in_order(theirs, told.get(game, []))
        if invented is not None and invented != theirs[-1]:
            yield f"{board}: the hub has {invented} in game {game}, which was never told"


def _counted(evidence: Evidence, taken: Taken) -> Iterator[str]:
    """Every game that a hub counts is there once, with the outcome that its own last action says."""
    counted = Counter((each.board, each.history, each.game) for hub in evidence.hubs for each in hub.games)
    for (board, history, game), times in counted.items():
        if times > 1:
            yield f"{board} {history}: game {game} is counted {times} times"
    found = {(each.board, each.history, each.game): each for hub in evidence.hubs for each in hub.games}
    for (board, history), games in taken.items():
        for game, actions in games.items():
            results = [each.event for each in actions if each.event.get("event") == "result"]
            row = found.pop((board, history, game), None)
            if row is None:
                yield f"{board} {history}: the hub has actions of game {game}, and does not count it"
            elif results and (row.reason, row.winner) != (results[-1]["reason"], results[-1]["winner"]):
                told = (results[-1]["reason"], results[-1]["winner"])
                yield f"{board} {history}: game {game} ended {told}, and is counted as {(row.reason, row.winner)}"
            elif not results and (row.reason, row.winner) != (None, None):
                yield f"{board} {history}: game {game} is counted as ended, and has not ended"
    for board, history, game in found:
        yield f"{board} {history}: game {game} is counted, and nothing of it is there"
    yield from _outcomes(evidence)


def _outcomes(evidence: Evidence) -> Iterator[str]:
    """What a board's own table of games says of how each ended, where the hub counts it."""
    rows = {(each.board, each.history, each.game): each for hub in evidence.hubs for each in hub.games}
    for journal in evidence.journals:
        for game, (winner, reason) in journal.outcomes.items():
            row = rows.get((journal.board, journal.history, game))
            if row is not None and (row.winner, row.reason) != (winner, reason):
                theirs = row.winner, row.reason
                yield f"{journal.board}: game {game} ended {winner, reason} there, and at the hub {theirs}"


# --- Two boards, one game ---------------------------------------------------------------------------------------------


def disagreements(first: Sequence[Event], second: Sequence[Event]) -> list[str]:
    """What two boards that play one game hold against each other: one log has to be the beginning of the other."""
    found = [
        f"entry {place}: {mine} and {theirs}"
        for place, (mine, theirs) in enumerate(zip(first, second, strict=False), 1)
        if mine != theirs
    ]
    winners = [[event["winner"] for event in log if event.get("event") == "result"] for log in (first, second)]
    if all(winners) and winners[0] != winners[1]:
        found.append(f"one says that {winners[0]} has won, the other {winners[1]}")
    return found
