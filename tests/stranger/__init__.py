"""Guests whom nobody has told anything: they know their language and what pieces look like, and do what they are told.

`tongues` is what they understand of a sentence, `channels` where they have it from (display, voice and lights, page),
`guest` what they do upon it, and `visit` an evening from a dark board into the second game.
"""
