"""Who may use the hub's page: names, roles, houses, passwords and sessions."""

from __future__ import annotations

import hashlib
import stat
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from quarto_pi.cli import main
from quarto_pi.hub.login import LONGEST_SESSION_SECONDS, MOST_SESSIONS_OF_ONE, SESSION_IDLE_SECONDS, Sessions
from quarto_pi.hub.people import PEOPLE_FILE, HubUser, PeopleFile, PersonRefused, Role
from tests.hub.page_of_hub import CHOSEN, FEW_ROUNDS


@dataclass
class Clock:
    now: float = 0.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def people(tmp_path: Path) -> PeopleFile:
    return PeopleFile(tmp_path, FEW_ROUNDS)


def test_who_has_the_password_is_admitted_and_nobody_else(people: PeopleFile) -> None:
    password = people.add("anna", Role.HOUSE, "centre")
    admitted = people.admitted("anna", password)
    assert admitted is not None
    assert (admitted.name, admitted.role, admitted.house) == ("anna", Role.HOUSE, "centre")
    assert people.admitted("anna", password + "x") is None
    assert people.admitted("anna", "") is None
    assert people.admitted("berta", password) is None


def test_a_password_is_slow_to_try_also_for_a_name_that_nobody_has(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    tried: list[tuple[int, int, int]] = []
    scrypt = hashlib.scrypt

    def noted(password: bytes, *, n: int, r: int, p: int, **more: Any) -> bytes:  # noqa: ANN401 - as hashlib has it
        tried.append((n, r, p))
        return scrypt(password, n=n, r=r, p=p, **more)

    monkeypatch.setattr(hashlib, "scrypt", noted)
    people = PeopleFile(tmp_path)
    people.add("anna", Role.OWNER, password=CHOSEN)
    assert people.admitted("berta", CHOSEN) is None
    assert people.admitted("anna", CHOSEN) is not None
    assert tried == [(2**15, 8, 1)] * 3


def test_no_password_stands_in_the_file_and_only_the_hub_reads_it(tmp_path: Path) -> None:
    password = PeopleFile(tmp_path, FEW_ROUNDS).add("anna", Role.OWNER, password=CHOSEN)
    file = tmp_path / PEOPLE_FILE
    assert password not in file.read_text(encoding="utf-8")
    assert stat.S_IMODE(file.stat().st_mode) == 0o600


def test_the_same_password_is_kept_as_two_digests(people: PeopleFile) -> None:
    for name in ("anna", "berta"):
        people.add(name, Role.OWNER, password=CHOSEN)
    assert len({user.password for user in people.all()}) == 2


def test_the_first_owner_is_made_once(people: PeopleFile) -> None:
    password = people.add_first_owner()
    assert password is not None
    assert people.admitted("owner", password) is not None
    assert people.add_first_owner() is None


def test_what_the_command_writes_is_seen_by_the_hub_that_runs(tmp_path: Path) -> None:
    hub, command = PeopleFile(tmp_path), PeopleFile(tmp_path, FEW_ROUNDS)
    assert hub.all() == []
    command.add("anna", Role.OWNER)
    assert [user.name for user in hub.all()] == ["anna"]


@pytest.mark.parametrize(
    ("name", "role", "house", "password", "says"),
    [
        ("Anna", Role.OWNER, "", None, "no name here"),
        ("", Role.OWNER, "", None, "no name here"),
        ("anna", Role.HOUSE, "", None, "--house"),
        ("anna", Role.OWNER, "centre", None, "all houses"),
        ("anna", Role.ONLOOKER, "", "short", "10 to 200"),
        ("anna", Role.ONLOOKER, "", "x" * 201, "10 to 200"),
    ],
)
def test_what_cannot_be_entered_is_refused_in_a_sentence(
    name: str, role: Role, house: str, password: str | None, says: str, tmp_path: Path
) -> None:
    with pytest.raises(PersonRefused, match=says):
        PeopleFile(tmp_path).add(name, role, house, password)


def test_the_only_owner_stays(people: PeopleFile) -> None:
    people.add("anna", Role.OWNER)
    with pytest.raises(PersonRefused, match="only owner"):
        people.remove("anna")
    with pytest.raises(PersonRefused, match="only owner"):
        people.add("anna", Role.ONLOOKER)
    people.add("berta", Role.OWNER)
    people.remove("anna")
    assert [user.name for user in people.all()] == ["berta"]
    with pytest.raises(PersonRefused, match="nobody here"):
        people.remove("anna")


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"people": [{"name": "x"}]}', '{"people": [3]}'])
def test_a_damaged_file_lets_nobody_in_and_says_so(text: str, tmp_path: Path) -> None:
    (tmp_path / PEOPLE_FILE).write_text(text, encoding="utf-8")
    with pytest.raises(PersonRefused, match="damaged"):
        PeopleFile(tmp_path).all()


