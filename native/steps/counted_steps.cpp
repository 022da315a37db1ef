// Steps in which counted processes take part.
#include <algorithm>

#include "steps/stepper.hpp"

namespace fairlead {

// The moves of each counted process, and their handshakes among themselves. They terminate together.
void Stepper::counted_moves(std::uint32_t leaf, LocalId counted) {
  const std::size_t first = moves_.size();
  for_each_member(leaf, counted, [&](const Mover& mover, const LocalState& own) { edge_moves(mover, own); });
  const bool all_end = network_.member_count(counted) == 1 && network_.member(counted, 0).local == kSkipLocal;
  for (std::size_t i = first; i < moves_.size(); ++i) {
    if (moves_[i].kind != MoveKind::kTermination) continue;
    tree_parts_[moves_[i].first_part].member = kNone;
    moves_[i].restructures = true;
  }
  if (!all_end) {
    const auto begin = moves_.begin() + static_cast<std::ptrdiff_t>(first);
    moves_.erase(
        std::remove_if(begin, moves_.end(), [](const Move& move) { return move.kind == MoveKind::kTermination; }),
        moves_.end());
  }
  const std::size_t last = moves_.size();
  for (std::size_t i = first; i < last; ++i) {
    for (std::size_t j = first; j < last; ++j) {
      if (moves_[i].kind != MoveKind::kSend || moves_[j].kind != MoveKind::kReceive) continue;
      if (!are_two(tree_parts_[moves_[i].first_part], tree_parts_[moves_[j].first_part])) continue;
      handshake(Move(moves_[i]), Move(moves_[j]));
    }
  }
}

bool Stepper::are_two(const Part& part, const Part& other) const {
  if (part.member == kNone || other.member == kNone) return false;
  if (part.member != other.member) return true;
  const LocalId counted = state_.locals[slot_of(part.leaf)];
  for (std::size_t i = 0; i < network_.member_count(counted); ++i) {
    const Member member = network_.member(counted, i);
    if (member.local == part.member) return member.count > 1;
  }
  return false;
}

void Stepper::place_counted(const Setting& setting, std::span<const Part> parts, std::size_t first) {
  while (first < parts.size() && (parts[first].member == kNone || is_placed(parts[first].leaf))) ++first;
  if (first == parts.size()) {
    place(setting);
    return;
  }
  if (possible_.size() <= placing_) possible_.resize(placing_ + 1);
  find_possible(parts.subspan(first), possible_[placing_]);
  ++placing_;
  for (std::size_t i = 0; i < possible_[placing_ - 1].size(); ++i) {
    const LocalId after = possible_[placing_ - 1][i];
    const std::size_t written = scope_.written.size();
    if (after != kErrorLocal) {
      network_.tally(after, tallies_);
      for (const Tally& total : tallies_) scope_.put(total.variable, total.weight);
    }
    move_parts_.push_back(MovePart{parts[first].leaf, after});
    place_counted(setting, parts, first + 1);
    move_parts_.pop_back();
    scope_.undo_to(written);
  }
  --placing_;
}

void Stepper::find_possible(std::span<const Part> parts, std::vector<LocalId>& possible) {
  possible.clear();
  const std::uint32_t leaf = parts[0].leaf;
  member_moves_.clear();
  for (const Part& part : parts) {
    if (part.leaf != leaf) continue;
    member_moves_.push_back(MemberMove{part.member, part.target});
    if (part.target == kErrorLocal) {
      possible.assign(1, kErrorLocal);
      return;
    }
  }
  const std::uint32_t kept = member_moves_.size() == 1 ? parts[0].after_edge : kNone;
  if (kept != kNone && network_.after_edge(kept).first != kNone) {
    const AfterEdge& known = network_.after_edge(kept);
    possible.push_back(known.first);
    if (known.second != kNone) possible.push_back(known.second);
    return;
  }
  network_.after_moving(state_.locals[slot_of(leaf)], member_moves_, possible);
  if (kept == kNone || !tables_may_grow()) return;
  network_.after_edge(kept) = AfterEdge{possible[0], possible.size() > 1 ? possible[1] : kNone};
}

bool Stepper::is_placed(std::uint32_t leaf) const {
  return std::any_of(move_parts_.begin(), move_parts_.end(), [&](const MovePart& part) { return part.leaf == leaf; });
}

// Where there is a cutoff, it must be known which local states are left and entered: a run that does not end cannot
// fill one up without emptying it. Who goes back to where it was does neither.
ActionId Stepper::with_moves(ActionId action, std::span<const Part> parts) {
  LocalEdge& only = *parts[0].edge;
  const bool fixed =
      parts.size() == 1 && parts[0].after_edge != kNone && only.owner == parts[0].process && only.action == action;
  if (fixed && only.moving != kNone) return only.moving;
  processes_.clear();
  entered_.clear();
  bool bounded = true;
  for (const Part& part : parts) {
    if (part.member == kNone || part.target == kErrorLocal) continue;
    const GroupId group = network_.group_of(state_.locals[slot_of(part.leaf)]);
    if (network_.cutoff(group) == kExact) continue;
    bounded = false;
    const std::span<const LocalId> targets = network_.arriving(group, part.target);
    if (targets.size() == 1 && targets[0] == part.member) continue;
    processes_.push_back(part.process);
    for (const LocalId to : targets) entered_.push_back(network_.member_kind(group, to).process);
  }
  if (bounded) return action;
  const auto unique = [](std::vector<ProcessId>& processes) {
    std::sort(processes.begin(), processes.end());
    processes.erase(std::unique(processes.begin(), processes.end()), processes.end());
  };
  unique(processes_);
  unique(entered_);
  const ActionId found = network_.labels.with_moves(action, processes_, entered_);
  if (fixed && tables_may_grow()) only.moving = found;
  return found;
}

}  // namespace fairlead
