"""The page and its small service: what is to be seen of the board, for browsers and for other programs. docs/api.md.

service             the routes, and the thread that serves them
serving             where it listens, and what the server says in the log
guard               who may do what, and how often; how many connections there may be, of whom, and which leave
wishes              the settings, and what somebody wishes to be otherwise
requests, hands     what is taken from outside, and what can be asked for
snapshot, streams   what is seen at one moment as JSON, and the newest for those who look on
games               the finished games and what the coach thinks of them
statistics          what is counted over them
backups             saved games, taken off the board and put back
updates             an update of the whole board, handed in as a file
first_start         the page that sets a new board up
"""
