#include "search/survey.hpp"

#include <algorithm>
#include <limits>

namespace fairlead {

bool Survey::run(std::size_t most) {
  while (found_.size() < most) {
    if (search_.run(std::numeric_limits<std::uint64_t>::max()) != SearchStatus::kFound) return true;
    found_.insert({starving(FairnessLevel::kEvent, FairnessStrength::kWeak),
                   starving(FairnessLevel::kEvent, FairnessStrength::kStrong),
                   starving(FairnessLevel::kProcess, FairnessStrength::kWeak),
                   starving(FairnessLevel::kProcess, FairnessStrength::kStrong)});
  }
  return false;
}

std::vector<std::uint32_t> Survey::starving(FairnessLevel level, FairnessStrength strength) {
  std::vector<std::uint32_t> subjects = search_.starving({level, strength});
  std::ranges::sort(subjects);
  return subjects;
}

}  // namespace fairlead
