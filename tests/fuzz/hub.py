"""What a hub reads: whatever a board with its own credentials may send, and the hub's settings file."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from quarto_pi.chain.hub_messages import pack_spectators, read_spectators
from quarto_pi.chain.messages import MessageRefused, SettledAction, pack_settled, pack_state, read_settled, read_state
from quarto_pi.chain.topics import outcomes_of, presence_of, settled_of, state_of
from quarto_pi.hub.connection import Arrived, LineSettings
from quarto_pi.hub.download import games_as_csv, games_as_json_lines, record_of_game
from quarto_pi.hub.intake import Intake
from quarto_pi.hub.settings import read_hub_settings
from quarto_pi.hub.sqlite import open_sqlite
from quarto_pi.hub.store import CountedBy, GameSearch, HubStore, StoreAway, all_games
from quarto_pi.rules import parse_record
from tests.fuzz.texts import as_words
from tests.fuzz.verdict import Broken, check_sentence, refused_in_a_sentence

TOPICS: Final = (
    settled_of("north-1"),
    settled_of("north-1"),
    state_of("north-1"),
    presence_of("north-1"),
    outcomes_of("north-1"),
    "quarto/hub/settled",
    "quarto/north-1/in/through",
    "",
)
NOWHERE: Final = LineSettings("127.0.0.1", 1, "hub", "", is_encrypted=False)
MOST_LINES: Final = 60


class _Kept:
    """A database that was opened once, and is opened again where the hub wants a new one."""

    def __init__(self) -> None:
        self.store = open_sqlite(Path(":memory:"))

    def open(self) -> HubStore:
        return self.store


def chain(data: bytes) -> None:
    """Messages, one a line, on the topic that the line's first byte says; then all that is made of them."""
    kept, said = _Kept(), list[str]()
    intake = Intake(NOWHERE, kept.open, said.append)
    intake._begin_store(0.0)
    for mark, line in enumerate(data.split(b"\n")[:MOST_LINES]):
        topic = TOPICS[line[0] % len(TOPICS)] if line else ""
        intake._arrived(Arrived(topic, line[1:], 0, mark, 1))
    intake._work(0.0)
    intake._tell_offences(1e9)
    try:
        _look_at(kept.store)
    except StoreAway as error:
        raise Broken(f"the database refuses what it was given: {error}") from error
    for sentence in [*said, *(alarm.text for alarm in kept.store.alarms())]:
        check_sentence(sentence)
    kept.store.close()
    _read_back(data)


def _look_at(store: HubStore) -> None:
    """All that is asked of a database."""
    games = list(all_games(store, GameSearch()))
    for text in (*games_as_csv(games), *games_as_json_lines(games)):
        text.encode("utf-8", "strict")
    for game in games:
        if game.fault is not None:
            check_sentence(game.fault)
        if not 0 <= game.through <= game.highest or (game.winner is not None and not game.is_over):
            raise Broken(f"this game makes no sense: {game}")
        record = record_of_game(store, game.key)
        if record is not None and game.fault is None and game.is_over:
            with refused_in_a_sentence():
                parse_record(record)
    for by in CountedBy:
        store.figures(GameSearch(), by)
    store.games(GameSearch(live=True))


def _read_back(data: bytes) -> None:
    """What is taken for a message goes out as one that says the same."""
    for line in data.split(b"\n")[:MOST_LINES]:
        try:
            address = read_spectators(line[1:])
            if read_spectators(pack_spectators(address)) != address:
                raise Broken("an address says something else when it was sent on")
        except MessageRefused as error:
            check_sentence(str(error))
        try:
            action: SettledAction = read_settled(line[1:])
            if read_settled(pack_settled(action)) != action:
                raise Broken("an action says something else when it was sent on")
        except MessageRefused as error:
            check_sentence(str(error))
        try:
            status = read_state(line[1:])
            if read_state(pack_state(status)) != status:
                raise Broken("a state says something else when it was sent on")
        except MessageRefused as error:
            check_sentence(str(error))


def hub_settings(data: bytes) -> None:
    """The settings file of a hub."""
    with refused_in_a_sentence():
        settings = read_hub_settings(as_words(data))
        if settings.external is not None and not settings.external[0]:
            raise Broken("a broker without a name was taken")
