"""Random systems: fairlead against oracles, and against itself asked in another way."""
