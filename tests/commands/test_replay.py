"""`quarto-pi replay` of traces: what is told of an evening, and files as they come from other programs."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from quarto_pi.cli import main
from quarto_pi.rules import PIECES

TAGS = {f"04{piece.number:02X}A1B2": piece.letters for piece in PIECES}
UID = {letters: uid for uid, letters in TAGS.items()}
HEADER: dict[str, Any] = {"trace": 1, "tags": TAGS}


def trace_of(header: dict[str, Any], *steps: dict[str, Any] | str | int) -> str:
    """A trace: cells that change, a button that is pressed, or so many sweeps in which nothing happens."""
    lines, at = [header], 0
    for step in steps:
        at += 100
        if isinstance(step, str):
            lines += [{"t": at, "button": step, "down": True}, {"t": at, "button": step, "down": False}]
        elif isinstance(step, dict):
            lines.append({"t": at, "sweep": step})
        else:
            lines += [{"t": at + 100 * number, "sweep": {}} for number in range(step)]
            at += 100 * step
    return "".join(f"{json.dumps(line)}\n" for line in lines)


def test_who_loses_by_a_false_call_is_told_once_and_why(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "evening.trace"
    rules = {"false_call": "forfeit"}
    given, placed = {"offer": UID["LTRF"]}, {"offer": None, "a1": UID["LTRF"]}
    header = {**HEADER, "rules": rules, "starter": 0, "buttons": 2}
    file.write_text(trace_of(header, {}, given, 30, placed, 30, "call1", 10))
    assert main(["replay", "--json", "--shown", str(file)]) == 0
    told = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    (result,) = [line for line in told if line["event"] == "result"]
    assert result["reason"] == "forfeit"
    shown = [line["text"] for line in told if line["event"] == "shown" and "doesn't count" in line["text"]]
    assert shown == ["Player 2: there's no Quarto. That QUARTO doesn't count. Player 2 loses this game."]
