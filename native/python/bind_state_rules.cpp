// What states from a checkpoint must be like.
#include <nanobind/nanobind.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/vector.h>

#include "explore/state_rules.hpp"
#include "python/bind.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace fairlead {
namespace {

using Types = std::vector<std::uint32_t>;
using Words = std::vector<std::pair<std::uint32_t, std::uint32_t>>;

}  // namespace

void bind_state_rules(nb::module_& module) {
  nb::enum_<LocalRole>(module, "LocalRole", nb::is_arithmetic(), "What a local state can be in a configuration.")
      .value("PROCESS", LocalRole::kProcess)
      .value("GUARD", LocalRole::kGuard)
      .value("TREE", LocalRole::kTree)
      .value("COUNTED", LocalRole::kCounted);
  nb::class_<ValueType>(module, "ValueType", "A type whose words are numbers of values.")
      .def(
          "__init__",
          [](ValueType* self, ValueKind kind, std::vector<std::int32_t> opaque) {
            new (self) ValueType{kind, std::move(opaque)};
          },
          "kind"_a, "opaque"_a, "Containers of a kind, or the values of Python with these numbers, ascending.");
  nb::class_<BufferRule>(module, "BufferRule", "The buffers of a channel, and the types of messages by form.")
      .def(
          "__init__",
          [](BufferRule* self, std::uint32_t base, std::uint32_t count, std::uint32_t capacity, std::uint32_t width,
             std::vector<Types> forms) { new (self) BufferRule{base, count, capacity, width, std::move(forms)}; },
          "base"_a, "count"_a, "capacity"_a, "width"_a, "forms"_a);
  nb::class_<StateRules>(module, "StateRules", "What states from a file must be like.")
      .def(
          "__init__",
          [](StateRules* self, std::vector<ValueType> types, Words words, std::vector<BufferRule> buffers,
             const nb::bytes& locals) {
            new (self) StateRules{std::move(types), std::move(words), std::move(buffers), {}};
            const auto* roles = static_cast<const std::uint8_t*>(locals.data());
            for (std::size_t i = 0; i < locals.size(); ++i) self->locals.push_back(static_cast<LocalRole>(roles[i]));
          },
          "types"_a, "words"_a, "buffers"_a, "locals"_a,
          "Variables that hold values, each with the number of its type; the roles of local states, a byte each.");
}

}  // namespace fairlead
