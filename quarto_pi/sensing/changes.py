"""What a judgement does to the cells, and the events that tell of it."""

from __future__ import annotations

from dataclasses import replace

from quarto_pi.rules import Piece
from quarto_pi.sensing.cell import Candidate, Cell, Cells, Judged, Presence, fold_candidate, homes_of
from quarto_pi.sensing.events import (
    BoardEvent,
    ForeignTag,
    ForeignTagGone,
    Found,
    PieceLifted,
    PieceMoved,
    PiecePlaced,
    ReaderFailed,
    ReaderRecovered,
    Thing,
    TwoTags,
    TwoTagsGone,
)
from quarto_pi.sensing.judgement import Arrival, CellJudgement, Looks, rivals_of
from quarto_pi.sensing.readings import NEIGHBOURS, Outcome, Reading, SensingTimes
from quarto_pi.sensing.tags import FAILED, Evidence, Look

# --- What the readers' conditions do to their cells: a lost reader is an event, and says nothing about its cell -------


def check_readers(cells: Cells, looks: dict[str, Look], at: int, times: SensingTimes) -> list[BoardEvent]:
    """Note in `cells` which readers fail, and take in `looks` what a lost one says for nothing."""
    events: list[BoardEvent] = []
    for name, look in looks.items():
        before = cells[name].condition
        if not (look.failed or before.lost or before.run):
            continue
        after = before.after(look.failed, at, times)
        if after is not before or look.failed:
            cells[name] = replace(cells[name], condition=after, judged=_counted(cells[name]))
        if after.lost is not before.lost:
            cells[name] = _forgotten(cells[name])
            events.append(ReaderFailed(name, at) if after.lost else ReaderRecovered(name, at))
        if after.lost:
            looks[name] = FAILED
    return events


def _counted(cell: Cell) -> Judged:
    match cell.reading:
        case Reading(outcome=Outcome.ERROR):
            return replace(cell.judged, errors=cell.judged.errors + 1)
        case Reading(outcome=Outcome.DEAD):
            return replace(cell.judged, dead=cell.judged.dead + 1)
        case _:
            return cell.judged


def _forgotten(cell: Cell) -> Cell:
    """The cell without what was suspected of it: what rests there stays, because nobody has seen it go."""
    return replace(
        cell,
        presence=cell.presence and cell.presence.cleared(),
        candidates=(),
        crowding=None,
        crowd=cell.crowd and cell.crowd.cleared(),
        empty_looks=0,
    )


# --- What a judgement does to the cells, and the events that tell of it -----------------------------------------------


def make_changes(cells: Cells, judgement: CellJudgement, at: int) -> list[BoardEvent]:
    """Bring `cells` up to date and tell what has happened: first what left, then what came."""
    events: list[BoardEvent] = []
    for name in judgement.left:
        presence = cells[name].presence
        if presence is not None:
            cells[name] = replace(cells[name], presence=None)
            events.append(_departure(name, presence, at))
    missed = {arrival.cell: _missed_at(cells, arrival) for arrival in judgement.arrivals}
    for arrival in judgement.arrivals:
        if arrival.origin is not None:
            cells[arrival.origin] = replace(cells[arrival.origin], presence=None)
    for arrival in judgement.arrivals:
        events += _arrival_events(arrival, missed[arrival.cell], known=cells[arrival.cell].known, at=at)
        _settle_in(cells, arrival)
    return events


def _missed_at(cells: Cells, arrival: Arrival) -> int:
    """When what has arrived was missed where it comes from; a reader may hear it there to the last."""
    presence = None if arrival.origin is None else cells[arrival.origin].presence
    return presence.missing_since if presence is not None and presence.misses else arrival.candidate.since


def _departure(name: str, presence: Presence, at: int) -> BoardEvent:
    if isinstance(presence.thing, Piece):
        return PieceLifted(name, presence.thing, at, presence.missing_since)
    return ForeignTagGone(name, presence.thing, at)


def _arrival_events(arrival: Arrival, missed: int, *, known: bool, at: int) -> list[BoardEvent]:
    name, origin, since, thing = arrival.cell, arrival.origin, arrival.candidate.since, arrival.candidate.thing
    if isinstance(thing, str):
        gone: list[BoardEvent] = [] if origin is None else [ForeignTagGone(origin, thing, at)]
        return [*gone, ForeignTag(name, thing, at)]
    if origin is not None:
        return [PieceMoved(origin, name, thing, at, since, missed)]
    return [PiecePlaced(name, thing, at, since) if known else Found(name, thing, at)]


def _settle_in(cells: Cells, arrival: Arrival) -> None:
    candidate = arrival.candidate
    for name, cell in cells.items():
        rival = cell.candidate(candidate.thing)
        if rival is None:
            continue
        judged = cell.judged
        if name != arrival.cell:
            judged = replace(judged, cross_reads=judged.cross_reads + rival.hits)
        others = tuple(other for other in cell.candidates if other is not rival)
        cells[name] = replace(cell, candidates=others, judged=judged)
    presence = Presence(candidate.thing, candidate.hits + candidate.gaps, candidate.gaps)
    cells[arrival.cell] = replace(cells[arrival.cell], presence=presence, known=True)


# --- Whether several tags are on one cell, as opposed to one tag and what is overheard from the cells around it -------

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
            crowding = fold_candidate(cell.crowding, evidence, Candidate(CROWD, at), at, times)
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
