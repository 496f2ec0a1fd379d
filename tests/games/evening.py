"""Reading an evening's file: its header, what hands do, and what must be said. README.md explains the format."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from quarto_pi.config import KioskConfig
from tests.games.table import UIDS

HERE = Path(__file__).parent
HEADER = (
    "title",
    "covers",
    "source",
    "rules",
    "players",
    "answers",
    "starter",
    "give place",
    "buttons",
    "undo",
    "kiosk",
    "pace",
    "sweeps",
)
EXPECTATIONS = (
    ">",
    "shows",
    "showed",
    "never",
    "notice",
    "noticed",
    "no",
    "says",
    "silent",
    "menu",
    "clock",
    "lamps",
    "marks",
    "phase",
    "language",
    "asleep",
    "awake",
)
EFFECTS = ("does", "keeps")
_PACE = 1.5


class EveningError(ValueError):
    """A file that cannot be understood."""


@dataclass(frozen=True)
class Expectation:
    """What must be said or shown while a block lasts."""

    line: int
    kind: str
    text: str


@dataclass
class Block:
    """Something that hands do, and everything that is said until they do the next thing; times in seconds.

    What is said of a block that is `joined` is expected of the next one with it.
    """

    line: int
    action: str
    after: float | None = None
    wait: float | None = None
    joined: bool = False
    expected: list[Expectation] = field(default_factory=list)


@dataclass(frozen=True)
class Evening:
    """A whole evening."""

    name: str
    header: dict[str, str]
    blocks: tuple[Block, ...]

    @property
    def covers(self) -> list[str]:
        """The rules, by number, that this evening is about."""
        return [word.strip() for word in self.header.get("covers", "").split(",") if word.strip()]

    @property
    def pace(self) -> float:
        """How many seconds hands let pass between two things, where nothing else is said."""
        return float(self.header.get("pace", _PACE))

    @property
    def answers(self) -> tuple[str, ...]:
        """What the computer answers, as far as that is laid down."""
        return tuple(answer.strip() for answer in self.header.get("answers", "").split(";") if answer.strip())

    @property
    def starter(self) -> int:
        """Who gives the first piece."""
        return "AB".index(self.header.get("starter", "A"))

    @property
    def gives_on_place(self) -> bool:
        """Whether there is a give place that can see."""
        return self.header.get("give place", "yes") == "yes"

    @property
    def kiosk(self) -> KioskConfig:
        """How the board behaves while nobody touches it; a trace knows nothing of that."""
        keys = dict(part.split(maxsplit=1) for part in self.header.get("kiosk", "abandon 0").split(";"))
        return KioskConfig(
            abandon_minutes=int(keys.get("abandon", 0)),
            languages=tuple(keys.get("languages", "en fr nl").split()),
            language_minutes=int(keys.get("language", 5)),
            sleep_minutes=int(keys.get("sleep", 15)),
        )

    @property
    def interval(self) -> tuple[int, int]:
        """The shortest and the longest time between two sweeps, in milliseconds."""
        first, _, last = self.header.get("sweeps", "95-125").partition("-")
        return int(first), int(last or first)

    def trace_header(self) -> str:
        """The first line of the trace."""
        header = {
            "trace": 1,
            "rules": dict(_rules(self.header.get("rules", ""))),
            "tags": {uid: piece for piece, uid in UIDS.items()},
            "players": [_player(word.strip()) for word in self.header.get("players", "human, human").split(",")],
            "starter": self.starter,
            "offer_reader": self.gives_on_place,
            "buttons": int(self.header.get("buttons", "1")),
            "undo": self.header.get("undo", "yes") == "yes",
        }
        return json.dumps(header, separators=(",", ":"))


def evenings() -> list[Evening]:
    """All evenings beside this module."""
    return [read_evening(file) for file in sorted(HERE.glob("*.game"))]


def read_evening(file: Path) -> Evening:
    """The evening in a file."""
    try:
        return parse_evening(file.stem, file.read_text(encoding="utf-8"))
    except EveningError as error:
        raise EveningError(f"{file.name}, {error}") from error


def parse_evening(name: str, text: str) -> Evening:
    """The evening in a text."""
    header: dict[str, str] = {}
    blocks = [Block(0, "begin")]
    for number, raw in enumerate(text.splitlines(), 1):
        line = re.sub(r"(^|\s)#(\s.*)?$", "", raw).strip()
        if not line:
            continue
        key, colon, value = line.partition(":")
        if len(blocks) == 1 and colon and key in HEADER:
            header[key] = value.strip()
            continue
        kind, _, rest = line.partition(" ")
        if kind in (*EXPECTATIONS, *EFFECTS):
            blocks[-1].expected.append(Expectation(number, kind, " ".join(rest.split())))
        elif (
            kind == "wait" and len(blocks) > 1 and not blocks[-1].expected and not blocks[-1].action.startswith("turn")
        ):
            blocks[-1].wait = (blocks[-1].wait or 0.0) + float(rest)
        else:
            blocks.append(_block(number, line))
    if blocks[-1].action != "end":
        blocks.append(Block(blocks[-1].line, "end"))
    if "title" not in header:
        raise EveningError("the title is missing: write 'title: What this evening is about'.")
    return Evening(name, header, tuple(blocks))


def _block(number: int, line: str) -> Block:
    found = re.match(r"\+([0-9.]+)\s+(.*)", line)
    return Block(number, found[2], float(found[1])) if found else Block(number, line)


def _rules(text: str) -> Iterator[tuple[str, object]]:
    for part in filter(None, (part.strip() for part in text.split(";"))):
        word, _, value = part.partition(" ")
        match word:
            case "squares":
                yield "squares", True
            case "traits":
                yield "traits", [trait.strip() for trait in value.split(",")]
            case "calling":
                yield "calling", value
            case "clock":
                yield "clock_seconds", float(value)
            case "false-call":
                yield "false_call", value
            case "time-out":
                yield "time_out", value
            case _:
                raise EveningError(f"'{part}' is no rule.")


def _player(word: str) -> str:
    return word.replace("computer", "ai")
