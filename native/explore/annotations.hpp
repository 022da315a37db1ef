// Fairness annotations of single events, as they occur in the states of a graph.
//
// An annotation is of a kind (f, wf, sf, wl, sl) and of a label. It is ready in a state if some leaf could take
// a step so annotated by itself, whatever its partners in a synchronisation can do. The kinds are numbers to
// the engine: conditions state what they demand.
#pragma once

#include "explore/graph.hpp"

namespace fairlead {

// Invariant: sets_ numbers the sets of annotations that are ready together; number 0 is the empty set.
class Annotations {
 public:
  explicit Annotations(Budget& budget);
  ~Annotations() { budget_.release(charged_); }
  Annotations(const Annotations&) = delete;
  Annotations& operator=(const Annotations&) = delete;

  struct Annotated {
    std::uint8_t kind;
    LabelId label;
  };

  // The number of an annotation; numbers are dense.
  std::uint32_t number(std::uint8_t kind, LabelId label);
  void set_ready(StateId state, std::vector<std::uint32_t> numbers);
  // The annotations that are ready in a state, sorted.
  [[nodiscard]] std::span<const std::uint32_t> ready(StateId state) const {
    return sets_.get(state < set_of_.size() ? set_of_[state] : 0);
  }
  [[nodiscard]] const std::vector<Annotated>& all() const { return all_; }

 private:
  Budget& budget_;
  std::uint64_t charged_ = 0;
  std::vector<Annotated> all_;
  SequenceInterner keys_;  // (kind, label)
  SequenceInterner sets_;
  ChunkedVector<std::uint32_t> set_of_;  // per state
};

// Finds what is annotated in the states of a network's graph, all of which must have been expanded.
void find_annotations(NetworkGraph& graph, Annotations& annotations);

}  // namespace fairlead
