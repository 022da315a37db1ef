#include "symbolic/space.hpp"

#include <algorithm>
#include <numeric>
#include <random>
#include <set>

#include "symbolic/order.hpp"

namespace fairlead {

std::optional<std::string> SymbolicSpace::begin(const Unpacked& initial, std::uint64_t seed) {
  std::vector<std::uint32_t> order(initial.values.size() + initial.locals.size());
  std::iota(order.begin(), order.end(), 0);
  try {
    groups_.begin(initial);
    if (seed == 0) {
      walk(initial);
      order = order_items(groups_.item_count(), groups_.related_items());
    } else {
      std::mt19937_64 random(seed);  // NOLINT(bugprone-random-generator-seed): the same order for the same seed
      for (std::size_t i = order.size(); i > 1; --i) std::swap(order[i - 1], order[random() % i]);
    }
  } catch (const NotEncodable& problem) {
    return problem.why;
  }
  groups_.set_order(std::move(order));
  initial_ = KeptSet(diagrams_, diagrams_.from_vector(groups_.vector_of(initial)));
  return std::nullopt;
}

// Only texts that are executed are looked at: others may have errors that do not matter.
void SymbolicSpace::walk(const Unpacked& initial) {
  constexpr int kRounds = 400;
  constexpr int kPatience = 40;      // rounds in which no process gets to a new place
  constexpr std::size_t kMost = 16;  // states of a round
  std::mt19937_64 random(1);  // NOLINT(bugprone-random-generator-seed): the same order for the same system
  std::set<std::pair<std::vector<std::int32_t>, std::vector<LocalId>>> met;
  std::vector<Unpacked> states{initial};
  int in_vain = 0;
  for (int round = 0; round < kRounds && in_vain < kPatience && !states.empty(); ++round) {
    diagrams_.ticker().tick_slowly();
    bool is_new = false;
    std::vector<Unpacked> after;
    for (const Unpacked& state : states) {
      is_new = groups_.meet_locals(state) || is_new;
      for (Unpacked& next : groups_.successors(state)) {
        if (met.emplace(next.values, next.locals).second) after.push_back(std::move(next));
      }
    }
    in_vain = is_new ? 0 : in_vain + 1;
    for (std::size_t i = 0; i < std::min(kMost, after.size()); ++i) {
      std::swap(after[i], after[i + random() % (after.size() - i)]);
    }
    if (after.size() > kMost) after.resize(kMost);
    states = std::move(after);
  }
}

// ---------------------------------------------------------------- reachable states

void SymbolicSpace::sort_by_top() {
  by_top_.assign(groups_.item_count(), {});
  for (std::uint32_t i = 0; i < groups_.groups().size(); ++i) by_top_[groups_.groups()[i].top].push_back(i);
}

std::optional<std::string> SymbolicSpace::explore() {
  try {
    reachable_ = initial_;
    sort_by_top();
    for (bool is_closed = false; !is_closed;) {
      while (groups_.meet_locals(reachable_.get())) {
        ++learnt_;
        sort_by_top();
        reachable_ = KeptSet(diagrams_, saturate(reachable_.get(), 0));
      }
      // whatever saturation did: the set is closed under all groups
      is_closed = true;
      for (Group& group : groups_.groups()) {
        if (groups_.learn(group, reachable_.get(), 0)) {
          ++learnt_;
          is_closed = false;
        }
        const Diagram after = diagrams_.image(reachable_.get(), group.forward.get(), group.footing, 0);
        const Diagram all = diagrams_.unite(reachable_.get(), after);
        if (all == reachable_.get()) continue;
        is_closed = false;
        reachable_ = KeptSet(diagrams_, all);
      }
      is_closed = !groups_.meet_locals(reachable_.get()) && is_closed;
      if (is_closed) break;
      sort_by_top();
      ++learnt_;
      reachable_ = KeptSet(diagrams_, saturate(reachable_.get(), 0));
    }
    return std::nullopt;
  } catch (const NotEncodable& problem) {
    return problem.why;
  }
}

Diagram SymbolicSpace::saturate(Diagram set, std::size_t level) {
  if (level == groups_.item_count() || set == kEmptySet) return set;
  if (const auto known = diagrams_.saturated(set, level, learnt_)) return *known;
  KeptSet given(diagrams_, set);
  KeptSet current = given;
  for (;;) {
    diagrams_.collect_if_due();
    const std::uint32_t learnt = learnt_;
    const Diagram before = current.get();
    std::vector<std::pair<std::uint32_t, KeptSet>> parts;
    for (Diagram at = before; at != kEmptySet;) {
      const Diagrams::Node node = diagrams_.node(at);  // kept by `current`
      parts.emplace_back(node.value, KeptSet(diagrams_, saturate(node.down, level + 1)));
      at = node.right;
    }
    Diagram list = kEmptySet;
    for (std::size_t i = parts.size(); i-- > 0;) list = diagrams_.make(parts[i].first, parts[i].second.get(), list);
    current = KeptSet(diagrams_, list);
    for (const std::uint32_t number : by_top_[level]) {
      Group& group = groups_.groups()[number];
      if (groups_.learn(group, current.get(), level)) ++learnt_;
      const Diagram after = diagrams_.image(current.get(), group.forward.get(), group.footing, level);
      current = KeptSet(diagrams_, diagrams_.unite(current.get(), after));
    }
    if (current.get() == before && learnt == learnt_) break;
  }
  diagrams_.remember_saturated(given.get(), level, learnt_, current.get());
  // the caller keeps it at once
  return current.get();
}

// ---------------------------------------------------------------- steps

std::vector<ActionId> SymbolicSpace::used_actions() {
  std::vector<ActionId> used;
  for (const Group& group : groups_.groups()) {
    for (const ActionSteps& steps : group.steps) {
      if (std::ranges::find(used, steps.action) != used.end()) continue;
      if (diagrams_.image(reachable(), steps.forward.get(), group.footing, 0) != kEmptySet)
        used.push_back(steps.action);
    }
    diagrams_.collect_if_due();
  }
  std::ranges::sort(used);
  return used;
}

std::uint32_t SymbolicSpace::relation(std::vector<ActionId> actions) {
  std::ranges::sort(actions);
  const auto known = std::ranges::find(relations_, actions, &Relation::actions);
  if (known != relations_.end()) return static_cast<std::uint32_t>(known - relations_.begin());
  Relation relation{actions, {}};
  for (std::uint32_t number = 0; number < groups_.groups().size(); ++number) {
    Diagram forward = kEmptySet;
    Diagram backward = kEmptySet;
    for (const ActionSteps& steps : groups_.groups()[number].steps) {
      if (!std::ranges::binary_search(actions, steps.action)) continue;
      forward = diagrams_.unite(forward, steps.forward.get());
      backward = diagrams_.unite(backward, steps.backward.get());
    }
    if (forward == kEmptySet) continue;
    relation.parts.push_back({number, KeptSet(diagrams_, forward), KeptSet(diagrams_, backward)});
  }
  relations_.push_back(std::move(relation));
  return static_cast<std::uint32_t>(relations_.size() - 1);
}

Diagram SymbolicSpace::step(Diagram set, std::uint32_t relation, bool is_forward) {
  KeptSet all(diagrams_, kEmptySet);
  for (const Relation::Part& part : relations_.at(relation).parts) {
    diagrams_.collect_if_due();
    const Diagram steps = is_forward ? part.forward.get() : part.backward.get();
    Diagram found = diagrams_.image(set, steps, groups_.groups()[part.group].footing, 0);
    // states that are not reachable can make the union much larger
    if (!is_forward) found = diagrams_.intersect(found, reachable());
    all = KeptSet(diagrams_, diagrams_.unite(all.get(), found));
  }
  return all.get();
}

// Chaining: what one group finds the next one starts from.
Diagram SymbolicSpace::backward(Diagram goal, Diagram within, Diagram through, std::uint32_t relation) {
  KeptSet all(diagrams_, goal);
  for (Diagram before = kEmptySet; before != all.get();) {
    before = all.get();
    KeptSet kept(diagrams_, before);
    for (const Relation::Part& part : relations_.at(relation).parts) {
      const Footing& footing = groups_.groups()[part.group].footing;
      for (Diagram last = kEmptySet; last != all.get();) {
        diagrams_.collect_if_due();
        last = all.get();
        const Diagram from = diagrams_.intersect(all.get(), through);
        const Diagram found = diagrams_.intersect(diagrams_.image(from, part.backward.get(), footing, 0), within);
        all = KeptSet(diagrams_, diagrams_.unite(all.get(), found));
      }
    }
  }
  return all.get();
}

Diagram SymbolicSpace::forward(Diagram start, Diagram within, std::uint32_t relation) {
  KeptSet all(diagrams_, start);
  for (Diagram before = kEmptySet; before != all.get();) {
    before = all.get();
    KeptSet kept(diagrams_, before);
    for (const Relation::Part& part : relations_.at(relation).parts) {
      const Footing& footing = groups_.groups()[part.group].footing;
      for (Diagram last = kEmptySet; last != all.get();) {
        diagrams_.collect_if_due();
        last = all.get();
        const Diagram found = diagrams_.intersect(diagrams_.image(last, part.forward.get(), footing, 0), within);
        all = KeptSet(diagrams_, diagrams_.unite(all.get(), found));
      }
    }
  }
  return all.get();
}

std::vector<KeptSet> SymbolicSpace::chain(Diagram start, Diagram goal, std::uint32_t relation) {
  std::vector<KeptSet> sets{KeptSet(diagrams_, start)};
  for (std::size_t before = 0; before != sets.size();) {
    before = sets.size();
    for (const Relation::Part& part : relations_.at(relation).parts) {
      diagrams_.collect_if_due();
      const Diagram last = sets.back().get();
      if (diagrams_.intersect(last, goal) != kEmptySet) return sets;
      const Footing& footing = groups_.groups()[part.group].footing;
      const Diagram all = diagrams_.unite(last, diagrams_.image(last, part.forward.get(), footing, 0));
      if (all != last) sets.emplace_back(diagrams_, all);
    }
  }
  return sets;
}

// ---------------------------------------------------------------- conditions

std::optional<Diagram> SymbolicSpace::holding(Diagram set, CodeId condition) {
  constexpr std::uint64_t kMost = 1'000'000;  // combinations of the values of the variables
  Footprint footprint;
  footprint.add_code(groups_.network().code(condition), groups_.network().variable_count());
  std::vector<std::uint32_t> items;
  footprint.reads.for_each([&](std::size_t variable) { items.push_back(static_cast<std::uint32_t>(variable)); });
  const Footing footing = groups_.reading(items);
  const KeptSet values(diagrams_, diagrams_.project(set, footing, 0));
  const Natural count = diagrams_.count(values.get());
  if (count.size() > 1 || (count.size() == 1 && count[0] > kMost)) return std::nullopt;
  std::vector<std::uint32_t> good;
  bool any = false;
  diagrams_.for_each(values.get(), items.size(), [&](std::span<const std::uint32_t> vector) {
    diagrams_.ticker().tick();
    if (groups_.value(condition, items, vector) == 0) return;
    any = true;
    good.insert(good.end(), vector.begin(), vector.end());
  });
  if (items.empty()) return any ? set : kEmptySet;
  return diagrams_.image(set, diagrams_.from_vectors(good, items.size()), footing, 0);
}

}  // namespace fairlead
