"""The owner's settings file: what of it is wrong, and that the rest was taken over; the same for a phone's answers."""

from __future__ import annotations

from collections.abc import Sequence
from gettext import NullTranslations

from quarto_pi.first_start.mistakes import SettingsMistake, WrongSetting


def say_mistake(mistake: SettingsMistake, t: NullTranslations) -> str:
    """One sentence about a mistake, with the line in which it stands, if it stands in one."""
    sentence = _sentence(mistake, t)
    if not mistake.line:
        return sentence
    return t.gettext("Line %(line)d: %(sentence)s") % {"line": mistake.line, "sentence": sentence}


def say_settings_file(mistakes: Sequence[SettingsMistake], t: NullTranslations) -> str:
    """What the file beside the settings says, a line for each sentence."""
    if not mistakes:
        return t.gettext("Everything in quarto-pi.txt has been taken over.")
    if any(mistake.what is WrongSetting.NOT_TEXT for mistake in mistakes):
        return "\n".join(say_mistake(mistake, t) for mistake in mistakes)
    rest = t.gettext("All other lines of quarto-pi.txt have been taken over.")
    return "\n".join([*(say_mistake(mistake, t) for mistake in mistakes), rest])


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
    }
    written, known = mistake.written, ", ".join(mistake.known)
    return said[mistake.what] % {"written": written, "known": known, "fewest": fewest, "most": most}
