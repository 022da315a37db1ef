#include "program/counted.hpp"

#include <algorithm>

#include "program/network.hpp"

namespace fairlead {

GroupId Network::add_group(std::int32_t cutoff) {
  groups_.push_back(CountedGroup{cutoff, false, {}});
  return static_cast<GroupId>(groups_.size() - 1);
}

LocalId Network::intern_counted(GroupId group, std::span<const Member> members) {
  thread_local std::vector<std::int32_t> key;
  key.assign(1, static_cast<std::int32_t>(group));
  for (const Member& member : members) {
    if (member.count == 0) continue;
    key.push_back(static_cast<std::int32_t>(member.local));
    key.push_back(member.count);
  }
  return intern_local(kCountedPosition, key);
}

const MemberKind& Network::member_kind(GroupId group, LocalId local) {
  std::vector<std::unique_ptr<MemberKind>>& kinds = groups_[group].kinds;
  if (kinds.size() <= local || !kinds[local]) {
    require_growth();
    if (kinds.size() <= local) kinds.resize(local + std::size_t{1});
    if (ticker_ != nullptr) ticker_->tick_slowly();
    MemberKind found = source_->member(group, local);
    groups_[group].has_tallies = groups_[group].has_tallies || !found.tallies.empty();
    groups_[group].kinds[local] = std::make_unique<MemberKind>(std::move(found));
  }
  return *groups_[group].kinds[local];
}

std::uint32_t Network::first_after_edge(LocalId counted) {
  if (locals_[counted].first_after_edge == kNone) {
    require_growth();
    std::size_t edges = 0;
    for (std::size_t i = 0; i < member_count(counted); ++i) edges += local(member(counted, i).local).edge_count;
    if (budget_ != nullptr) budget_->charge(edges * sizeof(AfterEdge));
    locals_[counted].first_after_edge = static_cast<std::uint32_t>(after_edges_.size());
    after_edges_.resize(after_edges_.size() + edges);
  }
  return locals_[counted].first_after_edge;
}

std::span<const LocalId> Network::arriving(GroupId group, LocalId target) {
  if (arrivals_.size() <= target || arrivals_[target].empty()) {
    require_growth();
    std::vector<LocalId> found{target};
    if (is_composite(target)) {
      if (ticker_ != nullptr) ticker_->tick_slowly();
      found = source_->components(group, target);
    }
    if (arrivals_.size() <= target) arrivals_.resize(target + std::size_t{1});
    arrivals_[target] = std::move(found);
  }
  return arrivals_[target];
}

namespace {

// One more or one less in a local state of a sorted list.
std::int32_t& count_of(std::vector<Member>& members, LocalId local) {
  const auto at = std::lower_bound(members.begin(), members.end(), local,
                                   [](const Member& member, LocalId other) { return member.local < other; });
  if (at != members.end() && at->local == local) return at->count;
  return members.insert(at, Member{local, 0})->count;
}

}  // namespace

void Network::after_moving(LocalId before, std::span<const MemberMove> moves, std::vector<LocalId>& found) {
  const GroupId group = group_of(before);
  const std::int32_t cutoff = groups_[group].cutoff;
  thread_local std::vector<std::vector<Member>> possible;
  possible.resize(1);
  possible[0].clear();
  for (std::size_t i = 0; i < member_count(before); ++i) possible[0].push_back(member(before, i));
  for (const MemberMove& move : moves) {
    for (std::size_t i = possible.size(); i-- > 0;) {
      std::int32_t& count = count_of(possible[i], move.from);
      if (cutoff == kExact || count <= cutoff) {
        --count;
      } else {  // of many, the cutoff may remain, or still many
        possible.push_back(possible[i]);
        count_of(possible[i], move.from) = cutoff;
      }
    }
  }
  found.clear();
  for (std::vector<Member>& members : possible) {
    for (const MemberMove& move : moves) {
      for (const LocalId to : arriving(group, move.to)) {
        std::int32_t& count = count_of(members, to);
        if (cutoff == kExact || count <= cutoff) ++count;
      }
    }
    const LocalId after = intern_counted(group, members);
    if (std::find(found.begin(), found.end(), after) == found.end()) found.push_back(after);
  }
}

void Network::tally(LocalId counted, std::vector<Tally>& totals) {
  totals.clear();
  const GroupId group = group_of(counted);
  if (!groups_[group].has_tallies) return;
  const std::int32_t cutoff = groups_[group].cutoff;
  for (std::size_t i = 0; i < member_count(counted); ++i) {
    const Member own = member(counted, i);
    for (const Tally& one : member_kind(group, own.local).tallies) {
      auto total = std::find_if(totals.begin(), totals.end(),
                                [&](const Tally& other) { return other.variable == one.variable; });
      if (total == totals.end()) total = totals.insert(total, Tally{one.variable, 0});
      total->weight += one.weight * own.count;
    }
  }
  if (cutoff == kExact) return;
  for (Tally& total : totals) total.weight = std::min(total.weight, cutoff + 1);
}

}  // namespace fairlead