@pytest.mark.parametrize(
    ("role", "house", "sees_own", "sees_other", "directs_own", "directs_other"),
    [
        (Role.OWNER, "", True, True, True, True),
        (Role.HOUSE, "centre", True, False, True, False),
        (Role.ONLOOKER, "centre", True, False, False, False),
        (Role.ONLOOKER, "", True, True, False, False),
    ],
)
def test_each_role_sees_and_directs_what_is_its_own(
    role: Role, house: str, sees_own: bool, sees_other: bool, directs_own: bool, directs_other: bool
) -> None:
    user = HubUser("anna", role, house, "")
    assert (user.sees("centre"), user.sees("harbour")) == (sees_own, sees_other)
    assert (user.directs("centre"), user.directs("harbour")) == (directs_own, directs_other)


def logged_in(folder: Path) -> tuple[PeopleFile, Sessions, Clock, HubUser]:
    people, clock = PeopleFile(folder, FEW_ROUNDS), Clock()
    people.add("anna", Role.OWNER, password=CHOSEN)
    user = people.find("anna")
    assert user is not None
    return people, Sessions(people, clock), clock, user


def test_a_session_is_of_who_began_it_until_it_is_ended(tmp_path: Path) -> None:
    _, sessions, _, user = logged_in(tmp_path)
    token = sessions.begin(user, "192.168.1.7")
    assert sessions.user(sessions.of(token)) == user
    assert sessions.user(sessions.of(token + "x")) is None
    assert sessions.user(sessions.of("")) is None
    assert (sessions.knows("192.168.1.7"), sessions.knows("192.168.1.8")) == (True, False)
    sessions.end(token)
    assert sessions.user(sessions.of(token)) is None


def test_a_session_ends_where_nobody_uses_it_and_after_a_month(tmp_path: Path) -> None:
    _, sessions, clock, user = logged_in(tmp_path)
    token = sessions.begin(user, "")
    clock.now += SESSION_IDLE_SECONDS + 1
    assert sessions.user(sessions.of(token)) is None
    token, began = sessions.begin(user, ""), clock.now
    while clock.now - began <= LONGEST_SESSION_SECONDS:
        assert sessions.user(sessions.of(token)) == user
        clock.now += SESSION_IDLE_SECONDS
    assert sessions.user(sessions.of(token)) is None


def test_who_is_removed_or_gets_another_password_is_out_at_once(tmp_path: Path) -> None:
    people, sessions, _, user = logged_in(tmp_path)
    token = sessions.begin(user, "")
    people.add("anna", Role.OWNER, password=CHOSEN[::-1])
    assert sessions.user(sessions.of(token)) is None


def test_somebody_has_so_many_sessions_and_the_oldest_leave(tmp_path: Path) -> None:
    _, sessions, _, user = logged_in(tmp_path)
    tokens = [sessions.begin(user, "") for _ in range(MOST_SESSIONS_OF_ONE + 3)]
    assert [sessions.of(token) is not None for token in tokens] == [False] * 3 + [True] * MOST_SESSIONS_OF_ONE


def test_a_session_goes_on_below_another_token_with_another_password_and_no_other_does(tmp_path: Path) -> None:
    people, sessions, _, user = logged_in(tmp_path)
    token, elsewhere = sessions.begin(user, ""), sessions.begin(user, "")
    own, other = sessions.of(token), sessions.of(elsewhere)
    changed = people.change_password("anna", CHOSEN[::-1])
    fresh = sessions.renew(token, changed, "192.168.1.7")
    assert [sessions.user(each) for each in (own, other, sessions.of(token), sessions.of(fresh))] == [
        *(changed, None, None),
        changed,
    ]
    assert sessions.knows("192.168.1.7")


def test_people_are_entered_listed_and_removed_at_the_command_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    def order(*words: str) -> tuple[int, str]:
        code = main(["hub", "user", *words, "--folder", str(tmp_path)])
        return code, "".join(capsys.readouterr())

    code, said = order("add", "anna", "--role", "owner", "--generate")
    password = said.strip().rpartition(" ")[2]
    assert code == 0
    assert PeopleFile(tmp_path).admitted("anna", password) is not None
    assert order("add", "nora", "--role", "house", "--house", "North", "--generate")[0] == 0
    assert order("list") == (0, f"{'anna':30} owner\n{'nora':30} house      North\n")
    code, said = order("add", "otto", "--role", "house", "--generate")
    assert (code, "--house" in said) == (2, True)
    code, said = order("remove", "anna")
    assert (code, "only owner" in said) == (2, True)
    assert order("remove", "nora")[0] == 0
    assert [user.name for user in PeopleFile(tmp_path).all()] == ["anna"]
