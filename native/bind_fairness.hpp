// Binds what concerns single fairness conditions.
#pragma once

#include <nanobind/nanobind.h>

#include "region.hpp"

namespace fairlead {

// As Python gives a notion: the level, whether it is strong, whether it is strong global fairness, and clauses.
Fairness make_fairness(int level, bool strong, bool global, const Clauses* clauses);

void bind_fairness(nanobind::module_& module);

}  // namespace fairlead
