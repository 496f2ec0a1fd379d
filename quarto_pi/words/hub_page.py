"""The labels that the page of a hub of many boards has, besides those of a board's own page.

What stands in braces is put in by the page.
"""

from __future__ import annotations

from gettext import NullTranslations


def hub_labels(t: NullTranslations) -> dict[str, str]:
    """Every label by its key; one that a board's page has as well stands there in its stead."""
    parts = (
        *(_people, _boards, _alarms, _games, _orders, _tournaments, _pairings, _spectators),
        *(_versions, _rollout, _rollout_steps),
    )
    return {key: label for part in parts for key, label in part(t).items()}


def _people(t: NullTranslations) -> dict[str, str]:
    """Who is logged in, and who may be."""
    return {
        "title": t.pgettext("hub", "Quarto boards"),
        "views": t.pgettext("hub", "Views"),
        "log_in": t.pgettext("hub", "Log in"),
        "log_out": t.pgettext("hub", "Log out"),
        "user_name": t.pgettext("hub", "Name"),
        "password": t.pgettext("hub", "Password"),
        "own_password": t.pgettext("hub", "My password"),
        "old_password": t.pgettext("hub", "Password so far"),
        "new_password": t.pgettext("hub", "New password"),
        "new_password_again": t.pgettext("hub", "New password again"),
        "password_rule": t.pgettext("hub", "At least {count} letters"),
        "change_password": t.pgettext("hub", "Change it"),
        "password_changed": t.pgettext("hub", "The new password counts now. Everywhere else you are logged out."),
        "passwords_differ": t.pgettext("hub", "The two new passwords are not the same."),
        "old_password_wrong": t.pgettext("hub", "That isn't your password so far."),
        "login_first": t.pgettext("hub", "Log in first."),
        "login_wrong": t.pgettext("hub", "That name and that password don't belong together."),
        "login_wait": t.pgettext("hub", "Too many wrong passwords: try again later."),
        "not_yours": t.pgettext("hub", "You may look at this, but not change it."),
        "people": t.pgettext("hub", "People"),
        "role_owner": t.pgettext("hub", "Owner: everything"),
        "role_house": t.pgettext("hub", "House: its own boards"),
        "role_onlooker": t.pgettext("hub", "Onlooker: looks only"),
        "may_do": t.pgettext("hub", "May do"),
        "add_person": t.pgettext("hub", "Add somebody"),
        "remove": t.pgettext("hub", "Remove"),
        "remove_person": t.pgettext("hub", "Remove {name}"),
        "password_once": t.pgettext("hub", "Password of {name}, shown only now: {password}"),
    }


def _boards(t: NullTranslations) -> dict[str, str]:
    """What each board is, and what to do."""
    return {
        "hub_boards": t.pgettext("hub", "Boards"),
        "house": t.pgettext("hub", "House"),
        "all_houses": t.pgettext("hub", "All houses"),
        "all_boards": t.pgettext("hub", "All boards"),
        "find_board": t.pgettext("hub", "Find a board"),
        "state_playing": t.pgettext("hub", "Playing"),
        "state_waiting": t.pgettext("hub", "Waiting"),
        "state_asleep": t.pgettext("hub", "Asleep"),
        "state_ill": t.pgettext("hub", "Not well"),
        "state_gone": t.pgettext("hub", "Not reachable"),
        "since": t.pgettext("hub", "since {time}"),
        "gone_lost": t.pgettext("hub", "Look whether it has power and whether its network is there."),
        "gone_never": t.pgettext("hub", "It has never been here: put its credentials on it and start it."),
        "queued_there": t.pgettext("hub", "Not sent yet: {count}"),
        "no_boards": t.pgettext("hub", "No board yet."),
        "no_such_board": t.pgettext("hub", "No board is like that."),
        "show_more": t.pgettext("hub", "Show more"),
        "hub_away": t.pgettext("hub", "The hub doesn't answer. Trying again…"),
        "broker_away": t.pgettext("hub", "The hub can't reach its broker: what is shown here is old."),
    }


