#include "partition.hpp"

namespace fairlead {

// ---------------------------------------------------------------- strong and branching

Refinement::Refinement(const Lts& lts, std::span<const std::uint32_t> marked, TauSteps tau, Budget& budget,
                       Ticker& ticker)
    : lts_(lts),
      inert_(tau == TauSteps::kInert),
      ticker_(ticker),
      into_(lts, Which::kAll, budget, ticker),
      block_(budget, lts.size(), 0),
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
  // first come, first served; what has been looked at is forgotten now and then
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
  Block& block = blocks_[block_[node]];
  const std::uint32_t to = block.first + block.dirty;
  const std::uint32_t from = place_[node];
  if (from < to) return;
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
  if (data.count == 1) {
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
    // marking moves nodes about within their blocks: those of this one are looked at in a copy
    sorted_.clear();
    for (std::uint32_t k = part.first; k < part.first + part.count; ++k) sorted_.push_back(order_[k]);
    for (const std::uint32_t node : sorted_) {
      ticker_.tick();
      if (inert_) mark(node);
      for (const std::uint32_t source : into_(node)) mark(source);
    }
  }
}

// ---------------------------------------------------------------- weak

WeakRefinement::WeakRefinement(const Lts& lts, std::span<const std::uint32_t> marked, Budget& budget,
                               Ticker& ticker)
    : lts_(lts),
      budget_(budget),
      ticker_(ticker),
      by_tau_(lts, Which::kTau, budget, ticker),
      by_visible_(lts, Which::kVisible, budget, ticker),
      block_(budget, lts.size(), 0),
      reached_(budget, lts.size(), kNone),
      can_do_(budget, lts.size(), kNone),
      counts_(budget),
      signatures_(budget),
      changed_(budget),
      dirty_(budget),
      is_dirty_(budget, lts.size(), 0) {
  for (const std::uint32_t node : marked) block_[node] = 1;
  std::uint32_t marks = 0;
  for (std::uint32_t node = 0; node < lts.size(); ++node) marks += block_[node];
  const auto rest = static_cast<std::uint32_t>(lts.size()) - marks;
  if (rest == 0) std::fill(block_.begin(), block_.end(), 0);
  if (rest != 0) counts_.push_back(rest);
  if (marks != 0) counts_.push_back(marks);
  signatures_.resize(counts_.size(), {kNone, kNone});
  for (std::uint32_t node = 0; node < lts.size(); ++node) changed_.push_back(node);
}

void WeakRefinement::run() {
  while (!changed_.empty()) {
    forget_old_sets();
    collect_dirty();
    compute_signatures();
    split();
  }
}

// Adds the predecessors of all dirty nodes from a place on, and theirs in turn if they are added by internal steps.
void WeakRefinement::add_predecessors(const Predecessors& into, std::size_t first) {
  const std::size_t last = &into == &by_tau_ ? ~std::size_t{0} : dirty_.size();
  for (std::size_t i = first; i < std::min(last, dirty_.size()); ++i) {
    ticker_.tick();
    for (const std::uint32_t source : into(dirty_[i])) {
      if (is_dirty_[source]) continue;
      is_dirty_[source] = 1;
      dirty_.push_back(source);
    }
  }
}

// A node depends on the blocks it reaches by internal steps, on those its successors reach by them, and on what
// its successors by internal steps depend on.
void WeakRefinement::collect_dirty() {
  dirty_.clear();
  for (const std::uint32_t node : changed_) {
    is_dirty_[node] = 1;
    dirty_.push_back(node);
  }
  add_predecessors(by_tau_, 0);
  const std::size_t reaching = dirty_.size();
  add_predecessors(by_visible_, 0);
  add_predecessors(by_tau_, reaching);
  std::sort(dirty_.begin(), dirty_.end());
  for (const std::uint32_t node : dirty_) is_dirty_[node] = 0;
}

void WeakRefinement::charge() {
  const std::uint64_t bytes = words_ * 4 + sets_.size() * 16;
  if (bytes <= charged_) return;
  const std::uint64_t more = bytes - charged_ + (std::uint64_t{1} << 20);
  budget_.charge(more);
  charged_ += more;
}

std::uint32_t WeakRefinement::intern() {
  const auto [id, is_new] = sets_.intern(scratch_);
  if (is_new) {
    words_ += scratch_.size();
    charge();
  }
  return id;
}

