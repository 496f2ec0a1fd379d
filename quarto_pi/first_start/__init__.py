"""The first start of a board without a keyboard: what its owner says in a file on the card, or on a phone.

What is said becomes a part of the configuration, and a Wi-Fi; nothing here shows or serves anything.

    mistakes         what can be wrong with what the owner says
    owner_settings   what the owner can say, and which key of the configuration each of it is; a phone's answers
    settings_text    the file's text: lines, whatever editor has written them
    set_up           the set-up by phone: a Wi-Fi, what is seen of it, how it is gone through, and what a radio does
    network_manager  the radio, by way of NetworkManager
    drop_in          the part of the configuration that is written from what was said
    chain_folder     the files of a chain on the card, judged before any is taken over
    chain_keeping    its files beside the configuration, and its section in it
    taking_over      from the file and the phone to the configuration, safe from a pulled plug at any step
"""
