#include "explore/reverse.hpp"

namespace fairlead {

ReverseSteps::ReverseSteps(Graph& graph, const std::vector<std::uint32_t>& kinds, bool with_kinds)
    : with_kinds_(with_kinds), first_(graph.budget()), sources_(graph.budget()), kinds_(graph.budget()) {
  // counted first, so that every step can be put where it belongs
  first_.resize(graph.state_count() + 1, 0);
  for_each_edge(graph, [&](StateId, ActionId, StateId target) { ++first_[target + std::size_t{1}]; });
  for (std::size_t state = 0; state < graph.state_count(); ++state) first_[state + 1] += first_[state];
  sources_.resize_uninitialised(first_[graph.state_count()]);
  if (with_kinds) kinds_.resize_uninitialised(first_[graph.state_count()]);
  // while steps are put there, first_[s] is the place of the next one into s, at last where those into s + 1 begin
  for_each_edge(graph, [&](StateId source, ActionId action, StateId target) {
    const std::uint64_t at = first_[target]++;
    sources_[at] = source;
    if (with_kinds) kinds_[at] = kinds[action];
  });
  for (std::size_t state = graph.state_count(); state > 0; --state) first_[state] = first_[state - 1];
  first_[0] = 0;
}

}  // namespace fairlead
