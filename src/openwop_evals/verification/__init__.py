"""Is a reported summary true to itself, to its suite, and to its trials?"""

from .findings import Finding
from .verify import verify

__all__ = ["Finding", "verify"]
