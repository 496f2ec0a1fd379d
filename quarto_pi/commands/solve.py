"""`quarto-pi solve`: the exact value of a position and of every option in it."""

from __future__ import annotations

import argparse
import json
import textwrap
import time
from typing import Final

from quarto_pi.commands.command import Command
from quarto_pi.commands.options import add_search, add_variants, new_solver, variants_of
from quarto_pi.engine.retrieval import GameValue
from quarto_pi.engine.solver import Budget, Move, Option, best_value
from quarto_pi.rules import parse_position


def _options(parser: argparse.ArgumentParser) -> None:
    """Tell what `solve` can be asked for."""
    parser.add_argument("position", nargs="+", help="four ranks and the piece in hand, such as '..../.7../..../.... c'")
    add_variants(parser)
    add_search(parser)
    parser.add_argument("--value-only", action="store_true", help="leave the options out")
    parser.add_argument("--json", action="store_true", help="print one JSON object")


def _run(arguments: argparse.Namespace) -> int:
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


SOLVE_COMMAND: Final = Command("solve", "tell the exact value of a position and of every option in it", _options, _run)
