"""`quarto-pi simulate`: the whole controller over a simulated board, with a page to play at it."""

from __future__ import annotations

import argparse
import os
import signal
import sys
import webbrowser
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from threading import Thread
from types import FrameType
from typing import TYPE_CHECKING, Final

from quarto_pi.commands.beginning import open_chain
from quarto_pi.commands.options import (
    Command,
    add_config,
    add_keep,
    add_power_off,
    add_speed,
    config_of,
    tell_missing_words,
    whole_number,
    without_node,
)
from quarto_pi.config import Config, ConfigError
from quarto_pi.devices.light_patterns import PanelLightsSettings, SquareLightsSettings
from quarto_pi.devices.settings import OledSettings
from quarto_pi.known_time import time_of_machine
from quarto_pi.service import ServiceManager, Watchdog, power_off
from quarto_pi.web.serving import NEXT_PORTS, address_of, listen
from quarto_pi.wiring.platform import not_installed

if TYPE_CHECKING:
    from quarto_pi.wiring.chain import OpenChain

PORT: Final = 8040
HOST: Final = "127.0.0.1"
EVERYWHERE: Final = ("0.0.0.0", "::")  # noqa: S104 - only where somebody asks for it


def _options(parser: argparse.ArgumentParser) -> None:
    """Tell what `simulate` can be asked for."""
    parser.add_argument("--port", type=_port, help=f"where the page is served (default: {PORT}, or the next free one)")
    parser.add_argument("--host", default=HOST, help="who may see the page: 0.0.0.0 for all in the network")
    parser.add_argument("--no-browser", action="store_true", help="do not open a browser")
    add_config(parser)
    add_keep(parser)
    add_power_off(parser)
    parser.add_argument("--enrol", action="store_true", help="begin with the guide of a board that knows no piece yet")
    add_speed(parser)
    parser.add_argument(
        "--seed",
        type=whole_number(0, 2**32),
        default=0,
        metavar="N",
        help="what happens at random happens the same way",
    )


def _run(arguments: argparse.Namespace) -> int:
    """Serve the page until it is told to stop."""
    # Starlette and uvicorn are there where the set 'simulation' is installed; the other commands need neither.
    try:
        from quarto_pi.checks.installation import search
        from quarto_pi.web.service import PageServer
        from quarto_pi.wiring.playground import Playground
    except ImportError as error:
        raise not_installed(error) from error
    config = equipped(config_of(arguments))
    tell_missing_words()
    without_node(config)
    wanted = PORT if arguments.port is None else arguments.port
    bound = listen(arguments.host, wanted, NEXT_PORTS if arguments.port is None else 0)
    with ExitStack() as stack:
        stack.callback(bound.close)
        _say("Setting up a board with seventeen readers, a display and lights ...")
        if slow := search().fix:
            _say(f"The computer thinks long here, because its search is not compiled: {slow}")
        watchdog = stack.enter_context(Watchdog(ServiceManager.of(os.environ, os.getpid())))
        chain = _chain(config, arguments.keep, stack)
        first_start = arguments.enrol
        playground = Playground(
            config,
            stack,
            arguments.seed,
            speed=arguments.speed,
            keep=arguments.keep,
            watchdog=watchdog,
            first_start=first_start,
            chain=chain,
        )
        ending = Ending()
        signal.signal(signal.SIGTERM, ending.stop)
        signal.signal(signal.SIGINT, ending.stop)
        stack.enter_context(PageServer(playground.app, bound))
        port = bound.getsockname()[1]
        if port != wanted and wanted:
            _say(f"Port {wanted} is in use by another program; this is port {port}.")
        host = HOST if arguments.host in EVERYWHERE else arguments.host
        address = address_of(bound, host)
        print(f"The board is at {address}", flush=True)
        if arguments.host in EVERYWHERE:
            _say(f"Everybody in your network can play at it, on port {port} of this computer.")
        if not arguments.no_browser and has_screen(os.environ, sys.platform):
            # Some browsers keep whoever opens them waiting until they are closed.
            Thread(target=webbrowser.open, args=(address,), daemon=True).start()
        elif "SSH_CONNECTION" in os.environ:
            _say(f"From your own computer: ssh -L {port}:127.0.0.1:{port} this-machine, then open that address there.")
        if sys.stderr is not None and sys.stderr.isatty():
            _say("Ctrl-C ends it.")
        playground.run(lambda: not ending.stopped)
        _say("Goodbye.")
    if playground.switched_off and arguments.power_off:
        power_off()
    return 0


def _chain(config: Config, keep: Path | None, stack: ExitStack) -> OpenChain | None:
    """The chain of a simulated board whose configuration has one."""
    if config.chain is None:
        return None
    if keep is None:
        _say("Nothing that is settled is sent on the chain: --keep FOLDER says where it waits for that.")
    return open_chain(config.chain, stack, time_of_machine(os.environ, config.kiosk.time_zone))


class Ending:
    """Knows when it is time to end."""

    def __init__(self) -> None:
        self.stopped = False

    def stop(self, _signal: int, _frame: FrameType | None) -> None:
        """End after the present look."""
        self.stopped = True


def equipped(config: Config) -> Config:
    """The configuration with display and lights, as far as their pins are free."""
    for part in (
        {"oled": config.oled or OledSettings()},
        {"panel_lights": config.panel_lights or PanelLightsSettings()},
        {"square_lights": config.square_lights or SquareLightsSettings()},
    ):
        try:
            config = replace(config, **part)
        except ConfigError:
            continue
    return config


def has_screen(environment: os._Environ[str] | dict[str, str], platform: str) -> bool:
    """Whether a browser that is opened here can be seen by who asked for it."""
    if "SSH_CONNECTION" in environment or "SSH_TTY" in environment:
        return False
    return platform in ("darwin", "win32") or bool(environment.get("DISPLAY") or environment.get("WAYLAND_DISPLAY"))


def _port(text: str) -> int:
    if text.isascii() and text.isdecimal() and int(text) <= 65_535:
        return int(text)
    raise argparse.ArgumentTypeError(f"'{text}' is no port: write a number up to 65535, such as {PORT}")


def _say(line: str) -> None:
    print(line, file=sys.stderr, flush=True)


SIMULATE_COMMAND: Final = Command(
    "simulate", "play at a simulated board in the browser: the real controller above simulated chips", _options, _run
)
