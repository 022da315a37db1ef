// What expanding a state gives: its successors, or what kept one of them from being packed.
#pragma once

#include "program/layout.hpp"

namespace fairlead {

// There are two ways to find successors. Both find the same ones, but not in the same order.
enum class StepWay : std::uint8_t { kPlain, kGeneral };

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

// That a variable has no room for a value. `filled` is the buffer into which a message was put last.
inline Misfit value_misfit(const Unpacked& state, std::size_t variable, std::int32_t value, const Buffer& filled) {
  const auto slot = static_cast<std::int32_t>(variable);
  if (slot <= filled.first || slot >= filled.first + filled.stride) {
    return Misfit{Misfit::What::kValue, state.shape, variable, value, {}};
  }
  // The messages behind it will soon need the same room: with room for twice as many, a buffer that fills up
  // makes all states be packed again a few times, not at each message.
  Unpacked wider = state;
  const std::int32_t end = std::min(filled.first + filled.stride, slot + (slot - filled.first) + 2 * filled.width);
  for (std::int32_t other = slot; other < end; other += filled.width) {
    wider.values[static_cast<std::size_t>(other)] = value;
  }
  return Misfit{Misfit::What::kConfiguration, state.shape, 0, 0, std::move(wider)};
}

}  // namespace fairlead
