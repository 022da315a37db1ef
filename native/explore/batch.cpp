#include "explore/batch.hpp"

#include <algorithm>

namespace fairlead {

void Batch::add_source(StateId state, bool distinct, StepWay way, const Store& store) {
  const std::size_t stride = store.stride();
  const std::size_t from = hashes.size();
  for (std::size_t i = from; i < successors.size(); ++i) {
    hashes.push_back(store.hash(successors.words.data() + i * stride));
  }
  if (!distinct) remove_duplicates(from, stride);
  sources.push_back({state, static_cast<std::uint32_t>(hashes.size()), way});
}

// Leaves out successors, from one on, that are the same state by the same action as one before.
void Batch::remove_duplicates(std::size_t from, std::size_t stride) {
  const auto same = [&](std::size_t i, std::size_t j) {
    return hashes[i] == hashes[j] && successors.actions[i] == successors.actions[j] &&
           std::equal(&successors.words[i * stride], &successors.words[i * stride] + stride,
                      &successors.words[j * stride]);
  };
  std::vector<std::size_t> repeated;  // only where there are many
  const std::size_t count = hashes.size();
  if (count - from > 64) {
    std::vector<std::size_t> order;
    for (std::size_t i = from; i < count; ++i) order.push_back(i);
    const auto key = [&](std::size_t i) { return std::tuple(hashes[i], successors.actions[i], i); };
    std::sort(order.begin(), order.end(), [&](std::size_t i, std::size_t j) { return key(i) < key(j); });
    // different states with one hash and one action may stand in any order, so all before are examined
    for (std::size_t k = 1; k < order.size(); ++k) {
      for (std::size_t before = k; before-- > 0 && hashes[order[before]] == hashes[order[k]];) {
        if (!same(order[before], order[k])) continue;
        repeated.push_back(order[k]);
        break;
      }
    }
    std::sort(repeated.begin(), repeated.end());
    if (repeated.empty()) return;
  }
  const auto is_repeated = [&](std::size_t i, std::size_t kept) {
    if (count - from > 64) return std::binary_search(repeated.begin(), repeated.end(), i);
    for (std::size_t j = from; j < kept; ++j) {
      if (same(i, j)) return true;
    }
    return false;
  };
  std::size_t kept = from;
  auto error = std::lower_bound(successors.errors.begin(), successors.errors.end(), from);
  auto kept_error = error;
  for (std::size_t i = from; i < count; ++i) {
    const bool is_error = error != successors.errors.end() && *error == i;
    if (is_error) ++error;
    if (is_repeated(i, kept)) continue;
    if (is_error) *kept_error++ = kept;
    if (kept != i) {
      std::copy_n(&successors.words[i * stride], stride, &successors.words[kept * stride]);
      successors.actions[kept] = successors.actions[i];
      hashes[kept] = hashes[i];
    }
    ++kept;
  }
  successors.errors.erase(kept_error, successors.errors.end());
  successors.truncate(kept, stride);
  hashes.resize(kept);
}

}  // namespace fairlead
