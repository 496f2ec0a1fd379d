"""The OLED: what is sent to it, and over which wires.

oled         one display, unplugged and back at any time
areas        what has changed, in pages
luma_wires   luma's devices on their buses
settings     how it is connected
"""
