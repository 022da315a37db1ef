#include "steps/dependence.hpp"

#include <algorithm>

namespace fairlead {

namespace {

using Role = StaticEdge::Role;

void sort_out(StaticEdges& list) {
  std::sort(list.begin(), list.end());
  list.erase(std::unique(list.begin(), list.end()), list.end());
}

}  // namespace

Dependence::Dependence(const Futures& futures) : futures_(futures) {
  const std::vector<StaticEdge>& edges = futures.edges();
  conflicts_.resize(edges.size());
  rests_.resize(edges.size());
  halves_.resize(edges.size());
  tests_.resize(edges.size());
  into_.resize(futures.node_count());
  offers_.resize(futures.event_count());
  std::map<Test, std::uint32_t> known_tests;
  const auto use = [](std::vector<StaticEdges>& lists, std::size_t variable, std::uint32_t number) {
    if (lists.size() <= variable) lists.resize(variable + 1);
    if (lists[variable].empty() || lists[variable].back() != number) lists[variable].push_back(number);
  };
  for (std::uint32_t number = 0; number < edges.size(); ++number) {
    const EdgeSummary& summary = edges[number].summary;
    for (const Test& test : summary.tests) {
      const auto [entry, is_new] = known_tests.try_emplace(test, static_cast<std::uint32_t>(all_tests_.size()));
      if (is_new) all_tests_.push_back(test);
      tests_[number].push_back(entry->second);
      use(users_, test.variable, number);
    }
    summary.rest.for_each([&](std::size_t variable) { use(users_, variable, number); });
    summary.reads.for_each([&](std::size_t variable) { use(users_, variable, number); });
    for (const Change& change : summary.changes) {
      use(users_, change.variable, number);
      use(writers_, change.variable, number);
      if (adds_.size() <= change.variable) adds_.resize(change.variable + std::size_t{1}, 0);
      if (change.kind == ChangeKind::kAdd) adds_[change.variable] = 1;
    }
    if (edges[number].role == Role::kShared) offers_[edges[number].event][edges[number].slot].push_back(number);
    if (edges[number].role != Role::kUnclear) continue;
    for (std::uint32_t event = 0; event < offers_.size(); ++event) {
      const std::vector<std::uint32_t>& partners = futures.partners(event);
      if (std::binary_search(partners.begin(), partners.end(), edges[number].slot)) {
        offers_[event][edges[number].slot].push_back(number);
      }
    }
  }
  enablers_.resize(all_tests_.size());
}

std::size_t Dependence::most_entries() const {
  std::size_t sum = 0;
  for (std::size_t variable = 0; variable < writers_.size(); ++variable) {
    sum += 2 * writers_[variable].size() * users_[variable].size();
  }
  std::size_t senders = 0;
  std::size_t receivers = 0;
  for (const StaticEdge& edge : futures_.edges()) {
    senders += edge.role == Role::kSends ? 1 : 0;
    receivers += edge.role == Role::kReceives ? 1 : 0;
  }
  return sum + 2 * senders * receivers;
}

const StaticEdges& Dependence::conflicts(std::uint32_t number) {
  return found(conflicts_[number], [&](StaticEdges& list) { find_conflicts(number, list); });
}

void Dependence::find_conflicts(std::uint32_t number, StaticEdges& list) const {
  const StaticEdge& own = edge(number);
  StaticEdges candidates;
  const auto add = [&](const std::vector<StaticEdges>& lists, std::size_t variable) {
    if (variable >= lists.size()) return;
    candidates.insert(candidates.end(), lists[variable].begin(), lists[variable].end());
  };
  for (const Change& change : own.summary.changes) add(users_, change.variable);
  for (const Test& test : own.summary.tests) add(writers_, test.variable);
  own.summary.rest.for_each([&](std::size_t variable) { add(writers_, variable); });
  own.summary.reads.for_each([&](std::size_t variable) { add(writers_, variable); });
  sort_out(candidates);
  for (const std::uint32_t other : candidates) {
    if (edge(other).slot != own.slot && !accord(own.summary, edge(other).summary)) list.push_back(other);
  }
}

const StaticEdges& Dependence::into(std::uint32_t node) {
  return found(into_[node], [&](StaticEdges& list) {
    const StaticNode& own = futures_.node(node);
    const std::uint32_t slot = own.slot;
    for (std::uint32_t number = futures_.first_edge(slot); number < futures_.first_edge(slot + 1); ++number) {
      const std::uint32_t target = edge(number).target;
      if (target != kNone && (target == node || futures_.overlap(target, node))) list.push_back(number);
    }
  });
}

const StaticEdges& Dependence::enablers(std::uint32_t number, std::uint32_t test, bool too_low) {
  const std::uint32_t which = tests_[number][test];
  const Test& own = all_tests_[which];
  Lazy& lazy = too_low || !own.inside ? enablers_[which].first : enablers_[which].second;
  return found(lazy, [&](StaticEdges& list) { find_enablers(own, too_low, list); });
}

void Dependence::find_enablers(const Test& test, bool too_low, StaticEdges& list) const {
  if (test.variable >= writers_.size()) return;
  for (const std::uint32_t number : writers_[test.variable]) {
    for (const Change& change : edge(number).summary.changes) {
      if (change.variable != test.variable) continue;
      if (may_enable(change, test, too_low, adds_[test.variable] != 0)) list.push_back(number);
    }
  }
}

void Dependence::find_writers(const NumberSet& variables, StaticEdges& list) const {
  variables.for_each([&](std::size_t variable) {
    if (variable < writers_.size()) {
      list.insert(list.end(), writers_[variable].begin(), writers_[variable].end());
    }
  });
  sort_out(list);
}

const StaticEdges& Dependence::rest_enablers(std::uint32_t number) {
  return found(rests_[number], [&](StaticEdges& list) { find_writers(edge(number).summary.rest, list); });
}

const StaticEdges& Dependence::halves(std::uint32_t number) {
  return found(halves_[number], [&](StaticEdges& list) {
    const StaticEdge& own = edge(number);
    const Role wanted = own.role == Role::kSends ? Role::kReceives : Role::kSends;
    for (std::uint32_t other = 0; other < futures_.edges().size(); ++other) {
      const StaticEdge& half = edge(other);
      const bool may_meet = own.channel == kNone || half.channel == kNone || own.channel == half.channel;
      if (half.role == wanted && half.slot != own.slot && may_meet) list.push_back(other);
    }
  });
}

const StaticEdges& Dependence::offers(std::uint32_t event, std::uint32_t slot) {
  const auto found = offers_[event].find(slot);
  return found == offers_[event].end() ? nobody_ : found->second;
}

}  // namespace fairlead
