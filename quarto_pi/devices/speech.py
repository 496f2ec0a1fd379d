"""The voice: sentences are spoken by espeak-ng in a process of its own, and nobody waits for it."""

from __future__ import annotations

import re
import shutil
import subprocess
import threading
from collections import deque
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final, NamedTuple

from quarto_pi.devices.settings import SettingsError
from quarto_pi.devices.upkeep import ClosedWith

VOICES: Final = MappingProxyType(
    {
        "en": ("en-gb", "en"),
        "fr": ("fr-fr", "fr"),
        "nl": ("nl",),
        "lt": ("lt",),
        # Of release 1.51, only this voice reads Chinese characters; "cmn" says "Chinese letter" for each of them.
        "zh_TW": ("cmn-latn-pinyin", "cmn"),
        "de": ("de",),
        "es": ("es",),
        "it": ("it",),
        "pt": ("pt", "pt-br"),
    }
)
"""For each language the voices that speak it, the best first."""

# --- How a sentence is written for the program, where it would say something else than people do ----------------------

_SQUARE: Final = re.compile(r"(?<![A-Za-z])([a-d])([1-4])(?!\d)")
_HAN_DIGITS: Final = str.maketrans("1234", "一二三四")

_COUNTS: Final[Mapping[str, Mapping[str, str]]] = MappingProxyType(
    {
        "fr": {"pièce": "une"},
        "lt": {
            "eil|figūrėl": "viena dvi trys keturios penkios šešios septynios aštuonios devynios",
            "vietos": "vienoje dviejose trijose keturiose penkiose šešiose septyniose aštuoniose devyniose",
        },
        "de": {"Reihe|Figur": "eine"},
        "es": {"línea|pieza": "una"},
        "it": {"fila|pedina": "una"},
        "pt": {"linha|peça": "uma duas"},
    }
)
"""How nouns begin whose counts, from one on, are words of another gender than the one in which a digit is said."""


def spelled(text: str, language: str) -> str:
    """A sentence as the program has to be given it, so that it says what people say.

    Small counts become words where their gender would be wrong. Chinese is read as pinyin, in which "b2" is a consonant
    with a tone: squares, and the name of the game, are written so that they are heard.
    """
    for nouns, words in _COUNTS.get(language, {}).items():
        for count, word in enumerate(words.split(), 1):
            text = re.sub(rf"\b{count}(?= (?:{nouns}))", word, text)
    if language == "zh_TW":
        text = _SQUARE.sub(lambda square: f"{square[1].upper()} {square[2].translate(_HAN_DIGITS)}", text)
        text = re.sub("quarto", "誇托", text, flags=re.IGNORECASE)
        text = re.sub(r"(?<![\d第])2(?=[條個分秒局])", "兩", text)
    return text


# --- The program ------------------------------------------------------------------------------------------------------

_VOICES_SECONDS: Final = 10.0
_CLOSE_SECONDS: Final = 2.0


@dataclass(frozen=True, slots=True)
class SpeechSettings:
    """The program, how it speaks, how many sentences may wait, and how long one may take.

    `arguments` are handed to the program as they are, to choose a sound device for instance.
    """

    program: str = "espeak-ng"
    arguments: tuple[str, ...] = ()
    words_per_minute: int = 150
    volume: int = 100
    most_waiting: int = 3
    timeout_ms: int = 20_000

    def __post_init__(self) -> None:
        if not self.program:
            raise SettingsError("program", '""', "name a program, such as espeak-ng")
        for key, least, most in (
            ("words_per_minute", 80, 450),
            ("volume", 0, 200),
            ("most_waiting", 1, 20),
            ("timeout_ms", 1, 120_000),
        ):
            if not least <= getattr(self, key) <= most:
                raise SettingsError(key, getattr(self, key), f"write {least} to {most}")


class _Sentence(NamedTuple):
    text: str
    language: str


