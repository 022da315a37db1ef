#include "behaviour/divergence.hpp"

#include <algorithm>

namespace fairlead {

Divergence::Divergence(Graph& graph, VisibleEvents& events)
    : graph_(graph),
      events_(events),
      kind_(graph.budget()),
      place_(graph.budget()),
      frames_(graph.budget()),
      live_(graph.budget()),
      roots_(graph.budget()) {}

void Divergence::enter(StateId state) {
  if (kind_.size() <= state) {
    const std::size_t size = std::max<std::size_t>(state + 1, graph_.state_count());
    kind_.resize(size, Kind::kUnknown);
    place_.resize(size, 0);
  }
  const auto place = static_cast<std::uint32_t>(live_.size());
  place_[state] = place + 1;
  live_.push_back(state);
  roots_.push_back(place);
  frames_.push_back(Frame{state, 0, place, false, false});
}

void Divergence::advance(StateId target) {
  Frame& frame = frames_.back();
  if (target >= place_.size() || place_[target] == 0) {
    enter(target);
  } else if (kind_[target] != Kind::kUnknown) {
    frame.reaches |= kind_[target] != Kind::kConverges;
  } else {  // closes a cycle: what lies on it is one component
    frame.loops |= target == frame.state;
    while (roots_.back() + 1 > place_[target]) roots_.pop_back();
  }
}

void Divergence::leave() {
  const Frame frame = frames_.back();
  frames_.pop_back();
  if (roots_.back() == frame.place) {
    const bool cyclic = live_.size() - frame.place > 1 || frame.loops;
    const Kind kind = cyclic ? Kind::kOnCycle : frame.reaches ? Kind::kReachesCycle : Kind::kConverges;
    for (std::size_t i = frame.place; i < live_.size(); ++i) kind_[live_[i]] = kind;
    live_.resize_uninitialised(frame.place);
    roots_.pop_back();
  }
  if (frames_.size() != 0) {
    Frame& above = frames_.back();
    const Kind kind = kind_[frame.state];
    above.reaches |= kind == Kind::kOnCycle || kind == Kind::kReachesCycle;
  }
}

Divergence::Kind Divergence::search(StateId start, std::size_t state_limit) {
  enter(start);
  while (frames_.size() != 0) {
    graph_.ticker().tick();
    if (graph_.state_count() > state_limit) throw LimitReached{Limit::kStates};
    const EdgeSpan edges = graph_.edges(frames_.back().state, edges_);
    std::uint32_t& next = frames_.back().next;
    while (next < edges.count && !events_.is_internal(edges.actions[next])) ++next;
    if (next < edges.count) {
      advance(edges.targets[next++]);
    } else {
      leave();
    }
  }
  return kind_[start];
}

std::vector<RunStep> Divergence::cycle(StateId state) {
  struct From {
    StateId source;
    ActionId action;
  };
  std::unordered_map<StateId, From> from;
  std::vector<StateId> queue{state};
  for (std::size_t i = 0; i < queue.size() && !from.contains(state); ++i) {
    graph_.ticker().tick();
    const EdgeSpan edges = graph_.edges(queue[i], edges_);
    for (std::uint32_t k = 0; k < edges.count; ++k) {
      if (!events_.is_internal(edges.actions[k])) continue;
      if (from.try_emplace(edges.targets[k], From{queue[i], edges.actions[k]}).second) {
        queue.push_back(edges.targets[k]);
      }
    }
  }
  std::vector<RunStep> steps;
  StateId at = state;
  do {
    const From& entry = from.at(at);
    steps.push_back({entry.action, at});
    at = entry.source;
  } while (at != state);
  std::reverse(steps.begin(), steps.end());
  return steps;
}

}  // namespace fairlead
