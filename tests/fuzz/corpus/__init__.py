"""Seeds: a file for each input, named after its reader; what once was a find is here as well."""
