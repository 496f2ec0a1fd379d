"""Which pin of the Pico goes where, by GP number: the same on Pico and Pico 2, with and without W.

The numbers are those of hardware/board.toml, and `make hardware` writes them here. They are the usual ones. Host and
node read them here; the section [node] of the host's configuration changes them, and the host sends them to the node.
GP23, GP24 and GP29 belong to the board itself, GP25 to its LED (or its radio).
"""

SPI_BUS = 0
SPI_HZ = 4_000_000  # the usual clock of readers, on a Pi's header as well
MISO = 16  # SPI0 RX, pad 21
SCK = 18  # SPI0 SCK, pad 24
MOSI = 19  # SPI0 TX, pad 25

ADDRESS = (10, 11, 12, 13)  # the decoder's address, lowest bit first: pads 14, 15, 16, 17
ENABLE = 14  # the decoder's enable, low active, pulled up outside: pad 19
OFFER = 15  # the select line of the reader for the piece that is offered, low active, pulled up outside: pad 20
RESET = 9  # the reset of all readers: high resets, through a transistor that is pulled down outside: pad 12

OFFER_LINE = 16  # its number among the select lines, behind the decoder's sixteen

CALL = 2  # the QUARTO! button, or player 1's, between the pin and ground: pad 4
SECOND = 3  # player 2's, where there are two: pad 5
MENU = 4  # a button for the menu alone: pad 6

LIGHTS = (6, 7, 8)  # of player 1, player 2 and attention; or of red, green and blue: pads 9, 10, 11

LED = "LED"  # the one on the board, whatever it hangs on

# Left free: GP0, GP1, GP5, GP17, GP20, GP21, GP22, GP26, GP27, GP28.
# GP0 and GP1 are a serial line for looking on, GP26 and GP27 SPI1, for a strip of lights. GP17 is where SPI0 has its
# own select line, which nobody needs: the decoder takes its place.
