// The successors of some states that are expanded one after the other, before they go to the store.
#pragma once

#include <optional>

#include "store.hpp"
#include "successors.hpp"

namespace fairlead {

struct Batch {
  struct Source {
    StateId state;
    std::uint32_t end;  // of its successors
  };

  SuccessorBuffer successors;
  std::vector<std::uint64_t> hashes;
  std::vector<StateId> targets;
  std::vector<Source> sources;
  // of a batch that several threads look up: the successors of each thread's parts, and how many each part gets
  std::vector<std::vector<std::uint32_t>> dealt;
  std::array<std::uint32_t, Store::kParts> arriving;
  std::size_t first = 0;          // the number of its first successor among all that arrive together
  std::optional<std::size_t> first_edge;  // where its transitions are kept
  std::optional<StateId> halted;  // at which state, because only one thread alone can go on

  [[nodiscard]] std::size_t size() const { return hashes.size(); }
  void clear() {
    successors.clear();
    hashes.clear();
    targets.clear();
    sources.clear();
    halted.reset();
  }
  // Adds a source with the successors that were appended last; `distinct` tells that they are different transitions.
  void add_source(StateId state, bool distinct, const Store& store);
  // Deals the successors out to threads, by the parts of the store they belong to.
  void deal(unsigned threads);

 private:
  void remove_duplicates(std::size_t from, std::size_t stride);
};

}  // namespace fairlead
