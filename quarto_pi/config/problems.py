"""Everything that is wrong with a configuration, not only the first of it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from quarto_pi.config.layers import lay
from quarto_pi.config.section import ConfigError, KeyPath
from quarto_pi.config.sources import Source, read_source


def problems(files: Sequence[Path]) -> Iterator[str]:
    """One sentence for each thing that is wrong in these files together."""
    sources = []
    for file in files:
        try:
            sources.append(read_source(file))
        except ConfigError as error:
            yield str(error)
    yield from _problems_of(sources)


def _problems_of(sources: list[Source]) -> Iterator[str]:
    """Tell the first problem, take away what is to blame for it, and look again."""
    told = False
    while True:
        try:
            lay(sources)
        except ConfigError as error:
            path = _written(sources, error.at)
            # What nobody has written is wrong only because of what was taken away before.
            if path or not told:
                yield str(error)
            if not path:
                return
            told = True
            to_blame = [source for source in sources if source.has(path)][-1]
            sources = [_without(source, path) if source is to_blame else source for source in sources]
        else:
            return


def _written(sources: Sequence[Source], path: KeyPath) -> KeyPath:
    """As much of a path as somebody has written: the key, or else its section, for it is wrong beside the others."""
    while path and not any(source.has(path) for source in sources):
        path = path[:-1]
    return path


def _without(source: Source, path: KeyPath) -> Source:
    return replace(source, keys=_dropped(source.keys, path))


def _dropped(keys: object, path: KeyPath) -> dict[str, object]:
    whole = dict(keys) if isinstance(keys, dict) else {}
    name, *below = path
    if not below:
        del whole[name]
    else:
        whole[name] = _dropped(whole[name], tuple(below))
    return whole
