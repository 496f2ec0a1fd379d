"""A language that nobody foresaw, asked for wherever languages are; to be run where the list has a line for it."""

from __future__ import annotations

import json
from dataclasses import replace

from installing.options import parse

from quarto_pi.config import parse_config
from quarto_pi.config.whole import chosen_keys
from quarto_pi.devices.speech import VOICES
from quarto_pi.journal.records import as_keys, as_settings
from quarto_pi.referee import Settings
from quarto_pi.referee.menu import VALUES, Item, MenuView, Stage
from quarto_pi.screens.drawing import draw
from quarto_pi.web.snapshot import labels_in
from quarto_pi.web.wishes import settings_as_json, with_wishes
from quarto_pi.words import Words
from tests.screens.examples import attract

LANGUAGE = "sv"
SIZE = (128, 64)


def main() -> None:
    """Print what each makes of Swedish."""
    plain = Settings()
    chosen = parse_config(f'[game]\nlanguage = "{LANGUAGE}"\n[kiosk]\nlanguages = ["en", "{LANGUAGE}"]\n').settings
    words = Words(LANGUAGE)
    menu = replace(attract(), menu=MenuView(Item.LANGUAGE, Stage.VALUES, LANGUAGE))
    english, translated = (draw(menu, SIZE, Words(language), 0).tobytes() for language in ("en", LANGUAGE))
    told = {name: json.loads(json.dumps(labels_in(name))) for name in ("en", LANGUAGE)}
    read = {
        "configuration": chosen.language,
        "languages of a kiosk": chosen.languages[-1],
        "what was changed": chosen_keys(chosen, plain)["language"],
        "journal": as_settings(json.loads(json.dumps(as_keys(chosen))), plain).language,
        "page": with_wishes(plain, {"language": settings_as_json(chosen)["language"]}).language,
        "menu": VALUES[Item.LANGUAGE][-1],
        "installer": parse(["--language", LANGUAGE], []).language,
    }
    said = {
        "catalogue": words.invitations()[0],
        "menu": words.menu(menu.menu)[1] if menu.menu else "",
        "page": told[LANGUAGE]["labels"]["new_game"],
        "offered by the page": told["en"]["languages"][LANGUAGE],
        "voice": VOICES[LANGUAGE][0],
    }
    print(json.dumps({"read": read, "said": said, "missing": words.missing, "drawn": english != translated}))


if __name__ == "__main__":
    main()
