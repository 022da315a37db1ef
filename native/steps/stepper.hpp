// The step relation: the successors of a configuration, packed.
#pragma once

#include "program/tree_builder.hpp"
#include "steps/plain_steps.hpp"
#include "steps/symmetry.hpp"

namespace fairlead {

// Each thread has its own one; they share the tables of the network, the layout and which shapes are declined.
class Stepper {
 public:
  Stepper(Network& network, Layout& layout, DeclinedShapes& shapes, Budget& budget)
      : network_(network),
        layout_(layout),
        builder_(network),
        plain_(network, layout, shapes, scope_, builder_, budget) {
    if (network.symmetry() != nullptr) representatives_.emplace(network, layout, *network.symmetry());
  }

  // Appends the successors of a packed state (or their representatives, if there is a symmetry); false if one does not fit
  // (see misfit()), and then nothing that was appended counts.
  bool expand(const std::uint64_t* record, SuccessorBuffer& out) { return expand(record, Which::kFirst, out); }
  // The same for a state that was expanded before, in the way in which that was done.
  bool expand_again(const std::uint64_t* record, StepWay way, SuccessorBuffer& out) {
    return expand(record, way == StepWay::kPlain ? Which::kPlain : Which::kGeneral, out);
  }
  // In which way the successors last appended were found.
  [[nodiscard]] StepWay way() const { return way_; }

  [[nodiscard]] const Misfit& misfit() const { return misfit_; }
  // Whether the successors last appended are known to be different transitions.
  [[nodiscard]] bool distinct() const { return distinct_; }
  // The state last unpacked.
  [[nodiscard]] const Unpacked& state() const { return state_; }
  // Evaluates a condition over the shared variables of a packed state; no state is unpacked after that.
  bool holds(CodeId condition, const std::uint64_t* record);
  // The same for the state that is unpacked already.
  bool holds(CodeId condition) { return value(condition) != 0; }
  // The value of an expression in the state that is unpacked.
  std::int32_t value(CodeId expression) {
    scope_.shared = state_.values.data();
    scope_.rounds = 0;
    return network_.evaluate(expression, scope_);
  }
  void unpack(const std::uint64_t* record) { layout_.unpack(record, state_); }
  // Of a state without steps that is unpacked: whether it has terminated.
  [[nodiscard]] bool is_at_end();
  // Whether the state that is unpacked is an ERROR configuration.
  [[nodiscard]] bool has_failed() const { return state_.locals.size() == 1 && state_.locals[0] == kErrorLocal; }
  // Who chooses representatives, if there is a symmetry.
  [[nodiscard]] std::optional<Representatives>& representatives() { return representatives_; }

 private:
  // A place in the tree of a configuration: how many leaves, and how many nodes, come before it.
  struct TreePlace {
    std::uint32_t leaf = 0;
    std::uint32_t node = 0;
  };
  // Who moves: a leaf, counted from the left, or one of the counted processes of a leaf in the local state `member`.
  struct Mover {
    std::uint32_t leaf;
    ProcessId process;
    const std::int32_t* parameters;
    LocalId member = kNone;
    std::uint32_t first_after_edge = kNone;  // of a counted process: that of its first edge
  };
  // A mover's part in a step. `message` is where in messages_ the values it receives begin.
  struct Part {
    std::uint32_t leaf;
    LocalId target;
    LocalEdge* edge;
    const std::int32_t* parameters;
    ProcessId process;
    LocalId member;
    std::uint32_t after_edge = kNone;  // of a counted process: where it is kept what becomes of all of them
    std::uint32_t message = kNone;

    Part(const Mover& mover, LocalId to, LocalEdge& taken, const LocalState& local)
        : leaf(mover.leaf),
          target(to),
          edge(&taken),
          parameters(mover.parameters),
          process(mover.process),
          member(mover.member) {
      if (mover.first_after_edge != kNone && taken.target != kNone) {
        after_edge = mover.first_after_edge + static_cast<std::uint32_t>(&taken - local.edges);
      }
    }
  };
  // What half a handshake offers: a message to send (in messages_), or room for one of so many fields.
  struct Offer {
    std::uint32_t channel = kNone;
    std::uint32_t message = kNone;
    std::uint32_t fields = 0;
  };
  // A step some part of the tree can make. Its parts are a run in tree_parts_, what it leaves undecided (external
  // choices and interrupts) a run in undecided_, so that moves are cheap to copy.
  struct Move {
    MoveKind kind;
    bool synchronises;
    bool restructures = false;  // what is around the parts changes
    bool atomic = false;
    bool relabelled = false;    // the label is not the one of the edge
    LabelId label = kNone;
    std::uint32_t first_part = 0;
    std::uint32_t part_count = 0;
    std::uint32_t first_undecided = 0;
    std::uint32_t undecided_count = 0;
    Offer offer = {};
  };
  // Half a handshake: which move it is, of which component of a parallel node.
  struct Half {
    std::size_t move;
    std::uint32_t component;
  };
  // A leaf's part in a step that needs others, in a flat shape whose slots hold leaves.
  struct FlatOffer {
    Part part;
    LabelId label;
    Offer offer;
  };

