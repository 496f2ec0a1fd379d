"""A trace over a pipe: every line is answered before the next one is read."""

from __future__ import annotations

import io
import json
import signal
import subprocess
import sys
from contextlib import redirect_stderr
from itertools import pairwise
from pathlib import Path

import pytest

from quarto_pi.cli import main
from quarto_pi.referee.messages import ChooseFirst
from quarto_pi.rules import Player
from quarto_pi.words import Words
from tests.pipe.table import UIDS, PipedTable, header

pytestmark = pytest.mark.slow

TRACE = Path(__file__).parent.parent / "traces" / "short-game.trace"
SHOWN = ("--json", "--shown")
LANGUAGES: tuple[tuple[str, ...], ...] = ((), ("--language", "de"), ("--language", "zh_TW"))


def replay(*arguments: str, trace: bytes = b"") -> subprocess.CompletedProcess[bytes]:
    """Replay with this on standard input, in this process: quicker by the start of a Python and its imports."""
    out, said = io.BytesIO(), io.StringIO()
    with pytest.MonkeyPatch.context() as patch, redirect_stderr(said):
        patch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(trace)))
        patch.setattr(sys, "stdout", io.TextIOWrapper(out, write_through=True))
        try:
            code = main(["replay", *arguments])
        except SystemExit as end:
            code = end.code if isinstance(end.code, int) else 0
        return subprocess.CompletedProcess(arguments, code, out.getvalue(), said.getvalue().encode())


def test_every_line_is_answered_before_the_next_one_is_written() -> None:
    with PipedTable(header(), own_process=True) as table:
        assert table.sweep()[-1] == {"t": 100, "event": "read"}
        assert table.shown["prompt"] == "ChooseFirst"
        answers = table.put("DSQH", "offer") + table.wait(1_000)
        assert [answer["t"] for answer in answers if answer["event"] == "read"] == list(range(200, 1_300, 100))
        given = next(index for index, answer in enumerate(answers) if answer["event"] == "given")
        shown = answers[given + 1]
        assert (shown["t"], shown["event"], shown["prompt"]) == (answers[given]["t"], "shown", "PlaceThis")
        assert (shown["pieces"], shown["question"]) == (["DSQH"], False)
        assert "dark, short, square, hollow" in shown["text"]
        assert shown["lights"]["players"] == ["off", "on"]
        answers, code, complaint = table.end()
        assert [answer["event"] for answer in answers] == ["result"]
        assert (answers[0]["reason"], code, complaint) == ("unfinished", 0, "")


def test_header_and_blank_lines_are_answered_too() -> None:
    told = replay("-", *SHOWN, trace=f'{json.dumps(header())}\n\n{{"t":700,"sweep":{{}}}}\n'.encode())
    events = [json.loads(line) for line in told.stdout.splitlines()]
    assert [(event["event"], event["t"]) for event in events] == [
        ("read", 0),
        ("read", 0),
        ("shown", 700),
        ("read", 700),
    ]


def test_same_trace_tells_the_same_as_a_file_and_over_the_pipe() -> None:
    piped = replay("-", *SHOWN, trace=TRACE.read_bytes())
    assert (piped.returncode, piped.stderr) == (0, b"")
    assert replay(str(TRACE), *SHOWN).stdout == piped.stdout
    told = [line for line in piped.stdout.splitlines() if json.loads(line)["event"] not in ("read", "shown")]
    assert replay(str(TRACE), "--json").stdout.splitlines() == told
    assert replay("-", "--json", trace=TRACE.read_bytes()).stdout.splitlines() == told


def test_nothing_is_shown_twice_unless_it_is_also_said_again() -> None:
    shown = [json.loads(line) for line in replay(str(TRACE), *SHOWN).stdout.splitlines()]
    shown = [{**event, "t": 0} for event in shown if event["event"] == "shown"]
    assert len(shown) > 20
    assert all(one != other for one, other in pairwise(shown))


def test_what_is_told_is_told_in_the_language_that_was_asked_for() -> None:
    first = json.dumps(header()).encode() + b'\n{"t":100,"sweep":{}}\n'
    texts = [json.loads(replay("-", *SHOWN, *asked, trace=first).stdout.splitlines()[1])["text"] for asked in LANGUAGES]
    assert texts == [
        "Player 1: put the first piece on the giving spot.",
        Words("de").say(ChooseFirst(Player.A)),
        Words("zh_TW").say(ChooseFirst(Player.A)),
    ]
    assert len(set(texts)) == 3


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("-", "--shown"), "write --json with it"),
        (("-", "--json", "--language", "fr"), "write --shown --json with it"),
        (("-", "--json", "--shown", "--game"), "no --game"),
        (("-", *SHOWN, "--language", "xx"), "does not speak 'xx'"),
    ],
)
def test_wrong_usage_is_one_sentence(arguments: tuple[str, ...], said: str) -> None:
    told = replay(*arguments, trace=TRACE.read_bytes())
    assert (told.returncode, told.stdout, len(told.stderr.splitlines())) == (2, b"", 1)
    assert said in told.stderr.decode()


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ('{"t":300,"swe', "standard input, line 4: this is not a whole line of JSON"),
        ('{"t":99,"sweep":{}}', "standard input, line 4: 99 ms comes after 100 ms"),
        ('{"t":300,"sweep":{"e5":null}}', "standard input, line 4: 'e5' is not a cell"),
    ],
)
def test_broken_line_is_named_and_what_was_answered_before_it_stays(line: str, said: str) -> None:
    with PipedTable(header()) as table:
        assert table.sweep()[-1]["event"] == "read"
        assert table.send("")[-1]["event"] == "read"
        assert table.send(line) == []
        answers, code, complaint = table.end()
    assert (answers, code, len(complaint.splitlines())) == ([], 2, 1)
    assert said in complaint


