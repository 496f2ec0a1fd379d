"""An evening carried out: hands at the table, the trace that comes of it, and what the referee wants done and when."""

from __future__ import annotations

import io
import re
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import cast

from quarto_pi.controller.computer import Computer
from quarto_pi.referee import Answer, Ask, Button, Doors, Plan, Settings, Show, View
from quarto_pi.referee.effects import Effect
from quarto_pi.referee.messages import (
    CarryOut,
    ClearTheBoard,
    LeftOver,
    MoveBack,
    NotGivenYet,
    PlaceThis,
    PutBack,
    StillThere,
    TakeOff,
    TwoPieces,
    UnknownTag,
    WrongPiece,
)
from quarto_pi.rules import PIECES, parse_piece, parse_square
from quarto_pi.sensing.board import Sweep
from quarto_pi.sensing.readings import CELLS, OFFER, SQUARE_NAMES
from quarto_pi.trace.format import TraceReader, read_trace
from quarto_pi.trace.replay import Replay, effects_of
from tests.games.evening import Block, Evening, EveningError, Expectation
from tests.games.table import NEAR_MS, Table

AIR_MS = 400
PRESS_MS = 120
LEVEL = 3

Timed = tuple[int, Effect]


class Lines(tuple[Sweep | Button, ...]):
    """The lines of a trace, which know up to which moment they have been gone through."""

    reached = 0

    def __iter__(self) -> Iterator[Sweep | Button]:
        for line in super().__iter__():
            yield line
            # The loop has come back for the next line: only now are the effects of this one given out.
            self.reached = line.at


@dataclass
class Memory:
    """The computer at the board; its first answers may be laid down, and the same question has the same answer."""

    laid_down: tuple[str, ...] = ()
    computer: Computer = field(default_factory=Computer)
    answers: dict[Ask, Answer] = field(default_factory=dict)

    def __call__(self, ask: Ask) -> Answer:
        if ask not in self.answers:
            words = self.laid_down[len(self.answers)] if len(self.answers) < len(self.laid_down) else "*"
            self.answers[ask] = self.computer(ask) if words == "*" else _answer(ask, words.split())
        return self.answers[ask]


def _answer(ask: Ask, words: list[str]) -> Answer:
    """An answer such as `c3 DSQH` (place there, give that), `- LTRF`, `c3 call`, or `calls` what was left uncalled."""
    if words == ["calls"]:
        return Answer(ask.at, ask.number, Plan(), calls=True)
    square = None if words[0] == "-" else parse_square(words[0])
    call = words[1:] == ["call"]
    give = None if call or words[1:] in ([], ["-"]) else parse_piece(words[1])
    return Answer(ask.at, ask.number, Plan(square, give, call))


@dataclass(frozen=True)
class Played:
    """A block as it was played: since when, and until the next one."""

    block: Block
    since: int
    end: int


class Followed:
    """An evening that is followed while it is played: what has been heard already is not gone through again."""

    def __init__(self, evening: Evening, memory: Memory) -> None:
        kiosk = evening.kiosk
        self._reader = TraceReader(Settings(languages=kiosk.languages), LEVEL, foreign=True)
        self._reader.read(evening.trace_header())
        self._replay = Replay(self._reader.header, memory, patience=kiosk.patience)
        self._followed = 0
        self._shown: View | None = None

    def shown_after(self, says: list[str]) -> View | None:
        """What the display shows after these lines of a trace, the first of which have been followed before."""
        for text in says[self._followed :]:
            line = self._reader.read(text)
            for _, effects in self._replay.take(line) if line is not None else ():
                self._shown = next((each.view for each in reversed(effects) if isinstance(each, Show)), self._shown)
        self._followed = len(says)
        return self._shown


