"""The labels of the page: what stands on its buttons, panels and forms.

What stands in braces is put in by the page.
"""

from __future__ import annotations

from gettext import NullTranslations


def labels(t: NullTranslations) -> dict[str, str]:
    """Every label by its key."""
    parts = (_game, _start, _games, _review, _figures, _service, _saved, _update, _set_up, _troubles)
    return {key: label for part in parts for key, label in part(t).items()}


def _game(t: NullTranslations) -> dict[str, str]:
    """Board, players and settings."""
    return {
        "title": t.pgettext("page", "Quarto board"),
        "board": t.pgettext("page", "Board"),
        "give_place": t.pgettext("page", "Giving spot"),
        "give_place_with": t.pgettext("page", "Giving spot: {piece}"),
        "call_button": t.pgettext("page", "QUARTO!"),
        "pieces_left": t.pgettext("page", "Pieces left"),
        "piece_given": t.pgettext("page", "Piece given"),
        "empty": t.pgettext("page", "empty"),
        "square_empty": t.pgettext("page", "{square}: empty"),
        "square_with": t.pgettext("page", "{square}: {piece}"),
        "piece_chosen": t.pgettext("page", "{piece}: chosen"),
        "choose_place": t.pgettext("page", "Now choose a place for it."),
        "how_to_move": t.pgettext("page", "Drag a piece, or choose it and then its place."),
        "put_here": t.pgettext("page", "Put it here"),
        "lift": t.pgettext("page", "Take it off the board"),
        "clear_board": t.pgettext("page", "Clear the board"),
        "players": t.pgettext("page", "Players"),
        "player": t.pgettext("page", "Player {number}"),
        "person": t.pgettext("menu", "A person"),
        "level": t.pgettext("page", "Level"),
        "who_begins": t.pgettext("menu", "Who starts"),
        "in_turn": t.pgettext("menu", "Taking turns"),
        "by_lot": t.pgettext("menu", "At random"),
        "new_game": t.pgettext("menu", "New game"),
        "take_back": t.pgettext("menu", "Undo move"),
        "pause": t.pgettext("menu", "Pause"),
        "go_on": t.pgettext("page", "Go on"),
        "teach_me": t.pgettext("menu", "Teach me"),
        "how_to_play": t.pgettext("menu", "How to play"),
        "no": t.pgettext("page", "No"),
        "settings": t.pgettext("page", "Settings"),
        "next_game": t.pgettext("page", "Applies from the next game."),
        "variant": t.pgettext("menu", "Rules"),
        "squares_count": t.pgettext("page", "2 x 2 squares count too"),
        "traits": t.pgettext("page", "What counts"),
        "colour": t.pgettext("page", "Colour"),
        "height": t.pgettext("page", "Height"),
        "shape": t.pgettext("page", "Shape"),
        "top": t.pgettext("page", "Solid or hollow"),
        "calling": t.pgettext("menu", "Who calls"),
        "by_players": t.pgettext("menu", "The players"),
        "by_board": t.pgettext("menu", "The board"),
        "clock": t.pgettext("menu", "Time per move"),
        "no_limit": t.pgettext("menu", "No limit"),
        "seconds": t.pgettext("page", "{count} seconds"),
        "coach": t.pgettext("menu", "Coach"),
        "coach_help": t.pgettext("page", "Tells you when there is a Quarto."),
        "hindsight": t.pgettext("page", "After a game: what was overlooked"),
        "voice": t.pgettext("menu", "Voice"),
        "speak_squares": t.pgettext("menu", "Speak squares"),
        "language": t.pgettext("menu", "Language"),
        "next_language": t.pgettext("page", "Next language"),
    }


