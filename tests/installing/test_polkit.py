"""The rules by which polkit lets the board's user, and nobody else, do what the board has to do."""

from __future__ import annotations

from pathlib import Path

import dukpy
import pytest

FILES = Path(__file__).parent.parent.parent / "systemd"
NETWORK = "org.freedesktop.NetworkManager."
POWER = "org.freedesktop.login1."
ALLOWED = {
    "quarto-pi.rules": {f"{POWER}power-off", f"{POWER}power-off-multiple-sessions"},
    "quarto-pi-network.rules": {
        f"{NETWORK}{name}"
        for name in ("network-control", "settings.modify.system", "wifi.scan", "wifi.share.protected")
    },
}
OTHERS = {
    f"{POWER}reboot",
    f"{NETWORK}wifi.share.open",
    f"{NETWORK}settings.modify.hostname",
    f"{NETWORK}settings.modify.system.evil",
    f"{NETWORK}reload",
    "org.freedesktop.systemd1.manage-units",
    "x.org.freedesktop.NetworkManager.wifi.scan",
}


def answer(rules: str, action: str, user: str) -> object:
    """What a rule says, as polkitd would ask it; None where it leaves the matter to others."""
    text = (FILES / rules).read_text(encoding="utf-8")
    frame = (
        "var rule; var polkit = {Result: {YES: 'yes'}, addRule: function (each) { rule = each; }};"
        f"{text}; var said = rule({{id: dukpy.action}}, {{user: dukpy.user}}); said === undefined ? null : said;"
    )
    return dukpy.evaljs(frame, action=action, user=user)


def test_every_rule_is_tried() -> None:
    assert {file.name for file in FILES.glob("*.rules")} == set(ALLOWED)


@pytest.mark.parametrize("rules", ALLOWED)
def test_rule_lets_the_board_do_what_it_has_to_and_nobody_else(rules: str) -> None:
    every = OTHERS.union(*ALLOWED.values())
    assert {action for action in every if answer(rules, action, "quarto-pi") == "yes"} == ALLOWED[rules]
    assert all(answer(rules, action, user) is None for action in every for user in ("pi", "quarto-pi-display", "root"))
