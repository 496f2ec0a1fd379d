"""The board's words in one language."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import assert_never

from quarto_pi.enrolment.state import GuideMessage, GuidePrompt
from quarto_pi.first_start.mistakes import SettingsMistake
from quarto_pi.first_start.set_up import JoinTrouble, SetUpView
from quarto_pi.referee.menu import MenuView, Stage
from quarto_pi.referee.messages import Giving, Hindsight, Impaired, Message, Spoken, WhatStands
from quarto_pi.referee.view import ClockView
from quarto_pi.rules import Alignment, Piece, Player
from quarto_pi.words import (
    boards,
    choices,
    coaching,
    conditions,
    corrections,
    endings,
    first_start,
    hub_page,
    page,
    teaching,
    terms,
    turns,
)
from quarto_pi.words.catalogue import LOCALE_FOLDER, catalogue_of
from quarto_pi.words.terms import TWO_PEOPLE, Seats, Voice
from quarto_pi.words.typed import TypedWords


class Words:
    """Everything that the board says, in one language.

    `names` are people's own names, where they are known. `seats` says on which sides the computer sits, as in
    `Settings.seats`: a person alone against the computer is spoken to as "you". `missing` tells that the language's
    catalogue could not be read and that English stands in for it.

    >>> from quarto_pi.rules import PIECES
    >>> Words("en").piece(PIECES[13])
    'dark, short, round, hollow'
    """

    def __init__(
        self, language: str = "en", names: Mapping[Player, str] | None = None, folder: Path = LOCALE_FOLDER
    ) -> None:
        catalogue = catalogue_of(language, folder)
        self.language = language
        self.missing = catalogue.missing
        self._translations = catalogue.translations
        self._names = dict(names or {})

    def say(self, message: Spoken, seats: Seats = TWO_PEOPLE) -> str:  # noqa: C901 - one case for each kind
        """A message in one or two short sentences."""
        voice = self._voice(seats)
        if isinstance(message, WhatStands):
            return terms.what_stands(self._translations, message.pieces)
        if isinstance(message, turns.TurnMessage):
            return turns.say_turn(message, voice)
        if isinstance(message, endings.CallMessage):
            return endings.say_call(message, voice)
        if isinstance(message, endings.EndingMessage):
            return endings.say_ending(message, voice)
        if isinstance(message, corrections.Correction):
            return corrections.say_correction(message, voice)
        if isinstance(message, conditions.ConditionMessage):
            return conditions.say_condition(message, voice)
        if isinstance(message, conditions.StorageMessage):
            return conditions.say_storage(message, voice)
        if isinstance(message, Impaired):
            return conditions.say_impaired(message, voice)
        if isinstance(message, teaching.TeachingMessage):
            return teaching.say_teaching(message, voice)
        if isinstance(message, Hindsight):
            return coaching.say_hindsight(message, voice)
        if isinstance(message, boards.BoardMessage):
            return boards.say_board(message, voice)
        assert_never(message)

    def headline(self, message: Message, seats: Seats = TWO_PEOPLE) -> str:  # noqa: C901 - as above
        """A message in one to three words, for big type."""
        voice = self._voice(seats)
        if isinstance(message, turns.TurnMessage):
            return turns.turn_headline(message, voice)
        if isinstance(message, endings.CallMessage):
            return endings.call_headline(message, voice)
        if isinstance(message, endings.EndingMessage):
            return endings.ending_headline(message, voice)
        if isinstance(message, corrections.Correction):
            return corrections.correction_headline(message, voice)
        if isinstance(message, conditions.ConditionMessage):
            return conditions.condition_headline(message, voice)
        if isinstance(message, conditions.StorageMessage):
            return conditions.storage_headline(message, voice)
        if isinstance(message, Impaired):
            return conditions.impaired_headline(message, voice)
        if isinstance(message, teaching.TeachingMessage):
            return teaching.teaching_headline(message, voice)
        if isinstance(message, Hindsight):
            return coaching.hindsight_headline(message, voice)
        if isinstance(message, boards.BoardMessage):
            return boards.board_headline(message, voice)
        assert_never(message)

    def settings_file(self, mistakes: Sequence[SettingsMistake], chain: tuple[str, str] | None = None) -> str:
        """What stands beside the owner's settings file, a line for each sentence; `chain`: board and broker there."""
        return first_start.say_settings_file(mistakes, self._translations, chain)

    def set_up(self, view: SetUpView) -> tuple[str, str]:
        """How the set-up by phone stands: a headline, and what there is to do."""
        voice = self._voice(TWO_PEOPLE)
        return first_start.set_up_headline(view, voice), first_start.say_set_up(view, voice)

    def set_up_without_code(self, view: SetUpView) -> str:
        """How to get to the set-up without a camera."""
        return first_start.say_without_code(view, self._voice(TWO_PEOPLE))

    def join_trouble(self, trouble: JoinTrouble, network: str) -> tuple[str, str]:
        """Why a Wi-Fi was not joined: a headline, and a sentence."""
        voice = self._voice(TWO_PEOPLE)
        return first_start.join_trouble_headline(voice), first_start.say_join_trouble(trouble, network, voice)

    def mistake(self, mistake: SettingsMistake) -> str:
        """What is wrong with something that an owner has said."""
        return first_start.say_mistake(mistake, self._translations)

    def piece(self, piece: Piece) -> str:
        """A piece as a child would find it: "dark, short, round, hollow"."""
        return terms.piece_alone(self._translations, piece)

    def player(self, player: Player, seats: Seats = TWO_PEOPLE) -> str:
        """A player's name, standing alone: "Player 1"; "You" and "Computer" where one side is the computer."""
        return self._voice(seats).name(player)

    def alignment(self, alignment: Alignment) -> str:
        """An alignment: "a1 b2 c3 d4: all dark, all hollow"."""
        return terms.alignment(self._translations, alignment)

    def cell(self, cell: str) -> str:
        """A cell's name, standing alone: "c2", "giving spot"."""
        return terms.cell_name(self._translations, cell)

    def menu(self, view: MenuView, seats: Seats = TWO_PEOPLE) -> tuple[str, str]:
        """A line of the menu: its label, and its value, which is empty for an item without one."""
        return choices.line(view, self._voice(seats))

    def menu_help(self, stage: Stage) -> str:
        """What the button does at this stage of the menu."""
        return choices.menu_help(stage, self._voice(TWO_PEOPLE))

    def level(self, number: int) -> str:
        """A level of the computer: "Level 3"."""
        return choices.level_name(number, self._voice(TWO_PEOPLE))

    def guide(self, message: GuideMessage) -> str:
        """What the guide to a first start asks for or tells, in one or two short sentences."""
        return first_start.say_guide(message, self._voice(TWO_PEOPLE))

    def guide_headline(self, message: GuideMessage) -> str:
        """The same in one to three words, for big type."""
        return first_start.guide_headline(message, self._voice(TWO_PEOPLE))

    def guide_help(self, prompt: GuidePrompt) -> str:
        """What the button does at a question of the guide; empty if nothing."""
        return first_start.guide_help(prompt, self._voice(TWO_PEOPLE))

    def clock(self, clock: ClockView) -> str:
        """A running clock, with a minus once the time is over: "0:45", "-0:05"."""
        return self.time(clock.seconds)

    def time(self, seconds: int) -> str:
        """A length of time in minutes and seconds: "1:05"."""
        minutes, rest = divmod(abs(seconds), 60)
        return f"{'-' if seconds < 0 else ''}{minutes}:{rest:02}"

    def judgement(self, judgement: coaching.JudgementToSay) -> str:
        """What the coach thinks of a move, in one or two sentences."""
        first, *advice = coaching.explain(self._translations, judgement)
        return self._voice(TWO_PEOPLE).sentences(first, advice[0]) if advice else first

    def how_to_play(self, giving: Giving = Giving.ON_GIVE_PLACE) -> tuple[teaching.TeachingPage, ...]:
        """How to play, one screen at a time, at a board where pieces are given in this way."""
        return teaching.how_to_play(self._translations, giving)

    def held_button(self) -> tuple[teaching.TeachingPage, ...]:
        """What it is good for to hold the button while nobody plays."""
        return teaching.held_button(self._translations)

    def demonstration(self) -> str:
        """What stands over a game that the computer shows."""
        return teaching.demonstration(self._translations)

    def photo_finish(self) -> tuple[str, str]:
        """What stands beside the code of a game that is over: a headline, and what the code is for."""
        return teaching.photo_finish(self._translations)

    def spectators(self) -> tuple[str, str, str]:
        """Beside the code for spectators: a headline, what it is for, and what to do where it cannot be shown."""
        return teaching.spectators(self._translations)

    def at_table(self, table: int, round_of: tuple[int, int], players: tuple[int, int]) -> tuple[str, str, str]:
        """Who plays at the table of a tournament: the table, the round of so many, both players by their numbers."""
        return teaching.players_at_table(self._translations, table, round_of, players)

    def language_hint(self, prompt: Message) -> str:
        """How to get another language while nobody plays, behind what there is to be done."""
        headline, hint = self.headline(prompt), teaching.language_hint(self._translations)
        return self._voice(TWO_PEOPLE).sentences(headline, hint)

    def invitations(self) -> tuple[str, ...]:
        """What is shown in turn while nobody plays."""
        return teaching.invitations(self._translations)

    def statistic(self, statistic: teaching.Statistic) -> str:
        """What stands beside a number of the statistics."""
        return teaching.statistic_label(self._translations, statistic)

    def typed(self, seats: Seats = TWO_PEOPLE) -> TypedWords:
        """The sentences of a game at a keyboard."""
        return TypedWords(self._voice(seats))

    def page(self) -> dict[str, str]:
        """The labels of the page, by their keys."""
        return page.labels(self._translations)

    def hub_page(self) -> dict[str, str]:
        """The labels that the page of a hub has besides, by their keys."""
        return hub_page.hub_labels(self._translations)

    def _voice(self, seats: Seats) -> Voice:
        return Voice(self._translations, seats, self._names)
