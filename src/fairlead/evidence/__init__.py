"""Evidence: runs that show a verdict, judged by code that shares nothing with the search, and presented."""
