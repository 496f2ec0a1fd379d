"""A café: one game after the other at a table whose plug is pulled again and again.

    wood      the table: where pieces stand, what its readers hear, the button
    hands     people who play by the rules and never tire
    controller, displays
              the real loop, referee and journal that they play at, and everything that shows something
    process   all of it as a process that is there to be killed; also what runs in the machine of tests/virtual
    log       what such a process has said, and whether the journal keeps its word
    day       500 games with cuts, and 500 without one: `make cafe`
    memory    whether it grows over those

No chips here: what they hear is handed to the loop, with a clock that does not wait, so that a day takes a minute.
"""
