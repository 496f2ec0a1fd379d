"""The readers on the Pi's own header: chips on one SPI bus behind a decoder.

interface     what everybody above knows of any readers and buttons, the kinds of them, who has the board; none at all
bank          all of them as one
scheduler     who is looked at when, and what goes on side by side
polling       one look: a poll
exchange      its frames, and what the standard says
chip, spi     one MFRC522, and the bus that it shares
fields        which fields may be on together, and the file of a calibration
calibration   finding that out
health        how each reader is doing
"""
