"""The line protocol: the CPU time until the engine has answered, compiled and interpreted, at its worst."""

from __future__ import annotations

import threading
import time
from types import ModuleType

from quarto_pi.engine import kernel, solver, tables
from quarto_pi.engine.conversation import Conversation
from tests.bench.measure import table
from tests.engine.worlds import COMPILED, interpreted_kernel

POSITIONS = (
    "..../..../..../.... -",
    "..../.7../..../.... c",
    "..../.7../.1../.... c",
    "..../.73./.1../..a. c",
    "..../.73./.1../2.a. c",
    "126c/..../09../.4.. f",
)
MOMENTS = (0.0, 0.002, 0.01, 0.03, 0.1, 0.3)
"""So many seconds after `go` it is told to stop."""


def run() -> None:
    """Measure and print."""
    worlds = {"compiled": kernel, "interpreted": interpreted_kernel()} if COMPILED else {"interpreted": kernel}
    measured = [_measured(world) for world in worlds.values()]
    rows = [[what, *(f"{figures[what] * 1000:.1f}" for figures in measured)] for what in measured[0]]
    table("The line protocol: CPU ms until the answer, at worst", ["", *worlds], rows)


class _Engine:
    """A conversation of which one waits for answers."""

    def __init__(self) -> None:
        self._said = threading.Event()
        self.conversation = Conversation(self._send, solver.Solver)
        self._awaited = ""

    def _send(self, line: str) -> None:
        if line.startswith(self._awaited):
            self._said.set()

    def seconds(self, *lines: str, until: str = "") -> float:
        """The CPU seconds from saying lines until an answer that begins with a word; without a word none is awaited."""
        self._awaited = until
        self._said.clear()
        begun = time.process_time()
        for line in lines:
            self.conversation.hear(line)
        if until:
            self._said.wait()
        return time.process_time() - begun


def _measured(world: ModuleType) -> dict[str, float]:
    """What is measured, with this kernel."""
    usual = {name: getattr(solver, name) for name in ("Search", "Stopped")}
    vars(solver).update({name: getattr(world, name) for name in usual})
    try:
        return {
            "stop": max(_stopped(_Engine(), position) for position in POSITIONS),
            "the end of the input": max(_left_alone(_Engine(), position) for position in POSITIONS),
            "go movetime 1": max(_in_no_time(_Engine(), position, is_ready=True) for position in POSITIONS),
            "the same before isready": max(_in_no_time(_Engine(), position, is_ready=False) for position in POSITIONS),
            "newgame": max(_begun_anew(position) for position in POSITIONS),
            "isready after it": max(_ready_again(position) for position in POSITIONS),
            "isready at first": _ready(),
        }
    finally:
        vars(solver).update(usual)


def _stopped(engine: _Engine, position: str) -> float:
    worst = 0.0
    for moment in MOMENTS:
        engine.seconds("isready", f"position {position}", "go infinite", until="readyok")
        time.sleep(moment)
        worst = max(worst, engine.seconds("stop", until="bestmove"))
    return worst


def _left_alone(engine: _Engine, position: str) -> float:
    engine.seconds("isready", f"position {position}", "go infinite", until="readyok")
    time.sleep(MOMENTS[-1])
    begun = time.process_time()
    engine.conversation.finish()
    return time.process_time() - begun


def _in_no_time(engine: _Engine, position: str, *, is_ready: bool) -> float:
    _forget_tables()
    if is_ready:
        engine.seconds("isready", until="readyok")
    engine.seconds(f"position {position}")
    spent = engine.seconds("go movetime 1", until="bestmove")
    engine.seconds("isready", until="readyok")
    return spent


def _begun_anew(position: str) -> float:
    return _after_a_search(position).seconds("newgame")


def _ready_again(position: str) -> float:
    engine = _after_a_search(position)
    engine.seconds("newgame")
    return engine.seconds("isready", until="readyok")


def _after_a_search(position: str) -> _Engine:
    engine = _Engine()
    engine.seconds(f"position {position}", "go nodes 5000", until="bestmove")
    engine.seconds("isready", until="readyok")
    return engine


def _ready() -> float:
    _forget_tables()
    return _Engine().seconds("isready", until="readyok")


def _forget_tables() -> None:
    """Have everything set up again, as in an engine that has just been started."""
    for each in vars(tables).values():
        if hasattr(each, "cache_clear"):
            each.cache_clear()
