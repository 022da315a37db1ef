// Which values atoms have at the positions of executions: whether one is never true, or always.
#pragma once

#include "search/atoms.hpp"

namespace fairlead {

struct SeenValues {
  bool is_true = false;   // somewhere
  bool is_false = false;  // somewhere
};

// Looks at the reached states of a complete graph, and at their steps if there are step atoms, until every atom has been
// seen with both values. A graph that keeps no transitions has to be asked about its own propositions alone.
std::vector<SeenValues> seen_values(Atoms& atoms);

}  // namespace fairlead
