"""How much is written to a card while nobody plays."""

from __future__ import annotations

from typing import Final

from card.partitions import SECTOR

from tests.flashed.emulator import Machine
from tests.flashed.trials import HEALTHY_SECONDS, Trials, wait_until_judged

SETTLING_SECONDS: Final = 180
"""What a start still has to write is written by then."""
NIGHT_HOURS: Final = 10
_WRITTEN: Final = 6
"""The column of sectors that were written, in what Linux says of a partition."""
_PARTITIONS: Final = (1, 2, 3, 5, 6, 7)


def nobody_plays(trials: Trials) -> None:
    """A board that is on and that nobody touches writes to the partition of the games alone; how much is told."""
    machine = trials.on()
    wait_until_judged(machine)
    machine.run(f"sleep {SETTLING_SECONDS}; sync; touch /run/began", HEALTHY_SECONDS)
    before = _written(machine)
    machine.run(f"sleep {trials.idle_minutes * 60}; sync", HEALTHY_SECONDS)
    written = {number: count - before[number] for number, count in _written(machine).items()}
    files = machine.run("find /data -xdev -type f -newer /run/began -printf '%p %s, '")
    assert not any(count for number, count in written.items() if number != _PARTITIONS[-1]), written
    kilobytes = written[_PARTITIONS[-1]] / 1000
    a_night = kilobytes * NIGHT_HOURS * 60 / trials.idle_minutes / 1000
    trials.figures[f"kB written in {trials.idle_minutes} minutes of nothing"] = f"{kilobytes:.0f}"
    trials.figures[f"MB in a night of {NIGHT_HOURS} hours, if it goes on like that"] = f"{a_night:.1f}"
    trials.figures["files that were written to meanwhile, with their sizes"] = files


def _written(machine: Machine) -> dict[int, int]:
    """Bytes that were written into each partition since the start."""
    shown = machine.run("".join(f"cat /sys/block/mmcblk0/mmcblk0p{number}/stat;" for number in _PARTITIONS))
    return {
        number: int(line.split()[_WRITTEN]) * SECTOR
        for number, line in zip(_PARTITIONS, shown.splitlines(), strict=True)
    }
