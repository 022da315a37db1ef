// The transitions of a graph: a list of those that are kept, and the buffers in which they are examined.
//
// As long as there is memory all transitions are kept. When it is short, the last ones are given up, and no more are kept:
// they are found again when somebody asks for them. Who searches a graph does not know which it is.
#pragma once

#include "memory/support.hpp"

namespace fairlead {

class CheckpointReader;
class CheckpointWriter;

// The transitions of one state.
struct EdgeSpan {
  const StateId* targets;
  const ActionId* actions;
  std::uint32_t count;
};

// A copy of the transitions of one state. What a graph keeps may be given up whenever memory is charged; so whoever looks
// at transitions brings a buffer, and what is in it stays until it is used for another state. It remembers whose they are:
// asking for them again costs nothing.
class EdgeBuffer {
 public:
  [[nodiscard]] EdgeSpan span() const {
    return {targets_.data(), actions_.data(), static_cast<std::uint32_t>(targets_.size())};
  }
  // `stamp` tells the graphs apart, and before from after a change of transitions.
  [[nodiscard]] bool holds(StateId state, std::uint64_t stamp) const { return state_ == state && stamp_ == stamp; }
  void forget() { state_ = kNone; }
  void assign(StateId state, std::uint64_t stamp, const EdgeSpan& edges) {
    state_ = state;
    stamp_ = stamp;
    targets_.assign(edges.targets, edges.targets + edges.count);
    actions_.assign(edges.actions, edges.actions + edges.count);
  }

 private:
  StateId state_ = kNone;
  std::uint64_t stamp_ = 0;
  std::vector<StateId> targets_;
  std::vector<ActionId> actions_;
};

// The transitions that are kept, those of one state side by side.
// Invariant: whatever was reserved before size() is there; what was given up, or never kept, has a place beyond.
class EdgeList final : public Spare {
 public:
  // The place of transitions that are not kept.
  static constexpr std::size_t kNowhere = std::size_t{1} << 40;

  explicit EdgeList(Budget& budget) : budget_(budget), targets_(budget), actions_(budget) { budget.add_spare(*this); }
  ~EdgeList() override { budget_.remove_spare(*this); }
  EdgeList(const EdgeList&) = delete;
  EdgeList& operator=(const EdgeList&) = delete;

  // Whether transitions may be given up: somebody can find them again.
  void set_expendable(bool expendable) { expendable_ = expendable; }
  // Keeps no more than so many, if they may be given up.
  void keep_at_most(std::size_t count) { most_ = count; }

  [[nodiscard]] std::size_t size() const { return targets_.size(); }
  [[nodiscard]] std::size_t bytes() const { return targets_.bytes() + actions_.bytes(); }
  [[nodiscard]] bool has(std::size_t place) const { return place < targets_.size(); }
  // Whether so many from there on are kept, and lie together.
  [[nodiscard]] bool has_run(std::size_t place, std::size_t count) const {
    return count <= Targets::kChunk && place + count <= size() &&
           (place & (Targets::kChunk - 1)) + count <= Targets::kChunk;
  }
  // A place for so many transitions of one state, or of a batch of states; kNowhere if they are not kept.
  [[nodiscard]] std::size_t reserve(std::size_t count);
  // For a place that was reserved.
  void put(std::size_t place, std::span<const StateId> targets, std::span<const ActionId> actions) {
    if (targets.empty()) return;
    std::copy(targets.begin(), targets.end(), &targets_[place]);
    std::copy(actions.begin(), actions.end(), &actions_[place]);
  }
  // Good until memory is charged.
  [[nodiscard]] EdgeSpan get(std::size_t place, std::uint32_t count) const {
    return {&targets_[place], &actions_[place], count};
  }
  void prefetch(std::size_t place) const {
    targets_.prefetch(place);
    actions_.prefetch(place);
  }

  // Gives up the last chunk of transitions, and keeps no more.
  bool give_up() override;

  // --- checkpoints: the first `count` places
  void save(CheckpointWriter& out, std::size_t count);
  void load(CheckpointReader& in, std::size_t count);

 private:
  static constexpr unsigned kChunkBits = 20;
  using Targets = ChunkedVector<StateId, kChunkBits>;

  Budget& budget_;
  bool expendable_ = false;
  bool is_growing_ = false;  // what grows is not given up
  std::size_t most_ = kNowhere;
  Targets targets_;
  ChunkedVector<ActionId, kChunkBits> actions_;
};

}  // namespace fairlead