def _start(t: NullTranslations) -> dict[str, str]:
    """Who plays, and by which rules; how to play; a new game."""
    return {
        "who_plays": t.pgettext("page", "Who plays?"),
        "two_people": t.pgettext("page", "Two people"),
        "computer": t.pgettext("page", "Computer"),
        "show_me": t.pgettext("page", "Show me"),
        "another_board": t.pgettext("menu", "Another board"),
        "any_board": t.pgettext("menu", "Any board"),
        "stop_waiting": t.pgettext("menu", "Stop waiting"),
        "how_strong": t.pgettext("page", "How well the computer plays"),
        "level_beginner": t.pgettext("page", "Beginner"),
        "level_easy": t.pgettext("page", "Easy"),
        "level_medium": t.pgettext("page", "Medium"),
        "level_like_me": t.pgettext("menu", "As good as I am"),
        "level_strong": t.pgettext("page", "Strong"),
        "level_perfect": t.pgettext("page", "Perfect"),
        "classic": t.pgettext("menu", "Classic"),
        "lines_and_squares": t.pgettext("menu", "Lines and squares"),
        "a_game": t.pgettext("page", "Now a whole game"),
        "play": t.pgettext("page", "Play"),
        "stop": t.pgettext("page", "Stop"),
        "sure_new_game": t.pgettext("page", "End this game and begin a new one?"),
        "end_game": t.pgettext("page", "End this game"),
        "play_on": t.pgettext("page", "Play on"),
        "still_held": t.pgettext("page", "You still hold a piece: {piece}. Touch it again to let go."),
        "let_go": t.pgettext("page", "{piece}: let go"),
        "menu": t.pgettext("page", "Board's menu"),
    }


def _games(t: NullTranslations) -> dict[str, str]:
    """Moves, finished games, results, and the tournament of the board's house."""
    return {
        "history": t.pgettext("page", "Moves"),
        "no_moves": t.pgettext("page", "No move yet."),
        "games": t.pgettext("page", "Finished games"),
        "no_games": t.pgettext("page", "No game has been finished yet."),
        "game": t.pgettext("page", "Game {number}"),
        "step_first": t.pgettext("page", "First position"),
        "step_back": t.pgettext("page", "One step back"),
        "step_forward": t.pgettext("page", "One step forward"),
        "step_last": t.pgettext("page", "Last position"),
        "save_game": t.pgettext("page", "Save the game"),
        "coach_says": t.pgettext("page", "The coach says"),
        "coach_thinks": t.pgettext("page", "The coach is thinking…"),
        "gives": t.pgettext("page", "{player} gives {piece}"),
        "places": t.pgettext("page", "{player} puts {piece} on {square}"),
        "calls": t.pgettext("page", "{player} calls QUARTO!"),
        "wins": t.pgettext("page", "{player} wins"),
        "draw": t.pgettext("page", "Draw"),
        "unfinished": t.pgettext("page", "Not finished"),
        "missed": t.pgettext("page", "Missed"),
        "statistics": t.pgettext("page", "Statistics"),
        "missed_alignments": t.pgettext("statistics", "Missed Quartos"),
        "time_per_game": t.pgettext("statistics", "Time per game"),
        "against_computer": t.pgettext("statistics", "Wins against the computer"),
        "won_of": t.pgettext("page", "{won} of {games}"),
        "games_played": t.pgettext("page", "Games played"),
        "games_won": t.pgettext("page", "Won"),
        "draws": t.pgettext("page", "Draws"),
        "time": t.pgettext("page", "Time"),
        "table": t.pgettext("page", "Table {number}"),
        "round_of": t.pgettext("page", "Round {number} of {count}"),
        "pairing": t.pgettext("page", "{first} against {second}"),
        "standings": t.pgettext("page", "Standings"),
        "points": t.pgettext("page", "Points"),
    }


def _review(t: NullTranslations) -> dict[str, str]:
    """A finished game looked at again, and its photo finish."""
    return {
        "worth_graph": t.pgettext("page", "Who could win"),
        "worth_win": t.pgettext("page", "{player} can win."),
        "worth_draw": t.pgettext("page", "Nobody can force a win."),
        "worth_unknown": t.pgettext("page", "Who could win here isn't known."),
        "safe_of": t.pgettext("page", "Safe answers: {safe} of {answers}."),
        "safe_answers": t.pgettext("page", "Safe answers"),
        "verdict_best": t.pgettext("page", "Well done"),
        "verdict_overlooked": t.pgettext("page", "Quarto overlooked"),
        "verdict_gift": t.pgettext("page", "Winning piece given"),
        "verdict_win_lost": t.pgettext("page", "Win let slip"),
        "verdict_lost": t.pgettext("page", "Already lost"),
        "verdict_draw_lost": t.pgettext("page", "Can be beaten now"),
        "not_known": t.pgettext("page", "Not known"),
        "turning_point": t.pgettext("page", "Turning point"),
        "play_back": t.pgettext("page", "Play the game"),
        "stop_play": t.pgettext("page", "Stop"),
        "photo_finish": t.pgettext("page", "Photo finish"),
        "photo_help": t.pgettext("page", "After a game the display shows a code for phones."),
        "show_it": t.pgettext("page", "Show it"),
        "share_picture": t.pgettext("page", "Share the picture"),
        "save_picture": t.pgettext("page", "Save the picture"),
        "game_gone": t.pgettext("page", "This game isn't over, or the board no longer has it."),
        "to_board": t.pgettext("page", "To the board"),
        "pieces_placed_of": t.pgettext("page", "{count} of 16 pieces placed"),
    }


