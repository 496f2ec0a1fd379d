"""The running controller: its loops, what they look at, and what waits until it is safe.

loop           the loop of the games, and the save gate: what is shown once it is safe
input_poller   what a loop looks at: readers, buttons, and what other threads have posted
first_start    the loops of the set-up by phone and of the guide
computer       the opponent, thinking beside the loop; what there is to be learnt from a game that is over
other_boards   games with other boards: what goes there, and what comes from there
"""
