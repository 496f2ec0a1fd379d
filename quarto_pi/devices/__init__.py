"""The edges of the controller: what it reads and what it drives.

readers                  the readers on the Pi's own header, and the interface that all readers keep
node                     a Pico that has the readers
kinds                    what readers may hang on
display                  the OLED
lights                   lamps of the panel, lights under the squares
push_buttons, movement   the buttons
speech                   the voice
upkeep                   a device that may go and come back, looked after in a thread of its own
in_use                   one program at a time has the board
settings                 what is wrong with a device's settings
"""
