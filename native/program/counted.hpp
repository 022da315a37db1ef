// Counted processes: identical processes side by side, of which only is known how many are in each local state.
//
// All of them are one leaf. Its local state is interned as any other: position kCountedPosition, and as parameters the
// group, then a local state and how many are there, sorted by local state.
#pragma once

#include "program/labels.hpp"

namespace fairlead {

using GroupId = std::uint32_t;

inline constexpr std::uint32_t kCountedPosition = 0xfffffffe;
// The cutoff of a group whose processes are counted exactly.
inline constexpr std::int32_t kExact = -1;

// So many processes in a local state.
struct Member {
  LocalId local;
  std::int32_t count;
};

// A process leaves one local state for another.
struct MemberMove {
  LocalId from;
  LocalId to;
};

// A shared variable that counts processes, and what each of them counts.
struct Tally {
  std::int32_t variable;
  std::int32_t weight;
};

// What is known of the processes of a group in one local state: they have one name.
struct MemberKind {
  ProcessId process = kNone;
  std::vector<Tally> tallies;
};

// What may become of counted processes when one of them takes an edge: one local state of the group or two.
struct AfterEdge {
  LocalId first = kNone;  // not known yet
  LocalId second = kNone;
};

struct CountedGroup {
  std::int32_t cutoff = kExact;                     // one more stands for any larger number
  bool has_tallies = false;                         // some variable counts its processes
  std::vector<std::unique_ptr<MemberKind>> kinds;  // by local state
};

}  // namespace fairlead