def _figures(t: NullTranslations) -> dict[str, str]:
    """What is counted over finished games, as pictures and tables."""
    return {
        "last_games": t.pgettext("page", "Counted over this many games: {count}"),
        "as_table": t.pgettext("page", "As a table"),
        "figure_traits": t.pgettext("page", "What is overlooked"),
        "figure_lines": t.pgettext("page", "Where it is overlooked"),
        "figure_squares": t.pgettext("page", "Where pieces are put"),
        "figure_lengths": t.pgettext("page", "Pieces placed in a game"),
        "none_missed": t.pgettext("page", "Nothing has been overlooked."),
        "called": t.pgettext("page", "Called"),
        "squares_named": t.pgettext("page", "Squares"),
        "put_there": t.pgettext("page", "Pieces"),
        "won_there": t.pgettext("page", "Winning pieces"),
        "pieces_placed": t.pgettext("page", "Pieces placed"),
        "games_lost": t.pgettext("page", "Lost"),
    }


def _service(t: NullTranslations) -> dict[str, str]:
    """Display, the makers' panel, and the page itself."""
    return {
        "display": t.pgettext("page", "Board's display"),
        "makers": t.pgettext("page", "For makers"),
        "readers": t.pgettext("page", "Readers"),
        "reader_works": t.pgettext("page", "works"),
        "reader_dead": t.pgettext("page", "doesn't answer"),
        "errors": t.pgettext("page", "Errors"),
        "misses": t.pgettext("page", "Missed reads"),
        "cross_reads": t.pgettext("page", "Heard by a neighbour"),
        "faults": t.pgettext("page", "Try out faults"),
        "kill_reader": t.pgettext("page", "Switch a reader off"),
        "noise": t.pgettext("page", "Noise"),
        "cross_talk": t.pgettext("page", "Readers hear their neighbours"),
        "cut_power": t.pgettext("page", "Cut the power for a moment"),
        "repair": t.pgettext("page", "Repair everything"),
        "record": t.pgettext("page", "Record what the sensors see"),
        "stop_recording": t.pgettext("page", "Stop and save"),
        "guide_press": t.pgettext("page", "Press"),
        "guide_hold": t.pgettext("page", "Hold"),
        "guide": t.pgettext("page", "First steps"),
        "connection_lost": t.pgettext("page", "The board doesn't answer. Trying again…"),
        "failed": t.pgettext("page", "That didn't work."),
        "dark_room": t.pgettext("page", "Dark mode"),
        "close": t.pgettext("page", "Close"),
        "look_only": t.pgettext("page", "You can watch here, but not play."),
        "report": t.pgettext("page", "Report for helpers"),
        "take_report": t.pgettext("page", "Save a report to this device"),
        "report_help": t.pgettext(
            "page", "What the board finds out about itself: without PIN, passwords, names and games."
        ),
        "report_saved": t.pgettext("page", "The report is saved."),
        "pin": t.pgettext("page", "Owner's PIN"),
        "wrong_pins": t.pgettext("page", "Wrong PINs since the last right one: {count}"),
        "mark_put": t.pgettext("page", "It belongs here"),
        "mark_won": t.pgettext("page", "Part of the Quarto"),
        "mark_asked": t.pgettext("page", "Does the piece stand here?"),
        "mark_unseen": t.pgettext("page", "The board can't see this spot"),
        "chain_there": t.pgettext("page", "Chain: the hub is there."),
        "chain_away": t.pgettext("page", "Chain: the hub isn't there. Games are saved and sent later."),
        "condition": t.pgettext("page", "Status"),
        "keyboard": t.pgettext("page", "Keyboard"),
        "key_arrows": t.pgettext("page", "Arrow keys: from square to square"),
        "key_enter": t.pgettext("page", "Enter: pick up and put down"),
        "key_escape": t.pgettext("page", "Escape: let go, or put beside the board"),
        "key_call": t.pgettext("page", "Q: QUARTO!"),
        "key_call_two": t.pgettext("page", "Q and P: QUARTO! (Player 1, Player 2)"),
    }


