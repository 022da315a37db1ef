// The successors of some states that are expanded one after the other, before they go to the store.
#pragma once

#include <optional>

#include "explore/store.hpp"
#include "steps/successors.hpp"

namespace fairlead {

struct Batch {
  struct Source {
    StateId state;
    std::uint32_t end;  // of its successors
    StepWay way;
  };

  SuccessorBuffer successors;
  std::vector<std::uint64_t> hashes;
  std::vector<StateId> targets;
  std::vector<Source> sources;
  std::vector<StateId> reduced;  // those that have not all their successors here
  // of a batch that one of several threads makes: those of its successors that were not known before
  struct Waiting {
    std::uint32_t index;
    bool took_slot;
    std::uint64_t* slot;
  };
  std::vector<Waiting> waiting;
  std::vector<std::uint8_t> displaced;      // which of them lost their slot
  std::atomic<std::uint32_t> displaced_count = 0;
  std::uint32_t taken = 0;                  // slots that were taken
  std::array<std::uint32_t, Store::kParts> taken_of;  // in each part of the store
  std::size_t first_id = 0;                 // of those that are new, beyond the size of the store
  std::size_t first_edge = 0;               // where its transitions are kept
  std::optional<StateId> halted;  // at which state, because only one thread alone can continue

  [[nodiscard]] std::size_t size() const { return hashes.size(); }
  void clear() {
    successors.clear();
    hashes.clear();
    targets.clear();
    sources.clear();
    reduced.clear();
    waiting.clear();
    halted.reset();
  }
  // Adds a source with the successors that were appended last, in a certain way; `distinct` tells that they are different
  // transitions.
  void add_source(StateId state, bool distinct, StepWay way, const Store& store);

 private:
  void remove_duplicates(std::size_t from, std::size_t stride);
};

}  // namespace fairlead
