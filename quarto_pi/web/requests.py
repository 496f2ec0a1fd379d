"""What is taken from outside: small JSON objects with known keys, everything else refused in one sentence."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from starlette.requests import ClientDisconnect, Request

from quarto_pi.enrolment import GuideView
from quarto_pi.referee import Settings, View
from quarto_pi.rules import hint
from quarto_pi.web.wishes import Json, Refused, shown

# --- What is to be seen of the board at one moment: handed from the thread of the game to that of the page ------------


@dataclass(frozen=True, slots=True)
class ShownLights:
    """The lights as patterns, by name: on the panel, and colour and pattern under the squares."""

    panel: Mapping[str, str] = field(default_factory=dict)
    squares: Mapping[str, tuple[str, str]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Moment:
    """The newest view, the lights that go with it, and how the next game is to be played.

    While there is a `guide`, nobody plays: the view is only what is around it.
    """

    view: View
    lights: ShownLights
    wishes: Settings
    guide: GuideView | None = None


# --- What is taken from outside: small JSON objects with known keys, everything else refused in one sentence ----------

MOST_BYTES: Final = 4_096
MOST_SECONDS: Final = 10.0


async def body_of(request: Request) -> Json:
    """The JSON object that was sent."""
    kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if kind != "application/json":
        raise Refused(415, "send JSON, with the content type application/json.")
    try:
        async with asyncio.timeout(MOST_SECONDS):
            received = await _received(request)
    except TimeoutError as error:
        raise Refused(408, "that took too long to send.") from error
    except ClientDisconnect as error:
        raise Refused(400, "the request has broken off.") from error
    try:
        value = json.loads(received.decode("utf-8"))
        # JSON can name half a letter, of which no answer can be made.
        json.dumps(value, ensure_ascii=False).encode("utf-8")
    except (ValueError, RecursionError) as error:
        raise Refused(400, "that is not JSON.") from error
    if not isinstance(value, dict):
        raise Refused(400, "send an object, such as {}.")
    return value


async def _received(request: Request) -> bytes:
    received = bytearray()
    async for chunk in request.stream():
        received += chunk
        if len(received) > MOST_BYTES:
            raise Refused(413, f"that is too long: at most {MOST_BYTES} bytes are read.")
    return bytes(received)


def known(body: Mapping[str, object], keys: Sequence[str]) -> None:
    """Make sure that nothing is sent that nobody reads."""
    for key in body:
        if key not in keys:
            raise Refused(400, f"'{shown(key)}' is no key here: {hint(shown(key), keys)}")


def text(body: Mapping[str, object], key: str) -> str:
    """A text that has to be there."""
    value = body.get(key)
    if not isinstance(value, str):
        raise Refused(400, f"'{key}' is missing, or is no text.")
    return shown(value)


def truth(body: Mapping[str, object], key: str, *, default: bool | None = None) -> bool:
    """True or false; it has to be there where there is no default."""
    value = body.get(key, default)
    if not isinstance(value, bool):
        raise Refused(400, f"'{key}' is true or false.")
    return value


def one_of(body: Mapping[str, object], key: str, words: Iterable[str], default: str | None = None) -> str:
    """One of these words."""
    value, allowed = body.get(key, default), list(words)
    if not isinstance(value, str) or value not in allowed:
        raise Refused(400, f"'{key}' is one of {', '.join(allowed)}.")
    return value
