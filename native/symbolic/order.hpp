// An order of the parts of a state in which what belongs together is close together.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace fairlead {

// An order of the items 0 .. count-1 (a permutation) in which the `groups` span few levels. Hubs come first, the items that
// very many groups have: what is below depends on their values, and would have to be remembered above them. The others are
// ordered breadth first through the items
// that have a group in common (Cuthill and McKee, 1969), then each item moves to the centre of its groups as long as that
// helps (FORCE: Aloul, Markov and Sakallah, 2003). It depends on the groups alone.
std::vector<std::uint32_t> order_items(std::size_t count, std::span<const std::vector<std::uint32_t>> groups);

// How many levels the groups span in an order, added up.
std::uint64_t total_span(std::span<const std::uint32_t> order, std::span<const std::vector<std::uint32_t>> groups);

}  // namespace fairlead
