"""Looking at every part of the board and of the computer below it, and saying what to do about what is not well.

plan                   all of them by name, and going through them
finding                what one of them finds
readers, displays      what is wired to the board; the tags
node, node_self_test   a Pico that the readers hang on
machine                the computer: which Pi, memory, temperature, voltage, time of day, storage
installation           the program, its configuration, its service, its page's port
bundle                 what is handed on to those who help, and what is not
"""