  // Which way is taken: kFirst is the plain one where it can be.
  enum class Which { kFirst, kPlain, kGeneral };
  bool expand(const std::uint64_t* record, Which which, SuccessorBuffer& out);
  bool expand_concretely(const std::uint64_t* record, Which which, SuccessorBuffer& out);
  void expand_unpacked(const Shape& shape);
  void expand_flat(const Shape& shape);
  // Leaves out the successors from `first` on that the priorities of a flat shape forbid.
  void apply_priorities(const Shape& shape, std::size_t first);
  // Makes the actions of the successors from `first` on internal whose labels a flat shape hides.
  void hide(ShapeId shape, std::size_t first);
  // What the edges of a mover give; `can_end` tells whether it can terminate. False if priorities forbid to try them.
  bool flat_edges(const Shape& shape, const Mover& mover, const LocalState& local, bool& can_end);
  void single(const Shape& shape, const Mover& mover, LocalEdge& edge, const LocalState& local);
  void flat_handshakes(const Shape& shape);
  void flat_synchronised(const Shape& shape);
  void emit_combinations(const Shape& shape, LabelId label, std::size_t partners);
  void emit_flat(const Shape& shape, LabelId label);

  // The channel and message (or number of fields) of half a handshake, in the scope of its leaf.
  Offer offer(const LocalEdge& edge);
  // Whether a leaf accepts a message; if so its part in the handshake is completed.
  bool receive(Part& part, const Offer& sent, const Offer& wanted);

  // Trees: the moves of a node are appended to moves_. `bounds` tells where in moves_ the moves of each component begin.
  void expand_tree(const Shape& shape);
  void find_moves(const Shape& shape);
  // Of a node of the shape, and of a tree in a slot; `at` continues to what comes after it.
  void shape_moves(const Shape& shape, std::uint32_t node, TreePlace& at);
  void tree_moves(TreeBuilder::Ref tree, TreePlace& at);
  void slot_moves(std::uint32_t slot, ProcessId owner, TreePlace& at);
  void skip_shape(const Shape& shape, std::uint32_t node, TreePlace& at);
  void note_slot(std::uint32_t slot, std::uint32_t leaves, const TreePlace& at);
  void leaf_moves(LocalId number, ProcessId process, std::uint32_t leaf);
  // Of an operator with a local state (of its guard) and a number: `visit(child)` appends the moves of a child, and `skip()`
  // passes over the only one.
  template <typename Visit, typename Skip>
  void node_moves(const Operator& op, LocalId local, std::uint32_t number, std::size_t children, Visit&& visit,
                  Skip&& skip);
  void edge_moves(const Mover& mover, const LocalState& local);
  void counted_moves(std::uint32_t leaf, LocalId counted);
  // Half a handshake each: whether both can be of one leaf, as two of its counted processes.
  [[nodiscard]] bool are_two(const Part& part, const Part& other) const;
  void handshake(const Move& sent, const Move& wanted);
  // Those of the parts of a parallel node have been found; `first_bound` is where their bounds begin.
  void parallel_moves(const Operator& op, std::size_t first_bound);
  void decide(std::size_t first, std::uint32_t number);
  void handshakes(std::span<const std::size_t> bounds);
  void synchronised_moves(const Operator& op, std::span<const std::size_t> bounds);
  void joint_termination(std::span<const std::size_t> bounds);
  Move joined(const Move& step, const Move& other);
  void leave_undecided(Move& move, std::uint32_t number);
  void prioritise(const Operator& op, std::size_t first);
  void hide(const Operator& op, Move& move);
  void emit(const Shape& shape, const Move& move);
  ActionId action_of(const Move& move);
  [[nodiscard]] std::span<const Part> parts_of(const Move& move) const {
    return std::span<const Part>(tree_parts_).subspan(move.first_part, move.part_count);
  }
  // The processes of some parts, into processes_: sorted, each once.
  void gather_processes(std::span<const Part> parts);

