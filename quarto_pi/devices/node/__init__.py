"""A Pico that has the readers: its cable, what it says, and its firmware."""
