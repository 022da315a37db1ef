#include "search/starvation.hpp"

#include <algorithm>
#include <iterator>

namespace fairlead {

void Starvation::clear() {
  shown_ = 0;
  settled_.clear();
  engaged_.clear();
  suspect_.clear();
  suspects_.clear();
  count_ = 0;
}

std::vector<std::uint32_t> Starvation::starving() const {
  std::vector<std::uint32_t> found;
  std::copy_if(suspects_.begin(), suspects_.end(), std::back_inserter(found),
               [&](std::uint32_t subject) { return starves(subject); });
  return found;
}

void Starvation::engage(std::uint32_t subject) {
  if (engaged_.stamp(subject)) clear_of_suspicion(subject);
}

void Starvation::clear_of_suspicion(std::uint32_t subject) {
  if (!suspect_.has(subject)) return;
  suspect_.remove(subject);
  --count_;
}

// Weak fairness demands nothing for what is not enabled here.
void Starvation::keep_enabled() {
  std::erase_if(suspects_, [&](std::uint32_t subject) {
    if (!enabled_.has(subject)) clear_of_suspicion(subject);
    return !suspect_.has(subject);
  });
}

}  // namespace fairlead
