"""The voice: a real process for each sentence, usually a small program that writes down what it is told."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import wave
from pathlib import Path
from shlex import quote

import pytest

from quarto_pi.devices.settings import SettingsError
from quarto_pi.devices.speech import VOICES, Speech, SpeechSettings, spelled
from quarto_pi.languages import LANGUAGES
from quarto_pi.words import Words

QUIET_WITHIN = 30.0

with_espeak = pytest.mark.skipif(shutil.which("espeak-ng") is None, reason="espeak-ng is not installed")

FAKE = """\
#!/bin/sh
cd {folder} || exit
if [ "$1" = --voices ]; then
    echo "Pty Language Age/Gender VoiceName File"
    printf ' 5  %s  --/M  Name  file\\n' {voices}
    exit
fi
text=$(cat)
[ "$1" = -v ] && printf '%s %s\\n' "$2" "$text" >>spoken
[ "$text" != hang ] || {{ printf now >hangs && exec sleep 600; }}
[ "$text" != fail ] || exit 3
"""

ALL = tuple(voices[0] for voices in VOICES.values())


class Fake:
    """A program in the place of espeak-ng."""

    def __init__(self, folder: Path, voices: tuple[str, ...] = ALL) -> None:
        self._spoken = folder / "spoken"
        self._hangs = folder / "hangs"
        os.mkfifo(self._hangs)
        self.program = folder / "espeak-fake"
        self.program.write_text(FAKE.format(folder=quote(f"{folder}"), voices=" ".join(voices)), encoding="utf-8")
        self.program.chmod(0o755)

    def settings(self, **changes: int) -> SpeechSettings:
        return SpeechSettings(program=str(self.program), **changes)  # type: ignore[arg-type]

    @property
    def spoken(self) -> list[str]:
        return self._spoken.read_text(encoding="utf-8").splitlines() if self._spoken.exists() else []

    def wait_until_it_hangs(self) -> None:
        """Wait until the program hangs: reading a pipe ends when the other side has written and closed it."""
        assert self._hangs.read_text(encoding="utf-8") == "now"


@pytest.fixture
def fake(tmp_path: Path) -> Fake:
    return Fake(tmp_path)


def test_sentences_are_spoken_one_after_the_other(fake: Fake) -> None:
    with Speech(fake.settings()) as speech:
        speech.say("one")
        speech.say("-two", "fr")
        speech.say("三", "zh_TW")
        assert speech.wait_until_quiet(QUIET_WITHIN)
        assert fake.spoken == ["en-gb one", "fr-fr -two", "cmn-latn-pinyin 三"]
        assert (speech.available, speech.note, speech.dropped) == (True, "", 0)


def test_when_too_many_wait_the_oldest_are_dropped(fake: Fake) -> None:
    with Speech(fake.settings(most_waiting=2)) as speech:
        speech.say("hang")
        fake.wait_until_it_hangs()
        for number in range(10):
            speech.say(f"{number}")
        assert speech.dropped == 8
        speech.hush()
        assert speech.wait_until_quiet(QUIET_WITHIN)
        assert fake.spoken == ["en-gb hang"]
        assert speech.dropped == 10


def test_something_urgent_interrupts_and_comes_instead_of_what_waits(fake: Fake) -> None:
    with Speech(fake.settings()) as speech:
        speech.say("hang")
        fake.wait_until_it_hangs()
        speech.say("later")
        speech.say("now", urgent=True)
        assert speech.wait_until_quiet(QUIET_WITHIN)
        assert fake.spoken == ["en-gb hang", "en-gb now"]
        assert speech.note == ""


def test_a_program_that_hangs_is_ended_and_the_next_sentence_is_spoken(fake: Fake) -> None:
    with Speech(fake.settings(timeout_ms=1_000)) as speech:
        speech.say("hang")
        speech.say("next")
        fake.wait_until_it_hangs()
        assert speech.wait_until_quiet(QUIET_WITHIN)
        assert fake.spoken[-1] == "en-gb next"


def test_a_program_that_fails_is_told_until_it_works_again(fake: Fake) -> None:
    with Speech(fake.settings()) as speech:
        speech.say("fail")
        assert speech.wait_until_quiet(QUIET_WITHIN)
        assert speech.note == f"{fake.program} ended with 3: look at the sound device."
        speech.say("fine")
        assert speech.wait_until_quiet(QUIET_WITHIN)
        assert speech.note == ""


def test_a_language_without_a_voice_is_told(tmp_path: Path) -> None:
    fake = Fake(tmp_path, ("en", "cmn"))
    with Speech(fake.settings()) as speech:
        speech.say("one")
        speech.say("two", "zh_TW")
        speech.say("three", "lt")
        assert speech.wait_until_quiet(QUIET_WITHIN)
        assert fake.spoken == ["en one", "cmn two"]
        assert speech.note == f"{fake.program} has no voice for lt: sudo apt install espeak-ng-data."


def test_without_the_program_nothing_is_spoken_and_it_is_told_what_to_do() -> None:
    with Speech(SpeechSettings(program="no-such-program")) as speech:
        assert not speech.available
        assert speech.note == "no-such-program is not installed: sudo apt install espeak-ng."
        speech.say("one", urgent=True)
        assert speech.wait_until_quiet(0)


def test_a_program_that_cannot_be_started_is_told(fake: Fake) -> None:
    with Speech(fake.settings()) as speech:
        fake.program.unlink()
        speech.say("one")
        assert speech.wait_until_quiet(QUIET_WITHIN)
        assert "cannot be started" in speech.note


def test_closing_interrupts_and_a_second_time_does_nothing(fake: Fake) -> None:
    speech = Speech(fake.settings())
    speech.say("hang")
    fake.wait_until_it_hangs()
    speech.close()
    speech.close()
    speech.say("one")
    assert fake.spoken == ["en-gb hang"]


def test_an_unknown_language_is_refused_and_silence_is_not_spoken(fake: Fake) -> None:
    with Speech(fake.settings()) as speech:
        with pytest.raises(ValueError, match="no voice for 'xx': choose from en, fr"):
            speech.say("one", "xx")
        speech.say("  ")
        assert speech.wait_until_quiet(0)


def test_every_language_has_a_voice_and_no_other_has() -> None:
    assert VOICES.keys() == set(LANGUAGES)
    assert all(VOICES.values())


@pytest.mark.parametrize(
    ("language", "written", "given"),
    [
        ("zh_TW", "玩家1：請放b2。", "玩家1：請放B 二。"),
        ("zh_TW", "a1 b2 c3 d4：全矮", "A 一 B 二 C 三 D 四：全矮"),
        ("zh_TW", "QUARTO！玩家2贏了！2條連線。", "誇托！玩家2贏了！兩條連線。"),
        ("zh_TW", "有12個讀取器，第2局。", "有12個讀取器，第2局。"),
        ("lt", "Nepastebėtos 2 eilės.", "Nepastebėtos dvi eilės."),
        ("lt", "Lenta nieko nemato 5 vietose.", "Lenta nieko nemato penkiose vietose."),
        ("lt", "Neatsako 2 skaitytuvai, 12 eilių.", "Neatsako 2 skaitytuvai, 12 eilių."),
        ("pt", "Há 2 peças em b2.", "Há duas peças em b2."),
        ("pt", "O jogador 2 ganha: 2 leitores.", "O jogador 2 ganha: 2 leitores."),
        ("de", "1 Reihe wurde verpasst.", "eine Reihe wurde verpasst."),
        ("en", "There are 2 pieces on b2.", "There are 2 pieces on b2."),
    ],
)
def test_a_sentence_is_spelled_so_that_it_is_said_as_people_say_it(language: str, written: str, given: str) -> None:
    assert spelled(written, language) == given


def test_the_program_is_given_a_sentence_as_it_has_to_be_spelled(fake: Fake) -> None:
    with Speech(fake.settings()) as speech:
        speech.say("玩家1：請放b2。", "zh_TW")
        assert speech.wait_until_quiet(QUIET_WITHIN)
    assert fake.spoken == [f"{VOICES['zh_TW'][0]} 玩家1：請放B 二。"]


@with_espeak
def test_each_square_is_heard_in_chinese() -> None:
    """Letter and digit, each as when it stands alone; as people read it, a square would have no vowel."""
    alone = dict(zip("ABCD一二三四", phonemes(*"ABCD一二三四"), strict=True))
    heard = [alone[letter.upper()] + alone[han] for letter in "abcd" for han in "一二三四"]
    squares = [f"{letter}{digit}" for letter in "abcd" for digit in "1234"]
    assert phonemes("b2")[0] not in heard
    assert phonemes(*(spelled(square, "zh_TW") for square in squares)) == heard
    ordered = phonemes(*(spelled(f"請放{square}。", "zh_TW") for square in squares))
    told = [order.removeprefix(phonemes("請放")[0]) for order in ordered]
    assert [without_stress(each) for each in told] == [without_stress(each) for each in heard]


def without_stress(said: str) -> str:
    """What is said but for the stress of Latin letters, which espeak-ng 1.52 says lower within a sentence."""
    return re.sub(r"\(en\)(.*?)\(cmn\)", lambda letter: re.sub(r"['\d]", "", letter[1]), said)


def phonemes(*texts: str) -> list[str]:
    """What the real program would say of each, in its own letters."""
    command = ["espeak-ng", "-v", VOICES["zh_TW"][0], "-q", "-x", "--stdin"]
    done = subprocess.run(  # noqa: S603 - the program whose words these are
        command, input="\n\n".join(texts), capture_output=True, text=True, check=True
    )
    return [re.sub(r"[\s_|]", "", line) for line in done.stdout.splitlines() if line.strip()]


@with_espeak
@pytest.mark.parametrize("language", LANGUAGES)
def test_the_real_program_speaks_every_language(language: str, tmp_path: Path) -> None:
    file = tmp_path / "spoken.wav"
    with Speech(SpeechSettings(arguments=("-w", str(file)))) as speech:
        speech.say(Words(language).invitations()[0], language)
        assert speech.wait_until_quiet(QUIET_WITHIN)
        assert speech.note == ""
    with wave.open(str(file)) as spoken:
        assert spoken.getnframes() > spoken.getframerate() // 5


@pytest.mark.parametrize(
    "settings",
    [{"program": ""}, {"words_per_minute": 1}, {"volume": -1}, {"most_waiting": 0}, {"timeout_ms": 0}],
    ids=lambda settings: next(iter(settings)),
)
def test_settings_that_make_no_sense_are_named(settings: dict[str, object]) -> None:
    with pytest.raises(SettingsError, match=next(iter(settings))):
        SpeechSettings(**settings)  # type: ignore[arg-type]
