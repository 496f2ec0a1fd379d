"""The owner's settings file and the folder of a chain: what is wrong, and what was taken over; a phone's answers."""

from __future__ import annotations

from collections.abc import Sequence
from gettext import NullTranslations

from quarto_pi.first_start.mistakes import CHAIN_MISTAKES, SettingsMistake, WrongSetting


def say_mistake(mistake: SettingsMistake, t: NullTranslations) -> str:
    """One sentence about a mistake, with the line in which it stands, if it stands in one."""
    sentence = _sentence(mistake, t)
    if not mistake.line:
        return sentence
    return t.gettext("Line %(line)d: %(sentence)s") % {"line": mistake.line, "sentence": sentence}


def say_settings_file(mistakes: Sequence[SettingsMistake], t: NullTranslations, chain: tuple[str, str] | None) -> str:
    """What the file beside the settings says, a line for each sentence; `chain`: the board's name, and its broker."""
    said = [say_mistake(mistake, t) for mistake in mistakes]
    whats = {mistake.what for mistake in mistakes}
    if not whats - CHAIN_MISTAKES:
        said.append(t.gettext("Everything in quarto-pi.txt has been taken over."))
    elif WrongSetting.NOT_TEXT not in whats:
        said.append(t.gettext("All other lines of quarto-pi.txt have been taken over."))
    if chain is not None:
        board, broker = chain
        told = t.gettext('On its chain this board is "%(board)s". The broker is %(broker)s.')
        said.append(told % {"board": board, "broker": broker})
    return "\n".join(said)


def _sentence(mistake: SettingsMistake, t: NullTranslations) -> str:
    fewest, most = (*mistake.known, "", "")[:2]
    said = {
        WrongSetting.NOT_TEXT: t.gettext(
            "quarto-pi.txt isn't plain text. Save it as plain text (TextEdit: Format, Make Plain Text)."
        ),
        WrongSetting.TWO_FILES: t.gettext("There are several settings files; the newest one counts: %(written)s"),
        WrongSetting.NO_VALUE: t.gettext('"%(written)s" isn\'t understood. Write it like this: name = value'),
        WrongSetting.UNKNOWN: t.gettext('"%(written)s" isn\'t a setting. Write one of these: %(known)s'),
        WrongSetting.TWICE: t.gettext('"%(written)s" stands there twice; the last one counts.'),
        WrongSetting.NOT_ONE_OF: t.gettext('"%(written)s" can\'t be chosen. Write one of these: %(known)s'),
        WrongSetting.UNLIKE: t.gettext('"%(written)s" isn\'t understood. Write it like this: %(known)s'),
        WrongSetting.PIN: t.gettext("A PIN has %(fewest)s to %(most)s letters and digits without accents."),
        WrongSetting.WIFI_NAME: t.gettext("A Wi-Fi name has 1 to 32 letters; a password alone isn't enough."),
        WrongSetting.WIFI_PASSWORD: t.gettext(
            "A Wi-Fi password has %(fewest)s to %(most)s characters without accents."
        ),
        WrongSetting.CHAIN_MISSING: t.gettext(
            '%(written)s is missing in the folder "chain". Copy credentials, ca.pem and chain.toml into it, unchanged.'
        ),
        WrongSetting.CHAIN_BESIDE: t.gettext(
            '%(written)s lies beside quarto-pi.txt. Put it into a folder "chain" there.'
        ),
        WrongSetting.CHAIN_TWICE: t.gettext('%(written)s is in the folder "chain" twice. Leave only one of the two.'),
        WrongSetting.CHAIN_UNREADABLE: t.gettext(
            "%(written)s can't be read: it's a link, a folder, or damaged. Copy the file there anew."
        ),
        WrongSetting.CHAIN_TOO_LARGE: t.gettext(
            "%(written)s is too large for a file from the hub. Copy the file there anew."
        ),
        WrongSetting.CHAIN_NOT_TEXT: t.gettext("%(written)s isn't plain text. Copy the file there anew, unchanged."),
        WrongSetting.CHAIN_CHANGED: t.gettext(
            "%(written)s isn't as the hub has made it. Copy the file there anew, unchanged."
        ),
        WrongSetting.CHAIN_PATH: t.gettext(
            'chain.toml names another file, "%(written)s". Copy chain.toml there anew, unchanged.'
        ),
        WrongSetting.CHAIN_OTHER_BOARD: t.gettext(
            'The credentials are those of "%(written)s", but chain.toml is for "%(known)s". '
            "Copy the three files of one board."
        ),
        WrongSetting.CHAIN_BROKER: t.gettext(
            "The broker %(written)s isn't in a private network. The board reaches no other one."
        ),
    }
    written, known = mistake.written, ", ".join(mistake.known)
    return said[mistake.what] % {"written": written, "known": known, "fewest": fewest, "most": most}
