"""Faults from outside: signals, closed and full streams, full disks, and other runs on the same files."""
