"""Many boards on one broker: what board and hub say to each other, and how.

topics     where each message is published, and who may write and read there
messages   what is said, as JSON that is bounded, versioned and checked
"""
