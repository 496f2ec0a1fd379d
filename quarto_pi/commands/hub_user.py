"""`quarto-pi hub user`: who may use the hub's page, and as what."""

from __future__ import annotations

import argparse
import getpass
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Protocol

from quarto_pi.hub.accounts import check_house
from quarto_pi.hub.people import PeopleFile, PersonRefused, Role

FolderOf = Callable[[argparse.Namespace], Path]


class AddOrder(Protocol):
    """Adds an order with what it does, and the options that all orders of the hub have."""

    def __call__(
        self,
        orders: argparse._SubParsersAction[argparse.ArgumentParser],
        name: str,
        summary: str,
        work: Callable[[argparse.Namespace], int],
    ) -> argparse.ArgumentParser:
        """The order's parser."""


def user_orders(parser: argparse.ArgumentParser, order: AddOrder, folder_of: FolderOf, hub_of: FolderOf) -> None:
    """Tell what `hub user` can be asked for; `folder_of` may make a hub, `hub_of` only finds one."""
    orders = parser.add_subparsers(dest="user_order", metavar="ORDER", required=True)
    add = order(
        orders, "add", "enter somebody, or give somebody another role or password", lambda asked: _add(asked, folder_of)
    )
    add.add_argument("name", metavar="NAME", help="as it is typed: a to z, 0 to 9, . and -")
    add.add_argument(
        "--role",
        choices=[role.value for role in Role],
        required=True,
        help="everything; its house's boards; looks only",
    )
    add.add_argument("--house", metavar="HOUSE", default="", help="the house, for 'house', and for an onlooker of one")
    add.add_argument("--generate", action="store_true", help="make a password up instead of asking for one")
    remove = order(
        orders, "remove", "take somebody out, who is logged out at once", lambda asked: _remove(asked, hub_of)
    )
    remove.add_argument("name", metavar="NAME", help="who")
    order(orders, "list", "list who may use the page", lambda asked: _list(asked, hub_of))


def _add(arguments: argparse.Namespace, folder_of: FolderOf) -> int:
    """Enter somebody."""
    people = PeopleFile(folder_of(arguments))
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


def _remove(arguments: argparse.Namespace, folder_of: FolderOf) -> int:
    """Take somebody out."""
    PeopleFile(folder_of(arguments)).remove(arguments.name)
    print(f"{arguments.name} may use the page no more.")
    return 0


def _list(arguments: argparse.Namespace, folder_of: FolderOf) -> int:
    """List everybody."""
    for user in PeopleFile(folder_of(arguments)).all():
        print(f"{user.name:30} {user.role.value:10} {user.house}".rstrip())
    return 0
