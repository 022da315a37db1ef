"""FSP texts: random syntax trees, a printer, a slow recogniser, tables of facts."""
