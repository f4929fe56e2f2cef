"""Policies: what a player decides. Imports analyzer only."""
