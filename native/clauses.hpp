// Single fairness conditions, beside those that hold for all events or all processes.
//
// A clause names a set of actions. It is engaged by a step with one of them, and wanted in a state that enables
// one of them, or, for a clause about readiness, in which an annotation is ready.
//   weak           Inf(not wanted) | Inf(engaged)
//   strong         Fin(wanted)     | Inf(engaged)
//   unconditional                    Inf(engaged)
#pragma once

#include "annotations.hpp"

namespace fairlead {

enum class Demand : std::uint8_t { kWeak, kStrong, kUnconditional };

// Numbers stamped with a round, so that clearing them costs nothing.
class Stamps {
 public:
  void clear() { ++round_; }
  // Whether x was not stamped in this round; stamps it.
  bool stamp(std::uint32_t x) {
    if (x >= rounds_.size()) rounds_.resize(x + 1, 0);
    if (rounds_[x] == round_) return false;
    rounds_[x] = round_;
    return true;
  }
  [[nodiscard]] bool has(std::uint32_t x) const { return x < rounds_.size() && rounds_[x] == round_; }

 private:
  std::uint64_t round_ = 1;
  std::vector<std::uint64_t> rounds_;
};

class Clauses {
 public:
  Clauses(Graph& graph, const Annotations& annotations) : graph_(graph), annotations_(annotations) {}

  // `ready`: the annotation whose readiness counts, or kNone if enabledness does.
  void add(Demand demand, std::span<const ActionId> actions, std::uint32_t ready);

  [[nodiscard]] std::uint32_t count() const { return static_cast<std::uint32_t>(demands_.size()); }
  [[nodiscard]] Demand demand(std::uint32_t clause) const { return demands_[clause]; }
  // The clauses that a step with this action engages.
  [[nodiscard]] std::span<const std::uint32_t> engaged_by(ActionId action) const {
    return action < of_action_.size() ? std::span<const std::uint32_t>(of_action_[action])
                                      : std::span<const std::uint32_t>();
  }

  // Calls `visit(clause)` once for each clause that is wanted in a state; `seen` is scratch.
  template <typename Visit>
  void for_each_wanted(StateId state, Stamps& seen, Visit&& visit) const {
    seen.clear();
    const EdgeSpan edges = graph_.edges(state);
    for (std::uint32_t i = 0; i < edges.count; ++i) {
      for (const std::uint32_t clause : engaged_by(edges.actions[i])) {
        if (!about_readiness_[clause] && seen.stamp(clause)) visit(clause);
      }
    }
    for (const std::uint32_t annotation : annotations_.ready(state)) {
      if (annotation >= of_ready_.size()) continue;
      for (const std::uint32_t clause : of_ready_[annotation]) visit(clause);
    }
  }

 private:
  Graph& graph_;
  const Annotations& annotations_;
  std::vector<Demand> demands_;
  std::vector<std::uint8_t> about_readiness_;
  std::vector<std::vector<std::uint32_t>> of_action_;  // action -> clauses
  std::vector<std::vector<std::uint32_t>> of_ready_;   // annotation -> clauses about its readiness
};

// What a set of nodes, or a walk, has done for each clause.
class ClauseTally {
 public:
  explicit ClauseTally(const Clauses* clauses) : clauses_(clauses) {}

  [[nodiscard]] bool empty() const { return clauses_ == nullptr || clauses_->count() == 0; }
  void clear() {
    if (empty()) return;
    engaged_.assign(clauses_->count(), 0);
    wanted_at_.assign(clauses_->count(), 0);
    states_ = 0;
  }
  void visit(StateId state) {
    ++states_;
    clauses_->for_each_wanted(state, seen_, [&](std::uint32_t clause) { ++wanted_at_[clause]; });
  }
  void engage(ActionId action) {
    for (const std::uint32_t clause : clauses_->engaged_by(action)) engaged_[clause] = 1;
  }

  // Whether what was visited and taken, repeated for ever, would break the clause.
  [[nodiscard]] bool is_broken(std::uint32_t clause) const {
    if (engaged_[clause]) return false;
    switch (clauses_->demand(clause)) {
      case Demand::kWeak:
        return wanted_at_[clause] == states_;
      case Demand::kStrong:
        return wanted_at_[clause] != 0;
      case Demand::kUnconditional:
        return true;
    }
    return true;
  }
  [[nodiscard]] bool any_broken() const;
  // Whether one of the broken clauses is mended by taking an action, or by visiting a state.
  [[nodiscard]] bool is_mended_by(ActionId action, StateId state);
  // Whether one of the broken strong clauses is wanted in a state.
  [[nodiscard]] bool wants_broken_strong(StateId state);

 private:
  const Clauses* clauses_;
  std::vector<std::uint8_t> engaged_;
  std::vector<std::uint64_t> wanted_at_;  // how many of the visits were to states where it is wanted
  std::uint64_t states_ = 0;
  Stamps seen_;
  Stamps wanted_;
};

}  // namespace fairlead
