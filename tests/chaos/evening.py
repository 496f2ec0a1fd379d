"""One table, from the tags to the display: simulated chips, reader bank, sensing, referee, all on the simulated clock.

People live on the same clock: a script says what hands do and for how many milliseconds it waits in between, and it
is gone on with at exactly that moment, in the middle of a sweep if need be.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Generator
from dataclasses import dataclass, field

from quarto_pi.devices.readers.fields import FieldMode
from quarto_pi.referee import (
    Answer,
    Ask,
    Button,
    ButtonName,
    Input,
    Order,
    Plan,
    Seen,
    Settings,
    Show,
    Tell,
    View,
    fold,
    start,
)
from quarto_pi.referee.effects import Effect, Mismatch, ReaderFault, ReaderFaultGone, Report
from quarto_pi.referee.menu import Item
from quarto_pi.referee.messages import ChooseFirst, Giving
from quarto_pi.rules import PIECES, Piece
from quarto_pi.sensing.board import Sensing, Sweep, doubts_of
from quarto_pi.sensing.readings import OFFER
from quarto_pi.sensing.tags import TagTable
from quarto_pi.trace.story import as_text
from tests.chaos.computer import plan_of
from tests.chaos.display import Display, Shown
from tests.chaos.memory import Happened, Memory, take
from tests.chaos.wires import through_chips, without_chips

Script = Generator[float, None, None]
"""What people do: yields the milliseconds that pass before they go on."""

UIDS = {piece: f"1{piece.number:X}A0B1{piece.number:02X}" for piece in PIECES[:8]} | {
    piece: f"04{piece.number:02X}A1B2C3D480" for piece in PIECES[8:]
}
TAGS = TagTable({uid: piece for piece, uid in UIDS.items()})
PIECE_OF = {uid: piece for piece, uid in UIDS.items()}

FOREIGN = "08C0FFEE"
"""Something that is no piece."""

PAUSE_MS = 40.0
"""Between two sweeps; the board on the Pi goes on at once."""
IDLE_PAUSE_MS = 1_000.0
"""The same while nothing moves and nothing is waited for: evenings are mostly people who think."""
TOUCHED_MS = 2_000.0
"""How long after hands have moved a piece the board looks at full speed: until what lay there is known to be gone."""
ECHO_MS = 4_000.0
"""How long after its cause a mismatch may be told, and may go on being told."""
FAULT_ECHO_MS = 6_000.0
"""After a reader's fault it takes that long until everything has been looked at again."""
LONGEST_MS = 1_800_000.0
"""No evening here lasts longer."""


class Misjudged(AssertionError):
    """The board did not do what it should."""


@dataclass(slots=True)
class Told:
    """What has been told of a game, and what people saw."""

    story: list[Happened] = field(default_factory=list)


