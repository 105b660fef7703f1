#include "run/copies.hpp"

#include <memory>
#include <utility>

namespace pleiad::run {

/// Waits for the turn of the work that is started next. What is returned is called when it begins.
std::function<void()> Copies::next_turn() {
  // Of a copy that nobody will ever take, for what failed before it, the promise is broken.
  if (taken_.valid()) taken_.wait();
  auto taken = std::make_shared<std::promise<void>>();
  taken_ = taken->get_future();
  return [taken = std::move(taken)] { taken->set_value(); };
}

void Copies::start(bool fields, std::function<void(Snapshot&)> work) {
  auto begun = next_turn();
  background_.start([this, begun = std::move(begun), take = simulation_.snapshot_meanwhile(fields),
                     work = std::move(work)] {
    take(worked_on_);
    begun();
    work(worked_on_);
  });
}

void Copies::start(std::function<void()> work) {
  background_.start([begun = next_turn(), work = std::move(work)] {
    begun();
    work();
  });
}

}  // namespace pleiad::run
