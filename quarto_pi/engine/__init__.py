"""An opponent that never loses and one that a child beats: search, opening book, levels, coach, line protocol.

kernel, tables           the search, which may be compiled
solver, threats          exact values, and lines that one piece would complete
book, retrieval          the opening book
opponent                 a player of each strength
coach                    what a move was worth
protocol, conversation   the engine as a process of its own, and its client
match                    one engine against another
"""
