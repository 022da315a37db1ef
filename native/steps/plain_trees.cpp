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

// The whole configuration changes: a leaf goes to ERROR, or becomes processes side by side, or a handler interrupts.
bool PlainSteps::emit_anew(const Table& table, ActionId action) {
  moved_.clear();
  layout_.unpack(record_, unpacked_);
  for (const Part& part : parts_) {
    const Move& move = table.moves[part.move];
    moved_.push_back({part.slot, move.edge, move.target});
    for (const auto& [variable, value] : network_.stores(move.first_store, move.store_count)) {
      unpacked_.values[static_cast<std::size_t>(variable)] = value;
    }
  }
  return append_anew(table, action, moved_);
}

// The step after which edges have been taken, and the variables are as in unpacked_.
bool PlainSteps::append_anew(const Table& table, ActionId action, std::span<const Moved> moved) {
  find_places();
  move_parts_.clear();
  for (const auto& [slot, edge, target] : moved) {
    const Content content = content_of(unpacked_.locals[slot]);
    const bool is_internal = content.edges[edge].kind == MoveKind::kInternal;
    // what the step leaves undecided has to be told as well
    const bool leaves_open = content.is_tree() && content.tree->origins[edge].undecided_count != 0;
    if (leaves_open || (table.skeleton.is_handler(slot) && (is_internal || table.skeleton.hides_any(slot)))) {
      throw LeftToGeneralWay{};
    }
    move_parts_.push_back({first_leaves_[slot] + (content.is_tree() ? content.tree->origins[edge].leaf : 0), target});
  }
  const TreeBuilder::Ref before = builder_.load(network_.shape(shape_), unpacked_.locals);
  const TreeBuilder::Ref after =
      builder_.with_errors_collapsed(builder_.rewrite(before, TreeStep{move_parts_, {}, unpacked_.values}));
  if (builder_.info(after).depth > kNestingLimit) throw CompositionFault{};
  builder_.unfold(after, unpacked_);
  if (!layout_.fits(unpacked_) && !(tables_may_grow() && layout_.admit_in_place(unpacked_))) {
    misfit_ = Misfit{Misfit::What::kConfiguration, unpacked_.shape, 0, 0, unpacked_};
    return false;
  }
  if (unpacked_.locals.size() == 1 && unpacked_.locals[0] == kErrorLocal) out_->errors.push_back(out_->size());
  layout_.pack(unpacked_, new_record(action));
  return true;
}

void PlainSteps::find_places() {
  const Shape& shape = network_.shape(shape_);
  first_leaves_.assign(shape.slot_process.size(), 0);
  std::uint32_t leaf = 0;
  for (const ShapeNode& node : shape.nodes) {  // nodes come before their children, so slots are in order
    if (node.op != nullptr) continue;
    first_leaves_[node.slot] = leaf;
    const LocalId content = unpacked_.locals[node.slot];
    const bool is_tree = network_.position_of(content) == kTreePosition;
    leaf += is_tree ? builder_.info(builder_.in_slot(content, kNone)).leaf_count : 1;
  }
}

}  // namespace fairlead
