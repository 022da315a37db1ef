// The search for a fair accepting component where the automaton, once it has left its first state, never changes its state
// again, and the graph is complete.
//
// Most automata are like that: what is searched for is "from some point on always p" or "again and again p". A layer of the
// product, the nodes with one state of the automaton, is then just a part of the graph: some states, without some steps.
#pragma once

#include <optional>

#include "search/fair_parts.hpp"

namespace fairlead {

// Depth-first search of one layer after the other, after Tarjan in Pearce's form.
// Invariants: order_ is 0 for states not met, kFinished for those in finished components and those that are not in the
// layer, and else the lowest number known to be reachable; waiting_ holds the states of unfinished components that
// are left, in the order of their numbers.
class LayerSearch {
 public:
  // Whether the automaton is of this kind; what holds in the states is found out on the way.
  static bool fits(Product& product);

  // For a product that fits.
  LayerSearch(Product& product, FairParts& fair);

  // Looks for the next accepting and fair part; false if there is none.
  bool run();
  [[nodiscard]] FairPart& part() { return part_; }
  [[nodiscard]] std::uint64_t node_count() const { return node_count_; }

 private:
  static constexpr std::uint32_t kFinished = kNone;
  static constexpr std::size_t kMostLetters = std::size_t{1} << 20;
  struct Frame {
    StateId state;
    std::uint32_t next;  // transition to be examined
    bool is_root;
    bool has_loop;  // a step leads from it to itself
  };

  void learn_letters();
  // Continues to the next layer that may have fair parts; false if there is none.
  bool enter_next_layer();
  // Continues to the next layer in which runs are accepted; the first state of the automaton only waits.
  bool choose_accepting_layer();
  void prepare_layer();
  // Whether somebody is enabled all over the layer, and never engaged within it: then none of its parts is fair.
  bool somebody_starves();
  void meet(StateId state);
  void prefetch_ahead(std::size_t at);
  // A state that was not met at which the layer is entered; and begins again with the first one.
  [[nodiscard]] std::optional<StateId> next_start();
  void start_anew();
  void collect_entries(StateId state);
  void push(StateId state);
  // Looks at the transitions of the newest frame until one leads on; false if none does.
  bool advance();
  // The newest frame is done: whether a fair part ends there.
  bool retreat();
  bool finish_component(const Frame& frame);  // of its root

  [[nodiscard]] bool stays(StateId target, ActionId action) {
    return stays_[product_.letter_class(action) * valuations_ + product_.valuation(target)] != 0;
  }

  Product& product_;
  FairParts& fair_;
  Graph& graph_;
  std::size_t valuations_ = 0;
  // class of actions, valuation -> whether the letter keeps the automaton in the layer
  std::vector<std::uint8_t> stays_;
  std::vector<std::uint8_t> enters_;  // the same: whether it leads there from the first state
  std::vector<std::uint8_t> may_enter_;  // class of actions -> whether it does so with some valuation
  bool stays_by_state_ = false;  // the class does not matter
  bool enters_by_state_ = false;
  std::uint32_t layer_ = kNone;
  std::uint32_t next_layer_ = 0;
  bool has_begun_ = false;  // the starts that are initial nodes were given out
  StateId next_state_ = 0;  // whose entries are next
  std::vector<StateId> starts_;
  std::vector<StateId> entered_;  // scratch of next_start()
  ChunkedVector<std::uint32_t> order_;
  std::vector<Frame> frames_;
  EdgeBuffer edges_;  // of the newest frame, mostly
  ChunkedVector<StateId> waiting_;
  std::uint32_t index_ = 1;
  std::uint64_t node_count_ = 0;
  FairPart part_;
};

}  // namespace fairlead
