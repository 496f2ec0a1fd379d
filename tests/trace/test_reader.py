"""Traces that cannot be replayed: one sentence with the line's number, exit code 2, and nothing on standard output."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from quarto_pi.cli import main

HEADER = '{"trace":1,"tags":{"04A1B2C3":"LTRF","04D9E8F7":"DSQH"}}\n'
SWEEP = '{"t":100,"sweep":{"b2":"04A1B2C3"}}\n'
LATER = '{"t":200,"sweep":{}}\n'


def replay(text: str | bytes, folder: Path, capsys: pytest.CaptureFixture[str]) -> tuple[int, str, str]:
    """The exit code, what was printed, and what was complained of."""
    file = folder / "evening.trace"
    file.write_bytes(text if isinstance(text, bytes) else text.encode("utf-8", "surrogatepass"))
    code = main(["replay", "--json", str(file)])
    out, err = capsys.readouterr()
    return code, out, err


def with_header(**changes: object) -> str:
    return json.dumps({**json.loads(HEADER), **changes}) + "\n"


def with_rules(**rules: object) -> str:
    return with_header(rules=rules)


BAD_LINES = {
    "cut off in mid-line": ('{"t":200,"swe', "this is not a whole line of JSON"),
    "cut off in mid-line, and says so": ('{"t":200,"swe', "is the trace cut off here?"),
    "two objects in a line": ('{"t":200,"sweep":{}}{"t":300,"sweep":{}}\n', "not a whole line of JSON"),
    "no JSON": ("hello\n", "not a whole line of JSON (it breaks off at character 1)."),
    "a zero byte": ('{"t":200,\0"sweep":{}}\n', "not a whole line of JSON"),
    "a number": ("7\n", "this is no line of a trace"),
    "a list": ("[]\n", "this is no line of a trace"),
    "null": ("null\n", "this is no line of a trace"),
    "nested beyond all measure": ("[" * 100_000 + "\n", "not a whole line of JSON"),
    "unknown key beside a sweep": ('{"t":200,"sweep":{},"swep":{}}\n', "'swep' is not a key here"),
    "unknown key beside a button": ('{"t":200,"button":"call","down":true,"up":false}\n', "'up' is not a key here"),
    "sweep and button in one line": (
        '{"t":200,"sweep":{},"button":"call","down":true}\n',
        "'button' is not a key here",
    ),
    "neither sweep nor button": ('{"t":200}\n', 'a line needs "sweep" or "button"'),
    "nothing at all": ("{}\n", 'a line needs "sweep" or "button"'),
    "key twice": ('{"t":200,"t":300,"sweep":{}}\n', "'t' stands twice"),
    "cell twice": ('{"t":200,"sweep":{"c3":null,"c3":"04A1B2C3"}}\n', "'c3' stands twice"),
    "time backwards": ('{"t":99,"sweep":{}}\n', "99 ms comes after 100 ms"),
    "time missing": ('{"sweep":{}}\n', 'the time "t" is missing'),
    "time as text": ('{"t":"200","sweep":{}}\n', '"t" is "200"'),
    "time as a truth": ('{"t":true,"sweep":{}}\n', '"t" is true'),
    "time null": ('{"t":null,"sweep":{}}\n', '"t" is null'),
    "time negative": ('{"t":-1,"sweep":{}}\n', '"t" is -1'),
    "time not a number": ('{"t":NaN,"sweep":{}}\n', "NaN is no number"),
    "time infinite": ('{"t":Infinity,"sweep":{}}\n', "Infinity is no number"),
    "time too large for a float": ('{"t":1e999,"sweep":{}}\n', '"t" is '),
    "time too large for a clock": ('{"t":1e300,"sweep":{}}\n', '"t" is 1e+300'),
    "time with fifty digits": (f'{{"t":{"9" * 50},"sweep":{{}}}}\n', '"t" is 999'),
    "time with ten thousand digits": (f'{{"t":{"9" * 10_000},"sweep":{{}}}}\n', "a number of 10000 digits"),
    "unknown cell": ('{"t":200,"sweep":{"e5":null}}\n', "'e5' is not a cell"),
    "cell in capitals": ('{"t":200,"sweep":{"B2":null}}\n', "'B2' is not a cell"),
    "cell with a line break": ('{"t":200,"sweep":{"b\\n2":null}}\n', "is not a cell"),
    "cell that is half a character": ('{"t":200,"sweep":{"\\ud800":null}}\n', "is not a cell"),
    "sweep as a list": ('{"t":200,"sweep":["b2"]}\n', '"sweep" names its cells in braces'),
    "sweep null": ('{"t":200,"sweep":null}\n', '"sweep" names its cells in braces'),
    "cell holds a number": ('{"t":200,"sweep":{"b2":4}}\n', "says nothing about b2"),
    "cell holds false": ('{"t":200,"sweep":{"b2":false}}\n', "says nothing about b2"),
    "cell holds an object": ('{"t":200,"sweep":{"b2":{}}}\n', "says nothing about b2"),
    "cell holds a list of numbers": ('{"t":200,"sweep":{"b2":[1,2]}}\n', "says nothing about b2"),
    "UID too short": ('{"t":200,"sweep":{"b2":"04A1B2"}}\n', "is not a UID"),
    "UID with an odd digit": ('{"t":200,"sweep":{"b2":"04A1B2C"}}\n', "is not a UID"),
    "UID not in hex": ('{"t":200,"sweep":{"b2":"04A1B2CG"}}\n', "is not a UID"),
    "UID empty": ('{"t":200,"sweep":{"b2":""}}\n', "is not a UID"),
    "UID is a piece": ('{"t":200,"sweep":{"b2":"LTRF"}}\n', "is not a UID"),
    "malformed UID among several": ('{"t":200,"sweep":{"b2":["04A1B2C3","zz"]}}\n', "is not a UID"),
    "error in capitals": ('{"t":200,"sweep":{"b2":"ERROR"}}\n', "is not a UID"),
    "unknown button": ('{"t":200,"button":"call2","down":true}\n', "is not a button"),
    "button as a number": ('{"t":200,"button":0,"down":true}\n', "is not a button"),
    "button neither down nor up": ('{"t":200,"button":"call"}\n', '"down" is missing'),
    "button down as a number": ('{"t":200,"button":"call","down":1}\n', '"down" is missing or no truth value'),
    "key longer than a page": (f'{{"t":200,"{"k" * 5_000}":1}}\n', "'kkkk"),
    "second header": (HEADER, "this is a second header"),
}

BAD_HEADERS = {
    "missing": (SWEEP, "this is no header"),
    "another version": (with_header(trace=2), "this is no header"),
    "version true": (with_header(trace=True), "this is no header"),
    "version as text": (with_header(trace="1"), "this is no header"),
    "unknown key": (with_header(starts=1), "'starts' is not a key here"),
    "key twice": (HEADER.replace('"trace":1,', '"trace":1,"trace":1,'), "'trace' stands twice"),
    "unknown key in the rules": (with_rules(square=True), "rules: 'square' is not a key here: did you mean 'squares'?"),
    "rules as a list": (with_header(rules=[]), '"rules" is []'),
    "squares as a number": (with_rules(squares=1), '"squares" is 1'),
    "no trait": (with_rules(traits=[]), "rules: "),
    "unknown trait": (with_rules(traits=["color"]), "did you mean 'colour'?"),
    "trait twice": (with_rules(traits=["colour", "colour"]), "rules: "),
    "traits as text": (with_rules(traits="colour"), '"traits" is "colour"'),
    "traits as numbers": (with_rules(traits=[1]), '"traits" is [1]'),
    "unknown way of calling": (with_rules(calling="buton"), "did you mean 'button'?"),
    "calling null": (with_rules(calling=None), '"calling" is null'),
    "clock of no time": (with_rules(clock_seconds=0), '"clock_seconds" is 0'),
    "clock backwards": (with_rules(clock_seconds=-60), '"clock_seconds" is -60'),
    "clock as text": (with_rules(clock_seconds="60"), '"clock_seconds" is "60"'),
    "clock true": (with_rules(clock_seconds=True), '"clock_seconds" is true'),
    "clock not a number": (with_rules(clock_seconds=float("nan")), "NaN is no number"),
    "clock of ages": (with_rules(clock_seconds=10**30), '"clock_seconds" is 1000'),
    "unknown penalty": (with_rules(false_call="lose"), '"false_call" is "lose"'),
    "unknown time-out": (with_rules(time_out="refuse"), '"time_out" is "refuse"'),
    "tags missing": ('{"trace":1}\n', '"tags" names no tag'),
    "no tag": (with_header(tags={}), '"tags" names no tag'),
    "tags as a list": (with_header(tags=["04A1B2C3"]), '"tags" names no tag'),
    "malformed UID": (with_header(tags={"04A1": "LTRF"}), "'04A1' is not a UID"),
    "tag names no piece": (with_header(tags={"04A1B2C3": "LTRX"}), "tags: "),
    "tag names a number": (with_header(tags={"04A1B2C3": 7}), "tags: every UID is given a piece"),
    "tag twice in two ways": (with_header(tags={"04A1B2C3": "LTRF", "04:a1:b2:c3": "DSQH"}), "is there twice"),
    "one player": (with_header(players=["human"]), '"players" is'),
    "three players": (with_header(players=["human", "human", "ai"]), '"players" is'),
    "players as text": (with_header(players="human"), '"players" is "human"'),
    "unknown player": (with_header(players=["human", "robot"]), '"robot" is no player'),
    "level too high": (with_header(players=["human", "ai 11"]), '"ai 11" is no player'),
    "level of many digits": (with_header(players=["human", f"ai {'9' * 5000}"]), "is no player"),
    "level of nothing": (with_header(players=["human", "ai 0"]), '"ai 0" is no player'),
    "player null": (with_header(players=["human", None]), "is no player"),
    "starter too many": (with_header(starter=2), '"starter" is 2'),
    "starter null": (with_header(starter=None), '"starter" is null'),
    "starter true": (with_header(starter=True), '"starter" is true'),
    "starter with a fraction": (with_header(starter=1.0), '"starter" is 1.0'),
    "give place as a number": (with_header(offer_reader=1), '"offer_reader" is 1'),
    "three buttons": (with_header(buttons=3), '"buttons" is 3'),
    "undo as text": (with_header(undo="no"), '"undo" is "no"'),
    "cut off": (HEADER[:20], "is the trace cut off here?"),
    "a list": ("[1]\n", "this is no line of a trace"),
}


@pytest.mark.parametrize(("line", "said"), BAD_LINES.values(), ids=BAD_LINES)
def test_line_that_cannot_be_is_named_in_one_sentence(
    line: str, said: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    code, out, err = replay(HEADER + SWEEP + line, tmp_path, capsys)
    assert (code, out) == (2, "")
    assert err.count("\n") == 1
    assert "line 3: " in err
    assert said in err
    assert len(err) < 400


@pytest.mark.parametrize(("header", "said"), BAD_HEADERS.values(), ids=BAD_HEADERS)
def test_header_that_cannot_be_is_named_in_one_sentence(
    header: str, said: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    code, out, err = replay(header + (SWEEP if header.endswith("\n") else ""), tmp_path, capsys)
    assert (code, out) == (2, "")
    assert err.count("\n") == 1
    assert "line 1: " in err
    assert said in err
    assert len(err) < 400


@pytest.mark.parametrize("text", ["", "\n", "  \n\n"])
def test_empty_trace_lacks_its_header(text: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, out, err = replay(text, tmp_path, capsys)
    assert (code, out) == (2, "")
    assert "the trace is empty" in err
    assert "line 1" in err


@pytest.mark.parametrize(
    ("text", "line"),
    [
        (b"\xff" + HEADER.encode(), 1),
        (HEADER.encode() + b'{"t":100,"sweep":{"b2":"\xe9"}}\n', 2),
        (HEADER.encode() + SWEEP.encode() + b"\x80\n", 3),
    ],
)
def test_trace_that_is_not_utf_8_is_told_with_its_line(
    text: bytes, line: int, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    code, out, err = replay(text, tmp_path, capsys)
    assert (code, out) == (2, "")
    assert err.count("\n") == 1
    assert f"line {line}: this is not text in UTF-8" in err


def test_blank_lines_count_in_the_line_s_number(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    _, _, err = replay(f"{HEADER}\n\n{SWEEP}\n{{}}\n", tmp_path, capsys)
    assert "line 6: " in err


def test_lines_may_end_as_on_windows(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, _, err = replay((HEADER + SWEEP + LATER).replace("\n", "\r\n"), tmp_path, capsys)
    assert (code, err) == (0, "")
    _, _, err = replay((HEADER + SWEEP + "{}\n").replace("\n", "\r\n"), tmp_path, capsys)
    assert "line 3: " in err


def test_nothing_is_told_of_what_came_before_a_bad_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    sweeps = "".join(f'{{"t":{at},"sweep":{{}}}}\n' for at in range(200, 5_000, 100))
    placed = '{"trace":1,"offer_reader":false,"tags":{"04A1B2C3":"LTRF"}}\n' + SWEEP + sweeps
    code, out, _ = replay(placed, tmp_path, capsys)
    assert code == 0
    assert "placed" in out
    assert replay(placed + '{"t":1', tmp_path, capsys)[:2] == (2, "")


def test_trace_without_a_file_is_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for file in (tmp_path / "nothing.trace", tmp_path):
        assert main(["replay", "--json", str(file)]) == 2
        out, err = capsys.readouterr()
        assert out == ""
        assert err.count("\n") == 1


@pytest.mark.parametrize(
    "text",
    [
        HEADER,
        HEADER + SWEEP,
        HEADER + '{"t":0,"sweep":{"b2":[]}}\n',
        HEADER + '{"t":0,"sweep":{"b2":["04A1B2C3"]}}\n',
        HEADER + '{"t":0.4,"sweep":{"offer":"error"}}\n{"t":0.2,"sweep":{}}\n',
        HEADER + '{"t":5,"button":"menu","down":false}\n{"t":5,"button":"menu","down":false}\n',
        HEADER + '{"t":9007199254740992,"sweep":{"b2":"04:a1:b2:c3"}}\n',
        with_header(players=["ai", "ai 10"], undo=False, buttons=2, starter=1) + LATER,
        with_rules(clock_seconds=None, traits=["top", "colour"], calling="auto") + LATER,
        with_rules(clock_seconds=0.5) + SWEEP + LATER,
    ],
)
def test_unusual_trace_that_is_none_the_less_right_is_replayed(
    text: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    code, _, err = replay(text, tmp_path, capsys)
    assert (code, err) == (0, "")
