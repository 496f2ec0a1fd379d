"""The game at a terminal: pictures made of characters, and the words typed by two people at one keyboard."""
