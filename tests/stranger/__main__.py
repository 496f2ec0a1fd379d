"""How guests get on whom nobody has told anything: `python -m tests.stranger [EVENINGS]`.

Each house, channel and language has that many evenings. For each channel it prints the share of those on which nobody
was stuck, and how long guests take to their first lesson and to their first move; then where they were stuck.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from statistics import median

from quarto_pi.languages import LANGUAGES
from tests.stranger.channels import CHANNELS
from tests.stranger.visit import HOUSES, Visit, visit

SHOWN = 12


def main() -> int:
    """Let guests come; 1 if any was stuck."""
    parser = argparse.ArgumentParser(prog="python -m tests.stranger", description=__doc__)
    parser.add_argument("evenings", type=int, nargs="?", default=3)
    parser.add_argument("first_seed", type=int, nargs="?", default=0)
    parser.add_argument("--channels", nargs="*", choices=CHANNELS, default=list(CHANNELS))
    parser.add_argument("--languages", nargs="*", choices=LANGUAGES, default=list(LANGUAGES))
    parser.add_argument("--houses", nargs="*", choices=HOUSES, default=list(HOUSES))
    wanted = parser.parse_args()
    seeds = range(wanted.first_seed, wanted.first_seed + wanted.evenings)
    visits = [
        visit(house, channel, language, seed)
        for channel in wanted.channels
        for house in wanted.houses
        for language in wanted.languages
        for seed in seeds
    ]
    print("channel    evenings  never stuck  first game ended  first lesson  first move  sentences before it")
    for channel in wanted.channels:
        print(_line(channel, [each for each in visits if each.channel == channel]))
    stuck = Counter((each.house, each.channel, each.language) for each in visits if each.stuck is not None)
    for (house, channel, language), count in stuck.most_common(SHOWN):
        one = next(each for each in visits if each.stuck and (each.house, each.channel) == (house, channel))
        print(f"{count} in {language} by {channel}, {house}; such as seed {one.seed} ({one.language}): {one.stuck}")
    return 1 if stuck else 0


def _line(channel: str, visits: list[Visit]) -> str:
    free = sum(each.stuck is None for each in visits)
    ended = sum(each.games > 0 for each in visits)
    lessons = _seconds([each.lesson_ms for each in visits])
    moves = _seconds([each.first_move_ms for each in visits])
    sentences = median(each.sentences for each in visits)
    return (
        f"{channel:<10} {len(visits):8}  {free / len(visits):10.0%}  {ended / len(visits):15.0%}"
        f"  {lessons:>12}  {moves:>10}  {sentences:19.0f}"
    )


def _seconds(times: list[int | None]) -> str:
    """The median of those times that were, in seconds."""
    known = [each for each in times if each is not None]
    return f"{median(known) / 1_000:.1f} s" if known else "-"


if __name__ == "__main__":
    sys.exit(main())
