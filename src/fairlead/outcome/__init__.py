"""Values that describe what a check found, how far it is and what it may use. No behaviour of its own."""
