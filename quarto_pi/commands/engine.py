"""What the engine does without a board: `quarto-pi solve`, `match`, `book`, and `engine`, its line protocol."""

from __future__ import annotations

import argparse
import json
import math
import os
import re
import shlex
import sys
import textwrap
import time
from collections import Counter
from contextlib import ExitStack
from pathlib import Path
from random import Random
from typing import Final

from quarto_pi.commands.options import Command, add_search, add_variants, new_solver, variants_of, whole_number
from quarto_pi.engine.book import (
    BOOK_FILE,
    BOOK_VARIANTS,
    BookDamaged,
    Effort,
    GameValue,
    make_section,
    read_book,
    variant_name,
    write_book,
    wrong_positions,
)
from quarto_pi.engine.client import EngineProcess
from quarto_pi.engine.conformance import ConformanceFinding, PointResult, Waits, conformance_of
from quarto_pi.engine.conversation import Conversation
from quarto_pi.engine.match import (
    Contestant,
    LevelContestant,
    Played,
    ProgramContestant,
    Score,
    draw_opening,
    play_openings,
)
from quarto_pi.engine.opponent import LEVELS
from quarto_pi.engine.protocol import Limits, bounded_lines
from quarto_pi.engine.solver import MOST_THREADS, Budget, Move, Option, best_value
from quarto_pi.rules import Options, QuartoError, Record, parse_position


def _solve_options(parser: argparse.ArgumentParser) -> None:
    """Tell what `solve` can be asked for."""
    parser.add_argument("position", nargs="+", help="four ranks and the piece in hand, such as '..../.7../..../.... c'")
    add_variants(parser)
    add_search(parser)
    parser.add_argument("--value-only", action="store_true", help="leave the options out")
    parser.add_argument("--json", action="store_true", help="print one JSON object")


def _solve(arguments: argparse.Namespace) -> int:
    """Solve one position."""
    position = parse_position(" ".join(arguments.position))
    solver = new_solver(variants_of(arguments), arguments)
    started = time.perf_counter()
    found = () if arguments.value_only else solver.options(position, Budget())
    value = best_value(found) if found else solver.value(position, Budget())
    seconds = time.perf_counter() - started
    if arguments.json:
        print(_as_json(value, None if arguments.value_only else found, solver.nodes, seconds))
    else:
        print(_as_text(value, found, solver.nodes, seconds))
    return 0


def _as_json(value: GameValue, found: tuple[Option, ...] | None, nodes: int, seconds: float) -> str:
    answer: dict[str, object] = {"value": value.word}
    if found is not None:
        answer["options"] = [
            {
                "square": None if option.square is None else option.square.name,
                "give": None if option.give is None else option.give.digit,
                "value": option.value.word,
            }
            for option in found
        ]
    return json.dumps({**answer, "nodes": nodes, "seconds": round(seconds, 6)})


def _as_text(value: GameValue, found: tuple[Option, ...], nodes: int, seconds: float) -> str:
    lines = [f"The player to move has a {value.word} here. ({nodes} nodes, {seconds:.3f} s)"]
    for outcome in GameValue:
        moves = [str(Move(option.square, option.give)) for option in found if option.value is outcome]
        if moves:
            listed = textwrap.fill(", ".join(moves), 78, initial_indent="  ", subsequent_indent="  ")
            lines.append(f"{outcome.word} ({len(moves)}):\n{listed}")
    return "\n".join(lines)


SOLVE_COMMAND: Final = Command(
    "solve", "tell the exact value of a position and of every option in it", _solve_options, _solve
)


_LEVEL = re.compile(r"level\s*(\d+)", re.IGNORECASE)


def _match_options(parser: argparse.ArgumentParser) -> None:
    """Tell what `match` can be asked for."""
    for name in ("first", "second"):
        parser.add_argument(name, help="level1 to level10, or the command line of a program that speaks the protocol")
    parser.add_argument("--games", type=whole_number(1, 1_000_000), default=100, metavar="N", help="how many (100)")
    parser.add_argument("--seed", type=whole_number(0, 2**32), default=1, metavar="N", help="repeats a match (1)")
    parser.add_argument(
        "--placed",
        type=whole_number(0, 10),
        default=0,
        metavar="N",
        help="begin with N pieces at random (0)",
    )
    parser.add_argument("--drawn", action="store_true", help="only begin with what is a draw under perfect play")
    limits = parser.add_mutually_exclusive_group()
    limits.add_argument("--movetime", type=whole_number(1, 3_600_000), metavar="MS", help="for programs, a move (1000)")
    limits.add_argument("--nodes", type=whole_number(1, 2**62), metavar="N", help="for programs, a move, instead")
    output = parser.add_mutually_exclusive_group()
    output.add_argument("--records", action="store_true", help="print every game as text")
    output.add_argument("--json", action="store_true", help="print the score as one JSON object")
    add_variants(parser)
    add_search(parser)


