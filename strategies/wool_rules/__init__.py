"""Policies for Wool Rules, one module per idea."""