@dataclass
class Performance:
    """Hands that do what an evening says."""

    evening: Evening
    seed: int = 1
    table: Table = field(init=False)
    where: dict[str, str] = field(default_factory=dict)
    memory: Memory = field(init=False)
    played: list[Played] = field(default_factory=list)
    doors: list[Doors] = field(default_factory=list)
    _followed: Followed = field(init=False)

    def __post_init__(self) -> None:
        self.table = Table(self.seed, self.evening.interval)
        self.memory = Memory(self.evening.answers)
        self._followed = Followed(self.evening, self.memory)

    def play(self) -> list[Played]:
        """Carry out every block; the trace is complete afterwards."""
        for block in self.evening.blocks:
            for step in self._steps(block):
                since = start = self._start_of(step)
                if self.played:
                    self.played[-1] = replace(self.played[-1], end=start)
                self.table.run(start)
                try:
                    end = self._do(step.action, start)
                except (KeyError, ValueError, IndexError) as error:
                    raise EveningError(f"line {step.line}: '{step.action}': {error!r}") from error
                if self.played and self.played[-1].block.joined:
                    since = self.played.pop().since
                self.played.append(Played(step, since, end + round((step.wait or 0) * 1000)))
        return self.played

    def _start_of(self, step: Block) -> int:
        """When hands begin with something: some time after they are done with what was before."""
        if not self.played:
            return 0
        last = self.played[-1]
        waited = last.block.wait is not None or last.block.action.startswith("wait")
        pause = step.after if step.after is not None else 0 if waited else self.evening.pace
        return last.end + round(pause * 1000)

    def trace(self) -> str:
        """The trace so far, as its text."""
        return "\n".join((self.evening.trace_header(), *self.table.says)) + "\n"

    def effects(self) -> list[Timed]:
        """All that the referee wants done, and when."""
        kiosk = self.evening.kiosk
        trace = read_trace(io.StringIO(self.trace()), Settings(languages=kiosk.languages), LEVEL, foreign=True)
        # A trace knows nothing of doors: they come from the clock on the wall.
        doors = cast("list[Button]", self.doors)
        lines = Lines(sorted((*trace.lines, *doors), key=lambda line: line.at))
        evening = replace(trace, lines=lines)
        return [(lines.reached, effect) for effect in effects_of(evening, self.memory, patience=kiosk.patience)]

    def display(self) -> View:
        """What the display shows at this moment."""
        if not self.doors:
            shown = self._followed.shown_after(self.table.says)
            if shown is not None:
                return shown
        return next(effect.view for _, effect in reversed(self.effects()) if isinstance(effect, Show))

    # --- what an action is --------------------------------------------------------------------------------------------

    def _steps(self, block: Block) -> Iterator[Block]:
        """A block as smaller ones: `turn` is a give and a placement, with what is said of them."""
        found = re.fullmatch(r"turn (\w+) (\w+)( by ([AB]))?", block.action)
        if block.action == "carry out all":
            yield from self._carrying_out(block)
            return
        if found is None:
            yield block
            return
        piece, square = found[1], found[2]
        count = sum(1 for cell in self.where.values() if cell != OFFER)
        placer = found[4] or "BA"[(self.evening.starter + count) % 2]
        giver = "BA"["AB".index(placer)]
        given = Expectation(block.line, ">", f"given {piece} by {giver}")
        placed = Expectation(block.line, ">", f"placed {piece} {square} by {placer}")
        if self.evening.gives_on_place:
            yield Block(block.line, f"give {piece}", block.after, expected=[given])
            yield Block(block.line, f"put {piece} {square}", expected=[placed, *block.expected])
        else:
            yield Block(block.line, f"put {piece} {square}", block.after, expected=[given, placed, *block.expected])

    def _carrying_out(self, block: Block) -> Iterator[Block]:
        """Do what the display says until it says nothing that hands could do."""
        for _ in range(60):
            self.table.run(self._start_of(block))
            if self._asked_for() is None:
                break
            yield Block(block.line, "carry out", joined=True)
        yield Block(block.line, f"wait {self.evening.pace}", expected=block.expected)

    def _do(self, action: str, at: int) -> int:
        """Carry out one or several things that begin at a moment; when all are done."""
        return max(self._do_one(part.strip().split(), at) for part in action.split("&"))

    def _do_one(self, words: list[str], at: int) -> int:  # noqa: C901, PLR0912 - one case for each verb
        if words[0] == "after":
            return self._do_one(words[2:], at + _ms(words[1]))
        match words:
            case ["begin"]:
                return at + 300
            case ["end"]:
                self.table.close(at)
                return at
            case ["wait", length]:
                return at + _ms(length)
            case ["carry", "out"]:
                asked = self._asked_for()
                if asked is None:
                    raise EveningError(f"the display asks for nothing that hands could do: {self.display().prompt}")
                return self._do_one(asked.split(), at)
            case ["give", thing]:
                return self._put(self._thing(thing), OFFER, at)
            case ["put", thing, cell]:
                return self._put(self._thing(thing), self._cell(cell), at)
            case ["lift", thing]:
                return self._lift(self._thing(thing), at)
            case ["slide", thing, *path]:
                path, duration = _with_length(path, "over", 300)
                cells = (self.where[thing], *path)
                self.where[thing] = cells[-1]
                return self.table.slides(thing, cells, at, duration)
            case ["hover", thing, cell, *rest]:
                _, duration = _with_length(rest, "for", 300)
                return self.table.hovers(self._thing(thing), cell, at, duration)
            case ["swap", one, other]:
                places = self.where[one], self.where[other]
                up = max(self._lift(one, at), self._lift(other, at + 50)) + AIR_MS
                return max(self._put(one, places[1], up), self._put(other, places[0], up + 60))
            case ["clear", *rest]:
                _, duration = _with_length(rest, "over", 3_000)
                return self._clear(at, duration)
            case ["press" | "hold", button, *rest]:
                times = int(rest.pop(0)) if rest and rest[-1] == "times" else 1
                _, duration = _with_length([word for word in rest if word != "times"], "for", PRESS_MS)
                return self._press(button, at, times, duration)
            case ["bounce", button]:
                return self._bounce(button, at)
            case ["down" | "up" as way, button]:
                self.table.button(at, button, down=way == "down")
                return at
            case ["house", "opens" | "closes" as word]:
                self.doors.append(Doors(at, word == "opens"))
                return at
            case _:
                self._reader(words, at)
                return at

    def _reader(self, words: list[str], at: int) -> None:
        """What readers and tags suffer from."""
        table = self.table
        match words:
            case ["weak", thing, share, "%"]:
                table.plan(at, lambda: table.answers.update({thing: float(share) / 100}))
            case ["noise", share, "%"]:
                table.plan(at, lambda: setattr(table, "noise", float(share) / 100))
            case ["overhear", thing, cell, share, "%", *garbled]:
                heard = {(thing, cell): (float(share) / 100, garbled == ["garbled"])}
                table.plan(at, lambda: table.overheard.update(heard))
            case ["dead", *cells]:
                table.plan(at, lambda: table.dead.update(CELLS if cells == ["all"] else cells))
            case ["alive", *cells]:
                table.plan(at, lambda: table.dead.difference_update(CELLS if cells == ["all"] else cells))
            case _:
                raise EveningError("nobody knows how to do that")

    # --- hands --------------------------------------------------------------------------------------------------------

    def _put(self, thing: str, cell: str, at: int) -> int:
        if thing in self.where:
            at = self._lift(thing, at) + AIR_MS
        self.where[thing] = cell
        return self.table.comes(thing, cell, at)

    def _lift(self, thing: str, at: int) -> int:
        return self.table.goes(thing, self.where.pop(thing), at)

    def _clear(self, at: int, length: int) -> int:
        things = list(self.where)
        for index, thing in enumerate(things):
            at = max(at, self._lift(thing, at + (index > 0) * (length // max(1, len(things)) - NEAR_MS)))
        return at

    def _press(self, button: str, at: int, times: int, length: int) -> int:
        for _ in range(times):
            self.table.button(at, button, down=True)
            self.table.button(at + length, button, down=False)
            at += length + 200
        return at - 200

    def _bounce(self, button: str, at: int) -> int:
        for offset, down in ((0, True), (4, False), (9, True), (13, False), (15, True), (140, False), (146, True)):
            self.table.button(at + offset, button, down=down)
        self.table.button(at + 151, button, down=False)
        return at + 151

    # --- words that hands look up -------------------------------------------------------------------------------------

    def _thing(self, word: str) -> str:
        """A thing by its name; `given` is what the display says is to be placed, `any` the first piece in the box."""
        if word == "given":
            prompt = self.display().prompt
            if not isinstance(prompt, PlaceThis):
                raise EveningError(f"nothing is given: {prompt}")
            return prompt.piece.letters
        if word == "any":
            return next(piece.letters for piece in PIECES if piece.letters not in self.where)
        return word

    def _cell(self, word: str) -> str:
        if word == "free":
            return next(square for square in SQUARE_NAMES if square not in self.where.values())
        if word not in CELLS:
            raise EveningError(f"there is no cell {word}")
        return word

    def _asked_for(self) -> str | None:
        """What the display asks hands to do."""
        match self.display().prompt:
            case CarryOut(_, piece, square):
                return f"put {piece} {square}"
            case PutBack(piece, square) | MoveBack(piece, _, square) | StillThere(piece, square):
                return f"put {piece} {square}"
            case WrongPiece(piece) | NotGivenYet(piece) | TakeOff(piece) | LeftOver(piece):
                return f"lift {piece}"
            case UnknownTag(cell):
                return f"lift {next(thing for thing, place in self.where.items() if place == cell)}"
            case TwoPieces(cell):
                view = self.display()
                own = {square.name: piece.letters for square, piece in view.board.pieces.items()}.get(cell)
                things = [thing for thing, place in self.where.items() if place == cell and thing != own]
                return f"lift {things[-1]}"
            case ClearTheBoard(cells) if cells:
                return f"lift {next(thing for thing, place in self.where.items() if place == cells[0])}"
            case ClearTheBoard():
                return "clear" if self.where else None
        return None


def _ms(text: str) -> int:
    return round(float(text) * 1000)


def _with_length(words: list[str], word: str, default: int) -> tuple[list[str], int]:
    if word in words:
        index = words.index(word)
        return words[:index], _ms(words[index + 1])
    return words, default


def shows_between(effects: list[Timed], start: int, end: int) -> list[View]:
    """Everything that was shown in a stretch of time, what stood there at its beginning first."""
    before = [effect.view for at, effect in effects if isinstance(effect, Show) and at < start]
    return before[-1:] + [effect.view for at, effect in effects if isinstance(effect, Show) and start <= at < end]