void WeakRefinement::compute_signatures() {
  for (const std::uint32_t node : dirty_) {
    ticker_.tick();
    scratch_.assign(1, block_[node]);
    for (const LtsEdge& edge : lts_.edges(node)) {
      if (edge.label != kTauLabel) continue;
      const auto further = sets_.get(reached_[edge.target]);
      scratch_.insert(scratch_.end(), further.begin(), further.end());
    }
    std::sort(scratch_.begin(), scratch_.end());
    scratch_.erase(std::unique(scratch_.begin(), scratch_.end()), scratch_.end());
    reached_[node] = intern();
  }
  for (const std::uint32_t node : dirty_) {
    ticker_.tick();
    pairs_.clear();
    for (const LtsEdge& edge : lts_.edges(node)) {
      if (edge.label == kTauLabel) {
        const auto further = sets_.get(can_do_[edge.target]);
        for (std::size_t i = 0; i < further.size(); i += 2) pairs_.push_back(LtsEdge{further[i], further[i + 1]}.key());
      } else {
        for (const std::uint32_t block : sets_.get(reached_[edge.target])) {
          pairs_.push_back(LtsEdge{edge.label, block}.key());
        }
      }
    }
    std::sort(pairs_.begin(), pairs_.end());
    pairs_.erase(std::unique(pairs_.begin(), pairs_.end()), pairs_.end());
    scratch_.clear();
    for (const std::uint64_t pair : pairs_) {
      scratch_.push_back(LtsEdge::of(pair).label);
      scratch_.push_back(LtsEdge::of(pair).target);
    }
    can_do_[node] = intern();
  }
}

// The dirty nodes of a block are sorted by their signatures; those that are not dirty all have the same one.
void WeakRefinement::split() {
  const auto key = [this](std::uint32_t node) {
    return std::tuple(block_[node], reached_[node], can_do_[node]);
  };
  std::sort(dirty_.begin(), dirty_.end(), [&](std::uint32_t a, std::uint32_t b) { return key(a) < key(b); });
  const auto signature = [this](std::size_t at) {
    return std::pair(reached_[dirty_[at]], can_do_[dirty_[at]]);
  };
  changed_.clear();
  struct Part {
    std::size_t first;
    std::size_t last;
  };
  std::vector<Part> parts;
  for (std::size_t first = 0; first < dirty_.size();) {
    const std::uint32_t block = block_[dirty_[first]];
    parts.clear();
    std::size_t at = first;
    while (at < dirty_.size() && block_[dirty_[at]] == block) {
      ticker_.tick();
      std::size_t last = at + 1;
      while (last < dirty_.size() && key(dirty_[last]) == key(dirty_[at])) ++last;
      parts.push_back({at, last});
      at = last;
    }
    // nodes that are not dirty keep the number of the block; if there are none, the largest part does
    const bool has_clean = counts_[block] > at - first;
    std::size_t keeper = has_clean ? parts.size() : 0;
    for (std::size_t i = 0; i < parts.size(); ++i) {
      const bool better = has_clean ? signature(parts[i].first) == signatures_[block]
                                    : parts[i].last - parts[i].first > parts[keeper].last - parts[keeper].first;
      if (better) keeper = i;
    }
    if (keeper < parts.size()) signatures_[block] = signature(parts[keeper].first);
    for (std::size_t i = 0; i < parts.size(); ++i) {
      if (i == keeper) continue;
      const auto number = static_cast<std::uint32_t>(counts_.size());
      counts_.push_back(static_cast<std::uint32_t>(parts[i].last - parts[i].first));
      counts_[block] -= counts_.back();
      signatures_.push_back(signature(parts[i].first));
      for (std::size_t k = parts[i].first; k < parts[i].last; ++k) {
        block_[dirty_[k]] = number;
        changed_.push_back(dirty_[k]);
      }
    }
    first = at;
  }
}

// Sets that no node has any more would add up over the rounds.
void WeakRefinement::forget_old_sets() {
  if (words_ < 2 * kept_words_ + (1u << 20)) return;
  SequenceInterner fresh;
  words_ = 0;
  const auto keep = [&](std::uint32_t& id) {
    const auto set = sets_.get(id);
    const auto [number, is_new] = fresh.intern(set);
    if (is_new) words_ += set.size();
    id = number;
  };
  for (std::uint32_t node = 0; node < lts_.size(); ++node) {
    ticker_.tick();
    if (reached_[node] == kNone) continue;
    keep(reached_[node]);
    keep(can_do_[node]);
    signatures_[block_[node]] = {reached_[node], can_do_[node]};
  }
  sets_ = std::move(fresh);
  kept_words_ = words_;
}

}  // namespace fairlead
