"""`quarto-pi hub`: many boards on one broker; adds and removes boards, and runs broker and intake."""

from __future__ import annotations

import argparse
import getpass
import json
import os
import sys
import time
from collections.abc import Callable
from contextlib import ExitStack, closing
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Final

from quarto_pi.commands.options import Command
from quarto_pi.hub.accounts import check_house
from quarto_pi.hub.people import PEOPLE_FILE, PeopleFile, PersonRefused, Role

if TYPE_CHECKING:
    from quarto_pi.hub.settings import HubSettings
    from quarto_pi.hub.store import ChainBoard, HubStore

NEXT_STEPS: Final = """\
A board that starts from the card (docs/card.md): with any computer copy what is in {folder},
as it is, into a folder chain on the drive QUARTO-PI, beside quarto-pi.txt.{own_authority} Then start the board.
Any other board: copy the folder to it, and there, in it:
  sudo install -d -m 755 {place}
  sudo install -m 600 -o quarto-pi -g quarto-pi credentials {place}/
{authority}  sudo sh -c 'cat chain.toml >> /etc/quarto-pi/quarto-pi.toml'
  sudo systemctl restart quarto-pi
Then delete the folder, there and here."""
LOOKS_EVERY: Final = 1.0
"""Seconds between two looks at whether the intake still runs."""
OWN_AUTHORITY: Final = "\nWith it goes, as ca.pem, the certificate of whoever has signed the broker's."
AUTHORITY: Final = "  sudo install -m 644 ca.pem {place}/\n"


def _options(parser: argparse.ArgumentParser) -> None:
    """Tell what `hub` can be asked for."""
    orders = parser.add_subparsers(dest="order", metavar="ORDER", required=True)
    _order(orders, "start", "run the hub: its broker, and what keeps what boards tell; Ctrl-C ends it", _start)
    add = _order(orders, "add", "give a board an account, and write the files that are copied to it", _add)
    add.add_argument("board", metavar="BOARD", help="its name, such as north-1: a to z, 0 to 9 and -")
    add.add_argument("--house", metavar="HOUSE", help="the house that it stands in (default: as it was, or none)")
    add.add_argument("--renew", action="store_true", help="a new secret: the old one counts no more")
    remove = _order(orders, "remove", "take a board's account away: its connection is closed, its games stay", _remove)
    remove.add_argument("board", metavar="BOARD", help="its name")
    boards = _order(orders, "boards", "list the boards that have an account", _boards)
    boards.add_argument("--all", action="store_true", help="also those whose account was taken away")
    boards.add_argument("--json", action="store_true", help="print one JSON object for each board")
    home = _order(orders, "home-assistant", "give the house's Home Assistant an account that reads", _home)
    home.add_argument("--renew", action="store_true", help="a new secret: the old one counts no more")
    version = _order(orders, "version", "put a version there that can be rolled out, or list those there are", _version)
    version.add_argument("file", metavar="FILE", type=Path, nargs="?", help="a signed update: quarto-pi-VERSION.raucb")
    version.add_argument("--remove", metavar="VERSION", help="take this version away")
    _user_options(orders.add_parser("user", help="say who may use the hub's page"))


def _order(
    orders: argparse._SubParsersAction[argparse.ArgumentParser],
    name: str,
    summary: str,
    work: Callable[[argparse.Namespace], int],
) -> argparse.ArgumentParser:
    parser: argparse.ArgumentParser = orders.add_parser(
        name, help=summary, description=f"{summary[0].upper()}{summary[1:]}."
    )
    parser.add_argument(
        "--folder",
        type=Path,
        metavar="FOLDER",
        help="where the hub keeps what it has to remember, with its hub.toml (default: /var/lib/quarto-pi-hub if that "
        "is there, else your own)",
    )
    parser.set_defaults(work=work)
    return parser


def _run(arguments: argparse.Namespace) -> int:
    """Do what the order says."""
    work: Callable[[argparse.Namespace], int] = arguments.work
    return work(arguments)


