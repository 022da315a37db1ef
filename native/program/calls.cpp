#include "program/calls.hpp"

#include "program/bytecode.hpp"

namespace fairlead {

std::int32_t Calls::call(std::int32_t function, std::span<const std::int32_t> arguments, std::int32_t site) {
  thread_local std::vector<std::uint32_t> key;
  key.assign(1, static_cast<std::uint32_t>(function));
  for (const std::int32_t argument : arguments) key.push_back(static_cast<std::uint32_t>(argument));
  const auto [index, is_new] = keys_.intern(key);
  if (is_new) {
    results_.push_back(kUnknown);
    // the interned key with its place in the table, and the result
    if (budget_ != nullptr) budget_->charge(32 + 4 * key.size());
  }
  if (results_[index] != kUnknown) return static_cast<std::int32_t>(results_[index]);
  require_growth();
  if (ticker_ != nullptr) ticker_->tick_slowly();
  const CallAnswer answer = ask_(function, arguments);
  if (budget_ != nullptr) budget_->charge(answer.bytes);
  if (answer.failed) throw ModelFault{site, answer.word};
  results_[index] = answer.word;
  return answer.word;
}

}  // namespace fairlead
