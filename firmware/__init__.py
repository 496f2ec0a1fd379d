"""The firmware of a Pico that reads the board: MicroPython, but for this file.

Every other module here is copied to the Pico as it is. Some of them run on the host as well, imported from here:
`protocol`, `said_by_host` and `said_by_node` are what both ends say, and `pins` is the usual wiring. So there is one
protocol, written down once.
"""
