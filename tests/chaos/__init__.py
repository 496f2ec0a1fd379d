"""Chaos: simulated people play whole games through the simulated chips, and what they meant is known.

    cast       who plays what, drawn from the seed
    evening    tags, chips, reader bank, sensing and referee on one clock, and what is really on the table
    computer   the computer's side
    hands      pieces are lowered, lifted, slid and held; buttons go down, bounce and come up
    memory     the people's own game, kept with the rules alone
    display    what they read: the lines that `replay --shown` prints
    people     what they know, and how they do what the display says
    turns      how a game goes
    thoughts   second thoughts: shift, exchange, put back, take back
    mischief   mistakes, bumps, and what is forgotten
    trouble    noise, loose wires, a dipping supply, overheard tags
    game       an evening, and the verdict

A game is judged as it was meant if the story that was told is the story in the people's memory: placements where the
pieces end up, calls by whom and with which alignments, what was missed, what was taken back or timed out, the result.
No mismatch may be told without a cause in the last seconds, none may outlast its cause, and nobody may get stuck.

What people do not do, because nobody could tell what they mean:

- They leave a piece for 0.7 s before they go on, and hold one over the same square for less than that; what they set
  down for an instant is up again after a quarter of a second.
- They press a quarter of a second after their piece has come to rest, or before they begin to lower it; with a piece
  in the air half a second after they took it up, a square that stands still being looked at so seldom. Between two
  presses a finger is up for a tenth of a second.
- They do not press by mistake while the board asks a question, or while a reader is lost. Who objects to a call that
  is asked about does it within the time that the display gives, and presses shortly.
- With one button a press at the receiver's moment is the receiver's, at the maker's the maker's (R8, R9).
- Without a give place two people put one piece at a time on the board: each is a move. On a square that nobody sees
  they put none, and with a fault at their square, or at the give place, they wait for the display before they go on.
- They put down no piece that nobody has given while the give place has just died, and its loss is not shown yet.
- A piece that they take off the give place and lay down there again is away for a second and a half: of what is back
  sooner nobody could tell whether it was away or not heard.
- After an exchange they do not place, by mistake, just the piece that was put away: that looks like giving early.
- With a clock they place and give clearly before the time is up, or clearly after it.
- Nobody changes the table in the seconds in which the board is being cleared.
"""
