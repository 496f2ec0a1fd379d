"""The configuration: every key read, checked and given to the part that needs it.

A key that nobody reads is an error that names the file, the section, the key and the nearest right one.

    layers            which files count, one upon the other, each value with its origin; keys on a command line
    sources           a file or text or wiring profile, and the line of each key in it
    section           one section, key by key
    service, wiring   parts: a board left to itself: hours, page, Wi-Fi, its chain's broker; what is wired where
    whole             how the game is played on, and what comes out: `Config`
    edit              changing one key of a file
"""

from quarto_pi.config.layers import find_config, lay, read_config
from quarto_pi.config.section import ConfigError
from quarto_pi.config.service import ChainConfig, JournalConfig, KioskConfig, PageConfig, state_folder
from quarto_pi.config.sources import parse_source
from quarto_pi.config.whole import TABLE_MB, Config, EngineConfig, GameConfig
from quarto_pi.config.wiring import ButtonsConfig, FieldsConfig, ReadersConfig

__all__ = [
    "TABLE_MB",
    "ButtonsConfig",
    "ChainConfig",
    "Config",
    "ConfigError",
    "EngineConfig",
    "FieldsConfig",
    "GameConfig",
    "JournalConfig",
    "KioskConfig",
    "PageConfig",
    "ReadersConfig",
    "find_config",
    "parse_config",
    "read_config",
    "state_folder",
]


def parse_config(text: str) -> Config:
    r"""The configuration in a text.

    >>> parse_config("[readers]\noffer = false").readers.offer
    False
    """
    return lay([parse_source(text)]).config
