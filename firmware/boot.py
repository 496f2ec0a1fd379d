"""Runs first on the Pico: gives the USB device a name by which the host finds it among other Picos."""

import os

import machine

PRODUCT = 2  # the index of the product's name among the USB strings


def _name_device(name: str) -> None:
    usb = machine.USBDevice()
    usb.active(False)
    usb.builtin_driver = usb.BUILTIN_DEFAULT
    descriptors = usb.builtin_driver
    usb.config(descriptors.desc_dev, descriptors.desc_cfg, {PRODUCT: name})
    usb.active(True)


# Who copies a new firmware expects the device that MicroPython is by itself: it must not vanish in a soft reset.
if "update" not in os.listdir() and hasattr(machine, "USBDevice"):
    _name_device("quarto-pi node")
