#include "search/branching.hpp"

#include <algorithm>
#include <bit>

namespace fairlead {

Labelling::Labelling(Atoms& atoms, Fairness fairness, bool idles, bool always_continues)
    : atoms_(atoms),
      graph_(atoms.graph()),
      fairness_(std::move(fairness)),
      idles_(idles),
      always_continues_(always_continues && idles),
      no_atoms_(graph_) {
  find_kinds();
  evaluate_atoms();
}

void Labelling::find_kinds() {
  SequenceInterner numbers;
  numbers.intern({});
  atoms_of_kind_.emplace_back();
  for (ActionId action = 0; action < graph_.labels().action_count(); ++action) {
    const std::span<const std::uint32_t> found = atoms_.of_action(action);
    const auto [kind, is_new] = numbers.intern(found);
    if (is_new) atoms_of_kind_.emplace_back(found.begin(), found.end());
    kinds_.push_back(kind);
  }
}

void Labelling::evaluate_atoms() {
  std::vector<BitSet> sets;
  for (std::uint32_t atom = 0; atom < atoms_.count(); ++atom) sets.push_back(none());
  std::vector<std::uint64_t> words(atoms_.word_count());
  for (StateId state = 0; state < graph_.state_count() && !sets.empty(); ++state) {
    if (!graph_.is_expanded(state)) continue;
    graph_.ticker().tick();
    atoms_.of_state(state, words);
    for (std::size_t i = 0; i < words.size(); ++i) {
      for (std::uint64_t bits = words[i]; bits != 0; bits &= bits - 1) {
        sets[64 * i + static_cast<std::size_t>(std::countr_zero(bits))].add(state);
      }
    }
  }
  for (std::uint32_t atom = 0; atom < atoms_.count(); ++atom) {
    Truth truth;
    if (!atoms_.is_step(atom)) {
      truth.push_back(std::move(sets[atom]));
    } else {
      for (const std::vector<std::uint32_t>& true_atoms : atoms_of_kind_) {
        const bool holds = std::find(true_atoms.begin(), true_atoms.end(), atom) != true_atoms.end();
        truth.emplace_back(budget(), graph_.state_count(), holds);
      }
    }
    formula_of_atom_.push_back(add(std::move(truth)));
  }
}

FormulaId Labelling::add(Truth truth) {
  truths_.push_back(std::move(truth));
  return static_cast<FormulaId>(truths_.size() - 1);
}

// ---------------------------------------------------------------- boolean connectives

FormulaId Labelling::constant(bool value) {
  Truth truth;
  truth.emplace_back(budget(), graph_.state_count(), value);
  return add(std::move(truth));
}

FormulaId Labelling::atom(std::uint32_t atom) { return formula_of_atom_[atom]; }

template <typename Combine>
FormulaId Labelling::combined(FormulaId p, FormulaId q, Combine&& combine) {
  Truth result;
  const std::size_t count = std::max(truths_[p].size(), truths_[q].size());
  for (std::uint32_t kind = 0; kind < count; ++kind) {
    const BitSet& left = truth(p, kind);
    const BitSet& right = truth(q, kind);
    BitSet& set = result.emplace_back(none());
    for (std::size_t i = 0; i < set.word_count(); ++i) set.set_word(i, combine(left.word(i), right.word(i)));
    set.clear_tail();
  }
  return add(std::move(result));
}

FormulaId Labelling::negation(FormulaId p) {
  return combined(p, p, [](std::uint64_t a, std::uint64_t) { return ~a; });
}

FormulaId Labelling::conjunction(FormulaId p, FormulaId q) {
  return combined(p, q, [](std::uint64_t a, std::uint64_t b) { return a & b; });
}

FormulaId Labelling::disjunction(FormulaId p, FormulaId q) {
  return combined(p, q, [](std::uint64_t a, std::uint64_t b) { return a | b; });
}

FormulaId Labelling::after(FormulaId p, std::uint32_t kind) {
  const BitSet& given = truth(p, kind);
  Truth result;
  BitSet& set = result.emplace_back(none());
  for (std::size_t i = 0; i < set.word_count(); ++i) set.set_word(i, given.word(i));
  return add(std::move(result));
}

// ---------------------------------------------------------------- paths

StepFilter Labelling::filter(FormulaId p) const {
  std::vector<const BitSet*> allowed;
  for (std::uint32_t kind = 0; kind < atoms_of_kind_.size(); ++kind) allowed.push_back(&truth(p, kind));
  return {kinds_, std::move(allowed)};
}

const BitSet& Labelling::fair() {
  if (fair_) return *fair_;
  fair_.emplace(none());
  for (StateId state = 0; state < graph_.state_count(); ++state) {
    if (graph_.is_expanded(state)) fair_->add(state);
  }
  if (!always_continues_) fair_ = fair_states(constant(true), std::move(*fair_));
  return *fair_;
}

BitSet Labelling::fair_states(FormulaId p, BitSet candidates) {
  const StepFilter filter = this->filter(p);
  Product product(no_atoms_, Automaton::everything(), &filter, idles_);
  return FairStates(product, reverse(), filter, fairness_).find(std::move(candidates));
}

const ReverseSteps& Labelling::reverse() {
  if (!reverse_) reverse_.emplace(graph_, kinds_, atoms_of_kind_.size() > 1);
  return *reverse_;
}

bool Labelling::is_always_fair() {
  for (StateId state = 0; state < graph_.state_count(); ++state) {
    if (graph_.is_expanded(state) && !fair().has(state)) return false;
  }
  return true;
}

BitSet Labelling::before(FormulaId p) {
  const BitSet& fair = this->fair();
  BitSet found = none();
  for_each_edge(graph_, [&](StateId source, ActionId action, StateId target) {
    if (truth(p, kinds_[action]).has(target) && fair.has(target)) found.add(source);
  });
  if (!idles_) return found;
  for (StateId state = 0; state < graph_.state_count(); ++state) {
    if (is_stuck(state) && truth(p, 0).has(state) && fair.has(state)) found.add(state);
  }
  return found;
}

FormulaId Labelling::next(FormulaId p) {
  Truth result;
  result.push_back(before(p));
  return add(std::move(result));
}

FormulaId Labelling::until(FormulaId p, FormulaId q) {
  // from the states with a step to q, backwards over positions with p
  BitSet later = before(q);
  const ReverseSteps& reverse = this->reverse();
  ChunkedVector<StateId> queue(budget());
  later.for_each([&](std::size_t state) { queue.push_back(static_cast<StateId>(state)); });
  const bool reads_steps = this->reads_steps(p);
  for (std::size_t i = 0; i < queue.size(); ++i) {
    graph_.ticker().tick();
    const StateId state = queue[i];
    if (!reads_steps && !truth(p, 0).has(state)) continue;
    reverse.for_each_into(state, [&](StateId source, std::uint32_t kind) {
      if (later.has(source) || (reads_steps && !truth(p, kind).has(state))) return;
      later.add(source);
      queue.push_back(source);
    });
  }
  Truth result;
  const std::size_t count = std::max(truths_[p].size(), truths_[q].size());
  for (std::uint32_t kind = 0; kind < count; ++kind) {
    BitSet& set = result.emplace_back(none());
    for (std::size_t i = 0; i < set.word_count(); ++i) {
      set.set_word(i, (truth(q, kind).word(i) & fair().word(i)) | (truth(p, kind).word(i) & later.word(i)));
    }
  }
  return add(std::move(result));
}

FormulaId Labelling::always(FormulaId p) {
  BitSet candidates = none();
  for (const BitSet& set : truths_[p]) candidates.unite(set);
  for (StateId state = 0; state < graph_.state_count(); ++state) {
    if (!graph_.is_expanded(state)) candidates.remove(state);
  }
  const BitSet found = fair_states(p, std::move(candidates));
  Truth result;
  for (const BitSet& now : truths_[p]) {
    BitSet& set = result.emplace_back(none());
    for (std::size_t i = 0; i < set.word_count(); ++i) set.set_word(i, now.word(i) & found.word(i));
  }
  return add(std::move(result));
}

// ---------------------------------------------------------------- any path formula

std::uint64_t Labelling::letter_bits(const std::vector<std::uint32_t>& step_atoms, const std::vector<Letter>& letters) {
  std::uint64_t bits = 0;
  for (std::size_t i = 0; i < letters.size(); ++i) {
    const bool is_true =
        letters[i].is_step && std::find(step_atoms.begin(), step_atoms.end(), letters[i].number) != step_atoms.end();
    if (is_true) bits |= std::uint64_t{1} << i;
  }
  return bits;
}

std::vector<NodeId> Labelling::reachable(Product& product, std::vector<NodeId> nodes) {
  LayeredArray<std::uint8_t> met(product.graph().budget(), product.automaton().states, 0);
  std::erase_if(nodes, [&](NodeId node) { return std::exchange(met.at(node), 1) != 0; });
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    product.graph().ticker().tick();
    SuccessorCursor cursor;
    ProductStep step;
    while (product.next(nodes[i], cursor, step)) {
      if (std::exchange(met.at(step.target), 1) == 0) nodes.push_back(step.target);
    }
  }
  return nodes;
}

