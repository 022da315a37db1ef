// Who starves in a part of a graph: an event or a process that is enabled there and never engaged.
//
// Nodes are shown one after the other. Most transitions tell nothing new: that a subject is engaged needs to be seen once
// only. So an action is *settled* when nothing can be learnt from it any more, and its transitions are passed over.
#pragma once

#include <memory>

#include "program/labels.hpp"

namespace fairlead {

enum class FairnessLevel { kNone, kEvent, kProcess };
enum class FairnessStrength { kWeak, kStrong };

// Fairness towards events or processes: towards all of them, or some.
struct Demand {
  FairnessLevel level = FairnessLevel::kNone;
  FairnessStrength strength = FairnessStrength::kWeak;
  std::shared_ptr<const std::vector<std::uint8_t>> only = nullptr;  // by subject, whether it is meant; null: all are

  [[nodiscard]] bool concerns(std::uint32_t subject) const {
    return only == nullptr || (subject < only->size() && (*only)[subject] != 0);
  }
};

// Calls `visit(x)` for the event or the processes of an action; idling belongs to none.
template <typename Visit>
void for_each_subject(const Labels& labels, FairnessLevel level, ActionId action, Visit&& visit) {
  if (action == kIdleAction) return;
  if (level == FairnessLevel::kEvent) {
    visit(labels.label_of(action));
  } else if (level == FairnessLevel::kProcess) {
    for (const ProcessId process : labels.processes_of(action)) visit(process);
  }
}

// Invariants: suspect_ has the subjects that starve, as far as the nodes shown so far tell, count_ of them; under weak
// fairness these are enabled at all of them. suspects_ lists them, and perhaps some that no longer are. A settled action has
// no suspect, and, under strong fairness, no subject that is unknown. Those that the demand does not concern never starve.
class Starvation {
 public:
  explicit Starvation(Demand demand) : demand_(std::move(demand)) {}

  // Begins with a part of which no node has been shown.
  void clear();
  // Whether it is certain that nothing starves, whatever comes.
  [[nodiscard]] bool is_excluded() const {
    return demand_.level == FairnessLevel::kNone || (!is_strong() && shown_ != 0 && count_ == 0);
  }
  // Shows a node with the actions of its transitions; `inside(i)` tells whether the i-th of them stays in the part.
  template <typename Inside>
  void show(const Labels& labels, std::span<const ActionId> actions, Inside&& inside);

  [[nodiscard]] const Demand& demand() const { return demand_; }
  [[nodiscard]] bool is_strong() const { return demand_.strength == FairnessStrength::kStrong; }
  [[nodiscard]] bool any() const { return count_ != 0; }
  [[nodiscard]] bool starves(std::uint32_t subject) const { return suspect_.has(subject); }
  [[nodiscard]] std::vector<std::uint32_t> starving() const;

 private:
  // Whether transitions with the action may tell something about a subject.
  [[nodiscard]] bool is_open(std::uint32_t subject) const {
    if (!is_strong() && shown_ != 0) return suspect_.has(subject);
    return demand_.concerns(subject) && !engaged_.has(subject);
  }
  void suspect(std::uint32_t subject) {
    if (!suspect_.stamp(subject)) return;
    suspects_.push_back(subject);
    ++count_;
  }
  void engage(std::uint32_t subject);
  void clear_of_suspicion(std::uint32_t subject);
  void keep_enabled();

  Demand demand_;
  std::uint64_t shown_ = 0;
  Stamps settled_;  // actions
  Stamps engaged_;
  Stamps suspect_;
  std::size_t count_ = 0;
  Stamps enabled_;  // suspects enabled at the node being shown
  std::vector<std::uint32_t> suspects_;
};

template <typename Inside>
void Starvation::show(const Labels& labels, std::span<const ActionId> actions, Inside&& inside) {
  if (is_excluded()) return;
  enabled_.clear();
  for (std::size_t i = 0; i < actions.size(); ++i) {
    const ActionId action = actions[i];
    if (settled_.has(action)) continue;
    bool is_open_action = false;
    for_each_subject(labels, demand_.level, action,
                     [&](std::uint32_t x) { is_open_action = is_open_action || is_open(x); });
    if (!is_open_action) {
      settled_.stamp(action);
      continue;
    }
    const bool engages = inside(i);
    for_each_subject(labels, demand_.level, action, [&](std::uint32_t x) {
      if (engages) {
        engage(x);
      } else if (is_open(x)) {
        if (is_strong() || shown_ == 0) suspect(x);
        enabled_.stamp(x);
      }
    });
  }
  if (!is_strong()) keep_enabled();
  ++shown_;
}

}  // namespace fairlead
