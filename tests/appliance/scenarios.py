"""What a board in a café goes through, in this order, on one machine."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from tests.appliance.box import SERVICE, Box, Failed
from tests.appliance.releases import Archive, unpack

SETTLE = ("--settle", "6")
HELD_FOR_THE_MENU, HELD_TO_CHOOSE = 3.5, 1.5
SWITCH_OFF = "Uitzetten"
"""The item of the menu, in the language that the board was installed with."""
SIMULATED = ("--yes", "--board", "simulated", "--language", "nl")


@dataclass
class Trial:
    """The machine, and where new versions of the program come from."""

    box: Box
    archive: Path
    wheelhouse: Path

    def release(self, commit: str = "") -> Archive:
        """Another version of the program."""
        return unpack(self.archive, self.box.folder, self.wheelhouse, commit)

    @property
    def current(self) -> str:
        """The version that counts."""
        return self.box.run("readlink", "/opt/quarto-pi/current").strip().removeprefix("versions/")


def installs_without_a_network_or_a_question(trial: Trial) -> str:
    """A fresh system becomes a board."""
    box, release = trial.box, trial.release()
    said = box.run(release.installer, *SIMULATED, *SETTLE)
    _expect(trial.current == release.version, trial.current)
    _expect(box.ask("state")["language"] == "nl", said)
    _expect("17 of 17 readers answer" in box.unit("StatusText"), box.unit("StatusText"))
    return box.unit("StatusText")


def installing_again_finds_everything_right(trial: Trial) -> str:
    """Nothing is changed, and the game is not disturbed."""
    before = trial.box.pid
    said = trial.box.run(trial.release().installer, *SIMULATED, *SETTLE)
    _expect("Nothing had to be changed." in said, said)
    _expect(trial.box.pid == before, "the board was restarted")
    return f"{said.count('      = ')} things were right"


def runs_as_nobody_special(trial: Trial) -> str:
    """Its own user, no root, and only its own folder to write into."""
    box, pid = trial.box, trial.box.pid
    _expect(box.run("stat", "-c", "%U", f"/proc/{pid}").strip() == "quarto-pi", "another user")
    own, others = ("/var/lib/quarto-pi", "/run/quarto-pi"), ("/opt/quarto-pi", "/etc", "/etc/quarto-pi", "/root")
    for folder, may in (*((each, True) for each in own), *((each, False) for each in others)):
        writes = box.tries(
            *("nsenter", f"--target={pid}", "--mount", "--setuid", box.run("id", "-u", "quarto-pi").strip()),
            *("touch", f"{folder}/trial"),
        )
        _expect(writes == may, f"{folder}: {'may' if writes else 'may not'} be written to")
    box.run("rm", "-f", "/var/lib/quarto-pi/trial", "/run/quarto-pi/trial")
    # What stands for a device node: its group counts, although the unit sees no users but its own.
    box.run("sh", "-c", "touch /srv/spi; chgrp spi /srv/spi; chmod 660 /srv/spi")
    private = ("systemd-run", "--quiet", "--wait", "--property=PrivateUsers=yes", "--property=User=quarto-pi")
    box.run(*private, "sh", "-c", "exec 3<> /srv/spi")
    return box.run("id", "quarto-pi").strip()


def a_card_says_how_the_board_is_set_up(trial: Trial) -> str:
    """The settings file is taken over before the board starts, by a unit of few rights, and its secrets leave it."""
    box = trial.box
    card = box.folder / "boot/quarto-pi"
    card.mkdir()
    file = card / "quarto-pi.txt"
    file.write_text(
        "language = Français\r\nPIN = 471147\r\nWi-Fi name = Home\r\nWi-Fi password = long enough\r\ncolour = red\r\n",
        encoding="utf-16",
    )
    chain = card / "Chain"
    chain.mkdir()
    (chain / "credentials").write_text("north-1:a-secret\r\n", encoding="utf-8")
    section = '[chain]\nbroker = "192.168.77.77"\nport = 1883\ntls = false\nboard = "north-1"\n'
    (chain / "chain.toml.txt").write_text(section, encoding="utf-8")
    # As NetworkManager's package makes it.
    box.run("mkdir", "-p", "/etc/NetworkManager/system-connections")
    pid = box.pid
    box.run("systemctl", "restart", SERVICE)
    box.wait_until_ready(other_than=pid)
    _expect(box.ask("state")["language"] == "fr", "the file's language does not count")
    left = file.read_text(encoding="utf-16")
    _expect("471147" not in left and "long enough" not in left, left)
    said = (card / "quarto-pi-says.txt").read_text(encoding="utf-8-sig")
    _expect(said.startswith("Ligne 5") and "« north-1 »" in said, said)
    _expect(not chain.exists(), "the folder of the chain is still on the card")
    kept = box.run("sh", "-c", "stat -c '%a %U' /etc/quarto-pi/chain/*/credentials").strip()
    _expect(kept == "600 quarto-pi", f"the credentials: {kept}")
    box.run("test", "-s", "/run/quarto-pi-notices/settings-file")
    for path, wanted in {
        "/etc/quarto-pi/conf.d/first-start.toml": "640 root quarto-pi",
        "/etc/NetworkManager/system-connections/quarto-pi.nmconnection": "600 root root",
    }.items():
        mode = box.run("stat", "-c", "%a %U %G", path).strip()
        _expect(mode == wanted, f"{path}: {mode}")
    file.write_text("chain = leave\n", encoding="utf-8")
    pid = box.pid
    box.run("systemctl", "restart", SERVICE)
    box.wait_until_ready(other_than=pid)
    _expect(box.ask("state")["language"] == "nl", "what the file no longer says counts")
    _expect(not box.run("ls", "/etc/quarto-pi/chain").strip(), "the credentials are still there after leaving")
    box.run("rm", "-r", "/boot/quarto-pi")
    return said.splitlines()[0]


def a_hung_board_is_restarted_by_the_watchdog(trial: Trial) -> str:
    """SIGSTOP: nothing moves any more, and nobody is there to notice but systemd."""
    box, before = trial.box, trial.box.pid
    box.run("sh", "-c", f"kill -STOP {before}")
    took = box.wait_until_ready(other_than=before)
    _expect("watchdog" in box.words().lower(), box.words())
    return f"ready again {took:.0f} s after the last move"


def a_board_killed_in_mid_game_goes_on(trial: Trial) -> str:
    """SIGKILL between two hands: the same pieces, the same piece in hand."""
    box = trial.box
    _play_some(box)
    game = _game(box)
    before = box.pid
    box.run("sh", "-c", f"kill -KILL {before}")
    took = box.wait_until_ready(other_than=before)
    box.wait_for("the game", lambda: _game(box) == game, 30)
    return f"ready again after {took:.1f} s, with {len(game[0])} pieces standing and {game[1]} in hand"


def a_wrong_configuration_stops_nothing_and_is_told(trial: Trial) -> str:
    """As on a real board: it starts with the last good one, says so until it is mended, and then no more."""
    box = trial.box
    box.run("cp", "-p", "/etc/quarto-pi/quarto-pi.toml", "/root/kept.toml")
    box.run("sed", "-i", "/^.page.$/a port = 8040", "/etc/quarto-pi/quarto-pi.toml")
    run = "/opt/quarto-pi/current/venv/bin/python -m quarto_pi run --simulated --start-anyway"
    places = "--config /etc/quarto-pi/quarto-pi.toml --keep /var/lib/quarto-pi/anyway"
    # Its name is read after that of the simulated board.
    box.drop_in("without-hands", "ExecStart=", f"ExecStart={run} {places}")
    box.run("systemctl", "daemon-reload")
    kinds = []
    for line in ("", "[gmae]", ""):
        box.run("sed", "-i", "/gmae/d", "/etc/quarto-pi/quarto-pi.toml")
        box.run("sh", "-c", f"echo '{line}' >> /etc/quarto-pi/quarto-pi.toml")
        box.run("systemctl", "restart", SERVICE)
        box.wait_until_ready()
        kinds.append((box.ask("state")["notice"] or {}).get("kind"))
        _expect(box.ask("state")["language"] == "nl", box.words())
    _expect([kind == "Impaired" for kind in kinds] == [False, True, False], f"{kinds}\n{box.words()}")
    _expect("[gmae]" in box.words(), box.words())
    box.run("rm", f"/etc/systemd/system/{SERVICE}.d/without-hands.conf")
    box.run("cp", "-p", "/root/kept.toml", "/etc/quarto-pi/quarto-pi.toml")
    box.run("systemctl", "daemon-reload")
    box.run("systemctl", "restart", SERVICE)
    box.wait_until_ready()
    return "said while it was wrong, and no longer"


def a_crash_loop_grows_patient_and_ends_when_its_reason_does(trial: Trial) -> str:
    """A start that fails: tried for ever, ever more seldom; repaired, it runs without a hand on it."""
    box = trial.box
    box.drop_in("fails", "ExecStartPre=/usr/bin/test -e /srv/mended")
    box.run("systemctl", "daemon-reload")
    box.run("systemctl", "stop", SERVICE)
    box.run("systemctl", "start", "--no-block", SERVICE)
    took = box.wait_for("four crashes", lambda: int(box.unit("NRestarts")) >= 4)
    _expect("waiting for 2 s" in box.words(), box.words())
    box.run("touch", "/srv/mended")
    recovered = box.wait_until_ready()
    return f"four crashes in {took:.0f} s; ready {recovered:.0f} s after the repair"


def a_full_disk_stops_neither_start_nor_play(trial: Trial) -> str:
    """The folder of its state is full to the last byte."""
    box = trial.box
    box.run("systemctl", "stop", SERVICE)
    box.run("cp", "-a", "/var/lib/quarto-pi", "/root/state")
    box.run("mount", "-t", "tmpfs", "-o", "size=512k,mode=0750", "tmpfs", "/var/lib/quarto-pi")
    box.run("sh", "-c", "cp -a /root/state/. /var/lib/quarto-pi/; chown quarto-pi: /var/lib/quarto-pi")
    box.tries("sh", "-c", "cat /dev/zero > /var/lib/quarto-pi/full")
    box.run("systemctl", "start", "--no-block", SERVICE)
    took = box.wait_until_ready()
    pid = box.pid
    _play_some(box)
    _expect(box.pid == pid, f"it was restarted\n{box.words()}")
    box.run("rm", "/var/lib/quarto-pi/full")
    _expect(box.unit("ActiveState") == "active", box.words())
    box.run("systemctl", "stop", SERVICE)
    box.run("umount", "/var/lib/quarto-pi")
    box.run("systemctl", "start", SERVICE)
    return f"ready in {took:.1f} s, and a game played"


def a_read_only_disk_stops_neither_start_nor_play(trial: Trial) -> str:
    """A card that has worn out takes nothing any more."""
    box = trial.box
    box.run("systemctl", "stop", SERVICE)
    box.run("mount", "--bind", "/var/lib/quarto-pi", "/var/lib/quarto-pi")
    box.run("mount", "-o", "remount,bind,ro", "/var/lib/quarto-pi")
    box.run("systemctl", "start", "--no-block", SERVICE)
    took = box.wait_until_ready()
    pid = box.pid
    _play_some(box)
    _expect(box.pid == pid, f"it was restarted\n{box.words()}")
    _expect("Games are not being saved" in box.words(), box.words())
    box.run("systemctl", "stop", SERVICE)
    box.run("umount", "/var/lib/quarto-pi")
    box.run("systemctl", "start", SERVICE)
    return f"ready in {took:.1f} s, and a game played"


def an_upgrade_keeps_the_old_version(trial: Trial) -> str:
    """A second version takes over."""
    before, release = trial.current, trial.release("aaaaaaaaaa")
    trial.box.run(release.installer, *SIMULATED, *SETTLE)
    _expect(trial.current == release.version, trial.current)
    _expect(before in trial.box.run("ls", "/opt/quarto-pi/versions"), "the old version is gone")
    return f"{before} -> {trial.current}"


def a_version_that_crashes_at_once_is_taken_back(trial: Trial) -> str:
    """It can't even be started."""
    release = trial.release("bbbbbbbbbb")
    first = '    """Serve the page until it is told to stop."""\n'
    release.change("quarto_pi/commands/simulate.py", first, "    1 / 0\n")
    return _taken_back(trial, release, "ends as soon as it is started")