  // Appends a step of one leaf that stores only constants and stays within the shape.
  void append_simple(ActionId action, std::uint32_t slot, LocalId target, const LocalEdge& edge);
  [[noreturn]] void reject_local(std::size_t slot, LocalId target);
  [[noreturn]] void reject_value(std::size_t variable, std::int64_t value);
  // What of a step does not depend on who moves: whether something changes around the parts, what stays undecided.
  struct Setting {
    const Shape& shape;
    ActionId action;
    MoveKind kind;
    bool restructures = false;
    std::span<const std::uint32_t> undecided;
  };
  // Appends the step in which the given parts move; carries out updates.
  void append(const Setting& setting, std::span<const Part> parts);
  // The same when updates have been carried out, and it is known where each leaf moves to: move_parts_.
  void place(const Setting& setting);
  // The same if the shape stays; else false.
  bool place_in_slots(const Setting& setting);
  // What becomes of a slot by the parts from a number on, into placed_; false if the shape does not stay.
  bool find_placed(const Setting& setting, std::size_t part);
  void place_anew(const Setting& setting);
  [[nodiscard]] TreeStep tree_step(const Setting& setting) const {
    return {move_parts_, setting.undecided, state_.values};
  }
  // What may become of the counted processes of each slot that has some that move; then places each combination.
  void place_counted(const Setting& setting, std::span<const Part> parts, std::size_t first);
  [[nodiscard]] bool is_placed(std::uint32_t leaf) const;
  [[nodiscard]] std::uint32_t slot_of(std::uint32_t leaf) const { return has_places_ ? leaf_slots_[leaf] : leaf; }
  // What may become of the counted processes of a leaf, by the parts from the first one on.
  void find_possible(std::span<const Part> parts, std::vector<LocalId>& possible);
  // Calls `visit(mover, local state)` for each of the local states of counted processes.
  template <typename Visit>
  void for_each_member(std::uint32_t leaf, LocalId counted, Visit&& visit) {
    const GroupId group = network_.group_of(counted);
    std::uint32_t after_edge = network_.first_after_edge(counted);
    for (std::size_t i = 0; i < network_.member_count(counted); ++i) {
      const LocalId member = network_.member(counted, i).local;
      const LocalState own = network_.local(member);
      visit(Mover{leaf, network_.member_kind(group, member).process, own.parameters, member, after_edge}, own);
      after_edge += own.edge_count;
    }
  }
  [[nodiscard]] ActionId with_moves(ActionId action, std::span<const Part> parts);
  // Appends a step after which all is as in next_.
  void append_next(ActionId action);
  std::uint64_t* new_record(ActionId action);

  // The chain of tests of a condition, if it is one.
  const std::optional<TestChain>& chain_of(CodeId condition);

  Network& network_;
  Layout& layout_;
  Scope scope_;
  std::vector<std::pair<CodeId, std::optional<TestChain>>> chains_;  // of conditions that were asked for
  TreeBuilder builder_;
  PlainSteps plain_;
  std::optional<Representatives> representatives_;
  Unpacked state_;
  Unpacked next_;
  TreeBuilder::Ref root_ = kNone;  // the state as a tree, if it was needed
  bool has_places_ = false;        // if it is not flat, or has trees in its slots:
  std::vector<std::uint32_t> leaf_slots_;
  std::vector<TreePlace> slot_places_;
  struct Placed {
    std::uint32_t slot;
    LocalId local;
  };
  std::vector<Placed> placed_;
  const std::uint64_t* record_ = nullptr;
  SuccessorBuffer* out_ = nullptr;
  Misfit misfit_;
  bool distinct_ = false;
  StepWay way_ = StepWay::kGeneral;
  std::vector<std::vector<ActionId>> hidden_;  // for each shape that hides labels: what becomes of an action
  std::vector<MovePart> move_parts_;
  std::vector<MemberMove> member_moves_;
  std::vector<std::vector<LocalId>> possible_;  // for each counted slot of a step that is being placed
  std::size_t placing_ = 0;
  std::vector<Tally> tallies_;
  std::vector<std::int32_t> messages_;  // that leaves of the state offer to send, one after the other
  // of a flat shape: parts that need others, in the order of their slots
  std::vector<FlatOffer> sends_;
  std::vector<FlatOffer> receives_;
  std::vector<FlatOffer> shared_;
  std::vector<std::uint32_t> joint_;
  std::vector<std::uint32_t> offers_of_;
  std::vector<std::uint32_t> chosen_;
  std::vector<Part> parts_;
  std::vector<ProcessId> processes_;
  std::vector<ProcessId> entered_;
  // of a tree; kept from state to state for their memory only
  std::vector<Move> moves_;
  std::vector<Part> tree_parts_;
  std::vector<std::uint32_t> undecided_;
  std::vector<std::size_t> bounds_;
  std::vector<Half> halves_;
  std::vector<LabelId> joint_labels_;
  std::vector<Move> joint_moves_;
  std::vector<Move> extended_;
};

}  // namespace fairlead
