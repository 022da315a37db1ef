"""Constants with which the models that people wrote are small, by the name of the file."""

from __future__ import annotations

SIZES: dict[str, dict[str, int]] = {
    "dp": {"N": 3},
    "lec": {"N": 2},
    "lecd": {"N": 2},
    "ms": {"N": 3},
    "pet": {"N": 2},
    "rw": {"N": 2},
    "dining_philosophers": {"N": 3},
    "barriers": {"N": 3},
    "abp": {"N": 1},
    "abph": {"N": 1},
    "restaurant": {"T": 3, "D": 2},
    "jobs": {"N": 3},
    "leases": {"N": 3, "L": 3},
}