def a_version_that_hangs_soon_is_taken_back(trial: Trial) -> str:
    """It becomes ready, and then its loop stands still."""
    release = trial.release("cccccccccc")
    stands = "        self.turns += 1\n        while self.turns > 9:\n            pass\n"
    release.change("quarto_pi/controller/loop.py", "        self.turns += 1\n", stands)
    return _taken_back(trial, release, "did not stay up", "--settle", "15")


def a_version_with_fewer_readers_is_taken_back(trial: Trial) -> str:
    """It runs, but does not see what was seen before."""
    release = trial.release("dddddddddd")
    counts = "sum(reader.health.answers for"
    release.change("quarto_pi/devices/readers/bank.py", counts, f"-1 + {counts}")
    return _taken_back(trial, release, "only 16 readers answer, and 17 did before")


def a_version_that_dies_after_it_was_healthy_is_left(trial: Trial) -> str:
    """It is healthy for as long as it is watched, and dies again and again; nothing leads back to it."""
    box, before, release = trial.box, trial.current, trial.release("ffffffffff")
    dies = "        self.turns += 1\n        if self.turns > 150:\n            1 / 0\n"
    release.change("quarto_pi/controller/loop.py", "        self.turns += 1\n", dies)
    box.run(release.installer, *SIMULATED, *SETTLE)
    _expect(trial.current == release.version, trial.current)
    began = time.monotonic()
    box.wait_for("the version before", lambda: trial.current == before, 600)
    took = time.monotonic() - began
    box.wait_until_ready()
    said = box.refuses(release.installer, "--rollback")
    _expect("There is no version to go back to" in said, said)
    return f"{before} runs again after {took:.0f} s"


