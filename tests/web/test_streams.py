"""Those who look on: everybody gets the newest, nobody is waited for."""

from __future__ import annotations

import asyncio
import json
import socket
from collections.abc import AsyncIterator

import httpx2 as httpx
import pytest

from quarto_pi.web.service import ServedBoard
from quarto_pi.web.serving import LOOK_SECONDS, AddressOfPage, PortTaken, address_for_others, address_of, listen
from quarto_pi.web.streams import Feed, Streams
from tests.web.visit import Parsed, events, feed_with, moment, served

PATIENCE = 180.0


def board(feed: Feed) -> ServedBoard:
    return ServedBoard(feed, lambda _: None)


async def next_state(stream: AsyncIterator[tuple[str, Parsed]]) -> Parsed:
    async for name, data in stream:
        if name == "state":
            return data
    raise AssertionError("the stream has ended")


def test_stream_begins_with_the_state_and_goes_on_with_every_change() -> None:
    feed = feed_with(moment(0))

    async def look_on(address: str) -> None:
        async with httpx.AsyncClient(timeout=PATIENCE) as client:
            stream = events(client, address)
            first = await next_state(stream)
            assert first["tally"]["games"] == 0
            feed.show(moment(1))
            second = await next_state(stream)
            assert second["tally"]["games"] == 1
            assert second["seq"] > first["seq"]
            assert (await client.get(f"{address}/api/v1/state")).json() == second

    with served(board(feed)) as address:
        asyncio.run(look_on(address))


def test_the_tournament_of_the_house_is_shown_as_soon_as_it_is_told() -> None:
    feed = feed_with(moment(0))

    async def look_on(address: str) -> None:
        async with httpx.AsyncClient(timeout=PATIENCE) as client:
            stream = events(client, address)
            assert (await next_state(stream))["tournament"] is None
            feed.announce({"title": "Friday"})
            assert (await next_state(stream))["tournament"] == {"title": "Friday"}
            feed.announce(None)
            assert (await next_state(stream))["tournament"] is None

    with served(board(feed)) as address:
        asyncio.run(look_on(address))


def test_what_is_told_comes_in_order_and_before_the_state_that_follows_from_it() -> None:
    feed = feed_with(moment(0))

    async def look_on(address: str) -> list[tuple[str, Parsed]]:
        async with httpx.AsyncClient(timeout=PATIENCE) as client:
            stream = events(client, address)
            await next_state(stream)
            for number in range(3):
                feed.tell(json.dumps({"t": number, "event": "resolved"}))
            feed.show(moment(1))
            return [await anext(stream) for _ in range(4)]

    with served(board(feed)) as address:
        seen = asyncio.run(look_on(address))
    assert [data["t"] for name, data in seen if name == "told"] == [0, 1, 2]


def test_client_that_is_slow_gets_the_newest_and_not_what_was_before() -> None:
    async def look_on() -> list[int]:
        feed = feed_with(moment(0))
        streams = Streams(feed)
        looking = asyncio.create_task(streams.run())
        stream = streams.events()
        seen = [await anext(stream)]
        for games in range(1, 101):
            feed.show(moment(games))
            await asyncio.sleep(0)
        while '"games":100' not in seen[-1]:
            seen.append(await anext(stream))
        looking.cancel()
        return [json.loads(event.partition("data: ")[2])["tally"]["games"] for event in seen]

    seen = asyncio.run(look_on())
    assert seen == sorted(seen)
    assert len(seen) <= 5


def test_same_moment_again_is_no_news() -> None:
    async def look_on() -> tuple[str, str]:
        feed = feed_with(moment(0))
        streams = Streams(feed)
        before = streams.newest()
        feed.show(moment(0))
        return before, streams.newest()

    before, after = asyncio.run(look_on())
    assert before == after


def test_stream_on_which_nothing_happens_sends_a_comment() -> None:
    async def look_on() -> str:
        stream = Streams(feed_with(moment(0)), alive_seconds=0.01).events()
        await anext(stream)
        return await anext(stream)

    assert asyncio.run(look_on()).startswith(":")


