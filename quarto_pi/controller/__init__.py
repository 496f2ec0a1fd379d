"""The running controller: its loops, what they look at, and what waits until it is safe.

loop, guide_loop   the loop of the games, and that of the guide
input_poller       readers, buttons, and what other threads post
posted_tasks       what other threads want done between two looks
save_gate          what is shown once it is safe
computer           the opponent, thinking beside the loop
"""
