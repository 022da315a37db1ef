// What the module binds for minimisation.
#pragma once

#include <nanobind/nanobind.h>

namespace fairlead {

void bind_bisimulation(nanobind::module_& module);

}  // namespace fairlead
