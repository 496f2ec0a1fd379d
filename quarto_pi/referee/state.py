"""All that the referee remembers between two inputs."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property

from quarto_pi.referee.effects import Ask, Fix
from quarto_pi.referee.inputs import Plan, Presses
from quarto_pi.referee.menu import Menu
from quarto_pi.referee.messages import Foul, Impairment, Notice, Question, Storage
from quarto_pi.referee.phases import RefereePhase, phase_of
from quarto_pi.referee.remote_game import Others, RemoteGame, is_offered_beside
from quarto_pi.referee.settings import Patience, Settings
from quarto_pi.referee.stages import CallInQuestion, Clearing, GameEnd, Lesson, PageShown, Resuming
from quarto_pi.referee.table import Difference, Table, compare
from quarto_pi.referee.tally import NEWCOMER, Skill, Tally
from quarto_pi.referee.touches import Touches
from quarto_pi.referee.view import View
from quarto_pi.rules import Calling, Game, Phase, Piece, Turn
from quarto_pi.sensing.readings import OFFER


@dataclass(frozen=True, slots=True)
class Told:
    """Something told in passing, and until when."""

    notice: Notice
    until: int


@dataclass(frozen=True, slots=True)
class Asking:
    """The question that is shown, since when, and the one that was shown just before it."""

    question: Question
    since: int
    before: Question | None = None


@dataclass(frozen=True, slots=True)
class Asked:
    """The question that the computer is thinking about, or to which it had nothing to say that could be done."""

    ask: Ask


@dataclass(frozen=True, slots=True)
class Planned:
    """What the computer, or another board (which nobody asks), has decided, and since when: hands carry it out."""

    ask: Ask | None
    plan: Plan
    since: int


@dataclass(frozen=True, slots=True)
class StaleOffer:
    """What lay on the give place at `at` was not put there to be given, least of all `left_over`.

    That is the piece which lay there when a placement was taken back.
    """

    at: int = -1
    left_over: Piece | None = None


@dataclass(frozen=True, slots=True)
class DeadTags:
    """The pieces of which people have said that they stand where nobody hears them (D15).

    Since `finding_since` it is asked on which square the given piece is.
    """

    pieces: frozenset[Piece] = frozenset()
    finding_since: int | None = None


@dataclass(frozen=True, slots=True)
class Idling:
    """How long nobody has touched the board, and what follows from that.

    `touched_at` is when hands did something last, `pressed_at` when a press woke the board or changed its language
    while nobody played; `home` is the language that it speaks again once its guests have left. `is_open` is None in a
    house that keeps no hours.
    """

    touched_at: int = 0
    pressed_at: int = 0
    home: str = "en"
    is_open: bool | None = None

    @property
    def last_touch(self) -> int:
        """When somebody touched the board or a button last."""
        return max(self.touched_at, self.pressed_at)


@dataclass(frozen=True, slots=True)
class Quiet:
    """Nothing happens before `until` if nobody does anything; meanwhile the game's time goes on as far as `limit`."""

    until: int
    limit: int


