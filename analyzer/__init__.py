"""Rules and experiments: knows the games, knows no strategy by name, prints nothing."""

__version__ = "0.1.0"
