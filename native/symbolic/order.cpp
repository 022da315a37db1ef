#include "symbolic/order.hpp"

#include <algorithm>
#include <iterator>
#include <numeric>

namespace fairlead {

namespace {

using Groups = std::span<const std::vector<std::uint32_t>>;

// An item is a hub if it belongs to more than this part of the groups, where there are so many.
constexpr std::size_t kHubShare = 4;
constexpr std::size_t kLeastGroups = 12;

std::vector<std::uint32_t> places_of(std::span<const std::uint32_t> order) {
  std::vector<std::uint32_t> places(order.size());
  for (std::uint32_t i = 0; i < order.size(); ++i) places[order[i]] = i;
  return places;
}

// Breadth first from a first item, and in each round the items with few groups first.
std::vector<std::uint32_t> breadth_first(std::size_t count, Groups groups) {
  std::vector<std::vector<std::uint32_t>> groups_of(count);
  for (std::uint32_t i = 0; i < groups.size(); ++i) {
    for (const std::uint32_t item : groups[i]) groups_of[item].push_back(i);
  }
  std::vector<std::uint32_t> starts(count);
  std::iota(starts.begin(), starts.end(), 0);
  const auto has_fewer = [&](std::uint32_t one, std::uint32_t other) {
    return groups_of[one].size() < groups_of[other].size();
  };
  std::ranges::stable_sort(starts, has_fewer);
  std::vector<std::uint32_t> order;
  std::vector<std::uint8_t> is_met(count, 0);
  std::vector<std::uint8_t> is_done(groups.size(), 0);
  for (const std::uint32_t start : starts) {
    if (is_met[start] != 0) continue;
    is_met[start] = 1;
    order.push_back(start);
    for (std::size_t at = order.size() - 1; at < order.size(); ++at) {
      const std::size_t first = order.size();
      for (const std::uint32_t group : groups_of[order[at]]) {
        if (is_done[group] != 0) continue;
        is_done[group] = 1;
        for (const std::uint32_t item : groups[group]) {
          if (is_met[item] == 0) order.push_back(item);
          is_met[item] = 1;
        }
      }
      std::stable_sort(order.begin() + static_cast<std::ptrdiff_t>(first), order.end(), has_fewer);
    }
  }
  return order;
}

// Moves each item to the centre of its groups, as long as the groups span fewer levels by that.
std::vector<std::uint32_t> centred(std::vector<std::uint32_t> order, Groups groups) {
  constexpr int kRounds = 60;
  constexpr int kPatience = 8;
  std::vector<std::uint32_t> best = order;
  std::uint64_t least = total_span(best, groups);
  int in_vain = 0;
  for (int round = 0; round < kRounds && in_vain < kPatience; ++round) {
    const std::vector<std::uint32_t> places = places_of(order);
    std::vector<double> sums(order.size(), 0);
    std::vector<double> counts(order.size(), 0);
    for (const auto& group : groups) {
      double centre = 0;
      for (const std::uint32_t item : group) centre += places[item];
      centre /= static_cast<double>(group.size());
      for (const std::uint32_t item : group) {
        sums[item] += centre;
        counts[item] += 1;
      }
    }
    const auto centre_of = [&](std::uint32_t item) {
      return counts[item] > 0 ? sums[item] / counts[item] : places[item];
    };
    std::ranges::stable_sort(order,
                             [&](std::uint32_t one, std::uint32_t other) { return centre_of(one) < centre_of(other); });
    const std::uint64_t span = total_span(order, groups);
    ++in_vain;
    if (span < least) {
      least = span;
      best = order;
      in_vain = 0;
    }
  }
  return best;
}

}  // namespace

std::uint64_t total_span(std::span<const std::uint32_t> order, Groups groups) {
  const std::vector<std::uint32_t> places = places_of(order);
  std::uint64_t total = 0;
  for (const auto& group : groups) {
    if (group.empty()) continue;
    std::uint32_t low = places[group[0]];
    std::uint32_t high = low;
    for (const std::uint32_t item : group) {
      low = std::min(low, places[item]);
      high = std::max(high, places[item]);
    }
    total += high - low;
  }
  return total;
}

std::vector<std::uint32_t> order_items(std::size_t count, Groups groups) {
  std::vector<std::size_t> degrees(count, 0);
  for (const auto& group : groups) {
    for (const std::uint32_t item : group) ++degrees[item];
  }
  std::vector<std::uint32_t> order;
  for (std::uint32_t item = 0; item < count; ++item) {
    if (kHubShare * degrees[item] > groups.size()) order.push_back(item);
  }
  if (2 * order.size() > count || groups.size() < kLeastGroups) order.clear();
  const auto is_hub = [&](std::uint32_t item) { return std::ranges::find(order, item) != order.end(); };
  std::vector<std::vector<std::uint32_t>> others;
  for (const auto& group : groups) {
    std::vector<std::uint32_t>& kept = others.emplace_back();
    std::ranges::copy_if(group, std::back_inserter(kept), [&](std::uint32_t item) { return !is_hub(item); });
    if (kept.empty()) others.pop_back();
  }
  std::vector<std::uint32_t> natural(count);
  std::iota(natural.begin(), natural.end(), 0);
  std::vector<std::uint32_t> best = centred(natural, others);
  const std::vector<std::uint32_t> second = centred(breadth_first(count, others), others);
  if (total_span(second, others) < total_span(best, others)) best = second;
  std::ranges::copy_if(best, std::back_inserter(order),
                       [hubs = order](std::uint32_t item) { return std::ranges::find(hubs, item) == hubs.end(); });
  return order;
}

}  // namespace fairlead
