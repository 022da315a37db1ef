#include "behaviour/specification.hpp"

#include <algorithm>

namespace fairlead {

namespace {

std::uint64_t bit_of(StateId state) { return std::uint64_t{1} << (state * 0x9e3779b1u >> 26); }

}  // namespace

Specification::Specification(Graph& graph, EventTable& table)
    : graph_(graph),
      events_(graph, table),
      divergence_(graph, events_),
      moves_(graph.budget()),
      offer_of_(graph.budget()),
      stamps_(graph.budget()) {}

void Specification::charge(std::size_t bytes) {
  graph_.budget().charge(bytes);
  charged_ += bytes;
}

std::uint32_t Specification::intern(SequenceInterner& table, std::span<const std::uint32_t> key) {
  const auto [id, is_new] = table.intern(key);
  // tables double when they grow; so much may be in use
  if (is_new) charge(2 * (key.size() * sizeof(std::uint32_t) + sizeof(Row) + 16));
  return id;
}

EdgeSpan Specification::edges(StateId state) {
  if (graph_.is_expanded(state)) return graph_.edges(state, edges_);
  if (graph_.state_count() > state_limit_) throw LimitReached{Limit::kStates};
  try {
    return graph_.edges(state, edges_);
  } catch (const ModelFault&) {
    faulted_ = true;
    throw;
  }
}

SubsetId Specification::close(std::span<const StateId> seeds) {
  ++round_;
  members_.assign(seeds.begin(), seeds.end());
  const auto is_new = [&](StateId state) {
    if (stamps_.size() <= state) stamps_.resize(std::max<std::size_t>(state + 1, graph_.state_count()), 0);
    if (stamps_[state] == round_) return false;
    stamps_[state] = round_;
    return true;
  };
  for (const StateId seed : seeds) is_new(seed);
  for (std::size_t i = 0; i < members_.size(); ++i) {
    graph_.ticker().tick();
    const EdgeSpan found = edges(members_[i]);
    for (std::uint32_t k = 0; k < found.count; ++k) {
      if (events_.is_internal(found.actions[k]) && is_new(found.targets[k])) members_.push_back(found.targets[k]);
    }
  }
  std::sort(members_.begin(), members_.end());
  const SubsetId subset = intern(subsets_, members_);
  if (subset == rows_.size()) {
    Row row;
    for (const StateId state : members_) row.signature |= bit_of(state);
    rows_.push_back(row);
  }
  return subset;
}

SubsetId Specification::initial() {
  std::vector<StateId> states = graph_.initial();
  std::sort(states.begin(), states.end());
  states.erase(std::unique(states.begin(), states.end()), states.end());
  return close(states);
}

void Specification::find_moves(SubsetId subset) {
  pairs_.clear();
  for (const StateId state : subsets_.get(subset)) {
    graph_.ticker().tick();
    const EdgeSpan found = edges(state);
    for (std::uint32_t k = 0; k < found.count; ++k) {
      const EventId event = events_(found.actions[k]);
      if (event != kInternal) pairs_.push_back((std::uint64_t{event} << 32) | found.targets[k]);
    }
  }
  std::sort(pairs_.begin(), pairs_.end());
  pairs_.erase(std::unique(pairs_.begin(), pairs_.end()), pairs_.end());
  const std::size_t first = moves_.size();
  for (std::size_t i = 0; i < pairs_.size();) {
    const auto event = static_cast<EventId>(pairs_[i] >> 32);
    members_.clear();
    for (; i < pairs_.size() && pairs_[i] >> 32 == event; ++i) members_.push_back(static_cast<StateId>(pairs_[i]));
    const std::uint32_t seeds = intern(seeds_, members_);
    if (seeds == closed_.size()) closed_.push_back(kNone);
    moves_.push_back(Move{event, seeds});
  }
  rows_[subset].first_move = first;
  rows_[subset].moves = static_cast<std::uint32_t>(moves_.size() - first);
}

SubsetId Specification::after(SubsetId subset, EventId event) {
  if (rows_[subset].moves == kNone) find_moves(subset);
  std::size_t low = rows_[subset].first_move;
  std::size_t high = low + rows_[subset].moves;
  const std::size_t end = high;
  while (low < high) {
    const std::size_t middle = (low + high) / 2;
    if (moves_[middle].event < event) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  if (low == end || moves_[low].event != event) return kEmptySubset;
  const std::uint32_t seeds = moves_[low].seeds;
  if (closed_[seeds] == kNone) {
    const auto states = seeds_.get(seeds);
    closed_[seeds] = close(std::vector<StateId>(states.begin(), states.end()));
  }
  return closed_[seeds];
}

bool Specification::diverges(SubsetId subset) {
  if (rows_[subset].diverges < 0) {
    bool found = false;
    for (const StateId state : subsets_.get(subset)) {
      found = divergence_.kind(state, ~std::size_t{0}) != Divergence::Kind::kConverges;
      if (found) break;
    }
    rows_[subset].diverges = found ? 1 : 0;
  }
  return rows_[subset].diverges == 1;
}

std::uint32_t Specification::offer(StateId state) {
  if (offer_of_.size() <= state) offer_of_.resize(std::max<std::size_t>(state + 1, graph_.state_count()), kNone);
  if (offer_of_[state] == kNone) {
    offered_.clear();
    const EdgeSpan found = edges(state);
    for (std::uint32_t k = 0; k < found.count; ++k) offered_.push_back(events_(found.actions[k]));
    std::sort(offered_.begin(), offered_.end());
    offered_.erase(std::unique(offered_.begin(), offered_.end()), offered_.end());
    const bool is_stable = offered_.empty() || offered_.front() != kInternal;
    offer_of_[state] = is_stable ? intern(offers_, offered_) : kUnstable;
  }
  return offer_of_[state];
}

void Specification::find_acceptances(SubsetId subset) {
  std::vector<std::uint32_t> found;
  for (const StateId state : subsets_.get(subset)) {
    const std::uint32_t own = offer(state);
    if (own != kUnstable) found.push_back(own);
  }
  std::sort(found.begin(), found.end());
  found.erase(std::unique(found.begin(), found.end()), found.end());
  std::sort(found.begin(), found.end(), [&](std::uint32_t a, std::uint32_t b) {
    return std::pair(offers_.get(a).size(), a) < std::pair(offers_.get(b).size(), b);
  });
  std::vector<std::uint32_t> minimal;
  for (const std::uint32_t own : found) {
    graph_.ticker().tick();
    const auto events = offers_.get(own);
    const bool covered = std::any_of(minimal.begin(), minimal.end(), [&](std::uint32_t other) {
      const auto fewer = offers_.get(other);
      return std::includes(events.begin(), events.end(), fewer.begin(), fewer.end());
    });
    if (!covered) minimal.push_back(own);
  }
  rows_[subset].acceptances = intern(acceptances_, minimal);
}

bool Specification::accepts(SubsetId subset, std::span<const EventId> offered) {
  if (rows_[subset].acceptances == kNone) find_acceptances(subset);
  const auto minimal = acceptances_.get(rows_[subset].acceptances);
  return std::any_of(minimal.begin(), minimal.end(), [&](std::uint32_t own) {
    const auto events = offers_.get(own);
    return std::includes(offered.begin(), offered.end(), events.begin(), events.end());
  });
}

bool Specification::includes(SubsetId larger, SubsetId smaller) const {
  if (larger == smaller) return true;
  if ((rows_[smaller].signature & ~rows_[larger].signature) != 0) return false;
  const auto all = subsets_.get(larger);
  const auto some = subsets_.get(smaller);
  return some.size() <= all.size() && std::includes(all.begin(), all.end(), some.begin(), some.end());
}

}  // namespace fairlead
