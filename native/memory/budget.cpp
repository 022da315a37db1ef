#include "memory/budget.hpp"

#include <algorithm>
#include <cstdlib>
#include <new>

#include "memory/large_pages.hpp"

namespace fairlead {

bool Budget::give_up_spares() {
  const std::scoped_lock lock(giving_up_);
  return std::any_of(spares_.begin(), spares_.end(), [](Spare* spare) { return spare->give_up(); });
}

Block::Block(Budget& budget, std::size_t bytes, Access access, bool large_pages) : bytes_(bytes) {
  if (Overflow* overflow = budget.overflow()) {
    memory_ = overflow->take(bytes, access);
    budget_ = &budget;
    return;
  }
  budget.charge(bytes);
  const bool large = large_pages && bytes % kLargePage == 0;
  if (!fault_injection.fails()) memory_ = large ? std::aligned_alloc(kLargePage, bytes) : std::malloc(bytes);
  if (memory_ == nullptr) {
    budget.release(bytes);
    throw std::bad_alloc();
  }
  if (large) prefer_large_pages(memory_, bytes);
  budget_ = &budget;
}

Block::~Block() {
  if (budget_ == nullptr) return;
  if (Overflow* overflow = budget_->overflow()) {
    overflow->give_back(memory_);
    return;
  }
  std::free(memory_);
  budget_->release(bytes_);
}

}  // namespace fairlead
