// Binds the searches for executions that an automaton accepts.
#pragma once

#include <nanobind/nanobind.h>

namespace fairlead {

void bind_searches(nanobind::module_& module);

}  // namespace fairlead
