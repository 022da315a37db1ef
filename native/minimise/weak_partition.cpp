#include <tuple>

#include "minimise/partition.hpp"

namespace fairlead {

WeakRefinement::WeakRefinement(const Lts& lts, std::span<const std::uint32_t> marked, Budget& budget, Ticker& ticker)
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
  const std::uint64_t bytes = words_ * 8 + sets_.size() * 32;  // arrays that double when they grow
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
  const auto key = [this](std::uint32_t node) { return std::tuple(block_[node], reached_[node], can_do_[node]); };
  std::sort(dirty_.begin(), dirty_.end(), [&](std::uint32_t a, std::uint32_t b) { return key(a) < key(b); });
  const auto signature = [this](std::size_t at) { return std::pair(reached_[dirty_[at]], can_do_[dirty_[at]]); };
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
