"""Reports for other programs: what `fairlead check` has found, in the forms that CI systems read."""
