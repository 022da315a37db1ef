#include "memory/workers.hpp"

#include "memory/support.hpp"

namespace fairlead {

namespace {

// How often a thread looks before it goes to sleep: rounds of a search follow each other closely.
constexpr int kLooks = 4000;

void pause() {
#if defined(__x86_64__) || defined(__i386__)
  __builtin_ia32_pause();
#elif defined(__aarch64__)
  asm volatile("yield");
#endif
}

// Waits until a value is no longer what it was.
void wait_for_change(const std::atomic<std::uint32_t>& value, std::uint32_t before) {
  for (int i = 0; i < kLooks; ++i) {
    if (value.load(std::memory_order_acquire) != before) return;
    pause();
  }
  value.wait(before, std::memory_order_acquire);
}

}  // namespace

Workers::~Workers() {
  if (threads_.empty()) return;
  ending_.store(true);
  round_.fetch_add(1);
  round_.notify_all();
  for (std::thread& thread : threads_) thread.join();
}

void Workers::start() {
  for (unsigned worker = 1; worker < count_; ++worker) threads_.emplace_back([this, worker] { serve(worker); });
}

void Workers::run(const std::function<void(unsigned)>& work) {
  if (count_ > 1 && threads_.empty()) start();
  work_ = &work;
  working_.store(count_ - 1, std::memory_order_relaxed);
  round_.fetch_add(1, std::memory_order_release);
  round_.notify_all();
  this->work(0);
  for (std::uint32_t left = working_.load(std::memory_order_acquire); left != 0;
       left = working_.load(std::memory_order_acquire)) {
    wait_for_change(working_, left);
  }
  std::exception_ptr failure;
  for (std::exception_ptr& own : failures_) {
    if (own && !failure) failure = own;
    own = nullptr;
  }
  if (failure) std::rethrow_exception(failure);
}

void Workers::work(unsigned worker) {
  const FrozenTables frozen;
  try {
    (*work_)(worker);
  } catch (...) {
    failures_[worker] = std::current_exception();
  }
}

void Workers::serve(unsigned worker) {
  std::uint32_t round = 0;
  for (;;) {
    std::uint32_t now = round_.load(std::memory_order_acquire);
    while (now == round) {
      wait_for_change(round_, round);
      now = round_.load(std::memory_order_acquire);
    }
    round = now;
    if (ending_.load()) return;
    work(worker);
    if (working_.fetch_sub(1, std::memory_order_acq_rel) == 1) working_.notify_all();
  }
}

}  // namespace fairlead
