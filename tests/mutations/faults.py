"""The faults: boundaries, deadlines and guards whose loss somebody at the table would notice."""

from __future__ import annotations

from typing import Final

from tests.mutations.fault import Fault

RULES: Final = (
    Fault("rules/actions.py", "if at < game.now:", "if at < game.now - 1:", ("rules/timing", "rules/game")),
    Fault(
        "rules/actions.py",
        "not isinstance(action, Resume | Clear)",
        "not isinstance(action, Resume | Clear | Give)",
        ("rules/timing",),
    ),
    Fault("rules/turns.py", "if moment <= at]", "if moment < at]", ("rules/timing", "rules/calling")),
    Fault(
        "rules/turns.py", "replace(game.clock, started=game.clock.started + length)", "game.clock", ("rules/timing",)
    ),
    Fault("rules/turns.py", "replace(game.latch, until=game.latch.until + length)", "game.latch", ("rules/timing",)),
    Fault("rules/turns.py", "None if until is None else until + length", "until", ("rules/timing",)),
    Fault("rules/turns.py", "and not game.clock.told and", "and", ("rules/timing",)),
    Fault("rules/turns.py", "fixed=count > 0,", "fixed=False,", ("rules/undo", "rules/model")),
    Fault("rules/turns.py", "<= (count, False)", "<= (count, True)", ("rules/undo", "rules/model")),
    Fault(
        "rules/turns.py", "_fresh_clock(game) if count else None", "_fresh_clock(game)", ("rules/undo", "rules/timing")
    ),
    Fault("rules/turns.py", "if piece == game.hand:", "if False:", ("rules/turns",)),
    Fault("rules/turns.py", "    if game.fixed:\n", "    if False:\n", ("rules/turns", "rules/calling")),
    Fault(
        "rules/turns.py",
        "game = lapse(replace(game, news=(*game.news, Placed(square, game.hand, maker))))",
        "game = replace(game, news=(*game.news, Placed(square, game.hand, maker)))",
        ("rules/calling", "rules/turns"),
    ),
    Fault(
        "rules/turns.py",
        "if game.over or board.count < 16 else",
        "if game.over or board.count < 15 else",
        ("rules/ending",),
    ),
    Fault(
        "rules/turns.py",
        "Result(loser.other, Reason.FORFEIT)",
        "Result(loser, Reason.FORFEIT)",
        ("rules/calling", "rules/timing"),
    ),
    Fault(
        "rules/turns.py",
        "_end(lapse(game), Result(None, Reason.DRAW))",
        "_end(game, Result(None, Reason.DRAW))",
        ("rules/ending", "rules/calling"),
    ),
    Fault(
        "rules/turns.py",
        "    if game.phase is Phase.FINAL_CALL:\n        return draw_game(game)\n",
        "",
        ("rules/ending",),
    ),
    Fault("rules/turns.py", "until = game.now + game.options.latch_ms", "until = game.now", ("rules/calling",)),
    Fault(
        "rules/turns.py",
        "return stand(replace(game, latch=None), maker) if game.open else fail_latched(game)",
        "return fail_latched(game)",
        ("rules/calling",),
    ),
    Fault(
        "rules/turns.py",
        "if latch.sure else doubt(game, latch.player)",
        "if True else doubt(game, latch.player)",
        ("rules/calling", "rules/model", "games/games"),
    ),
    Fault(
        "rules/turns.py",
        "fixed = game.fixed or player is game.maker",
        "fixed = game.fixed",
        ("rules/calling", "rules/turns"),
    ),
    Fault(
        "rules/game.py",
        "return player is self.maker or not self.options.giving_sensed",
        "return player is self.maker",
        ("rules/calling",),
    ),
    Fault("rules/game.py", "return self.phase is Phase.FINAL_CALL", "return False", ("rules/calling", "rules/ending")),
    Fault(
        "rules/game.py",
        "return self.starter.other if index % 2 == 0 else self.starter",
        "return self.starter if index % 2 == 0 else self.starter.other",
        ("rules/game", "rules/turns"),
    ),
    Fault(
        "rules/game.py",
        "player is not self.receiver:",
        "player is self.receiver:",
        ("rules/calling",),
    ),
    Fault(
        "rules/board.py",
        "mask & ~((number ^ two.number) | (number ^ three.number) | (number ^ four.number))",
        "mask & ~((number ^ two.number) | (number ^ three.number))",
        ("rules/board",),
    ),
    Fault("rules/board.py", "self._standing & ~(1 << piece.number)", "self._standing", ("rules/board", "rules/undo")),
    Fault("rules/board.py", "if self._standing >> piece.number & 1:", "if False:", ("rules/board",)),
    Fault("rules/board.py", "_line(12, 9, 6, 3)", "_line(12, 9, 6, 2)", ("rules/square", "rules/board")),
    Fault("rules/notation.py", "if hand in board.cells:", "if False:", ("rules/notation",)),
    Fault("rules/notation.py", "if piece in where:", "if False:", ("rules/notation",)),
)

