"""A virtual machine that keeps games, and whose power is cut: `make test-power`. docs/appliance.md has figures.

    disk       a disk that forgets what was never flushed, served over NBD
    machine    Debian's kernel and Python as a system of a few megabytes, and the virtual machine that runs it
    archive    the initial file system of that kernel
    evening    one evening with so many cuts

What runs in it, and whether what it says is the truth, is in tests/cafe.
"""
