// Runs as Python sees them: pairs of action and state.
#pragma once

#include <tuple>

#include "search/lasso.hpp"

namespace fairlead {

using RunTuple = std::vector<std::pair<ActionId, StateId>>;

inline RunTuple run_tuple(const std::vector<RunStep>& steps) {
  RunTuple result;
  for (const RunStep& step : steps) result.emplace_back(step.action, step.state);
  return result;
}

inline std::tuple<StateId, RunTuple, RunTuple> lasso_tuple(const Lasso& lasso) {
  return {lasso.start, run_tuple(lasso.stem), run_tuple(lasso.loop)};
}

}  // namespace fairlead
