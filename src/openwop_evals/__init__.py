"""Grade OpenWOP agent evals, verify their summaries and decide deployment gates (RFC 0246)."""

__version__ = "0.1.0"
