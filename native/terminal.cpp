#include "terminal.hpp"

#include <algorithm>

namespace fairlead {

namespace {

template <typename T>
T& last(ChunkedVector<T>& stack) {
  return stack[stack.size() - 1];
}

template <typename T>
void drop(ChunkedVector<T>& stack) {
  stack.resize_uninitialised(stack.size() - 1);
}

// Whether two sets have a label in common; `other` is sorted.
bool meets(std::span<const LabelId> one, std::span<const LabelId> other) {
  return std::any_of(one.begin(), one.end(),
                     [&](LabelId label) { return std::binary_search(other.begin(), other.end(), label); });
}

}  // namespace

// ---------------------------------------------------------------- the search

TerminalSets::TerminalSets(Graph& graph)
    : graph_(graph),
      set_(graph.budget()),
      group_(graph.budget()),
      sizes_(graph.budget()),
      charge_(graph.budget()),
      from_(graph.budget()),
      place_(graph.budget()),
      frames_(graph.budget()),
      live_(graph.budget()),
      roots_(graph.budget()) {
  set_.resize(graph.state_count(), kNone);
  place_.resize(graph.state_count(), 0);
  for (const StateId start : graph.initial()) {
    if (place_[start] == 0) search(start);
  }
  place_.clear();
  frames_.clear();
  live_.clear();
  roots_.clear();
}

void TerminalSets::enter(StateId state) {
  const auto place = static_cast<std::uint32_t>(live_.size());
  place_[state] = place + 1;
  live_.push_back(state);
  roots_.push_back(place);
  frames_.push_back(Frame{state, 0, 0});
  const EdgeSpan edges = graph_.edges(state);
  for (std::uint32_t i = 0; i < edges.count; ++i) __builtin_prefetch(&place_[edges.targets[i]]);
}

void TerminalSets::search(StateId start) {
  enter(start);
  while (frames_.size() != 0) {
    graph_.ticker().tick();
    Frame& frame = last(frames_);
    const EdgeSpan edges = graph_.edges(frame.state);
    StateId fresh = kNone;
    while (frame.next < edges.count) {
      const StateId target = edges.targets[frame.next];
      frame.next = frame.next + 1;
      const std::uint32_t place = place_[target];
      if (place == 0) {
        fresh = target;
        break;
      }
      if (place == kNone) {
        frame.leaves = 1;
      } else {  // closes a cycle: what lies on it is one component
        while (last(roots_) + 1 > place) drop(roots_);
      }
    }
    if (fresh != kNone) {
      enter(fresh);
    } else {
      leave();
    }
  }
}

void TerminalSets::leave() {
  const Frame frame = last(frames_);
  drop(frames_);
  const std::uint32_t place = place_[frame.state] - 1;
  const bool is_root = last(roots_) == place;
  if (is_root) {
    drop(roots_);
    finish(place, frame.leaves == 0);
  }
  // the state before it is in the same component, or has a transition to another one
  if (frames_.size() != 0 && (is_root || frame.leaves != 0)) last(frames_).leaves = 1;
}

void TerminalSets::finish(std::size_t place, bool terminal) {
  const auto number = static_cast<std::uint32_t>(sizes_.size());
  if (terminal) {
    group_.push_back(group_of(place));
    sizes_.push_back(static_cast<std::uint32_t>(live_.size() - place));
  }
  for (std::size_t i = place; i < live_.size(); ++i) {
    graph_.ticker().tick();
    place_[live_[i]] = kNone;
    if (terminal) set_[live_[i]] = number;
  }
  live_.resize_uninitialised(place);
}

std::uint32_t TerminalSets::group_of(std::size_t first) {
  const Labels& labels = graph_.labels();
  const auto stamp = static_cast<std::uint32_t>(sizes_.size() + 1);
  labels_.clear();
  for (std::size_t i = first; i < live_.size(); ++i) {
    graph_.ticker().tick();
    const EdgeSpan edges = graph_.edges(live_[i]);
    for (std::uint32_t k = 0; k < edges.count; ++k) {
      const LabelId label = labels.label_of(edges.actions[k]);
      if (seen_in_.size() <= label) seen_in_.resize(label + 1, 0);
      if (seen_in_[label] == stamp) continue;
      seen_in_[label] = stamp;
      if (!is_internal(label)) labels_.push_back(label);
    }
  }
  std::sort(labels_.begin(), labels_.end());
  const auto [number, is_new] = group_labels_.intern(labels_);
  if (is_new) {
    // what the interner and the list of groups take, with room for their growing
    charge_.add(8 * labels_.size() + 2 * (sizeof(Group) + 16));
    groups_.push_back(Group{});
  }
  ++groups_[number].sets;
  return number;
}

bool TerminalSets::is_internal(LabelId label) {
  if (internal_.size() <= label) internal_.resize(label + 1, 0);
  if (internal_[label] == 0) internal_[label] = graph_.labels().label_text(label).starts_with("τ") ? 2 : 1;
  return internal_[label] == 2;
}

// ---------------------------------------------------------------- judging

bool TerminalSets::violates(std::span<const LabelId> labels, const ProgressDemand& demand) const {
  if (demand.condition && !meets(*demand.condition, labels)) return false;
  if (demand.kind == ProgressDemand::Kind::kOneOf) return !meets(demand.labels, labels);
  return !std::includes(labels.begin(), labels.end(), demand.labels.begin(), demand.labels.end());
}

std::optional<TerminalSet> TerminalSets::violation(const ProgressDemand& unsorted) {
  ProgressDemand demand = unsorted;
  std::sort(demand.labels.begin(), demand.labels.end());
  demand.labels.erase(std::unique(demand.labels.begin(), demand.labels.end()), demand.labels.end());
  std::vector<std::uint32_t> found;
  TerminalSet result{};
  for (std::uint32_t number = 0; number < groups_.size(); ++number) {
    graph_.ticker().tick();
    if (!violates(group_labels_.get(number), demand)) continue;
    found.push_back(number);
    result.violating += groups_[number].sets;
  }
  if (found.empty()) return std::nullopt;
  if (!has_ways_) find_ways();
  const std::uint32_t nearest = *std::min_element(found.begin(), found.end(), [&](auto one, auto other) {
    return groups_[one].distance < groups_[other].distance;
  });
  const StateId state = groups_[nearest].nearest;
  const auto labels = group_labels_.get(nearest);
  result.labels.assign(labels.begin(), labels.end());
  result.states = sizes_[set_[state]];
  StateId at = state;
  for (; from_[at].source != kNone; at = from_[at].source) result.lasso.stem.push_back({from_[at].action, at});
  std::reverse(result.lasso.stem.begin(), result.lasso.stem.end());
  result.lasso.start = at;
  result.lasso.loop = cycle(state);
  return result;
}

void TerminalSets::find_ways() {
  from_.clear();
  from_.resize_uninitialised(graph_.state_count());
  for (StateId state = 0; state < from_.size(); ++state) from_[state] = From{state, kIdleAction};
  for (Group& group : groups_) group.nearest = kNone;
  std::size_t missing = groups_.size();
  ChunkedVector<StateId> queue(graph_.budget());
  auto meet = [&](StateId state, StateId source, ActionId action) {
    if (from_[state].source != state) return;
    from_[state] = From{source, action};
    queue.push_back(state);
    if (set_[state] == kNone) return;
    Group& group = groups_[group_[set_[state]]];
    if (group.nearest != kNone) return;
    group.nearest = state;
    group.distance = queue.size();
    --missing;
  };
  for (const StateId start : graph_.initial()) meet(start, kNone, kIdleAction);
  for (std::size_t i = 0; i < queue.size() && missing != 0; ++i) {
    graph_.ticker().tick();
    const StateId state = queue[i];
    const EdgeSpan edges = graph_.edges(state);
    for (std::uint32_t k = 0; k < edges.count; ++k) meet(edges.targets[k], state, edges.actions[k]);
  }
  has_ways_ = true;
}

const std::vector<RunStep>& TerminalSets::cycle(StateId start) {
  const auto known = cycles_.find(start);
  if (known != cycles_.end()) return known->second;
  if (graph_.edges(start).count == 0) return cycles_[start] = {{kIdleAction, start}};
  ChunkedVector<From> from(graph_.budget());
  from.resize(graph_.state_count(), From{kNone, kIdleAction});
  ChunkedVector<StateId> queue(graph_.budget());
  queue.push_back(start);
  for (std::size_t i = 0; from[start].source == kNone; ++i) {
    graph_.ticker().tick();
    const StateId state = queue[i];
    const EdgeSpan edges = graph_.edges(state);
    for (std::uint32_t k = 0; k < edges.count; ++k) {
      From& entry = from[edges.targets[k]];
      if (entry.source != kNone) continue;
      entry = From{state, edges.actions[k]};
      queue.push_back(edges.targets[k]);
    }
  }
  std::vector<RunStep> steps;
  StateId at = start;
  do {
    steps.push_back({from[at].action, at});
    at = from[at].source;
  } while (at != start);
  std::reverse(steps.begin(), steps.end());
  return cycles_[start] = std::move(steps);
}

}  // namespace fairlead
