"""The readers on the Pi's own header: chips on one SPI bus behind a decoder."""
