// The Python face of the engine. Long work runs without the interpreter lock; Python is called back for
// positions and shapes never seen before, and now and then by the ticker.
#include <nanobind/nanobind.h>

#include "python/bind.hpp"

// NOLINTNEXTLINE(misc-use-anonymous-namespace): what the macro makes is static
NB_MODULE(_native, module) {
  module.doc() = "The engine of fairlead: exploration and search, in C++.";
  fairlead::bind_errors(module);
  fairlead::bind_program(module);
  fairlead::bind_values(module);
  fairlead::bind_network(module);
  fairlead::bind_graphs(module);
  fairlead::bind_canonical(module);
  fairlead::bind_refinement(module);
  fairlead::bind_fairness(module);
  fairlead::bind_searches(module);
  fairlead::bind_costs(module);
  fairlead::bind_dives(module);
  fairlead::bind_terminal(module);
  fairlead::bind_bisimulation(module);
  fairlead::bind_branching(module);
  fairlead::bind_symbolic(module);
}
