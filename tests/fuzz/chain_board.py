"""What may come to a board over its chain, whoever sends it: understood or passed over, and it never ends too much."""

from __future__ import annotations

from urllib.parse import urlsplit

from quarto_pi.chain.board_client import BoardClient
from quarto_pi.chain.credentials import Credentials
from quarto_pi.chain.delivery import Delivery
from quarto_pi.chain.discovery import HOME_STATUS
from quarto_pi.chain.hub_messages import bundle_path, read_offer
from quarto_pi.chain.link import BrokerAddress, BrokerLink, HeardMessage, Will
from quarto_pi.chain.messages import BoardStatus, Doing, MessageRefused, read_hub, read_taken
from quarto_pi.chain.topics import HUB_PRESENCE, letters, taken_by_hub
from tests.fuzz.verdict import Broken, check_sentence

BOARD = "north-1"
TOPICS = (HUB_PRESENCE, taken_by_hub(BOARD), HOME_STATUS, letters("south-1", BOARD), f"quarto/{BOARD}/in/what")
SENT = {"h": {1: 5, 2: 3}}
NOW = 1_000.0


def chain_board(data: bytes) -> None:
    """Messages, one a line; the first byte of each says where it comes in."""
    client = _client()
    delivery = Delivery()
    delivery.connected()
    delivery.hub_is("one")
    for history, games in SENT.items():
        for game, most in games.items():
            for number in range(1, most + 1):
                delivery.sent((history, game, number), NOW)
    for line in data.split(b"\n"):
        topic, payload = TOPICS[line[0] % len(TOPICS)] if line else TOPICS[0], line[1:]
        client.heard(HeardMessage(topic, payload), NOW)
        _check_offer(payload)
        try:
            read_hub(payload)
            word = read_taken(payload)
        except MessageRefused as error:
            check_sentence(f"{error}")
            continue
        for game, number in delivery.taken(word, NOW):
            if number > SENT.get(word.history, {}).get(game, 0):
                raise Broken(f"{word} ends number {number} of game {game}, which was never sent")
        if delivery.is_taken(("h", 1, 6)) or delivery.is_taken(("h", 3, 1)):
            raise Broken(f"{word} ends what is yet to come")
        if delivery.cursor("h") > (2, 3):
            raise Broken(f"{word} leaves actions out")


def _check_offer(payload: bytes) -> None:
    """A version that is offered leads a board to a bundle and nowhere else, or is refused."""
    try:
        offer = read_offer(payload)
    except MessageRefused as error:
        check_sentence(f"{error}")
        return
    if offer is not None and urlsplit(offer.url).path != bundle_path(offer.sha256):
        raise Broken(f"{offer} leads elsewhere")


def _client() -> BoardClient:
    """A board that is not connected."""
    link = BrokerLink(BrokerAddress("127.0.0.1", 1), Credentials(BOARD, "-"), Will("-", b""))
    client = BoardClient(BOARD, link, BoardStatus("1", "", Doing.WAITING), home_assistant=True)
    client.connected(NOW)
    return client