def the_old_version_comes_back_when_it_is_asked_for(trial: Trial) -> str:
    """Back, and forward again."""
    first = trial.current
    second = trial.release("eeeeeeeeee")
    trial.box.run(second.installer, *SIMULATED, *SETTLE)
    trial.box.run(second.installer, "--rollback", *SETTLE)
    _expect(trial.current == first, trial.current)
    trial.box.wait_until_ready()
    kept = trial.box.run("ls", "/opt/quarto-pi/versions").split()
    _expect(sorted(kept) == sorted((first, second.version)), f"kept: {kept}")
    return f"kept: {', '.join(kept)}"


def another_python_is_mended_without_a_network(trial: Trial) -> str:
    """After an upgrade of the system the virtual environment leads nowhere."""
    box = trial.box
    box.run("systemctl", "stop", SERVICE)
    box.run("ln", "-sfn", "/usr/bin/python3.10", "/opt/quarto-pi/current/venv/bin/python3")
    _expect(not box.tries("/opt/quarto-pi/current/venv/bin/python", "--version"), "its Python still works")
    box.run("systemctl", "start", "--no-block", SERVICE)
    took = box.wait_until_ready()
    return f"ready {took:.0f} s after the start, with {box.run('/usr/local/bin/quarto-pi', '--version').strip()}"


