"""Makes the card that one flashes: `make card`.

layout         which partitions there are, how large, and whose they are
cache          what was made once and depends on nothing that has changed
emulation      programs for a Pi's processor, run on another
debian         the packages of Debian, unpacked and configured for a Pi's processor
program        the program: pinned packages, and what has to be compiled of them
system         the root of a slot: Debian, the program, and the files in `root/`
boot_files     what the Pi's firmware reads: boot partitions, and the one that the owner edits
image          the whole card
bundle         an update, signed
make           the order of the steps
"""
