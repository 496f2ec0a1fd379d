"""Which settled actions are sent when, with time that is made up: the window, and all that begins it anew."""

from __future__ import annotations

import random

import pytest

from quarto_pi.chain.delivery import HUB_PATIENCE_SECONDS, MOST_UNCONFIRMED, RESEND_SECONDS, ActionKey, Delivery
from quarto_pi.chain.messages import TakenThrough

NOW = 1_000.0


def key(number: int, game: int = 1, history: str = "h") -> ActionKey:
    return history, game, number


@pytest.fixture
def delivery() -> Delivery:
    """One that may send, and has sent five actions."""
    delivery = Delivery()
    delivery.connected()
    delivery.hub_is("one")
    for number in range(1, 6):
        delivery.sent(key(number), NOW)
    return delivery


def test_nothing_is_sent_without_a_connection_or_without_the_hub() -> None:
    delivery = Delivery()
    assert delivery.room(NOW) == 0
    delivery.connected()
    assert delivery.room(NOW) == 0
    delivery.hub_is("one")
    assert delivery.room(NOW) == MOST_UNCONFIRMED
    assert delivery.hub_is_there
    delivery.hub_is(None)
    assert delivery.room(NOW) == 0
    delivery.hub_is("one")
    delivery.disconnected()
    assert delivery.room(NOW) == 0
    assert not delivery.hub_is_there


def test_what_the_hub_has_makes_room_and_may_be_forgotten(delivery: Delivery) -> None:
    assert delivery.taken(TakenThrough("h", ((1, 3),)), NOW) == [(1, 3)]
    assert delivery.room(NOW) == MOST_UNCONFIRMED - 2
    assert delivery.is_taken(key(3))
    assert not delivery.is_taken(key(4))


def test_hub_ends_no_more_than_it_was_sent(delivery: Delivery) -> None:
    assert delivery.taken(TakenThrough("h", ((1, 99), (2, 7))), NOW) == [(1, 5)]
    assert delivery.taken(TakenThrough("another", ((1, 5),)), NOW) == []
    assert not delivery.is_taken(key(6))
    assert not delivery.is_taken(key(1, game=2))


def test_word_that_comes_late_takes_nothing_back(delivery: Delivery) -> None:
    delivery.taken(TakenThrough("h", ((1, 5),)), NOW)
    delivery.taken(TakenThrough("h", ((1, 2),)), NOW)
    assert delivery.is_taken(key(5))


@pytest.mark.parametrize("cut", ["connection", "hub", "hub that is back at once", "memory"])
def test_all_begins_anew_after_a_cut(delivery: Delivery, cut: str) -> None:
    delivery.taken(TakenThrough("h", ((1, 2),)), NOW)
    if cut == "connection":
        delivery.disconnected()
        delivery.connected()
        delivery.hub_is("one")
    elif cut == "hub":
        delivery.hub_is(None)
        delivery.hub_is("one")
    elif cut == "memory":
        delivery.hub_is("two")
    else:
        delivery.hub_is("one")
    assert delivery.cursor("h") == (0, 0)
    assert delivery.room(NOW) == MOST_UNCONFIRMED


def test_another_memory_of_the_hub_has_nothing_of_the_last_one(delivery: Delivery) -> None:
    delivery.taken(TakenThrough("h", ((1, 5),)), NOW)
    delivery.hub_is("two")
    assert not delivery.is_taken(key(1))


def test_refused_action_is_sent_again_after_longer_and_longer_pauses(delivery: Delivery) -> None:
    pauses, now = [], NOW
    for _ in range(4):
        delivery.sent(key(1), now)
        delivery.refused(key(1), now)
        assert delivery.cursor("h") == (0, 0)
        due = delivery.due(now)
        assert due is not None
        assert delivery.room(now) == 0
        assert delivery.room(due) == MOST_UNCONFIRMED
        pauses.append(due - now)
        now = due
    assert pauses == sorted(pauses)
    assert pauses[-1] >= 4 * pauses[0]


def test_answer_of_the_broker_for_what_is_not_under_way_any_more_changes_nothing(delivery: Delivery) -> None:
    delivery.taken(TakenThrough("h", ((1, 5),)), NOW)
    delivery.refused(key(3), NOW)
    assert delivery.room(NOW) == MOST_UNCONFIRMED


def test_all_begins_anew_when_no_word_has_come_for_too_long(delivery: Delivery) -> None:
    assert delivery.due(NOW) == NOW + HUB_PATIENCE_SECONDS
    assert not delivery.look(NOW + HUB_PATIENCE_SECONDS - 0.1)
    assert delivery.look(NOW + HUB_PATIENCE_SECONDS)
    assert delivery.cursor("h") == (0, 0)
    assert not delivery.look(NOW + 10 * HUB_PATIENCE_SECONDS)


