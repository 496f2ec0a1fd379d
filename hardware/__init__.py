"""The board to build: one description, and everything that is made from it and checked against it.

`board.toml` and `shapes.toml` are the description; `python -m hardware` makes profiles, the list of pins, diagrams,
drawings, pictures and tables from it.
"""
