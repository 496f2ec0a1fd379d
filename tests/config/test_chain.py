"""The section of a board on a chain: there or not, and what is wrong in it in one sentence with its key."""

from __future__ import annotations

import pytest

from quarto_pi.config import ChainConfig, ConfigError, parse_config

WHOLE = '[chain]\nbroker = "hub.local"\nboard = "north-1"\ncredentials = "/etc/quarto-pi/chain/credentials"\n'


def test_board_stands_alone_unless_its_configuration_says_otherwise() -> None:
    assert parse_config("").chain is None
    assert parse_config("[chain]\npresent = false\n").chain is None


def test_section_with_what_has_to_be_said_uses_tls_at_its_usual_port() -> None:
    credentials = "/etc/quarto-pi/chain/credentials"
    assert parse_config(WHOLE).chain == ChainConfig("hub.local", 8883, True, "", "north-1", credentials, False)


@pytest.mark.parametrize(
    ("written", "key", "said"),
    [
        ('broker = ""', "broker", "hub.local"),
        ('broker = "hub local"', "broker", "hub.local"),
        ("port = 0", "port", "1 to 65535"),
        ('board = "North 1"', "board", "a to z, 0 to 9 and -"),
        ('board = "hub"', "board", "the hub's own name"),
        ('credentials = ""', "credentials", "quarto-pi hub add"),
        ("tls = 1", "tls", "true or false"),
        ('user = "me"', "user", "is not a key of this section"),
    ],
)
def test_what_is_wrong_is_told_with_its_key(written: str, key: str, said: str) -> None:
    name = written.partition(" ")[0]
    lines = [line for line in WHOLE.splitlines() if line.partition(" ")[0] != name]
    with pytest.raises(ConfigError, match=said) as wrong:
        parse_config("\n".join([*lines, written, ""]))
    assert wrong.value.at == ("chain", key)
