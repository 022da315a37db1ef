// The threads of a search. They live as long as it, and sleep while there is nothing to do.
#pragma once

#include <atomic>
#include <exception>
#include <functional>
#include <memory>
#include <thread>
#include <vector>

namespace fairlead {

class Workers {
 public:
  static constexpr std::size_t kLeastWork = 1024;

  // One of them is the thread that calls run(); none is started before there is work for it.
  // Work on fewer than `least_work` things is left to one thread.
  explicit Workers(unsigned count, std::size_t least_work = kLeastWork)
      : count_(count == 0 ? 1 : count), least_work_(least_work), failures_(count_) {}
  ~Workers();
  Workers(const Workers&) = delete;
  Workers& operator=(const Workers&) = delete;

  [[nodiscard]] unsigned count() const { return count_; }
  [[nodiscard]] std::size_t least_work() const { return least_work_; }

  // Calls work(0) in this thread and work(1) … work(count - 1) in the others, and returns when all have ended. An
  // exception of one of them is thrown again here; of several, that of the lowest number. Tables are frozen meanwhile.
  void run(const std::function<void(unsigned worker)>& work);

 private:
  void start();
  void serve(unsigned worker);
  void work(unsigned worker);

  unsigned count_;
  std::size_t least_work_;
  std::vector<std::exception_ptr> failures_;
  std::vector<std::thread> threads_;
  const std::function<void(unsigned)>* work_ = nullptr;
  std::atomic<std::uint32_t> round_{0};    // grows when there is new work
  std::atomic<std::uint32_t> working_{0};  // threads that have not finished it
  std::atomic<bool> ending_{false};
};

// Deals out the numbers below a limit, a few at a time, to the first thread that asks.
class Shares {
 public:
  Shares(std::size_t limit, std::size_t share) : limit_(limit), share_(share) {}

  // Calls visit(number) for numbers of this worker until none are left.
  template <typename Visit>
  void for_each(Visit&& visit) {
    for (;;) {
      const std::size_t first = next_.fetch_add(share_, std::memory_order_relaxed);
      if (first >= limit_) return;
      for (std::size_t i = first; i < first + share_ && i < limit_; ++i) visit(i);
    }
  }

 private:
  std::atomic<std::size_t> next_{0};
  std::size_t limit_;
  std::size_t share_;
};

}  // namespace fairlead