@dataclass(frozen=True)  # without slots: what follows from a state is worked out once, and kept with it
class State:
    """One moment of an evening.

    `settings` are those of the running game, `wishes` those of the next one. `idle` is the phase while nobody
    plays. `looked_at` is the first look after the last press. `call` is one of which it is asked who made it.
    `computer` is what the computer has been asked since the last turn, and has decided; `questions` is how many it
    was asked so far. `turned_at` is when a piece was given or placed last. `first_given_at` is when the game's
    first piece was given, later by all pauses since. `mismatch` holds what people were asked to put right.
    `resuming` is there after a stop, until somebody touches the board. `score` is what both sides have won in this
    sitting, `skill` how well a person plays in it; `others` are the boards that may be played with, `remote` the game
    with one of them. `storage` is why games are not being kept, if they
    are not; `impaired` why the board has not started as its owner wants it.
    """

    settings: Settings
    wishes: Settings
    patience: Patience
    game: Game
    idle: RefereePhase | None = None
    number: int = 0
    tally: Tally = field(default_factory=Tally)
    # what stands on the table, and what fingers do
    table: Table = field(default_factory=Table)
    touches: Touches = field(default_factory=Touches)
    looked_at: int = -1
    presses: Presses = ()
    # what goes on beside the phases
    call: CallInQuestion | None = None
    menu: Menu | None = None
    resuming: Resuming | None = None
    clearing: Clearing = field(default_factory=Clearing)
    mismatch: tuple[Fix, ...] = ()
    reading: PageShown | None = None
    end: GameEnd | None = None
    lesson: Lesson | None = None
    # the game and its players
    computer: Asked | Planned | None = None
    questions: int = 0
    turned_at: int = 0
    first_given_at: int = 0
    stale: StaleOffer = field(default_factory=StaleOffer)
    dead_tags: DeadTags = field(default_factory=DeadTags)
    foul: Foul | None = None
    score: tuple[int, int] = (0, 0)
    skill: Skill = NEWCOMER
    others: Others | None = None
    remote: RemoteGame | None = None
    idling: Idling = field(default_factory=Idling)
    # what people have been told
    view: View | None = None
    asking: Asking | None = None
    told: Told | None = None
    storage: Storage | None = None
    impaired: Impairment | None = None
    quiet: Quiet | None = None

    @cached_property
    def phase(self) -> RefereePhase:
        """What the board is waiting for."""
        return self.idle or phase_of(self.game, self.settings)

    @property
    def senses_giving(self) -> bool:
        """Whether there is a give place that can see."""
        return self.settings.offer_reader and OFFER not in self.table.lost

    @property
    def planned(self) -> Planned | None:
        """What the computer has decided, as long as hands have not carried it out."""
        return self.computer if isinstance(self.computer, Planned) else None

    @property
    def is_person_to_act(self) -> bool:
        """Whether it is the turn of a person at this board, or nobody's."""
        player = self.game.to_act
        return player is None or self.settings.seat(player).is_person

    @cached_property
    def difference(self) -> Difference:
        """How the table differs from the game."""
        return compare(self.table, self.game.board, self.clearing.remains)

    @cached_property
    def is_for_person(self) -> bool:
        """Whether the piece that is given, or to be given next, is a person's to place: else hands carry it out."""
        return self.settings.seat(self.game.receiver).is_person

    @property
    def is_by_person(self) -> bool:
        """Whether the piece that is given, or is to be given next, is a person's to choose."""
        return self.settings.seat(self.game.giver).is_person

    @property
    def shiftable(self) -> Turn | None:
        """The last placement, as long as its piece may still be moved (D5)."""
        game = self.game
        turn = game.last_turn
        return turn if game.phase is Phase.GIVE and not game.fixed else None

    @property
    def stale_offer(self) -> Piece | None:
        """What lies on the give place since before the last placement was taken back: it is not given by that."""
        offered = self.table.standing.get(OFFER)
        if offered is None or offered.piece != self.stale.left_over or offered.since > self.stale.at:
            return None
        return offered.piece

    @property
    def laid_before(self) -> Piece | None:
        """What lies on the give place since before a game in which nothing is given yet: it is not its first piece."""
        offered = self.table.standing.get(OFFER)
        if self.game.hand is not None or self.game.board.count or not self.senses_giving:
            return None
        return None if offered is None or offered.since > self.stale.at else offered.piece

    @property
    def tag_to_renew(self) -> Piece | None:
        """The piece whose dead tag may be replaced now that no game is under way (D15)."""
        return min(self.dead_tags.pieces, default=None) if self.phase is RefereePhase.CHOOSE else None

    @property
    def rest(self) -> int:
        """How long a piece has to lie to count; longer where the placement may end the game at once (D1, D7)."""
        may_end = self.game.options.calling is Calling.AUTO or self.game.latch is not None
        return self.patience.rest_in_auto if may_end else self.patience.rest

    @cached_property
    def is_under_way(self) -> bool:
        """Whether a game has begun and not ended."""
        return self.phase in (RefereePhase.GIVEN, RefereePhase.WAITING, RefereePhase.PLACED)

    # --- a game with another board ------------------------------------------------------------------------------------

    @property
    def is_match_open(self) -> bool:
        """Whether a game with another board goes on, also before its first piece is given."""
        return self.remote is not None and not self.game.over

    @property
    def is_give_told(self) -> bool:
        """Whether another board has been told which piece is in hand: it can't be exchanged any more (D12)."""
        return self.remote is not None and self.game.hand is not None and self.remote.written > len(self.game.turns)

    def is_given_for_good(self, now: int) -> bool:
        """Whether the piece in hand may be told: nobody has laid another one beside it for long enough (D12)."""
        if self.is_give_told or not self.is_by_person:
            return True
        if is_offered_beside(self.table.piece_on(OFFER), self.game):
            return False
        return now >= self.turned_at + self.patience.exchange

    @property
    def has_last_word(self) -> bool:
        """Whether, after the sixteenth piece, it is this board's turn to call or not to (D3)."""
        maker, remote = self.game.maker, self.remote
        if self.game.phase is not Phase.FINAL_CALL or maker is None or remote is None:
            return False
        return self.settings.seat(maker.other if remote.passes else maker).is_person

    @property
    def has_only_the_computer_begun(self) -> bool:
        """Whether the computer has given the first piece and nothing shows that anybody is there to place it."""
        is_by_computer = self.settings.seat(self.game.giver).is_computer
        return self.is_under_way and not self.game.board.count and is_by_computer

    @property
    def waits_for_guests(self) -> bool:
        """Whether the computer has begun on its own: who paused, or says to have placed something, is a guest."""
        is_paused = self.game.paused_since is not None and self.resuming is None
        return self.has_only_the_computer_begun and not is_paused and self.dead_tags.finding_since is None
