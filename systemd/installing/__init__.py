"""Turns a fresh system into a board, a board into a newer one, and back: the program behind `systemd/install`.

It stands on the standard library alone and on the Python of the system: it runs before anything is installed.

| module | what |
|---|---|
| `main` | what is asked for, and the order of the steps |
| `options` | the command line, and the few questions |
| `alone` | one installer at a time |
| `machine` | what kind of machine and system this is |
| `places` | where everything goes |
| `system` | packages, user, unit files |
| `bus` | SPI and I2C in the Pi's boot configuration |
| `signature` | whether a release is its publisher's, before anything of it is unpacked |
| `release` | which version this is, and its copy |
| `wheelhouse` | the pinned packages, fetched once and kept |
| `environment` | the virtual environment that is made of them, and made anew by `mend` |
| `versions` | versions side by side, and which of them counts |
| `fall_back` | back to the version before, where the present one keeps dying |
| `health` | whether the board has become healthy |
| `removal` | taking it all away |
| `telling` | what is said meanwhile |
| `shell` | running other programs |
"""
