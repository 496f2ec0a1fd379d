"""The unmodified packages above a real kernel, with simulated chips behind real device files: `make test-kernel`.

    cuse               the kernel's protocol for character devices that a program makes (CUSE)
    spidev_ioctls      what comes through /dev/spidevB.D
    i2c_dev_ioctls     what comes through /dev/i2c-N
    gpio_sim           54 lines of gpio-sim as a Pi's header
    table              the program in the virtual machine that holds all of these, and the table above the chips
    agent              the program in the virtual machine that runs commands for the tests
    channel            how both are spoken to from outside
    system             the virtual machine's system: Debian, its kernel, the board as the installer installs it
    machine            the virtual machine itself, its power and its cables
    scenarios          the evenings, and what goes wrong in them

docs/kernel.md has what this shows, and what it can't show.
"""
