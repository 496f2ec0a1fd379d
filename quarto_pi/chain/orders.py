"""What a hub wants of a board, and what became of it: settings, language and opening hours.

An order is retained at the broker, and said anew by the hub at each of its connections. It wants nothing but what it
names; a board takes each part of it or refuses it in one sentence, and says so. The same order twice is taken once.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

from quarto_pi.chain.messages import Fields, JsonObject, MessageRefused, packed, unpacked

MOST_SETTINGS: Final = 30
LONGEST_KEY: Final = 40
LONGEST_VALUE: Final = 200
LONGEST_HOURS: Final = 400
LONGEST_WHY: Final = 400
HOURS: Final = "hours"
"""What opening hours are called among the parts of an order."""

OrderedValue = str | int | bool | None | list[str]


@dataclass(frozen=True, slots=True)
class BoardOrder:
    """What is wanted of a board: settings by the keys of its page, and opening hours.

    A higher `number` is a newer order. `hours` is None where nothing is wanted of them, and "" for those of the board's
    own configuration.
    """

    number: int
    settings: Mapping[str, OrderedValue] = field(default_factory=dict)
    hours: str | None = None

    @property
    def parts(self) -> tuple[str, ...]:
        """What it names."""
        return (*self.settings, *((HOURS,) if self.hours is not None else ()))


@dataclass(frozen=True, slots=True)
class OrderOutcome:
    """What became of an order: which parts were taken, and which were refused and why."""

    number: int
    taken: tuple[str, ...] = ()
    refused: tuple[tuple[str, str], ...] = ()


def pack_order(order: BoardOrder) -> bytes:
    """An order as it goes over the wire."""
    return packed({"number": order.number, "settings": dict(order.settings), "hours": order.hours})


def read_order(payload: bytes) -> BoardOrder:
    """An order that came over the wire."""
    fields = unpacked(payload)
    hours = fields.optional_text("hours", LONGEST_HOURS)
    return BoardOrder(fields.whole("number", 1), ordered_settings(fields.mapping("settings")), hours)


def ordered_settings(body: JsonObject) -> dict[str, OrderedValue]:
    """Settings as they may stand in an order; whether there are such is the board's to say."""
    if len(body) > MOST_SETTINGS:
        raise MessageRefused(f"an order has {len(body)} settings: {MOST_SETTINGS} are the most.")
    found: dict[str, OrderedValue] = {}
    for key, value in body.items():
        if not 0 < len(key) <= LONGEST_KEY or not key.isprintable():
            raise MessageRefused("an order's setting has no name.")
        found[key] = _ordered_value(key, value)
    return found


def _ordered_value(key: str, value: object) -> OrderedValue:
    if value is None or isinstance(value, bool):
        return value
    if isinstance(value, int) and abs(value) < 2**31:
        return value
    if isinstance(value, str) and len(value) <= LONGEST_VALUE and value.isprintable():
        return value
    if isinstance(value, list) and len(value) <= MOST_SETTINGS:
        texts = [each for each in value if isinstance(each, str) and len(each) <= LONGEST_KEY and each.isprintable()]
        if len(texts) == len(value):
            return texts
    raise MessageRefused(f"an order's {key} is no value of a setting.")


def pack_outcome(outcome: OrderOutcome) -> bytes:
    """What became of an order, as it goes over the wire."""
    refused = [{"part": part, "why": why[:LONGEST_WHY]} for part, why in outcome.refused]
    return packed({"number": outcome.number, "taken": list(outcome.taken), "refused": refused})


def read_outcome(payload: bytes) -> OrderOutcome:
    """What a board says that became of an order."""
    fields = unpacked(payload)
    refused = fields.objects("refused", MOST_SETTINGS + 1)
    return OrderOutcome(
        fields.whole("number", 1),
        tuple(fields.texts("taken", MOST_SETTINGS + 1, LONGEST_KEY)),
        tuple(_refused(each) for each in refused),
    )


def _refused(fields: Fields) -> tuple[str, str]:
    return fields.text("part", 1, LONGEST_KEY), fields.text("why", 1, LONGEST_WHY)
