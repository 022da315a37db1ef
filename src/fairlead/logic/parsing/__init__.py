"""From the text of a formula to a formula."""
