"""Power cuts, as they happen to a storage: what was written and not yet synced may be there, in part, or not at all.

    tap.c       below SQLite and Python: writes down every write, sync, truncation and renaming of the journal's files
    tap         compiles it, and reads what it wrote
    storage     what a storage may hold after a cut at any moment
    evenings    evenings at the board that keep a journal, and say what has been acknowledged
    repair      a start that sets a damaged journal aside
    cut         starts from what a cut has left, and looks for what was acknowledged

`python -m tests.power 300` does it to three hundred evenings.
"""