def _alarms(t: NullTranslations) -> dict[str, str]:
    """What somebody has to look at."""
    return {
        "alarms": t.pgettext("hub", "Alarms"),
        "no_alarms": t.pgettext("hub", "All is well."),
        "alarm_gone": t.pgettext("hub", "not reachable"),
        "alarm_house": t.pgettext("hub", "none of its boards is reachable"),
        "alarm_ill": t.pgettext("hub", "not well"),
        "alarm_flood": t.pgettext("hub", "it sends far too much"),
        "alarm_refused": t.pgettext("hub", "it sends what nobody understands"),
        "alarm_contradiction": t.pgettext("hub", "it contradicts what has been told"),
        "alarm_impossible": t.pgettext("hub", "it tells of a game that can't have been played"),
        "alarm_rollout": t.pgettext("hub", "a version is rolled out no further"),
        "have_seen": t.pgettext("hub", "I have seen it"),
        "seen_by": t.pgettext("hub", "seen by {name}"),
        "put_aside": t.pgettext("hub", "Put aside"),
        "put_aside_by": t.pgettext("hub", "put aside by {name}"),
        "earlier_alarms": t.pgettext("hub", "Earlier alarms"),
        "so_often": t.pgettext("hub", "times: {count}"),
    }


def _games(t: NullTranslations) -> dict[str, str]:
    """Games of all boards."""
    return {
        "live_games": t.pgettext("hub", "Live games"),
        "nobody_plays": t.pgettext("hub", "Nobody plays at present."),
        "other_board": t.pgettext("hub", "Another board"),
        "save_as": t.pgettext("hub", "Save all as {kind}"),
        "in_all": t.pgettext("hub", "In all"),
        "between_once": t.pgettext("hub", "In all, a game between two boards counts once."),
    }


def _orders(t: NullTranslations) -> dict[str, str]:
    """What is wanted of many boards at once."""
    return {
        "for_boards": t.pgettext("hub", "For which boards"),
        "as_it_is": t.pgettext("hub", "As it is"),
        "yes": t.pgettext("hub", "Yes"),
        "opening_hours": t.pgettext("hub", "Opening hours"),
        "hours_help": t.pgettext("hub", "Such as: {example}"),
        "tell_boards": t.pgettext("hub", "Tell the boards"),
        "told_boards": t.pgettext("hub", "Boards that are told: {count}"),
        "wanted": t.pgettext("hub", "Wanted"),
        "taken": t.pgettext("hub", "Done"),
        "refused": t.pgettext("hub", "Refused"),
        "not_answered": t.pgettext("hub", "Not answered yet"),
        "nothing_wanted": t.pgettext("hub", "Nothing is wanted of any board."),
    }


def _versions(t: NullTranslations) -> dict[str, str]:
    """Versions that can be rolled out, and who is asked to roll one out."""
    return {
        "versions": t.pgettext("hub", "Versions"),
        "no_versions": t.pgettext("hub", "No version here yet."),
        "add_version": t.pgettext("hub", "Add a version"),
        "version_help": t.pgettext("hub", "The file quarto-pi-VERSION.raucb, as its publisher has signed it."),
        "version_sending": t.pgettext("hub", "It's being sent and looked at…"),
        "version_added": t.pgettext("hub", "Version {version} is here."),
        "version_by": t.pgettext("hub", "put here by {name}"),
        "publisher_checked": t.pgettext("hub", "signed by your publisher"),
        "publisher_unchecked": t.pgettext("hub", "signed; by whom only the boards check"),
        "roll_out": t.pgettext("hub", "Roll out"),
        "which_version": t.pgettext("hub", "Which version"),
        "only_boards": t.pgettext("hub", "Only these boards (names, with commas)"),
        "first_board": t.pgettext("hub", "Which board first"),
        "any_board": t.pgettext("hub", "Any"),
        "by_hand_boards": t.pgettext("hub", "Their owners install versions by hand: {boards}"),
        "unknown_boards": t.pgettext("hub", "Not heard yet: {boards}"),
    }


def _rollout(t: NullTranslations) -> dict[str, str]:
    """How far a version is that is rolled out, and what may be decided about it."""
    return {
        "rollout_running": t.pgettext("hub", "Version {version} is being rolled out"),
        "rollout_stopped": t.pgettext("hub", "Version {version} is rolled out no further"),
        "rollout_abandoned": t.pgettext("hub", "Version {version} was abandoned"),
        "rollout_done": t.pgettext("hub", "Version {version} was rolled out"),
        "rollout_one": t.pgettext("hub", "First to one board"),
        "rollout_tenth": t.pgettext("hub", "Now to ten per cent of the boards"),
        "rollout_all": t.pgettext("hub", "Now to all boards"),
        "stopped_itself": t.pgettext("hub", "It has stopped by itself."),
        "decided_by": t.pgettext("hub", "Decided by {name}."),
        "stop_rollout": t.pgettext("hub", "Stop"),
        "resume_rollout": t.pgettext("hub", "Go on without those that went wrong"),
        "abandon_rollout": t.pgettext("hub", "Abandon"),
        "sure_abandon": t.pgettext("hub", "Really abandon it? Who has it keeps it."),
    }