REFEREE: Final = (
    Fault(
        "referee/inputs.py",
        "and button.at - last.up >= patience.bounce):",
        "and button.at - last.up >= 0):",
        ("referee/buttons",),
    ),
    Fault(
        "referee/inputs.py",
        "return None if self.up is None else self.up + patience.bounce",
        "return self.up",
        ("referee/buttons",),
    ),
    Fault(
        "referee/inputs.py",
        "if press.use is Use.OPEN or not press.is_released(now, patience)",
        "if press.use is Use.OPEN",
        ("referee/buttons",),
    ),
    Fault("referee/deadlines.py", "PAUSE_FACTOR: Final = 4", "PAUSE_FACTOR: Final = 1", ("games/games",)),
    Fault("referee/deadlines.py", "moment - state.patience.still_there", "moment", ("games/games",)),
    Fault("referee/deadlines.py", "if awake and not state.idling.is_open:", "if awake:", ("games/games",)),
    Fault(
        "referee/deadlines.py",
        "state.patience.sleeps if state.idling.is_open is None else state.patience.woken",
        "state.patience.sleeps",
        ("games/games",),
    ),
    Fault("referee/deadlines.py", "until - state.game.options.final_call_ms // 2", "until", ("games/games",)),
    Fault("referee/deadlines.py", "doubt.since + state.patience.doubt + 1", "doubt.since", ("games/games",)),
    Fault("referee/deadlines.py", "return press.at + state.game.options.latch_ms", "return press.at", ("games/games",)),
    Fault(
        "referee/facts.py",
        "if not came or removed is None or _has_only_moved(state, came):",
        "if not came or removed is None:",
        ("games/games",),
    ),
    Fault(
        "referee/phases.py",
        "if self.follow(stage, occurrence) is not to:",
        "if stage is to:",
        ("referee/transitions",),
    ),
    Fault(
        "referee/step.py",
        "if self.state.call is not None:\n            self.change_call(CallOccurrence.DROPPED)",
        "pass",
        ("referee/transitions",),
    ),
    Fault(
        "referee/step.py",
        "if self.state.mismatch:\n            self.change_mismatch(MismatchOccurrence.DROPPED)",
        "pass",
        ("referee/transitions",),
    ),
    Fault("referee/touches.py", "if now - touch.since < MARKED_MS and", "if", ("referee/touches",)),
    Fault("referee/touches.py", "touch.times <= MOST_TIMES:", "True:", ("referee/touches",)),
    Fault(
        "referee/touches.py",
        "elif standing is not None and now - standing.since < state.patience.wrong:",
        "elif standing is not None:",
        ("referee/touches",),
    ),
)

