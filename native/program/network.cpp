#include "program/network.hpp"

#include <algorithm>

#include "program/specialise.hpp"

namespace fairlead {

Network::Network(std::size_t variables) : variables_(variables) {
  for (std::uint32_t reserved = 0; reserved < kReservedLocals; ++reserved) intern_local(reserved, {});
}

void Network::set_source(Source* source) {
  source_ = source;
  calls.set_ask([source](std::int32_t function, std::span<const std::int32_t> arguments) {
    return source->call(function, arguments);
  });
  labels.set_value_text([source](std::int32_t value) { return source->text(value); });
}

CodeId Network::add_code(std::span<const std::int32_t> words) {
  const auto id = static_cast<CodeId>(code_.size());
  code_.insert(code_.end(), words.begin(), words.end());
  return id;
}

void Network::define_position(std::uint32_t number, Position position) {
  if (positions_.size() <= number) positions_.resize(number + 1);
  positions_[number] = std::make_unique<Position>(std::move(position));
  positions_[number]->known = true;
}

Position& Network::position(std::uint32_t number) {
  if (number >= positions_.size() || !positions_[number]) {
    require_growth();
    if (ticker_ != nullptr) ticker_->tick_slowly();
    source_->position(number);
  }
  return *positions_[number];
}

LocalId Network::intern_local(std::uint32_t position, std::span<const std::int32_t> parameters) {
  thread_local std::vector<std::uint32_t> key;
  key.assign(1, position);
  for (const std::int32_t parameter : parameters) key.push_back(static_cast<std::uint32_t>(parameter));
  const auto [id, is_new] = local_keys_.intern(key);
  if (is_new) {
    // the table entry, the interned key, the parameters, and the numbers in the dictionaries of slots
    if (budget_ != nullptr) budget_->charge(sizeof(LocalState) + 32 + 12 * parameters.size());
    std::pmr::polymorphic_allocator<std::int32_t> allocator(&arena_);
    std::int32_t* copy = allocator.allocate(parameters.size());
    std::copy(parameters.begin(), parameters.end(), copy);
    locals_.push_back(LocalState{copy, nullptr, position, static_cast<std::uint32_t>(parameters.size()), 0, false,
                                 false, position == kCountedPosition});
  }
  return id;
}

void Network::expand(LocalId id) {
  require_growth();
  if (locals_[id].counted) {  // it has the edges of its members
    locals_[id].expanded = true;
    return;
  }
  Position& text = position(locals_[id].position);
  std::pmr::polymorphic_allocator<LocalEdge> allocator(&arena_);
  if (budget_ != nullptr) budget_->charge(text.edges.size() * sizeof(LocalEdge));
  LocalEdge* edges = allocator.allocate(text.edges.size());
  Scope scope;
  for (std::size_t number = 0; number < text.edges.size(); ++number) {
    const Edge& edge = text.edges[number];
    auto* entry = new (edges + number) LocalEdge{.edge = &edge};
    entry->kind = edge.kind;
    specialise_edge(*entry, parameters(id));
    scope.parameters = locals_[id].parameters;
    if (edge.kind == MoveKind::kTermination) entry->label = kTerminateLabel;
    const bool has_text = edge.kind == MoveKind::kEvent || edge.kind == MoveKind::kSend;
    try {
      if (has_text && edge.label_is_fixed) entry->label = label(*entry, kNone, scope);
      if (edge.target_is_fixed) entry->target = target(*entry, scope);
    } catch (const ModelFault&) {  // NOLINT(bugprone-empty-catch)
      // the edge may never be taken: the fault is raised when it is
    }
  }
  LocalState& state = locals_[id];
  state.edges = edges;
  state.edge_count = static_cast<std::uint32_t>(text.edges.size());
  state.composite = text.composite;
  state.expanded = true;
}

void Network::specialise_edge(LocalEdge& edge, std::span<const std::int32_t> parameters) {
  edge.guard = edge.edge->guard;
  edge.update = edge.edge->update;
  // beyond this many local states (a process that counts, say) their own code would take too much memory
  constexpr std::size_t kSpecialised = 20'000;
  if (locals_.size() > kSpecialised) return;
  if (edge.guard != kNoCode) {
    const auto guard = specialise(code(edge.guard), parameters);
    if (static_cast<Op>(guard[0]) == Op::kConst && static_cast<Op>(guard[2]) == Op::kEnd) {
      edge.never_enabled = guard[1] == 0;
      if (guard[1] != 0) edge.guard = kNoCode;
    } else if (static_cast<Op>(guard[0]) == Op::kSharedEqualConst && static_cast<Op>(guard[3]) == Op::kEnd) {
      edge.tests_one_value = true;
      edge.guard_variable = guard[1];
      edge.guard_value = guard[2];
    }
    if (edge.guard != kNoCode) edge.guard = add_code(guard);
  }
  if (edge.update != kNoCode) {
    const auto update = specialise(code(edge.update), parameters);
    edge.update = add_code(update);
    std::vector<std::pair<std::int32_t, std::int32_t>> stores;
    if (only_stores_constants(update.data(), stores)) {
      edge.stores_constants = true;
      edge.first_store = static_cast<std::uint32_t>(stores_.size());
      edge.store_count = static_cast<std::uint32_t>(stores.size());
      stores_.insert(stores_.end(), stores.begin(), stores.end());
    }
  }
}

CodeId Network::condition(LocalId guard) { return position(locals_[guard].position).condition; }

LabelId Network::label(const LocalEdge& local_edge, ProcessId process, Scope& scope) {
  if (local_edge.label != kNone) return local_edge.label;
  const Edge& edge = *local_edge.edge;
  if (edge.kind == MoveKind::kInternal) {
    if (local_edge.owner == process) return labels.label_of(local_edge.action);
    return labels.tau(edge.name, process);
  }
  thread_local std::vector<std::int32_t> arguments;
  arguments.clear();
  for (const CodeId argument : edge.label_arguments) arguments.push_back(evaluate(argument, scope));
  return labels.event(edge.name, arguments);
}

LocalId Network::target(const LocalEdge& local_edge, Scope& scope) {
  if (local_edge.target != kNone) return local_edge.target;
  const Edge& edge = *local_edge.edge;
  thread_local std::vector<std::int32_t> arguments;
  arguments.clear();
  for (const CodeId argument : edge.target_arguments) arguments.push_back(evaluate(argument, scope));
  return intern_local(edge.target, arguments);
}

ActionId Network::action(LocalEdge& local_edge, ProcessId process, Scope& scope) {
  const bool fixed = local_edge.label != kNone || local_edge.edge->kind == MoveKind::kInternal;
  if (fixed && local_edge.owner == process) return local_edge.action;
  const ActionId found = labels.action(label(local_edge, process, scope), process);
  if (fixed && tables_may_grow()) {
    local_edge.owner = process;
    local_edge.action = found;
    local_edge.moving = kNone;
  }
  return found;
}

namespace {

// Marks for every slot whether a step there changes the shape beyond the slot itself.
void mark_slots(Shape& shape, std::uint32_t number, bool restructures, bool in_sequel, bool wrapped) {
  const ShapeNode& node = shape.nodes[number];
  switch (node.kind) {
    case NodeKind::kLeaf:
      shape.slot_active[node.slot] = 1;
      shape.slot_restructures[node.slot] = restructures;
      shape.slot_in_sequel[node.slot] = in_sequel;
      shape.slot_wrapped[node.slot] = wrapped;
      break;
    case NodeKind::kParallel:
    case NodeKind::kExternal:
    case NodeKind::kInterrupt:
      for (const std::uint32_t child : node.children) mark_slots(shape, child, restructures, false, false);
      break;
    case NodeKind::kSequel:
      mark_slots(shape, node.children[0], restructures, true, false);
      break;
    case NodeKind::kChoice:
    case NodeKind::kGuarded:
      for (const std::uint32_t child : node.children) mark_slots(shape, child, true, in_sequel, wrapped);
      break;
    case NodeKind::kAtomic:
      shape.has_atomic = true;
      [[fallthrough]];
    case NodeKind::kHidden:
      mark_slots(shape, node.children[0], restructures, in_sequel, true);
      break;
    case NodeKind::kHigh:
    case NodeKind::kLow:
      mark_slots(shape, node.children[0], restructures, false, false);
      break;
  }
}

// Finds out whether a shape is flat, and which of its slots must be at the end when the whole is.
void mark_whole(Shape& shape) {
  const auto is_leaf = [&](std::uint32_t node) { return shape.nodes[node].kind == NodeKind::kLeaf; };
  const auto are_side_by_side = [&](std::uint32_t number) {
    const ShapeNode& node = shape.nodes[number];
    return node.kind == NodeKind::kParallel && std::all_of(node.children.begin(), node.children.end(), is_leaf);
  };
  const ShapeNode& root = shape.nodes[0];
  shape.has_priorities = root.has_priorities();
  // what is left of a single leaf is not hidden any more
  shape.hides = root.kind == NodeKind::kHidden && are_side_by_side(root.children[0]);
  shape.top = shape.has_priorities || shape.hides ? root.children[0] : 0;
  shape.flat = is_leaf(shape.top) || are_side_by_side(shape.top);
  if (shape.flat && shape.has_priorities) {
    for (const auto& [label, nobody] : root.events) {
      if (shape.has_priority.size() <= label) shape.has_priority.resize(label + 1, 0);
      shape.has_priority[label] = 1;
    }
  }
  std::uint32_t inner = 0;
  while (shape.nodes[inner].has_priorities()) inner = shape.nodes[inner].children[0];
  const ShapeNode& whole = shape.nodes[inner];
  if (whole.kind == NodeKind::kLeaf) {
    shape.end_slots = {whole.slot};
  } else if (whole.ends && std::all_of(whole.ends->begin(), whole.ends->end(),
                                       [&](std::uint32_t child) { return is_leaf(whole.children[child]); })) {
    for (const std::uint32_t child : *whole.ends) shape.end_slots.push_back(shape.nodes[whole.children[child]].slot);
  }
}

}  // namespace

ShapeId Network::add_shape(Shape shape) {
  const std::size_t slots = shape.slot_process.size();
  shape.slot_active.assign(slots, 0);
  shape.slot_restructures.assign(slots, 0);
  shape.slot_in_sequel.assign(slots, 0);
  shape.slot_wrapped.assign(slots, 0);
  mark_slots(shape, 0, false, false, false);
  mark_whole(shape);
  shapes_.push_back(std::make_unique<Shape>(std::move(shape)));
  return static_cast<ShapeId>(shapes_.size() - 1);
}

Rewrite Network::rewrite(ShapeId shape_id, std::span<const LocalId> locals, MoveKind kind,
                         std::span<const MovePart> parts, std::span<const std::uint32_t> undecided,
                         std::span<const std::int32_t> values) {
  const Shape& old = shape(shape_id);
  // the result depends on the parts and on the states that wait, not on those that merely stay
  thread_local std::vector<std::uint32_t> key;
  key.assign({shape_id, static_cast<std::uint32_t>(kind)});
  for (const MovePart& part : parts) {
    key.push_back(part.slot);
    key.push_back(part.target);
  }
  key.push_back(kNone);
  key.insert(key.end(), undecided.begin(), undecided.end());
  key.push_back(kNone);
  for (std::uint32_t slot = 0; slot < locals.size(); ++slot) {
    if (!old.slot_active[slot]) key.push_back(locals[slot]);
  }
  const auto [index, is_new] = rewrite_keys_.intern(key);
  if (is_new) rewrites_.push_back(Rewrite{kNone, {}});
  if (rewrites_[index].shape != kNone) return rewrites_[index];
  require_growth();
  if (ticker_ != nullptr) ticker_->tick_slowly();
  bool cacheable = true;
  Rewrite found = source_->rewrite(shape_id, locals, kind, parts, undecided, values, cacheable);
  if (cacheable) rewrites_[index] = found;
  return found;
}

// The first time that anything goes wrong in a shape, all its slots are asked for: each new shape makes all states
// be packed anew.
ShapeId Network::error_shape(ShapeId shape_id, std::uint32_t slot, std::span<const LocalId> locals,
                             std::span<const std::int32_t> values) {
  if (error_shapes_.size() <= shape_id || error_shapes_[shape_id].empty()) {
    require_growth();
    if (error_shapes_.size() <= shape_id) error_shapes_.resize(shape_id + 1);
    if (ticker_ != nullptr) ticker_->tick_slowly();
    std::vector<ShapeId> found;
    for (std::uint32_t other = 0; other < locals.size(); ++other) {
      const MovePart part{other, kErrorLocal};
      bool cacheable = true;
      found.push_back(source_->rewrite(shape_id, locals, MoveKind::kEvent, {&part, 1}, {}, values, cacheable).shape);
    }
    error_shapes_[shape_id] = std::move(found);
  }
  return error_shapes_[shape_id][slot];
}

}  // namespace fairlead
