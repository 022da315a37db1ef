// List decision diagrams: sets of vectors of numbers, all of one length, with equal parts kept once.
//
// A node stands for the vectors that begin with its value and go on with one of `down`, and for those of `right`, which
// begin with larger values. Blom and van de Pol, Symbolic Reachability for Process Algebras with Recursive Data Types
// (ICTAC 2008). Nothing about the values has to be known in advance. The recursion of all operations is as deep as
// vectors are long; along a list they iterate.
#pragma once

#include <optional>

#include "memory/support.hpp"

namespace fairlead {

// The number of a node. Sets of vectors of the same length are equal iff their numbers are.
using Diagram = std::uint32_t;
inline constexpr Diagram kEmptySet = 0;
// The vector of length 0 alone.
inline constexpr Diagram kUnit = 1;

// Levels are fewer than this: the depth of the recursion.
inline constexpr std::size_t kMostLevels = 4096;

// How an operation treats the levels of a set.
enum class Touch : std::uint8_t { kNone, kRead, kWrite };

// The levels that a relation looks at and changes. In a relation, a level that is read has one value, one that is written
// has two: before and after the step.
struct Footing {
  std::uint32_t number = 0;  // different ones have different numbers: they are part of the keys of the cache
  std::vector<Touch> touch;  // by level, up to the last one that is touched
  [[nodiscard]] std::size_t end() const { return touch.size(); }
  // How many levels are touched from one on.
  [[nodiscard]] std::size_t touched_from(std::size_t level) const;
};

// A natural number of any size: words, the least significant first.
using Natural = std::vector<std::uint64_t>;

class Diagrams {
 public:
  Diagrams(Budget& budget, Ticker& ticker);
  ~Diagrams();
  Diagrams(const Diagrams&) = delete;
  Diagrams& operator=(const Diagrams&) = delete;

  struct Node {
    std::uint32_t value;
    Diagram down;
    Diagram right;
  };
  // Of a set that is not empty, of vectors that are not.
  [[nodiscard]] const Node& node(Diagram set) const { return nodes_[set]; }
  Diagram make(std::uint32_t value, Diagram down, Diagram right);

  Diagram unite(Diagram one, Diagram other);
  Diagram intersect(Diagram one, Diagram other);
  Diagram subtract(Diagram one, Diagram other);
  // What the vectors of a set, whose first level is `level`, become by a relation.
  Diagram image(Diagram set, Diagram relation, const Footing& footing, std::size_t level);
  // The touched levels of the vectors of a set, whose first level is `level`.
  Diagram project(Diagram set, const Footing& footing, std::size_t level);

  // What a fixpoint has made of a set whose first level is `level`, if it is remembered; `version` tells the relations.
  [[nodiscard]] std::optional<Diagram> saturated(Diagram set, std::size_t level, std::uint32_t version) const {
    return known(key(kSaturate, level, version), set, kEmptySet);
  }
  void remember_saturated(Diagram set, std::size_t level, std::uint32_t version, Diagram result) {
    remember(key(kSaturate, level, version), set, kEmptySet, result);
  }

  // The set of some vectors of one length, which lie one after the other.
  Diagram from_vectors(std::vector<std::uint32_t>& flat, std::size_t length);
  Diagram from_vector(std::span<const std::uint32_t> vector);
  [[nodiscard]] bool contains(Diagram set, std::span<const std::uint32_t> vector) const;
  // One of the vectors of a set that is not empty.
  [[nodiscard]] std::vector<std::uint32_t> first(Diagram set) const {
    std::vector<std::uint32_t> vector;
    for (; set != kUnit; set = nodes_[set].down) vector.push_back(nodes_[set].value);
    return vector;
  }
  // Calls `visit(vector)` for each vector of a set.
  template <typename Visit>
  void for_each(Diagram set, std::size_t length, Visit&& visit) {
    std::vector<std::uint32_t> vector(length);
    visit_all(set, 0, vector, visit);
  }
  Natural count(Diagram set);

  // Nodes from which something in use is reached stay; all others are given up by collect().
  void keep(Diagram set) { ++uses_[set]; }
  void release(Diagram set) { --uses_[set]; }
  // Gives up what is not kept if there is much of it. Nothing may be in use that is not kept.
  void collect_if_due();
  [[nodiscard]] std::size_t node_count() const { return live_; }
  [[nodiscard]] std::size_t most_nodes() const { return most_live_; }

