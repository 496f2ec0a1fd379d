"""The first start of a board without a keyboard: what its owner says in a file on the card, or on a phone.

mistakes        what can be wrong with what the owner says
owner_settings  what the owner can say, and which key of the configuration each of it is
settings_text   the file's text: lines, whatever editor has written them
answers         what a phone has answered, until the next start
taking_over     from the file and the phone to the configuration, safe from a pulled plug at any step
"""
