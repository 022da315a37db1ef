#include "program/trees.hpp"

#include <algorithm>

namespace fairlead {

void TreeInfo::add(const TreeInfo& child) {
  if (leaf_count == 0) owner = child.owner;
  leaf_count += child.leaf_count;
  node_count += child.node_count;
  depth = std::max(depth, static_cast<std::uint16_t>(child.depth + 1));
  counted = counted || child.counted;
  has_error = has_error || child.has_error;
  has_atomic = has_atomic || child.has_atomic;
}

OperatorId Trees::intern_operator(Operator description) {
  std::vector<std::uint32_t> key{static_cast<std::uint32_t>(description.kind), description.process, description.ending,
                                 description.tag, static_cast<std::uint32_t>(description.synchronises)};
  // where Python has a number of its own for the rest, that is enough
  if (description.tag == kNone) {
    for (const auto& [label, components] : description.events) key.push_back(label);
    std::sort(key.begin() + 5, key.end());
  }
  const auto [id, is_new] = operator_keys_.intern(key);
  if (!is_new) return id;
  for (const auto& [label, components] : description.events) {
    if (description.has_event.size() <= label) description.has_event.resize(label + std::size_t{1}, 0);
    description.has_event[label] = 1;
  }
  operators_.push_back(std::make_unique<Operator>(std::move(description)));
  return id;
}

OperatorId Trees::leaf_operator(ProcessId process) {
  if (process < leaf_operators_.size() && leaf_operators_[process] != kNone) return leaf_operators_[process];
  Operator leaf{NodeKind::kLeaf};
  leaf.process = process;
  const OperatorId found = intern_operator(std::move(leaf));
  if (!tables_may_grow()) return found;
  if (leaf_operators_.size() <= process) leaf_operators_.resize(process + std::size_t{1}, kNone);
  leaf_operators_[process] = found;
  return found;
}

OperatorId Trees::hiding_both(OperatorId one, OperatorId other) {
  if (one == other) return one;
  const std::uint64_t key = std::uint64_t{one} << 32 | other;
  if (const auto known = unions_.find(key); known != unions_.end()) return known->second;
  require_growth();
  Operator both = op(one);
  for (const auto& [label, nobody] : op(other).events) both.events.emplace(label, nobody);
  return unions_[key] = intern_operator(std::move(both));
}

TreeId Trees::intern(OperatorId op, std::span<const std::uint32_t> payload, const TreeInfo& info) {
  thread_local std::vector<std::uint32_t> key;
  key.assign(1, op);
  key.insert(key.end(), payload.begin(), payload.end());
  const auto [id, is_new] = nodes_.intern(key);
  if (is_new) {
    infos_.push_back(info);
    if (id >= kMostTrees) throw LimitReached{Limit::kMemory};
    depth_ = std::max<std::size_t>(depth_, info.depth);
    // the key, its place and its entry in the hash table (twice, as these grow by doubling), and what is known of it
    if (budget_ != nullptr) budget_->charge(2 * (4 * key.size() + 16) + sizeof(TreeInfo));
  }
  return id;
}

}  // namespace fairlead
