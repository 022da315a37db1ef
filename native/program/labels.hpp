// Labels, processes and actions: names interned to dense numbers.
//
// A label is the text of an event. An action is a label with the set of processes that take part; a
// transition carries one action.
#pragma once

#include <string_view>
#include <unordered_map>

#include "memory/support.hpp"

namespace fairlead {

inline constexpr LabelId kIdleLabel = 0;
inline constexpr ActionId kIdleAction = 0;
inline constexpr LabelId kTerminateLabel = 1;

// How an argument of an event is shown: an integer; a boolean; an integer, or a boolean as one of the two least
// integers; any other value, whose text `Labels::set_value_text` gives.
enum class ArgumentType : std::uint8_t { kInteger, kBoolean, kMixed, kValue };
// The booleans among mixed values.
inline constexpr std::int32_t kMixedFalse = INT32_MIN;
inline constexpr std::int32_t kMixedTrue = INT32_MIN + 1;

class Labels {
 public:
  Labels();

  // Texts.
  LabelId label(const std::string& text);
  ProcessId process(const std::string& name);
  // An event's text is made of pieces with arguments in between.
  std::uint32_t event_name(const std::vector<std::string>& pieces, const std::vector<ArgumentType>& types);
  std::uint32_t construct(const std::string& text);

  [[nodiscard]] const std::string& label_text(LabelId label) const { return label_texts_[label]; }
  [[nodiscard]] const std::string& process_name(ProcessId process) const { return process_names_[process]; }
  [[nodiscard]] std::size_t action_count() const { return actions_.size(); }
  [[nodiscard]] const std::vector<std::string>& label_texts() const { return label_texts_; }
  [[nodiscard]] const std::vector<std::string>& process_names() const { return process_names_; }

  // `name.1.true`, `c!1`: the pieces of the name with the arguments.
  LabelId event(std::uint32_t name, std::span<const std::int32_t> arguments);
  void set_value_text(std::function<std::string(std::int32_t)> text) { value_text_ = std::move(text); }
  // `τ[construct]@process`.
  LabelId tau(std::uint32_t construct, ProcessId process);
  // `τ[a.1]@p+q`: an event that was hidden; `processes` must be sorted and without duplicates.
  LabelId hidden(LabelId event, std::span<const ProcessId> processes);

  ActionId action(LabelId label, ProcessId process);
  // `processes` must be sorted and without duplicates.
  ActionId action(LabelId label, std::span<const ProcessId> processes);

  // The same action, with which local states counted processes leave and enter by it (as they are called there).
  ActionId with_moves(ActionId action, std::span<const ProcessId> left, std::span<const ProcessId> entered);

  // The same action with another label.
  ActionId relabelled(ActionId action, LabelId label);

  [[nodiscard]] LabelId label_of(ActionId action) const { return action_labels_[action]; }
  [[nodiscard]] std::span<const ProcessId> processes_of(ActionId action) const {
    return actions_.get(action).subspan(1, process_counts_[action]);
  }
  // What was given to with_moves().
  [[nodiscard]] std::span<const ProcessId> left_by(ActionId action) const {
    return actions_.get(action).subspan(1 + process_counts_[action], left_counts_[action]);
  }
  [[nodiscard]] std::span<const ProcessId> entered_by(ActionId action) const {
    const std::span<const std::uint32_t> key = actions_.get(action);
    const std::size_t first = 1 + process_counts_[action] + left_counts_[action];
    return first < key.size() ? key.subspan(first + 1) : std::span<const ProcessId>{};
  }

 private:
  [[nodiscard]] std::string event_text(std::uint32_t name, std::span<const std::int32_t> arguments) const;
  static std::uint32_t intern(std::unordered_map<std::string, std::uint32_t>& numbers, std::vector<std::string>& texts,
                              const std::string& text);

  std::unordered_map<std::string, std::uint32_t> label_numbers_;
  std::vector<std::string> label_texts_;
  std::unordered_map<std::string, std::uint32_t> process_numbers_;
  std::vector<std::string> process_names_;
  struct EventName {
    std::vector<std::string> pieces;  // one more than arguments
    std::vector<ArgumentType> types;
  };
  std::unordered_map<std::string, std::uint32_t> name_numbers_;
  std::vector<std::string> name_keys_;
  std::vector<EventName> names_;
  std::unordered_map<std::string, std::uint32_t> construct_numbers_;
  std::vector<std::string> constructs_;
  SequenceInterner events_;  // (name, arguments...) -> index into event_labels_ (kNone: not yet known)
  std::vector<LabelId> event_labels_;
  SequenceInterner taus_;  // (construct, process) -> index into tau_labels_
  std::vector<LabelId> tau_labels_;
  SequenceInterner hidden_;  // (label, processes...) -> index into hidden_labels_
  std::vector<LabelId> hidden_labels_;
  ActionId intern_action(LabelId label, std::size_t processes, std::size_t left);

  SequenceInterner actions_;  // (label, processes...), or (label, processes..., left..., kNone, entered...)
  std::vector<LabelId> action_labels_;
  std::vector<std::size_t> process_counts_;
  std::vector<std::size_t> left_counts_;
  std::function<std::string(std::int32_t)> value_text_;
};

}  // namespace fairlead
