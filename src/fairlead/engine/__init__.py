"""The Python face of the native engine: networks and explicit graphs, explored and searched in C++."""
