"""What a machine has said, and whether its journal keeps its word after the cut."""

from __future__ import annotations

import json
from dataclasses import dataclass, field


class NotKept(AssertionError):
    """The journal did not do what it promises."""


@dataclass
class Log:
    """Everything that was said in one evening of many cuts."""

    table: dict[str, str] = field(default_factory=dict)
    safe: list[tuple[int, tuple[str, ...]]] = field(default_factory=list)
    lost: list[int] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    stuck: str | None = None
    ended: int = 0
    _found: dict[int, tuple[str, ...]] = field(default_factory=dict)

    def hear(self, line: str) -> dict[str, object]:
        """Take in a line of the serial console; an empty one if it is the kernel's."""
        if not line.startswith("@"):
            return {}
        try:
            said: dict[str, object] = json.loads(line[1:])
        except ValueError:
            # The power was cut in the middle of it.
            return {}
        match said:
            case {"hand": str(piece), "to": to}:
                self._move(piece, to)
            case {"safe": int(number), "record": str(record)}:
                self._keep(number, words_of(record))
            case {"found": dict(games), "check": list(check), "note": note}:
                self._look(games, check, note)
            case {"resumed": int(number), "record": str(record)}:
                self._resume(number, words_of(record))
            case {"stuck": str(view)}:
                self.stuck = view
        return said

    def standing(self) -> str:
        """Where the pieces stand, in the kernel's words."""
        return ",".join(f"{piece}:{cell}" for piece, cell in self.table.items())

    def _keep(self, number: int, words: tuple[str, ...]) -> None:
        # Before its last placement a game may have been kept without an end, and after it once more.
        is_over = words[-1:] != () and words[-1].startswith("[Reason")
        self.ended += is_over and (number, words) not in self.safe
        self.safe.append((number, words))

    def _move(self, piece: str, to: object) -> None:
        self.table.pop(piece, None)
        if isinstance(to, str):
            self.table[piece] = to

    def _look(self, games: dict[str, str], check: list[object], note: object) -> None:
        """Compare what is found with what was safe; what is not there is lost."""
        self._found = {int(number): words_of(record) for number, record in games.items()}
        missing = [(number, words) for number, words in self.safe if self._found.get(number, ())[: len(words)] != words]
        self.lost.append(len(missing))
        # What is lost is counted once: the evening goes on from what is there.
        self.safe = [each for each in self.safe if each not in missing]
        if check != ["ok"] or note is not None:
            self.notes.append(f"{check} {note}")

    def _resume(self, number: int, words: tuple[str, ...]) -> None:
        if self._found and self._found.get(number) not in (words, None):
            raise NotKept(f"game {number} was kept as {self._found[number]} and goes on as {words}")
        if self._found and number < max(self._found):
            raise NotKept(f"game {number} goes on, and there is a game {max(self._found)}")


def words_of(record: str) -> tuple[str, ...]:
    """The moves of a record, and behind them how it ended."""
    lines = record.splitlines()
    moves = [word for line in lines if not line.startswith("[") for word in line.split()]
    ending = [line for line in lines if line.startswith(("[Winner", "[Reason"))]
    return (*moves, *ending)
