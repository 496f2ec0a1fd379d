"""All that the referee remembers between two inputs."""

from __future__ import annotations

from dataclasses import dataclass, field

from quarto_pi.referee.effects import Ask, Fix
from quarto_pi.referee.inputs import Plan, Presses
from quarto_pi.referee.menu import Menu
from quarto_pi.referee.messages import Foul, Notice, Question, Storage
from quarto_pi.referee.phases import Phase, phase_of
from quarto_pi.referee.settings import Patience, Settings
from quarto_pi.referee.table import Table
from quarto_pi.referee.tally import Tally
from quarto_pi.referee.touches import Touches
from quarto_pi.referee.view import Lights, View
from quarto_pi.rules import Calling, Game, Piece, Player, Turn
from quarto_pi.rules import Phase as GamePhase
from quarto_pi.sensing.readings import OFFER


@dataclass(frozen=True, slots=True)
class Who:
    """A call of which it is asked who made it: when it was made, whose it is unless a press says otherwise.

    Where it is not `sure`, nobody answers for it before a press has said who made it (D14).
    """

    at: int
    player: Player
    until: int
    sure: bool = True


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
class Quiet:
    """Nothing happens before `until` if nobody does anything; meanwhile the game's time goes on as far as `limit`."""

    until: int
    limit: int


@dataclass(frozen=True, slots=True)
class State:
    """One moment of an evening.

    `settings` are those of the running game, `wishes` those of the next one. `idle` is the phase while nobody plays.
    `plan` is what the computer has decided and since when, `asked` the question that it is thinking about. `looked_at`
    is the first look after the last press. `turned_at` is when a piece was given or placed last; what lay on the give
    place at `offer_stale` was not put there to be given, least of all what was `left_over` from a placement that was
    taken back. `first_given_at` is when the game's first piece was given, later by all pauses since. `mismatch` holds
    what people were asked to put right. `touched_at` is when hands did something last, `pressed_at` when a press woke
    the board or changed its language while nobody played; `home` is the language that it speaks again once its guests
    have left. `is_open` is None in a house that keeps no hours. `resumed_at` is when the game was taken up again after
    a stop, until somebody touches it; `storage` is why games are not being kept, if they are not. `remains` are the
    pieces of the last game that have stood on the board since its end (D16). Of the `dead_tags` people have said that
    their pieces stand where nobody hears them, and since `finding_since` it is asked on which square that is (D15).
    """

    settings: Settings
    wishes: Settings
    patience: Patience
    game: Game
    idle: Phase | None = None
    table: Table = field(default_factory=Table)
    looked_at: int = -1
    number: int = 0
    presses: Presses = ()
    who: Who | None = None
    menu: Menu | None = None
    plan: tuple[Plan, int] | None = None
    asked: Ask | None = None
    questions: int = 0
    turned_at: int = 0
    first_given_at: int = 0
    offer_stale: int = -1
    left_over: Piece | None = None
    mismatch: tuple[Fix, ...] = ()
    asking: Asking | None = None
    told: Told | None = None
    foul: Foul | None = None
    cleared_since: int | None = None
    tally: Tally = field(default_factory=Tally)
    touched_at: int = 0
    touches: Touches = field(default_factory=Touches)
    pressed_at: int = 0
    home: str = "en"
    is_open: bool | None = None
    view: View | None = None
    lights: Lights | None = None
    quiet: Quiet | None = None
    resumed_at: int | None = None
    storage: Storage | None = None
    remains: frozenset[Piece] = frozenset()
    dead_tags: frozenset[Piece] = frozenset()
    finding_since: int | None = None

    @property
    def phase(self) -> Phase:
        """What the board is waiting for."""
        return self.idle or phase_of(self.game, is_for_computer=self.is_for_computer)

    @property
    def senses_giving(self) -> bool:
        """Whether there is a give place that can see."""
        return self.settings.offer_reader and OFFER not in self.table.lost

    @property
    def is_computer_to_act(self) -> bool:
        """Whether it is the computer's turn."""
        player = self.game.to_act
        return player is not None and self.settings.seat(player).is_computer

    @property
    def is_for_computer(self) -> bool:
        """Whether the piece that is given, or is to be given next, is the computer's to place."""
        return self.settings.seat(self.game.receiver).is_computer

    @property
    def is_by_computer(self) -> bool:
        """Whether the piece that is given, or is to be given next, is the computer's to choose."""
        return self.settings.seat(self.game.giver).is_computer

    @property
    def shiftable(self) -> Turn | None:
        """The last placement, as long as its piece may still be moved (D5)."""
        game = self.game
        turn = game.last_turn
        return turn if game.phase is GamePhase.GIVE and not game.fixed else None

    @property
    def stale_offer(self) -> Piece | None:
        """What lies on the give place since before the last placement was taken back: it is not given by that."""
        offered = self.table.standing.get(OFFER)
        if offered is None or offered.piece != self.left_over or offered.since > self.offer_stale:
            return None
        return offered.piece

    @property
    def tag_to_renew(self) -> Piece | None:
        """The piece whose dead tag may be replaced now that no game is under way (D15)."""
        return min(self.dead_tags, default=None) if self.phase is Phase.CHOOSE else None

    @property
    def rest(self) -> int:
        """How long a piece has to lie to count; longer where the placement may end the game at once (D1, D7)."""
        may_end = self.game.options.calling is Calling.AUTO or self.game.latch is not None
        return self.patience.rest_in_auto if may_end else self.patience.rest

    @property
    def is_under_way(self) -> bool:
        """Whether a game has begun and not ended."""
        return self.phase in (Phase.GIVEN, Phase.WAITING, Phase.PLACED)

    @property
    def has_only_the_computer_begun(self) -> bool:
        """Whether the computer has given the first piece and nothing shows that anybody is there to place it."""
        return self.is_under_way and not self.game.board.count and self.is_by_computer

    @property
    def waits_for_guests(self) -> bool:
        """Whether the computer has begun on its own: who paused, or says to have placed something, is a guest."""
        is_paused = self.game.paused_since is not None and self.resumed_at is None
        return self.has_only_the_computer_begun and not is_paused and self.finding_since is None

    @property
    def last_touch(self) -> int:
        """When somebody touched the board or a button last."""
        return max(self.touched_at, self.pressed_at)
