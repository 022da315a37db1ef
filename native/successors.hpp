// What expanding a state gives: its successors, or what kept one of them from being packed.
#pragma once

#include "layout.hpp"

namespace fairlead {

// Successors of one or more states, side by side: stride words and an action each.
struct SuccessorBuffer {
  std::vector<std::uint64_t> words;
  std::vector<ActionId> actions;
  std::vector<std::size_t> errors;  // which of them are ERROR configurations, ascending

  [[nodiscard]] std::size_t size() const { return actions.size(); }
  void clear() {
    words.clear();
    actions.clear();
    errors.clear();
  }
  void truncate(std::size_t count, std::size_t stride) {
    words.resize(count * stride);
    actions.resize(count);
    while (!errors.empty() && errors.back() >= count) errors.pop_back();
  }
};

// What did not fit into the layout; the caller makes room and expands the state again.
struct Misfit {
  enum class What { kNothing, kValue, kLocal, kConfiguration } what = What::kNothing;
  ShapeId shape = 0;
  std::size_t index = 0;
  std::int64_t value = 0;
  Unpacked configuration;
};

}  // namespace fairlead