def _folder(arguments: argparse.Namespace) -> Path:
    from quarto_pi.hub.settings import become_owner, hub_folder, prepare_folder

    folder = (arguments.folder or hub_folder(os.environ)).expanduser().absolute()
    become_owner(folder)
    return prepare_folder(folder)


def _folder_of_hub(arguments: argparse.Namespace) -> Path:
    """The folder for who only looks at a hub, or takes something away from it: it makes none."""
    from quarto_pi.hub.broker import PASSWORDS_FILE
    from quarto_pi.hub.settings import HUB_SETTINGS_FILE, HubError, become_owner, hub_folder, prepare_folder
    from quarto_pi.hub.store import STORE_FILE
    from quarto_pi.hub.version_shelf import VERSIONS_FOLDER

    folder = (arguments.folder or hub_folder(os.environ)).expanduser().absolute()
    become_owner(folder)
    of_a_hub = (HUB_SETTINGS_FILE, STORE_FILE, PASSWORDS_FILE, PEOPLE_FILE, VERSIONS_FOLDER)
    if not folder.is_dir() or not any((prepare_folder(folder) / name).exists() for name in of_a_hub):
        raise HubError(
            f"there is no hub in {folder}: 'quarto-pi hub start' and 'quarto-pi hub add BOARD' make one, and --folder "
            "names another folder."
        )
    return prepare_folder(folder)


def _store_there(folder: Path, settings: HubSettings) -> HubStore | None:
    """The database of a hub; None where it has none yet."""
    from quarto_pi.hub.store import STORE_FILE, open_store

    if not settings.database and not (folder / STORE_FILE).exists():
        return None
    return open_store(folder, settings)


def _start(arguments: argparse.Namespace) -> int:
    """Run the hub until it is told to end."""
    from quarto_pi.hub.board_post import SpectatorPost, TournamentPost
    from quarto_pi.hub.rollout_desk import RolloutDesk, versions_address
    from quarto_pi.hub.running import PageOfHub, running_hub, serving_page, until_signalled
    from quarto_pi.hub.settings import HubFailure, settings_in
    from quarto_pi.hub.store import open_store
    from quarto_pi.hub.tournament_desk import TournamentDesk
    from quarto_pi.hub.version_shelf import VersionShelf
    from quarto_pi.hub.watch import Watch
    from quarto_pi.hub.watching import Watching

    folder = _folder(arguments)
    settings = settings_in(folder)
    kept_in = _database(folder, settings.database)
    watch = Watch([], time.time)
    desk = TournamentDesk(watch)
    post, spectators = TournamentPost(desk, watch), SpectatorPost(watch)

    def look_beside(store: HubStore) -> None:
        post.look(store)
        spectators.look(store)

    watching = Watching(watch, lambda: open_store(folder, settings), _say)
    watching.look_beside(look_beside)
    rollouts = RolloutDesk(watch, VersionShelf(folder, settings.publisher), versions_address(settings))
    watching.look_beside(rollouts.look)
    with ExitStack() as stack:
        ended = stack.enter_context(until_signalled())
        stack.callback(watching.close)
        hub = stack.enter_context(running_hub(folder, settings, _say, watch))
        intake = hub.intake
        watching.send_by(lambda topic, payload: intake.send(topic, payload, is_retained=True))
        post.send_by(hub.intake.send)
        spectators.send_by(hub.intake.send)
        rollouts.send_by(hub.intake.send)
        watching.start()
        page = PageOfHub(watch, hub.store, hub.intake.counts, desk, rollouts)
        address = stack.enter_context(serving_page(folder, settings, page, _say))
        where = f"port {settings.port}" if hub.broker is not None else settings.broker
        _say(f"The hub runs: boards find it at {where}, and what they tell is kept in {kept_in}.")
        if address:
            _say(f"Its page is at {address}.")
        while not ended.wait(LOOKS_EVERY) and not hub.failed.is_set():
            pass
        if not ended.wait(0.0):
            raise HubFailure("the intake has ended by the error above: start the hub again, and report it.")
        _say("The hub ends.")
    return 0


def _database(folder: Path, database: str) -> str:
    return "PostgreSQL" if database else f"{folder}"


