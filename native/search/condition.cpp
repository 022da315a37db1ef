#include "search/condition.hpp"

#include <algorithm>

namespace fairlead {

Conditions::Conditions() {
  make(Kind::kTrue, {});
  make(Kind::kFalse, {});
}

ConditionId Conditions::make(Kind kind, std::span<const std::uint32_t> content) {
  std::vector<std::uint32_t> key{static_cast<std::uint32_t>(kind)};
  key.insert(key.end(), content.begin(), content.end());
  const auto [number, is_new] = keys_.intern(key);
  if (is_new) kinds_.push_back(kind);
  return number;
}

ConditionId Conditions::leaf(Kind kind, MarkId mark) { return make(kind, std::span(&mark, 1)); }

ConditionId Conditions::join(Kind kind, const std::vector<ConditionId>& parts) {
  const ConditionId neutral = kind == Kind::kAll ? kTrueCondition : kFalseCondition;
  const ConditionId deciding = kind == Kind::kAll ? kFalseCondition : kTrueCondition;
  std::vector<ConditionId> flat;
  for (const ConditionId part : parts) {
    if (part == deciding) return deciding;
    if (part == neutral) continue;
    if (this->kind(part) == kind) {
      const auto inner = content(part);
      flat.insert(flat.end(), inner.begin(), inner.end());
    } else {
      flat.push_back(part);
    }
  }
  std::sort(flat.begin(), flat.end());
  flat.erase(std::unique(flat.begin(), flat.end()), flat.end());
  if (flat.empty()) return neutral;
  return flat.size() == 1 ? flat[0] : make(kind, flat);
}

const std::vector<ConditionId>& Conditions::parts_of(ConditionId condition) {
  met_.clear();
  order_.clear();
  pending_.assign(1, condition);
  met_.stamp(condition);
  while (!pending_.empty()) {
    const ConditionId node = pending_.back();
    pending_.pop_back();
    order_.push_back(node);
    if (kind(node) != Kind::kAll && kind(node) != Kind::kAny) continue;
    for (const ConditionId part : content(node)) {
      if (met_.stamp(part)) pending_.push_back(part);
    }
  }
  std::sort(order_.begin(), order_.end());
  if (values_.size() < kinds_.size()) values_.resize(kinds_.size());
  return order_;
}

template <typename Truth>
bool Conditions::evaluate(ConditionId condition, Truth&& truth) {
  for (const ConditionId node : parts_of(condition)) {
    const auto is_true = [&](ConditionId part) { return values_[part] != 0; };
    const auto parts = content(node);
    bool value = false;
    switch (kind(node)) {
      case Kind::kTrue:
        value = true;
        break;
      case Kind::kFalse:
        break;
      case Kind::kInf:
      case Kind::kFin:
        value = truth(kind(node) == Kind::kInf, parts[0]);
        break;
      case Kind::kAll:
        value = std::all_of(parts.begin(), parts.end(), is_true);
        break;
      case Kind::kAny:
        value = std::any_of(parts.begin(), parts.end(), is_true);
        break;
    }
    values_[node] = value ? 1 : 0;
  }
  return values_[condition] != 0;
}

template <typename Replace>
ConditionId Conditions::replaced(ConditionId condition, Replace&& replace) {
  const std::vector<ConditionId> order = parts_of(condition);
  std::vector<ConditionId> parts;
  for (const ConditionId node : order) {
    ConditionId result = node;
    if (kind(node) == Kind::kInf || kind(node) == Kind::kFin) {
      result = replace(kind(node) == Kind::kInf, content(node)[0], node);
    } else if (kind(node) == Kind::kAll || kind(node) == Kind::kAny) {
      parts.clear();
      for (const ConditionId part : content(node)) parts.push_back(values_[part]);
      result = join(kind(node), parts);
    }
    values_[node] = result;
  }
  return values_[condition];
}

bool Conditions::accepts(ConditionId condition, std::span<const std::uint64_t> marks) {
  return evaluate(condition, [&](bool is_inf, MarkId mark) { return has_mark(marks, mark) == is_inf; });
}

// The marks m with a Fin(m) in the condition.
std::vector<MarkId> Conditions::avoidable(ConditionId condition) {
  std::vector<MarkId> found;
  for (const ConditionId node : parts_of(condition)) {
    if (kind(node) == Kind::kFin) found.push_back(content(node)[0]);
  }
  return found;
}

// Whether the condition cannot be met while steps with the mark occur forever.
bool Conditions::needs_to_avoid(ConditionId condition, MarkId mark) {
  return !evaluate(condition, [&](bool is_inf, MarkId other) { return is_inf || other != mark; });
}

Conditions::Decision Conditions::decide(ConditionId condition, std::span<const std::uint64_t> marks) {
  Decision decision;
  decision.condition = replaced(condition, [&](bool is_inf, MarkId mark, ConditionId node) {
    if (has_mark(marks, mark)) return node;
    return is_inf ? kFalseCondition : kTrueCondition;
  });
  const ConditionId here = decision.condition;
  using Which = Decision::Kind;
  if (here == kFalseCondition) {
    decision.kind = Which::kReject;
    return decision;
  }
  if (accepts(here, marks)) return decision;
  if (kind(here) == Kind::kAny) {
    decision.kind = Which::kEither;
    const auto parts = content(here);
    decision.others.assign(parts.begin(), parts.end());
    return decision;
  }
  // Every conjunct that is not met yet can be met only by avoiding something: where there is no choice, that
  // goes at once; otherwise one choice is made, in the conjunct that has fewest.
  const std::vector<ConditionId> conjuncts =
      kind(here) == Kind::kAll ? std::vector(content(here).begin(), content(here).end()) : std::vector{here};
  std::vector<MarkId> fewest;
  for (const ConditionId conjunct : conjuncts) {
    if (accepts(conjunct, marks)) continue;
    const std::vector<MarkId> choices = avoidable(conjunct);
    if (fewest.empty() || choices.size() < fewest.size()) fewest = choices;
    for (const MarkId mark : choices) {
      if (needs_to_avoid(conjunct, mark)) decision.marks.push_back(mark);
    }
  }
  if (!decision.marks.empty()) {
    decision.kind = Which::kRemove;
    return decision;
  }
  const MarkId chosen = fewest.front();
  decision.kind = Which::kBranch;
  decision.marks = {chosen};
  decision.others = {replaced(here, [&](bool is_inf, MarkId mark, ConditionId node) {
    return !is_inf && mark == chosen ? kFalseCondition : node;
  })};
  return decision;
}

std::vector<MarkId> Conditions::enough(ConditionId condition, std::span<const std::uint64_t> marks) {
  // for each part how many marks it takes, at most; kNone if it is not met
  const std::vector<ConditionId> order = parts_of(condition);
  const auto cheapest = [&](std::span<const std::uint32_t> parts) {
    return *std::min_element(parts.begin(), parts.end(),
                             [&](ConditionId a, ConditionId b) { return values_[a] < values_[b]; });
  };
  for (const ConditionId node : order) {
    const auto parts = content(node);
    std::uint64_t cost = 0;
    switch (kind(node)) {
      case Kind::kTrue:
        break;
      case Kind::kFalse:
        cost = kNone;
        break;
      case Kind::kInf:
        cost = has_mark(marks, parts[0]) ? 1 : kNone;
        break;
      case Kind::kFin:
        cost = has_mark(marks, parts[0]) ? kNone : 0;
        break;
      case Kind::kAll:
        for (const ConditionId part : parts) cost += values_[part];
        break;
      case Kind::kAny:
        cost = values_[cheapest(parts)];
        break;
    }
    values_[node] = static_cast<std::uint32_t>(std::min<std::uint64_t>(cost, kNone));
  }
  std::vector<MarkId> found;
  pending_.assign(1, condition);
  met_.clear();
  while (!pending_.empty()) {
    const ConditionId node = pending_.back();
    pending_.pop_back();
    if (!met_.stamp(node)) continue;
    if (kind(node) == Kind::kInf) found.push_back(content(node)[0]);
    if (kind(node) == Kind::kAny) pending_.push_back(cheapest(content(node)));
    if (kind(node) == Kind::kAll) pending_.insert(pending_.end(), content(node).begin(), content(node).end());
  }
  return found;
}

}  // namespace fairlead
