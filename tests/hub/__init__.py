"""The hub above a real Mosquitto, SQLite and a real PostgreSQL."""
