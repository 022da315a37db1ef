// Functions that code calls. Those of the library that is built in run here; all others are Python's, and called once for each
// tuple of arguments.
#pragma once

#include "program/built_ins.hpp"

namespace fairlead {

// What Python says to a call: a value, or the number under which it has noted why there is none.
struct CallAnswer {
  bool failed;
  std::int32_t word;
  std::uint64_t bytes;  // what Python's side of a new value takes, roughly
};

// Remembers the value of every call of Python. Functions are pure, so an answer never changes.
class Calls {
 public:
  using Ask = std::function<CallAnswer(std::int32_t function, std::span<const std::int32_t> arguments)>;

  void set_ask(Ask ask) { ask_ = std::move(ask); }
  void set_budget(Budget* budget) {
    budget_ = budget;
    if (values_ != nullptr) values_->set_budget(*budget);
  }
  void set_ticker(Ticker* ticker) { ticker_ = ticker; }
  // The values of the model, and how many shared variables there are. Several threads number values in an order that no code
  // knows beforehand; `in_order` leaves it to one.
  void set_values(std::shared_ptr<Values> values, std::size_t variables, bool in_order) {
    values_ = std::move(values);
    variables_ = variables;
    in_order_ = in_order;
  }
  [[nodiscard]] const Values* values() const { return values_.get(); }

  // The value of a function; throws ModelFault at the site if it has none. Arguments have numbers.
  std::int32_t call(std::int32_t function, std::span<const std::int32_t> arguments, std::int32_t site);

  // The same for a function that is built in; its operands are the function, its number for Python, how many arguments and
  // the site. The result may be in the scratch.
  std::int32_t built_in(const std::int32_t* operands, std::int32_t* arguments, Scratch& scratch) {
    const std::span<const std::int32_t> given{arguments, static_cast<std::size_t>(operands[2])};
    const std::optional<std::int32_t> found = apply(operands[0], given, *values_, scratch);
    if (!found) return failing(operands, arguments, scratch);
    if (scratch.bytes() > kFreeScratch) check_room(scratch);
    return *found;
  }
  // The number of a container that may be in the scratch.
  std::int32_t keep(std::int32_t word, const Scratch& scratch) {
    return Scratch::has(word) ? intern(word, scratch) : word;
  }
  // Whether two containers are equal.
  [[nodiscard]] bool equal(std::int32_t left, std::int32_t right, Scratch& scratch) const;
  // Makes room in the scratch of code that runs in a loop, with nothing on its stack.
  void tidy(Scratch& scratch, std::span<const std::int32_t> locals, const std::int32_t* shared);

 private:
  static constexpr std::int64_t kUnknown = std::int64_t{1} << 40;
  static constexpr std::size_t kFreeScratch = std::size_t{1} << 26;

  std::int32_t intern(std::int32_t word, const Scratch& scratch);
  // Why a function that is built in has no value, only Python says.
  std::int32_t failing(const std::int32_t* operands, std::int32_t* arguments, const Scratch& scratch);
  void check_room(const Scratch& scratch) const;

  Ask ask_;
  Budget* budget_ = nullptr;
  Ticker* ticker_ = nullptr;
  std::shared_ptr<Values> values_;
  std::size_t variables_ = 0;
  bool in_order_ = false;
  SequenceInterner keys_;  // (function, arguments...)
  std::vector<std::int64_t> results_;  // for each key; kUnknown if it was asked for without success
};

}  // namespace fairlead
