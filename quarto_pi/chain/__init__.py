"""Many boards on one broker: what board and hub say to each other, and how.

topics        where each message is published, and who may write and read there
messages      what is said, as JSON that is bounded, versioned and checked
spectators    where a board may be watched, as its hub tells it
orders        what the hub wants of a board, and what became of it
versions      a version that the hub offers to a board
fetching      its bundle, as a board fetches it
link          the connection to the broker, as board and hub use it
paho_client   the client of paho-mqtt as the link uses it
unforeseen    errors that nobody foresaw: told once, and tried again less and less often
board_files   the files that a hub makes for a board
credentials   a client's name and password, in a file that nobody else reads
delivery      which settled actions are sent when, until the hub has them
board_client  what a board says
discovery     what Home Assistant is told of a board
"""
