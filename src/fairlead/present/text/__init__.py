"""Evidence and advice as plain text."""