def test_word_of_the_hub_ends_the_pauses(delivery: Delivery) -> None:
    delivery.refused(key(1), NOW)
    delivery.sent(key(1), NOW)
    delivery.taken(TakenThrough("h", ((1, 1),)), NOW)
    assert delivery.room(NOW) == MOST_UNCONFIRMED


def test_what_is_missed_is_sent_again_and_not_for_every_word_that_says_so(delivery: Delivery) -> None:
    wish = TakenThrough("h", (), ((1, 2),))
    delivery.taken(wish, NOW)
    assert delivery.cursor("h") == (1, 1)
    assert delivery.room(NOW) == MOST_UNCONFIRMED - 1
    for number in range(2, 6):
        delivery.sent(key(number), NOW)
    delivery.taken(wish, NOW + RESEND_SECONDS / 2)
    assert delivery.cursor("h") == (1, 5)
    delivery.taken(wish, NOW + RESEND_SECONDS)
    assert delivery.cursor("h") == (1, 1)


def test_what_the_hub_says_to_have_and_to_miss_is_missed(delivery: Delivery) -> None:
    delivery.taken(TakenThrough("h", ((1, 5),), ((1, 2),)), NOW)
    assert delivery.is_taken(key(1))
    assert not delivery.is_taken(key(2))


def test_wish_for_what_was_never_sent_is_passed_over(delivery: Delivery) -> None:
    delivery.taken(TakenThrough("h", (), ((1, 6), (2, 1))), NOW)
    assert delivery.cursor("h") == (1, 5)


class Wire:
    """A queue of one game, and a hub that gets what comes through; both ways lose, repeat and reorder."""

    def __init__(self, seed: int, actions: int) -> None:
        self.rng, self.actions = random.Random(seed), actions
        self.delivery = Delivery(most=8, chance=self.rng.random)
        self.has: set[int] = set()
        self.let_go = 0
        self.up: list[int] = []
        self.down: list[TakenThrough] = []

    def turn(self, now: float) -> None:
        self.delivery.look(now)
        room = self.delivery.room(now)
        _, after = self.delivery.cursor("h")
        for number in range(max(after, self.let_go) + 1, self.actions + 1):
            if not room:
                break
            if self.delivery.is_taken(key(number)):
                self.delivery.pass_over(key(number))
                continue
            self.delivery.sent(key(number), now)
            self.up.append(number)
            room -= 1
        self._disturb(now)
        while self.up and self.rng.random() < 0.7:
            self._arrive(self.up.pop(self.rng.randrange(len(self.up))))
        while self.down and self.rng.random() < 0.7:
            self._hear(self.down.pop(self.rng.randrange(len(self.down))), now)

    def _arrive(self, number: int) -> None:
        self.has.add(number)
        through = next(each for each in range(self.actions + 1) if each + 1 not in self.has)
        resend = ((1, through + 1),) if through < max(self.has) else ()
        self.down.append(TakenThrough("h", ((1, through),), resend))

    def _hear(self, word: TakenThrough, now: float) -> None:
        for _, number in self.delivery.taken(word, now):
            assert set(range(1, number + 1)) <= self.has, "let go what the hub does not have"
            self.let_go = max(self.let_go, number)

    def _disturb(self, now: float) -> None:
        match self.rng.randrange(40):
            case 0:
                self.delivery.disconnected()
                self.up.clear()
                self.down.clear()
                self.delivery.connected()
                self.delivery.hub_is("one")
            case 1:
                self.delivery.hub_is(None)
                self.delivery.hub_is("one")
            case 2 if self.up:
                lost = self.up.pop(self.rng.randrange(len(self.up)))
                self.delivery.refused(key(lost), now)
            case 3 if self.up:
                self.up.append(self.rng.choice(self.up))
            case 4 if self.down:
                self.down.append(self.rng.choice(self.down))
            case 5:
                self.up.clear()
            case _:
                pass


@pytest.mark.parametrize("seed", range(20))
def test_hub_has_all_of_it_whatever_is_lost_repeated_or_reordered(seed: int) -> None:
    wire, now = Wire(seed, actions=60), NOW
    wire.delivery.connected()
    wire.delivery.hub_is("one")
    for _ in range(5_000):
        wire.turn(now)
        now += 0.5
        if wire.let_go == wire.actions:
            break
    assert wire.has == set(range(1, wire.actions + 1))
    assert wire.let_go == wire.actions
