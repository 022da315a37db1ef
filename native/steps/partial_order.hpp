// Partial order reduction: which of the steps of a state are enough.
//
// A stubborn set is a set of edges of processes, be they enabled or not. With an edge that is not enabled it has all edges
// that can change one reason why not. With one that is, it has all edges of the processes that take part, and all
// edges of others that do not accord with it. What is done outside of the set first changes nothing for the steps inside it:
// they stay possible, lead to the same, and no other becomes possible. So those that are possible now are enough.
// If a question sees some steps, none of the chosen ones may be seen. What must not be put off forever is the
// concern of `Proviso`. docs/explanation/reduction.md has the proofs.
#pragma once

#include "memory/slot_set.hpp"
#include "steps/dependence.hpp"
#include "steps/successors.hpp"

namespace fairlead {

// What a question can distinguish.
struct Sight {
  std::vector<CodeId> conditions;  // on the shared variables
  std::vector<LabelId> labels;  // of steps
  std::vector<ProcessId> processes;  // whose steps are seen
  bool annotations = false;  // whether annotated events are enabled, and taken
  bool first_step = false;  // what is the first step
};

class PartialOrder {
 public:
  PartialOrder(Network& network, Layout& layout, Sight sight)
      : network_(network), layout_(layout), sight_(std::move(sight)), futures_(network) {}

  // Looks at the processes of the initial configurations; tells why nothing can be reduced, if so.
  std::optional<std::string> prepare(std::span<const Unpacked> initial);
  [[nodiscard]] bool can_fail() const { return futures_.can_fail(); }
  // Whether a question sees which step is the first.
  [[nodiscard]] bool sees_first_step() const { return sight_.first_step; }

  // Leaves only some of the successors of a packed state that were appended from `first` on, if they are enough. Whether it
  // did. Several threads can call it at the same time.
  bool select(const std::uint64_t* record, SuccessorBuffer& out, std::size_t first);

 private:
  // Of the state whose steps are chosen; each thread has its own.
  struct Work {
    const std::uint64_t* record = nullptr;
    std::vector<std::uint32_t> nodes;  // by slot
    std::vector<LocalId> locals;
    std::vector<std::uint64_t> enabled;  // by edge: equal to `state` if its own guard holds where its process is
    std::vector<std::uint64_t> member;  // by edge: equal to `set` if it is in the set
    std::uint64_t state = 0;  // these grow with every state, and with every set
    std::uint64_t set = 0;
    bool has_values = false;
    std::vector<std::int32_t> values;
    Scope scope;
    std::vector<SlotSet> takers;  // by step
    std::vector<std::uint8_t> seen;
    SlotSet movers;  // that take part in some step
    SlotSet hopeless;  // no smaller set of steps has all edges of these
    std::vector<std::size_t> alone;  // by slot: how many steps its process can take by itself
    std::size_t fewest = 0;  // so many steps are known to be enough
    SlotSet whole;  // all edges of these slots are in the set, where the processes are
    std::size_t steps = 0;  // so many steps these can take by themselves
    bool gives_up = false;
    // members whose demands have not been met: those whose own guards hold, and the others, for which there is a choice
    std::vector<std::uint32_t> engaged;
    std::vector<std::uint32_t> blocked;
  };

  void refresh();
  [[nodiscard]] std::uint32_t node_of(std::uint32_t slot, std::size_t number);
  bool look(Work& work, const std::uint64_t* record, const SuccessorBuffer& out, std::size_t first);
  void look_at_step(Work& work, const SuccessorBuffer& out, std::size_t first, std::size_t step);
  void find_enabled(Work& work, std::uint32_t slot);
  [[nodiscard]] bool is_enabled(Work& work, const StaticEdge& edge);
  [[nodiscard]] std::int64_t value(const Work& work, std::uint32_t variable) const {
    return layout_.value(work.record, variable);
  }
  // Whether the set that starts with the edges of a slot is of use.
  bool close(Work& work, std::uint32_t start);
  void add(Work& work, std::uint32_t edge) const {
    if (work.member[edge] == work.set) return;
    work.member[edge] = work.set;
    (work.enabled[edge] == work.state ? work.engaged : work.blocked).push_back(edge);
  }
  void add(Work& work, const StaticEdges& edges) const {
    for (const std::uint32_t edge : edges) add(work, edge);
  }
  // Adds all edges that a process has now.
  void add_whole(Work& work, std::uint32_t slot);
  // What an edge demands whose own guard holds where its process is; and one for which that is not so.
  void engage(Work& work, std::uint32_t edge);
  void engage_shared(Work& work, std::uint32_t edge);
  void engage_half(Work& work, std::uint32_t edge);
  void block(Work& work, std::uint32_t edge);
  [[nodiscard]] bool offers(const Work& work, std::uint32_t slot, std::uint32_t event);
  // How many steps edges bring along, roughly; not counted further than to `limit`.
  [[nodiscard]] std::size_t cost(const Work& work, const StaticEdges& edges, std::size_t limit) const;
  static void keep(SuccessorBuffer& out, std::size_t first, std::size_t stride, const Work& work,
                   const SlotSet& chosen);

  Network& network_;
  Layout& layout_;
  Sight sight_;
  Futures futures_;
  std::unique_ptr<Dependence> dependence_;
  ShapeId shape_ = 0;
  std::vector<std::uint32_t> slot_of_;  // by process
  NumberSet seen_labels_;
  NumberSet seen_variables_;
  SlotSet seen_slots_;
  std::vector<std::uint8_t> moves_seen_messages_;  // by node: it has an edge that changes a buffer that is seen
  std::uint64_t version_ = ~std::uint64_t{0};  // of the layout, by which these are:
  std::vector<Field> fields_;  // of the slots
  std::vector<std::uint64_t> seen_bits_;  // of the variables that are seen, in a packed state
  std::vector<std::vector<std::uint32_t>> nodes_;  // by slot, then by the number of a local state in it; kNone: unknown
};

}  // namespace fairlead
