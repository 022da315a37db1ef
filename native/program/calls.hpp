// Functions on values that are no integers: they are Python's, and called once for each tuple of arguments.
#pragma once

#include "memory/support.hpp"

namespace fairlead {

// What Python says to a call: a value, or the number under which it has noted why there is none.
struct CallAnswer {
  bool failed;
  std::int32_t word;
  std::uint64_t bytes;  // what Python's side of a new value takes, roughly
};

// Remembers the value of every call. Functions are pure, so an answer never changes.
class Calls {
 public:
  using Ask = std::function<CallAnswer(std::int32_t function, std::span<const std::int32_t> arguments)>;

  void set_ask(Ask ask) { ask_ = std::move(ask); }
  void set_budget(Budget* budget) { budget_ = budget; }
  void set_ticker(Ticker* ticker) { ticker_ = ticker; }

  // The value of a function; throws ModelFault at the site if it has none.
  std::int32_t call(std::int32_t function, std::span<const std::int32_t> arguments, std::int32_t site);

 private:
  static constexpr std::int64_t kUnknown = std::int64_t{1} << 40;

  Ask ask_;
  Budget* budget_ = nullptr;
  Ticker* ticker_ = nullptr;
  SequenceInterner keys_;              // (function, arguments...)
  std::vector<std::int64_t> results_;  // for each key; kUnknown if it was asked for without success
};

}  // namespace fairlead
