"""Files that were altered by somebody who knows their form."""
