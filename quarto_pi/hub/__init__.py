"""The hub of a chain: takes what boards tell, keeps it, and says what it has kept.

settings        its folder, and the file `hub.toml` there
certificates    the certificate authority of its own that boards believe
broker          Mosquitto, configured, watched and started again
accounts        which boards there are: their passwords, the list of rights, what is copied to a board
replaying       settled actions to a game, by the rules
store           what every database of a hub can do, and what is kept there; how the page asks it
schema          its tables, and what is asked of a database that has them
game_queries    the SQL that asks for games, and what its rows say; which records of two boards are one game
tables          what every database has to do, for all that understand SQL
sqlite          the database of a house: one file
postgres        the database of a chain
download        games as CSV and JSON, as they come, to keep as files
connection      the hub's own line to the broker
flow            so much of what boards send is taken, and no more; what could not be kept is set aside
intake          what boards send, into the database, and the word that it is there
directory       whom each board may play with
running         broker, intake and page, started and ended together; first owner, token
fleet           what all boards are doing, and the game that each plays
alarms              what somebody has to look at, once for each cause; those about what boards tell
rollout             a version on its way to boards, stopped by itself when they get ill
rollout_table       where that is kept
rollout_desk        what is seen of boards, and what is offered to them; what an owner decides about it
version_shelf       the bundles that can be rolled out, and what a file has to be for that
page_versions       versions on the page, and for boards that fetch them
people              who may use the hub's page
watch               boards and alarms, shared by who hears and who shows them
page_orders         what is wanted of many boards at once
watching            the thread that looks after them, and keeps what has to be kept
alarm_table         where that is kept
tournament_table    what was decided in tournaments, and who may watch without being logged in
tournament_desk     tournaments as people and games decide them
board_post          what boards are told of them, and of who may watch: the address for the code on the display
metrics             what the hub and its intake count and measure, for Prometheus
page                the routes of the hub's page
login               who asks there, whether he may, and who is logged in
page_boards         boards and alarms as JSON, and as they change
page_games          finished games: lists, one with the coach, what is counted
page_tournaments    tournaments, and what may be decided in them
page_spectators     a link to watch one board, for who is not logged in
"""
