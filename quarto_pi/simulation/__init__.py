"""A table with tags, chips and wires that stands below the real drivers.

board, workshop            the whole device, its table and hands
clock                      the time, and how long things take
chip, radio, registers     one MFRC522
field, tag                 the air, and the tags in it
bus, modules               the wires and what goes wrong on them, and what stands in for the drivers' packages
oled_chip, oled_models     the chips of displays
outputs                    what displays and lights hang on
wifi                       a radio, and the Wi-Fis around it
"""
