// The specification of a refinement, normalised on the fly: after each trace, the set of states it may be in.
#pragma once

#include "behaviour/divergence.hpp"

namespace fairlead {

using SubsetId = std::uint32_t;

// After a trace that the specification does not have.
inline constexpr SubsetId kEmptySubset = kNone;

// Sets of states that are closed under internal steps, interned to dense numbers, with what follows from them.
// Only what is asked for is computed.
// Invariants: the members of a subset are sorted and all expanded; the moves of a subset are sorted by event.
class Specification {
 public:
  Specification(Graph& graph, EventTable& table);
  ~Specification() { graph_.budget().release(charged_); }
  Specification(const Specification&) = delete;
  Specification& operator=(const Specification&) = delete;

  void set_state_limit(std::size_t limit) { state_limit_ = limit; }

  SubsetId initial();
  SubsetId after(SubsetId subset, EventId event);
  // Whether a state of the subset can make internal steps forever.
  bool diverges(SubsetId subset);
  // Whether some stable state of the subset offers nothing but what is given (sorted).
  bool accepts(SubsetId subset, std::span<const EventId> offered);
  [[nodiscard]] std::span<const StateId> members(SubsetId subset) const { return subsets_.get(subset); }
  [[nodiscard]] bool includes(SubsetId larger, SubsetId smaller) const;

  // Whether the last fault of the model was one of the specification.
  [[nodiscard]] bool faulted() const { return faulted_; }

 private:
  struct Move {
    EventId event;
    std::uint32_t seeds;  // the targets, before they are closed
  };
  // What is known of a subset.
  struct Row {
    std::uint64_t signature = 0;  // bits of its members: a subset has no bit that its superset lacks
    std::size_t first_move = 0;
    std::uint32_t moves = kNone;        // how many; kNone while not known
    std::uint32_t acceptances = kNone;  // number of its list of acceptances; kNone while not known
    std::int8_t diverges = -1;
  };
  static constexpr std::uint32_t kUnstable = kNone - 1;

  EdgeSpan edges(StateId state);
  SubsetId close(std::span<const StateId> seeds);
  void find_moves(SubsetId subset);
  void find_acceptances(SubsetId subset);
  // The set of events that a stable state offers, interned; kUnstable if it has an internal step.
  std::uint32_t offer(StateId state);
  void charge(std::size_t bytes);
  std::uint32_t intern(SequenceInterner& table, std::span<const std::uint32_t> key);

  Graph& graph_;
  VisibleEvents events_;
  Divergence divergence_;
  std::size_t state_limit_ = ~std::size_t{0};
  std::uint64_t charged_ = 0;
  bool faulted_ = false;

  SequenceInterner subsets_;
  std::vector<Row> rows_;
  ChunkedVector<Move> moves_;
  SequenceInterner seeds_;
  std::vector<SubsetId> closed_;  // per set of seeds; kNone while not known
  SequenceInterner offers_;
  ChunkedVector<std::uint32_t> offer_of_;  // per state; kNone while not known
  SequenceInterner acceptances_;  // lists of minimal offers

  // of one closure, stamped by round
  ChunkedVector<std::uint32_t> stamps_;
  std::uint32_t round_ = 0;
  std::vector<StateId> members_;
  std::vector<std::uint64_t> pairs_;
  std::vector<EventId> offered_;
  EdgeBuffer edges_;
};

}  // namespace fairlead
