// What each file binds into the module.
#pragma once

#include <nanobind/nanobind.h>

namespace fairlead {

// Limits that were reached and faults of the model, as exceptions.
void bind_errors(nanobind::module_& module);
// What a network is made of: operations of its code, edges of positions, nodes of shapes.
void bind_program(nanobind::module_& module);
void bind_values(nanobind::module_& module);
void bind_network(nanobind::module_& module);
// A check's memory and threads, and the graphs that are explored.
void bind_graphs(nanobind::module_& module);
// What states from a checkpoint must be like.
void bind_state_rules(nanobind::module_& module);
// The canonical encoding of states.
void bind_canonical(nanobind::module_& module);
// Which executions are fair: atoms, conditions on marks, annotations, and notions.
void bind_fairness(nanobind::module_& module);
// The searches for executions that an automaton accepts.
void bind_searches(nanobind::module_& module);
// The searches for the cheapest and the dearest run to a goal.
void bind_costs(nanobind::module_& module);
// Searches that go deep at once.
void bind_dives(nanobind::module_& module);
// The labelling of states with formulas.
void bind_branching(nanobind::module_& module);
// Scans and refinement.
void bind_refinement(nanobind::module_& module);
// Terminal sets.
void bind_terminal(nanobind::module_& module);
// Sets of states as decision diagrams.
void bind_symbolic(nanobind::module_& module);
// Minimisation.
void bind_bisimulation(nanobind::module_& module);

}  // namespace fairlead
