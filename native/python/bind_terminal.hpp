// Binds the search for terminal sets.
#pragma once

#include <nanobind/nanobind.h>

namespace fairlead {

void bind_terminal(nanobind::module_& module);

}  // namespace fairlead
