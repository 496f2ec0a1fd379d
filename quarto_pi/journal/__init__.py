"""The journal: games, events, settings and readers in one SQLite file that no power cut takes away. docs/journal.md.

journal    where it lies, its tables and how older files are upgraded; entries into it, and what is read out of it
writer     who writes, in a thread of its own; opened for a board: the journal, its writer, what was kept
repair     opening it with a check, and how the storage is doing
restore    copies for elsewhere, on a stick or a phone, and games that are put back from one
backups    copies of checked files, bounded in number; what is not sound is set aside
records    effects of the referee to entries: games and settings as they are written down;
           what the hub of a chain is told of a game, with its numbers
settled    its table: the queue for the hub, and the history in which the numbers count
queue      the same queue as it is read beside the writer
"""
