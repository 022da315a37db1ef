#include "program/labels.hpp"

#include <algorithm>

namespace fairlead {

Labels::Labels() {
  label("(idle)");
  label("terminate");
  action(kIdleLabel, std::span<const ProcessId>{});
}

std::uint32_t Labels::intern(std::unordered_map<std::string, std::uint32_t>& numbers, std::vector<std::string>& texts,
                             const std::string& text) {
  const auto [entry, is_new] = numbers.try_emplace(text, static_cast<std::uint32_t>(texts.size()));
  if (is_new) texts.push_back(text);
  return entry->second;
}

LabelId Labels::label(const std::string& text) { return intern(label_numbers_, label_texts_, text); }

ProcessId Labels::process(const std::string& name) { return intern(process_numbers_, process_names_, name); }

std::uint32_t Labels::event_name(const std::vector<std::string>& pieces, const std::vector<ArgumentType>& types) {
  std::string key;
  for (const ArgumentType type : types) key += static_cast<char>('0' + static_cast<int>(type));
  for (const std::string& piece : pieces) key += '\n' + piece;
  const std::uint32_t number = intern(name_numbers_, name_keys_, key);
  if (number == names_.size()) names_.push_back(EventName{pieces, types});
  return number;
}

std::uint32_t Labels::construct(const std::string& text) { return intern(construct_numbers_, constructs_, text); }

namespace {
thread_local std::vector<std::uint32_t> scratch_key;  // kept for its memory only
}

LabelId Labels::event(std::uint32_t name, std::span<const std::int32_t> arguments) {
  scratch_key.assign(1, name);
  for (const std::int32_t argument : arguments) scratch_key.push_back(static_cast<std::uint32_t>(argument));
  const auto [index, is_new] = events_.intern(scratch_key);
  if (is_new) event_labels_.push_back(kNone);
  // asking for the text of a value may be interrupted: then the label is still unknown
  if (event_labels_[index] == kNone) {
    require_growth();
    event_labels_[index] = label(event_text(name, arguments));
  }
  return event_labels_[index];
}

std::string Labels::event_text(std::uint32_t name, std::span<const std::int32_t> arguments) const {
  const EventName& parts = names_[name];
  std::string text = parts.pieces[0];
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const std::int32_t argument = arguments[i];
    const ArgumentType type = parts.types[i];
    const bool is_mixed_boolean = type == ArgumentType::kMixed && (argument == kMixedFalse || argument == kMixedTrue);
    if (type == ArgumentType::kBoolean) {
      text += argument != 0 ? "true" : "false";
    } else if (is_mixed_boolean) {
      text += argument == kMixedTrue ? "true" : "false";
    } else if (type == ArgumentType::kValue) {
      text += value_text_(argument);
    } else {
      text += std::to_string(argument);
    }
    text += parts.pieces[i + 1];
  }
  return text;
}

LabelId Labels::tau(std::uint32_t construct, ProcessId process) {
  const std::uint32_t key[2] = {construct, process};
  const auto [index, is_new] = taus_.intern(key);
  if (is_new) tau_labels_.push_back(label("τ[" + constructs_[construct] + "]@" + process_names_[process]));
  return tau_labels_[index];
}

LabelId Labels::hidden(LabelId event, std::span<const ProcessId> processes) {
  scratch_key.assign(1, event);
  scratch_key.insert(scratch_key.end(), processes.begin(), processes.end());
  const auto [index, is_new] = hidden_.intern(scratch_key);
  if (is_new) {
    std::vector<std::string> names;
    for (const ProcessId process : processes) names.push_back(process_names_[process]);
    std::sort(names.begin(), names.end());
    std::string text = "τ[" + label_texts_[event] + "]@";
    for (std::size_t i = 0; i < names.size(); ++i) text += (i == 0 ? "" : "+") + names[i];
    hidden_labels_.push_back(label(text));
  }
  return hidden_labels_[index];
}

ActionId Labels::action(LabelId label, ProcessId process) {
  return action(label, std::span<const ProcessId>(&process, 1));
}

ActionId Labels::action(LabelId label, std::span<const ProcessId> processes) {
  scratch_key.assign(1, label);
  scratch_key.insert(scratch_key.end(), processes.begin(), processes.end());
  return intern_action(label, processes.size(), 0);
}

ActionId Labels::with_moves(ActionId action, std::span<const ProcessId> left, std::span<const ProcessId> entered) {
  const std::span<const ProcessId> processes = processes_of(action);
  scratch_key.assign(1, label_of(action));
  scratch_key.insert(scratch_key.end(), processes.begin(), processes.end());
  scratch_key.insert(scratch_key.end(), left.begin(), left.end());
  scratch_key.push_back(kNone);
  scratch_key.insert(scratch_key.end(), entered.begin(), entered.end());
  return intern_action(label_of(action), processes.size(), left.size());
}

ActionId Labels::relabelled(ActionId action, LabelId label) {
  const std::span<const std::uint32_t> key = actions_.get(action);
  scratch_key.assign(key.begin(), key.end());
  scratch_key[0] = label;
  return intern_action(label, process_counts_[action], left_counts_[action]);
}

ActionId Labels::intern_action(LabelId label, std::size_t processes, std::size_t left) {
  const auto [id, is_new] = actions_.intern(scratch_key);
  if (is_new) {
    action_labels_.push_back(label);
    process_counts_.push_back(processes);
    left_counts_.push_back(left);
  }
  return id;
}

}  // namespace fairlead
