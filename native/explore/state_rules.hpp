// What states from a file must be like, so that the engine can work on them: what the network alone does not know.
#pragma once

#include "program/layout.hpp"
#include "program/values.hpp"

namespace fairlead {

// What a local state can be in a configuration.
enum class LocalRole : std::uint8_t {
  kProcess,  // the local state of a process
  kGuard,    // that of the guard of a composite process
  kTree,     // it stands for a tree (kTreePosition)
  kCounted,  // it stands for counted processes
};

// A type whose words are numbers of values: containers of one kind, or those of the values that only Python knows.
struct ValueType {
  ValueKind kind = ValueKind::kOpaque;
  std::vector<std::int32_t> opaque;  // ascending

  [[nodiscard]] bool has(std::int32_t word, const Values& values) const;
};

// The buffers of a channel: `count` of them, each its length and room for `capacity` messages of `width` words. Room that is
// not used holds 0. `forms` are the types of the fields by form, kNone for any word; where there are several, a message
// begins with the number of its form.
struct BufferRule {
  std::uint32_t base = 0;
  std::uint32_t count = 0;
  std::uint32_t capacity = 0;
  std::uint32_t width = 0;
  std::vector<std::vector<std::uint32_t>> forms;
};

struct StateRules {
  std::vector<ValueType> types;
  std::vector<std::pair<std::uint32_t, std::uint32_t>> words;  // variables that hold values, and of which type
  std::vector<BufferRule> buffers;
  std::vector<LocalRole> locals;  // by local state

  // Whether a configuration keeps them. Its shape and its local states are known to the network.
  [[nodiscard]] bool allow(const Unpacked& state, const Network& network) const;

 private:
  [[nodiscard]] bool allow_words(std::span<const std::int32_t> shared, const Values& values) const;
  [[nodiscard]] bool allow_buffer(const BufferRule& rule, std::span<const std::int32_t> buffer,
                                  const Values& values) const;
  [[nodiscard]] bool allow_locals(const Unpacked& state, const Shape& shape) const;
};

}  // namespace fairlead