def _say(sentence: str) -> None:
    print(sentence, file=sys.stderr, flush=True)


def _add(arguments: argparse.Namespace) -> int:
    """Give a board an account."""
    from quarto_pi.chain.credentials import PLACE_ON_BOARD
    from quarto_pi.chain.topics import check_board_name
    from quarto_pi.hub.accounts import add_board_account, certificates_for, check_house, is_at_work
    from quarto_pi.hub.settings import settings_in
    from quarto_pi.hub.store import open_store

    board = check_board_name(arguments.board)
    house = None if arguments.house is None else check_house(arguments.house)
    folder = _folder(arguments)
    settings = settings_in(folder)
    certificates_for(folder, settings)
    # A board that is at work has taken its files away from here: another house needs none of them.
    moves_only = house is not None and not arguments.renew and is_at_work(folder, board)
    files = None if moves_only else add_board_account(folder, board, settings, renew=arguments.renew)
    store = open_store(folder, settings)
    try:
        there = store.put_board(board, house, time.time())
        houses = {each.house for each in store.boards() if each.revoked is None and each.name != board}
    finally:
        store.close()
    like = [each for each in houses if each != there.house and each.casefold() == there.house.casefold()]
    if like:
        print(f"There is a house '{like[0]}' as well, which is another one: --house '{like[0]}' puts {board} there.")
    if files is None:
        print(f"{board} is of {there.house or 'no house'} now; its account and its secret stay as they are.")
        return 0
    house_said = f" of {there.house}" if there.house else ""
    said = "has a new secret" if files.is_new else "has its account already, and keeps its secret"
    print(f"{board}{house_said} {said}.")
    authority = AUTHORITY.format(place=PLACE_ON_BOARD) if files.has_authority else ""
    own = OWN_AUTHORITY if settings.tls and not files.has_authority else ""
    print(NEXT_STEPS.format(folder=files.folder, place=PLACE_ON_BOARD, authority=authority, own_authority=own))
    return 0


def _remove(arguments: argparse.Namespace) -> int:
    """Take a board's account away."""
    from quarto_pi.hub.accounts import remove_board_account
    from quarto_pi.hub.settings import HubError, settings_in

    folder = _folder_of_hub(arguments)
    settings = settings_in(folder)
    # First the account: it counts no more, even where the database is away.
    had_account = remove_board_account(folder, arguments.board)
    is_known = False
    store = _store_there(folder, settings)
    if store is not None:
        with closing(store):
            is_known = store.revoke_board(arguments.board, time.time())
    if not had_account and not is_known:
        raise HubError(f"there is no board '{arguments.board}': 'quarto-pi hub boards' lists those that there are.")
    print(f"{arguments.board} has no account any more; its games stay.")
    return 0


def _home(arguments: argparse.Namespace) -> int:
    """Give Home Assistant an account."""
    from quarto_pi.chain.credentials import CA_FILE
    from quarto_pi.hub.accounts import certificates_for, home_account
    from quarto_pi.hub.settings import settings_in

    folder = _folder(arguments)
    certificates = certificates_for(folder, settings_in(folder))
    file = home_account(folder, renew=arguments.renew)
    authority = "" if certificates is None else f", and the certificate of the broker's authority in {folder / CA_FILE}"
    print(f"Home Assistant's name and password at the broker stand in {file}{authority}.")
    return 0


def _boards(arguments: argparse.Namespace) -> int:
    """List the boards."""
    from quarto_pi.hub.settings import settings_in

    folder = _folder_of_hub(arguments)
    store = _store_there(folder, settings_in(folder))
    boards: list[ChainBoard] = []
    if store is not None:
        with closing(store):
            boards = [board for board in store.boards() if arguments.all or board.revoked is None]
    for board in boards:
        if arguments.json:
            told = {"board": board.name, "house": board.house, "added": board.added, "revoked": board.revoked}
            print(json.dumps(told, ensure_ascii=False))
        else:
            taken = "" if board.revoked is None else f", taken away on {_day(board.revoked)}"
            print(f"{board.name:30} {board.house:20} added on {_day(board.added)}{taken}")
    if not boards and not arguments.json:
        _say("There is no board yet: 'quarto-pi hub add BOARD' adds one.")
    return 0


