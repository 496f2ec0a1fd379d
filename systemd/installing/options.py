"""What is asked for: on the command line, or by the few questions that it leaves open."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from quarto_pi.languages import LANGUAGES

SETTLE_SECONDS: Final = 20.0


@dataclass(frozen=True, slots=True)
class Options:
    """Everything that people may want."""

    board: str = "auto"
    wiring: str = ""
    language: str = ""
    yes: bool = False
    voice: bool = False
    display: bool = False
    open_page: bool = False
    wheelhouse: Path | None = None
    archive: Path | None = None
    settle: float = SETTLE_SECONDS
    fetch: Path | None = None
    rollback: bool = False
    uninstall: bool = False
    purge: bool = False


def parse(arguments: Sequence[str], wirings: Sequence[str]) -> Options:
    """The command line."""
    parser = argparse.ArgumentParser(
        prog="systemd/install",
        description="Turn this machine into a Quarto board, or bring it up to date. Can be run again at any time.",
        allow_abbrev=False,
    )
    parser.add_argument("--yes", action="store_true", help="ask nothing; take what the options say, else what is usual")
    if wirings:
        parser.add_argument("--wiring", choices=wirings, default="", help="how the board is wired")
    parser.add_argument("--language", choices=LANGUAGES, default="", help="what the board speaks")
    parser.add_argument(
        "--board",
        choices=("auto", "pi4", "pi5", "simulated"),
        default="auto",
        help="pi4 drives the pins by RPi.GPIO, pi5 by lgpio (default: what this Pi needs); simulated needs no Pi",
    )
    parser.add_argument("--voice", action="store_true", help="install the voice as well")
    parser.add_argument("--display", action="store_true", help="show the page on a screen at the HDMI socket")
    parser.add_argument("--open-page", action="store_true", help="let everybody in the network look at the page")
    parser.add_argument("--wheelhouse", type=Path, metavar="FOLDER", help="install without a network, from this folder")
    parser.add_argument(
        "--settle", type=float, default=SETTLE_SECONDS, metavar="SECONDS", help="how long a new version has to stay up"
    )
    parser.add_argument(
        "--archive", type=Path, metavar="FILE", help="install this release, if FILE.sig is its publisher's signature"
    )
    other = parser.add_mutually_exclusive_group()
    other.add_argument(
        "--fetch", type=Path, metavar="FOLDER", help="only fetch the packages, for another machine like this"
    )
    other.add_argument("--rollback", action="store_true", help="go back to the version before")
    other.add_argument("--uninstall", action="store_true", help="take the board away; games and configuration stay")
    parser.add_argument("--purge", action="store_true", help="with --uninstall: games and configuration as well")
    chosen = parser.parse_args(arguments)
    if chosen.purge and not chosen.uninstall:
        parser.error("--purge goes with --uninstall")
    return Options(**vars(chosen))


def without_archive(arguments: Sequence[str]) -> list[str]:
    """The command line for the installer that is in the archive.

    >>> without_archive(["--yes", "--archive", "a.tar.gz", "--archive=b.tar.gz", "--voice"])
    ['--yes', '--voice']
    """
    left: list[str] = []
    words = iter(arguments)
    for word in words:
        if word == "--archive":
            next(words, None)
        elif not word.startswith("--archive="):
            left.append(word)
    return left


Ask = Callable[[str], str]


def choose(question: str, answers: Sequence[str], usual: str, ask: Ask = input) -> str:
    """Ask until the answer is one of these; Enter is the usual one, and so is the end of the input."""
    print(f"{question} ({', '.join(answers)}; Enter: {usual})", flush=True)
    while True:
        try:
            answer = ask("> ").strip()
        except EOFError:
            return usual
        if not answer:
            return usual
        if answer in answers:
            return answer
        print(f"'{answer}' is none of them.", file=sys.stderr)
