#include "steps/symmetry.hpp"

#include <algorithm>
#include <limits>
#include <numeric>

namespace fairlead {

namespace {
constexpr std::uint64_t kSalt = 0x9e3779b97f4a7c15ull;
constexpr std::uint64_t kOther = 0xd6e8feb86659fd93ull;
// Where a fact involves two members, what is known of one tells something about the other. It is passed on so often.
constexpr int kRounds = 3;

std::uint64_t with(std::uint64_t hash, std::uint64_t part) { return mix(hash ^ part, kOther); }
}  // namespace

void Symmetry::add_kind(const std::vector<std::vector<std::int32_t>>& own) {
  std::int32_t low = std::numeric_limits<std::int32_t>::max();
  std::int32_t high = std::numeric_limits<std::int32_t>::min();
  for (const std::vector<std::int32_t>& block : own) {
    for (const std::int32_t number : block) {
      low = std::min(low, number);
      high = std::max(high, number);
    }
  }
  NumberKind& kind = kinds.emplace_back();
  if (own.empty()) return;
  kind.low = low;
  kind.members.assign(static_cast<std::size_t>(std::int64_t{high} - low + 1), kNone);
  for (const std::vector<std::int32_t>& block : own) {
    blocks.push_back({static_cast<std::uint32_t>(numbers.size()), static_cast<std::uint32_t>(block.size())});
    for (const std::int32_t number : block) {
      kind.members[static_cast<std::size_t>(number - low)] = static_cast<std::uint32_t>(numbers.size());
      numbers.push_back(number);
    }
  }
}

bool Representatives::replace(std::span<std::uint64_t> words, std::size_t stride) {
  for (std::size_t at = 0; at < words.size(); at += stride) {
    if (!replace(words.data() + at)) return false;
  }
  return true;
}

bool Representatives::replace(std::uint64_t* words) {
  if (layout_.shape_of(words) != symmetry_.shape) return true;
  layout_.unpack(words, before_);
  if (!applies_to(before_)) return true;
  exchange(before_);
  bool stays = true;
  for (std::uint32_t member = 0; member < to_.size(); ++member) stays &= to_[member] == member;
  if (stays) return true;
  apply(before_, after_);
  if (!layout_.fits(after_)) {
    misfit_ = Misfit{Misfit::What::kConfiguration, after_.shape, 0, 0, after_};
    return false;
  }
  layout_.pack(after_, words);
  return true;
}

// The leaves of a tree show its owner, so that it is not put into the slot of another process.
bool Representatives::applies_to(const Unpacked& state) const {
  return state.shape == symmetry_.shape && std::ranges::none_of(state.locals, [&](LocalId content) {
           return network_.position_of(content) == kTreePosition;
         });
}

const std::vector<std::uint32_t>& Representatives::exchange(const Unpacked& state) {
  gather(state);
  refine();
  order();
  return to_;
}

template <typename Visit>
void Representatives::for_each_place(const PlaceFamily& family, Visit&& visit) {
  const std::size_t width = family.blocks.size();
  tuple_.assign(width, 0);
  for (std::size_t i = 0; i < width; ++i) tuple_[i] = symmetry_.blocks[family.blocks[i]].first;
  for (const std::uint32_t place : family.places) {
    if (place != kNone) visit(place, std::span<const std::uint32_t>(tuple_));
    for (std::size_t i = width; i-- > 0;) {  // the next tuple
      const Symmetry::Block& block = symmetry_.blocks[family.blocks[i]];
      if (++tuple_[i] < block.first + block.count) break;
      tuple_[i] = block.first;
    }
  }
}

// A number tells which member is involved, or (if it is none) itself.
void Representatives::involve(std::uint32_t kind, std::int32_t number, std::uint64_t& what) {
  const std::uint32_t member = kind == kNone ? kNone : symmetry_.kinds[kind].member(number);
  if (member == kNone) {
    what = with(what, static_cast<std::uint32_t>(number));
  } else {
    involved_.push_back(member);
    what = with(what, kSalt);
  }
}

void Representatives::gather(const Unpacked& state) {
  facts_.clear();
  involved_.clear();
  std::uint64_t family_number = 0;
  const auto add = [&](std::span<const std::uint32_t> members, auto&& contents) {
    const auto first = static_cast<std::uint32_t>(involved_.size());
    std::uint64_t what = with(kSalt, family_number);
    involved_.insert(involved_.end(), members.begin(), members.end());
    contents(what);
    facts_.push_back({what, first, static_cast<std::uint32_t>(involved_.size()) - first});
  };
  for (const PlaceFamily& family : symmetry_.variables) {
    ++family_number;
    for_each_place(family, [&](std::uint32_t slot, std::span<const std::uint32_t> members) {
      add(members, [&](std::uint64_t& what) { involve(family.holds, state.values[slot], what); });
    });
  }
  for (const PlaceFamily& family : symmetry_.leaves) {
    ++family_number;
    for_each_place(family, [&](std::uint32_t slot, std::span<const std::uint32_t> members) {
      const LocalId local = state.locals[slot];
      const std::uint32_t position = network_.position_of(local);
      const auto parameters = network_.parameters(local);
      add(members, [&](std::uint64_t& what) {
        what = with(what, position);
        for (std::size_t i = 0; i < parameters.size(); ++i) {
          involve(symmetry_.parameter_kind(position, i), parameters[i], what);
        }
      });
    });
  }
}

void Representatives::refine() {
  colours_.resize(symmetry_.numbers.size());
  for (std::uint32_t block = 0; block < symmetry_.blocks.size(); ++block) {
    const Symmetry::Block& own = symmetry_.blocks[block];
    std::fill_n(colours_.begin() + own.first, own.count, with(kSalt, block));
  }
  int rounds = 1;
  for (int round = 0; round < rounds; ++round) {
    heard_.assign(colours_.size(), 0);
    for (const Fact& fact : facts_) {
      const std::span<const std::uint32_t> members(involved_.data() + fact.first, fact.count);
      for (std::size_t own = 0; own < members.size(); ++own) {
        std::uint64_t told = with(fact.what, own);
        for (std::size_t other = 0; other < members.size(); ++other) {
          if (members[other] == members[own]) {
            told = with(told, kSalt);
          } else {
            told = with(told, colours_[members[other]]);
            rounds = kRounds;
          }
        }
        heard_[members[own]] += told;  // in whatever order
      }
    }
    for (std::size_t member = 0; member < colours_.size(); ++member) {
      colours_[member] = with(colours_[member], heard_[member]);
    }
  }
}

void Representatives::order() {
  to_.resize(symmetry_.numbers.size());
  for (const Symmetry::Block& block : symmetry_.blocks) {
    sorted_.resize(block.count);
    std::iota(sorted_.begin(), sorted_.end(), block.first);
    std::sort(sorted_.begin(), sorted_.end(), [&](std::uint32_t a, std::uint32_t b) {
      return colours_[a] != colours_[b] ? colours_[a] < colours_[b] : a < b;
    });
    for (std::uint32_t rank = 0; rank < block.count; ++rank) to_[sorted_[rank]] = block.first + rank;
  }
}

void Representatives::apply(const Unpacked& before, Unpacked& after) {
  after = before;
  const auto moved = [&](const PlaceFamily& family, std::span<const std::uint32_t> members) {
    std::size_t at = 0;
    for (std::size_t i = 0; i < members.size(); ++i) {
      const Symmetry::Block& block = symmetry_.blocks[family.blocks[i]];
      at = at * block.count + (to_[members[i]] - block.first);
    }
    return family.places[at];
  };
  for (const PlaceFamily& family : symmetry_.variables) {
    for_each_place(family, [&](std::uint32_t slot, std::span<const std::uint32_t> members) {
      after.values[moved(family, members)] = renamed(family.holds, before.values[slot]);
    });
  }
  for (const PlaceFamily& family : symmetry_.leaves) {
    for_each_place(family, [&](std::uint32_t slot, std::span<const std::uint32_t> members) {
      after.locals[moved(family, members)] = renamed(before.locals[slot]);
    });
  }
}

std::int32_t Representatives::renamed(std::uint32_t kind, std::int32_t number) const {
  if (kind == kNone) return number;
  const std::uint32_t member = symmetry_.kinds[kind].member(number);
  return member == kNone ? number : symmetry_.numbers[to_[member]];
}

LocalId Representatives::renamed(LocalId local) {
  const std::uint32_t position = network_.position_of(local);
  const auto parameters = network_.parameters(local);
  parameters_.assign(parameters.begin(), parameters.end());
  bool changed = false;
  for (std::size_t i = 0; i < parameters_.size(); ++i) {
    const std::int32_t number = renamed(symmetry_.parameter_kind(position, i), parameters_[i]);
    changed |= number != parameters_[i];
    parameters_[i] = number;
  }
  return changed ? network_.intern_local(position, parameters_) : local;
}

}  // namespace fairlead
