#include "explore/state_rules.hpp"

#include <algorithm>

namespace fairlead {

bool ValueType::has(std::int32_t word, const Values& values) const {
  if (word < 0 || static_cast<std::size_t>(word) >= values.count() || values.kind(word) != kind) return false;
  return kind != ValueKind::kOpaque || std::ranges::binary_search(opaque, word);
}

bool StateRules::allow(const Unpacked& state, const Network& network) const {
  const Values* const values = network.calls.values();
  return values != nullptr && allow_words(state.values, *values) && allow_locals(state, network.shape(state.shape));
}

bool StateRules::allow_words(std::span<const std::int32_t> shared, const Values& values) const {
  for (const auto& [variable, type] : words) {
    if (!types[type].has(shared[variable], values)) return false;
  }
  for (const BufferRule& rule : buffers) {
    const std::size_t stride = 1 + std::size_t{rule.capacity} * rule.width;
    for (std::size_t i = 0; i < rule.count; ++i) {
      if (!allow_buffer(rule, shared.subspan(rule.base + i * stride, stride), values)) return false;
    }
  }
  return true;
}

bool StateRules::allow_buffer(const BufferRule& rule, std::span<const std::int32_t> buffer,
                              const Values& values) const {
  const std::int32_t length = buffer[0];
  if (length < 0 || static_cast<std::uint32_t>(length) > rule.capacity) return false;
  const std::size_t used = 1 + static_cast<std::size_t>(length) * rule.width;
  for (std::size_t at = 1; at < used; at += rule.width) {
    std::size_t form = 0;
    std::size_t field = at;
    if (rule.forms.size() > 1) {
      if (buffer[at] < 0 || static_cast<std::size_t>(buffer[at]) >= rule.forms.size()) return false;
      form = static_cast<std::size_t>(buffer[at]);
      ++field;
    }
    if (rule.forms.empty()) continue;
    for (const std::uint32_t type : rule.forms[form]) {
      if (type != kNone && !types[type].has(buffer[field], values)) return false;
      ++field;
    }
  }
  return std::ranges::all_of(buffer.subspan(used), [](std::int32_t word) { return word == 0; });
}

bool StateRules::allow_locals(const Unpacked& state, const Shape& shape) const {
  for (const ShapeNode& node : shape.nodes) {
    if (node.slot == kNone) continue;
    const LocalRole role = locals[state.locals[node.slot]];
    switch (node.kind) {
      case NodeKind::kLeaf:
        if (role == LocalRole::kGuard) return false;
        break;
      case NodeKind::kGuarded:
        if (role != LocalRole::kGuard) return false;
        break;
      default:  // what follows in a sequel
        if (role != LocalRole::kProcess) return false;
    }
  }
  return true;
}

}  // namespace fairlead
