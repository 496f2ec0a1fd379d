"""The section `[chain]`: the broker that a board tells what it does, and who the board is there."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from quarto_pi.chain.topics import BoardNameError, check_board_name
from quarto_pi.config.section import Section


@dataclass(frozen=True, slots=True)
class ChainConfig:
    """Where the broker is, whom to believe that it is the one, the board's name there, and the file that proves it.

    `ca` is a file with the authority that has signed the broker's certificate; empty: any that the system believes.
    """

    broker: str = ""
    port: int = 8883
    tls: bool = True
    ca: str = ""
    board: str = ""
    credentials: str = ""
    home_assistant: bool = False

    @property
    def credentials_file(self) -> Path:
        """Where the credentials lie."""
        return Path(self.credentials).expanduser()


def read_chain(section: Section) -> ChainConfig | None:
    """The section `[chain]`."""
    plain = ChainConfig()
    present = section.take("present", True)
    chain = ChainConfig(
        section.take("broker", plain.broker),
        section.take("port", plain.port),
        section.take("tls", plain.tls),
        section.take("ca", plain.ca),
        section.take("board", plain.board),
        section.take("credentials", plain.credentials),
        section.take("home_assistant", plain.home_assistant),
    )
    section.close()
    if not present:
        return None
    if not chain.broker or not chain.broker.isascii() or not chain.broker.isprintable() or " " in chain.broker:
        raise section.wrong("broker", chain.broker, "write the broker's name or address, such as hub.local")
    if not 1 <= chain.port <= 65_535:
        raise section.wrong("port", chain.port, "write 1 to 65535, such as 8883")
    try:
        check_board_name(chain.board)
    except BoardNameError as error:
        raise section.wrong("board", chain.board, f"{error}".rstrip(".")) from error
    if not chain.credentials:
        raise section.wrong("credentials", "", "name the file that 'quarto-pi hub add' has made for this board")
    return chain
