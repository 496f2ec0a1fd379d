"""From one version to another, and back by itself if the new one does not become healthy."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from installing import health, shell
from installing.environment import Version
from installing.places import SERVICE
from installing.system import Equipment, System
from installing.telling import InstallError, Report
from installing.versions import Versions


@dataclass(frozen=True, slots=True)
class Upgrade:
    """Lets versions take turns on a machine that is running."""

    versions: Versions
    system: System
    equipment: Equipment
    settle_seconds: float
    report: Report

    def to(self, version: Version) -> None:
        """Switch to a version, and back if it does not become healthy."""
        before = self.versions.current
        readers = health.readers_answering(health.look())
        self._start(version)
        complaint = self._complaint(readers)
        if not complaint:
            self.report.right(f"{version.name} is healthy: up for {self.settle_seconds:.0f} s")
            return
        log = shell.run("journalctl", "--unit", SERVICE, "--no-pager", "--lines=12", "--output=cat")
        told = f"{version.name} did not become healthy: {complaint}. Its last words:\n{_indented(log)}"
        if before is None or before == version:
            raise InstallError(f"{told}\nThe board goes on trying; 'journalctl -u quarto-pi' tells more.")
        self.report.note(f"{version.name} did not become healthy: {complaint}; {before.name} is put back")
        self._start(before)
        self.versions.forget_previous()
        again = self._complaint(readers)
        state = f"which is not healthy either ({again})" if again else "which runs as before"
        raise InstallError(f"{told}\n{before.name} was put back, {state}.")

    def _start(self, version: Version) -> None:
        self.versions.switch_to(version)
        self.system.fit(version, self.equipment)
        self.report.doing(f"starting {version.name}")
        # Stopped first, so that no earlier start makes it patient. The start is not waited for: one that never becomes
        # ready would be waited for very long.
        shell.run("systemctl", "stop", SERVICE)
        # What a stopped unit has failed at before would be taken for this start's failure until this one begins.
        shell.succeeds("systemctl", "reset-failed", SERVICE)
        shell.run("systemctl", "start", "--no-block", SERVICE)

    def _complaint(self, readers: int) -> str:
        return health.Watch(self.settle_seconds, readers).complaint()


def _indented(text: str) -> str:
    return "\n".join(f"    {line}" for line in text.strip().splitlines())


def in_turn(versions: Versions, say: Callable[[str], None]) -> Version:
    """The version to go back to."""
    previous = versions.previous
    if previous is None:
        raise InstallError("There is no version to go back to: install the one that you want.")
    say(f"{previous.name} counted before")
    return previous
