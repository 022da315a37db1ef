#include "python/source.hpp"

#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

namespace nb = nanobind;

namespace fairlead {

void PythonSource::position(std::uint32_t number) {
  nb::gil_scoped_acquire lock;
  target_.attr("position")(number);
}

Composition PythonSource::compose(LocalId local, ProcessId process, std::span<const std::int32_t> values,
                                  bool quietly) {
  nb::gil_scoped_acquire lock;
  const nb::object answer =
      target_.attr("compose")(local, process, std::vector<std::int32_t>(values.begin(), values.end()), quietly);
  if (answer.is_none()) return {};
  auto [tree, reads] = nb::cast<std::pair<TreeId, std::vector<std::uint32_t>>>(answer);
  return {tree, std::move(reads)};
}

void PythonSource::report_nesting() {
  nb::gil_scoped_acquire lock;
  target_.attr("report_nesting")();
}

MemberKind PythonSource::member(GroupId group, LocalId local) {
  nb::gil_scoped_acquire lock;
  const auto [process, tallies] = nb::cast<std::pair<ProcessId, std::vector<std::pair<std::int32_t, std::int32_t>>>>(
      target_.attr("member")(group, local));
  MemberKind kind{process, {}};
  for (const auto& [variable, weight] : tallies) kind.tallies.push_back(Tally{variable, weight});
  return kind;
}

std::vector<LocalId> PythonSource::components(GroupId group, LocalId composite) {
  nb::gil_scoped_acquire lock;
  return nb::cast<std::vector<LocalId>>(target_.attr("components")(group, composite));
}

CallAnswer PythonSource::call(std::int32_t function, std::span<const std::int32_t> arguments) {
  nb::gil_scoped_acquire lock;
  const nb::object answer =
      target_.attr("call")(function, std::vector<std::int32_t>(arguments.begin(), arguments.end()));
  const auto [failed, word, bytes] = nb::cast<std::tuple<bool, std::int32_t, std::uint64_t>>(answer);
  return CallAnswer{failed, word, bytes};
}

std::string PythonSource::text(std::int32_t value) {
  const Values* const values = calls_.values();
  if (values != nullptr && values->kind(value) != ValueKind::kOpaque) return values->text(value);
  nb::gil_scoped_acquire lock;
  return nb::cast<std::string>(target_.attr("text")(value));
}

}  // namespace fairlead
