"""Writes reports of `fairlead check` in the forms that CI systems read."""
