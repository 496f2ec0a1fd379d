"""The card that one flashes: what its own programs do while it is in a board. `card_build` makes it.

partitions      the partition table, and how it grows
growth          the last partition grows to the end of the card at the first start
fat             where a file of a boot partition stands on the card
boot_choice     which slot is booted by itself, and what is known of both
reset_status    which partition the firmware is asked to boot once
slots           the two slots on a card: read, mark, try, confirm
rauc_backend    what RAUC asks about them
trial           whether the board became healthy, and what follows from that
quiet           when a board may be started again for an update
update          a bundle from a USB stick, or from the board's page
commands        what the units call
"""
