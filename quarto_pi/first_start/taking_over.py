"""From the owner's file and the phone's answers to the configuration and the Wi-Fi; what is said last counts.

Each step is a whole file or none, and every start takes all steps again, so a plug that is pulled between two of them
changes nothing: first the Wi-Fi and the files of a chain, then the configuration, then what the file said, and only
then secrets are taken out of the file and off the card.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path
from typing import Final

from quarto_pi.chain.credentials import SECTION_FILE
from quarto_pi.config.layers import DROP_INS
from quarto_pi.config.section import KeyPath
from quarto_pi.files import put_whole, sync_folder
from quarto_pi.first_start.chain_folder import ChainOnCard, look_for_chain, take_off_card
from quarto_pi.first_start.chain_keeping import (
    CHAIN_PRESENT,
    forget_other_chains,
    is_right_after,
    keep_chain_files,
    values_off_chain,
    values_with_chain,
    values_without_chain,
)
from quarto_pi.first_start.drop_in import DROP_IN, EXPECTED, SaidValue, as_toml_file, read_drop_in
from quarto_pi.first_start.mistakes import Mistaken, SettingsMistake, WrongSetting
from quarto_pi.first_start.owner_settings import (
    CHAIN,
    NETWORK_EXPECTED,
    OWNER_NAMES,
    OWNER_SETTINGS,
    SECRETS,
    WIFI_NAME,
    WIFI_PASSWORD,
    as_keys_of_file,
    find_owner_setting,
    leaving,
    wifi_of,
)
from quarto_pi.first_start.set_up import WifiNetwork
from quarto_pi.first_start.settings_text import (
    TAKEN_OVER,
    SaidByOwner,
    SaidLine,
    decode_settings,
    parse_settings,
    settings_template,
    without_secrets,
)

SETTINGS_FILE: Final = "quarto-pi.txt"
_ITS_NAMES: Final = frozenset(
    {SETTINGS_FILE, "quarto-pi.txt.txt", "quarto-pi", "quarto-pi.rtf", "quarto-pi.txt.rtf", "quarto-pi.text"}
)
MEMORY_FILE: Final = "first-start.json"
KEYFILE: Final = "quarto-pi.nmconnection"
FOR_ROOT: Final = 0o600
FOR_ROOT_AND_BOARD: Final = 0o640


@dataclass(frozen=True, slots=True)
class TakingPlaces:
    """Where everything is: the card's folder, the configuration's, NetworkManager's, and the phone's answers.

    `group` and `owner` are those of the board, where it has a user of its own; `file` is the configuration's own.
    """

    card: Path
    config: Path
    networks: Path
    answers: Path
    group: int | None = None
    owner: int | None = None
    file: str = "quarto-pi.toml"

    @property
    def drop_in(self) -> Path:
        """The part of the configuration that is written here."""
        return self.config / DROP_INS / DROP_IN

    @property
    def memory(self) -> Path:
        """What the file said when it was taken over last."""
        return self.config / MEMORY_FILE


@dataclass(frozen=True, slots=True)
class TakenOver:
    """What counts now, by the names that owners write, what of it is new, and what is wrong with the file."""

    said: Mapping[str, str]
    news: tuple[str, ...] = ()
    mistakes: tuple[SettingsMistake, ...] = ()


@dataclass
class _Memory:
    lines: dict[str, str] = field(default_factory=dict)
    answers: str = ""
    chain: dict[str, str] = field(default_factory=dict)
    """The digests of the files of a chain that were taken over last."""

    def text(self) -> bytes:
        chain = {"chain": self.chain} if self.chain else {}
        return (json.dumps({"lines": self.lines, "answers": self.answers, **chain}, ensure_ascii=False) + "\n").encode()


def is_set_up(config: Path) -> bool:
    """Whether somebody has said anything, on the card or with a phone, to the board with this configuration file.

    A chain alone is not enough: who has put it on the card may want to name the Wi-Fi with a phone.
    """
    drop_in = config.parent / DROP_INS / DROP_IN
    values = read_drop_in(drop_in)
    return drop_in.exists() and (not values or bool(values_without_chain(values)))


def take_over_settings(places: TakingPlaces) -> TakenOver:
    """Take over what is new in the file, and what a phone has answered since."""
    memory = _read_memory(places.memory)
    files = _settings_files(places.card)
    mistakes = [SettingsMistake(WrongSetting.TWO_FILES, written=files[0].name)] if len(files) > 1 else []
    owner = _said(files[0] if files else None, mistakes)
    values = read_drop_in(places.drop_in)
    news: list[str] = []
    if owner is not None:
        before = memory.lines
        wifi = _wifi(owner.said, before, mistakes)
        news = _take_file(owner, wifi, memory, values, mistakes)
        _keep_wifi(places.networks, wifi, forgotten=WIFI_NAME in before and WIFI_NAME not in memory.lines)
        if CHAIN in news:
            values = values_off_chain(values) if CHAIN in memory.lines else _not_left(values)
    chain = look_for_chain(places.card, memory.chain, mistakes)
    with_chain = _with_chain(places, values, chain, mistakes)
    if with_chain is not None:
        values, memory.chain = with_chain, chain.digests
        news.append(CHAIN)
    answers = _read_answers(places.answers)
    if answers and memory.answers != answers.digest:
        values.update(as_keys_of_file(answers.values))
        if answers.network_expected:
            values[EXPECTED] = True
        memory.answers = answers.digest
        news += answers.values
    if values or places.drop_in.exists():
        places.drop_in.parent.mkdir(parents=True, exist_ok=True)
        _put(places.drop_in, as_toml_file(values), FOR_ROOT_AND_BOARD, places.group)
    if memory.lines or memory.answers or memory.chain or places.memory.exists():
        _put(places.memory, memory.text(), FOR_ROOT)
    forget_other_chains(places.config, values)
    _tidy(places.card, files, memory.lines)
    if with_chain is not None or chain.is_left_over:
        take_off_card(places.card, chain.files)
    return TakenOver(_by_name(values), tuple(dict.fromkeys(news)), tuple(mistakes))


def _take_file(
    owner: SaidByOwner,
    wifi: WifiNetwork | None,
    memory: _Memory,
    values: dict[KeyPath, SaidValue],
    mistakes: list[SettingsMistake],
) -> list[str]:
    """Put into the values and the memory what the file says anew; the names of what is new."""
    before, accepted = memory.lines, _accepted(owner.said, mistakes)
    gone = before.keys() - owner.said.keys()
    fresh = {name: value for name, value in accepted.items() if name in SECRETS or before.get(name) != value}
    for path in (*as_keys_of_file(dict.fromkeys(gone, "")), *([EXPECTED] if WIFI_NAME in gone else [])):
        values.pop(path, None)
    values.update(as_keys_of_file(fresh))
    if wifi is not None:
        if wifi.name != before.get(WIFI_NAME):
            values[EXPECTED] = True
        accepted |= {WIFI_NAME: wifi.name, **({WIFI_PASSWORD: TAKEN_OVER} if wifi.password else {})}
    kept = {name: before[name] for name in owner.said if name in before}
    lines = kept | {name: TAKEN_OVER if name in SECRETS else value for name, value in accepted.items()}
    memory.lines = {name: lines[name] for name in OWNER_NAMES if name in lines}
    return [name for name in memory.lines if name in fresh or memory.lines[name] != before.get(name)] + sorted(gone)


def _with_chain(
    places: TakingPlaces,
    values: Mapping[KeyPath, SaidValue],
    chain: ChainOnCard,
    mistakes: list[SettingsMistake],
) -> dict[KeyPath, SaidValue] | None:
    """The values with the chain of the card, once its files are beside the configuration; None: nothing is new."""
    if chain.said is None:
        return None
    after = values_with_chain(values, chain.said, places.config)
    if not is_right_after(places.config / places.file, places.drop_in, values, after):
        mistakes.append(SettingsMistake(WrongSetting.CHAIN_CHANGED, written=SECTION_FILE))
        return None
    keep_chain_files(places.config, chain.said, places.owner)
    return after


def _not_left(values: Mapping[KeyPath, SaidValue]) -> dict[KeyPath, SaidValue]:
    """The values without the word that the board has left its chain, where it stands among them."""
    return dict(values) if values.get(CHAIN_PRESENT, True) else values_without_chain(values)


# --- The file on the card ---------------------------------------------------------------------------------------------


def _settings_files(card: Path) -> list[Path]:
    """The settings file, by whatever name an editor has saved it; of several the newest first."""
    if not card.is_dir():
        return []
    found = [file for file in card.iterdir() if file.name.casefold() in _ITS_NAMES and file.is_file()]
    return sorted(found, key=lambda file: (-file.stat().st_mtime_ns, file.name != SETTINGS_FILE))


def _said(file: Path | None, mistakes: list[SettingsMistake]) -> SaidByOwner | None:
    if file is None:
        return None
    try:
        owner = parse_settings(decode_settings(file.read_bytes()).text)
    except Mistaken as error:
        mistakes.append(error.mistake)
        return None
    mistakes += owner.mistakes
    return owner


def _accepted(said: Mapping[str, SaidLine], mistakes: list[SettingsMistake]) -> dict[str, str]:
    """The values that are right, in the way in which the configuration has them."""
    accepted = {}
    for row in OWNER_SETTINGS:
        line = said.get(row.name)
        if line is None or line.value == TAKEN_OVER:
            continue
        try:
            accepted[row.name] = row.value(line.value)
        except Mistaken as error:
            mistakes.append(_at(line.line, error))
    if CHAIN in said:
        try:
            accepted[CHAIN] = leaving(said[CHAIN].value)
        except Mistaken as error:
            mistakes.append(_at(said[CHAIN].line, error))
    return accepted


def _wifi(
    said: Mapping[str, SaidLine], before: Mapping[str, str], mistakes: list[SettingsMistake]
) -> WifiNetwork | None:
    """The Wi-Fi that the file names anew; None where it names none, or the one that is known."""
    nothing = SaidLine("", 0)
    name, password = said.get(WIFI_NAME, nothing), said.get(WIFI_PASSWORD, nothing)
    is_known = name.value == before.get(WIFI_NAME)
    if password.value == TAKEN_OVER:
        if is_known or not name.value:
            return None
        # The password that was taken over is that of another network.
        password = SaidLine("?", password.line)
    elif not name.value and not password.value:
        return None
    try:
        return wifi_of(name.value, password.value)
    except Mistaken as error:
        is_name = error.mistake.what is WrongSetting.WIFI_NAME
        mistakes.append(_at((name.line if is_name else 0) or password.line or name.line, error))
        return None


def _at(line: int, error: Mistaken) -> SettingsMistake:
    found = error.mistake
    return SettingsMistake(found.what, line, found.written, found.known)


def _tidy(card: Path, files: Sequence[Path], lines: Mapping[str, str]) -> None:
    """Take secrets out of the files that were taken over; where there is none, put one there that says what counts."""
    if not files and card.is_dir():
        _put(card / SETTINGS_FILE, settings_template(lines))
    taken = {name for name in SECRETS if lines.get(name) == TAKEN_OVER}
    for file in files if taken else ():
        with suppress(Mistaken):
            _put(file, without_secrets(file.read_bytes(), taken))


# --- What is written --------------------------------------------------------------------------------------------------


def _put(file: Path, content: bytes, mode: int = 0o644, group: int | None = None) -> None:
    """Write a file where it is not so already: nothing wears a card more than what is written at every start."""
    try:
        if file.read_bytes() == content:
            return
    except FileNotFoundError:
        pass
    put_whole(file, content, mode, group)


def _keep_wifi(folder: Path, wifi: WifiNetwork | None, *, forgotten: bool) -> None:
    file = folder / KEYFILE
    if wifi is not None:
        folder.mkdir(parents=True, exist_ok=True)
        _put(file, network_keyfile(wifi), FOR_ROOT)
    elif forgotten and file.exists():
        file.unlink()
        sync_folder(folder)


def network_keyfile(wifi: WifiNetwork) -> bytes:
    """The Wi-Fi as NetworkManager reads it from a file (nm-settings-keyfile(5)); tried for ever."""
    ssid = "".join(f"{byte};" for byte in wifi.name.encode("utf-8"))
    psk = wifi.password.replace("\\", "\\\\").replace(" ", "\\s")
    security = f"\n[wifi-security]\nkey-mgmt=wpa-psk\npsk={psk}\n" if wifi.password else ""
    return (
        "# Written by 'quarto-pi first-start'.\n"
        "[connection]\nid=quarto-pi\ntype=wifi\nautoconnect-retries=0\n\n"
        f"[wifi]\nmode=infrastructure\nssid={ssid}\n{security}\n"
        "[ipv4]\nmethod=auto\n\n[ipv6]\nmethod=auto\n"
    ).encode()


def _by_name(values: Mapping[KeyPath, SaidValue]) -> dict[str, str]:
    return {
        row.name: TAKEN_OVER if row.secret else f"{values[row.path]}" for row in OWNER_SETTINGS if row.path in values
    }


# --- What was written before; what nobody can read is as good as not there --------------------------------------------


def _read_memory(file: Path) -> _Memory:
    try:
        told = json.loads(file.read_bytes())
        chain = {str(name): str(digest) for name, digest in told.get("chain", {}).items()}
        return _Memory({str(name): str(value) for name, value in told["lines"].items()}, str(told["answers"]), chain)
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return _Memory()


@dataclass(frozen=True, slots=True)
class _Answers:
    values: Mapping[str, str]
    digest: str
    network_expected: bool


MOST_BYTES_OF_ANSWERS: Final = 16_384


def _read_answers(file: Path) -> _Answers | None:
    """What a phone has answered: values by the names of the owner's settings; what is wrong among them is left out."""
    try:
        with file.open("rb") as stream:
            content = stream.read(MOST_BYTES_OF_ANSWERS)
        told = json.loads(content)
    except (OSError, ValueError, RecursionError):
        return None
    values = {}
    for name, value in told.items() if isinstance(told, dict) else ():
        if name in {row.name for row in OWNER_SETTINGS} and isinstance(value, str) and value:
            try:
                values[name] = find_owner_setting(name).value(value)
            except Mistaken:
                continue
    expected = isinstance(told, dict) and NETWORK_EXPECTED in told
    return _Answers(values, sha256(content).hexdigest(), expected) if values else None
