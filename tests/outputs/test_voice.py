"""The voice at the board: it says what the referee wants said, unless somebody has switched it off in the menu."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from quarto_pi.devices.speech import Speech
from quarto_pi.outputs.voice import VoiceOutput
from quarto_pi.referee import Choose, Settings, Show, Speak, fold, start
from quarto_pi.referee.menu import Menu
from quarto_pi.referee.messages import LastCall, Paused
from quarto_pi.words import Words
from tests.devices.test_speech import QUIET_WITHIN, Fake


def test_voice_that_is_switched_off_is_silent_until_it_is_switched_on_again(tmp_path: Path) -> None:
    fake = Fake(tmp_path)
    settings = Settings(voice=True)
    state, effects = start(settings)
    with Speech(fake.settings()) as speech:
        voice = VoiceOutput(speech, settings)
        silent, spoken = LastCall(), Paused()
        for wanted, message in ((False, silent), (True, spoken)):
            state, effects = fold(state, Choose(1_000, Settings(voice=wanted)))
            for effect in effects:
                voice.perform(effect)
            voice.perform(Speak(message))
        assert speech.wait_until_quiet(QUIET_WITHIN)
    assert Words().say(spoken) in " ".join(fake.spoken)
    assert Words().say(silent) not in " ".join(fake.spoken)


def test_menu_is_read_out_line_by_line(tmp_path: Path) -> None:
    fake = Fake(tmp_path)
    settings = Settings(voice=True)
    state, _ = start(settings)
    assert state.view is not None
    menu = Menu.opened(settings, 0, False)
    with Speech(fake.settings()) as speech:
        voice = VoiceOutput(speech, settings)
        for view in (menu.view, menu.view, menu.stepped(settings, 0).view, None):
            voice.perform(Show(replace(state.view, menu=view)))
            assert speech.wait_until_quiet(QUIET_WITHIN)
    assert [text for text in fake.spoken if "New game" in text] == ["en-gb New game. press: next, hold: choose."]
    assert [text for text in fake.spoken if "Teach me" in text] == ["en-gb Teach me."]
