// What the module binds besides networks, graphs and the search for components.
#pragma once

#include <nanobind/nanobind.h>

namespace fairlead {

void bind_refinement(nanobind::module_& module);

}  // namespace fairlead
