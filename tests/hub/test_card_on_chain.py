"""From `hub add` by a folder on a card to the chain, as an owner goes it who has no Linux: at a real Mosquitto."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from quarto_pi.cli import main
from quarto_pi.config.layers import ConfigPlace, lay
from quarto_pi.wiring.chain import OpenChain
from tests.evening import Evening
from tests.hub.hubs import HubFolder, hub_folder_at

pytestmark = pytest.mark.slow


@pytest.fixture
def stack() -> Iterator[ExitStack]:
    with ExitStack() as stack:
        yield stack


class OwnersCard:
    """A card that its owner has in a computer, then in the board."""

    def __init__(self, folder: Path) -> None:
        self.drive, self.config, self._folder = folder / "drive", folder / "etc/quarto-pi.toml", folder
        for each in (self.drive, self.config.parent):
            each.mkdir(parents=True)
        self.config.write_text('profile = "pi"\n', encoding="utf-8")

    def copy(self, made: Path) -> None:
        """Make a folder, and copy into it what the hub has made."""
        (self.drive / "Chain").mkdir()
        for file in made.iterdir():
            shutil.copyfile(file, self.drive / "Chain" / file.name)

    def start(self) -> None:
        """What happens before the board's own service starts."""
        folders = [f"--{name}={self._folder / name}" for name in ("networks", "notices")]
        assert main(["first-start", f"--card={self.drive}", f"--config={self.config}", *folders]) == 0

    def says(self) -> str:
        return (self.drive / "quarto-pi-says.txt").read_text(encoding="utf-8-sig")

    def chain(self) -> OpenChain:
        """The board's client, with what was taken over."""
        section = lay(ConfigPlace(self.config).sources()).config.chain
        assert section is not None
        return OpenChain(section, lambda _: None, lambda: 1_800_000_000.0, self._folder)


@pytest.fixture
def house(tmp_path: Path) -> HubFolder:
    house = hub_folder_at(tmp_path / "hub", 'address = "localhost"')
    assert house.order("add", "north-1") == 0
    return house


def test_card_with_the_folder_of_the_hub_is_on_the_chain_and_tells_its_game(
    tmp_path: Path, house: HubFolder, stack: ExitStack, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("STATE_DIRECTORY", f"{tmp_path / 'state'}")
    card = OwnersCard(tmp_path / "card")
    card.copy(house.folder / "boards/north-1")
    card.start()
    assert 'On its chain this board is "north-1". The broker is localhost.' in card.says()
    assert sorted(each.name for each in card.drive.iterdir()) == ["quarto-pi-says.txt", "quarto-pi.txt"]
    stack.enter_context(house.running())
    chain = card.chain()
    stack.callback(chain.close)
    house.heard.until(lambda: ("presence", "north-1", True) in house.heard.calls)
    Evening(stack, journal=tmp_path / "kept", chain=chain).turn("LTRF", "a1")
    house.heard.until(lambda: sum(call[0] == "settled" for call in house.heard.calls) == 3)


def test_new_folder_brings_a_new_secret_with_which_alone_the_board_is_let_in(
    tmp_path: Path, house: HubFolder, stack: ExitStack, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("STATE_DIRECTORY", f"{tmp_path / 'state'}")
    card = OwnersCard(tmp_path / "card")
    card.copy(house.folder / "boards/north-1")
    card.start()
    assert house.order("add", "north-1", "--renew") == 0
    stack.enter_context(house.running())
    old = card.chain()
    house.heard.until(lambda: "credentials do not count" in old.client.condition.why)
    old.close()
    assert ("presence", "north-1", True) not in house.heard.calls
    card.copy(house.folder / "boards/north-1")
    card.start()
    stack.callback(card.chain().close)
    house.heard.until(lambda: ("presence", "north-1", True) in house.heard.calls)
