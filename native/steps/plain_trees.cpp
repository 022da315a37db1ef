// Plain steps of leaves that become trees, and of trees in slots.
#include "steps/plain_steps.hpp"

namespace fairlead {

PlainSteps::Content PlainSteps::content_of(LocalId local) {
  if (network_.position_of(local) != kTreePosition) return {local, network_.local(local).edge_span(), nullptr};
  TreeEdges* tree = network_.tree_edges(local);
  return {local, tree == nullptr ? std::span<LocalEdge>() : std::span(tree->edges), tree};
}

ActionId PlainSteps::seen(const Table& table, std::uint32_t slot, ActionId action) {
  Labels& labels = network_.labels;
  const LabelId label = labels.label_of(action);
  if (!table.skeleton.hides(slot, label)) return action;
  return labels.relabelled(action, labels.hidden(label, labels.processes_of(action)));
}

std::optional<LocalId> PlainSteps::in_place(const Moved& moved) {
  const Shape& shape = network_.shape(shape_);
  const auto [slot, edge, target] = moved;
  if (target == kErrorLocal || shape.slot_is_free[slot] == 0) return std::nullopt;
  const LocalId content = layout_.local(shape_, slot, locals_[slot]->number);
  TreeBuilder::Ref after = 0;
  if (network_.position_of(content) == kTreePosition) {
    const TreeEdges& tree = *network_.tree_edges(content);
    const MovePart part{tree.origins[edge].leaf, target};
    after = builder_.rewrite(builder_.in_slot(content, kNone), TreeStep{{&part, 1}, tree.undecided_by(edge), values_});
  } else if (network_.is_composite(target)) {
    after = builder_.enter(target, shape.slot_process[slot], values_);
  } else {
    return target;
  }
  const TreeInfo& info = builder_.info(after);
  if (info.unfolds || info.has_error || info.owner != shape.slot_process[slot]) return std::nullopt;
  if (info.depth + shape.slot_depth[slot] - 1 > kNestingLimit) throw CompositionFault{};
  return builder_.folded(after);
}

std::uint32_t PlainSteps::number_in(std::uint32_t slot, LocalId content) {
  const std::uint32_t known = layout_.local_number(shape_, slot, content);
  if (known != kNone) return known;
  if (!tables_may_grow() || !layout_.has_room_for_local(shape_, slot)) {
    misfit_ = Misfit{Misfit::What::kLocal, shape_, slot, content, {}};
    return kNone;
  }
  layout_.admit_local(shape_, slot, content);
  return layout_.local_number(shape_, slot, content);
}

// ---------------------------------------------------------------- steps that change the shape

// The whole configuration changes: a leaf goes to ERROR, or becomes processes side by side, or a handler interrupts.
bool PlainSteps::emit_anew(Table& table, ActionId action) {
  const std::uint32_t plan = plan_of_parts(table);
  if (plan != kNone && follow_plan(table, plan, action) != nullptr) return true;
  moved_.clear();
  stored_.clear();
  layout_.unpack(record_, unpacked_);
  for (const Part& part : parts_) {
    const Move& move = table.moves[part.move];
    moved_.push_back({part.slot, move.edge, move.target});
    for (const auto& [variable, value] : network_.stores(move.first_store, move.store_count)) {
      unpacked_.values[static_cast<std::size_t>(variable)] = value;
      stored_.push_back(static_cast<std::size_t>(variable));
    }
  }
  return append_anew(table, {action, moved_, plan});
}

// The step after which edges have been taken, and the variables are as in unpacked_.
bool PlainSteps::append_anew(Table& table, const Anew& step) {
  find_places();
  find_tree_step(table, step);
  builder_.has_read();
  const Shape& shape = network_.shape(shape_);
  const TreeBuilder::Ref before = step.plan == kNone ? builder_.load(shape, unpacked_.locals)
                                                     : builder_.load_open(shape, unpacked_.locals, moving_);
  const TreeBuilder::Ref after =
      builder_.with_errors_collapsed(builder_.rewrite(before, TreeStep{move_parts_, undecided_, unpacked_.values}));
  if (builder_.info(after).depth > kNestingLimit) throw CompositionFault{};
  builder_.unfold(after, unpacked_);
  if (!layout_.fits(unpacked_) && !(tables_may_grow() && layout_.admit_in_place(unpacked_))) {
    misfit_ = Misfit{Misfit::What::kConfiguration, unpacked_.shape, 0, 0, unpacked_};
    return false;
  }
  if (unpacked_.locals.size() == 1 && unpacked_.locals[0] == kErrorLocal) out_->errors.push_back(out_->size());
  layout_.pack(unpacked_, new_record(step.action));
  if (step.plan != kNone) {
    if (!builder_.has_read()) remember_plan(table, step.plan);
    recharge_plans(table);
  }
  return true;
}

void PlainSteps::find_places() {
  const Shape& shape = network_.shape(shape_);
  first_leaves_.assign(shape.slot_process.size(), 0);
  nodes_of_.assign(shape.slot_process.size(), kNone);
  places_.clear();
  std::uint32_t leaf = 0;
  std::uint32_t place = 0;
  for (std::uint32_t number = 0; number < shape.nodes.size(); ++number) {  // nodes come before their children
    const ShapeNode& node = shape.nodes[number];
    places_.push_back(place);
    if (node.op != nullptr) {
      ++place;
      continue;
    }
    first_leaves_[node.slot] = leaf;
    nodes_of_[node.slot] = number;
    TreeInfo info;
    info.leaf_count = info.node_count = 1;
    const LocalId content = unpacked_.locals[node.slot];
    if (network_.position_of(content) == kTreePosition) info = builder_.info(builder_.in_slot(content, kNone));
    leaf += info.leaf_count;
    place += info.node_count;
  }
}

void PlainSteps::find_tree_step(const Table& table, const Anew& step) {
  move_parts_.clear();
  moving_.clear();
  undecided_.clear();
  left_open_.clear();
  for (const auto& [slot, edge, target] : step.moved) {
    const Content content = content_of(unpacked_.locals[slot]);
    const LocalEdge& taken = content.edges[edge];
    moving_.push_back(slot);
    move_parts_.push_back({first_leaves_[slot] + (content.is_tree() ? content.tree->origins[edge].leaf : 0), target});
    if (content.is_tree()) {
      for (const std::uint32_t node : content.tree->undecided_by(edge)) {
        undecided_.push_back(places_[nodes_of_[slot]] + node);
      }
    }
    if (step.sequel != kNone) continue;
    table.skeleton.add_left_open(slot, taken.kind == MoveKind::kInternal, taken.label, left_open_);
  }
  // that the first part of a sequel ends is internal outside of it
  if (step.sequel != kNone) table.skeleton.add_left_open_above(step.sequel, true, kNone, left_open_);
  for (const std::uint32_t node : left_open_) undecided_.push_back(places_[node]);
}

// ---------------------------------------------------------------- plans

// The number of the step of parts_ in the plans; kNone if it is not to be searched for there.
std::uint32_t PlainSteps::plan_of_parts(Table& table) {
  if (!may_plan(table)) return kNone;
  plan_key_.clear();
  for (const Part& part : parts_) plan_key_.push_back(part.move);
  if (parts_.size() > 1) return table.plans.step_of(plan_key_, may_remember());
  Move& move = table.moves[parts_[0].move];
  if (move.plan == kNone) move.plan = table.plans.step_of(plan_key_, may_remember());
  return move.plan;
}

// The same for steps that run code.
std::uint32_t PlainSteps::plan_of_moved(Table& table, std::span<const Moved> moved) {
  if (!may_plan(table)) return kNone;
  plan_key_.assign(1, kNone);  // is no move
  for (const auto& [slot, edge, target] : moved) {
    plan_key_.insert(plan_key_.end(), {slot, locals_[slot]->number, edge, target});
  }
  return table.plans.step_of(plan_key_, may_remember());
}

std::uint64_t* PlainSteps::follow_plan(Table& table, std::uint32_t step, ActionId action) {
  const Plans::Plan* plan = table.plans.find(step, record_);
  // what is in a slot may be nested deeper than when the plan was made
  if (plan == nullptr || plan->depth + network_.trees.depth() > kNestingLimit) return nullptr;
  if (plan->is_error) out_->errors.push_back(out_->size());
  const std::size_t at = out_->words.size();
  out_->words.resize(at + stride_);
  out_->actions.push_back(action);
  std::uint64_t* words = out_->words.data() + at;
  table.plans.follow(*plan, record_, words);
  return words;
}

void PlainSteps::remember_plan(Table& table, std::uint32_t step) {
  const Shape& after = network_.shape(unpacked_.shape);
  PlanDraft draft(stride_);
  draft.depth = std::ranges::max(after.slot_depth);
  // one that is there was not followed since something may be nested too deep
  if (!may_remember() || draft.depth + network_.trees.depth() > kNestingLimit) return;
  draft.is_error = unpacked_.locals.size() == 1 && unpacked_.locals[0] == kErrorLocal;
  layout_.shape_field().set(draft.set.data(), unpacked_.shape);
  for (std::size_t i = 0; i < unpacked_.values.size(); ++i) {
    const Field& field = layout_.value_field(i);
    if (std::ranges::find(stored_, i) == stored_.end()) {
      draft.copy(field, field);
    } else {
      field.set(draft.set.data(), static_cast<std::uint64_t>(unpacked_.values[i] - layout_.value_base(i)));
    }
  }
  const std::span<const std::uint32_t> origins = builder_.origins();
  for (std::size_t slot = 0; slot < origins.size(); ++slot) {
    const Field& field = layout_.slot_field(unpacked_.shape, slot);
    if (origins[slot] != kNone) {
      draft.copy(layout_.slot_field(shape_, origins[slot]), field);
    } else {
      field.set(draft.set.data(), layout_.local_number(unpacked_.shape, slot, unpacked_.locals[slot]));
    }
  }
  looked_at_.clear();
  for (const std::uint32_t slot : builder_.looked_at()) looked_at_.push_back(layout_.slot_field(shape_, slot));
  table.plans.add(step, record_, looked_at_, draft);
}

}  // namespace fairlead
