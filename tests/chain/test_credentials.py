"""The credentials of a board: refused in one sentence where they are somebody else's, or for others to read."""

from __future__ import annotations

from pathlib import Path

import pytest

from quarto_pi.chain.credentials import CredentialsRefused, read_credentials


def written(tmp_path: Path, content: bytes, mode: int = 0o600) -> Path:
    file = tmp_path / "credentials"
    file.write_bytes(content)
    file.chmod(mode)
    return file


def test_one_line_with_name_and_password_is_read(tmp_path: Path) -> None:
    credentials = read_credentials(written(tmp_path, b"north-1:a:b c\n"), "north-1")
    assert (credentials.name, credentials.password) == ("north-1", "a:b c")


def test_password_is_not_shown(tmp_path: Path) -> None:
    assert "hidden" not in repr(read_credentials(written(tmp_path, b"north-1:hidden"), "north-1"))


@pytest.mark.parametrize(
    ("content", "mode", "said"),
    [
        (b"north-1:secret", 0o644, "others can read"),
        (b"north-1:secret", 0o640, "others can read"),
        (b"north-2:secret", 0o600, "are those of 'north-2'"),
        (b"secret", 0o600, "are not one line NAME:PASSWORD"),
        (b"north-1:", 0o600, "are not one line NAME:PASSWORD"),
        (b"north-1:se\ncret", 0o600, "are not one line NAME:PASSWORD"),
        (b"", 0o600, "are not one line NAME:PASSWORD"),
        (b"north-1:\xff\xfe", 0o600, "are no text"),
    ],
)
def test_others_are_refused_in_one_sentence(tmp_path: Path, content: bytes, mode: int, said: str) -> None:
    with pytest.raises(CredentialsRefused, match=said) as refused:
        read_credentials(written(tmp_path, content, mode), "north-1")
    assert "secret" not in f"{refused.value}"


def test_file_that_is_not_there_is_told_with_what_makes_it(tmp_path: Path) -> None:
    with pytest.raises(CredentialsRefused, match="quarto-pi hub add"):
        read_credentials(tmp_path / "none", "north-1")
