#include "explore/edges.hpp"

namespace fairlead {

std::size_t EdgeList::reserve(std::size_t count) {
  if (expendable_) {
    const std::size_t chunks = targets_.new_chunks(count);
    const std::size_t bytes = chunks * Targets::kChunk * (sizeof(StateId) + sizeof(ActionId));
    if (targets_.size() + count > most_ || (chunks != 0 && !budget_.has_room(bytes))) {
      most_ = 0;
      return kNowhere;
    }
  }
  is_growing_ = true;
  struct Done {
    bool& is_growing;
    ~Done() { is_growing = false; }
  } done{is_growing_};
  actions_.reserve_run(count);
  return targets_.reserve_run(count);
}

bool EdgeList::give_up() {
  if (!expendable_ || is_growing_) return false;
  most_ = 0;
  actions_.drop_last_chunk();
  return targets_.drop_last_chunk();
}

}  // namespace fairlead
