#include "search/shortest.hpp"

#include <algorithm>
#include <map>
#include <utility>

namespace fairlead {

namespace {

constexpr std::size_t kMostBits32 = 2048;
constexpr std::size_t kEntry = 4;  // words of an entry of a profile

Marks marks_at(std::span<const std::uint32_t> profile, std::size_t at) {
  return profile[at + 2] | Marks{profile[at + 3]} << 32;
}

using Profile = std::map<std::pair<std::uint32_t, std::uint32_t>, Marks>;

std::vector<std::uint32_t> words_of(const Profile& profile) {
  std::vector<std::uint32_t> words;
  for (const auto& [ends, marks] : profile) {
    words.insert(words.end(),
                 {ends.first, ends.second, static_cast<std::uint32_t>(marks), static_cast<std::uint32_t>(marks >> 32)});
  }
  return words;
}

}  // namespace

ShortestLasso::ShortestLasso(Product& product, Fairness fairness, std::size_t most_work)
    : product_(product), fairness_(std::move(fairness)), left_(most_work) {
  number_bits();
  gave_up_ = bits_ > kMostBits32;
}

// Weak: one bit, that it was engaged or not enabled. Strong: that it was enabled, and that it was engaged. Global: that a
// transition was taken. Condition: that a mark was shown.
void ShortestLasso::number_bits() {
  Graph& graph = product_.graph();
  const Labels& labels = graph.labels();
  for (const Demand& demand : fairness_.demands) {
    Subjects found;
    for (ActionId action = 0; action < labels.action_count(); ++action) {
      for_each_subject(labels, demand.level, action, [&](std::uint32_t x) {
        if (!demand.concerns(x)) return;
        if (x >= found.bits.size()) found.bits.resize(x + std::size_t{1}, kNone);
        if (found.bits[x] != kNone) return;
        found.bits[x] = static_cast<std::uint32_t>(bits_);
        found.used.push_back(x);
        bits_ += demand.strength == FairnessStrength::kWeak ? 1 : 2;
      });
    }
    subjects_.push_back(std::move(found));
  }
  if (fairness_.global) {
    for (StateId state = 0; state < graph.state_count() && bits_ <= kMostBits32; ++state) {
      edge_bits_.push_back(static_cast<std::uint32_t>(bits_));
      if (graph.is_expanded(state)) bits_ += product_.edges(make_node(state, 0)).count;
    }
  }
  mark_bits_ = bits_;
  if (fairness_.condition != nullptr) bits_ += fairness_.condition->marks.count();
}

bool ShortestLasso::work() {
  product_.graph().ticker().tick();
  if (left_ == 0) gave_up_ = true;
  if (gave_up_) return false;
  --left_;
  return true;
}

// ---------------------------------------------------------------- steps

std::size_t ShortestLasso::step_count(StateId state) {
  return std::max<std::size_t>(product_.edges(make_node(state, 0)).count, 1);
}

ProductStep ShortestLasso::step(StateId state, std::size_t edge) {
  const EdgeSpan edges = product_.edges(make_node(state, 0));
  if (edges.count == 0) return {make_node(state, 0), 0, kNone, kIdleAction};
  return {make_node(edges.targets[edge], 0), 0, static_cast<std::uint32_t>(edge), edges.actions[edge]};
}

const std::vector<std::uint32_t>& ShortestLasso::relation(StateId state, std::size_t edge) {
  if (state >= relations_.size()) relations_.resize(product_.graph().state_count());
  if (relations_[state].empty()) {
    const std::size_t steps = step_count(state);
    std::vector<Profile> found(steps);
    for (std::uint32_t q = 0; q < product_.automaton().states; ++q) {
      SuccessorCursor cursor;
      ProductStep step;
      while (product_.next(make_node(state, q), cursor, step)) {
        const std::size_t place = step.edge == kNone ? 0 : step.edge;
        found[place][{q, automaton_state_of(step.target)}] |= step.marks;
      }
    }
    for (const Profile& profile : found) relations_[state].push_back(words_of(profile));
  }
  return relations_[state][edge];
}

ShortestLasso::Id ShortestLasso::after(Id profile, StateId state, std::size_t edge) {
  const Words& next = relation(state, edge);
  Profile found;
  const auto known = profiles_.get(profile);
  for (std::size_t i = 0; i < known.size(); i += kEntry) {
    for (std::size_t k = 0; k < next.size(); k += kEntry) {
      if (known[i + 1] == next[k]) found[{known[i], next[k + 1]}] |= marks_at(known, i) | marks_at(next, k);
    }
  }
  return profiles_.intern(words_of(found)).first;
}

ShortestLasso::Id ShortestLasso::automaton_after(Id states, StateId state, std::size_t edge) {
  const Words& next = relation(state, edge);
  Words found;
  for (const std::uint32_t q : sets_.get(states)) {
    for (std::size_t k = 0; k < next.size(); k += kEntry) {
      if (next[k] == q) found.push_back(next[k + 1]);
    }
  }
  std::ranges::sort(found);
  found.erase(std::ranges::unique(found).begin(), found.end());
  return sets_.intern(found).first;
}

// ---------------------------------------------------------------- fairness

void ShortestLasso::see_state(Words& seen, StateId state) {
  const Labels& labels = product_.graph().labels();
  const EdgeSpan edges = product_.edges(make_node(state, 0));
  Stamps enabled;
  for (std::size_t d = 0; d < subjects_.size(); ++d) {
    const Demand& demand = fairness_.demands[d];
    enabled.clear();
    for (std::uint32_t i = 0; i < edges.count; ++i) {
      for_each_subject(labels, demand.level, edges.actions[i], [&](std::uint32_t x) { enabled.stamp(x); });
    }
    const bool is_weak = demand.strength == FairnessStrength::kWeak;
    for (const std::uint32_t x : subjects_[d].used) {
      if (enabled.has(x) != is_weak) set(seen, subjects_[d].bits[x]);
    }
  }
}

void ShortestLasso::see_step(Words& seen, StateId state, std::size_t edge, const ProductStep& step) {
  const Labels& labels = product_.graph().labels();
  for (std::size_t d = 0; d < subjects_.size(); ++d) {
    const Demand& demand = fairness_.demands[d];
    const std::size_t place = demand.strength == FairnessStrength::kWeak ? 0 : 1;
    for_each_subject(labels, demand.level, step.action, [&](std::uint32_t x) {
      if (demand.concerns(x)) set(seen, subjects_[d].bits[x] + place);
    });
  }
  if (fairness_.global && step.edge != kNone) set(seen, edge_bits_[state] + edge);
  if (fairness_.condition == nullptr) return;
  SystemMarks& marks = fairness_.condition->marks;
  marks.for_each_piece(state_of(step.target), step.action, [&](PieceId piece) {
    const auto words = marks.marks(piece);
    for (MarkId mark = 0; mark < marks.count(); ++mark) {
      if (has_mark(words, mark)) set(seen, mark_bits_ + mark);
    }
  });
}

bool ShortestLasso::is_fair(std::span<const std::uint32_t> seen) {
  for (std::size_t d = 0; d < subjects_.size(); ++d) {
    const bool is_weak = fairness_.demands[d].strength == FairnessStrength::kWeak;
    for (const std::uint32_t x : subjects_[d].used) {
      const std::size_t bit = subjects_[d].bits[x];
      if (is_weak ? !has(seen, bit) : has(seen, bit) && !has(seen, bit + 1)) return false;
    }
  }
  for (std::size_t state = 0; state < edge_bits_.size(); ++state) {
    const std::size_t last = state + 1 < edge_bits_.size() ? edge_bits_[state + 1] : mark_bits_;
    std::size_t taken = 0;
    for (std::size_t bit = edge_bits_[state]; bit < last; ++bit) taken += has(seen, bit) ? 1 : 0;
    if (taken != 0 && taken != last - edge_bits_[state]) return false;
  }
  if (fairness_.condition == nullptr) return true;
  MarkWords shown(fairness_.condition->marks.word_count(), 0);
  for (MarkId mark = 0; mark < fairness_.condition->marks.count(); ++mark) {
    if (has(seen, mark_bits_ + mark)) add_mark(shown, mark);
  }
  return fairness_.condition->conditions.accepts(fairness_.condition->root, shown);
}

// Whether a run that repeats a loop with this profile forever is accepted: from one of the states of the automaton, some
// states of it that lead to each other have all marks between them.
bool ShortestLasso::is_accepted(Id automaton_states, Id profile) {
  const auto entries = profiles_.get(profile);
  const auto reached_from = [&](std::vector<std::uint8_t>& reached) {
    for (bool grows = true; grows;) {
      grows = false;
      for (std::size_t i = 0; i < entries.size(); i += kEntry) {
        if (reached[entries[i]] == 0 || reached[entries[i + 1]] != 0) continue;
        reached[entries[i + 1]] = 1;
        grows = true;
      }
    }
  };
  const std::size_t states = product_.automaton().states;
  std::vector<std::uint8_t> reached(states, 0);
  for (const std::uint32_t q : sets_.get(automaton_states)) reached[q] = 1;
  reached_from(reached);
  std::vector<std::vector<std::uint8_t>> from(states);
  for (std::uint32_t q = 0; q < states; ++q) {
    from[q].assign(states, 0);
    from[q][q] = 1;
    reached_from(from[q]);
  }
  for (std::uint32_t q = 0; q < states; ++q) {
    if (reached[q] == 0) continue;
    Marks marks = 0;
    bool has_step = false;
    for (std::size_t i = 0; i < entries.size(); i += kEntry) {
      if (from[q][entries[i]] == 0 || from[entries[i + 1]][q] == 0) continue;
      has_step = true;
      marks |= marks_at(entries, i);
    }
    if (has_step && marks == product_.automaton().all_marks()) return true;
  }
  return false;
}

// ---------------------------------------------------------------- the search

void ShortestLasso::find_stems(std::size_t below) {
  SequenceInterner met;
  const auto meet = [&](const Stem& stem) {
    if (sets_.get(stem.automaton_states).empty()) return;
    if (met.intern(Words{stem.state, stem.automaton_states}).second) stems_.push_back(stem);
  };
  std::map<StateId, Words> starts;
  for (const NodeId node : product_.initial_nodes()) starts[state_of(node)].push_back(automaton_state_of(node));
  for (auto& [state, automaton_states] : starts) {
    std::ranges::sort(automaton_states);
    meet({state, sets_.intern(automaton_states).first, kNone, kIdleAction, 0});
  }
  for (std::size_t i = 0; i < stems_.size() && work(); ++i) {
    const Stem stem = stems_[i];
    if (stem.length + 2u >= below) continue;  // a loop has at least one step
    for (std::size_t edge = 0; edge < step_count(stem.state); ++edge) {
      const ProductStep next = step(stem.state, edge);
      meet({state_of(next.target), automaton_after(stem.automaton_states, stem.state, edge),
            static_cast<std::uint32_t>(i), next.action, stem.length + 1});
    }
  }
}

void ShortestLasso::find_predecessors() {
  Graph& graph = product_.graph();
  predecessors_.resize(graph.state_count());
  for (StateId state = 0; state < graph.state_count(); ++state) {
    if (!graph.is_expanded(state)) continue;
    for (std::size_t edge = 0; edge < step_count(state); ++edge) {
      predecessors_[state_of(step(state, edge).target)].push_back(state);
    }
  }
}

// By how many steps the goal can be reached, if by less than some number; else kNone.
std::vector<std::uint32_t> ShortestLasso::distances_to(StateId goal, std::size_t below) const {
  std::vector<std::uint32_t> distances(predecessors_.size(), kNone);
  distances[goal] = 0;
  std::vector<StateId> queue{goal};
  for (std::size_t i = 0; i < queue.size(); ++i) {
    const std::uint32_t length = distances[queue[i]] + 1;
    if (length >= below) break;
    for (const StateId state : predecessors_[queue[i]]) {
      if (distances[state] != kNone) continue;
      distances[state] = length;
      queue.push_back(state);
    }
  }
  return distances;
}

std::optional<Lasso> ShortestLasso::find(std::size_t below) {
  if (gave_up_) return std::nullopt;
  find_predecessors();
  find_stems(below);
  std::vector<StateId> order;
  std::map<StateId, std::vector<std::uint32_t>> by_state;
  for (std::uint32_t i = 0; i < stems_.size(); ++i) {
    auto& stems = by_state[stems_[i].state];
    if (stems.empty()) order.push_back(stems_[i].state);
    stems.push_back(i);
  }
  std::optional<Lasso> best;
  for (const StateId start : order) {
    const std::vector<std::uint32_t>& stems = by_state[start];
    if (gave_up_ || stems_[stems[0]].length + std::size_t{1} >= below) break;
    std::optional<Lasso> found = find_from(start, stems, below);
    if (!found) continue;
    below = found->stem.size() + found->loop.size();
    best = std::move(found);
  }
  return best;
}

// The shortest lasso whose loop begins in a state to which some stems lead, the shortest first.
std::optional<Lasso> ShortestLasso::find_from(StateId start, std::span<const std::uint32_t> stems, std::size_t below) {
  const std::size_t shortest = stems_[stems[0]].length;
  const std::vector<std::uint32_t> distances = distances_to(start, below);
  std::optional<Lasso> best;
  begin_paths(start);
  for (std::uint32_t i = 0; i < paths_.size() && work(); ++i) {
    const Path path = paths_[i];
    if (shortest + path.length + 1 >= below) break;
    for (std::size_t edge = 0; edge < step_count(path.state); ++edge) {
      const StateId target = state_of(step(path.state, edge).target);
      if (distances[target] == kNone || shortest + path.length + 1 + distances[target] >= below) continue;
      if (!extend(i, edge) || target != start || !is_fair(seen_.get(paths_.back().seen))) continue;
      for (const std::uint32_t stem : stems) {
        const std::size_t length = stems_[stem].length + path.length + std::size_t{1};
        if (length >= below) break;
        if (!is_accepted(stems_[stem].automaton_states, paths_.back().profile)) continue;
        below = length;
        best = lasso(stem, static_cast<std::uint32_t>(paths_.size() - 1));
        break;
      }
    }
  }
  return best;
}

// The path without steps.
void ShortestLasso::begin_paths(StateId start) {
  paths_.clear();
  met_ = SequenceInterner();
  Words seen((bits_ + 31) / 32, 0);
  see_state(seen, start);
  Profile same;
  for (std::uint32_t q = 0; q < product_.automaton().states; ++q) same[{q, q}] = 0;
  const Id profile = profiles_.intern(words_of(same)).first;
  paths_.push_back({start, profile, seen_.intern(seen).first, kNone, kIdleAction, 0});
}

// Whether a path with one more step is a new one; then it is the last.
bool ShortestLasso::extend(std::uint32_t number, std::size_t edge) {
  const Path path = paths_[number];
  const ProductStep next = step(path.state, edge);
  const StateId target = state_of(next.target);
  const Id profile = after(path.profile, path.state, edge);
  if (profiles_.get(profile).empty()) return false;
  const auto before = seen_.get(path.seen);
  Words seen(before.begin(), before.end());
  see_step(seen, path.state, edge, next);
  see_state(seen, target);
  const Id now = seen_.intern(seen).first;
  if (!met_.intern(Words{target, profile, now}).second) return false;
  paths_.push_back({target, profile, now, number, next.action, path.length + 1});
  return true;
}

Lasso ShortestLasso::lasso(std::uint32_t stem, std::uint32_t path) const {
  Lasso found;
  for (std::uint32_t at = path; paths_[at].before != kNone; at = paths_[at].before) {
    found.loop.push_back({paths_[at].action, paths_[at].state});
  }
  std::uint32_t at = stem;
  for (; stems_[at].before != kNone; at = stems_[at].before) {
    found.stem.push_back({stems_[at].action, stems_[at].state});
  }
  found.start = stems_[at].state;
  std::ranges::reverse(found.stem);
  std::ranges::reverse(found.loop);
  return found;
}

}  // namespace fairlead
