"""An opponent that never loses and one that a child beats: search, opening book, levels, coach, line protocol.

kernel, tables           the search, which may be compiled
solver, threats          exact values; lines that one piece would complete, and what people overlook of them
book                     the opening book, and the worth of a position
opponent                 a player of each strength
temptation               the strongest one's choice: what a person will answer wrongly
coach                    what a move was worth
protocol, conversation   the engine as a process of its own
client                   the way to ask one from Python
match                    one engine against another
conformance              whether a program keeps to the protocol
"""
