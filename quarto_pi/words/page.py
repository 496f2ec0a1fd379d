"""The labels of the page: what stands on its buttons, panels and forms."""

from __future__ import annotations

from gettext import NullTranslations


def labels(t: NullTranslations) -> dict[str, str]:
    """Every label by its key."""
    return {
        "board": t.pgettext("page", "Board"),
        "give_place": t.pgettext("page", "Give place"),
        "call_button": t.pgettext("page", "QUARTO!"),
    }
