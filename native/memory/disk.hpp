// Blocks beyond the memory budget, in a file that is mapped into memory.
//
// A block begins in memory if there is room. When the budget is used up, the oldest blocks move to the file: they are
// written there, and the file is mapped in their place, so that all pointers into them stay good. What is read of the file
// is in memory for a while, and let go now and then (trim). Room in the file is allocated before it is used: a full disk is
// an error when a block moves, and never a surprise later.
#pragma once

#include <map>
#include <mutex>

#include "memory/budget.hpp"

namespace fairlead {

// Threads may read blocks while others move. A block must not move while another thread writes to it; so nothing is charged
// to the budget while threads write to blocks that can move.
// Invariant: blocks_ has every block that was taken and not given back; movable_ has those in memory that can move, and
// only they, by age.
class Disk final : public Overflow {
 public:
  // Blocks take no more of the budget than this; the rest is for small tables and for what is read of the file.
  [[nodiscard]] static std::uint64_t share_of_blocks(std::uint64_t budget) { return budget - budget / 4; }
  [[nodiscard]] static std::uint64_t share_of_file(std::uint64_t budget) { return budget / 8; }

  // Takes over a file that is open for reading and writing, and empty.
  Disk(int file, std::uint64_t limit, Budget& budget);
  ~Disk() override;
  Disk(const Disk&) = delete;
  Disk& operator=(const Disk&) = delete;

  void* take(std::size_t bytes, Access access) override;
  void give_back(void* block) noexcept override;
  bool free_memory(std::uint64_t bytes) override;

  // Lets go what was read of the file, if it is much. The system may still keep it, as long as it has memory to spare.
  void trim();

  // How much of the file is in use, and the most that was.
  [[nodiscard]] std::uint64_t used() const { return used_; }
  [[nodiscard]] std::uint64_t peak() const { return peak_; }

 private:
  static constexpr std::uint64_t kInMemory = ~std::uint64_t{0};

  struct Entry {
    std::size_t bytes;
    std::uint64_t offset;  // in the file, or kInMemory
    std::uint64_t age;  // its key in movable_, if it is there
    bool movable;
  };

  [[nodiscard]] bool fits_in_memory(std::size_t bytes);
  void* take_in_memory(std::size_t bytes);
  void* take_in_file(std::size_t bytes, std::uint64_t& offset);
  bool move_oldest();
  // Room in the file, where nothing was yet.
  std::uint64_t allocate(std::size_t bytes);
  void free_extent(std::uint64_t offset, std::size_t bytes) noexcept;

  int file_;
  std::uint64_t limit_;
  Budget* budget_;
  std::mutex mutex_;
  std::map<void*, Entry> blocks_;
  std::map<std::uint64_t, void*> movable_;
  std::uint64_t next_age_ = 0;
  std::uint64_t end_ = 0;  // of the file
  std::uint64_t in_memory_ = 0;  // bytes of blocks
  std::uint64_t can_move_ = 0;  // how many of them are in movable_
  std::size_t mapped_ = 0;  // blocks on disk
  std::uint64_t mapped_before_ = 0;  // pages of other files in memory, when this one was empty
  std::atomic<std::uint64_t> used_ = 0;
  std::atomic<std::uint64_t> peak_ = 0;
};

// Whether this system has what Disk needs.
[[nodiscard]] bool disk_is_offered();

}  // namespace fairlead