def _match(arguments: argparse.Namespace) -> int:
    """Play the match and print its score."""
    rules = variants_of(arguments)
    judge = new_solver(rules, arguments) if arguments.drawn else None
    faults: list[str] = []

    # Each is there twice, so that both play it from both sides.
    openings = (
        draw_opening(rules, arguments.placed, f"{arguments.seed} {number // 2}", judge)
        for number in range(arguments.games)
    )
    with ExitStack() as stack:
        first = _contestant(arguments.first, rules, arguments, stack)
        second = _contestant(arguments.second, rules, arguments, stack)

        def progress(score: Score, played: Played) -> None:
            _show_progress(score, arguments.games)
            if played.fault:
                faults.append(played.fault)
                print(f"\n{played.fault}", file=sys.stderr)
            if arguments.records:
                print(Record(played.game, {"A": first.name, "B": second.name}))

        try:
            score = play_openings((first, second), rules, openings, arguments.seed, progress)
        finally:
            if sys.stderr.isatty():
                print(file=sys.stderr)
    if arguments.json:
        print(_score_as_json(score, (first.name, second.name), faults))
    else:
        print(_score_as_text(score, (first.name, second.name)))
    return 0


def _score_as_json(score: Score, names: tuple[str, str], faults: list[str]) -> str:
    return json.dumps(
        {
            "players": names,
            "games": score.games,
            "wins": score.wins,
            "draws": score.draws,
            "losses": score.losses,
            "faults": faults,
            "share": round(score.share, 4),
            "share_95": [round(bound, 4) for bound in score.interval],
            # No number says how far ahead somebody is who has all the points.
            "elo": _finite(score.elo),
            "elo_95": [_finite(bound) for bound in score.elo_interval],
        }
    )


def _finite(elo: float) -> float | None:
    return round(elo, 1) if math.isfinite(elo) else None


def _score_as_text(score: Score, names: tuple[str, str]) -> str:
    low, high = score.interval
    least, most = score.elo_interval
    return (
        f"{names[0]} against {names[1]}: {score.wins} wins, {score.draws} draws, {score.losses} losses\n"
        f"share of the points {score.share:.3f} (95 % confidence {low:.3f} to {high:.3f})\n"
        f"Elo difference {score.elo:+.0f} (95 % confidence {least:+.0f} to {most:+.0f})"
    )


def _contestant(text: str, rules: Options, arguments: argparse.Namespace, stack: ExitStack) -> Contestant:
    match = _LEVEL.fullmatch(text.strip())
    if match is None:
        limits = Limits(nodes=arguments.nodes) if arguments.nodes else Limits(movetime_ms=arguments.movetime or 1000)
        return ProgramContestant(stack.enter_context(EngineProcess(_words(text))), limits)
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
        raise QuartoError("the command of a program is empty: write one, or for a match a level, such as level3.")
    return words


def _conformance_options(parser: argparse.ArgumentParser) -> None:
    """Tell what `conformance` can be asked for."""
    parser.add_argument("program", help="its command line, such as 'quarto-pi engine'")
    parser.add_argument(
        "--wait", type=whole_number(1, 3600), default=10, metavar="SECONDS", help="for an answer, at most (10)"
    )
    parser.add_argument("--json", action="store_true", help="print one JSON object a point")


def _conformance(arguments: argparse.Namespace) -> int:
    """Try every point; 1 if one failed."""
    words = _words(arguments.program)
    counts = Counter[PointResult]()
    for finding in conformance_of(lambda: EngineProcess(words), Waits(answer=arguments.wait)):
        counts[finding.result] += 1
        print(_point_as_json(finding) if arguments.json else _point_as_text(finding), flush=True)
    if not arguments.json:
        print(", ".join(f"{counts[result]} {result.told}" for result in PointResult))
    return 1 if counts[PointResult.FAILED] else 0


