"""A table with tags, chips and wires that stands below the real drivers.

board, workshop                  the whole device, its table and hands
clock                            the time, and how long things take
chip, radio, registers           one MFRC522
field, tag                       the air, and the tags in it
bus, spi_devices, i2c, modules   the wires, and what stands in for the drivers' packages
faults                           what goes wrong
oled_chip, oled_models, apa102   displays and lights
"""
