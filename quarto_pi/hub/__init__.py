"""The hub of a chain: takes what boards tell, keeps it, and says what it has kept.

settings        its folder, and the file `hub.toml` there
certificates    the certificate authority of its own that boards believe
broker          Mosquitto, configured, watched and started again
accounts        which boards there are: their passwords, the list of rights, what is copied to a board
replaying       settled actions to a game, by the rules
store           what every database of a hub can do, and what is kept there
tables          the same for every database that understands SQL
sqlite          the database of a house: one file
postgres        the database of a chain
download        games as CSV and JSON, as they come
connection      the hub's own line to the broker
flow            so much of what boards send is taken, and no more
intake          what boards send, into the database, and the word that it is there
directory       whom each board may play with
running         broker and intake, started and ended together
"""
