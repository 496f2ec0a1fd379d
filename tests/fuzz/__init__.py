"""Fuzzing: whatever comes from outside, there is one sentence about it or none, and the game goes on.

    verdict    what counts as broken
    dice       bytes as choices, so that a fuzzer that changes bytes changes choices
    texts      the files: tags, configuration, calibration, traces, records, positions
    talk       lines for the engine
    board      what sensors hear, and chips that answer rubbish
    page       requests to the page, and bytes on its wire
    kept       the journal's files, damaged
    orders     the commands that read a file or a text
    targets    all of them by name
    campaign   one target under a coverage-guided fuzzer
    seeds/     what each campaign begins with, as plain files

`make fuzz` looks for new inputs for minutes or hours; the short version in `make test` tries the seeds, bytes drawn at
random, and seeds with something changed in them. An input that breaks something becomes a test of its own where the
fault is.
"""
