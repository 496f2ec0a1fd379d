"""Versions over the hub's page: who may put, roll out and see them, and what boards are sent of a bundle."""

from __future__ import annotations

import io
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

from quarto_pi.chain.hub_messages import bundle_path
from quarto_pi.chain.messages import VersionStep, VersionTold
from quarto_pi.hub.page import ServedHub, hub_page
from quarto_pi.hub.page_versions import MOST_OF_PART, PARTS_A_SECOND, PARTS_AT_ONCE, PARTS_OF_ONE, VersionPages
from quarto_pi.hub.rollout_desk import RolloutDesk
from quarto_pi.hub.sqlite import open_sqlite
from quarto_pi.hub.version_shelf import VersionShelf
from quarto_pi.web.updates import UPDATE_TYPE
from tests.hub.boards import IDLE
from tests.hub.bundle_making import good_bundle, publisher_in
from tests.hub.page_of_hub import TestedHub, served_hub

OLD = replace(IDLE, card="1.0")
TOKEN = "a token"  # noqa: S105 - for this test


@pytest.fixture(scope="module")
def bundle(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    return good_bundle(publisher_in(tmp_path_factory.mktemp("publisher")))


@dataclass
class VersionHub:
    """A hub's page with boards, of which two run from a card."""

    hub: TestedHub
    desk: RolloutDesk
    shelf: VersionShelf

    def upload(self, content: bytes, kind: str = UPDATE_TYPE, **headers: str) -> tuple[int, dict[str, Any]]:
        answer = self.hub.client.post(
            "/api/v1/versions/file", content=content, headers={"content-type": kind, **headers}
        )
        return answer.status_code, answer.json()

    def part(self, sha256: str, **headers: str) -> Any:  # noqa: ANN401 - an answer
        return self.hub.client.get(bundle_path(sha256), headers={"accept-encoding": "gzip", **headers})

    def list(self) -> dict[str, Any]:
        found: dict[str, Any] = self.hub.read("versions")
        return found


@contextmanager
def version_hub(folder: Path) -> Iterator[VersionHub]:
    shelf = VersionShelf(folder)
    with served_hub(folder) as plain:
        desk = RolloutDesk(plain.watch, shelf, "https://hub.local:8050", plain.clock)
        page = hub_page(
            ServedHub(
                plain.watch,
                plain.people,
                lambda: open_sqlite(folder / "hub.sqlite"),
                rollouts=desk,
                metrics_token=TOKEN,
            ),
            plain.clock,
            plain.clock,
        )
        with TestClient(page, base_url="http://192.168.1.1:8050", client=("192.168.1.7", 4_000)) as client:
            hub = TestedHub(client, plain.watch, plain.people, folder, plain.clock)
            hub.watch.link(linked=True)
            for name, status in (("north-1", OLD), ("north-2", IDLE), ("south-1", OLD)):
                hub.watch.presence(name, here=True)
                hub.watch.status(name, status)
            hub.log_in("anna")
            yield VersionHub(hub, desk, shelf)


@pytest.fixture
def versions(tmp_path: Path) -> Iterator[VersionHub]:
    with version_hub(tmp_path) as versions:
        yield versions


def begun(versions: VersionHub, bundle: bytes) -> str:
    """A version that is offered; the hash of its bundle."""
    status, told = versions.upload(bundle)
    assert status == 200
    sha256: str = told["sha256"]
    assert versions.hub.post("rollout", {"version": sha256}) == 200
    return sha256


def test_an_owner_puts_a_version_there_rolls_it_out_stops_goes_on_and_abandons(
    versions: VersionHub, bundle: bytes
) -> None:
    sha256 = begun(versions, bundle)
    told = versions.list()
    assert [(each["version"], each["by"], each["checked"]) for each in told["versions"]] == [("2.0-abc", "anna", False)]
    assert [(each["name"], each["card"]) for each in told["boards"]] == [
        ("north-1", "1.0"),
        ("north-2", None),
        ("south-1", "1.0"),
    ]
    rollout = told["rollout"]
    assert (rollout["state"], rollout["stage"], rollout["by"]) == ("running", "one", "anna")
    assert [(each["name"], each["step"]) for each in rollout["boards"]] == [
        ("north-1", "offered"),
        ("south-1", "waiting"),
    ]
    assert versions.hub.post("rollout", {"version": sha256}) == 400
    for order, state in (("stop", "stopped"), ("resume", "running"), ("abandon", "abandoned")):
        assert versions.hub.post(f"rollout/{order}") == 200
        assert versions.list()["rollout"]["state"] == state
        assert versions.list()["rollout"]["decided_by"] == ("" if order == "resume" else "anna")
    assert versions.hub.post("versions/remove", {"version": sha256}) == 200
    assert versions.list()["versions"] == []


def test_how_far_each_board_is_is_told(versions: VersionHub, bundle: bytes) -> None:
    sha256 = begun(versions, bundle)
    told = VersionTold(sha256, VersionStep.FETCHING, 40)
    versions.hub.watch.status("north-1", replace(OLD, offered=told))
    versions.hub.now += 1_000
    store = open_sqlite(versions.hub.folder / "hub.sqlite")
    versions.desk.look(store)
    store.close()
    first = versions.list()["rollout"]["boards"][0]
    assert (first["step"], first["percent"], first["since"]) == ("fetching", 40, versions.hub.now)


def test_a_house_sees_its_own_boards_and_an_onlooker_nothing(versions: VersionHub, bundle: bytes) -> None:
    sha256 = begun(versions, bundle)
    versions.hub.log_in("nora")
    told = versions.list()
    assert [each["name"] for each in told["boards"]] == ["north-1", "north-2"]
    assert [each["name"] for each in told["rollout"]["boards"]] == ["north-1"]
    for path in ("rollout", "rollout/stop", "rollout/resume", "rollout/abandon", "versions/remove"):
        assert versions.hub.post(path, {"version": sha256}) == 403
    assert versions.upload(bundle)[0] == 403
    versions.hub.log_in("otto")
    assert versions.hub.status("versions") == 403
    assert versions.upload(bundle)[0] == 403
    versions.hub.client.cookies.clear()
    assert versions.hub.status("versions") == 401
    assert versions.upload(bundle)[0] == 401


def test_why_a_board_of_another_house_went_wrong_is_not_told(versions: VersionHub, bundle: bytes) -> None:
    sha256 = begun(versions, bundle)
    refused = VersionTold(sha256, VersionStep.REFUSED, 100, "no.")
    versions.hub.watch.status("north-1", replace(OLD, offered=refused))
    versions.hub.now += 1_000
    store = open_sqlite(versions.hub.folder / "hub.sqlite")
    versions.desk.look(store)
    store.close()
    assert versions.list()["rollout"]["why"] == "north-1: no."
    versions.hub.log_in("nora")
    assert versions.list()["rollout"]["why"] == ""


def test_a_page_of_another_site_can_order_nothing(versions: VersionHub, bundle: bytes) -> None:
    assert versions.upload(bundle, origin="https://evil.example")[0] == 403
    assert versions.upload(bundle, **{"sec-fetch-site": "cross-site"})[0] == 403
    sha256 = begun(versions, bundle)
    for path in ("rollout/stop", "rollout/abandon"):
        assert versions.hub.post(path, origin="https://evil.example") == 403
    assert versions.list()["rollout"]["state"] == "running"
    assert versions.hub.post("versions/remove", {"version": sha256}, origin="https://evil.example") == 403


@pytest.mark.parametrize(
    ("body", "status"),
    [
        ({}, 400),
        ({"version": 3}, 400),
        ({"version": "../../etc"}, 400),
        ({"version": "ab" * 32}, 400),
        ({"version": "SHA", "boards": []}, 400),
        ({"version": "SHA", "boards": "north-1"}, 400),
        ({"version": "SHA", "boards": [3]}, 400),
        ({"version": "SHA", "boards": ["nobody"]}, 400),
        ({"version": "SHA", "boards": ["north-2"]}, 400),
        ({"version": "SHA", "boards": ["north-1"], "first": "south-1"}, 400),
        ({"version": "SHA", "first": 3}, 400),
        ({"version": "SHA", "house": "nowhere"}, 409),
        ({"version": "SHA", "more": 1}, 400),
    ],
)
def test_a_rollout_that_cannot_be_is_refused(
    body: dict[str, object], status: int, versions: VersionHub, bundle: bytes
) -> None:
    sha256 = versions.upload(bundle)[1]["sha256"]
    wish = {**body, **({"version": sha256} if body.get("version") == "SHA" else {})}
    assert versions.hub.post("rollout", wish) == status
    assert versions.list()["rollout"] is None


def test_some_boards_and_the_one_to_try_first_are_chosen(versions: VersionHub, bundle: bytes) -> None:
    sha256 = versions.upload(bundle)[1]["sha256"]
    wish: dict[str, object] = {"version": sha256, "boards": ["north-1", "south-1"], "first": "south-1"}
    assert versions.hub.post("rollout", wish) == 200
    assert [each["name"] for each in versions.list()["rollout"]["boards"]] == ["south-1", "north-1"]
    versions.hub.post("rollout/abandon")
    assert versions.hub.post("rollout", {"version": sha256, "house": "south"}) == 200
    assert [each["name"] for each in versions.list()["rollout"]["boards"]] == ["south-1"]


def test_what_is_no_update_is_refused_and_leaves_nothing(versions: VersionHub, bundle: bytes) -> None:
    assert versions.upload(b"a photo")[0] == 400
    assert versions.upload(bundle[:-9])[0] == 400
    assert versions.upload(bundle, kind="text/plain")[0] == 415
    assert versions.list()["versions"] == []
    assert [path.name for path in (versions.hub.folder / "versions").iterdir()] == []


# --- What boards are sent ---------------------------------------------------------------------------------------------


def test_a_bundle_is_sent_in_parts_to_whoever_knows_its_address(versions: VersionHub, bundle: bytes) -> None:
    sha256 = begun(versions, bundle)
    versions.hub.client.cookies.clear()
    got = b""
    while len(got) < len(bundle):
        answer = versions.part(sha256, range=f"bytes={len(got)}-")
        assert answer.status_code == 206
        assert answer.headers["content-range"] == f"bytes {len(got)}-{len(got) + len(answer.content) - 1}/{len(bundle)}"
        assert answer.headers["content-encoding"] == "identity"
        assert 0 < len(answer.content) <= MOST_OF_PART
        got += answer.content
    assert got == bundle
    assert versions.part(sha256, range="bytes=10-19").content == bundle[10:20]
    assert versions.part(sha256, range=f"bytes={len(bundle) - 3}-{len(bundle) + 90}").content == bundle[-3:]
    assert versions.part(sha256).content == bundle[:MOST_OF_PART]


@pytest.mark.parametrize("asked", ["bytes=-5", "bytes=9-3", "bytes=99999999999-", "bytes=0-1,5-6", "lines=1-2", "x"])
def test_a_part_that_cannot_be_is_refused(asked: str, versions: VersionHub, bundle: bytes) -> None:
    sha256 = begun(versions, bundle)
    answer = versions.part(sha256, range=asked)
    assert (answer.status_code, answer.headers["content-range"]) == (416, f"bytes */{len(bundle)}")


def test_only_what_is_offered_is_sent(versions: VersionHub, bundle: bytes) -> None:
    sha256 = versions.upload(bundle)[1]["sha256"]
    assert versions.part(sha256).status_code == 404
    versions.hub.post("rollout", {"version": sha256})
    assert versions.part(sha256).status_code == 206
    for strange in ("cd" * 32, "keeper", "..%2fhub", sha256.upper()):
        assert versions.part(strange).status_code == 404
    versions.hub.post("rollout/abandon")
    assert versions.part(sha256).status_code == 404


def test_few_parts_are_sent_at_a_time_and_fewer_to_one_address(versions: VersionHub, bundle: bytes) -> None:
    sha256 = begun(versions, bundle)
    (route,) = [each for each in versions.hub.client.app.routes if "raucb" in getattr(each, "path", "")]  # type: ignore[attr-defined]
    pages: VersionPages = route.endpoint.__self__
    for address, count, status in (
        ("192.168.1.7", PARTS_OF_ONE - 1, 206),
        ("192.168.1.7", PARTS_OF_ONE, 503),
        ("192.168.1.8", PARTS_AT_ONCE, 503),
    ):
        pages._parts.clear()
        pages._parts[address] = count
        answer = versions.part(sha256)
        assert answer.status_code == status
        assert pages._parts[address] == count, "a part that was sent makes room for the next"
        if status == 503:
            assert int(answer.headers["retry-after"]) > 0
    assert versions.list()["rollout"]["state"] == "running", "the page answers meanwhile"


def test_so_many_parts_are_sent_in_a_second_and_no_more(versions: VersionHub, bundle: bytes) -> None:
    sha256 = begun(versions, bundle)
    for _ in range(PARTS_A_SECOND):
        assert versions.part(sha256, range="bytes=0-9").status_code == 206
    assert versions.part(sha256, range="bytes=0-9").status_code == 503
    versions.hub.now += 1
    assert versions.part(sha256, range="bytes=0-9").status_code == 206


def test_prometheus_counts_boards_by_step(versions: VersionHub, bundle: bytes) -> None:
    begun(versions, bundle)
    told = versions.hub.client.get("/metrics", headers={"authorization": f"Bearer {TOKEN}"})
    lines = told.text.splitlines()
    assert 'quarto_rollout_boards{step="offered"} 1' in lines
    assert 'quarto_rollout_boards{step="waiting"} 1' in lines
    assert 'quarto_rollout_boards{step="had_it"} 0' in lines


def test_versions_are_kept_over_a_new_start(tmp_path: Path, bundle: bytes) -> None:
    VersionShelf(tmp_path).put(io.BytesIO(bundle), "anna", 1.0)
    with version_hub(tmp_path) as versions:
        assert [each["version"] for each in versions.list()["versions"]] == ["2.0-abc"]
