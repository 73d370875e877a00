"""The command line: a command returns an outcome, reporters print it, one place exits."""
