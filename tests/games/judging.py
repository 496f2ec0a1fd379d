"""What an evening's file expects, held against what the referee has said and shown."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from quarto_pi.referee import Keep, Show, Speak, Tell, View
from quarto_pi.referee.effects import Effect
from quarto_pi.referee.menu import Item, value_of
from quarto_pi.referee.view import lights_of
from quarto_pi.trace.story import as_json
from tests.games.compact import event_as_text, matches, message_as_text, value_as_text
from tests.games.evening import Expectation
from tests.games.performance import Played, Timed

ANYTHING = "..."
_USUAL = ["given", "placed"]


def complaints(played: list[Played], effects: list[Timed]) -> list[str]:
    """Everything that is not as the evening expects, with its line."""
    return [complaint for each in played for complaint in _of_block(each, effects, each is played[-1])]


def _of_block(played: Played, effects: list[Timed], is_last: bool) -> Iterator[str]:
    within = [effect for at, effect in effects if played.since <= at and (is_last or at < played.end)]
    views = [effect.view for at, effect in effects if isinstance(effect, Show) and (is_last or at < played.end)]
    since = [effect.view for at, effect in effects if isinstance(effect, Show) and at < played.since][-1:]
    since += [effect.view for effect in within if isinstance(effect, Show)]
    yield from _events(played, [effect for effect in within if isinstance(effect, Tell)])
    for expected in played.block.expected:
        if expected.kind != ">":
            yield from _shown(expected, views[-1], since, within)


def _events(played: Played, told: list[Tell]) -> Iterator[str]:
    """The events have to be those that are expected, in their order, and no others."""
    found = [event_as_text(as_json(tell.at, tell.report)) for tell in told]
    expected = [expectation for expectation in played.block.expected if expectation.kind == ">"]
    index = 0
    for expectation in expected:
        if expectation.text.startswith(ANYTHING):
            kinds = expectation.text.removeprefix(ANYTHING).split() or _USUAL
            while index < len(found) and found[index].split()[0] in kinds:
                index += 1
        elif _match_in_any_order(wanted := expectation.text.split(" | "), found[index : index + len(wanted)]):
            index += len(wanted)
        else:
            was = f"'{found[index]}'" if index < len(found) else "nothing"
            yield f"line {expectation.line}: expected '{expectation.text}', and there was {was}."
            return
    for tell, extra in list(zip(told, found, strict=True))[index:]:
        yield f"line {played.block.line}: after '{played.block.action}' nobody expects '{extra}' ({tell.at} ms)."


def _match_in_any_order(wanted: list[str], found: list[str]) -> bool:
    left = list(found)
    for text in wanted:
        one = next((each for each in left if matches(text, each)), None)
        if one is None:
            return False
        left.remove(one)
    return not left


def _shown(expected: Expectation, now: View, since: list[View], within: list[Effect]) -> Iterator[str]:
    if not _holds(expected, now, since, within):
        said: dict[str, Callable[[], str]] = {
            "shows": lambda: message_as_text(now.prompt),
            "showed": lambda: "; ".join(message_as_text(view.prompt) for view in since),
            "noticed": lambda: "; ".join(_notice(view) for view in since),
            "says": lambda: "; ".join(_said(within)),
            "menu": lambda: _menu(now),
            "clock": lambda: _clock(now),
            "lamps": lambda: _lamps(now),
            "silent": lambda: "; ".join(_said(within)),
            "marks": lambda: _marks(now),
            "phase": lambda: now.phase.value,
            "language": lambda: now.settings.language,
            "asleep": lambda: "awake",
            "awake": lambda: "asleep",
            "does": lambda: "; ".join(type(effect).__name__ for effect in within),
            "keeps": lambda: "; ".join(str(effect.settings) for effect in within if isinstance(effect, Keep)),
        }
        was = said.get(expected.kind, lambda: _notice(now))()
        yield f"line {expected.line}: expected '{expected.kind} {expected.text}', and it is '{was}'."


def _holds(expected: Expectation, now: View, since: list[View], within: list[Effect]) -> bool:  # noqa: C901, PLR0912
    text = expected.text
    match expected.kind:
        case "shows":
            return matches(text, message_as_text(now.prompt))
        case "showed":
            return any(matches(text, message_as_text(view.prompt)) for view in since)
        case "never":
            return not any(
                matches(text, said) for view in since for said in (message_as_text(view.prompt), _notice(view))
            )
        case "notice":
            return matches(text, _notice(now))
        case "noticed":
            return any(matches(text, _notice(view)) for view in since)
        case "no":
            return {"menu": now.menu, "notice": now.notice, "clock": now.clock}[text] is None
        case "says":
            return any(matches(text, said) for said in _said(within))
        case "silent":
            return not _said(within)
        case "phase":
            return now.phase.value == text
        case "language":
            return now.settings.language == text
        case "asleep" | "awake":
            return now.asleep is (expected.kind == "asleep")
        case "menu":
            return matches(text, _menu(now))
        case "clock":
            return matches(text, _clock(now))
        case "lamps":
            return matches(text, _lamps(now))
        case "marks":
            return matches(text, _marks(now))
        case "does":
            return text in ("ShutDown", "EnrolPieces") and text in {type(effect).__name__ for effect in within}
        case "keeps":
            return any(isinstance(effect, Keep) and _keeps(text, effect) for effect in within)
    raise AssertionError(expected.kind)


def _notice(view: View) -> str:
    return "nothing" if view.notice is None else message_as_text(view.notice)


def _said(within: list[Effect]) -> list[str]:
    return [message_as_text(effect.message) for effect in within if isinstance(effect, Speak)]


def _menu(view: View) -> str:
    menu = view.menu
    if menu is None:
        return "none"
    return f"{menu.item.value}, {menu.stage.value}: {value_as_text(menu.value)}"


def _clock(view: View) -> str:
    clock = view.clock
    if clock is None:
        return "none"
    return f"{value_as_text(clock.player)} {clock.seconds}{' stands' if clock.stands else ''}"


def _lamps(view: View) -> str:
    lights = lights_of(view)
    return f"{lights.players[0].value} {lights.players[1].value} {lights.attention.value}"


def _marks(view: View) -> str:
    return " ".join(f"{cell} {mark.value}" for cell, mark in view.marks) or "none"


def _keeps(text: str, keep: Keep) -> bool:
    name, _, value = text.partition(": ")
    return value_as_text(value_of(Item(name), keep.settings)) == value
