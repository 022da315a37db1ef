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

Rewrite PythonSource::rewrite(ShapeId shape, std::span<const LocalId> locals, MoveKind kind,
                              std::span<const MovePart> parts, std::span<const std::uint32_t> undecided,
                              std::span<const std::int32_t> values, bool& cacheable) {
  nb::gil_scoped_acquire lock;
  std::vector<std::pair<std::uint32_t, LocalId>> moved;
  for (const MovePart& part : parts) moved.emplace_back(part.slot, part.target);
  const nb::object answer =
      target_.attr("rewrite")(shape, std::vector<LocalId>(locals.begin(), locals.end()), kind, moved,
                              std::vector<std::uint32_t>(undecided.begin(), undecided.end()),
                              std::vector<std::int32_t>(values.begin(), values.end()));
  const auto [next, slots, fixed] =
      nb::cast<std::tuple<ShapeId, std::vector<std::pair<bool, std::uint32_t>>, bool>>(answer);
  cacheable = fixed;
  Rewrite result{next, {}};
  for (const auto& [is_slot, number] : slots) result.slots.push_back({is_slot, number});
  return result;
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
  nb::gil_scoped_acquire lock;
  return nb::cast<std::string>(target_.attr("text")(value));
}

}  // namespace fairlead
