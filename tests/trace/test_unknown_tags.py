"""Tags that the header does not name: a mistake, one of its own read wrongly, or things that are no pieces."""

import json
from pathlib import Path

import pytest

from quarto_pi.cli import main
from quarto_pi.rules import PIECES

HEADER = {"trace": 1, "tags": {"04A1B2C3": "LTRF", "04D9E8F7": "DSQH"}}


ALL = {"trace": 1, "tags": {f"04{piece.number:02X}A1B2": piece.letters for piece in PIECES}}


def trace(folder: Path, *sweeps: dict[str, object], header: object = HEADER) -> str:
    file = folder / "evening.trace"
    lines = [header, *({"t": 100 * at, "sweep": sweep} for at, sweep in enumerate(sweeps))]
    file.write_text("".join(f"{json.dumps(line)}\n" for line in lines))
    return str(file)


def test_tag_that_is_not_named_is_a_mistake(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["replay", "--json", trace(tmp_path, {}, {"b2": "DEADBEEF"})]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.count("\n") == 1
    assert "line 3: the tag DEADBEEF on b2 is none of the header's tags" in err


def test_named_tag_that_was_read_wrongly_is_no_mistake(tmp_path: Path) -> None:
    assert main(["replay", trace(tmp_path, {"b2": "04A1B2C7"}, {"b2": None})]) == 0


def test_things_that_are_no_pieces_may_be_expected(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    sweeps: list[dict[str, object]] = [
        {"b2": "DEADBEEF"},
        *({} for _ in range(30)),
        {"b2": None},
        *({} for _ in range(30)),
    ]
    assert main(["replay", "--json", "--foreign", trace(tmp_path, *sweeps)]) == 0
    told = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [line["event"] for line in told] == ["mismatch", "resolved"]
    assert told[0]["fix"] == [{"square": "b2", "found": "DEADBEEF", "expected": None}]


def test_where_all_pieces_have_tags_another_tag_is_judged_as_on_the_table(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    sweeps: list[dict[str, object]] = [{"b2": "DEADBEEF"}, *({} for _ in range(30)), {"b2": None}]
    recorded = trace(tmp_path, *sweeps, *({} for _ in range(30)), header=ALL)
    assert main(["replay", "--json", recorded]) == 0
    told = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [line["event"] for line in told] == ["mismatch", "resolved"]
    assert told[0]["fix"] == [{"square": "b2", "found": "DEADBEEF", "expected": None}]