def test_bytes_that_are_no_text_are_named_with_their_line() -> None:
    told = replay("-", *SHOWN, trace=json.dumps(header()).encode() + b'\n{"t":1,"sweep":{}}\n\xff\xfe\n')
    assert told.returncode == 2
    assert told.stderr.decode() == (
        "quarto-pi replay: standard input, line 3: this is not text in UTF-8: is it a trace?\n"
    )
    assert told.stdout.endswith(b'{"t":1,"event":"read"}\n')


def test_input_without_a_header_is_one_sentence() -> None:
    told = replay("-", *SHOWN)
    assert (told.returncode, told.stdout) == (2, b"")
    assert b"standard input, line 1: the trace is empty" in told.stderr


def test_program_ends_quietly_when_nobody_reads_its_answers() -> None:
    with subprocess.Popen(  # noqa: S603 - the tests' own command
        [sys.executable, "-m", "quarto_pi", "replay", "-", *SHOWN],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.close()
        process.stdin.write(json.dumps(header()).encode() + b"\n")
        process.stdin.flush()
        # Its answer to the header has nowhere to go.
        assert process.wait() == 1
        assert process.stderr.read() == b""
        process.stdin.close()


def test_interrupt_is_one_sentence() -> None:
    with PipedTable(header(), own_process=True) as table:
        table.sweep()
        table.signal(signal.SIGINT)
        answers, code, complaint = table.end()
    assert (answers, code, complaint) == ([], 1, "quarto-pi replay: interrupted.\n")


def test_computer_answers_within_the_time_of_the_trace() -> None:
    """It thinks while no line is late enough, and then has answered at a moment that does not depend on the lines."""
    answered = []
    for step in (50, 100, 400):
        with PipedTable(header(players=[{"level": 3}, "human"])) as table:
            table.send({"t": 100, "sweep": {}})
            assert table.shown["prompt"] == "Thinking"
            for now in range(100 + step, 1_000, step):
                table.send({"t": now, "sweep": {}})
            assert table.shown["prompt"] == "PlaceThis"
            answered.append([event for event in table.events if event["event"] == "given"])
    assert answered[0] == answered[1] == answered[2]
    assert len(answered[0]) == 1


def test_level_of_the_computer_may_be_an_object_or_words() -> None:
    levels = ({"level": 4}, "ai 4")
    first = [json.dumps(header(players=[level, "human"])) for level in levels]
    one, other = (replay("-", *SHOWN, trace=f'{line}\n{{"t":1,"sweep":{{}}}}\n'.encode()).stdout for line in first)
    assert one == other
    assert b"thinking" in one


@pytest.mark.parametrize("level", [{"level": 11}, {"level": "3"}, {"level": True}, {}, {"levle": 3}])
def test_level_that_there_is_not_is_one_sentence(level: dict[str, object]) -> None:
    told = replay("-", *SHOWN, trace=f"{json.dumps(header(players=['human', level]))}\n".encode())
    assert (told.returncode, told.stdout, len(told.stderr.splitlines())) == (2, b"", 1)
    assert b"standard input, line 1: players: " in told.stderr


def test_two_tags_on_a_square_are_told_with_the_square() -> None:
    with PipedTable(header()) as table:
        table.put("DSQH", "offer")
        table.wait(1_000)
        table.put("DSQH", "b2")
        table.wait(1_500)
        table.send({"t": table.now + 100, "sweep": {"b2": [UIDS["DSQH"], UIDS["LTRF"]]}})
        table.now += 100
        table.wait(4_000)
        assert (table.shown["prompt"], table.shown["squares"]) == ("TwoPieces", ["b2"])
        assert table.shown["lights"]["squares"] == {"b2": "take"}


@pytest.mark.parametrize("named", [(), ("DSQH",), ("LTRF", "LTRH")])
def test_several_tags_are_two_at_least_however_many_of_them_could_be_named(named: tuple[str, ...]) -> None:
    with PipedTable(header()) as table:
        table.wait(1_000)
        table.send({"t": table.now + 100, "sweep": {"b2": [UIDS[piece] for piece in named]}})
        table.now += 100
        table.wait(4_000)
        assert table.shown["text"] == "There are 2 pieces on b2. Please leave only one."


def test_nobody_is_asked_to_place_what_stands_there_when_it_is_clear_who_called() -> None:
    with PipedTable(header(offer_reader=False)) as table:
        for piece, square in ("LTRF", "a1"), ("LTRH", "b1"), ("LTQF", "c1"):
            table.put(piece, square)
            table.wait(2_000)
        for down in (True, False):
            table.now += 100
            table.send({"t": table.now, "button": "call", "down": down})
        table.wait(1_500)
        assert (table.shown["prompt"], table.shown["question"]) == ("WhoCalled", True)
        told = [*table.put("LTQH", "d1"), *table.wait(6_000)]
        (won,) = [line["text"] for line in told if line["event"] == "shown" and line["prompt"] == "Won"][:1]
        assert won == "QUARTO! Player 1 wins! a1 b1 c1 d1: all light, all tall."