  Ticker& ticker() { return ticker_; }
  Budget& budget() { return budget_; }

 private:
  enum Operation : std::uint32_t { kUnite, kIntersect, kSubtract, kImage, kProject, kSaturate };
  struct Entry {
    std::uint64_t operation = ~std::uint64_t{0};
    Diagram one = 0;
    Diagram other = 0;
    Diagram result = 0;
  };
  struct Part {
    std::uint32_t value;
    Diagram down;
  };

  static std::uint64_t key(Operation operation, std::size_t level, std::uint32_t number) {
    return std::uint64_t{operation} | std::uint64_t{level} << 8 | std::uint64_t{number} << 32;
  }
  [[nodiscard]] std::size_t entry_of(std::uint64_t operation, Diagram one, Diagram other) const {
    return mix(operation ^ 0x9e3779b97f4a7c15ull, (std::uint64_t{one} << 32 | other) ^ 0xd6e8feb86659fd93ull) &
           (cache_.size() - 1);
  }
  [[nodiscard]] std::optional<Diagram> known(std::uint64_t operation, Diagram one, Diagram other) const {
    const Entry& entry = cache_[entry_of(operation, one, other)];
    if (entry.operation != operation || entry.one != one || entry.other != other) return std::nullopt;
    return entry.result;
  }
  Diagram remember(std::uint64_t operation, Diagram one, Diagram other, Diagram result) {
    cache_[entry_of(operation, one, other)] = {operation, one, other, result};
    return result;
  }
  // The list of the parts from a number on, with ascending values, in front of `rest`; they are taken off.
  Diagram listed(std::size_t first, Diagram rest);
  // The same of parts in any order, which may have equal values.
  Diagram listed_anew(std::size_t first);
  Diagram from_sorted(std::span<const std::uint32_t> flat, std::span<const std::size_t> order, std::size_t length,
                      std::size_t level);
  template <typename Visit>
  void visit_all(Diagram set, std::size_t level, std::vector<std::uint32_t>& vector, Visit& visit) {
    if (level == vector.size()) {
      if (set == kUnit) visit(std::span<const std::uint32_t>(vector));
      return;
    }
    for (; set != kEmptySet; set = nodes_[set].right) {
      vector[level] = nodes_[set].value;
      visit_all(nodes_[set].down, level + 1, vector, visit);
    }
  }
  [[nodiscard]] static std::uint64_t hash(const Node& node) {
    return mix((std::uint64_t{node.value} << 32 | node.down) ^ 0xa0761d6478bd642full,
               node.right ^ 0xe7037ed1a0b428dbull);
  }
  void grow_table();
  void grow_cache();
  void collect();

  Budget& budget_;
  Ticker& ticker_;
  ChunkedVector<Node> nodes_;
  std::vector<std::uint32_t> uses_;  // by node: how often it is kept
  std::vector<std::uint32_t> table_;  // finds a node by what is in it; 0: free
  std::vector<Entry> cache_;
  std::vector<Part> parts_;  // of lists that are being made
  std::vector<Diagram> free_;  // numbers that were given up
  std::size_t live_ = 0;
  std::size_t most_live_ = 0;
  std::size_t collect_at_ = std::size_t{1} << 20;
  std::uint64_t charged_ = 0;
};

// A set in use: it is kept while this lives.
class KeptSet {
 public:
  KeptSet() = default;
  KeptSet(Diagrams& diagrams, Diagram set) : diagrams_(&diagrams), set_(set) { diagrams.keep(set); }
  KeptSet(const KeptSet& other) : diagrams_(other.diagrams_), set_(other.set_) {
    if (diagrams_ != nullptr) diagrams_->keep(set_);
  }
  KeptSet(KeptSet&& other) noexcept : diagrams_(std::exchange(other.diagrams_, nullptr)), set_(other.set_) {}
  KeptSet& operator=(KeptSet other) noexcept {
    std::swap(diagrams_, other.diagrams_);
    std::swap(set_, other.set_);
    return *this;
  }
  ~KeptSet() {
    if (diagrams_ != nullptr) diagrams_->release(set_);
  }
  [[nodiscard]] Diagram get() const { return set_; }

 private:
  Diagrams* diagrams_ = nullptr;
  Diagram set_ = kEmptySet;
};

}  // namespace fairlead