def _rollout_steps(t: NullTranslations) -> dict[str, str]:
    """How far each board is with a version."""
    return {
        "step_waiting": t.pgettext("hub", "Not offered yet"),
        "step_offered": t.pgettext("hub", "Offered"),
        "step_fetching": t.pgettext("hub", "Fetches it"),
        "step_ready": t.pgettext("hub", "Has it, waits until nobody plays"),
        "step_taking": t.pgettext("hub", "Installs it"),
        "step_tried": t.pgettext("hub", "Runs it, is being watched"),
        "step_well": t.pgettext("hub", "Is well with it"),
        "step_ill": t.pgettext("hub", "Is not well with it"),
        "step_refused": t.pgettext("hub", "Refuses it"),
        "step_lost": t.pgettext("hub", "Has not come back"),
        "step_late": t.pgettext("hub", "Has not taken it in a week"),
        "step_had": t.pgettext("hub", "Had it before"),
    }


def _tournaments(t: NullTranslations) -> dict[str, str]:
    """Tournaments of a house, and who takes part."""
    return {
        "tournaments": t.pgettext("hub", "Tournaments"),
        "no_tournaments": t.pgettext("hub", "No tournament yet."),
        "new_tournament": t.pgettext("hub", "New tournament"),
        "tournament_name": t.pgettext("hub", "Name of the tournament"),
        "pairing_system": t.pgettext("hub", "Who meets whom"),
        "round_robin": t.pgettext("hub", "Everyone meets everyone"),
        "swiss_system": t.pgettext("hub", "Swiss system"),
        "best_of": t.pgettext("hub", "Best of so many games"),
        "rounds": t.pgettext("hub", "Rounds"),
        "players_by_line": t.pgettext("hub", "Players, one on each line"),
        "labels_stay": t.pgettext("hub", "Labels stay here: boards are told numbers only."),
        "add_players": t.pgettext("hub", "Add players"),
        "has_left": t.pgettext("hub", "has left"),
        "leaves": t.pgettext("hub", "{player} leaves"),
        "set_tables": t.pgettext("hub", "Set the tables"),
        "no_board_there": t.pgettext("hub", "no board"),
        "draw_round": t.pgettext("hub", "Pair the next round"),
        "close_tournament": t.pgettext("hub", "Close the tournament"),
        "sure_close": t.pgettext("hub", "Really close it? Boards show it no more."),
        "tournament_over": t.pgettext("hub", "All is played."),
        "tournament_closed": t.pgettext("hub", "closed"),
    }


def _pairings(t: NullTranslations) -> dict[str, str]:
    """Pairings, results and the table."""
    return {
        "tables": t.pgettext("hub", "Tables"),
        "pairings": t.pgettext("hub", "Pairings"),
        "plays_free": t.pgettext("hub", "{player} plays free"),
        "waits_for_table": t.pgettext("hub", "waits for a table"),
        "by_hand_only": t.pgettext("hub", "The board isn't reached: enter results yourself."),
        "change_result": t.pgettext("hub", "Enter or correct"),
        "result": t.pgettext("hub", "Result"),
        "as_played": t.pgettext("hub", "as played"),
        "is_absent": t.pgettext("hub", "{player} is absent"),
        "both_absent": t.pgettext("hub", "Both are absent"),
        "next_game_ended": t.pgettext("hub", "One more game"),
        "counts_not": t.pgettext("hub", "doesn't count"),
        "entered_by": t.pgettext("hub", "entered by {name}"),
        "take_from_table": t.pgettext("hub", "Take from the table"),
        "among_equals": t.pgettext("hub", "Among equals"),
    }


def _spectators(t: NullTranslations) -> dict[str, str]:
    """Watching one board without being logged in."""
    return {
        "let_watch": t.pgettext("hub", "Let people watch"),
        "may_watch": t.pgettext("hub", "Whoever has this address can watch the games of this board."),
        "only_here": t.pgettext(
            "hub", "Only this computer can open it: open this page by the hub's name or number, then make another one."
        ),
        "new_link": t.pgettext("hub", "Another address"),
        "stop_watching": t.pgettext("hub", "Let nobody watch"),
        "link_over": t.pgettext("hub", "This address is no longer good: ask for another one."),
    }
