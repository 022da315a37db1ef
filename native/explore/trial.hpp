// Whether choosing among the steps of states is worth its time, judged repeatedly while a graph is explored.
//
// It depends on the numbers of states alone, so that it is the same with any number of threads.
#pragma once

#include <algorithm>
#include <cstddef>

namespace fairlead {

class Trial {
 public:
  // What is judged next: all states before this one, which must have been expanded.
  [[nodiscard]] std::size_t until() const { return until_; }

  // Called when all states before until() have been expanded; `reduced` is how many of all had fewer steps. Whether steps
  // are to be chosen from now on.
  bool review(std::size_t reduced) {
    const bool was_on = is_on_;
    const std::size_t looked_at = until_ - from_;
    is_on_ = !was_on || (reduced - before_) * kWorthwhile >= looked_at;
    from_ = until_;
    before_ = reduced;
    // where it had no effect it is tried again, but ever more rarely
    until_ = is_on_ ? until_ + kLooked : 4 * until_;
    return is_on_;
  }

 private:
  static constexpr std::size_t kLooked = 8192;
  static constexpr std::size_t kWorthwhile = 16;

  bool is_on_ = true;
  std::size_t from_ = 0;
  std::size_t until_ = kLooked;
  std::size_t before_ = 0;
};

}  // namespace fairlead
