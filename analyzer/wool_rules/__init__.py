"""Wool Rules, the main game: a module per heading of the rulebook."""
