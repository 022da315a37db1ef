"""Made-up rows of the papers' tables, and a reader of Markdown tables."""