SENSING: Final = (
    Fault(
        "sensing/cell.py",
        "and at - self.missing_since >= times.removed_after_ms",
        "",
        ("sensing/presence", "sensing/settling"),
    ),
    Fault("sensing/cell.py", "and self.doubt >= times.removed_confidence", "", ("sensing/presence",)),
    Fault("sensing/cell.py", "return max(1.0, log2(", "return max(0.0, log2(", ("sensing/presence",)),
    Fault("sensing/cell.py", "if looks > LOOKS_REMEMBERED:", "if False:", ("sensing/presence", "sensing/stillness")),
    Fault(
        "sensing/cell.py",
        "return replace(self, misses=self.misses - 1) if self.misses else self",
        "return self",
        ("sensing/presence",),
    ),
    Fault(
        "sensing/cell.py",
        "replace(self, misses=1, missing_since=at, missing_from=sweep)",
        "replace(self, misses=1, missing_since=0, missing_from=sweep)",
        ("sensing/presence", "sensing/settling"),
    ),
    Fault(
        "sensing/cell.py",
        "if self.garbled and (self.gaps or at - self.since < times.garbled_after_ms):",
        "if False:",
        ("sensing/cross_reads", "sensing/settling"),
    ),
    Fault(
        "sensing/cell.py",
        "self.score >= times.placed_after_sweeps and at - self.since >= times.placed_after_ms",
        "self.score >= times.placed_after_sweeps",
        ("sensing/settling", "sensing/presence"),
    ),
    Fault("sensing/cell.py", "self.score - score >= times.lead_sweeps and", "", ("sensing/cross_reads",)),
    Fault(
        "sensing/cell.py",
        "if run >= sweeps and at - since >= duration:",
        "if run >= sweeps:",
        ("sensing/readers",),
    ),
    Fault("sensing/cell.py", "if run >= sweeps and at", "if run >= 1 and at", ("sensing/readers",)),
    Fault(
        "sensing/changes.py",
        "presence=cell.presence and cell.presence.cleared(),",
        "presence=cell.presence,",
        ("sensing/readers",),
    ),
    Fault("sensing/changes.py", "            looks[name] = FAILED\n", "            pass\n", ("sensing/readers",)),
    Fault(
        "sensing/tags.py",
        "reading.outcome is Outcome.SEVERAL and len(reading.uids) < 2",
        "False",
        ("sensing/settling", "sensing/cross_reads"),
    ),
    Fault("sensing/tags.py", "            blurred = True\n", "            blurred = False\n", ("sensing/cross_reads",)),
    Fault("sensing/board.py", "before.uids != reading.uids", "False", ("sensing/stillness",)),
    Fault("sensing/cell.py", "before.uids == reading.uids", "True", ("sensing/cross_reads",)),
    Fault(
        "sensing/tags.py",
        "WRONG_BITS_IN_A_SHIFT: Final = 1",
        "WRONG_BITS_IN_A_SHIFT: Final = 7",
        ("sensing/likeness",),
    ),
    Fault("sensing/tags.py", "MOST_BITS_SHIFTED: Final = 8", "MOST_BITS_SHIFTED: Final = 3", ("sensing/likeness",)),
    Fault("sensing/board.py", "if len(set(cells)) < len(cells):", "if False:", ("sensing/sweeps",)),
    Fault("sensing/tags.py", "if len(uid) // 2 not in UID_BYTES:", "if False:", ("sensing/tags",)),
    Fault("sensing/readings.py", "if self.moved_within_ms < self.removed_after_ms:", "if False:", ("sensing/times",)),
)

