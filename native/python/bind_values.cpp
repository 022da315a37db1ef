// Values that are not integers, and the functions on them that are built in.
#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "program/built_ins.hpp"
#include "python/bind.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace fairlead {
namespace {

std::vector<std::int32_t> words_of(const Values& values, std::int32_t number) {
  std::vector<std::int32_t> words;
  values.read(number, words);
  return words;
}

void check(const Values& values, std::int32_t number) {
  if (number < 0 || static_cast<std::size_t>(number) >= values.count()) throw nb::index_error("there is no such value");
}

}  // namespace

void bind_values(nb::module_& module) {
  nb::enum_<ValueKind>(module, "ValueKind", "What kind of value a number stands for.")
      .value("OPAQUE", ValueKind::kOpaque)
      .value("INTEGERS", ValueKind::kIntegers)
      .value("BOOLEANS", ValueKind::kBooleans)
      .value("SET", ValueKind::kSet)
      .value("LIST", ValueKind::kList)
      .value("QUEUE", ValueKind::kQueue)
      .value("STACK", ValueKind::kStack)
      .value("HASH_TABLE", ValueKind::kHashTable);

  nb::class_<Values>(module, "Values", "The values of a model that are not integers, by number.")
      .def(nb::init<>())
      .def_prop_ro("count", &Values::count)
      .def_prop_ro("memory_bytes", &Values::bytes)
      .def(
          "intern",
          [](Values& self, ValueKind kind, const std::vector<std::int32_t>& words) {
            return self.intern(kind, words, nullptr);
          },
          "kind"_a, "words"_a, "The number of a container.")
      .def("add_opaque", &Values::add_opaque, "The number of a new value of which only Python knows more.")
      .def(
          "kind",
          [](const Values& self, std::int32_t number) {
            check(self, number);
            return self.kind(number);
          },
          "number"_a)
      .def(
          "words",
          [](const Values& self, std::int32_t number) {
            check(self, number);
            return words_of(self, number);
          },
          "number"_a, "The items of a container.")
      .def(
          "text",
          [](const Values& self, std::int32_t number) {
            check(self, number);
            return self.text(number);
          },
          "number"_a, "A container as it stands in event names.")
      .def(
          "encoded",
          [](const Values& self, std::int32_t number) {
            check(self, number);
            const auto run = self.encoded(number);
            return nb::bytes(run.data(), run.size());
          },
          "number"_a, "A container as bytes; none for any other value.")
      .def(
          "restore",
          [](Values& self, const nb::bytes& run) {
            return self.restore({static_cast<const std::uint8_t*>(run.data()), run.size()});
          },
          "run"_a, "The number of a container that was encoded.")
      .def(
          "apply",
          [](Values& self, BuiltIn function, const std::vector<std::int32_t>& words) -> std::optional<std::int32_t> {
            Scratch scratch;
            const auto found = apply(function, words, self, scratch);
            if (!found || !gives_container(function)) return found;
            return Scratch::has(*found) ? self.intern(scratch.kind(*found), scratch.items(*found), nullptr) : *found;
          },
          "function"_a, "words"_a, "The value of a function that is built in; none if it fails.");

  module.attr("NO_BUILT_IN") = kNoBuiltIn;
  module.def(
      "built_in", [](const std::string& name) { return find_built_in(name); }, "name"_a,
      "The number of the function that has a name here.");
  module.def("gathered_kind", &gathered_kind, "function"_a, "The kind of arrays that a function gathers.");
}

}  // namespace fairlead
