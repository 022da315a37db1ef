// Exploring a graph with partial order reduction: where steps are chosen, and where they are added after all.
#include "explore/graph.hpp"
#include "explore/proviso.hpp"
#include "steps/partial_order.hpp"

namespace fairlead {

NetworkGraph::~NetworkGraph() = default;

bool NetworkGraph::complete() const {
  return next_ >= store_.size() && (!reduced_ || reduced_->is_settled(store_.size()));
}

std::size_t NetworkGraph::reduced_count() const { return reduced_ ? reduced_->count() : 0; }

std::optional<std::string> NetworkGraph::reduce(Sight sight, Proviso proviso) {
  std::vector<Unpacked> initial;
  for (const StateId state : initial_) initial.push_back(unpack(state));
  auto order = std::make_unique<PartialOrder>(network_, layout_, std::move(sight));
  if (auto why = order->prepare(initial)) return why;
  // a step that goes wrong must not be put off forever, even if only deadlocks are searched for
  if (proviso == Proviso::kNone && order->can_fail()) proviso = Proviso::kReached;
  order_ = std::move(order);
  reduced_ = std::make_unique<ReducedStates>(budget_, proviso);
  takes_all_steps_ = false;
  list().set_expendable(false);  // which steps were chosen is known from the transitions alone
  return std::nullopt;
}

void NetworkGraph::select(Batch& batch, StateId state, std::size_t first) {
  if (order_->sees_first_step() && state < initial_.size()) return;
  if (order_->select(store_.record(state), batch.successors, first)) batch.reduced.push_back(state);
}

void NetworkGraph::note_reduced(const Batch& batch) {
  for (const StateId state : batch.reduced) reduced_->note(state);
}

void NetworkGraph::review_trial() { takes_all_steps_ = !trial_.review(reduced_->noted()); }

bool NetworkGraph::expand_put_off() {
  if (!reduced_ || reduced_->is_settled(store_.size())) return false;
  const std::vector<StateId> states = reduced_->to_expand(*this);
  const bool took_all_steps = std::exchange(takes_all_steps_, true);
  EdgeBuffer buffer;
  for (const StateId state : states) {
    ticker_.tick();
    transitions_ -= edge_count(state);
    --expanded_;
    expand(state, buffer);
  }
  takes_all_steps_ = took_all_steps;
  return !states.empty();
}

}  // namespace fairlead
