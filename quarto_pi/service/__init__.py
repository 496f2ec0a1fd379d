"""The controller as a service: what systemd is told, and how the machine is switched off."""
