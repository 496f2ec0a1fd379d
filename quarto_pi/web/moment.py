"""What is to be seen of the board at one moment: handed from the thread of the game to that of the page."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from quarto_pi.enrolment import GuideView
from quarto_pi.referee import Settings, View

Json = dict[str, object]


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