def _saved(t: NullTranslations) -> dict[str, str]:
    """Saved games, which the owner takes off the board and brings back."""
    return {
        "saved_games": t.pgettext("page", "Saved games"),
        "take_games": t.pgettext("page", "Save them to this device"),
        "to_stick": t.pgettext("page", "Save them to the USB stick"),
        "bring_back": t.pgettext("page", "Bring games back"),
        "from_device": t.pgettext("page", "Bring back from this device"),
        "saved_on_board": t.pgettext("page", "Games on the board: {count}"),
        "saved_on_stick": t.pgettext("page", "Games on the USB stick: {count}"),
        "sure_bring_back": t.pgettext("page", "They replace the games saved now, and a game under way ends."),
        "leave_it": t.pgettext("page", "Leave it as it is"),
        "games_saved": t.pgettext("page", "The games are saved."),
        "games_back": t.pgettext("page", "The games are back."),
        "no_games_file": t.pgettext("page", "No games were found in that file."),
        "no_stick": t.pgettext("page", "No USB stick is plugged in."),
        "no_room": t.pgettext("page", "Nothing more fits there."),
    }


def _update(t: NullTranslations) -> dict[str, str]:
    """An update, which the owner hands in."""
    return {
        "update": t.pgettext("page", "Update the board"),
        "update_choose": t.pgettext("page", "Choose the update's file"),
        "update_help": t.pgettext("page", "Best when nobody plays: afterwards the board starts again."),
        "update_sending": t.pgettext("page", "The file is being sent…"),
        "update_checking": t.pgettext("page", "The board checks the update and installs it. That takes some minutes."),
        "update_refused": t.pgettext(
            "page", "The board doesn't take this file: it isn't signed by anybody it trusts, or it is damaged."
        ),
        "update_same": t.pgettext("page", "The board has this version already."),
        "update_failed": t.pgettext("page", "The update couldn't be installed. The board stays as it is."),
        "update_installed": t.pgettext("page", "The update is installed. The board starts again."),
        "no_update": t.pgettext("page", "That file isn't an update."),
    }


def _set_up(t: NullTranslations) -> dict[str, str]:
    """The set-up of a new board by phone."""
    return {
        "setup_title": t.pgettext("page", "Set up the board"),
        "setup_wifi": t.pgettext("page", "Wi-Fi that the board joins"),
        "setup_none": t.pgettext("page", "No network, thanks"),
        "setup_other": t.pgettext("page", "Another network"),
        "setup_name": t.pgettext("page", "Name of the network"),
        "setup_password": t.pgettext("page", "Password of the network"),
        "setup_pin": t.pgettext("page", "A PIN of your choice"),
        "setup_pin_help": t.pgettext(
            "page", "With the PIN one can change things on this page, without one only watch."
        ),
        "setup_no_pin": t.pgettext("page", "No PIN"),
        "setup_wiring": t.pgettext("page", "How the board is wired"),
        "setup_next": t.pgettext("page", "Next"),
        "setup_sure": t.pgettext("page", "Is this right?"),
        "setup_go": t.pgettext("page", "Set the board up"),
        "setup_change": t.pgettext("page", "Change something"),
        "setup_joins": t.pgettext(
            "page", "The board now joins {network}. Look at its display: it says when it is set up, or what went wrong."
        ),
        "setup_starts": t.pgettext("page", "The board is set up and starts now. Its own Wi-Fi is closed."),
    }


def _troubles(t: NullTranslations) -> dict[str, str]:
    """Why something that was asked for has not been done."""
    return {
        "pin_missing": t.pgettext("page", "Enter the owner's PIN first."),
        "pin_wrong": t.pgettext("page", "That isn't this board's PIN."),
        "pin_wait": t.pgettext("page", "Too many wrong PINs: try again later."),
        "too_fast": t.pgettext("page", "That was a lot at once: wait a moment."),
        "busy": t.pgettext("page", "The board is busy: try again in a moment."),
        "guide_first": t.pgettext("page", "The board learns its pieces first."),
        "no_game_yet": t.pgettext("page", "No game is under way."),
        "game_on": t.pgettext("page", "A game is under way: end it before a lesson."),
        "game_over": t.pgettext("page", "The game is over: clear the board for the next one."),
        "nothing_placed": t.pgettext("page", "Nothing has been placed yet."),
        "square_taken": t.pgettext("page", "Another piece stands there."),
    }
