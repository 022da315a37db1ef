"""Has the sentences about results, each of them once: all forms of output take them from here."""
