"""Make everything that is made from the description; or the models, or the netlists for KiCad; or try the supply."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from hardware.making import MADE, ROOT, Outcome, export_netlists, make_all
from hardware.power_safety import power_table, tried_wiring, try_all


def main() -> int:
    """Make what was asked for."""
    parser = argparse.ArgumentParser(prog="python -m hardware", description=__doc__)
    parser.add_argument(
        "what", nargs="?", choices=("all", "models", "netlists", "power"), default="all", help="default: all but these"
    )
    parser.add_argument("folder", nargs="?", type=Path, help="where they go (default: build/models, build/netlists)")
    arguments = parser.parse_args()
    folder: Path = arguments.folder or ROOT / "build" / arguments.what
    if arguments.what == "models":
        from hardware.models import export_models  # noqa: PLC0415 # the CAD library takes seconds to start

        for file in export_models(folder):
            print(file)
        return 0
    if arguments.what == "netlists":
        for file in export_netlists(folder):
            print(file)
        return 0
    if arguments.what == "power":
        return _try_the_supply()
    outcome: Outcome = make_all()
    for sentence in outcome.complaints:
        print(sentence, file=sys.stderr)
    print(f"{len(outcome.changed)} of {outcome.files} files changed in {MADE.relative_to(ROOT)} and beside it")
    return 1 if outcome.complaints else 0


def _try_the_supply() -> int:
    try:
        sentences = try_all(tried_wiring())
    except FileNotFoundError as error:
        sentences = [str(error)]
    for sentence in sentences:
        print(sentence, file=sys.stderr)
    if not sentences:
        print(power_table())
    return 1 if sentences else 0


if __name__ == "__main__":
    sys.exit(main())
