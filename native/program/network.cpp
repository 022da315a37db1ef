#include "program/network.hpp"

#include <algorithm>

#include "program/specialise.hpp"
#include "program/tree_edges.hpp"

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
    std::pmr::polymorphic_allocator<std::int32_t> allocator(&arena_);
    std::int32_t* copy = allocator.allocate(parameters.size());
    std::copy(parameters.begin(), parameters.end(), copy);
    locals_.push_back(LocalState{copy, nullptr, position, static_cast<std::uint32_t>(parameters.size()), 0, false,
                                 false, position == kCountedPosition});
    if (id >= kMostTrees) throw LimitReached{Limit::kMemory};
    // the table entry, the interned key, the parameters, and the numbers in the dictionaries of slots. Charged last: an
    // interned key has its entry even if this throws
    if (budget_ != nullptr) budget_->charge(sizeof(LocalState) + 32 + 12 * parameters.size());
  }
  return id;
}

void Network::expand(LocalId id) {
  require_growth();
  if (locals_[id].counted || locals_[id].position == kTreePosition) {  // it has the edges of its members, or leaves
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

TreeId Network::compose(LocalId local, ProcessId process, std::span<const std::int32_t> values, bool quietly) {
  thread_local std::vector<std::uint32_t> key;
  const auto by_values = [&](std::uint32_t number) {
    key.assign(1, number);
    for (const std::uint32_t variable : composed_[number].reads) {
      key.push_back(static_cast<std::uint32_t>(values[variable]));
    }
    const auto [index, is_new] = composed_by_values_.intern(key);
    if (is_new) composed_trees_.push_back(kNone);
    return index;
  };
  key.assign({local, process});
  const auto [number, is_new] = composed_keys_.intern(key);
  if (is_new) composed_.emplace_back();
  if (composed_[number].tree != kNone) return composed_[number].tree;
  if (!composed_[number].reads.empty()) {
    const TreeId known = composed_trees_[by_values(number)];
    if (known != kNone) return known;
  }
  require_growth();
  if (ticker_ != nullptr) ticker_->tick_slowly();
  Composition found = source_->compose(local, process, values, quietly);
  if (found.tree == kNone) throw CompositionFault{};
  if (found.reads.empty()) return composed_[number].tree = found.tree;
  // earlier answers were for fewer variables, and is found no more if these are others
  composed_[number].reads = std::move(found.reads);
  if (budget_ != nullptr) budget_->charge(32 + 8 * composed_[number].reads.size());
  return composed_trees_[by_values(number)] = found.tree;
}

TreeEdges* Network::tree_edges(LocalId local) {
  if (local >= tree_edges_.size() || !tree_edges_[local].known) {
    require_growth();
    if (tree_edges_.size() <= local) tree_edges_.resize(local + std::size_t{1});
    tree_edges_[local].edges = find_tree_edges(*this, static_cast<TreeId>(parameters(local)[0]));
    tree_edges_[local].known = true;
    const TreeEdges* found = tree_edges_[local].edges.get();
    if (budget_ != nullptr && found != nullptr) {
      budget_->charge(found->edges.size() * (sizeof(LocalEdge) + sizeof(EdgeOrigin)) + 4 * found->undecided.size());
    }
  }
  return tree_edges_[local].edges.get();
}

bool Network::composition_reads(LocalId local, ProcessId process) const {
  const std::uint32_t key[] = {local, process};
  const std::uint32_t number = composed_keys_.find(key);
  return number != kNone && !composed_[number].reads.empty();
}

}  // namespace fairlead
