"""One step of the referee: the state on its way from one input to the next, and the effects gathered on that way."""

from __future__ import annotations

from dataclasses import replace

from quarto_pi.referee.deadlines import Due, is_due
from quarto_pi.referee.effects import Ask, Begin, Effect, Fix, GameFinished, Keep, Report, Save, Speak, Tell
from quarto_pi.referee.inputs import Plan
from quarto_pi.referee.menu import MENU, Menu, MenuOccurrence
from quarto_pi.referee.messages import (
    CallWaits,
    Drawing,
    FalseCall,
    Foul,
    MissedAlignment,
    NobodyCalled,
    NoQuarto,
    Notice,
    TakenBack,
    TimeIsUp,
)
from quarto_pi.referee.phases import IDLE, PHASES, Occurrence, RefereePhase
from quarto_pi.referee.settings import LIKE_ME, Settings, Starter
from quarto_pi.referee.stages import (
    CALL_IN_QUESTION,
    CLEARING,
    GAME_END,
    LESSON,
    MISMATCH,
    READING,
    RESUMING,
    CallInQuestion,
    CallOccurrence,
    Clearing,
    ClearingOccurrence,
    EndOccurrence,
    EndStage,
    GameEnd,
    Lesson,
    LessonOccurrence,
    MismatchOccurrence,
    PageShown,
    ReadingOccurrence,
    ReadingStage,
    Resuming,
    ResumingOccurrence,
    mismatch_stage,
)
from quarto_pi.referee.state import Asked, Planned, StaleOffer, State, Told
from quarto_pi.referee.table import compare
from quarto_pi.referee.tally import NEWCOMER
from quarto_pi.rules import (
    Action,
    Call,
    Called,
    Clear,
    Doubted,
    Ended,
    Event,
    Game,
    GamePaused,
    GameResumed,
    Give,
    Given,
    Latched,
    Missed,
    Options,
    Phase,
    Piece,
    Placed,
    Player,
    Reason,
    Result,
    Resume,
    Shifted,
    TimedOut,
    Undone,
    apply,
    pass_time,
)
from quarto_pi.sensing.readings import OFFER


