"""Benchmarks against what else reads and writes these documents: `nox -s bench`."""
