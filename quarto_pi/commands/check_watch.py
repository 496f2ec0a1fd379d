"""`quarto-pi check --watch`: again and again, so that whoever solders sees a reader come alive."""

from __future__ import annotations

import json
import re
import sys
import time
from collections.abc import Callable, Iterable
from dataclasses import asdict

from quarto_pi.checks.finding import Finding

CLEAR = "\x1b[H\x1b[2J"
"""To the upper left corner, and nothing left below (ECMA-48, CUP and ED)."""
_FIGURES = re.compile(r"\d[\d.,:]*")


def watch(look: Callable[[], Iterable[Finding]], every: int, *, as_json: bool) -> int:
    """Look until Ctrl-C; 1 if something was not as it should be when it ended."""
    log = Changes()
    try:
        while True:
            changed = [finding for finding in look() if log.takes(finding)]
            if as_json or not sys.stdout.isatty():
                for finding in changed:
                    print(json.dumps(asdict(finding)) if as_json else finding, flush=True)
            else:
                print(CLEAR + "\n".join(map(str, log.latest())), flush=True)
            time.sleep(every)
    except KeyboardInterrupt:
        return 0 if all(finding.ok for finding in log.latest()) else 1


class Changes:
    """What was found last of each device, and whether a new finding says anything new."""

    def __init__(self) -> None:
        self._latest: dict[str, Finding] = {}

    def takes(self, finding: Finding) -> bool:
        """Take a finding down; whether it is more than other figures for the same."""
        before = self._latest.get(finding.device)
        self._latest[finding.device] = finding
        return before is None or _without_figures(before) != _without_figures(finding)

    def latest(self) -> list[Finding]:
        """The latest findings, in the order in which their devices were first looked at."""
        return list(self._latest.values())


def _without_figures(finding: Finding) -> tuple[str, bool]:
    return _FIGURES.sub("", finding.detail), finding.ok
