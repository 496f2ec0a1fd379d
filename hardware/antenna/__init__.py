"""The antenna board: four etched coils with their readers on one strip, calculated in two ways, and drawn.

`antenna.toml` says what is on it. What is joined to what outside comes from `board.toml`, and how boards are drawn,
checked and ordered from `hardware.carrier`.
"""
