"""`quarto-pi replay` of traces: what is told of an evening, and files as they come from other programs."""

from __future__ import annotations

import codecs
import io
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


EVENING = trace_of({**HEADER, "starter": 0}, {}, {"offer": UID["LTRF"]}, 30, {"offer": None, "a1": UID["LTRF"]}, 30)
"""A piece is given and placed."""


class Piped:
    """Standard input with these bytes in it."""

    def __init__(self, data: bytes) -> None:
        self.buffer = io.BytesIO(data)


@pytest.mark.parametrize("live", [False, True], ids=["file", "pipe"])
@pytest.mark.parametrize("mark", [b"", codecs.BOM_UTF8], ids=["no mark", "mark"])
@pytest.mark.parametrize("ending", ["\n", "\r\n"], ids=["LF", "CRLF"])
def test_trace_that_an_editor_on_windows_has_saved_is_read(
    live: bool,
    mark: bytes,
    ending: str,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    data = mark + EVENING.replace("\n", ending).encode()
    (tmp_path / "evening.trace").write_bytes(data)
    monkeypatch.setattr("sys.stdin", Piped(data))
    assert main(["replay", "--json", *(("--shown", "-") if live else (str(tmp_path / "evening.trace"),))]) == 0
    told = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [line["event"] for line in told if line["event"] in ("given", "placed")] == ["given", "placed"]


@pytest.mark.parametrize("words", [(), ("--game",), ("--json", "--shown")], ids=["trace", "records", "pipe"])
@pytest.mark.parametrize("coding", ["utf-16", "utf-16-le", "utf-16-be"])
def test_utf_16_is_told_by_its_name(
    words: tuple[str, ...],
    coding: str,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    file = tmp_path / "evening.trace"
    file.write_bytes(EVENING.encode(coding))
    monkeypatch.setattr("sys.stdin", Piped(file.read_bytes()))
    assert main(["replay", *words, "-" if "--shown" in words else str(file)]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    where = "standard input, line 1" if "--shown" in words else f"{file}"
    assert err == f"quarto-pi replay: {where}: this is text in UTF-16: save it as UTF-8 and try again.\n"


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


@pytest.mark.parametrize(("count", "events"), [(2, ["mismatch", "resolved"]), (3, [])])
def test_pieces_of_another_game_are_cleared_and_differ_from_none(
    count: int, events: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file, cells = tmp_path / "evening.trace", ("a1", "b2", "c3")[:count]
    standing = dict(zip(cells, UID.values(), strict=False))
    file.write_text(trace_of({**HEADER, "starter": 0}, standing, 30, dict.fromkeys(cells), 40))
    assert main(["replay", "--json", "--shown", str(file)]) == 0
    told = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [line["event"] for line in told if line["event"] not in ("shown", "read")] == events
    prompts = dict.fromkeys(line["prompt"] for line in told if line["event"] == "shown")
    assert list(prompts) == ["ChooseFirst", "ClearTheBoard" if count == 3 else "NotGivenYet"]
