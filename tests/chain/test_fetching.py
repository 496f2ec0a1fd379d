"""A bundle is fetched part by part from a real server, whatever that does: cut, hang, send too much, or lie."""

from __future__ import annotations

import hashlib
import random
import threading
from collections.abc import Iterator
from dataclasses import replace

import pytest

from quarto_pi.chain.fetching import PART_BYTES, BundleFetch, FetchFailed
from tests.chain.bundle_server import BundleServer, serving_bundle

CONTENT = random.Random(5).randbytes(2 * PART_BYTES + 1_234)


@pytest.fixture
def server() -> Iterator[BundleServer]:
    with serving_bundle(CONTENT, hashlib.sha256(CONTENT).hexdigest()) as server:
        yield server


@pytest.fixture
def fetch() -> Iterator[BundleFetch]:
    fetch = BundleFetch(answer_seconds=30, part_seconds=30)
    yield fetch
    fetch.close()


def test_a_bundle_comes_part_by_part_and_on_from_anywhere(server: BundleServer, fetch: BundleFetch) -> None:
    got = b""
    while len(got) < len(CONTENT):
        got += fetch.part(server.offer, len(got))
    assert got == CONTENT
    assert len(server.asked) == 3
    assert fetch.part(server.offer, 1_000_000 % len(CONTENT)) == CONTENT[1_000_000 % len(CONTENT) :][:PART_BYTES]


@pytest.mark.parametrize(
    ("how", "said"),
    [
        ("gone", "does not send the version"),
        ("elsewhere", "does not send the version"),
        ("whole", "does not send the version"),
        ("another part", "another part"),
        ("another size", "another part"),
        ("no range", "something else"),
        ("packed", "something else"),
        ("longer", "more than was asked for"),
        ("endless", "more than was asked for"),
        ("cut", "does not answer|broke off"),
        ("cut before", "does not answer"),
    ],
)
def test_whatever_goes_wrong_is_said_and_the_next_part_comes_all_the_same(
    how: str, said: str, server: BundleServer, fetch: BundleFetch
) -> None:
    server.misbehave = [how]
    with pytest.raises(FetchFailed, match=said) as failed:
        fetch.part(server.offer, 0)
    assert failed.value.wait == 0
    server.released.set()
    assert fetch.part(server.offer, 0) == CONTENT[:PART_BYTES]


def test_no_more_than_a_part_is_taken_of_what_never_ends(server: BundleServer, fetch: BundleFetch) -> None:
    server.misbehave = ["endless"]
    with pytest.raises(FetchFailed):
        fetch.part(server.offer, 0)
    server.released.set()
    # What the kernel has taken in between is thrown away with the connection.
    assert server.sent < 100 * PART_BYTES


def test_a_hub_that_has_much_to_do_says_for_how_long(server: BundleServer, fetch: BundleFetch) -> None:
    server.misbehave = ["busy"]
    with pytest.raises(FetchFailed, match="much to do") as failed:
        fetch.part(server.offer, 0)
    assert failed.value.wait == 77


@pytest.mark.parametrize("how", ["silent", "dribbles"])
def test_who_never_comes_to_an_end_is_left(how: str, server: BundleServer) -> None:
    fetch = BundleFetch(answer_seconds=30, part_seconds=0.3)
    server.misbehave = [how]
    with pytest.raises(FetchFailed, match=r"does not answer|broke off"):
        fetch.part(server.offer, 0)
    fetch.close()


def test_a_part_that_is_no_longer_wanted_is_given_up_by_another_thread(
    server: BundleServer, fetch: BundleFetch
) -> None:

    server.misbehave = ["silent"]
    failed: list[FetchFailed] = []

    def ask() -> None:
        try:
            fetch.part(server.offer, 0)
        except FetchFailed as error:
            failed.append(error)

    thread = threading.Thread(target=ask)
    thread.start()
    while not failed:
        fetch.abort()
        thread.join(0.01)
    thread.join()
    assert failed


def test_a_connection_that_was_closed_meanwhile_is_opened_anew(server: BundleServer, fetch: BundleFetch) -> None:
    fetch.part(server.offer, 0)
    fetch.abort()
    assert fetch.part(server.offer, 5) == CONTENT[5 : 5 + PART_BYTES]


def test_who_is_not_there_at_all_is_said(server: BundleServer, fetch: BundleFetch) -> None:
    away = replace(server.offer, url=server.offer.url.replace("127.0.0.1", "127.0.0.2"))
    with pytest.raises(FetchFailed, match="does not answer"):
        fetch.part(replace(away, url=away.url.replace("http://", "https://")), 0)
