"""Schemas to types: the contract that can be kept exactly, and the generator that keeps it."""
