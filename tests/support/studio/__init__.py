"""Studios for tests: in this process, or as a command that is started."""