def _version(arguments: argparse.Namespace) -> int:
    """Put a version into the hub's folder, take one away, or list them."""
    from quarto_pi.hub.settings import HubError, settings_in
    from quarto_pi.hub.version_shelf import VersionShelf

    # Opened before the command goes on as the hub's own user, who may not see it.
    with ExitStack() as stack:
        try:
            stream = None if arguments.file is None else stack.enter_context(arguments.file.open("rb"))
        except OSError as error:
            raise HubError(f"{arguments.file} cannot be read ({error.strerror}).") from error
        folder = _folder_of_hub(arguments) if stream is None else _folder(arguments)
        shelf = VersionShelf(folder, settings_in(folder).publisher)
        if stream is not None:
            kept = shelf.put(stream, "the command", time.time())
            signed = (
                "signed by its publisher" if kept.checked else "signed; whether by its publisher the boards find out"
            )
            print(f"Version {kept.version} is there, {signed}. It is rolled out on the hub's page.")
            return 0
    if arguments.remove is not None:
        found = [each for each in shelf.all() if each.version == arguments.remove]
        if not found:
            raise HubError(
                f"there is no version '{arguments.remove}': 'quarto-pi hub version' lists those that there are."
            )
        shelf.remove(found[0].sha256)
        print(f"Version {found[0].version} is taken away.")
        return 0
    for each in shelf.all():
        print(f"{each.version:30} {each.size:>12} bytes, put there on {_day(each.at)} by {each.by}")
    if not shelf.all():
        _say("There is no version yet: 'quarto-pi hub version FILE' puts one there.")
    return 0


def _day(moment: float) -> str:
    return f"{datetime.fromtimestamp(moment, UTC):%Y-%m-%d}"


def _user_options(parser: argparse.ArgumentParser) -> None:
    """Tell what `hub user` can be asked for."""
    orders = parser.add_subparsers(dest="user_order", metavar="ORDER", required=True)
    add = _order(orders, "add", "enter somebody, or give somebody another role or password", _add_user)
    add.add_argument("name", metavar="NAME", help="as it is typed: a to z, 0 to 9, . and -")
    add.add_argument(
        "--role",
        choices=[role.value for role in Role],
        required=True,
        help="everything; its house's boards; looks only",
    )
    add.add_argument("--house", metavar="HOUSE", default="", help="the house, for 'house', and for an onlooker of one")
    add.add_argument("--generate", action="store_true", help="make a password up instead of asking for one")
    remove = _order(orders, "remove", "take somebody out, who is logged out at once", _remove_user)
    remove.add_argument("name", metavar="NAME", help="who")
    _order(orders, "list", "list who may use the page", _list_users)


def _add_user(arguments: argparse.Namespace) -> int:
    """Enter somebody."""
    people = PeopleFile(_folder(arguments))
    password = None
    if not arguments.generate and sys.stdin.isatty():
        password = getpass.getpass(f"Password for {arguments.name} (Enter: make one up): ") or None
        if password is not None and getpass.getpass("Once more: ") != password:
            raise PersonRefused("that was not the same twice: try again.")
    chosen = people.add(arguments.name, Role(arguments.role), check_house(arguments.house), password)
    print(f"{arguments.name} may use the page as {arguments.role}.")
    if password is None:
        print(f"Password, shown only now: {chosen}")
    return 0


def _remove_user(arguments: argparse.Namespace) -> int:
    """Take somebody out."""
    PeopleFile(_folder_of_hub(arguments)).remove(arguments.name)
    print(f"{arguments.name} may use the page no more.")
    return 0


def _list_users(arguments: argparse.Namespace) -> int:
    """List everybody."""
    for user in PeopleFile(_folder_of_hub(arguments)).all():
        print(f"{user.name:30} {user.role.value:10} {user.house}".rstrip())
    return 0


HUB_COMMAND: Final = Command("hub", "run the hub of many boards, and say which boards it has", _options, _run)
