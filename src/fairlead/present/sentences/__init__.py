"""What is said about results: every sentence stands here once, and all forms of output take it from here."""
