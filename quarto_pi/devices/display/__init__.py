"""The OLED: what is sent to it, and over which wires."""