def test_fifty_look_on_and_all_see_the_same() -> None:
    feed = feed_with(moment(0))

    async def look_on(address: str) -> list[Parsed]:
        limits = httpx.Limits(max_connections=60)
        async with httpx.AsyncClient(timeout=PATIENCE, limits=limits) as client:
            streams = [events(client, address) for _ in range(50)]
            await asyncio.gather(*(next_state(stream) for stream in streams))
            feed.show(moment(1))
            return await asyncio.gather(*(next_state(stream) for stream in streams))

    with served(board(feed)) as address:
        seen = asyncio.run(look_on(address))
    assert len(seen) == 50
    assert all(state == seen[0] for state in seen)
    assert seen[0]["tally"]["games"] == 1


def test_page_that_reconnects_after_a_restart_sees_how_things_stand() -> None:
    feed = feed_with(moment(3))

    async def first_state(address: str) -> Parsed:
        async with httpx.AsyncClient(timeout=PATIENCE) as client:
            return await next_state(events(client, address))

    with served(board(feed)) as address:
        before = asyncio.run(first_state(address))
        port = int(address.rpartition(":")[2])
    with served(board(feed), port) as again:
        assert again == address
        after = asyncio.run(first_state(again))
    assert (before["tally"], before["phase"]) == (after["tally"], after["phase"])


def test_stream_ends_when_the_service_ends() -> None:
    feed = feed_with(moment(0))

    async def until_the_end(address: str, started: asyncio.Event) -> int:
        async with httpx.AsyncClient(timeout=PATIENCE) as client:
            count = 0
            # A stream that is cut, and not ended, raises an error.
            async for _ in events(client, address):
                count += 1
                started.set()
            return count

    async def look_on() -> int:
        service = served(board(feed))
        address = service.__enter__()
        started = asyncio.Event()
        looking = asyncio.create_task(until_the_end(address, started))
        await started.wait()
        await asyncio.to_thread(service.__exit__, None, None, None)
        return await looking

    assert asyncio.run(look_on()) >= 1


def test_game_has_something_to_say_after_the_service_has_ended() -> None:
    feed = feed_with(moment(0))
    with served(board(feed)):
        pass
    feed.show(moment(1))
    feed.tell("{}")


def test_board_that_is_just_starting_says_so() -> None:
    with served(board(Feed())) as address:
        answer = httpx.get(f"{address}/api/v1/state")
    assert answer.status_code == 503


def test_busy_port_is_a_clear_sentence_or_the_next_one_is_taken() -> None:
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        port = other.getsockname()[1]
        with pytest.raises(PortTaken, match=rf"port {port} is in use by another program: choose another port"):
            listen("127.0.0.1", port)
        with listen("127.0.0.1", port, others=20) as bound:
            assert bound.getsockname()[1] > port
            assert address_of(bound, "127.0.0.1") == f"http://127.0.0.1:{bound.getsockname()[1]}/"


@pytest.mark.parametrize("host", ["198.51.100.7", "no such host"])
def test_host_that_is_not_this_machine_is_a_clear_sentence(host: str) -> None:
    with pytest.raises(PortTaken, match=r"address|listen"):
        listen(host, 0)


@pytest.mark.parametrize("host", ["127.0.0.1", "127.0.0.2"])
def test_address_of_a_page_that_nobody_else_can_reach_is_not_told(host: str) -> None:
    with listen(host, 0) as bound:
        assert address_for_others(bound, host) == ""


def test_address_of_a_page_that_others_can_reach_is_one_that_can_be_typed() -> None:
    everywhere = "0.0.0.0"  # noqa: S104 - what an owner writes who opens the page to the network
    with listen(everywhere, 0) as bound:
        address = address_for_others(bound, everywhere)
        assert everywhere not in address
        assert address == "" or address.endswith(f":{bound.getsockname()[1]}/")


def test_network_that_comes_after_the_board_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    everywhere, machine, now = "0.0.0.0", [""], [0.0]  # noqa: S104 - what an owner writes
    monkeypatch.setattr("quarto_pi.web.serving.own_address", lambda: machine[0])
    with listen(everywhere, 0) as bound:
        address = AddressOfPage(bound, everywhere, lambda: now[0])
        assert address() == ""
        machine[0] = "192.168.7.5"
        now[0] += LOOK_SECONDS
        assert address() == f"http://192.168.7.5:{bound.getsockname()[1]}/"
        machine[0] = ""
        now[0] += LOOK_SECONDS
        assert address() == ""
