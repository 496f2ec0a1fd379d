"""An opponent that never loses and one that a child beats: search, opening book, levels, coach, line protocol.

kernel, tables                   the search, which may be compiled
solver, threats                  exact values, and lines that one piece would complete
book, retrieval                  the opening book
opponent, levels                 a player of each strength
coach                            what a move was worth
protocol, conversation, client   the engine as a process of its own
match                            one engine against another
"""
