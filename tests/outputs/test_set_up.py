"""The set-up by phone, said aloud: in the board's language at first, then in the one that somebody has chosen."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from quarto_pi.devices.speech import Speech
from quarto_pi.first_start.set_up import JoinTrouble, SetUpStage, SetUpView, WifiNetwork
from quarto_pi.outputs.first_start import SetUpVoice
from tests.devices.test_speech import QUIET_WITHIN, Fake


def test_voice_says_what_to_do_and_what_has_become_of_it_once_each(tmp_path: Path) -> None:
    fake = Fake(tmp_path)
    opening = SetUpView(SetUpStage.OPENING, WifiNetwork("QUARTO", "k7mq3xwz"))
    joining = replace(opening, stage=SetUpStage.JOINING, language="de", network="Home")
    back = replace(joining, stage=SetUpStage.OPEN, trouble=JoinTrouble.WRONG_PASSWORD)
    done = replace(joining, stage=SetUpStage.DONE)
    with Speech(fake.settings()) as speech:
        voice = SetUpVoice(speech, "en")
        for view in (opening, replace(opening, stage=SetUpStage.OPEN), joining, back, joining, done):
            voice.show(view)
            assert speech.wait_until_quiet(QUIET_WITHIN)
    assert [text.split(" ", 1)[0] for text in fake.spoken] == ["en-gb", *["de"] * 4]
    assert "Scan the first code" in fake.spoken[0]
    assert "Das Passwort von Home ist falsch" in fake.spoken[2]
    assert "eingerichtet" in fake.spoken[4]
    assert not any("k7mq3xwz" in text for text in fake.spoken), "nobody shouts a password through a café"
