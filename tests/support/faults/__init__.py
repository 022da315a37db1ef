"""Commands that write files, started as processes of their own to be disturbed."""
