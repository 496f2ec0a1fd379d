"""Who shows and says what the referee wants: display, lights, voice and page, in a game and in the guide.

display      the OLED, and how it lives long: contrast, shift and sleep
lights       the panel's lamps, and the squares'
voice        what is said
page         what the page is told
chain        what the hub of a chain is told
first_start  display and voice of the set-up by phone, and of the guide
"""