class Evening:
    """Everything on and under the table."""

    def __init__(
        self, seed: int, settings: Settings, mode: FieldMode | None, say: Callable[[str], None] | None
    ) -> None:
        self.random = random.Random(f"{seed} computer")
        self.settings = settings
        self.board, self._round = through_chips(mode, seed) if mode else without_chips(seed)
        self.table = self.board.table
        self.clock = self.board.clock
        self.told = Told()
        self.counts: Counter[str] = Counter()
        self.memory: Memory | None = None
        self.problems: list[str] = []
        self.faulty_until = 0.0
        self.mute: set[Piece] = set()
        """Pieces whose tags are dead: nobody hears them wherever they stand (D15)."""
        self.touched_at = 0.0
        self.sweeps = 0
        self._say = say
        self._sensing = Sensing(TAGS)
        self._seen = self._sensing.start_empty()
        self._inputs: list[Input] = []
        self._is_thinking = False
        self._question = 0
        self._last_wrong: dict[str, float] = {}
        self._agreed_since = 0.0
        self._wakes: list[float] = []
        self.display = Display()
        self._is_done = False
        self.state, effects = start(settings, self.ms)
        self._carry_out(effects)

    # --- time ---------------------------------------------------------------------------------------------------------

    @property
    def now(self) -> float:
        """Milliseconds of the evening."""
        return self.clock.ns / 1_000_000

    @property
    def ms(self) -> int:
        """Whole milliseconds of the evening, as they are told to the sensing layer and the referee."""
        return int(self.now)

    @property
    def shown(self) -> Shown:
        """What people read."""
        return self.display.shown

    @property
    def view(self) -> View:
        """What the board knows of the game: whoever waits until it has followed compares it with what was meant."""
        assert self.state.view is not None
        return self.state.view

    def live(self, script: Script) -> None:
        """Let people follow their script, and look at the board all the while."""
        self._go_on(script, self._finish)
        while not self._is_done:
            self._look()
            self._check()
            if self.now > LONGEST_MS:
                raise Misjudged(f"the game does not get on: {self.view.prompt}")
            self.clock.advance_ms(self._pause())

    def spawn(self, script: Script) -> None:
        """Let something else happen at the same time."""
        self._go_on(script, lambda: None)

    def _finish(self) -> None:
        self._is_done = True

    def _go_on(self, script: Script, finish: Callable[[], None]) -> None:
        try:
            delay = next(script)
        except StopIteration:
            finish()
            return
        moment = self.now + delay
        self._wakes.append(moment)
        self.clock.plan(moment, lambda: self._wake(script, moment, finish))

    def _wake(self, script: Script, moment: float, finish: Callable[[], None]) -> None:
        self._wakes.remove(moment)
        self._go_on(script, finish)

    def _pause(self) -> float:
        """How long nobody looks: hardly at all, or for a while where nothing moves and nothing falls due."""
        due = None if self.state.quiet is None else self.state.quiet.until
        if due is None or doubts_of(self._seen) or self._inputs or self._is_thinking:
            return PAUSE_MS
        if self.now < max(self.faulty_until, self.touched_at + TOUCHED_MS):
            return PAUSE_MS
        return max(PAUSE_MS, min(min([due, *self._wakes]) - self.now, IDLE_PAUSE_MS))

    # --- the board ----------------------------------------------------------------------------------------------------

    def _look(self) -> None:
        readings = self._round()
        at = self.ms
        for received in sorted(self._inputs, key=lambda received: received.at):
            self._feed(received)
        self._inputs = []
        self._seen, events = self._sensing.fold(self._seen, Sweep.of(readings, at))
        for event in events:
            self.say("sensed", f"{event}")
        self._feed(Seen(at, events, doubts_of(self._seen)))
        self.sweeps += 1

    def _feed(self, received: Input) -> None:
        self.state, effects = fold(self.state, received)
        self._carry_out(effects)

    def _carry_out(self, effects: tuple[Effect, ...]) -> None:
        for effect in effects:
            match effect:
                case Tell(at, report):
                    self.say("told", as_text(report))
                    self.counts[f"told {type(report).__name__}"] += 1
                    take(self.told.story, report, at)
                    self._check_cause(report)
                case Show(view):
                    self.say("shown", f"{view.prompt} {view.notice or ''}")
                case Ask():
                    self._think(effect)
                case _:
                    pass
        if self.display.take(self.now, effects):
            self.counts[f"shown {self.shown.prompt}"] += 1

    def say(self, who: str, what: str) -> None:
        """Write down what was done or told."""
        if self._say is not None:
            self._say(f"{self.ms:>8} {who:<7} {what}")

    # --- buttons ------------------------------------------------------------------------------------------------------

    def button(self, name: ButtonName, *, down: bool) -> None:
        """A finger moves a button."""
        self._inputs.append(Button(self.ms, name, down))

    def order(self, item: Item) -> None:
        """Somebody at the page wants something."""
        self.say("page", item.value)
        self._inputs.append(Order(self.ms, item))

    # --- the computer -------------------------------------------------------------------------------------------------

    def _think(self, ask: Ask) -> None:
        """Answer as a weak player would, after a while."""
        draw = self.random
        delay = draw.choice((1, draw.uniform(1, 800), draw.uniform(500, 3_000)))
        if not ask.position.board.count and ask.position.hand is None:
            # People have to notice that a new game begins.
            delay = 2_000
        self._is_thinking, self._question = True, ask.number
        self.clock.plan(self.now + delay, lambda: self._answer(ask))

    def _answer(self, ask: Ask) -> None:
        if ask.number != self._question:
            return
        self._is_thinking = False
        calls = bool(ask.uncalled) and self.random.random() < 0.5
        plan = Plan() if calls or ask.position.board.count == 16 else plan_of(ask, self.random)
        answer = Answer(self.ms, ask.number, plan, calls)
        self.say("answer", f"{answer}")
        self._inputs.append(answer)
        if self.memory is not None:
            self.memory.hear_computer(ask, answer, self.stands_on)

    def meet_computer(self) -> None:
        """The computer begins: it may have begun to think before anybody looked."""
        computer = self.state.computer
        if computer is not None and computer.ask is not None and not self._is_thinking:
            self._think(computer.ask)

    # --- what is true -------------------------------------------------------------------------------------------------

    def stands_on(self, cell: str) -> Piece | None:
        """The piece that really rests on a cell."""
        return next(
            (PIECE_OF[uid] for uid, where in self.table.resting.items() if where == cell and uid != FOREIGN), None
        )

    def sees(self, cell: str) -> bool:
        """Whether the reader of a cell is well."""
        return self.board.faults.of(cell) is None

    def cell_of(self, piece: Piece) -> str | None:
        """The cell on which a piece really rests."""
        return self.table.resting.get(UIDS[piece])

    def strength_of(self, piece: Piece) -> float:
        """How often a piece answers where it rests."""
        return 0.0 if piece in self.mute else 1.0

    def mute_tag(self, piece: Piece) -> None:
        """The tag of a piece dies, wherever it is."""
        self.say("board", f"the tag of {piece} dies")
        self.mute.add(piece)
        cell = self.cell_of(piece)
        if cell is not None:
            self.table.rest(UIDS[piece], cell, 0.0)
        self.touch()

    def renew_tags(self) -> None:
        """All pieces that were mute have new tags; that is done beside the board."""
        self.mute.clear()

    def touch(self) -> None:
        """A hand has changed something."""
        self.touched_at = self.now
        self._note_wrong()

    def _note_wrong(self) -> set[str]:
        wrong = self.wrong(self.memory) if self.memory is not None else set()
        # The board can't know that a piece is there which it does not hear.
        wrong |= {cell for piece in self.mute if (cell := self.cell_of(piece)) is not None}
        self._last_wrong.update(dict.fromkeys(wrong, self.now))
        return wrong

    def wrong(self, memory: Memory) -> set[str]:
        """The cells that really are not as the people's game has them."""
        standing: dict[str, object] = {}
        for uid, cell in self.table.resting.items():
            standing[cell] = "several" if cell in standing else PIECE_OF.get(uid, uid)
        meant = {square.name: piece for square, piece in memory.game.board.pieces.items()}
        offered = standing.pop("offer", None)
        if offered is None:
            memory.left_over = None
        hand = memory.game.hand
        if hand is not None and memory.is_for_computer:
            standing = {cell: piece for cell, piece in standing.items() if piece != hand}
        wrong = {cell for cell in {*standing, *meant} if standing.get(cell) != meant.get(cell)}
        if offered is not None and (
            not isinstance(offered, Piece)
            or offered in meant.values()
            or offered == memory.left_over
            or memory.over
            or (memory.is_by_computer and offered != hand)
        ):
            wrong.add("offer")
        return wrong

    def _check_what_is_asked(self) -> None:
        """Nobody is asked for long to lay a piece where one lies."""
        offered, prompt = self.state.table.standing.get(OFFER), self.view.prompt
        if offered is None or offered.piece in self.mute or not isinstance(prompt, ChooseFirst):
            return
        since = max(offered.since, self.display.since, self.faulty_until + FAULT_ECHO_MS - ECHO_MS)
        if prompt.giving is Giving.ON_GIVE_PLACE and self.now - since > ECHO_MS and not self.problems:
            self.problems.append(f"at {self.ms} ms the first piece is asked for, and {offered.piece} lies there")

    def _check(self) -> None:
        memory = self.memory
        if memory is None:
            return
        memory.pass_time(self.now)
        wrong = self._note_wrong()
        if wrong or memory.over:
            self._agreed_since = self.now
        self._check_what_is_asked()
        since = max(self._agreed_since, self.faulty_until + FAULT_ECHO_MS - ECHO_MS)
        if self.state.mismatch and self.now - since > ECHO_MS:
            self.problems.append(f"at {self.ms} ms a mismatch outlives its cause: {self.state.mismatch}")
            self._agreed_since = self.now

    def _check_cause(self, report: Report) -> None:
        if self.memory is None:
            return
        is_give_place = isinstance(report, ReaderFault | ReaderFaultGone) and report.cell == OFFER
        if is_give_place and self.settings.offer_reader:
            self.memory.see_giving(sensed=isinstance(report, ReaderFaultGone))
        if not isinstance(report, Mismatch):
            return
        self._note_wrong()
        for fix in report.fixes:
            if fix.cell in self.state.table.lost and fix.found in self.state.clearing.remains:
                # Nobody sees whether what is left of the last game has been taken away meanwhile.
                continue
            if self.now - self._last_wrong.get(fix.cell, -ECHO_MS) > ECHO_MS:
                self.problems.append(f"at {self.ms} ms a mismatch has no cause: {as_text(report)}")