def the_menu_switches_the_machine_off(trial: Trial) -> str:
    """The board's own user asks logind, and polkit lets it."""
    box = trial.box
    asks = ("org.freedesktop.login1", "/org/freedesktop/login1", "org.freedesktop.login1.Manager", "CanPowerOff")
    _expect(_as(box, "quarto-pi", "busctl", "call", *asks) == 's "yes"', "the board may not switch off")
    _expect(_as(box, "nobody", "busctl", "call", *asks) != 's "yes"', "everybody may switch off")
    _press(box, HELD_FOR_THE_MENU)
    for _ in range(20):
        if (box.ask("state")["menu"] or {})["label"] == SWITCH_OFF:
            break
        _press(box, 0.1)
    _press(box, HELD_TO_CHOOSE)  # that item
    # Yes, it is meant; and nobody is there any more to be told that the finger has gone.
    box.ask("button", {"button": "call", "down": True})
    box.wait_until_off()
    box.boot()
    return f"off, and on again: ready after {box.wait_until_ready():.1f} s"


def uninstalling_keeps_what_people_made(trial: Trial) -> str:
    """The program goes; configuration and games stay until they are purged."""
    box, release = trial.box, trial.release()
    box.run("touch", "/var/lib/quarto-pi/a-game")
    box.run(release.installer, "--uninstall")
    _expect(box.unit("LoadState") == "not-found", box.unit("LoadState"))
    for path in ("/opt/quarto-pi", "/etc/polkit-1/rules.d/50-quarto-pi.rules", "/usr/local/bin/quarto-pi"):
        _expect(not box.tries("test", "-e", path), f"{path} is still there")
    box.run("test", "-e", "/var/lib/quarto-pi/a-game")
    box.run("test", "-e", "/etc/quarto-pi/quarto-pi.toml")
    box.run(release.installer, "--uninstall", "--purge")
    _expect(not box.tries("test", "-e", "/var/lib/quarto-pi"), "the state is still there")
    return "gone, in two steps"


