#include "search/layers.hpp"

#include <algorithm>

namespace fairlead {

namespace {

// Whether a table of classes and valuations is the same for all classes.
bool is_same_for_all_classes(const std::vector<std::uint8_t>& table, std::size_t valuations) {
  for (std::size_t i = valuations; i < table.size(); ++i) {
    if (table[i] != table[i - valuations]) return false;
  }
  return true;
}

}  // namespace

bool LayerSearch::fits(Product& product) {
  const Automaton& automaton = product.automaton();
  if (product.is_filtered() || (automaton.states > 1 && !product.initial_waits())) return false;
  const auto stays = [&](const AutomatonTransition& step) {
    return step.source == step.target || (automaton.states > 1 && step.source == automaton.initial);
  };
  if (!std::all_of(automaton.transitions.begin(), automaton.transitions.end(), stays)) return false;
  product.evaluate_all();
  return product.class_count() * product.valuation_count() <= kMostLetters;
}

LayerSearch::LayerSearch(Product& product, FairParts& fair)
    : product_(product), fair_(fair), graph_(product.graph()), order_(graph_.budget()), waiting_(graph_.budget()) {}

bool LayerSearch::run() {
  for (;;) {
    if (frames_.empty()) {
      const std::optional<StateId> start = layer_ == kNone ? std::nullopt : next_start();
      if (start) {
        push(*start);
      } else if (!enter_next_layer()) {
        return false;
      }
      continue;
    }
    graph_.ticker().tick();
    if (!advance() && retreat()) return true;
  }
}

// ---------------------------------------------------------------- layers

bool LayerSearch::enter_next_layer() {
  while (choose_accepting_layer()) {
    learn_letters();
    prepare_layer();
    if (!somebody_starves()) return true;
  }
  return false;
}

bool LayerSearch::choose_accepting_layer() {
  const Automaton& automaton = product_.automaton();
  while (next_layer_ < automaton.states) {
    layer_ = next_layer_++;
    const bool is_first = automaton.states > 1 && layer_ == automaton.initial;
    if (automaton.may_accept[layer_] && !is_first) return true;
  }
  return false;
}

void LayerSearch::prepare_layer() {
  start_anew();
  order_.clear();
  order_.resize(graph_.state_count(), 0);
  if (!stays_by_state_) return;
  for (StateId state = 0; state < graph_.state_count(); ++state) {
    if (graph_.is_expanded(state) && !stays(state, kIdleAction)) order_[state] = kFinished;
  }
}

void LayerSearch::learn_letters() {
  const Automaton& automaton = product_.automaton();
  const std::size_t classes = product_.class_count();
  valuations_ = product_.valuation_count();
  stays_.assign(classes * valuations_, 0);
  enters_.assign(classes * valuations_, 0);
  may_enter_.assign(classes, 0);
  for (std::size_t kind = 0; kind < classes; ++kind) {
    for (std::size_t valuation = 0; valuation < valuations_; ++valuation) {
      const std::uint64_t letter = product_.letter(kind, valuation);
      for (const AutomatonTransition& step : automaton.transitions) {
        if (step.target != layer_ || !step.reads(letter)) continue;
        if (step.source == layer_) stays_[kind * valuations_ + valuation] = 1;
        if (step.source == automaton.initial) enters_[kind * valuations_ + valuation] = may_enter_[kind] = 1;
      }
    }
  }
  stays_by_state_ = is_same_for_all_classes(stays_, valuations_);
  enters_by_state_ = is_same_for_all_classes(enters_, valuations_);
}

// ---------------------------------------------------------------- layers in which nothing is fair

// Goes through the whole layer, in any order, unless it is seen before that nobody can be such.
bool LayerSearch::somebody_starves() {
  std::vector<Starvation> starvations;
  for (const Demand& demand : fair_.fairness().demands) {
    if (demand.level != FairnessLevel::kNone)
      starvations.emplace_back(Demand{demand.level, FairnessStrength::kWeak, demand.only});
  }
  if (fair_.fairness().global) starvations.emplace_back(Demand{FairnessLevel::kEvent, FairnessStrength::kWeak});
  const auto nobody = [&] { return std::ranges::all_of(starvations, &Starvation::is_excluded); };
  std::size_t shown = 0;
  while (!nobody()) {
    if (shown == waiting_.size()) {
      const std::optional<StateId> start = next_start();
      if (!start) {
        node_count_ += waiting_.size();
        waiting_.resize_uninitialised(0);
        return true;
      }
      meet(*start);
    }
    graph_.ticker().tick();
    prefetch_ahead(shown);
    const StateId state = waiting_[shown++];
    const EdgeSpan edges = graph_.edges(state, edges_);
    for (Starvation& starvation : starvations) {
      starvation.show(graph_.labels(), std::span(edges.actions, edges.count),
                      [&](std::size_t i) { return stays(edges.targets[i], edges.actions[i]); });
    }
    for (std::uint32_t i = 0; i < edges.count; ++i) {
      if (order_[edges.targets[i]] == 0 && stays(edges.targets[i], edges.actions[i])) meet(edges.targets[i]);
    }
  }
  for (std::size_t i = 0; i < waiting_.size(); ++i) order_[waiting_[i]] = 0;
  waiting_.resize_uninitialised(0);
  start_anew();
  return false;
}

void LayerSearch::meet(StateId state) {
  order_[state] = 1;
  waiting_.push_back(state);
}

// Asks for what is needed to look at the states that wait behind one.
void LayerSearch::prefetch_ahead(std::size_t at) {
  const auto state_at = [&](std::size_t place) { return waiting_[place]; };
  graph_.prefetch_ahead(at, waiting_.size(), state_at, [&](std::size_t place) {
    const EdgeSpan edges = graph_.kept_edges(waiting_[place]);
    for (std::uint32_t i = 0; i < edges.count; ++i) order_.prefetch(edges.targets[i]);
  });
}

// ---------------------------------------------------------------- where to start

void LayerSearch::start_anew() {
  has_begun_ = false;
  next_state_ = 0;
  starts_.clear();
}

std::optional<StateId> LayerSearch::next_start() {
  if (!has_begun_) {
    has_begun_ = true;
    for (const NodeId node : product_.initial_nodes()) {
      if (automaton_state_of(node) == layer_) collect_entries(state_of(node));
    }
  }
  const bool everywhere = product_.automaton().states > 1;
  for (;;) {
    while (!starts_.empty()) {
      const StateId start = starts_.back();
      starts_.pop_back();
      if (order_[start] == 0) return start;
    }
    if (!everywhere || next_state_ >= graph_.state_count()) return std::nullopt;
    const StateId state = next_state_++;
    graph_.ticker().tick();
    if (!graph_.is_expanded(state)) continue;  // one of an explicit graph that was never reached
    if (enters_by_state_) {
      // some step leads here, or else it is an initial state, and those are among the starts already
      if (enters_[product_.valuation(state)] != 0) collect_entries(state);
      continue;
    }
    const EdgeSpan edges = graph_.edges(state, edges_);
    const auto enters = [&](StateId target, std::size_t kind) {
      if (may_enter_[kind] != 0 && enters_[kind * valuations_ + product_.valuation(target)] != 0)
        entered_.push_back(target);
    };
    for (std::uint32_t i = 0; i < edges.count; ++i) enters(edges.targets[i], product_.letter_class(edges.actions[i]));
    if (edges.count == 0) enters(state, product_.letter_class(kIdleAction));
    for (const StateId entered : entered_) collect_entries(entered);
    entered_.clear();
  }
}

// The layer is entered at a state. By what the automaton read on the way in it need not be able to come here again:
// then the state is on no cycle, and those behind it are examined.
void LayerSearch::collect_entries(StateId state) {
  if (order_[state] == 0) {
    starts_.push_back(state);
    return;
  }
  if (!stays_by_state_ || stays(state, kIdleAction)) return;  // it was met before
  const EdgeSpan edges = graph_.edges(state, edges_);
  for (std::uint32_t i = 0; i < edges.count; ++i) {
    if (order_[edges.targets[i]] == 0) starts_.push_back(edges.targets[i]);
  }
}

// ---------------------------------------------------------------- depth first

void LayerSearch::push(StateId state) {
  order_[state] = index_++;
  ++node_count_;
  const EdgeSpan edges = graph_.edges(state, edges_);
  // a state without steps idles
  frames_.push_back(Frame{state, 0, true, edges.count == 0 && stays(state, kIdleAction)});
  // the successors will be examined one after the other: ask for all of them now
  for (std::uint32_t i = 0; i < edges.count; ++i) {
    order_.prefetch(edges.targets[i]);
    graph_.prefetch_edges(edges.targets[i]);
    if (!stays_by_state_) product_.prefetch_valuation(edges.targets[i]);
  }
}

bool LayerSearch::advance() {
  Frame& frame = frames_.back();
  const EdgeSpan edges = graph_.edges(frame.state, edges_);
  std::uint32_t lowest = order_[frame.state];
  bool leads_on = false;
  while (frame.next < edges.count && !leads_on) {
    const StateId target = edges.targets[frame.next];
    const ActionId action = edges.actions[frame.next++];
    const std::uint32_t number = order_[target];
    if (number == kFinished || (!stays_by_state_ && !stays(target, action))) continue;
    if (number == 0) {
      leads_on = true;
    } else if (target == frame.state) {
      frame.has_loop = true;
    } else if (number < lowest) {
      lowest = number;
      frame.is_root = false;
    }
  }
  order_[frame.state] = lowest;
  if (leads_on) push(edges.targets[frame.next - 1]);
  return leads_on;
}

bool LayerSearch::retreat() {
  const Frame frame = frames_.back();
  frames_.pop_back();
  if (!frames_.empty() && order_[frame.state] < order_[frames_.back().state]) {
    order_[frames_.back().state] = order_[frame.state];
    frames_.back().is_root = false;
  }
  if (frame.is_root) return finish_component(frame);
  waiting_.push_back(frame.state);
  return false;
}

bool LayerSearch::finish_component(const Frame& frame) {
  const StateId root = frame.state;
  const std::uint32_t number = order_[root];
  std::size_t first = waiting_.size();
  while (first > 0 && order_[waiting_[first - 1]] >= number) --first;
  const bool is_part = first < waiting_.size() || frame.has_loop;
  std::vector<NodeId> nodes;
  if (is_part) {
    nodes.reserve(waiting_.size() - first + 1);
    nodes.push_back(make_node(root, layer_));
  }
  for (std::size_t i = first; i < waiting_.size(); ++i) {
    nodes.push_back(make_node(waiting_[i], layer_));
    order_[waiting_[i]] = kFinished;
  }
  order_[root] = kFinished;
  index_ = number;  // all that were met later are finished
  waiting_.resize_uninitialised(first);
  if (!is_part) return false;
  part_ = fair_.find(std::move(nodes));
  return !part_.empty();
}

}  // namespace fairlead
