"""How long evidence takes beside the search that found it: a ring of replicas that is one large component."""
