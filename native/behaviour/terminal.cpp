#include "behaviour/terminal.hpp"

#include <algorithm>

namespace fairlead {

namespace {

// How many places are asked for before they are examined.
constexpr std::uint32_t kAhead = 8;
// A sweep is worth repeating if it decides one in so many of the states that were open.
constexpr std::size_t kWorthwhile = 8;
// How far a home is searched for: long enough to leave what is left sooner or later.
constexpr int kWalk = 4096;

// Whether two sets have a label in common; `other` is sorted.
bool meets(std::span<const LabelId> one, std::span<const LabelId> other) {
  return std::any_of(one.begin(), one.end(),
                     [&](LabelId label) { return std::binary_search(other.begin(), other.end(), label); });
}

}  // namespace

// ---------------------------------------------------------------- the search

TerminalSets::TerminalSets(Graph& graph, std::size_t patience)
    : graph_(graph),
      set_(graph.budget()),
      group_(graph.budget()),
      sizes_(graph.budget()),
      charge_(graph.budget()),
      from_(graph.budget()),
      patience_(patience),
      place_(graph.budget()),
      frames_(graph.budget()),
      live_(graph.budget()),
      roots_(graph.budget()) {
  set_.resize(graph.state_count(), kNone);
  place_.resize(graph.state_count(), 0);
  if (graph.initial().size() == 1) {
    origin_ = graph.initial()[0];
    decide(origin_);
    spread();
  }
  // the last states were met at the end, so that they often lead to what is decided
  for (std::size_t i = graph.state_count(); i-- > 0;) {
    if (is_open(static_cast<StateId>(i))) search(static_cast<StateId>(i));
  }
  settle_home();
  place_.clear();
  frames_.clear();
  live_.clear();
  roots_.clear();
}

bool TerminalSets::leads_to_decided(StateId state) {
  const EdgeSpan edges = graph_.edges(state, edges_);
  return std::any_of(edges.targets, edges.targets + edges.count,
                     [&](StateId target) { return place_[target] == kNone; });
}

void TerminalSets::spread() {
  const std::size_t count = place_.size();
  std::size_t open = 0;
  std::size_t before = 0;
  for (bool upward = true; before == 0 || (decided_ - before) * kWorthwhile > open; upward = !upward) {
    before = decided_;
    open = graph_.expanded_count() - decided_;
    if (open == 0) return;
    for (std::size_t i = 0; i < count; ++i) {
      graph_.ticker().tick();
      const auto state = static_cast<StateId>(upward ? i : count - 1 - i);
      if (is_open(state) && leads_to_decided(state)) decide(state);
    }
  }
}

void TerminalSets::enter(StateId state) {
  const auto place = static_cast<std::uint32_t>(live_.size());
  place_[state] = place + 1;
  live_.push_back(state);
  roots_.push_back(place);
  frames_.push_back(Frame{state, 0});
}

void TerminalSets::search(StateId start) {
  enter(start);
  while (frames_.size() != 0) {
    graph_.ticker().tick();
    if (!advance()) {
      abandon();
    } else if (live_.size() > patience_ && home_ == kNone) {
      choose_home();
    }
  }
}

void TerminalSets::choose_home() {
  std::uint64_t chance = 0x9e3779b97f4a7c15ull;  // the same in every run
  StateId at = frames_.back().state;
  for (int step = 0; step < kWalk && place_[at] != kNone; ++step) {
    const EdgeSpan edges = graph_.edges(at, edges_);
    if (edges.count == 0) break;
    chance = mix(chance, 0xd6e8feb86659fd93ull) + 1;
    at = edges.targets[chance % edges.count];
  }
  abandon();
  if (place_[at] == 0) decide(at);
  home_ = at;
  spread();
}

void TerminalSets::settle_home() {
  if (home_ == kNone) {
    if (origin_ != kNone && count() == 0) take_everything();
    return;
  }
  if (reach_from_home()) {
    roots_.push_back(0);
    finish(0);
  } else {
    abandon();
    if (count() == 0) take_everything();
  }
}

bool TerminalSets::reach_from_home() {
  auto meet = [&](StateId state) {
    if (place_[state] != kNone) return;
    live_.push_back(state);
    place_[state] = static_cast<std::uint32_t>(live_.size());
  };
  meet(home_);
  for (std::size_t i = 0; i < live_.size(); ++i) {
    graph_.ticker().tick();
    const StateId state = live_[i];
    if (set_[state] != kNone || state == origin_) return false;
    const EdgeSpan edges = graph_.edges(state, edges_);
    for (std::uint32_t k = 0; k < edges.count; ++k) meet(edges.targets[k]);
  }
  return true;
}

void TerminalSets::take_everything() {
  for (StateId state = 0; state < place_.size(); ++state) {
    if (!graph_.is_expanded(state)) continue;
    live_.push_back(state);
    place_[state] = static_cast<std::uint32_t>(live_.size());
  }
  roots_.push_back(0);
  finish(0);
}

bool TerminalSets::advance() {
  Frame& frame = frames_.back();
  const EdgeSpan edges = graph_.edges(frame.state, edges_);
  for (std::uint32_t i = frame.next; i < std::min(edges.count, frame.next + kAhead); ++i) {
    __builtin_prefetch(&place_[edges.targets[i]]);
  }
  while (frame.next < edges.count) {
    const StateId target = edges.targets[frame.next++];
    const std::uint32_t place = place_[target];
    if (place == kNone) return false;
    if (place == 0) {
      enter(target);
      return true;
    }
    while (roots_.back() + 1 > place) roots_.pop_back();  // closes a cycle: what lies on it is one component
  }
  const std::uint32_t place = place_[frame.state] - 1;
  frames_.pop_back();
  if (roots_.back() != place) return true;
  finish(place);
  return frames_.size() == 0;
}

void TerminalSets::abandon() {
  for (std::size_t i = 0; i < live_.size(); ++i) decide(live_[i]);
  frames_.resize_uninitialised(0);
  live_.resize_uninitialised(0);
  roots_.resize_uninitialised(0);
}

void TerminalSets::finish(std::size_t place) {
  const auto number = static_cast<std::uint32_t>(sizes_.size());
  group_.push_back(group_of(place));
  sizes_.push_back(static_cast<std::uint32_t>(live_.size() - place));
  for (std::size_t i = place; i < live_.size(); ++i) {
    graph_.ticker().tick();
    decide(live_[i]);
    set_[live_[i]] = number;
  }
  live_.resize_uninitialised(place);
  roots_.pop_back();
}

void TerminalSets::add_labels(StateId state, std::uint32_t stamp) {
  graph_.ticker().tick();
  const EdgeSpan edges = graph_.edges(state, edges_);
  for (std::uint32_t i = 0; i < edges.count; ++i) {
    const LabelId label = graph_.labels().label_of(edges.actions[i]);
    if (seen_in_.size() <= label) seen_in_.resize(label + 1, 0);
    if (seen_in_[label] == stamp) continue;
    seen_in_[label] = stamp;
    if (!is_internal(label)) labels_.push_back(label);
  }
}

std::uint32_t TerminalSets::group_of(std::size_t place) {
  const auto stamp = static_cast<std::uint32_t>(sizes_.size() + 1);
  labels_.clear();
  if (live_.size() - place > graph_.state_count() / 4) {  // most of memory: in the order in which it lies there
    for (StateId state = 0; state < place_.size(); ++state) {
      if (place_[state] != kNone && place_[state] > place) add_labels(state, stamp);
    }
  } else {
    for (std::size_t i = place; i < live_.size(); ++i) add_labels(live_[i], stamp);
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
  if (demand.kind == ProgressKind::kOneOf) return !meets(demand.labels, labels);
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
    const EdgeSpan edges = graph_.edges(state, edges_);
    for (std::uint32_t k = 0; k < edges.count; ++k) meet(edges.targets[k], state, edges.actions[k]);
  }
  has_ways_ = true;
}

const std::vector<RunStep>& TerminalSets::cycle(StateId start) {
  const auto known = cycles_.find(start);
  if (known != cycles_.end()) return known->second;
  if (graph_.edge_count(start) == 0) return cycles_[start] = {{kIdleAction, start}};
  ChunkedVector<From> from(graph_.budget());
  from.resize(graph_.state_count(), From{kNone, kIdleAction});
  ChunkedVector<StateId> queue(graph_.budget());
  queue.push_back(start);
  for (std::size_t i = 0; from[start].source == kNone; ++i) {
    graph_.ticker().tick();
    const StateId state = queue[i];
    const EdgeSpan edges = graph_.edges(state, edges_);
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
