#include "run/copies.hpp"

#include <memory>
#include <utility>

namespace pleiad::run {

void Copies::start(bool fields, std::function<void(Snapshot&)> work) {
  // Of a copy that nobody will ever take, for what failed before it, the promise is broken.
  if (taken_.valid()) taken_.wait();
  auto taken = std::make_shared<std::promise<void>>();
  taken_ = taken->get_future();
  background_.start([this, taken = std::move(taken), take = simulation_.snapshot_meanwhile(fields),
                     work = std::move(work)] {
    take(worked_on_);
    taken->set_value();
    work(worked_on_);
  });
}

}  // namespace pleiad::run
