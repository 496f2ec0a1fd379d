"""Many boards on one broker: what board and hub say to each other, and how.

topics        where each message is published, and who may write and read there
messages      what is said, as JSON that is bounded, versioned and checked
hub_messages  what a hub says to a board: what it wants, a version that it offers, where the board may be watched
fetching      the bundle of a version, as a board fetches it
link          the connection to the broker, as board and hub use it
paho_client   the client of paho-mqtt as the link uses it
unforeseen    errors that nobody foresaw: told once, and tried again less and less often
credentials   the files that a hub makes for a board; its name and password, in one that nobody else reads
delivery      which settled actions are sent when, until the hub has them
board_client  what a board says
discovery     what Home Assistant is told of a board
"""
