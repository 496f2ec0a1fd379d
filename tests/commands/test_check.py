"""`quarto-pi check`: names, and again and again until the reader lives."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from quarto_pi.checks import Finding
from quarto_pi.cli import main
from quarto_pi.commands.check import CLEAR, Changes

ROOT = Path(__file__).parent.parent.parent


def test_list_has_every_name_that_only_takes(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", "--simulated", "--list"]) == 0
    names = capsys.readouterr().out.split()
    assert {"search", "opening-book", "storage", "reader-a1", "button-call"} <= set(names)
    assert main(["check", "--simulated", "--json", "--only", "reader-d4", "words"]) == 0
    told = [json.loads(line)["device"] for line in capsys.readouterr().out.splitlines()]
    assert told == ["words", "reader d4"]


@pytest.mark.parametrize("words", [[], ["--json"], ["--list"]])
def test_how_often_to_look_means_nothing_to_who_looks_once(
    words: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["check", "--simulated", "--every", "5", *words]) == 2
    said = capsys.readouterr()
    assert said.out == ""
    assert said.err == "quarto-pi check: --every is how often it looks again: write --watch with it.\n"


@pytest.mark.parametrize("words", [["--list"], ["--bundle", "support.tar.gz"]])
def test_what_is_no_json_is_not_promised_as_json(words: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main(["check", "--simulated", "--json", *words])
    said = capsys.readouterr()
    assert (ended.value.code, said.out) == (2, "")
    assert "not allowed with argument --json" in said.err


def test_name_that_is_not_there_is_told(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", "--simulated", "--only", "reader_d4"]) == 2
    assert "there is no 'reader_d4' to be checked: did you mean 'reader-d4'?" in capsys.readouterr().err


def test_change_is_more_than_other_figures() -> None:
    dead = Finding("reader a1", ok=False, detail="no chip answers")
    alive = Finding("reader a1", ok=True, detail="a tag read, 2% missed")
    log = Changes()
    assert [log.takes(finding) for finding in (dead, dead, alive, alive, dead)] == [True, False, True, False, True]
    assert not log.takes(Finding("reader a1", ok=False, detail="no chip answers"))
    assert log.takes(alive)
    assert not log.takes(Finding("reader a1", ok=True, detail="a tag read, 13% missed"))
    assert [finding.detail for finding in log.latest()] == ["a tag read, 13% missed"]


@pytest.mark.slow
def test_watch_goes_on_until_it_is_interrupted_and_tells_only_what_changes() -> None:
    words = ["--simulated", "--watch", "--every", "1", "--json", "--only", "reader-a1", "words"]
    with subprocess.Popen(  # noqa: S603 - our own command
        [sys.executable, "-m", "quarto_pi", "check", *words], stdout=subprocess.PIPE, text=True, cwd=ROOT
    ) as process:
        assert process.stdout is not None
        told = [json.loads(process.stdout.readline())["device"] for _ in range(2)]
        process.send_signal(signal.SIGINT)
        assert process.stdout.read() == ""
    assert told == ["words", "reader a1"]
    assert process.returncode == 0


@pytest.mark.slow
def test_watch_draws_the_whole_table_anew_on_a_terminal() -> None:
    screen, terminal = os.openpty()
    words = ["--simulated", "--watch", "--every", "1", "--only", "reader-a1", "button-call"]
    command = [sys.executable, "-m", "quarto_pi", "check", *words]
    with subprocess.Popen(command, stdout=terminal, cwd=ROOT) as process, os.fdopen(screen, "rb", 0) as seen:  # noqa: S603
        os.close(terminal)
        shown = b""
        while shown.count(CLEAR.encode()) < 2 or shown.count(b"button call") < 2:
            shown += seen.read(4096)
        process.send_signal(signal.SIGINT)
    tables = shown.decode().split(CLEAR)
    assert [line[:17] for line in tables[1].splitlines()] == ["ok     reader a1:", "ok     button cal"]
    assert process.returncode == 0
