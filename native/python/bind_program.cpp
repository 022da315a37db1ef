// What networks are made of. Python compiles to these operations and describes positions and trees with these structs, so
// that every number and every field is defined here alone.
#include <nanobind/nanobind.h>
#include <nanobind/stl/map.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/vector.h>

#include "program/network.hpp"
#include "python/bind.hpp"
#include "steps/symmetry.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace fairlead {
namespace {

using Codes = std::vector<CodeId>;
using Numbers = std::vector<std::uint32_t>;

void bind_operations(nb::module_& module) {
  nb::enum_<Op>(module, "Op", nb::is_arithmetic(),
                "The operations of code; native/program/bytecode.hpp has their operands.")
      .value("END", Op::kEnd)
      .value("CONST", Op::kConst)
      .value("SHARED", Op::kShared)
      .value("PARAMETER", Op::kParameter)
      .value("LOCAL", Op::kLocal)
      .value("SHARED_AT", Op::kSharedAt)
      .value("LOCAL_AT", Op::kLocalAt)
      .value("NOT", Op::kNot)
      .value("NEGATE", Op::kNegate)
      .value("ADD", Op::kAdd)
      .value("SUBTRACT", Op::kSubtract)
      .value("MULTIPLY", Op::kMultiply)
      .value("DIVIDE", Op::kDivide)
      .value("MODULO", Op::kModulo)
      .value("EQUAL", Op::kEqual)
      .value("UNEQUAL", Op::kUnequal)
      .value("LESS", Op::kLess)
      .value("GREATER", Op::kGreater)
      .value("LESS_EQUAL", Op::kLessEqual)
      .value("GREATER_EQUAL", Op::kGreaterEqual)
      .value("BIT_AND", Op::kBitAnd)
      .value("BIT_OR", Op::kBitOr)
      .value("BIT_XOR", Op::kBitXor)
      .value("JUMP", Op::kJump)
      .value("JUMP_IF_FALSE", Op::kJumpIfFalse)
      .value("AND_THEN", Op::kAndThen)
      .value("OR_ELSE", Op::kOrElse)
      .value("CHECK_RANGE", Op::kCheckRange)
      .value("STORE_SHARED", Op::kStoreShared)
      .value("STORE_LOCAL", Op::kStoreLocal)
      .value("STORE_SHARED_AT", Op::kStoreSharedAt)
      .value("STORE_LOCAL_AT", Op::kStoreLocalAt)
      .value("LOOP", Op::kLoop)
      .value("SHARED_AT_PARAMETER", Op::kSharedAtParameter)
      .value("SHARED_EQUAL_CONST", Op::kSharedEqualConst)
      .value("SHARED_UNEQUAL_CONST", Op::kSharedUnequalConst)
      .value("EQUAL_CONST", Op::kEqualConst)
      .value("RECEIVED", Op::kReceived)
      .value("SHARED_AT_STRIDE", Op::kSharedAtStride)
      .value("ENQUEUE", Op::kEnqueue)
      .value("DEQUEUE", Op::kDequeue)
      .value("POP", Op::kPop)
      .value("CALL", Op::kCall)
      .value("GATHER", Op::kGather)
      .value("GATHER_LOCAL", Op::kGatherLocal)
      .value("BUILT_IN", Op::kBuiltIn)
      .value("FRESH", Op::kFresh)
      .value("KEEP", Op::kKeep)
      .value("KEEP_SHARED", Op::kKeepShared)
      .value("EQUAL_VALUES", Op::kEqualValues);
  module.attr("STACK_DEPTH") = kStackDepth;
  module.attr("NO_CODE") = kNoCode;
}

void bind_positions(nb::module_& module) {
  nb::enum_<ArgumentType>(module, "ArgumentType", "How an argument of an event is shown.")
      .value("INTEGER", ArgumentType::kInteger)
      .value("BOOLEAN", ArgumentType::kBoolean)
      .value("MIXED", ArgumentType::kMixed)
      .value("VALUE", ArgumentType::kValue);
  module.attr("MIXED_FALSE") = kMixedFalse;
  module.attr("MIXED_TRUE") = kMixedTrue;
  nb::enum_<MoveKind>(module, "MoveKind", nb::is_arithmetic(), "What kind of step an edge makes.")
      .value("EVENT", MoveKind::kEvent)
      .value("INTERNAL", MoveKind::kInternal)
      .value("TERMINATION", MoveKind::kTermination)
      .value("SEND", MoveKind::kSend)
      .value("RECEIVE", MoveKind::kReceive);
  nb::class_<Handshake>(module, "Handshake", "What an edge sends or receives by a handshake.")
      .def(
          "__init__",
          [](Handshake* self, std::uint32_t channel, CodeId index, Codes values, std::uint32_t fields, CodeId accepts) {
            new (self) Handshake{channel, index, std::move(values), fields, accepts};
          },
          "channel"_a, "index"_a, "values"_a, "fields"_a, "accepts"_a = kNoCode);
  nb::class_<Position>(module, "Position", "A position of a process text, with its edges.")
      .def(
          "__init__",
          [](Position* self, bool composite) {
            new (self) Position;
            self->composite = composite;
          },
          "composite"_a)
      .def_rw("condition", &Position::condition)
      .def(
          "add_edge",
          [](Position& self, MoveKind kind, bool synchronises, std::uint32_t name, std::uint32_t target, CodeId guard,
             CodeId update, Codes label_arguments, Codes target_arguments, bool label_is_fixed, bool target_is_fixed,
             const Handshake* handshake, std::uint8_t annotation) {
            self.edges.push_back(Edge{kind, synchronises, name, guard, update, target, std::move(label_arguments),
                                      std::move(target_arguments), label_is_fixed, target_is_fixed,
                                      handshake == nullptr ? Handshake{} : *handshake, annotation});
          },
          "kind"_a, "synchronises"_a, "name"_a, "target"_a, "guard"_a = kNoCode, "update"_a = kNoCode,
          "label_arguments"_a = Codes{}, "target_arguments"_a = Codes{}, "label_is_fixed"_a = true,
          "target_is_fixed"_a = true, "handshake"_a.none() = nb::none(), "annotation"_a = kNotAnnotated);
  module.attr("NOT_ANNOTATED") = kNotAnnotated;
}

void bind_trees(nb::module_& module) {
  nb::enum_<NodeKind>(module, "NodeKind", "The kinds of operators of trees.")
      .value("LEAF", NodeKind::kLeaf)
      .value("PARALLEL", NodeKind::kParallel)
      .value("SEQUEL", NodeKind::kSequel)
      .value("CHOICE", NodeKind::kChoice)
      .value("GUARDED", NodeKind::kGuarded)
      .value("EXTERNAL", NodeKind::kExternal)
      .value("INTERRUPT", NodeKind::kInterrupt)
      .value("HIDDEN", NodeKind::kHidden)
      .value("ATOMIC", NodeKind::kAtomic)
      .value("HIGH", NodeKind::kHigh)
      .value("LOW", NodeKind::kLow);
  nb::class_<Operator>(module, "Operator", "An operator of a tree, with all that is fixed in it.")
      .def(
          "__init__",
          [](Operator* self, NodeKind kind, ProcessId process, LabelId ending, std::uint32_t tag, bool synchronises,
             const std::vector<std::pair<LabelId, Numbers>>& events, std::optional<Numbers> ends) {
            new (self) Operator{kind, process, ending, tag, synchronises, {}, std::move(ends)};
            for (const auto& [label, components] : events) self->events.emplace(label, components);
          },
          "kind"_a, "process"_a = kNone, "ending"_a = kNone, "tag"_a = kNone, "synchronises"_a = false,
          "events"_a = std::vector<std::pair<LabelId, Numbers>>{}, "ends"_a.none() = nb::none())
      .def_ro("kind", &Operator::kind)
      .def_ro("process", &Operator::process)
      .def_ro("ending", &Operator::ending)
      .def_ro("tag", &Operator::tag)
      .def_ro("synchronises", &Operator::synchronises)
      .def_prop_ro(
          "events",
          [](const Operator& self) { return std::map<LabelId, Numbers>(self.events.begin(), self.events.end()); })
      .def_prop_ro("ends", [](const Operator& self) { return self.ends; });
  nb::class_<PlaceFamily>(module, "PlaceFamily", "Places, one for each tuple of members of some blocks, row by row.")
      .def(
          "__init__",
          [](PlaceFamily* self, Numbers blocks, Numbers places, std::uint32_t holds) {
            new (self) PlaceFamily{std::move(blocks), std::move(places), holds};
          },
          "blocks"_a, "places"_a, "holds"_a);
  module.attr("NONE") = kNone;
}

// Local states and positions that both sides know without asking.
void bind_reserved(nb::module_& module) {
  module.attr("STOP_LOCAL") = kStopLocal;
  module.attr("SKIP_LOCAL") = kSkipLocal;
  module.attr("TERMINATED_LOCAL") = kTerminatedLocal;
  module.attr("ERROR_LOCAL") = kErrorLocal;
  module.attr("COUNTED_POSITION") = kCountedPosition;
  module.attr("TREE_POSITION") = kTreePosition;
  module.attr("NESTING_LIMIT") = kNestingLimit;
  module.attr("EXACT") = kExact;
  module.attr("IDLE_ACTION") = kIdleAction;
}

}  // namespace

void bind_program(nb::module_& module) {
  bind_operations(module);
  bind_positions(module);
  bind_trees(module);
  bind_reserved(module);
}

}  // namespace fairlead