FormulaId Labelling::accepted(const Automaton& automaton, const std::vector<Letter>& letters) {
  PathFormula path{letters, std::make_unique<Atoms>(graph_), nullptr};
  bool reads_steps = false;
  for (const Letter& letter : letters) {
    reads_steps = reads_steps || letter.is_step;
    if (letter.is_step) {
      path.atoms->add_step(atoms_.actions(letter.number));
    } else {
      path.atoms->add_member(truths_[letter.number][0]);
    }
  }
  path.product = std::make_unique<Product>(*path.atoms, automaton, nullptr, idles_);
  Product& product = *path.product;
  const std::size_t kinds = reads_steps ? atoms_of_kind_.size() : 1;
  auto starts_of = [&](StateId state, std::uint32_t kind, std::vector<NodeId>& out) {
    product.start_nodes(state, letter_bits(atoms_of_kind_[kind], letters), out);
  };
  std::vector<NodeId> nodes;
  for (StateId state = 0; state < graph_.state_count(); ++state) {
    if (!graph_.is_expanded(state)) continue;
    for (std::uint32_t kind = 0; kind < kinds; ++kind) starts_of(state, kind, nodes);
  }
  const FairRegion region(product, fairness_, reachable(product, std::move(nodes)));
  Truth result;
  std::vector<NodeId> starts;
  for (std::uint32_t kind = 0; kind < kinds; ++kind) {
    BitSet& set = result.emplace_back(none());
    for (StateId state = 0; state < graph_.state_count(); ++state) {
      if (!graph_.is_expanded(state)) continue;
      starts.clear();
      starts_of(state, kind, starts);
      if (std::any_of(starts.begin(), starts.end(), [&](NodeId node) { return region.has(node); })) {
        set.add(state);
      }
    }
  }
  const FormulaId formula = add(std::move(result));
  paths_.emplace(formula, std::move(path));
  return formula;
}