DEVICES: Final = (
    Fault(
        "devices/readers/chip.py",
        "ERROR_ANY: Final = 0x1F",
        "ERROR_ANY: Final = 0x1D",
        ("devices/chip", "devices/polling"),
    ),
    Fault("devices/readers/chip.py", "if came > byte_count:", "if False:", ("devices/chip", "devices/answers")),
    Fault(
        "devices/readers/chip.py",
        "if antenna & ANTENNA_BITS == ANTENNA_BITS and antenna != NOTHING_HIGH:",
        "if antenna & ANTENNA_BITS == ANTENNA_BITS:",
        ("devices/chip",),
    ),
    Fault(
        "devices/readers/chip.py",
        "if level == len(self._loaded) and taken[:level] == self._loaded[:byte_count]:",
        "if False:",
        ("devices/chip", "devices/answers"),
    ),
    Fault(
        "devices/readers/polling.py", "if not has_check_byte(whole):", "if False:", ("devices/polling", "devices/chip")
    ),
    Fault(
        "devices/readers/polling.py", "if not has_crc(answer.data):", "if False:", ("devices/polling", "devices/chip")
    ),
    Fault(
        "devices/readers/polling.py",
        "if answer.kind is not AnswerKind.DATA or answer.data != part:",
        "if answer.kind is not AnswerKind.DATA:",
        ("devices/polling", "devices/soak"),
    ),
    Fault(
        "devices/readers/polling.py",
        "if not self._chip.holds_configuration():",
        "if False:",
        ("devices/polling", "devices/soak"),
    ),
    Fault(
        "devices/readers/exchange.py",
        "level[0] ^ level[1] ^ level[2] ^ level[3] == level[4]",
        "True",
        ("devices/iso14443", "devices/polling"),
    ),
    Fault("devices/readers/exchange.py", "return len(data) > 2 and", "return", ("devices/iso14443",)),
    Fault(
        "devices/readers/fields.py",
        "return bool(warm) and len(warm) + lost >= self.most",
        "return bool(warm) and len(warm) >= self.most",
        ("devices/fields", "devices/soak"),
    ),
    Fault("devices/readers/fields.py", "apart & NOT_TOUCHING", "apart", ("devices/fields",)),
    Fault(
        "devices/readers/scheduler.py",
        "                del self._unconfirmed[cell]\n",
        "                pass\n",
        ("devices/reader_bank",),
    ),
    Fault(
        "devices/readers/scheduler.py",
        "now - self._changed_at[cell] >= self._settings.fresh_for",
        "True",
        ("devices/attention",),
    ),
    Fault(
        "devices/readers/scheduler.py",
        "if quiet_for >= self._settings.idle_after else 0",
        "if quiet_for > self._settings.idle_after else 0",
        ("devices/attention",),
    ),
    Fault(
        "devices/readers/scheduler.py",
        "waiting[: ceil(len(waiting) / 3)]",
        "waiting[: len(waiting) // 3]",
        ("devices/attention",),
    ),
    Fault(
        "devices/light_patterns.py",
        "now % SLOW_MS < SLOW_MS // 2",
        "now % SLOW_MS < SLOW_MS // 4",
        ("devices/patterns",),
    ),
    Fault(
        "devices/settings.py",
        "if not 0 <= self.contrast <= 0xFF:",
        "if not 0 <= self.contrast <= 0x100:",
        ("devices/settings",),
    ),
)

SURROUNDINGS: Final = (
    Fault("config/service.py", "end + (DAY if end < begin else 0)", "end", ("hours",)),
    Fault("config/service.py", "or begin <= minute + WEEK < end", "", ("hours",)),
    Fault("config/service.py", "if moment.replace(tzinfo=None) < EARLIEST:", "if False:", ("hours",)),
    Fault("config/service.py", "if int(minute) > 59 or minutes > DAY:", "if int(minute) > 59:", ("hours",)),
    Fault(
        "config/service.py",
        "if kiosk.abandon_minutes not in (0, *range(SHORTEST_ABANDON, LONGEST_MINUTES + 1)):",
        "if kiosk.abandon_minutes not in range(LONGEST_MINUTES + 1):",
        ("config",),
    ),
    Fault(
        "config/section.py",
        "if isinstance(value, bool) or not isinstance(value, int | float) or not -LARGEST <= value <= LARGEST:",
        "if not isinstance(value, int | float) or not -LARGEST <= value <= LARGEST:",
        ("config",),
    ),
    Fault("trace/format.py", "if received.at < self._at:", "if False:", ("trace/reader",)),
    Fault("trace/format.py", "or not 0 <= value <= LAST_MOMENT_MS:", "or not 0 <= value:", ("trace/reader",)),
    Fault(
        "rules/options.py", "LONGEST_SECONDS: Final = 86_400", "LONGEST_SECONDS: Final = 172_800", ("settings_table",)
    ),
    Fault(
        "web/guard.py",
        "while self._at and self._at[0] <= now - self._seconds:",
        "while self._at and self._at[0] <= now - 2 * self._seconds:",
        ("web/guard",),
    ),
    Fault(
        "web/guard.py",
        "is_held_up = guesses.wrong > 0 and self._wrong.full(now) and not is_known",
        "is_held_up = self._wrong.full(now) and not is_known",
        ("web/limits",),
    ),
    Fault("web/guard.py", "        check_origin(request.headers)\n", "", ("web/guard",)),
    Fault("web/guard.py", 'if not host or host != headers.get("host"):', "if not host:", ("web/guard",)),
    Fault("web/guard.py", 'return bool(name) and "." not in name', "return bool(name)", ("web/guard",)),
    Fault(
        "web/guard.py",
        'if headers.get("sec-fetch-site", "none") not in ("none", "same-origin"):',
        "if False:",
        ("web/guard",),
    ),
    Fault(
        "journal/writer.py",
        "return self._now() - max(self._waits_since, self._wrote_at) < STUCK_SECONDS",
        "return True",
        ("journal/writer",),
    ),
    Fault(
        "journal/writer.py",
        "return ticket <= self._safe or self.trouble is not None",
        "return True",
        ("journal/writer", "journal/keeping"),
    ),
    Fault("journal/writer.py", "while self._goes_on and self._step(", "while self._step(", ("journal/writer",)),
    Fault(
        "screens/text.py",
        "if not broken and len(lines) <= rows_within(face, text, height):",
        "if len(lines) <= rows_within(face, text, height):",
        ("screens/text",),
    ),
    Fault(
        "screens/text.py",
        "joins = not unit or character in _CLOSING or unit[-1] in _OPENING",
        "joins = not unit or character in _CLOSING",
        ("screens/text",),
    ),
    Fault("screens/text.py", "if broken or len(closer) > len(lines):", "if broken:", ("screens/text",)),
    Fault("screens/text.py", 'max(text) >= "\\u2e80"', 'max(text) > "\\uffff"', ("screens/text",)),
    Fault("words/words.py", "{'-' if seconds < 0 else ''}", "", ("words/words",)),
)

