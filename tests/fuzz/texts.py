"""Files and texts from outside: read, or refused in one sentence; what was read survives being written again."""

from __future__ import annotations

import random
from pathlib import Path
from tempfile import TemporaryDirectory

from quarto_pi.chain.credentials import read_credentials
from quarto_pi.config import parse_config, read_config
from quarto_pi.devices.readers.fields import read_calibration, write_calibration
from quarto_pi.first_start.taking_over import SETTINGS_FILE, TakingPlaces, take_over_settings
from quarto_pi.referee import Answer, Ask, Settings
from quarto_pi.rules import parse_digit, parse_piece, parse_position, parse_record, parse_square, parse_traits
from quarto_pi.sensing.tags import TagTable, format_tags, parse_tags, parse_uid
from quarto_pi.trace.format import header_of, read_trace
from quarto_pi.trace.replay import replay
from quarto_pi.trace.story import as_json, as_text
from quarto_pi.words import Words
from tests.chaos.computer import plan_of
from tests.fuzz.verdict import Broken, refused_in_a_sentence


def as_words(data: bytes) -> str:
    """The text in these bytes; what is no text at all is refused where files are read."""
    return data.decode("utf-8", "replace")


def tags(data: bytes) -> None:
    """The tags file."""
    with refused_in_a_sentence():
        table = parse_tags(as_words(data))
        if parse_tags(format_tags(table)).pieces.items() != table.pieces.items():
            raise Broken("the tags are others after being written and read again")


def configuration(data: bytes) -> None:
    """The configuration file; what is accepted can be begun with."""
    with refused_in_a_sentence():
        config = parse_config(as_words(data))
        header_of(config.settings, TagTable(), 0)


def owner(data: bytes) -> None:
    """The settings file on a card, taken over twice; what is said about it, and what it has become."""
    with TemporaryDirectory() as folder:
        root = Path(folder)
        places = TakingPlaces(root / "boot", root / "etc", root / "networks", root / "answers.json")
        places.card.mkdir()
        places.config.mkdir()
        # The phone's answers are whatever stands behind a line of four dashes.
        said, _, answered = data.partition(b"\n----\n")
        (places.card / SETTINGS_FILE).write_bytes(said)
        places.answers.write_bytes(answered)
        told = Words("de").settings_file(take_over_settings(places).mistakes)
        if not all(line.isprintable() for line in told.splitlines()):
            raise Broken(f"this is not one printable line each: {told!r}")
        if places.drop_in.exists():
            read_config(places.drop_in)
        # Without a secret that was in another encoding than the rest, the rest may be read as what it is.
        take_over_settings(places)
        before = {file: file.read_bytes() for file in root.rglob("*") if file.is_file()}
        if take_over_settings(places).news or {file: file.read_bytes() for file in before} != before:
            raise Broken("taken over again it is something else")


def chain_folder(data: bytes) -> None:
    """The three files of a chain on a card: taken over or told why not, and the same again at the next start."""
    with TemporaryDirectory() as folder:
        root = Path(folder)
        places = TakingPlaces(root / "boot", root / "etc", root / "networks", root / "answers.json")
        (places.card / "chain").mkdir(parents=True)
        places.config.mkdir()
        for name, content in zip(("credentials", "ca.pem", "chain.toml"), data.split(b"\n----\n", 2), strict=False):
            (places.card / "chain" / name).write_bytes(content)
        mistakes = take_over_settings(places).mistakes
        told = Words("de").settings_file(mistakes)
        if not all(line.isprintable() for line in told.splitlines()) or len(mistakes) > 1:
            raise Broken(f"this is not one printable line: {told!r}")
        chain = read_config(places.drop_in).chain if places.drop_in.exists() else None
        if (chain is None) is not bool(mistakes) or (places.card / "chain").exists() is not bool(mistakes):
            raise Broken(f"the board is on {chain}, and this is told: {told!r}")
        if chain is not None:
            read_credentials(chain.credentials_file, chain.board)
        again = take_over_settings(places)
        if again.news or again.mistakes != mistakes:
            raise Broken("taken over again it is something else")


def calibration(data: bytes) -> None:
    """The calibration file."""
    with TemporaryDirectory() as folder, refused_in_a_sentence():
        file = Path(folder) / "apart.toml"
        file.write_bytes(data)
        apart = read_calibration(file)
        write_calibration(file, apart)
        if read_calibration(file) != apart:
            raise Broken("the calibration is another one after being written and read again")


def trace(data: bytes) -> None:
    """A table trace, replayed if it can be."""
    with refused_in_a_sentence():
        read = read_trace(as_words(data).splitlines(keepends=True), Settings(), 3, foreign=data[-1:] == b" ")
        for told in replay(read, any_answer):
            as_json(told.at, told.report)
            as_text(told.report)


def record(data: bytes) -> None:
    """The record of a game, played again by the rules."""
    with refused_in_a_sentence():
        read = parse_record(as_words(data))
        again = parse_record(str(read))
        if (again.game.position, again.game.result) != (read.game.position, read.game.result):
            raise Broken("the game is another one after being written and read again")


def notation(data: bytes) -> None:
    """Positions, pieces, squares, traits and UIDs, as people type them."""
    text = as_words(data)
    with refused_in_a_sentence():
        position = parse_position(text)
        if parse_position(str(position)) != position:
            raise Broken("the position is another one after being written and read again")
    for parse in (parse_piece, parse_square, parse_traits, parse_digit, parse_uid):
        with refused_in_a_sentence():
            parse(text)


def any_answer(ask: Ask) -> Answer:
    """The computer's side: any legal plan will do."""
    return Answer(ask.at, ask.number, plan_of(ask, random.Random(ask.at)))