def _point_as_json(finding: ConformanceFinding) -> str:
    return json.dumps(
        {
            "point": finding.point,
            "result": finding.result.value.lower(),
            "expected": finding.expected,
            "seen": finding.seen or None,
        }
    )


def _point_as_text(finding: ConformanceFinding) -> str:
    line = f"{finding.result.value}  {finding.point}: {finding.expected}"
    return f"{line}\n      seen: {finding.seen}" if finding.seen else line


CONFORMANCE_COMMAND: Final = Command(
    "conformance", "try whether a program keeps to the engine protocol", _conformance_options, _conformance
)


def _show_progress(score: Score, games: int) -> None:
    line = f"game {score.games} of {games}: {score.wins} wins, {score.draws} draws, {score.losses} losses"
    print(f"\r{line}" if sys.stderr.isatty() else line, end="" if sys.stderr.isatty() else "\n", file=sys.stderr)


MATCH_COMMAND: Final = Command("match", "let two engines play many games against each other", _match_options, _match)


def _book_options(parser: argparse.ArgumentParser) -> None:
    """Tell what `book` can be asked for."""
    parser.add_argument(
        "work", choices=("build", "verify"), metavar="build|verify", help="build: write the book; verify: compare it"
    )
    parser.add_argument("--file", type=Path, default=BOOK_FILE, help="the book (default: the one that is installed)")
    parser.add_argument("--sample", type=whole_number(0, 2**32), metavar="SEED", help="verify only a random sample")
    parser.add_argument("--table-mb", type=whole_number(1, 16384), default=1024, metavar="N", help="in all (1024)")
    parser.add_argument(
        "--threads",
        type=whole_number(1, MOST_THREADS),
        default=min(os.cpu_count() or 1, MOST_THREADS),
        metavar="N",
        help="how many search at the same time, with one table (as many as the machine has cores)",
    )


def _book(arguments: argparse.Namespace) -> int:
    """Build or verify; 1 if a value is wrong or the book cannot be read."""
    effort = Effort(arguments.table_mb, arguments.threads, _tell)
    if arguments.work == "build":
        write_book(arguments.file, {variant: make_section(variant, effort) for variant in BOOK_VARIANTS})
        print(f"{arguments.file}: {arguments.file.stat().st_size} bytes")
        return 0
    try:
        sections = read_book(arguments.file)
    except BookDamaged as error:
        print(f"quarto-pi book: {error} Make it anew with 'quarto-pi book build'.", file=sys.stderr)
        return 1
    sample = None if arguments.sample is None else Random(arguments.sample)  # noqa: S311 - repeatable on purpose
    wrong = 0
    for variant, section in sections.items():
        for laid in wrong_positions(variant, section, sample, effort):
            wrong += 1
            print(f"{variant_name(variant)}: wrong value for {laid}")
        print(f"{variant_name(variant)}: {section.positions} positions, {wrong} wrong so far")
    return 1 if wrong else 0


def _tell(line: str) -> None:
    print(f"\r{line}" if sys.stderr.isatty() else line, end="" if sys.stderr.isatty() else "\n", file=sys.stderr)


BOOK_COMMAND: Final = Command(
    "book", "make the opening book anew, or work it out again and compare", _book_options, _book
)


NICENESS = 10


def _engine_options(parser: argparse.ArgumentParser) -> None:
    """Tell what `engine` can be asked for."""
    add_search(parser)


def _engine(arguments: argparse.Namespace) -> int:
    """Talk until `quit`, or until nobody is there any more."""
    # Whoever needs the machine more comes first: a sweep of the readers, a screen.
    os.setpriority(os.PRIO_PROCESS, 0, max(NICENESS, os.getpriority(os.PRIO_PROCESS, 0)))
    conversation = Conversation(
        send=lambda line: print(line, flush=True), new_solver=lambda rules: new_solver(rules, arguments)
    )
    try:
        for line in () if sys.stdin is None else bounded_lines(sys.stdin.readline):
            if not conversation.hear(line):
                break
        conversation.finish()
    finally:
        # A search that goes on would answer while the program ends: after Ctrl-C it is stopped first.
        conversation.close()
    return 0


ENGINE_COMMAND: Final = Command(
    "engine", "speak the engine protocol on standard input and output", _engine_options, _engine
)
