// Binds the labelling of states with formulas.
#pragma once

#include <nanobind/nanobind.h>

namespace fairlead {

void bind_branching(nanobind::module_& module);

}  // namespace fairlead
