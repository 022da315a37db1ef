#include "memory/disk.hpp"

#include <cerrno>
#include <new>

#include "memory/large_pages.hpp"

#ifdef __linux__

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cstdio>

namespace fairlead {

namespace {

// The system maps no more than some 65,000 pieces into a process.
constexpr std::size_t kMostMapped = 60'000;

[[noreturn]] void disk_is_full() { throw LimitReached{Limit::kDisk}; }

std::size_t whole_pages(std::size_t bytes) {
  const auto page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  return (bytes + page - 1) / page * page;
}

// How much of mapped files this process has in memory.
std::uint64_t mapped_in_memory() {
  unsigned long size = 0;
  unsigned long resident = 0;
  unsigned long shared = 0;
  std::FILE* file = std::fopen("/proc/self/statm", "re");
  if (file == nullptr) return 0;
  // NOLINTNEXTLINE(bugprone-unchecked-string-to-number-conversion): the kernel writes numbers
  const int found = std::fscanf(file, "%lu %lu %lu", &size, &resident, &shared);
  std::fclose(file);
  return found == 3 ? std::uint64_t{shared} * static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE)) : 0;
}

// Memory of its own pages; those of large blocks begin where a large page does.
void* map_memory(std::size_t bytes) {
  const std::size_t spare = bytes >= kLargePage ? kLargePage : 0;
  void* mapped = mmap(nullptr, bytes + spare, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (mapped == MAP_FAILED) throw std::bad_alloc();
  if (spare == 0) return mapped;
  auto* begin = static_cast<char*>(mapped);
  const std::size_t skipped = (kLargePage - reinterpret_cast<std::uintptr_t>(begin) % kLargePage) % kLargePage;
  if (skipped != 0) munmap(begin, skipped);
  if (skipped != spare) munmap(begin + skipped + bytes, spare - skipped);
  prefer_large_pages(begin + skipped, bytes);
  return begin + skipped;
}

void write_whole(int file, const void* data, std::size_t bytes, std::uint64_t offset) {
  const auto* at = static_cast<const char*>(data);
  while (bytes != 0) {
    const ssize_t written = pwrite(file, at, bytes, static_cast<off_t>(offset));
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) disk_is_full();
    at += written;
    offset += static_cast<std::uint64_t>(written);
    bytes -= static_cast<std::size_t>(written);
  }
}

}  // namespace

bool disk_is_offered() { return true; }

Disk::Disk(int file, std::uint64_t limit, Budget& budget)
    : file_(file), limit_(limit), budget_(&budget), mapped_before_(mapped_in_memory()) {}

Disk::~Disk() { close(file_); }

// ---------------------------------------------------------------- blocks

void* Disk::take(std::size_t bytes, Access access) {
  bytes = whole_pages(bytes);
  const std::scoped_lock lock(mutex_);
  Entry entry{bytes, kInMemory, 0, access == Access::kInOrder};
  void* block = fits_in_memory(bytes) ? take_in_memory(bytes) : take_in_file(bytes, entry.offset);
  if (entry.offset == kInMemory && entry.movable) {
    entry.age = next_age_++;
    movable_.emplace(entry.age, block);
    can_move_ += bytes;
  }
  blocks_.emplace(block, entry);
  return block;
}

// Makes room by moving older blocks, unless that would not be enough.
bool Disk::fits_in_memory(std::size_t bytes) {
  const std::uint64_t share = share_of_blocks(budget_->limit());
  if (in_memory_ - can_move_ + bytes > share) return false;
  for (;;) {
    if (in_memory_ + bytes <= share && budget_->try_charge(bytes)) return true;
    if (!move_oldest()) return false;
  }
}

void* Disk::take_in_memory(std::size_t bytes) {
  try {
    void* block = map_memory(bytes);
    in_memory_ += bytes;
    return block;
  } catch (...) {
    budget_->release(bytes);
    throw;
  }
}

