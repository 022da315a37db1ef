// Binds what says which executions are fair: atoms, conditions on marks, annotations, and notions.
#pragma once

#include <nanobind/nanobind.h>

namespace fairlead {

void bind_fairness(nanobind::module_& module);

}  // namespace fairlead
