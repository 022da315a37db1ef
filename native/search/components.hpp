// The one search for a fair accepting component: it finds the maximal parts of the product, on the fly, offers
// growing ones early, and leaves it to `FairParts` what is fair in them.
#pragma once

#include "search/layers.hpp"

namespace fairlead {

enum class SearchStatus { kFound, kNone, kPaused };

// Depth-first search of the product for components, after Couvreur: every step that closes a cycle merges
// what lies on it. States are expanded as they are met unless the graph was explored before.
// Invariants: live_ holds the nodes of unfinished components, the one numbered n at n - 1; roots_ holds, for
// each unfinished component, the number of its first node and the marks on steps inside it, so that the nodes
// from the last root's number on are strongly connected.
class ComponentSearch {
 public:
  // `early`: unfinished components are offered as they grow, so that bugs are found sooner.
  // `complete`: the graph was explored before, so that all its states are known. Unless `early`, it is searched layer by
  // layer, where the automaton allows that.
  ComponentSearch(Product& product, const Fairness& fairness, bool early, bool complete);
  // A search from the given nodes alone.
  ComponentSearch(Product& product, const Fairness& fairness, std::vector<NodeId> starts);

  // Continues for at most `steps` steps. When kFound, part() is an accepting, fair set of nodes; calling it
  // again looks for another one.
  SearchStatus run(std::uint64_t steps);
  [[nodiscard]] const FairPart& part() const { return part_; }
  // Who starves in part().
  std::vector<std::uint32_t> starving(const Demand& demand) { return fair_.starving(part_, demand); }
  [[nodiscard]] const Fairness& fairness() const { return fair_.fairness(); }
  [[nodiscard]] bool is_by_layers() const { return layers_ != nullptr; }
  [[nodiscard]] std::uint64_t node_count() const { return layers_ ? layers_->node_count() : node_count_; }

 private:
  struct Frame {
    NodeId node;
    SuccessorCursor cursor;
  };
  struct Root {
    std::uint32_t number;
    Marks marks;       // on steps inside the component
    Marks arriving;    // on the step that leads to its first node
    std::uint32_t tried;  // size at which the unfinished component was last offered
  };
  static constexpr std::uint32_t kFinished = kNone;
  static constexpr std::uint64_t kFirstOffers = 1000;

  bool next_start(NodeId& start);
  void push(NodeId node, Marks arriving);
  void merge(std::uint32_t number, Marks marks);
  bool offer_unfinished();
  bool finish(NodeId node);

  Product& product_;
  FairParts fair_;
  bool early_;
  bool from_everywhere_;  // starts are the entries from any state, not only the initial ones
  LayeredArray<std::uint32_t> numbers_;  // 0: not met; kFinished: in a finished component
  ChunkedVector<NodeId> live_;
  std::vector<Frame> frames_;
  std::vector<Root> roots_;
  std::uint32_t counter_ = 0;
  std::vector<NodeId> starts_;   // to be tried, last first
  bool started_ = false;
  StateId next_entered_from_ = 0;
  std::uint64_t node_count_ = 0;
  std::uint64_t offered_ = 0;  // nodes of unfinished components that were judged
  FairPart part_;
  std::unique_ptr<LayerSearch> layers_;  // does it all, if there is one
};

}  // namespace fairlead
