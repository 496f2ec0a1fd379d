"""The whole controller on a chain, above simulated chips and a real broker: what hands do is what the hub hears."""

from __future__ import annotations

import signal
import subprocess
import sys
from contextlib import ExitStack
from pathlib import Path
from queue import SimpleQueue

import pytest

from quarto_pi.chain.hub_messages import pack_spectators
from quarto_pi.chain.messages import Doing, ToldMatch, ToldStanding, TournamentTold, pack_tournament
from quarto_pi.config import ChainConfig, Config
from quarto_pi.devices.settings import OledSettings
from quarto_pi.outputs.page import PageOutput
from quarto_pi.referee import Settings
from quarto_pi.simulation.bus import NOTHING_ANSWERS_LOW, LineFault
from quarto_pi.web.streams import Feed
from quarto_pi.wiring.chain import CONDITION_FILE, OpenChain
from quarto_pi.wiring.playground import Playground
from tests.chain.broker import PASSWORD, TestBroker
from tests.chain.small_hub import GUARD_SECONDS, SmallHub
from tests.evening import Evening

pytestmark = pytest.mark.slow

BOARD = "north-1"


@pytest.fixture
def hub(broker: TestBroker, stack: ExitStack) -> SmallHub:
    hub = SmallHub(broker.port).begin()
    stack.callback(hub.close)
    return hub


@pytest.fixture
def chain(tmp_path: Path, broker: TestBroker) -> ChainConfig:
    credentials = tmp_path / "credentials"
    credentials.write_text(f"{BOARD}:{PASSWORD}\n", encoding="ascii")
    credentials.chmod(0o600)
    return ChainConfig("127.0.0.1", broker.port, tls=False, board=BOARD, credentials=str(credentials))


def on_chain(chain: ChainConfig, stack: ExitStack, tmp_path: Path, config: Config | None = None) -> Evening:
    opened = OpenChain(chain, lambda _: None, lambda: 1_800_000_000.0, tmp_path)
    stack.callback(opened.close)
    return Evening(stack, config, journal=tmp_path / "kept", chain=opened)


def events(hub: SmallHub) -> list[object]:
    return [action.event["event"] for action in hub.of(BOARD)]


def test_game_with_hands_is_heard_by_the_hub_over_a_power_cut(
    tmp_path: Path, hub: SmallHub, chain: ChainConfig, stack: ExitStack
) -> None:
    evening = on_chain(chain, stack, tmp_path)
    evening.turn("LTRF", "a1")
    evening.turn("LSQH", "b1")
    hub.wait_for(lambda: events(hub) == ["begun", "given", "placed", "given", "placed"])
    hub.wait_for(lambda: hub.states[BOARD][-1].position == "..../..../..../07.. -")
    state = hub.states[BOARD][-1]
    assert (state.doing, state.game, state.seats) == (Doing.PLAYING, 1, ("person", "person"))
    # As after a power cut: the journal says what goes on.
    evening.start()
    evening.turn("LTRH", "c1")
    evening.turn("LSQF", "d1")
    evening.press()
    hub.wait_for(lambda: events(hub)[5:] == ["given", "placed", "given", "placed", "called", "result"])
    assert [action.number for action in hub.of(BOARD)] == list(range(1, 12))
    assert {action.game for action in hub.of(BOARD)} == {1}
    hub.wait_for(lambda: hub.states[BOARD][-1].doing is Doing.OVER)
    assert not hub.wrong


def test_board_shows_the_tournament_of_its_house_and_takes_no_nonsense_for_one(
    tmp_path: Path, hub: SmallHub, chain: ChainConfig, stack: ExitStack
) -> None:
    friday = TournamentTold("Friday", 1, 3, 3, ToldMatch(7, 12), (ToldStanding(1, 7, 0, 0),))
    opened = OpenChain(chain, lambda _: None, lambda: 1_800_000_000.0, tmp_path)
    stack.callback(opened.close)
    feed, told = Feed(), SimpleQueue[TournamentTold | None]()
    page = PageOutput(feed, Settings())

    def announce(tournament: TournamentTold | None) -> None:
        page.announce(tournament)
        told.put(tournament)

    opened.announce_by(announce)
    hub.wait_for(lambda: BOARD in hub.present)
    hub.announce(BOARD, pack_tournament(friday))
    assert told.get(timeout=GUARD_SECONDS) == friday
    assert feed.tournament is not None
    assert (feed.tournament["title"], feed.tournament["table"]) == ("Friday", 3)
    hub.announce(BOARD, b"nonsense")
    hub.announce(BOARD, b"")
    assert told.get(timeout=GUARD_SECONDS) is None
    assert feed.tournament is None


def test_board_has_spectators_in_its_menu_as_long_as_the_hub_lets_people_watch_it(
    tmp_path: Path, hub: SmallHub, chain: ChainConfig, stack: ExitStack
) -> None:
    evening = on_chain(chain, stack, tmp_path, Config())
    address = "HTTP://HUB.LOCAL:8050/WABCDEFGHIJKLMN"
    hub.wait_for(lambda: BOARD in hub.present)
    for payload, expected in (
        (pack_spectators(address), address),
        (b"nonsense", address),
        (b"", ""),
    ):
        hub.let_watch(BOARD, payload)
        # Nonsense changes nothing: what comes after it does.
        hub.wait_for(lambda expected=expected: _watched_at(evening) == expected, watched=False)  # type: ignore[misc]


def _watched_at(evening: Evening) -> str | None:
    evening.wait(200)
    others = evening.state.others
    return None if others is None else others.watched_at


