"""One target under atheris: `python -m tests.fuzz.campaign TARGET` and the options of libFuzzer; it never returns.

A process of its own for each target, because libFuzzer ends the process when it has done.
"""

import sys


def main() -> None:
    """Fuzz until libFuzzer has had enough."""
    # Only here: the tests are collected where atheris is not installed, and its instruments slow all that they touch.
    import atheris  # noqa: PLC0415

    with atheris.instrument_imports(include=["quarto_pi", "tomllib", "json"]):
        from tests.fuzz.targets import TARGETS  # noqa: PLC0415

    target = TARGETS[sys.argv.pop(1)]
    atheris.Setup(sys.argv, target)
    atheris.Fuzz()


if __name__ == "__main__":
    main()
