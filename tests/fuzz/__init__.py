"""The fuzz program."""