class Speech(ClosedWith):
    """Speaks one sentence after the other; when too many wait, the oldest are dropped."""

    def __init__(self, settings: SpeechSettings) -> None:
        self._settings = settings
        self._program = shutil.which(settings.program)
        self._changed = threading.Condition()
        self._waiting: deque[_Sentence] = deque()
        self._process: subprocess.Popen[bytes] | None = None
        self._speaking = False
        self._interrupted = False
        self._closing = False
        self._voices: frozenset[str] | None = None
        self._thread: threading.Thread | None = None
        self._note = "" if self._program else f"{settings.program} is not installed: sudo apt install espeak-ng."
        self.dropped = 0

    @property
    def available(self) -> bool:
        """Return whether the program is there."""
        return self._program is not None

    @property
    def note(self) -> str:
        """Return a sentence about what is wrong and what to do; empty if all is well."""
        return self._note

    def voice_for(self, language: str) -> str | None:
        """Return the voice that would speak a language, None if there is none; the program is asked and waited for."""
        return self._voice(language) if self.available else None

    # -- the caller's side: never waits ------------------------------------------------------------------------

    def say(self, text: str, language: str = "en", *, urgent: bool = False) -> None:
        """Speak this after what waits already, or, if it is urgent, at once and instead of it."""
        if language not in VOICES:
            raise ValueError(f"there is no voice for {language!r}: choose from {', '.join(VOICES)}")
        if self._program is None or not text.strip():
            return
        with self._changed:
            if self._closing:
                return
            if urgent:
                self._drop_all()
            self._waiting.append(_Sentence(spelled(text, language), language))
            while len(self._waiting) > self._settings.most_waiting:
                self._waiting.popleft()
                self.dropped += 1
            if self._thread is None:
                self._thread = threading.Thread(target=self._run, name="Speech", daemon=True)
                self._thread.start()
            self._changed.notify_all()

    def hush(self) -> None:
        """Stop speaking and forget what waits."""
        with self._changed:
            self._drop_all()

    def wait_until_quiet(self, seconds: float) -> bool:
        """Wait for the last word, at most this long; return whether it was spoken."""
        with self._changed:
            return self._changed.wait_for(lambda: not self._waiting and not self._speaking, seconds)

    def close(self) -> None:
        """Stop speaking and end the worker; a second call does nothing."""
        with self._changed:
            self._closing = True
            self._drop_all()
            self._changed.notify_all()
        if self._thread is not None:
            self._thread.join(_CLOSE_SECONDS)

    def _drop_all(self) -> None:
        """Forget what waits and interrupt what is spoken; the lock is held."""
        self.dropped += len(self._waiting)
        self._waiting.clear()
        if self._speaking:
            self._interrupted = True
            if self._process is not None:
                with suppress(OSError):  # it may have ended by itself
                    self._process.kill()

    # -- the worker's side -------------------------------------------------------------------------------------

    def _run(self) -> None:
        while True:
            with self._changed:
                self._speaking = False
                self._changed.notify_all()
                self._changed.wait_for(lambda: self._waiting or self._closing)
                if self._closing:
                    return
                sentence = self._waiting.popleft()
                self._speaking, self._interrupted = True, False
            self._speak(sentence)

    def _speak(self, sentence: _Sentence) -> None:
        name = self._settings.program
        voice = self._voice(sentence.language)
        if voice is None:
            self._note = f"{name} has no voice for {sentence.language}: sudo apt install espeak-ng-data."
            return
        chosen = self._settings
        command = [
            self._program or name,
            *("-v", voice, "-s", str(chosen.words_per_minute), "-a", str(chosen.volume)),
            *chosen.arguments,
            # by standard input, where no sentence can be taken for an option
            "--stdin",
        ]
        try:
            code = self._run_process(command, sentence.text)
        except OSError as error:
            self._note = f"{name} cannot be started ({error.strerror}): install it again."
        except subprocess.TimeoutExpired:
            self._note = f"{name} did not come to an end and was stopped: look at the sound device."
        else:
            if not self._interrupted:
                self._note = f"{name} ended with {code}: look at the sound device." if code else ""

    def _run_process(self, command: Sequence[str], text: str) -> int:
        """Have the program speak, and return what it ended with; one that takes too long is ended."""
        with subprocess.Popen(  # noqa: S603 - the program of the settings
            command, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        ) as process:
            with self._changed:
                self._process = process
                if self._interrupted:
                    process.kill()
            try:
                process.communicate(text.encode(), timeout=self._settings.timeout_ms / 1_000)
            except subprocess.TimeoutExpired:
                process.kill()
                raise
            finally:
                with self._changed:
                    self._process = None
            return process.returncode

    def _voice(self, language: str) -> str | None:
        """The best voice for a language that the program has; without a list of them, the best one."""
        if self._voices is None:
            self._voices = self._list_voices()
        if not self._voices:
            return VOICES[language][0]
        return next((voice for voice in VOICES[language] if voice in self._voices), None)

    def _list_voices(self) -> frozenset[str]:
        try:
            listed = subprocess.run(  # noqa: S603 - the program of the settings
                [self._program or self._settings.program, "--voices"],
                capture_output=True,
                text=True,
                timeout=_VOICES_SECONDS,
                check=False,
                stdin=subprocess.DEVNULL,
            )
        except (OSError, subprocess.TimeoutExpired):
            return frozenset()
        # Each line but the first: priority, language, and more.
        rows = [line.split() for line in listed.stdout.splitlines()[1:]]
        return frozenset(row[1] for row in rows if len(row) > 1)
