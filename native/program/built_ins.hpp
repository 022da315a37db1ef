// The functions of the library that is built in, on containers and integers. Python has them too: there they are easy to read,
// and it alone defines what a failure is.
#pragma once

#include <optional>
#include <string_view>

#include "program/scratch.hpp"

namespace fairlead {

// A function as an operand of code: what to do, and the kind of container it belongs to.
using BuiltIn = std::int32_t;
inline constexpr BuiltIn kNoBuiltIn = -1;

// The function that Python knows by a name ("value Queue.Dequeue", "effect Queue.Dequeue", "new Queue", "Abs"); kNoBuiltIn if
// there is none here.
BuiltIn find_built_in(std::string_view name);
// The kind of arrays that are gathered by a function, kOpaque if it does not gather.
ValueKind gathered_kind(BuiltIn function);
// Whether it gives a container; which of its arguments are containers, as bits.
bool gives_container(BuiltIn function);
std::uint32_t container_arguments(BuiltIn function);

// The value of a function: an integer or a container, which may be new in the scratch; nothing if the function fails.
std::optional<std::int32_t> apply(BuiltIn function, std::span<const std::int32_t> arguments, const Values& values,
                                  Scratch& scratch);

}  // namespace fairlead
