"""docs/engine-protocol.md tells the truth: its conversations are held with the engine, line by line."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from quarto_pi.engine.client import OUR_ENGINE, EngineFailure, EngineProcess
from quarto_pi.engine.conversation import FIRST_SECONDS, LAST_WORD_SECONDS
from quarto_pi.engine.protocol import GREETING, LONGEST_LINE, ProtocolError, parse_command

PAGE = (Path(__file__).parent.parent.parent / "docs" / "engine-protocol.md").read_text(encoding="utf-8")
TALKS = [block for block in re.findall(r"```text\n(.*?)```", PAGE, re.DOTALL) if block.startswith("> ")]


def as_pattern(line: str) -> str:
    """What a line of the page stands for, where `…` is whatever the engine said."""
    return re.escape(line).replace("…", ".+")


def hold(talk: str, engine: EngineProcess) -> None:
    """Say what the page says, and hear from the engine what stands there; further `info` lines are passed over."""
    for said in talk.splitlines():
        if said.startswith("> "):
            engine.send(said[2:])
            continue
        pattern = as_pattern(said[2:])
        line = engine.line(60)
        while line.startswith("info ") and not re.fullmatch(pattern, line):
            line = engine.line(60)
        assert re.fullmatch(pattern, line), f"{line!r} instead of {said[2:]!r}"


@pytest.mark.slow
def test_the_conversations_on_the_page_are_those_of_the_engine() -> None:
    *talks, last = TALKS
    with EngineProcess([*OUR_ENGINE, "--table-mb", "4"]) as engine:
        for talk in talks:
            # Nothing more is said than stands on the page.
            hold(f"{talk}> isready\n< readyok\n", engine)
        hold(last, engine)
        with pytest.raises(EngineFailure, match="has ended"):
            engine.line(60)
        assert engine.wait(60) == 0


def test_every_command_is_on_the_page_and_no_other() -> None:
    told = set(
        re.findall(
            r"^\| `([a-z]+)[^`|]*` \| ", PAGE.partition("## Commands")[2].partition("## Options")[0], re.MULTILINE
        )
    )
    with pytest.raises(ProtocolError) as refused:
        parse_command("?")
    assert told == set(str(refused.value).partition("choose from ")[2].rstrip(".").split(", "))


def test_every_option_is_on_the_page_and_no_other() -> None:
    told = re.findall(r"^\| `([A-Z][a-z]+)` \|", PAGE, re.MULTILINE)
    assert told == [line.split()[2] for line in GREETING if line.startswith("option ")]


def test_the_numbers_on_the_page_are_those_of_the_engine() -> None:
    for said in (
        f"more than {LONGEST_LINE:,} characters",
        f"first {FIRST_SECONDS * 1000:.0f} ms of CPU time",
        f"has {LAST_WORD_SECONDS * 1000:.0f} ms for its own last word",
    ):
        assert said in PAGE
