#include "minimise/partition.hpp"

namespace fairlead {

Refinement::Refinement(const Lts& lts, std::span<const std::uint32_t> marked, TauSteps tau, Budget& budget,
                       Ticker& ticker)
    : lts_(lts),
      inert_(tau == TauSteps::kInert),
      ticker_(ticker),
      into_(lts, Which::kAll, budget, ticker),
      block_(budget, lts.size(), 0),
      flags_(budget, lts.size(), kDirty),
      order_(budget, lts.size(), 0),
      place_(budget, lts.size(), 0),
      blocks_(budget),
      waiting_(budget),
      pool_(budget),
      groups_(budget),
      slots_(budget),
      group_of_(budget, lts.size(), 0),
      sorted_(budget) {
  if (inert_) into_by_tau_.emplace(lts, Which::kTau, budget, ticker);
  for (const std::uint32_t node : marked) block_[node] = 1;
  std::uint32_t marks = 0;
  for (std::uint32_t node = 0; node < lts.size(); ++node) marks += block_[node];
  const auto size = static_cast<std::uint32_t>(lts.size());
  const std::uint32_t rest = size - marks;
  std::uint32_t next[2] = {0, rest};
  for (std::uint32_t node = 0; node < size; ++node) {
    if (rest == 0) block_[node] = 0;
    place_[node] = next[block_[node]]++;
    order_[place_[node]] = node;
  }
  if (rest != 0) blocks_.push_back({0, rest, rest, kNone});
  if (marks != 0) blocks_.push_back({rest, marks, marks, kNone});
  for (std::uint32_t block = 0; block < blocks_.size(); ++block) waiting_.push_back(block);
}

void Refinement::run() {
  // first come, first served; what has been examined is forgotten now and then
  std::size_t at = 0;
  while (at < waiting_.size()) {
    process(waiting_[at++]);
    if (at > 4096 && at * 2 > waiting_.size()) {
      std::copy(waiting_.begin() + at, waiting_.end(), waiting_.begin());
      waiting_.truncate(waiting_.size() - at);
      at = 0;
    }
  }
}

void Refinement::mark(std::uint32_t node) {
  if (flags_[node] != kClean) return;
  flags_[node] = kDirty;
  Block& block = blocks_[block_[node]];
  const std::uint32_t to = block.first + block.dirty;
  const std::uint32_t from = place_[node];
  const std::uint32_t other = order_[to];
  order_[to] = node;
  place_[node] = to;
  order_[from] = other;
  place_[other] = from;
  if (block.dirty++ == 0) waiting_.push_back(block_[node]);
}

// The signature of a node holds those of the nodes that it leads to within the block.
void Refinement::mark_inert_predecessors(std::uint32_t block) {
  const std::uint32_t first = blocks_[block].first;
  for (std::uint32_t i = first; i < first + blocks_[block].dirty; ++i) {
    for (const std::uint32_t source : (*into_by_tau_)(order_[i])) {
      if (block_[source] == block) mark(source);
    }
  }
}

void Refinement::own_signature(std::uint32_t node) {
  const std::uint32_t own = block_[node];
  for (const LtsEdge& edge : lts_.edges(node)) {
    const std::uint32_t target = block_[edge.target];
    if (inert_ && edge.label == kTauLabel && target == own) continue;
    signature_.push_back(LtsEdge{edge.label, target}.key());
  }
}

// A node that is not dirty and has no internal steps within the block: its signature is its own alone, and that
// of all nodes that are not dirty.
std::uint32_t Refinement::clean_bottom(std::uint32_t block) {
  const Block& data = blocks_[block];
  const std::uint32_t known = data.bottom;
  const bool fits = known != kNone && block_[known] == block && !is_dirty(known);
  std::uint32_t node = fits ? known : order_[data.first + data.count - 1];
  for (bool lower = inert_; lower;) {
    ticker_.tick();
    lower = false;
    for (const LtsEdge& edge : lts_.edges(node)) {
      if (edge.label != kTauLabel || block_[edge.target] != block) continue;
      node = edge.target;
      lower = true;
      break;
    }
  }
  blocks_[block].bottom = node;
  return node;
}

// The group of the signature in signature_, which is sorted here.
std::uint32_t Refinement::group_of_signature() {
  std::sort(signature_.begin(), signature_.end());
  signature_.erase(std::unique(signature_.begin(), signature_.end()), signature_.end());
  const std::uint64_t hash = hash_words(signature_.data(), signature_.size());
  std::size_t at = hash & (slots_.size() - 1);
  while (slots_[at] != kNone) {
    const Group& group = groups_[slots_[at]];
    if (group.hash == hash && group.length == signature_.size() &&
        std::equal(signature_.begin(), signature_.end(), pool_.begin() + group.at)) {
      return slots_[at];
    }
    at = (at + 1) & (slots_.size() - 1);
  }
  const auto number = static_cast<std::uint32_t>(groups_.size());
  slots_[at] = number;
  groups_.push_back({hash, pool_.size(), static_cast<std::uint32_t>(signature_.size()), 0});
  for (const std::uint64_t word : signature_) pool_.push_back(word);
  return number;
}

void Refinement::process(std::uint32_t block) {
  if (inert_) mark_inert_predecessors(block);
  const Block data = blocks_[block];
  if (data.count == 1) {  // only at the start
    flags_[order_[data.first]] = kAlone;
    blocks_[block].dirty = 0;
    return;
  }
  groups_.clear();
  pool_.clear();
  std::size_t slots = 4;
  while (slots < std::size_t{data.dirty} * 2 + 4) slots *= 2;
  slots_.clear();
  slots_.resize(slots, kNone);
  if (data.dirty < data.count) {  // they are group 0
    signature_.clear();
    own_signature(clean_bottom(block));
    group_of_signature();
    groups_[0].count = data.count - data.dirty;
  }
  sorted_.clear();
  for (std::uint32_t i = 0; i < data.dirty; ++i) sorted_.push_back(order_[data.first + i]);
  if (inert_) std::sort(sorted_.begin(), sorted_.end());
  for (const std::uint32_t node : sorted_) {
    ticker_.tick();
    signature_.clear();
    own_signature(node);
    if (inert_) {
      for (const LtsEdge& edge : lts_.edges(node)) {
        if (edge.label != kTauLabel || block_[edge.target] != block) continue;
        const Group& group = groups_[is_dirty(edge.target) ? group_of_[edge.target] : 0];
        signature_.insert(signature_.end(), pool_.begin() + group.at, pool_.begin() + group.at + group.length);
      }
    }
    group_of_[node] = group_of_signature();
    ++groups_[group_of_[node]].count;
  }
  split(block);
}

// Lays the groups side by side, the nodes that were not dirty (group 0, if there are any) last; the largest group
// keeps the number of the block.
void Refinement::split(std::uint32_t block) {
  blocks_[block].dirty = 0;
  for (const std::uint32_t node : sorted_) flags_[node] = kClean;
  if (groups_.size() == 1) return;
  const Block data = blocks_[block];
  const auto count = static_cast<std::uint32_t>(groups_.size());
  std::uint32_t largest = 0;
  for (std::uint32_t i = 1; i < count; ++i) {
    if (groups_[i].count > groups_[largest].count) largest = i;
  }
  // `at` of a group is from here on where its next node goes
  std::uint32_t at = data.first;
  for (std::uint32_t i = 1; i <= count; ++i) {
    const std::uint32_t group = i % count;
    groups_[group].at = at;
    at += groups_[group].count;
  }
  for (const std::uint32_t node : sorted_) {
    const auto to = static_cast<std::uint32_t>(groups_[group_of_[node]].at++);
    order_[to] = node;
    place_[node] = to;
  }
  const std::size_t changed = blocks_.size();
  at = data.first;
  for (std::uint32_t i = 1; i <= count; ++i) {
    const std::uint32_t group = i % count;
    const Block part{at, groups_[group].count, 0, kNone};
    at += part.count;
    if (part.count == 1) flags_[order_[part.first]] = kAlone;
    if (group == largest) {
      blocks_[block] = part;
      continue;
    }
    const auto number = static_cast<std::uint32_t>(blocks_.size());
    blocks_.push_back(part);
    for (std::uint32_t k = part.first; k < part.first + part.count; ++k) block_[order_[k]] = number;
  }
  for (std::size_t number = changed; number < blocks_.size(); ++number) {
    const Block part = blocks_[number];
    // marking moves nodes about within their blocks: those of this one are examined in a copy
    sorted_.clear();
    for (std::uint32_t k = part.first; k < part.first + part.count; ++k) sorted_.push_back(order_[k]);
    for (const std::uint32_t node : sorted_) {
      ticker_.tick();
      if (inert_) mark(node);
      for (const std::uint32_t source : into_(node)) mark(source);
    }
  }
}

}  // namespace fairlead
