// Transitions as refinement observes them: internal steps are not distinguished, visible events are matched by their texts.
#pragma once

#include "explore/graph.hpp"

namespace fairlead {

using EventId = std::uint32_t;

// The event of every internal step.
inline constexpr EventId kInternal = 0;

// Numbers of visible events, common to several graphs.
class EventTable {
 public:
  EventId number(const std::string& label) {
    if (label.starts_with("τ")) return kInternal;
    return numbers_.try_emplace(label, static_cast<EventId>(numbers_.size() + 1)).first->second;
  }

 private:
  std::unordered_map<std::string, EventId> numbers_;
};

// The events of one graph's actions.
class VisibleEvents {
 public:
  VisibleEvents(Graph& graph, EventTable& table) : graph_(graph), table_(table) {}

  EventId operator()(ActionId action) {
    if (action < events_.size() && events_[action] != kNone) return events_[action];
    return look_up(action);
  }
  [[nodiscard]] bool is_internal(ActionId action) { return (*this)(action) == kInternal; }

 private:
  EventId look_up(ActionId action) {
    const Labels& labels = graph_.labels();
    if (events_.size() <= action) events_.resize(labels.action_count(), kNone);
    return events_[action] = table_.number(labels.label_text(labels.label_of(action)));
  }

  Graph& graph_;
  EventTable& table_;
  std::vector<EventId> events_;
};

}  // namespace fairlead
