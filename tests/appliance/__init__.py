"""The appliance for real: a systemd of its own, booted in a container, installs the board and lives through trouble.

`make test-appliance`. The container has no network: everything is installed from a wheelhouse, as in a café.
"""
