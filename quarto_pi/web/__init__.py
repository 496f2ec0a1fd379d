"""The page and its small service: what is to be seen of the board, for browsers and for other programs.

    moment, snapshot   what is seen at one moment, and how it is written as JSON
    feed, streams      from the thread of the game to those who look on: the newest, and never anybody waited for
    guard, requests    who may do what, and what is taken from outside
    wishes, hands      what can be asked for
    games, judging     the finished games and what the coach thinks of them
    labels             the words of the page itself
    service            the routes
    address, connections, server   where it listens, what it takes, and the thread that serves it

docs/api.md describes the interface.
"""
