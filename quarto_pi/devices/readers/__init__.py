"""The readers on the Pi's own header: chips on one SPI bus behind a decoder.

interface                       what everybody above knows of any readers
bank                            all of them as one
scheduler                       who is looked at when, and what goes on side by side
polling, exchange, iso14443     one look: a poll, its frames, what the standard says
chip, spi, select_lines         one MFRC522, and the bus that it shares
fields                          which fields may be on together
calibration, calibration_file   finding that out, and its file
health                          how each reader is doing
"""
