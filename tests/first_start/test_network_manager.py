"""The radio by way of NetworkManager: what is asked of nmcli, and what its answers mean."""

from __future__ import annotations

import shutil
import subprocess

import pytest

from quarto_pi.first_start.network_manager import JOINED_CONNECTION, OWN_CONNECTION, NetworkManagerRadio
from quarto_pi.first_start.set_up import JoinTrouble, VisibleNetwork, WifiNetwork, own_wifi
from quarto_pi.first_start.taking_over import network_keyfile
from tests.first_start.radio import SimulatedNetworkManager

AROUND = {"Café: Zoë\\": "steaming espresso", "Guests": "", "Cellar": "very long ladder"}


@pytest.fixture
def manager() -> SimulatedNetworkManager:
    return SimulatedNetworkManager(AROUND, {"Cellar": "address"})


@pytest.fixture
def radio(manager: SimulatedNetworkManager) -> NetworkManagerRadio:
    return NetworkManagerRadio(manager.run)


def test_new_board_knows_no_network_and_its_own_is_none(radio: NetworkManagerRadio) -> None:
    assert not radio.knows_network()
    radio.open_own(own_wifi())
    assert not radio.knows_network()


@pytest.mark.parametrize("state", ["connected", "connecting (getting IP configuration)"])
def test_cable_is_a_network(manager: SimulatedNetworkManager, radio: NetworkManagerRadio, state: str) -> None:
    manager.cable = state
    assert radio.knows_network()


def test_what_can_be_joined_is_listed_by_its_strength_whatever_it_is_called(
    manager: SimulatedNetworkManager, radio: NetworkManagerRadio
) -> None:
    assert radio.visible() == (
        VisibleNetwork("Café: Zoë\\", secured=True),
        VisibleNetwork("Guests", secured=False),
        VisibleNetwork("Cellar", secured=True),
    )
    manager.around = {}
    assert radio.visible() == ()


def test_own_wifi_asks_for_its_password_and_is_not_written_to_the_card(
    manager: SimulatedNetworkManager, radio: NetworkManagerRadio
) -> None:
    own = own_wifi()
    radio.open_own(own)
    radio.open_own(own)
    (opened,) = manager.connections.values()
    assert (opened["802-11-wireless-security.psk"], opened["802-11-wireless-security.key-mgmt"]) == (
        own.password,
        "wpa-psk",
    )
    assert (opened["save"], opened["autoconnect"]) == ("no", "no")
    assert radio.own_address == "10.42.0.1"
    radio.close_own()
    radio.close_own()
    assert manager.connections == {}


@pytest.mark.parametrize(
    ("wifi", "trouble"),
    [
        (WifiNetwork("Café: Zoë\\", "steaming espresso"), None),
        (WifiNetwork("Guests"), None),
        (WifiNetwork("Guests", "not needed"), JoinTrouble.WRONG_PASSWORD),
        (WifiNetwork("Cellar", "very long ladder"), JoinTrouble.NO_ADDRESS),
        (WifiNetwork("Elsewhere", "12345678"), JoinTrouble.NOT_FOUND),
    ],
)
def test_wifi_is_joined_for_good_or_forgotten_again(
    manager: SimulatedNetworkManager, radio: NetworkManagerRadio, wifi: WifiNetwork, trouble: JoinTrouble | None
) -> None:
    assert radio.join(wifi) is trouble
    assert list(manager.connections) == ([] if trouble else [JOINED_CONNECTION])
    assert radio.knows_network() is (trouble is None)


def test_network_that_never_answers_is_given_up(radio: NetworkManagerRadio, manager: SimulatedNetworkManager) -> None:
    manager.trouble = {"Guests": "silent"}
    assert radio.join(WifiNetwork("Guests")) is JoinTrouble.NO_ANSWER


@pytest.mark.skipif(shutil.which("nmcli") is None, reason="there is no NetworkManager here")
def test_networkmanager_itself_understands_what_it_is_asked_and_the_file_that_is_written() -> None:
    manager = SimulatedNetworkManager({"Guests": ""})
    radio = NetworkManagerRadio(manager.run)
    radio.open_own(WifiNetwork("QUARTO", "abcd2345"))
    radio.join(WifiNetwork("Guests"))
    added = [words for words in manager.asked if words[:2] == ("connection", "add")]
    assert len(added) == 2
    for words in added:
        done = subprocess.run(["nmcli", "--offline", *words], capture_output=True, text=True, check=False)  # noqa: S603, S607
        assert done.returncode == 0, done.stderr
    assert "mode=ap" in done.stdout or OWN_CONNECTION not in done.stdout
    written = network_keyfile(WifiNetwork(" Zoë; 100% \\", "x \\ y\\s1234"))
    read = subprocess.run(
        ["nmcli", "--offline", "connection", "modify", "connection.autoconnect", "yes"],  # noqa: S607
        input=written,
        capture_output=True,
        check=False,
    )
    assert read.returncode == 0, read.stderr
    assert "psk=x \\\\ y\\\\s1234" in read.stdout.decode()
    assert f"ssid={''.join(f'{byte};' for byte in ' Zoë; 100% '.encode())}92;" in read.stdout.decode()