SCENARIOS: tuple[Callable[[Trial], str], ...] = (
    installs_without_a_network_or_a_question,
    installing_again_finds_everything_right,
    runs_as_nobody_special,
    a_card_says_how_the_board_is_set_up,
    a_hung_board_is_restarted_by_the_watchdog,
    a_board_killed_in_mid_game_goes_on,
    a_wrong_configuration_stops_nothing_and_is_told,
    a_crash_loop_grows_patient_and_ends_when_its_reason_does,
    a_full_disk_stops_neither_start_nor_play,
    a_read_only_disk_stops_neither_start_nor_play,
    an_upgrade_keeps_the_old_version,
    a_version_that_crashes_at_once_is_taken_back,
    a_version_that_hangs_soon_is_taken_back,
    a_version_with_fewer_readers_is_taken_back,
    a_version_that_dies_after_it_was_healthy_is_left,
    the_old_version_comes_back_when_it_is_asked_for,
    another_python_is_mended_without_a_network,
    the_menu_switches_the_machine_off,
    uninstalling_keeps_what_people_made,
)

NOT_UNDER_QEMU = frozenset({runs_as_nobody_special})
"""What looks from within namespaces, which an emulated process can't enter."""


def _expect(holds: bool, otherwise: str) -> None:
    if not holds:
        raise Failed(otherwise)


def _taken_back(trial: Trial, release: Archive, reason: str, *options: str) -> str:
    before = trial.current
    said = trial.box.refuses(release.installer, *SIMULATED, *(options or SETTLE))
    _expect(reason in said and f"{before} was put back, which runs as before" in said, said)
    _expect(trial.current == before, trial.current)
    trial.box.wait_until_ready()
    return reason


def _game(box: Box) -> tuple[dict[str, str], str]:
    state = box.ask("state")
    return {square: piece for square, piece in state["board"].items() if piece}, state["hand"] or ""


def _play_some(box: Box) -> None:
    """Begin anew, place two pieces and give a third."""
    box.ask("hands", {"do": "clear"})
    box.wait_for("a new game", lambda: not _game(box)[0] and box.ask("state")["phase"] in ("choose", "attract"), 60)
    for piece, square in (("LTRF", "a1"), ("DSQH", "c3"), ("LSRF", "")):
        box.put(piece, "offer")
        box.wait_for("the piece given", lambda piece=piece: _game(box)[1] == piece, 60)  # type: ignore[misc]
        if square:
            box.put(piece, square)
            box.wait_for(
                "the piece placed",
                lambda piece=piece, square=square: _game(box)[0].get(square) == piece,  # type: ignore[misc]
                60,
            )


def _press(box: Box, seconds: float) -> None:
    box.ask("button", {"button": "call", "down": True})
    time.sleep(seconds)
    box.ask("button", {"button": "call", "down": False})
    time.sleep(0.4)


def _as(box: Box, user: str, *command: str) -> str:
    return box.run("setpriv", f"--reuid={user}", "--regid=nogroup", "--clear-groups", *command).strip()
