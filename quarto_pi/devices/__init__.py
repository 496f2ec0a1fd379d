"""The edges of the controller: what it reads and what it drives.

readers          the readers on the Pi's own header; the interface and the kinds of all readers
node             a Pico that has the readers
oled             the OLED
light_patterns   brightness in time; colours; how lights are connected
square_lights    a strip of APA102 under the squares
panel            the panel's buttons and lights, on pins
luma_wires       luma's devices on their buses
speech           the voice
upkeep           a device that may go and come back, looked after in a thread of its own
settings         what is wrong with a device's settings; how the OLED is connected
"""
