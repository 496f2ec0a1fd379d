"""Letters of another board in mid-game: whatever they are, they are refused, or do what the rules let that board do."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Final

from quarto_pi.remote_play.correspondence import (
    Correspondence,
    Inviting,
    KeepMatch,
    LetterCame,
    LinkChanged,
    MatchStarted,
    TimePassed,
    Wrote,
)
from quarto_pi.remote_play.exchange import correspond
from quarto_pi.remote_play.letters import AcceptLetter, log_in, log_letter, pack_letter
from quarto_pi.remote_play.log import parse_entry
from quarto_pi.remote_play.match import Match, read_match
from quarto_pi.rules import Options, Player
from tests.fuzz.verdict import Broken

NAME: Final = "0badcafe0badcafe"
OWN: Final = ("LTRF", "b1 LTQF")
"""What the board itself has written; between them the other one has written a turn."""
MOST_LETTERS_TRIED: Final = 60
SENDERS: Final = ("south", "west", "north")


def letters(data: bytes) -> None:
    """Letters, one a line, of the board that its first byte says; a seal in them that is `?` is the right one."""
    known = _in_mid_game()
    before = _match(known)
    now = 10_000
    for line in data.split(b"\n")[:MOST_LETTERS_TRIED]:
        now += 500
        sender = SENDERS[line[0] % len(SENDERS)] if line else "south"
        known, out = correspond(known, LetterCame(now, sender, line[1:].replace(b"?", before.seals[0].encode())))
        for each in out:
            if isinstance(each, KeepMatch) and read_match(json.dumps(each.match.as_json()), Options()) != each.match:
                raise Broken("what is kept of a game is read as something else")
        known, _ = correspond(known, TimePassed(now))
        after = _match(known)
        mine = [after.log.entries[number] for number in range(after.count) if after.log.author_of(number) is after.me]
        if [entry.text for entry in mine] != list(OWN):
            raise Broken(f"somebody else has written for this board: {[entry.text for entry in mine]}")
        result = after.log.game.result
        if result is not None and result.winner is Player.A and after.log.game.calls == ():
            raise Broken("a game is won without a call")


def _in_mid_game() -> Correspondence:
    """A board in a game with south, which is to place."""
    known = Correspondence("north")
    known, _ = correspond(known, LinkChanged(0, up=True))
    known, _ = correspond(known, Inviting(0, "south", NAME, "a secret", Options(), Player.A))
    known, out = correspond(known, LetterCame(100, "south", pack_letter(AcceptLetter(NAME))))
    begun = next(each.match for each in out if isinstance(each, MatchStarted))
    known, _ = correspond(known, Wrote(200, 0, parse_entry(OWN[0])))
    south = Match.begun(begun.terms, Player.B, "another secret")
    south = south.joined(log_in(log_letter(_match(known))))
    south = south.written(parse_entry("a1 LTRH"))
    known, _ = correspond(known, LetterCame(300, "south", pack_letter(log_letter(south))))
    known, _ = correspond(known, Wrote(400, 2, parse_entry(OWN[1])))
    # Whatever is tried is read: how much of a flood is read is another question.
    return replace(known, allowances=())


def _match(known: Correspondence) -> Match:
    if known.playing is None:
        raise Broken("the game is gone")
    return known.playing.match
