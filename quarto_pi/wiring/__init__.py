"""Puts a board together from its configuration: readers, buttons, outputs, journal and page, real or simulated.

board        the controller of a game
guide        that of the guide, and the file of the tags
page         the page, for either of them
chain        what is told to the hub of a chain, for both
orders       what that hub wants of a board
versions     a version that it offers
first_start  the set-up by phone: radio, display and page
platform     the Pi's own bus and pins, or simulated ones; how this quarto-pi was installed, and what installs the rest
playground   a simulated board that is played at over its page
"""