void* Disk::take_in_file(std::size_t bytes, std::uint64_t& offset) {
  offset = allocate(bytes);
  void* block = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file_, static_cast<off_t>(offset));
  if (block == MAP_FAILED) {
    free_extent(offset, bytes);
    disk_is_full();
  }
  ++mapped_;
  return block;
}

void Disk::give_back(void* block) noexcept {
  const std::scoped_lock lock(mutex_);
  const auto found = blocks_.find(block);
  const Entry entry = found->second;
  blocks_.erase(found);
  munmap(block, entry.bytes);
  if (entry.offset != kInMemory) {
    --mapped_;
    free_extent(entry.offset, entry.bytes);
    return;
  }
  in_memory_ -= entry.bytes;
  budget_->release(entry.bytes);
  if (!entry.movable) return;
  movable_.erase(entry.age);
  can_move_ -= entry.bytes;
}

bool Disk::free_memory(std::uint64_t bytes) {
  const std::scoped_lock lock(mutex_);
  while (budget_->used() + bytes > budget_->limit()) {
    if (!move_oldest()) return false;
  }
  return true;
}

bool Disk::move_oldest() {
  if (movable_.empty()) return false;
  void* block = movable_.begin()->second;
  Entry& entry = blocks_.at(block);
  const std::uint64_t offset = allocate(entry.bytes);
  try {
    write_whole(file_, block, entry.bytes, offset);
    // a concurrent reader of the block finds the memory or the file, which are the same
    const int flags = MAP_SHARED | MAP_FIXED;
    if (mmap(block, entry.bytes, PROT_READ | PROT_WRITE, flags, file_, static_cast<off_t>(offset)) == MAP_FAILED) {
      disk_is_full();
    }
  } catch (...) {
    free_extent(offset, entry.bytes);
    throw;
  }
  movable_.erase(movable_.begin());
  entry.offset = offset;
  ++mapped_;
  in_memory_ -= entry.bytes;
  can_move_ -= entry.bytes;
  budget_->release(entry.bytes);
  return true;
}

// ---------------------------------------------------------------- the file

// The file only grows: what is given back becomes a hole, which takes no room.
std::uint64_t Disk::allocate(std::size_t bytes) {
  if (bytes > limit_ - used_ || mapped_ >= kMostMapped) disk_is_full();
  const std::uint64_t offset = end_;
  int failed = EINTR;
  while (failed == EINTR) failed = posix_fallocate(file_, static_cast<off_t>(offset), static_cast<off_t>(bytes));
  if (failed != 0) disk_is_full();
  end_ += bytes;
  used_ += bytes;
  peak_ = std::max<std::uint64_t>(peak_, used_);
  return offset;
}

void Disk::free_extent(std::uint64_t offset, std::size_t bytes) noexcept {
  const int kind = FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE;
  if (fallocate(file_, kind, static_cast<off_t>(offset), static_cast<off_t>(bytes)) == 0) used_ -= bytes;
}

void Disk::trim() {
  const std::scoped_lock lock(mutex_);
  if (mapped_ == 0) return;
  if (mapped_in_memory() <= mapped_before_ + share_of_file(budget_->limit())) return;
  for (const auto& [block, entry] : blocks_) {
    if (entry.offset != kInMemory) madvise(block, entry.bytes, MADV_DONTNEED);
  }
}

}  // namespace fairlead

#else

namespace fairlead {

bool disk_is_offered() { return false; }

// None is made where the system does not offer it.
Disk::Disk(int file, std::uint64_t limit, Budget& budget) : file_(file), limit_(limit), budget_(&budget) {}
Disk::~Disk() = default;
void* Disk::take(std::size_t, Access) { throw std::bad_alloc(); }
void Disk::give_back(void*) noexcept {}
bool Disk::free_memory(std::uint64_t) { return false; }
void Disk::trim() {}

}  // namespace fairlead

#endif
