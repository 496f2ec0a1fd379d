"""The hub's unit under a systemd of its own: started, killed, started again, and stopped in order."""

from __future__ import annotations

from typing import Final

from tests.appliance.box import Failed
from tests.appliance.scenarios import Trial

HUB: Final = "quarto-pi-hub.service"
PLACE: Final = "/opt/quarto-pi-hub"
ORDER: Final = f"{PLACE}/venv/bin/quarto-pi"
FOLDER: Final = "/var/lib/quarto-pi-hub"


def the_hub_runs_as_a_service_of_its_own(trial: Trial) -> str:
    """As docs/hub.md has it installed, with the packages that the board has: the container has no network."""
    box, release = trial.box, trial.release()
    source = f"/root/{release.folder.name}"
    box.run("systemctl", "disable", "--now", "mosquitto")
    box.run("install", "-d", PLACE)
    box.run("cp", "-r", source, f"{PLACE}/source")
    box.run("ln", "-s", "/opt/quarto-pi/current/venv", f"{PLACE}/venv")
    box.run("cp", f"{source}/systemd/quarto-pi-hub.sysusers", "/etc/sysusers.d/quarto-pi-hub.conf")
    box.run("systemd-sysusers")
    box.run("cp", f"{source}/systemd/quarto-pi-hub.service", "/etc/systemd/system/")
    box.run("systemctl", "daemon-reload")
    box.run("systemctl", "enable", "--now", HUB)
    box.wait_for("the hub", lambda: _says(trial, "The hub is connected with its broker"))
    # What root orders is done as the hub's own user, and counts at once.
    box.run(ORDER, "hub", "add", "north-1", "--house", "North")
    owner = box.run("stat", "-c", "%U", f"{FOLDER}/boards/north-1/credentials").strip()
    _expect(owner == "quarto-pi-hub", f"the credentials are {owner}'s")
    _expect("north-1" in box.run(ORDER, "hub", "boards"), "the board is not listed")
    return box.run("systemctl", "show", HUB, "--property=MainPID").strip()


def a_hub_that_is_killed_is_started_again_with_its_broker(trial: Trial) -> str:
    """SIGKILL takes the hub, and what is left of its broker with it; both are there again, and know the boards."""
    box = trial.box
    before, brokers = _pid(trial), _brokers(trial)
    said = _times(trial, "The hub is connected with its broker")
    box.run("sh", "-c", f"kill -KILL {before}")
    took = box.wait_for(
        "another hub", lambda: _pid(trial) not in ("0", before) and _times(trial, "connected with its broker") > said
    )
    _expect(not brokers & _brokers(trial), "the broker of before still runs")
    _expect("north-1" in box.run(ORDER, "hub", "boards"), "the board is forgotten")
    return f"connected again after {took:.1f} s"


def a_broker_that_is_killed_below_its_hub_is_started_again(trial: Trial) -> str:
    """The hub looks after it: systemd has nothing to do."""
    box = trial.box
    hub, said = _pid(trial), _times(trial, "The broker is there again")
    box.run("sh", "-c", f"kill -KILL {' '.join(_brokers(trial))}")
    took = box.wait_for("the broker", lambda: _times(trial, "The broker is there again") > said)
    _expect(_pid(trial) == hub, "the hub was restarted for it")
    return f"there again after {took:.1f} s"


def a_hub_is_stopped_in_order_and_started_by_a_hand(trial: Trial) -> str:
    """It ends within its time, takes its broker along, and writes nothing but its own folder."""
    box = trial.box
    box.run("systemctl", "stop", HUB)
    result = box.run("systemctl", "show", HUB, "--property=Result,ExecMainStatus").split()
    _expect(result == ["Result=success", "ExecMainStatus=0"], f"{result}")
    _expect(not _brokers(trial), "its broker still runs")
    _expect(_says(trial, "The hub ends."), "it did not say that it ends")
    box.run("systemctl", "start", HUB)
    box.wait_for("the hub", lambda: box.run("systemctl", "is-active", HUB).strip() == "active")
    box.run("systemctl", "disable", "--now", HUB)
    return f"{box.run('du', '-sk', FOLDER).split()[0]} kB in its folder"


HUB_SCENARIOS: Final = (
    the_hub_runs_as_a_service_of_its_own,
    a_hub_that_is_killed_is_started_again_with_its_broker,
    a_broker_that_is_killed_below_its_hub_is_started_again,
    a_hub_is_stopped_in_order_and_started_by_a_hand,
)


def _pid(trial: Trial) -> str:
    return trial.box.unit("MainPID", HUB)


def _brokers(trial: Trial) -> set[str]:
    """The processes of Mosquitto in there."""
    look = "for of in /proc/[0-9]*; do read -r name < $of/comm; [ $name != mosquitto ] || echo ${of#/proc/}; done"
    return set(trial.box.run("sh", "-c", f"{{ {look}; }} 2>/dev/null").split())


def _log(trial: Trial) -> str:
    return trial.box.run("journalctl", "-u", HUB, "--no-pager", "-o", "cat")


def _says(trial: Trial, words: str) -> bool:
    return words in _log(trial)


def _times(trial: Trial, words: str) -> int:
    return _log(trial).count(words)


def _expect(holds: bool, otherwise: str) -> None:
    if not holds:
        raise Failed(otherwise)
