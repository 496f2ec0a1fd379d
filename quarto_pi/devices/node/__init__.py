"""A Pico that has the readers: its cable, what it says, and its firmware.

board              its readers, buttons and lights, and how they are opened
link, ports        the cable, and the port that it hangs on
settings           where it is, and what is wired to it
firmware, update   its firmware: the files and the tool for copying, putting them there
"""
