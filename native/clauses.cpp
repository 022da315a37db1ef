#include "clauses.hpp"

#include <algorithm>

namespace fairlead {

void Clauses::add(Demand demand, std::span<const ActionId> actions, std::uint32_t ready) {
  const std::uint32_t clause = count();
  demands_.push_back(demand);
  about_readiness_.push_back(ready != kNone);
  for (const ActionId action : actions) {
    if (action >= of_action_.size()) of_action_.resize(action + std::size_t{1});
    of_action_[action].push_back(clause);
  }
  if (ready == kNone) return;
  if (ready >= of_ready_.size()) of_ready_.resize(ready + std::size_t{1});
  of_ready_[ready].push_back(clause);
}

bool ClauseTally::any_broken() const {
  for (std::uint32_t clause = 0; clause < engaged_.size(); ++clause) {
    if (is_broken(clause)) return true;
  }
  return false;
}

bool ClauseTally::is_mended_by(ActionId action, StateId state) {
  for (const std::uint32_t clause : clauses_->engaged_by(action)) {
    if (is_broken(clause)) return true;
  }
  bool any_weak = false;
  for (std::uint32_t clause = 0; clause < engaged_.size() && !any_weak; ++clause) {
    any_weak = clauses_->demand(clause) == Demand::kWeak && is_broken(clause);
  }
  if (!any_weak) return false;
  wanted_.clear();
  clauses_->for_each_wanted(state, seen_, [&](std::uint32_t clause) { wanted_.stamp(clause); });
  for (std::uint32_t clause = 0; clause < engaged_.size(); ++clause) {
    if (clauses_->demand(clause) == Demand::kWeak && is_broken(clause) && !wanted_.has(clause)) return true;
  }
  return false;
}

bool ClauseTally::wants_broken_strong(StateId state) {
  bool found = false;
  clauses_->for_each_wanted(state, seen_, [&](std::uint32_t clause) {
    found = found || (clauses_->demand(clause) == Demand::kStrong && is_broken(clause));
  });
  return found;
}

}  // namespace fairlead
