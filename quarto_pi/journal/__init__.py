"""The journal: games, events, settings and readers in one SQLite file that no power cut takes away. docs/journal.md.

place               where it lies
schema              its tables, and how older files are upgraded
opening, damage     opening it with a check; what is not sound is set aside, and a backup taken over
backups             copies of checked files, bounded in number
rows, choices       games and settings as they are written down
scribe              effects of the referee to entries
journal             entries into the file, and what is read out of it
keeper              who writes, in a thread of its own
condition           how the storage is doing, for `quarto-pi check` and the watchdog
"""
