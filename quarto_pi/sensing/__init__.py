"""What the readers saw, and what it means for the board. docs/sensing.md.

readings, sweep, tags, times   what comes in, and what is known beforehand
board                          the fold; the photograph of the whole board
cell, evidence                 what is known of one cell, and what a reading says about it
judgement, changes             what the cells say together, and what comes of it
events                         what goes out
touched                        what may be about to change
"""
