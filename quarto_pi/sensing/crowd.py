"""Whether several tags are on one cell, as opposed to one tag and what is overheard from the cells around it."""

from __future__ import annotations

from dataclasses import replace

from quarto_pi.sensing.candidate import Candidate, fold
from quarto_pi.sensing.cell import Cell, Cells, homes_of
from quarto_pi.sensing.events import BoardEvent, Thing, TwoTags, TwoTagsGone
from quarto_pi.sensing.judgement import rivals_of
from quarto_pi.sensing.looks import Evidence, Look
from quarto_pi.sensing.neighbours import NEIGHBOURS
from quarto_pi.sensing.observation import Looks
from quarto_pi.sensing.presence import Presence
from quarto_pi.sensing.times import SensingTimes

# a crowd is no thing of its own; this stands for it where a thing is asked for
CROWD: Thing = ""


def fold_crowds(cells: Cells, looks: Looks, at: int, sweep: int, times: SensingTimes) -> list[BoardEvent]:
    """Look for crowds in all cells, bring `cells` up to date, and return what has changed."""
    events: list[BoardEvent] = []
    homes: dict[Thing, str] | None = None
    for name, look in looks.items():
        cell = cells[name]
        if cell.crowding is None and cell.crowd is None and len(look.heard) < 2 and not look.nameless:
            continue
        homes = homes_of(cells) if homes is None else homes
        things = _things_on(name, look, cells, homes, times)
        evidence = _evidence(name, look, things, cells)
        if cell.crowd is None:
            crowding = fold(cell.crowding, evidence, Candidate(CROWD, at), at, times)
            if crowding is not None and crowding.rests(at, times) and evidence is Evidence.HEARD:
                cells[name] = replace(cell, crowding=None, crowd=Presence(CROWD, looks=crowding.hits), known=True)
                events.append(TwoTags(name, things, at))
            elif crowding is not cell.crowding:
                cells[name] = replace(cell, crowding=crowding)
            continue
        crowd = cell.crowd.after(evidence, at, sweep)
        if crowd.is_gone(at, times):
            events.append(TwoTagsGone(name, at))
        cells[name] = replace(cell, crowd=None if crowd.is_gone(at, times) else crowd)
    return events


def _evidence(name: str, look: Look, things: tuple[Thing, ...], cells: Cells) -> Evidence:
    if look.failed:
        return Evidence.UNCLEAR
    if len(things) > 1:
        return Evidence.HEARD
    if not look.nameless:
        return Evidence.MISSED
    # the tag without a name may be one that this cell is known to overhear
    return Evidence.UNCLEAR if any(_reaches(cells[other], name) for other in _around(name, cells)) else Evidence.HEARD


def _around(name: str, cells: Cells) -> list[str]:
    return [other for other in NEIGHBOURS[name] if other in cells]


def _reaches(cell: Cell, other: str) -> bool:
    return cell.presence is not None and other in dict(cell.presence.echoes)


def _things_on(name: str, look: Look, cells: Cells, homes: dict[Thing, str], times: SensingTimes) -> tuple[Thing, ...]:
    """The things heard here that cannot be explained by another cell."""
    return tuple(thing for thing in sorted(look.heard, key=str) if not _is_overheard(thing, name, cells, homes, times))


def _is_overheard(thing: Thing, name: str, cells: Cells, homes: dict[Thing, str], times: SensingTimes) -> bool:
    home = homes.get(thing)
    rivals = [rival for _, rival in rivals_of(thing, name, cells)]
    if home == name:
        # it may have been moved away already, and be heard here still
        return bool(rivals)
    here = cells[name].candidate(thing)
    if home is not None:
        return here is None or here.proof < times.removed_confidence
    hits = 0 if here is None else here.hits
    return any(hits - rival.hits < times.lead_sweeps for rival in rivals)
