"""`quarto-pi match A B`: two engines play many games against each other."""

from __future__ import annotations

import argparse
import re
import shlex
import sys
from contextlib import ExitStack
from typing import Final

from quarto_pi.commands.command import Command
from quarto_pi.commands.options import add_search, add_variants, new_solver, variants_of, whole_number
from quarto_pi.engine.client import EngineProcess
from quarto_pi.engine.levels import LEVELS
from quarto_pi.engine.match import Contestant, LevelContestant, Played, ProgramContestant, Score, play_match
from quarto_pi.rules import Options, QuartoError, Record

_LEVEL = re.compile(r"level\s*(\d+)", re.IGNORECASE)


def _options(parser: argparse.ArgumentParser) -> None:
    """Tell what `match` can be asked for."""
    for name in ("first", "second"):
        parser.add_argument(name, help="level1 to level10, or the command line of a program that speaks the protocol")
    parser.add_argument("--games", type=whole_number(1, 1_000_000), default=100, metavar="N", help="how many (100)")
    parser.add_argument("--seed", type=whole_number(0, 2**32), default=1, metavar="N", help="repeats a match (1)")
    parser.add_argument(
        "--movetime", type=whole_number(1, 3_600_000), default=1000, metavar="MS", help="for programs, a move (1000)"
    )
    parser.add_argument("--records", action="store_true", help="print every game as text")
    add_variants(parser)
    add_search(parser)


def _run(arguments: argparse.Namespace) -> int:
    """Play the match and print its score."""
    rules = variants_of(arguments)
    with ExitStack() as stack:
        first = _contestant(arguments.first, rules, arguments, stack)
        second = _contestant(arguments.second, rules, arguments, stack)

        def progress(score: Score, played: Played) -> None:
            _show_progress(score, arguments.games)
            if played.fault:
                print(f"\n{played.fault}", file=sys.stderr)
            if arguments.records:
                print(Record(played.game, {"A": first.name, "B": second.name}))

        try:
            score = play_match((first, second), rules, arguments.games, arguments.seed, progress)
        finally:
            if sys.stderr.isatty():
                print(file=sys.stderr)
    low, high = score.interval
    print(f"{first.name} against {second.name}: {score.wins} wins, {score.draws} draws, {score.losses} losses")
    print(f"share of the points {score.share:.3f} (95 % confidence {low:.3f} to {high:.3f})")
    return 0


def _contestant(text: str, rules: Options, arguments: argparse.Namespace, stack: ExitStack) -> Contestant:
    match = _LEVEL.fullmatch(text.strip())
    if match is None:
        return ProgramContestant(stack.enter_context(EngineProcess(_words(text))), arguments.movetime)
    level = {f"{level}": level for level in LEVELS}.get(match[1])
    if level is None:
        raise QuartoError(f"there is no level {match[1]}: the levels are {min(LEVELS)} to {max(LEVELS)}.")
    return LevelContestant(level, new_solver(rules, arguments))


def _words(command: str) -> list[str]:
    """The words of a program's command."""
    try:
        words = shlex.split(command)
    except ValueError as error:
        raise QuartoError(f"the command {command!r} cannot be read ({error}): close what is quoted.") from error
    if not words:
        raise QuartoError("a contestant has no name: write a level, such as level3, or the command of a program.")
    return words


def _show_progress(score: Score, games: int) -> None:
    line = f"game {score.games} of {games}: {score.wins} wins, {score.draws} draws, {score.losses} losses"
    print(f"\r{line}" if sys.stderr.isatty() else line, end="" if sys.stderr.isatty() else "\n", file=sys.stderr)


MATCH_COMMAND: Final = Command("match", "let two engines play many games against each other", _options, _run)
