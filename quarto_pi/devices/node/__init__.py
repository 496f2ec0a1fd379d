"""A Pico that has the readers: its cable, what it says, and its firmware.

board                        its readers, buttons and lights
link, ports                  the cable, and the port that it hangs on
settings, wiring             where it is, and what is wired to it
firmware, update, mpremote   its firmware: the files, putting them there, the tool for that
"""
