// The memory budget, the disk, the ticker and the threads of one check.
#pragma once

#include <memory>

#include "memory/disk.hpp"
#include "memory/support.hpp"
#include "memory/workers.hpp"

namespace fairlead {

struct Context {
  Context(std::uint64_t memory_limit, unsigned threads, std::size_t least_work)
      : budget(memory_limit), workers(threads, least_work) {}
  void use_disk(int file, std::uint64_t limit) {
    disk = std::make_unique<Disk>(file, limit, budget);
    budget.set_overflow(disk.get());
    ticker.set_chore([this] { disk->trim(); });
  }
  Budget budget;
  std::unique_ptr<Disk> disk;
  Ticker ticker;
  Workers workers;
};

}  // namespace fairlead
