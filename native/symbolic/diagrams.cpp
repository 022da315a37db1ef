#include "symbolic/diagrams.hpp"

#include <algorithm>
#include <numeric>
#include <unordered_map>

namespace fairlead {

namespace {
constexpr std::size_t kFirstTable = std::size_t{1} << 14;
}  // namespace

std::size_t Footing::touched_from(std::size_t level) const {
  std::size_t count = 0;
  for (std::size_t i = level; i < touch.size(); ++i) count += touch[i] == Touch::kNone ? 0 : 1;
  return count;
}

Diagrams::Diagrams(Budget& budget, Ticker& ticker) : budget_(budget), ticker_(ticker), nodes_(budget) {
  const std::uint64_t bytes = kFirstTable * (sizeof(std::uint32_t) + sizeof(Entry));
  budget_.charge(bytes);
  charged_ = bytes;
  table_.assign(kFirstTable, 0);
  cache_.assign(kFirstTable, {});
  for (int i = 0; i < 2; ++i) nodes_.push_back({0, kEmptySet, kEmptySet});
  uses_.assign(2, 0);
}

Diagrams::~Diagrams() { budget_.release(charged_); }

// ---------------------------------------------------------------- nodes

Diagram Diagrams::make(std::uint32_t value, Diagram down, Diagram right) {
  if (down == kEmptySet) return right;
  if ((live_ + 1) * 2 > table_.size()) grow_table();
  const Node wanted{value, down, right};
  const std::size_t mask = table_.size() - 1;
  std::size_t at = hash(wanted) & mask;
  for (; table_[at] != 0; at = (at + 1) & mask) {
    const Node& node = nodes_[table_[at]];
    if (node.value == value && node.down == down && node.right == right) return table_[at];
  }
  Diagram number = 0;
  if (!free_.empty()) {
    number = free_.back();
    free_.pop_back();
    nodes_[number] = wanted;
  } else {
    if (nodes_.size() >= kNone) throw LimitReached{Limit::kMemory};
    number = static_cast<Diagram>(nodes_.size());
    if (uses_.size() == uses_.capacity()) {
      const std::uint64_t bytes = uses_.capacity() * sizeof(std::uint32_t);
      budget_.charge(bytes);
      charged_ += bytes;
      uses_.reserve(2 * uses_.capacity());
    }
    nodes_.push_back(wanted);
    uses_.push_back(0);
  }
  table_[at] = number;
  most_live_ = std::max(most_live_, ++live_);
  return number;
}

void Diagrams::grow_table() {
  const std::uint64_t bytes = table_.size() * sizeof(std::uint32_t);
  budget_.charge(bytes);
  charged_ += bytes;
  std::vector<std::uint32_t> before(2 * table_.size(), 0);
  before.swap(table_);
  const std::size_t mask = table_.size() - 1;
  for (const std::uint32_t number : before) {
    if (number == 0) continue;
    std::size_t at = hash(nodes_[number]) & mask;
    while (table_[at] != 0) at = (at + 1) & mask;
    table_[at] = number;
  }
  if (cache_.size() < table_.size()) grow_cache();
}

// The cache is worth less than nodes: it takes no more than a quarter of what the budget has left.
void Diagrams::grow_cache() {
  const std::uint64_t bytes = cache_.size() * sizeof(Entry);
  if (budget_.limit() - std::min(budget_.limit(), budget_.used()) < 4 * bytes || !budget_.try_charge(bytes)) return;
  charged_ += bytes;
  std::vector<Entry> before(2 * cache_.size());
  before.swap(cache_);
  for (const Entry& entry : before) {
    if (entry.operation != ~std::uint64_t{0}) cache_[entry_of(entry.operation, entry.one, entry.other)] = entry;
  }
}

void Diagrams::collect_if_due() {
  if (live_ >= collect_at_) collect();
}

void Diagrams::collect() {
  std::vector<std::uint8_t> marked(nodes_.size(), 0);
  std::vector<Diagram> pending;
  for (Diagram number = 2; number < nodes_.size(); ++number) {
    if (uses_[number] == 0 || marked[number] != 0) continue;
    marked[number] = 1;
    pending.push_back(number);
    while (!pending.empty()) {
      const Node node = nodes_[pending.back()];
      pending.pop_back();
      for (const Diagram next : {node.down, node.right}) {
        if (next < 2 || marked[next] != 0) continue;
        marked[next] = 1;
        pending.push_back(next);
      }
    }
    ticker_.tick();
  }
  std::ranges::fill(table_, 0);
  std::ranges::fill(cache_, Entry{});
  free_.clear();
  live_ = 0;
  const std::size_t mask = table_.size() - 1;
  for (Diagram number = 2; number < nodes_.size(); ++number) {
    if (marked[number] == 0) {
      free_.push_back(number);
      continue;
    }
    std::size_t at = hash(nodes_[number]) & mask;
    while (table_[at] != 0) at = (at + 1) & mask;
    table_[at] = number;
    ++live_;
  }
  collect_at_ = std::max(std::size_t{1} << 20, 2 * live_);
}

// ---------------------------------------------------------------- lists

Diagram Diagrams::listed(std::size_t first, Diagram rest) {
  for (std::size_t i = parts_.size(); i-- > first;) rest = make(parts_[i].value, parts_[i].down, rest);
  parts_.resize(first);
  return rest;
}

Diagram Diagrams::listed_anew(std::size_t first) {
  const auto begin = parts_.begin() + static_cast<std::ptrdiff_t>(first);
  std::sort(begin, parts_.end(), [](const Part& one, const Part& other) { return one.value < other.value; });
  const std::size_t end = parts_.size();
  std::size_t kept = first;
  for (std::size_t i = first; i < end; ++i) {
    const Part part = parts_[i];
    if (kept > first && parts_[kept - 1].value == part.value) {
      const Diagram both = unite(parts_[kept - 1].down, part.down);  // leaves parts_ as long as it is
      parts_[kept - 1].down = both;
    } else {
      parts_[kept++] = part;
    }
  }
  parts_.resize(kept);
  return listed(first, kEmptySet);
}

// ---------------------------------------------------------------- operations on sets

Diagram Diagrams::unite(Diagram one, Diagram other) {
  if (one == other || other == kEmptySet) return one;
  if (one == kEmptySet) return other;
  if (one > other) std::swap(one, other);
  if (const auto found = known(kUnite, one, other)) return *found;
  ticker_.tick();
  const std::size_t first = parts_.size();
  Diagram a = one;
  Diagram b = other;
  while (a != b && a != kEmptySet && b != kEmptySet) {
    const Node left = nodes_[a];
    const Node right = nodes_[b];
    if (left.value < right.value) {
      parts_.push_back({left.value, left.down});
      a = left.right;
    } else if (right.value < left.value) {
      parts_.push_back({right.value, right.down});
      b = right.right;
    } else {
      const Diagram both = unite(left.down, right.down);
      parts_.push_back({left.value, both});
      a = left.right;
      b = right.right;
    }
  }
  return remember(kUnite, one, other, listed(first, a == kEmptySet ? b : a));
}

Diagram Diagrams::intersect(Diagram one, Diagram other) {
  if (one == other) return one;
  if (one == kEmptySet || other == kEmptySet) return kEmptySet;
  if (one > other) std::swap(one, other);
  if (const auto found = known(kIntersect, one, other)) return *found;
  ticker_.tick();
  const std::size_t first = parts_.size();
  Diagram a = one;
  Diagram b = other;
  while (a != b && a != kEmptySet && b != kEmptySet) {
    const Node left = nodes_[a];
    const Node right = nodes_[b];
    if (left.value == right.value) {
      const Diagram both = intersect(left.down, right.down);
      parts_.push_back({left.value, both});
    }
    if (left.value <= right.value) a = left.right;
    if (right.value <= left.value) b = right.right;
  }
  return remember(kIntersect, one, other, listed(first, a == b ? a : kEmptySet));
}

Diagram Diagrams::subtract(Diagram one, Diagram other) {
  if (one == other || one == kEmptySet) return kEmptySet;
  if (other == kEmptySet) return one;
  if (const auto found = known(kSubtract, one, other)) return *found;
  ticker_.tick();
  const std::size_t first = parts_.size();
  Diagram a = one;
  Diagram b = other;
  while (a != b && a != kEmptySet && b != kEmptySet) {
    const Node left = nodes_[a];
    const Node right = nodes_[b];
    if (left.value < right.value) {
      parts_.push_back({left.value, left.down});
      a = left.right;
    } else if (right.value < left.value) {
      b = right.right;
    } else {
      const Diagram rest = subtract(left.down, right.down);
      parts_.push_back({left.value, rest});
      a = left.right;
      b = right.right;
    }
  }
  return remember(kSubtract, one, other, listed(first, a == b ? kEmptySet : a));
}

Diagram Diagrams::image(Diagram set, Diagram relation, const Footing& footing, std::size_t level) {
  if (set == kEmptySet || relation == kEmptySet) return kEmptySet;
  if (level >= footing.end()) return set;
  const std::uint64_t operation = key(kImage, level, footing.number);
  if (const auto found = known(operation, set, relation)) return *found;
  ticker_.tick();
  const std::size_t first = parts_.size();
  const Touch touch = footing.touch[level];
  if (touch == Touch::kNone) {
    for (Diagram a = set; a != kEmptySet; a = nodes_[a].right) {
      const Diagram below = image(nodes_[a].down, relation, footing, level + 1);
      parts_.push_back({nodes_[a].value, below});
    }
    return remember(operation, set, relation, listed(first, kEmptySet));
  }
  Diagram a = set;
  Diagram b = relation;
  while (a != kEmptySet && b != kEmptySet) {
    const Node state = nodes_[a];
    const Node before = nodes_[b];
    if (state.value == before.value) {
      if (touch == Touch::kRead) {
        const Diagram below = image(state.down, before.down, footing, level + 1);
        parts_.push_back({state.value, below});
      } else {
        for (Diagram after = before.down; after != kEmptySet; after = nodes_[after].right) {
          const Diagram below = image(state.down, nodes_[after].down, footing, level + 1);
          if (below != kEmptySet) parts_.push_back({nodes_[after].value, below});
        }
      }
    }
    if (state.value <= before.value) a = state.right;
    if (before.value <= state.value) b = before.right;
  }
  const Diagram result = touch == Touch::kRead ? listed(first, kEmptySet) : listed_anew(first);
  return remember(operation, set, relation, result);
}

Diagram Diagrams::project(Diagram set, const Footing& footing, std::size_t level) {
  if (set == kEmptySet) return kEmptySet;
  if (level >= footing.end()) return kUnit;
  const std::uint64_t operation = key(kProject, level, footing.number);
  if (const auto found = known(operation, set, kEmptySet)) return *found;
  ticker_.tick();
  if (footing.touch[level] == Touch::kNone) {
    Diagram all = kEmptySet;
    for (Diagram a = set; a != kEmptySet; a = nodes_[a].right) {
      all = unite(all, project(nodes_[a].down, footing, level + 1));
    }
    return remember(operation, set, kEmptySet, all);
  }
  const std::size_t first = parts_.size();
  for (Diagram a = set; a != kEmptySet; a = nodes_[a].right) {
    const Diagram below = project(nodes_[a].down, footing, level + 1);
    parts_.push_back({nodes_[a].value, below});
  }
  return remember(operation, set, kEmptySet, listed(first, kEmptySet));
}

// ---------------------------------------------------------------- vectors

Diagram Diagrams::from_vector(std::span<const std::uint32_t> vector) {
  Diagram set = kUnit;
  for (std::size_t i = vector.size(); i-- > 0;) set = make(vector[i], set, kEmptySet);
  return set;
}

Diagram Diagrams::from_vectors(std::vector<std::uint32_t>& flat, std::size_t length) {
  if (length == 0) return flat.empty() ? kEmptySet : kUnit;
  std::vector<std::size_t> order(flat.size() / length);
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = i * length;
  std::ranges::sort(order, [&](std::size_t one, std::size_t other) {
    return std::lexicographical_compare(&flat[one], &flat[one] + length, &flat[other], &flat[other] + length);
  });
  return from_sorted(flat, order, length, 0);
}

Diagram Diagrams::from_sorted(std::span<const std::uint32_t> flat, std::span<const std::size_t> order,
                              std::size_t length, std::size_t level) {
  if (level == length) return order.empty() ? kEmptySet : kUnit;
  const std::size_t first = parts_.size();
  for (std::size_t begin = 0; begin < order.size();) {
    const std::uint32_t value = flat[order[begin] + level];
    std::size_t end = begin;
    while (end < order.size() && flat[order[end] + level] == value) ++end;
    const Diagram below = from_sorted(flat, order.subspan(begin, end - begin), length, level + 1);
    parts_.push_back({value, below});
    begin = end;
  }
  return listed(first, kEmptySet);
}

bool Diagrams::contains(Diagram set, std::span<const std::uint32_t> vector) const {
  for (const std::uint32_t value : vector) {
    while (set != kEmptySet && nodes_[set].value < value) set = nodes_[set].right;
    if (set == kEmptySet || nodes_[set].value != value) return false;
    set = nodes_[set].down;
  }
  return set == kUnit;
}

namespace {

void add(Natural& sum, const Natural& more) {
  if (sum.size() < more.size()) sum.resize(more.size(), 0);
  std::uint64_t carry = 0;
  for (std::size_t i = 0; i < sum.size(); ++i) {
    const unsigned __int128 total = static_cast<unsigned __int128>(sum[i]) + (i < more.size() ? more[i] : 0) + carry;
    sum[i] = static_cast<std::uint64_t>(total);
    carry = static_cast<std::uint64_t>(total >> 64);
  }
  if (carry != 0) sum.push_back(carry);
}

}  // namespace

Natural Diagrams::count(Diagram set) {
  if (set == kEmptySet) return {};
  std::unordered_map<Diagram, Natural> counts;
  counts[kUnit] = {1};
  std::vector<Diagram> pending{set};
  while (!pending.empty()) {  // a node after those that it leads to
    const Diagram at = pending.back();
    ticker_.tick();
    if (counts.contains(at)) {
      pending.pop_back();
      continue;
    }
    const Node node = nodes_[at];
    const bool needs_down = !counts.contains(node.down);
    const bool needs_right = node.right != kEmptySet && !counts.contains(node.right);
    if (needs_down) pending.push_back(node.down);
    if (needs_right) pending.push_back(node.right);
    if (needs_down || needs_right) continue;
    Natural sum = counts[node.down];
    if (node.right != kEmptySet) add(sum, counts[node.right]);
    counts.emplace(at, std::move(sum));
    pending.pop_back();
  }
  return counts[set];
}

}  // namespace fairlead
