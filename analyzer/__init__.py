"""Rules and experiments: knows the games, knows no strategy by name, prints nothing."""