def test_reader_that_is_lost_is_an_ailment_until_it_answers_again(
    tmp_path: Path, hub: SmallHub, chain: ChainConfig, stack: ExitStack
) -> None:
    evening = on_chain(chain, stack, tmp_path, Config(oled=OledSettings()))
    evening.wait(1_000)
    hub.wait_for(lambda: BOARD in hub.states)
    assert hub.states[BOARD][-1].ailments == ()
    evening.board.faults.set("b2", LineFault(stuck_at=NOTHING_ANSWERS_LOW))
    evening.wait(6_000)
    hub.wait_for(lambda: bool(hub.states[BOARD][-1].ailments))
    (ailment,) = hub.states[BOARD][-1].ailments
    assert ailment.device == "reader b2"
    assert "select line" in ailment.fix
    evening.board.faults.clear("b2")
    evening.wait(20_000)
    hub.wait_for(lambda: not hub.states[BOARD][-1].ailments)


def test_game_goes_on_at_its_pace_while_the_broker_is_frozen(
    tmp_path: Path, broker: TestBroker, chain: ChainConfig, stack: ExitStack
) -> None:
    evening = on_chain(chain, stack, tmp_path)
    evening.turn("LTRF", "a1")
    broker.freeze()
    stack.callback(broker.thaw)
    before = evening.loop.turns
    evening.turn("LSQH", "b1")
    evening.turn("LTRH", "c1")
    frozen = evening.loop.turns - before
    broker.thaw()
    assert frozen > 20
    assert str(evening.state.game.position) == "..../..../..../071. -"


def test_note_for_check_says_how_the_chain_is_doing_and_goes_with_the_board(
    tmp_path: Path, hub: SmallHub, chain: ChainConfig
) -> None:
    opened = OpenChain(chain, lambda _: None, lambda: 0.0, tmp_path)
    hub.wait_for(lambda: '"hub": true' in _text(tmp_path / CONDITION_FILE), watched=False)
    opened.close()
    assert not (tmp_path / CONDITION_FILE).exists()


def _text(file: Path) -> str:
    return file.read_text(encoding="utf-8") if file.exists() else ""


def test_command_run_is_on_the_chain_of_its_configuration(
    tmp_path: Path, broker: TestBroker, hub: SmallHub, chain: ChainConfig
) -> None:
    config = tmp_path / "quarto-pi.toml"
    config.write_text(
        f'[chain]\nbroker = "127.0.0.1"\nport = {broker.port}\ntls = false\nboard = "{BOARD}"\n'
        f'credentials = "{chain.credentials}"\n',
        encoding="utf-8",
    )
    process = subprocess.Popen(  # noqa: S603 - this Python
        [*(sys.executable, "-m", "quarto_pi", "run"), *("--simulated", "--config", config, "--keep", tmp_path / "kept")]
    )
    hub.wait_for(lambda: BOARD in hub.states and hub.present[BOARD][-1] == b"online")
    hub.wait_for(lambda: bool(hub.states[BOARD][-1].history))
    process.send_signal(signal.SIGTERM)
    assert process.wait(60) == 0
    hub.wait_for(lambda: hub.present[BOARD][-1] == b"offline")


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        ("others may read it", "others can read the credentials"),
        ("paho is missing", "the package paho-mqtt is not installed:"),
    ],
)
def test_chain_that_cannot_be_opened_is_told_in_one_sentence_and_the_board_plays(
    tmp_path: Path, chain: ChainConfig, wrong: str, said: str
) -> None:
    if wrong == "others may read it":
        Path(chain.credentials).chmod(0o644)
    config = tmp_path / "quarto-pi.toml"
    config.write_text(
        f'[chain]\nbroker = "127.0.0.1"\ntls = false\nboard = "{BOARD}"\ncredentials = "{chain.credentials}"\n',
        encoding="utf-8",
    )
    hide = "import sys; sys.modules['paho'] = None; " if wrong == "paho is missing" else "import sys; "
    words = ["quarto-pi", "run", "--simulated", "--config", str(config)]
    program = f"{hide}sys.argv = {words!r}; from quarto_pi.__main__ import enter; sys.exit(enter())"
    with subprocess.Popen([sys.executable, "-c", program], stderr=subprocess.PIPE, text=True) as process:  # noqa: S603
        assert process.stderr is not None
        lines = []
        for line in process.stderr:
            lines.append(line)
            if "The board is running" in line:
                break
        process.send_signal(signal.SIGTERM)
        assert process.wait(60) == 0
    (told,) = [line for line in lines if "The board starts without" in line]
    assert said in told


def test_page_says_whether_the_hub_is_there(hub: SmallHub, chain: ChainConfig) -> None:
    with ExitStack() as stack:
        opened = OpenChain(chain, lambda _: None, lambda: 0.0)
        stack.callback(opened.close)
        assert Playground(Config(chain=chain), stack, chain=opened).below()["chain"] == {
            "connected": opened.client.condition.connected,
            "hub": opened.client.condition.hub,
        }
        hub.wait_for(lambda: opened.told() == {"connected": True, "hub": True}, watched=False)
    assert opened.told() == {"connected": False, "hub": False}


def test_board_that_stands_alone_loads_nothing_that_speaks_to_a_broker() -> None:
    modules = "quarto_pi.commands.run, quarto_pi.commands.simulate, quarto_pi.wiring.board, quarto_pi.wiring.playground"
    program = f"import sys, {modules}; print([name for name in sys.modules if 'paho' in name or 'chain.link' in name])"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)  # noqa: S603
    assert done.stdout.strip() == "[]"