// ---------------------------------------------------------------- what shows a formula

std::pair<BitSet, BitSet> Labelling::where(FormulaId p) {
  BitSet some = none();
  BitSet fails = none();
  auto arrive = [&](StateId state, std::uint32_t kind) { (truth(p, kind).has(state) ? some : fails).add(state); };
  if (!reads_steps(p)) {
    for (StateId state = 0; state < graph_.state_count(); ++state) {
      if (graph_.is_expanded(state)) arrive(state, 0);
    }
  } else {
    for (const StateId state : graph_.initial()) arrive(state, 0);
    for_each_edge(graph_, [&](StateId, ActionId action, StateId target) { arrive(target, kinds_[action]); });
    for (StateId state = 0; state < graph_.state_count() && idles_; ++state) {
      if (is_stuck(state)) arrive(state, 0);
    }
  }
  BitSet everywhere = none();
  everywhere.unite(some);
  everywhere.subtract(fails);
  some.subtract(everywhere);
  return {std::move(everywhere), std::move(some)};
}

std::vector<RunStep> Labelling::way(StateId state, FormulaId p, FormulaId q) {
  struct From {
    StateId state = kNone;
    ActionId action = kIdleAction;
    bool met = false;
  };
  ChunkedVector<From> from(budget());
  from.resize(graph_.state_count(), From{});
  ChunkedVector<StateId> queue(budget());
  queue.push_back(state);
  from[state].met = true;
  const BitSet& fair = this->fair();
  EdgeBuffer buffer;
  for (std::size_t i = 0; i < queue.size(); ++i) {
    graph_.ticker().tick();
    const StateId source = queue[i];
    std::optional<RunStep> last;
    auto look = [&](ActionId action, StateId target) {
      if (truth(q, kinds_[action]).has(target) && fair.has(target)) {
        last = RunStep{action, target};
      } else if (!from[target].met && truth(p, kinds_[action]).has(target)) {
        from[target] = {source, action, true};
        queue.push_back(target);
      }
    };
    const EdgeSpan edges = graph_.edges(source, buffer);
    for (std::uint32_t k = 0; k < edges.count && !last; ++k) look(edges.actions[k], edges.targets[k]);
    if (edges.count == 0 && idles_) look(kIdleAction, source);
    if (!last) continue;
    std::vector<RunStep> steps{*last};
    for (StateId at = source; at != state; at = from[at].state) steps.push_back({from[at].action, at});
    std::reverse(steps.begin(), steps.end());
    return steps;
  }
  throw std::logic_error("there is no way to where a formula holds");
}

namespace {

Lasso first_fair(Product& product, const Fairness& fairness, const std::vector<NodeId>& starts) {
  ComponentSearch search(product, fairness, starts);
  if (search.run(~std::uint64_t{0}) != SearchStatus::kFound) throw std::logic_error("there is no fair path");
  return LassoBuilder(product, fairness, search.part()).build_from(starts);
}

}  // namespace

Lasso Labelling::fair_path(StateId state, FormulaId p) {
  const StepFilter filter = this->filter(p);
  Product product(no_atoms_, Automaton::everything(), &filter, idles_);
  return first_fair(product, fairness_, {make_node(state, 0)});
}

Lasso Labelling::accepted_path(StateId state, ActionId action, FormulaId formula) {
  const PathFormula& path = paths_.at(formula);
  std::vector<NodeId> starts;
  path.product->start_nodes(state, letter_bits(atoms_of_kind_[kinds_[action]], path.letters), starts);
  return first_fair(*path.product, fairness_, starts);
}

}  // namespace fairlead
