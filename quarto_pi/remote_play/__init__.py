"""A game between two boards: pure, without a clock, a file or a network.

log              the entries of a game, who may write which, and their chain of hashes
match            one board's record of it, and how two records become one
letters          what two boards write to each other
correspondence   what is known of invitations and games, and of who is away
exchange         what is done about them: letters and time in, letters out
"""