VERSIONS: Final = (
    Fault("hub/rollout.py", "if len(bad) <= most:", "if len(bad) <= most + 1:", ("hub/rollout",)),
    Fault("hub/rollout.py", "if self.state is not RolloutState.RUNNING:", "if False:", ("hub/rollout",)),
    Fault("hub/rollout.py", "bool(seen.ailments - each.before)", "bool(seen.ailments)", ("hub/rollout",)),
    Fault("hub/rollout_desk.py", "and self._watch.is_judged:", ":", ("hub/rollout_desk",)),
    Fault("hub/rollout_desk.py", "if told is not None and told.sha256 != sha256:", "if False:", ("hub/rollout_desk",)),
    Fault("hub/version_shelf.py", "if hashes.hex() != told:", "if False:", ("hub/bundles",)),
    Fault("hub/page_versions.py", "rollout.boards.keys() <= shown", "True", ("hub/page_versions",)),
    Fault(
        "chain/hub_messages.py",
        'found["path"] == bundle_path(sha256)',
        "True",
        ("chain/versions", "chain/version_taking"),
    ),
    Fault(
        "chain/delivery.py",
        "if epoch is None and self._epoch is None:",
        "if epoch == self._epoch:",
        ("chain/delivery",),
    ),
    Fault(
        "hub/login.py",
        "if session is None or self._by_digest.get(session.digest) is not session:",
        "if session is None:",
        ("hub/people",),
    ),
    Fault(
        "hub/page.py",
        "JSONResponse(user_as_json(changed)))\n        self._streams.wake()\n",
        "JSONResponse(user_as_json(changed)))\n",
        ("hub/page",),
    ),
    Fault("chain/fetching.py", "if answer.read(1):", "if False:", ("chain/fetching",)),
    Fault(
        "wiring/versions.py",
        "!= offer.sha256:\n                return",
        "is None:\n                return",
        ("chain/version_taking",),
    ),
    Fault(
        "wiring/versions.py",
        "return min(self._memory.have, ",
        "return max(self._memory.have, ",
        ("chain/version_taking",),
    ),
    Fault("wiring/versions.py", "if not self._is_quiet():", "if False:", ("chain/version_taking",)),
    Fault("wiring/versions.py", "        self._hold_restart()\n", "", ("chain/version_taking",)),
)

FAULTS: Final = (*RULES, *REFEREE, *SENSING, *DEVICES, *SURROUNDINGS, *VERSIONS)
