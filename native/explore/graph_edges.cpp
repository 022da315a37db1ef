// The transitions of a graph: stored, fetched, and found again where they are not kept.
#include <algorithm>

#include "explore/graph.hpp"

namespace fairlead {

std::size_t Graph::remove_duplicates(std::span<StateId> targets, std::span<ActionId> actions) {
  const std::size_t count = targets.size();
  if (count > 64) {
    std::vector<std::pair<std::uint64_t, std::size_t>> order(count);
    for (std::size_t i = 0; i < count; ++i) order[i] = {(std::uint64_t{actions[i]} << 32) | targets[i], i};
    std::sort(order.begin(), order.end());
    const auto last =
        std::unique(order.begin(), order.end(), [](const auto& a, const auto& b) { return a.first == b.first; });
    order.erase(last, order.end());
    std::sort(order.begin(), order.end(), [](const auto& a, const auto& b) { return a.second < b.second; });
    for (std::size_t i = 0; i < order.size(); ++i) {
      targets[i] = static_cast<StateId>(order[i].first);
      actions[i] = static_cast<ActionId>(order[i].first >> 32);
    }
    return order.size();
  }
  std::size_t kept = 0;
  for (std::size_t i = 0; i < count; ++i) {
    bool repeated = false;
    for (std::size_t j = 0; j < kept; ++j) repeated |= targets[j] == targets[i] && actions[j] == actions[i];
    if (repeated) continue;
    targets[kept] = targets[i];
    actions[kept] = actions[i];
    ++kept;
  }
  return kept;
}

std::uint64_t Graph::new_stamp() {
  static std::atomic<std::uint64_t> last = 0;
  return ++last;
}

void Graph::fetch(StateId state, EdgeBuffer& buffer) {
  buffer.forget();
  if (!is_expanded(state)) {
    expand(state, buffer);
    return;
  }
  const std::uint64_t run = runs_[state];
  const std::size_t place = place_of(run);
  if (count_of(run) == 0) {
    buffer.assign(state, stamp_, {nullptr, nullptr, 0});
  } else if (list_.has(place)) {
    buffer.assign(state, stamp_, list_.get(place, count_of(run)));
  } else {
    const EdgeSpan found = find_again(state, way_of(run));
    if (found.count != count_of(run)) throw std::logic_error("a state has not the transitions that it had");
    buffer.assign(state, stamp_, found);
  }
}

void Graph::set_edges(StateId state, std::span<const StateId> targets, std::span<const ActionId> actions, StepWay way) {
  if (targets.size() >= kMaxCount) throw LimitReached{Limit::kMemory};
  if (is_expanded(state)) stamp_ = new_stamp();
  if (runs_.size() <= state) runs_.resize(std::max<std::size_t>(state + 1, state_count()), kNotExpanded);
  const std::size_t place = list_.reserve(targets.size());
  if (place != EdgeList::kNowhere) list_.put(place, targets, actions);
  runs_[state] = make_run(place, way, targets.size());
}

void Graph::set_edges(const Batch& batch) {
  std::size_t first = 0;
  for (const Batch::Source& source : batch.sources) {
    const std::size_t count = source.end - first;
    set_edges(source.state, std::span(batch.targets).subspan(first, count),
              std::span(batch.successors.actions).subspan(first, count), source.way);
    first = source.end;
  }
}

void Graph::put_edges(std::size_t place, const Batch& batch) {
  const bool is_kept = place != EdgeList::kNowhere;
  if (is_kept) list_.put(place, batch.targets, batch.successors.actions);
  std::size_t first = 0;
  for (const Batch::Source& source : batch.sources) {
    runs_[source.state] = make_run(is_kept ? place + first : place, source.way, source.end - first);
    first = source.end;
  }
}

// In the order in which they were found first. All of them are known, and fit into the layout.
EdgeSpan NetworkGraph::find_again(StateId state, StepWay way) {
  if (recent_.empty()) recent_.resize(kRecent);
  EdgeBuffer& recent = recent_[state % kRecent];
  if (recent.holds(state, stamp())) return recent.span();
  recent.forget();
  current_ = state;
  single_.clear();
  if (!stepper_.expand_again(store_.record(state), way, single_.successors)) {
    throw std::logic_error("a transition that was found before does not fit");
  }
  single_.add_source(state, stepper_.distinct(), way, store_);
  const std::size_t count = single_.size();
  for (std::size_t i = 0; i < count; ++i) store_.prefetch_slot(single_.hashes[i]);
  for (std::size_t i = 0; i < count; ++i) store_.prefetch_record(single_.hashes[i]);
  single_.targets.resize(count);
  for (std::size_t i = 0; i < count; ++i) {
    single_.targets[i] = store_.find(single_.successors.words.data() + i * store_.stride(), single_.hashes[i]);
    if (single_.targets[i] == kNone) throw std::logic_error("a state that was found before is not known");
  }
  recent.assign(state, stamp(),
                {single_.targets.data(), single_.successors.actions.data(), static_cast<std::uint32_t>(count)});
  return recent.span();
}

}  // namespace fairlead
