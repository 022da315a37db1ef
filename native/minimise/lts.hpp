// Labelled transition systems in flat arrays, as minimisation wants them: nodes and labels are dense numbers,
// label 0 is the internal step.
#pragma once

#include <utility>

#include "explore/graph.hpp"

namespace fairlead {

// An array that charges the budget for all it holds.
template <typename T>
class Charged {
 public:
  explicit Charged(Budget& budget) : budget_(&budget) {}
  Charged(Budget& budget, std::size_t size, const T& value) : Charged(budget) { resize(size, value); }
  Charged(const Charged&) = delete;
  Charged& operator=(const Charged&) = delete;
  Charged(Charged&& other) noexcept : budget_(other.budget_), items_(std::move(other.items_)) {
    charged_ = std::exchange(other.charged_, 0);
  }
  Charged& operator=(Charged&& other) noexcept {
    std::swap(items_, other.items_);
    std::swap(charged_, other.charged_);
    return *this;
  }
  ~Charged() { budget_->release(charged_); }

  [[nodiscard]] std::size_t size() const { return items_.size(); }
  [[nodiscard]] bool empty() const { return items_.empty(); }
  T& operator[](std::size_t i) { return items_[i]; }
  const T& operator[](std::size_t i) const { return items_[i]; }
  T* begin() { return items_.data(); }
  T* end() { return items_.data() + items_.size(); }
  [[nodiscard]] const T* begin() const { return items_.data(); }
  [[nodiscard]] const T* end() const { return items_.data() + items_.size(); }
  T& back() { return items_.back(); }

  void resize(std::size_t size, const T& value) {
    make_room(size, size);
    items_.resize(size, value);
  }
  void push_back(const T& value) {
    if (items_.size() == items_.capacity()) make_room(items_.size() + 1, items_.size() * 2 + 16);
    items_.push_back(value);
  }
  void pop_back() { items_.pop_back(); }
  void truncate(std::size_t size) { items_.resize(size); }
  void clear() { items_.clear(); }

 private:
  void make_room(std::size_t needed, std::size_t wanted) {
    if (needed <= items_.capacity()) return;
    // both the old and the new place are held for a moment
    budget_->charge(wanted * sizeof(T));
    charged_ += wanted * sizeof(T);
    items_.reserve(wanted);
    const std::uint64_t surplus = charged_ - items_.capacity() * sizeof(T);
    budget_->release(surplus);
    charged_ -= surplus;
  }

  Budget* budget_;
  std::vector<T> items_;
  std::uint64_t charged_ = 0;
};

inline constexpr std::uint32_t kTauLabel = 0;

struct LtsEdge {
  std::uint32_t label;
  std::uint32_t target;

  // Edges as numbers: sorted by label, then by target.
  [[nodiscard]] std::uint64_t key() const { return (std::uint64_t{label} << 32) | target; }
  static LtsEdge of(std::uint64_t key) {
    return {static_cast<std::uint32_t>(key >> 32), static_cast<std::uint32_t>(key)};
  }
};

// Invariant: edges of node s are edges_[offsets_[s]] up to edges_[offsets_[s + 1]]; nodes are added in order.
class Lts {
 public:
  explicit Lts(Budget& budget) : offsets_(budget), edges_(budget) { offsets_.push_back(0); }

  [[nodiscard]] std::size_t size() const { return offsets_.size() - 1; }
  [[nodiscard]] std::size_t edge_count() const { return edges_.size(); }
  [[nodiscard]] std::span<const LtsEdge> edges(std::uint32_t node) const {
    return {edges_.begin() + offsets_[node], static_cast<std::size_t>(offsets_[node + 1] - offsets_[node])};
  }

  // Edges are added to the node that is being built; then it is finished, and the next one begins.
  void add(LtsEdge edge) { edges_.push_back(edge); }
  void finish_node() { offsets_.push_back(edges_.size()); }
  // As add, for edges given by their keys, which are sorted, and without repetitions.
  void finish_node(std::vector<std::uint64_t>& keys) {
    std::sort(keys.begin(), keys.end());
    keys.erase(std::unique(keys.begin(), keys.end()), keys.end());
    for (const std::uint64_t key : keys) add(LtsEdge::of(key));
    finish_node();
  }

 private:
  Charged<std::uint64_t> offsets_;
  Charged<LtsEdge> edges_;
};

enum class Which { kTau, kVisible, kAll };

// Who has an edge into a node: internal ones, visible ones, or all.
class Predecessors {
 public:
  Predecessors(const Lts& lts, Which which, Budget& budget, Ticker& ticker);

  [[nodiscard]] std::span<const std::uint32_t> operator()(std::uint32_t node) const {
    return {sources_.begin() + offsets_[node], static_cast<std::size_t>(offsets_[node + 1] - offsets_[node])};
  }

 private:
  Charged<std::uint64_t> offsets_;
  Charged<std::uint32_t> sources_;
};

// Nodes of one system as members of the nodes of a smaller one.
using Membership = Charged<std::uint32_t>;

// The strongly connected components of internal edges, numbered so that what they lead to comes first.
struct TauComponents {
  Membership of;
  Charged<std::uint8_t> cyclic;  // per component: has an internal cycle

  TauComponents(const Lts& lts, Budget& budget, Ticker& ticker);
  [[nodiscard]] std::size_t size() const { return cyclic.size(); }
};

enum class InnerTau { kKept, kDropped };

// Loops to be added to some of the nodes, all with one label.
struct Loops {
  std::span<const std::uint8_t> at;  // per node
  std::uint32_t label = 0;
};

// The system whose nodes are sets of nodes; edges without repetitions, internal ones within a set if wanted.
Lts quotient(const Lts& lts, const Membership& of, std::size_t count, InnerTau inner, Budget& budget, Ticker& ticker,
             const Loops& loops = {});

}  // namespace fairlead
