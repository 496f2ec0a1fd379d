"""What the readers saw, and what it means for the board. docs/sensing.md.

readings             what comes in, and how often it has to be seen to be believed
tags                 which tag is which piece; whether a UID was read wrongly
board                a sweep comes in; the fold; the photograph of the whole board, and what may be about to change
cell                 what is known of one cell
judgement, changes   what the cells say together, and what comes of it
events               what goes out
"""
