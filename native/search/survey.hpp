// In which ways the accepting, fair parts of a product are unfair all the same: to whom a run through all of one is unfair.
#pragma once

#include <array>
#include <set>

#include "search/components.hpp"

namespace fairlead {

// Events and processes to which a part is unfair, by number, each list in order. Who starves in the weak sense starves in the
// strong one as well.
struct Unfairness {
  std::vector<std::uint32_t> weak_events;
  std::vector<std::uint32_t> strong_events;
  std::vector<std::uint32_t> weak_processes;
  std::vector<std::uint32_t> strong_processes;

  friend auto operator<=>(const Unfairness&, const Unfairness&) = default;
};

// Goes through all parts that a search offers; parts with the same result count once.
class Survey {
 public:
  explicit Survey(ComponentSearch& search) : search_(search) {}

  // Looks on, until `most` different ways are known; whether that was all.
  bool run(std::size_t most);
  [[nodiscard]] const std::set<Unfairness>& found() const { return found_; }

 private:
  std::vector<std::uint32_t> starving(FairnessLevel level, FairnessStrength strength);

  ComponentSearch& search_;
  std::set<Unfairness> found_;
};

}  // namespace fairlead
