"""Boards, broker and hub of a chain with everything that may happen to them, and a checker that counts what arrived.

packets, proxy    a bad network: whole MQTT messages delayed, repeated, reordered and cut
mosquitto, house  a broker, a hub and its database, each of which can be taken away and given back
hub, table        processes that are there to be killed; some make a mistake that has to be found
campaign          an evening in which all of it fails: `python -m tests.chain_faults EVENINGS FIRST_SEED`
split             the cable between a board and its broker, in networks of the kernel's
matches           games between two boards: `python -m tests.chain_faults.matches GAMES FIRST_SEED`
evidence, checker what boards and hub have kept, and whether that is what hands did
play              games without a table, for many boards
wording, waiting  what processes say, and waiting for it
"""
