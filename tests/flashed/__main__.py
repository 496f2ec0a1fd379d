"""Flashes a card into a file, boots it in QEMU, updates it: `make test-card`."""

from __future__ import annotations

import os
import shutil
import sys
import time
import traceback
from argparse import ArgumentParser
from collections.abc import Callable
from pathlib import Path
from typing import Final

from card_build.make import make_card
from card_build.program import Sources

from tests.flashed.boot import FlashedCard
from tests.flashed.cut_scenarios import (
    every_moment_of_that_update_was_a_good_one,
    the_plug_is_pulled_during_an_update,
)
from tests.flashed.emulator import emulator
from tests.flashed.hub_scenarios import the_hub_rolls_an_update_out
from tests.flashed.idle import an_evening_is_played, nobody_plays
from tests.flashed.scenarios import (
    a_strangers_update_is_refused,
    an_update_is_installed,
    an_update_that_can_not_be_judged_goes_back,
    an_update_that_dies_goes_back,
    an_update_that_never_gets_ready_goes_back,
    an_update_that_stands_still_goes_back,
    first_start,
)
from tests.flashed.trials import Trials
from tests.flashed.updates import Workshop, made_before, new_signer

REPOSITORY = Path(__file__).resolve().parents[2]
SCENARIOS: Final[tuple[Callable[[Trials], None], ...]] = (
    first_start,
    an_update_is_installed,
    a_strangers_update_is_refused,
    an_update_that_dies_goes_back,
    an_update_that_never_gets_ready_goes_back,
    an_update_that_stands_still_goes_back,
    an_update_that_can_not_be_judged_goes_back,
    every_moment_of_that_update_was_a_good_one,
    the_plug_is_pulled_during_an_update,
    the_hub_rolls_an_update_out,
    nobody_plays,
    an_evening_is_played,
)


def main() -> int:
    parser = ArgumentParser(prog="tests.flashed", description="A card, booted in an emulator.")
    parser.add_argument("--build", type=Path, default=REPOSITORY / "build" / "card", help="where what was made is kept")
    parser.add_argument(
        "--only", nargs="+", default=[], metavar="WORD", help="scenarios with such a word in their names"
    )
    parser.add_argument("--gigabytes", type=int, default=4, help="how large the card is; a power of two")
    parser.add_argument("--idle", type=int, default=10, metavar="MINUTES", help="how long nobody plays")
    parser.add_argument(
        "--as-it-is", action="store_true", help="make nothing anew, go on with the card of the last run"
    )
    options = parser.parse_args()
    if os.geteuid() != 0:
        print("tests.flashed: a card is made by root: run it with sudo", file=sys.stderr)
        return 2
    folder = options.build / "trial"
    folder.mkdir(parents=True, exist_ok=True)
    image = folder / "card.img"
    if options.as_it_is:
        made = made_before(options.build)
    else:
        made = make_card(Sources(REPOSITORY), options.build, None)
        shutil.copy(made.image, image)
        os.truncate(image, options.gigabytes * 1024**3)
    card = FlashedCard(image, folder, emulator(options.build))
    known, stranger = (new_signer(options.build, name) for name in ("known", "stranger"))
    trials = Trials(card, Workshop(made, folder), known, stranger, options.idle)
    wrong = 0
    for scenario in SCENARIOS:
        if options.only and not any(word in scenario.__name__ for word in options.only):
            continue
        began, known_figures = time.monotonic(), set(trials.figures)
        try:
            scenario(trials)
        except Exception:  # noqa: BLE001 - the others are told as well
            wrong += 1
            traceback.print_exc()
            print(f"FAILED  {scenario.__name__}: {scenario.__doc__}", flush=True)
            trials.off()
        else:
            print(f"{time.monotonic() - began:6.0f} s  {scenario.__name__}: {scenario.__doc__}", flush=True)
        for name in [name for name in trials.figures if name not in known_figures]:
            print(f"  {name}: {trials.figures[name]}", flush=True)
    trials.off()
    print(f"{card.starts} starts; {wrong} scenarios failed")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