class Step:
    """The state as far as this step has got, at the time `now`."""

    def __init__(self, state: State, now: int) -> None:
        self.state = state
        self.now = now
        self.effects: list[Effect] = []
        self.phase = state.phase
        """The phase as far as what has happened was looked up in the table: the state's own once all is heard."""

    # --- what goes on in stages ---------------------------------------------------------------------------------------

    def follow(self, occurrence: Occurrence) -> None:
        """Go on to the phase to which an occurrence leads, if there is a way to it."""
        self.phase = PHASES.follow(self.phase, occurrence)
        idle = self.phase if self.phase in IDLE else None
        if idle is not self.state.idle:
            self.state = replace(self.state, idle=idle)

    def change_call(self, occurrence: CallOccurrence, call: CallInQuestion | None = None) -> None:
        """Let something happen to a call of which it is asked who made it, with what is known of it then."""
        stage = None if self.state.call is None else self.state.call.stage
        CALL_IN_QUESTION.lead(stage, occurrence, None if call is None else call.stage)
        self.state = replace(self.state, call=call)

    def change_menu(self, occurrence: MenuOccurrence, menu: Menu | None = None) -> None:
        """Let something happen to the menu, with how it is then."""
        before = self.state.menu
        MENU.lead(None if before is None else before.view.stage, occurrence, None if menu is None else menu.view.stage)
        self.state = replace(self.state, menu=menu)

    def change_resuming(self, occurrence: ResumingOccurrence, resuming: Resuming | None = None) -> None:
        """Let something happen to a game that was taken up after a stop."""
        before = self.state.resuming
        stage = None if before is None else before.stage_at(self.now)
        RESUMING.lead(stage, occurrence, None if resuming is None else resuming.stage_at(self.now))
        self.state = replace(self.state, resuming=resuming)

    def change_clearing(self, occurrence: ClearingOccurrence, since: int | None = None) -> None:
        """Let something happen to a board that is, or is not, cleared in mid-game, and since when it is."""
        clearing = replace(self.state.clearing, since=since)
        CLEARING.lead(self.state.clearing.stage, occurrence, clearing.stage)
        self.state = replace(self.state, clearing=clearing)

    def change_mismatch(self, occurrence: MismatchOccurrence, fixes: tuple[Fix, ...] = ()) -> None:
        """Let something happen to what people have been asked to put right, with what they have to now."""
        MISMATCH.lead(mismatch_stage(self.state.mismatch), occurrence, mismatch_stage(fixes))
        self.state = replace(self.state, mismatch=fixes)

    def change_reading(self, occurrence: ReadingOccurrence, reading: PageShown | None = None) -> None:
        """Let something happen to the pages of how to play, with the one that is shown then."""
        before = None if self.state.reading is None else ReadingStage.OPEN
        READING.lead(before, occurrence, None if reading is None else ReadingStage.OPEN)
        self.state = replace(self.state, reading=reading)

    def change_end(self, occurrence: EndOccurrence, end: GameEnd | None = None) -> None:
        """Let something happen after a game, with what is known of its end then."""
        before = self.state.end
        GAME_END.lead(None if before is None else before.stage, occurrence, None if end is None else end.stage)
        self.state = replace(self.state, end=end)

    def forget_end(self) -> None:
        """Tell no more of the last game."""
        if self.state.end is not None:
            self.change_end(EndOccurrence.DROPPED)

    def change_lesson(self, occurrence: LessonOccurrence, lesson: Lesson | None = None) -> None:
        """Let something happen in a lesson, with how it is then."""
        before = self.state.lesson
        LESSON.lead(None if before is None else before.stage, occurrence, None if lesson is None else lesson.stage)
        self.state = replace(self.state, lesson=lesson)

    def close_reading(self, occurrence: ReadingOccurrence) -> None:
        """Show how to play no more, if it is shown."""
        if self.state.reading is not None:
            self.change_reading(occurrence)

    def _drop_what_goes_on(self) -> None:
        """Forget what concerns a game that ends, or gives way to the next one."""
        if self.state.call is not None:
            self.change_call(CallOccurrence.DROPPED)
        if self.state.clearing.since is not None:
            self.change_clearing(ClearingOccurrence.DROPPED)
        if self.state.mismatch:
            self.change_mismatch(MismatchOccurrence.DROPPED)
        self.close_reading(ReadingOccurrence.DROPPED)

    # --- what is told, and who has touched the board ------------------------------------------------------------------

    def touch(self) -> None:
        """Know that hands have done something."""
        self.state = replace(self.state, idling=replace(self.state.idling, touched_at=self.now))

    def tell(self, report: Report) -> None:
        """Put something into the log of events."""
        self.effects.append(Tell(self.now, report))

    def notice(self, notice: Notice, until: int | None = None) -> None:
        """Tell people something in passing."""
        self.state = replace(
            self.state, told=Told(notice, self.now + self.state.patience.notice if until is None else until)
        )
        self.effects.append(Speak(notice))

    # --- the game -----------------------------------------------------------------------------------------------------

    def act(self, action: Action, at: int) -> None:
        """Let something happen in the game at a moment that the game has not passed yet."""
        self.pass_time(at)
        game = self.state.game
        if game.over:
            return
        if game.paused_since is not None and not isinstance(action, Resume | Clear):
            self._take(apply(game, Resume()))
        self._take(apply(self.state.game, action))

    def pass_time(self, at: int) -> None:
        """Let time pass in the game, with all that falls due."""
        if at > self.state.game.now and not self.state.game.over:
            self._take(pass_time(self.state.game, at))

    def begin(self, settings: Settings, match: str = "") -> None:
        """Begin a new game by these settings, or the one that two boards call so; nobody has given anything yet."""
        number = self.state.number + 1
        starter = starter_of(settings, self.state.number, self.now)
        if self.state.end is not None and self.state.end.other_begins:
            starter = starter.other
        same_seats = settings.seats == self.state.settings.seats
        self._drop_what_goes_on()
        self.forget_end()
        self.state = replace(
            self.state,
            score=self.state.score if same_seats else (0, 0),
            skill=self.state.skill if same_seats else NEWCOMER,
            table=replace(self.state.table, silent=frozenset()),
            clearing=Clearing(),
            dead_tags=replace(self.state.dead_tags, finding_since=None),
            settings=settings,
            game=Game(settings.options, starter, now=self.now),
            number=number,
            computer=None,
            remote=None,
            told=None,
            foul=None,
            turned_at=self.now,
            stale=StaleOffer(self.now),
            idling=replace(self.state.idling, touched_at=self.now),
        )
        self.follow_giving()
        self.effects.append(Begin(self.now, number, starter, settings, match))
        if settings.starter in (Starter.DRAWN, Starter.IN_TURN):
            self.notice(Drawing(starter))

    def take_to_stand(self, piece: Piece) -> None:
        """Take a piece whose tag is dead to stand on its square, until it is heard again (D15)."""
        table = replace(self.state.table, silent=self.state.table.silent | {piece})
        dead_tags = replace(self.state.dead_tags, pieces=self.state.dead_tags.pieces | {piece})
        self.state = replace(self.state, table=table, dead_tags=dead_tags)
        self.touch()

    def follow_giving(self) -> None:
        """Let the rules know whether giving is sensed at present: the give place may have been lost, or be back."""
        state = self.state
        senses = state.senses_giving or len(state.settings.people) < 2
        if state.game.options.giving_sensed is not senses and not state.game.over:
            options: Options = replace(state.game.options, giving_sensed=senses)
            self.state = replace(self.state, game=replace(state.game, options=options))

    def _take(self, game: Game) -> None:
        """Go on with the game as it is now, and do what its news ask for."""
        news, game = game.news, replace(game, news=())
        before = self.state.game
        changed = game != before
        if before.paused_since is not None and game.paused_since is None:
            self.state = replace(self.state, first_given_at=self.state.first_given_at + game.now - before.paused_since)
        self.state = replace(self.state, game=game)
        for event in news:
            self._hear(event)
        if self.state.game.clock is not None and not self.state.is_person_to_act:
            # Hands carry out the computer's moves, so its time can't be measured.
            self.state = replace(self.state, game=replace(self.state.game, clock=None))
        if news and changed:
            kept = self.state
            self.effects.append(Save(self.now, kept.game, self._played_ms, kept.stale_offer, kept.score, kept.skill))

    def _hear(self, event: Event) -> None:
        match event:
            case Given():
                self._hear_given(event)
            case Placed():
                self.follow(Occurrence.PLACED)
                self.tell(event)
                self._turned()
            case Shifted():
                self.tell(event)
            case Called() | Latched() | Doubted():
                self._hear_call(event)
            case Missed():
                self.tell(event)
                self.notice(MissedAlignment(event.alignments))
            case Undone():
                # Calls and notices of what has been taken back are past.
                self.state = replace(self.state, told=None)
                self.follow(Occurrence.UNDONE if self.state.game.board.count else Occurrence.UNDONE_TO_START)
                self.tell(event)
                self._turned()
                self.state = replace(self.state, stale=StaleOffer(self.now, self.state.table.piece_on(OFFER)))
                self.notice(TakenBack(event.piece))
            case TimedOut():
                self.state = replace(self.state, foul=Foul.TIME)
                self.tell(event)
                self.notice(TimeIsUp(event.player))
            case Ended(result):
                self._hear_ended(result)
            case GamePaused() | GameResumed():
                self._hear_pause()

    def _hear_pause(self) -> None:
        self.touch()
        if self.state.resuming is not None:
            self.change_resuming(ResumingOccurrence.PAUSE_ENDED)

    def _hear_call(self, event: Called | Latched | Doubted) -> None:
        is_answer = self.state.dead_tags.finding_since is not None
        if not isinstance(event, Latched):
            # A call that is decided waits no more: nobody is asked to place what stands there already.
            self.effects[:] = [effect for effect in self.effects if effect != Speak(CallWaits(event.player))]
        match event:
            case Called(player, valid):
                self.tell(event)
                if not valid:
                    self.state = replace(self.state, foul=Foul.FALSE_CALL)
                    # Who loses by it is told so, with the same reason, as what ends the game.
                    if not self.state.game.over:
                        self.notice(FalseCall(player, NoQuarto.of(event, self.state.game)))
            # A press that is taken for an answer is not told as a call, unless it wins.
            case Latched(player, until) if not is_answer:
                self.notice(CallWaits(player), until=until)
            case Doubted() if not is_answer:
                self.notice(NobodyCalled())

    def _hear_ended(self, result: Result) -> None:
        board = self.state.game.board
        self.follow(Occurrence.ENDED)
        self._drop_what_goes_on()
        # During the final call people begin to clear the board, and a game may end because they have.
        begun = board.count == 16 or result.reason is Reason.UNFINISHED
        gone = compare(self.state.table, board).missing if begun else ()
        remains = frozenset(board.pieces.values()) - {piece for _, piece in gone}
        self.state = replace(self.state, computer=None, clearing=Clearing(remains=remains))
        self._count()
        self._end(result)
        if result.reason is not Reason.DRAW:
            self.state = replace(self.state, told=None)
        self.tell(GameFinished(result, self.state.game.position))

    def _hear_given(self, event: Given) -> None:
        state = self.state
        if self.phase is RefereePhase.CHOOSE:
            self.state = replace(self.state, first_given_at=state.game.now)
        since = state.turned_at if self.phase is RefereePhase.GIVEN else None
        self.follow(Occurrence.GIVEN if state.is_for_person else Occurrence.GIVEN_TO_COMPUTER)
        self.tell(event)
        self._turned(since)

    def _count(self) -> None:
        """Count the game that has ended."""
        state = self.state
        self.state = replace(self.state, tally=state.tally.after(state.game, state.settings.seats, self._played_ms))

    def _end(self, result: Result) -> None:
        """Know that a game was played to its end, and what it adds to the score."""
        if result.reason is Reason.UNFINISHED:
            return
        first, second = self.state.score
        score = (first + (result.winner is Player.A), second + (result.winner is Player.B))
        skill, people = self.state.skill, self.state.settings.people
        if len(people) == 1 and LIKE_ME in (seat.level for seat in self.state.settings.seats):
            skill = skill.after(self.state.game, people[0], self._played_ms)
        self.state = replace(self.state, score=score, skill=skill)
        self.change_end(EndOccurrence.ENDED, GameEnd(EndStage.RESULT, self.now, self.now))

    @property
    def _played_ms(self) -> int:
        """How long the game has been played, but for its pauses."""
        game = self.state.game
        until = game.now if game.paused_since is None else game.paused_since
        return max(0, until - self.state.first_given_at)

    def _turned(self, since: int | None = None) -> None:
        """Something was given or placed; a person who is given another piece instead is still at the same turn (R3)."""
        turned_at = self.state.game.now if since is None else since
        dead_tags = replace(self.state.dead_tags, finding_since=None)
        self.state = replace(self.state, turned_at=turned_at, computer=None, dead_tags=dead_tags)
        self.touch()

    # --- the computer -------------------------------------------------------------------------------------------------

    def ask_computer(self) -> None:
        """Ask the computer where it is its turn, once for each turn."""
        state = self.state
        game = state.game
        if state.computer is not None or game.over or game.paused_since is not None:
            return
        player = game.to_act if game.phase is not Phase.FINAL_CALL else (game.maker and game.maker.other)
        if player is None or state.phase not in (RefereePhase.CHOOSE, RefereePhase.WAITING, RefereePhase.PLACED):
            return
        level = state.settings.seat(player).level
        if level is None or (game.phase is Phase.FINAL_CALL and not self._may_have_the_last_word(game)):
            return
        uncalled = game.open if player is not game.maker else ()
        level = state.skill.number if level == LIKE_ME else level
        number = state.questions + 1
        question = Ask(number, self.now, player, level, game.options, game.position, uncalled)
        self.state = replace(self.state, computer=Asked(question), questions=number)
        self.effects.append(question)

    def _may_have_the_last_word(self, game: Game) -> bool:
        """Whether the computer may call what its opponent's sixteenth piece has made, who has had time to (D3)."""
        return bool(game.open) and is_due(self.state, Due.LAST_WORD, self.now)

    def hear_answer(self, number: int, plan: Plan, *, calls: bool, at: int) -> None:
        """Do what the computer has decided, if the question still stands."""
        ask = None if self.state.computer is None else self.state.computer.ask
        if ask is None or ask.number != number:
            return
        at = max(at, self.state.game.now)
        if calls and self.state.game.open_for(ask.player):
            self.act(Call(ask.player), at)
        elif self.state.game.phase is Phase.GIVE and plan.give is not None:
            self.act(Give(plan.give), at)
        elif self.state.game.phase is Phase.PLACE:
            self.state = replace(self.state, computer=Planned(ask, plan, at))

    def carry_on_plan(self, plan: Plan, player: Player, at: int) -> None:
        """After hands have placed the computer's piece: call, or give the next one."""
        if self.state.game.over:
            return
        if plan.call and self.state.settings.seat(player).is_board:
            self.call_elsewhere(player, at)
        elif plan.call and self.state.game.open_for(player):
            self.act(Call(player), at)
        elif plan.give is not None and self.state.game.phase is Phase.GIVE:
            self.act(Give(plan.give), at)

    def call_elsewhere(self, player: Player, at: int) -> None:
        """A call of somebody at another board: it wins, or where false calls forfeit, loses at once."""
        options = self.state.game.options
        # Whether such a call waits for its placement has been decided over there (D1).
        self.state = replace(self.state, game=replace(self.state.game, options=replace(options, latch_ms=0)))
        self.act(Call(player), at)
        if not self.state.game.over:
            self._take(pass_time(self.state.game, self.state.game.now))
        self.state = replace(self.state, game=replace(self.state.game, options=options))

    # --- what people have chosen --------------------------------------------------------------------------------------

    def keep(self, wishes: Settings) -> None:
        """Keep what was chosen in the menu; the language of a guest is not kept."""
        self.state = replace(self.state, wishes=wishes)
        self.effects.append(Keep(replace(wishes, language=self.state.idling.home)))

    def speak(self, language: str) -> None:
        """Speak this language from now on, until another one is asked for."""
        settings, wishes = self.state.settings, self.state.wishes
        self.state = replace(
            self.state, settings=replace(settings, language=language), wishes=replace(wishes, language=language)
        )


def starter_of(settings: Settings, number: int, now: int) -> Player:
    """Who begins by these settings after so many games, where lots have to be drawn for it at this moment."""
    match settings.starter:
        case Starter.A:
            return Player.A
        case Starter.B:
            return Player.B
        case Starter.IN_TURN:
            return Player.A if number % 2 == 0 else Player.B
        case Starter.DRAWN:
            # The moment at which somebody cleared the board is as good a lot as any, and a replay draws the same.
            return Player((now // 7 ^ now // 311) % 2)
