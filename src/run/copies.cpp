#include "run/copies.hpp"

#include <memory>
#include <utility>

namespace pleiad::run {

/// Waits for the turn of the work that is started next. The returned function must be called when that work
/// begins.
std::function<void()> Copies::Line::next_turn() {
  // The promise of work that will never begin, because earlier work failed, is broken.
  if (begun.valid()) begun.wait();
  auto promise = std::make_shared<std::promise<void>>();
  begun = promise->get_future();
  return [promise = std::move(promise)] { promise->set_value(); };
}

void Copies::start(bool fields, std::function<void(Snapshot&)> work) {
  if (!concurrent_) {
    simulation_.snapshot_meanwhile(fields)(worked_on_);
    return work(worked_on_);
  }
  auto begun = with_copies_.next_turn();
  with_copies_.background.start([this, begun = std::move(begun),
                                 take = simulation_.snapshot_meanwhile(fields), work = std::move(work)] {
    take(worked_on_);
    begun();
    work(worked_on_);
  });
}

void Copies::start(std::function<void()> work) {
  if (!concurrent_) return work();
  without_.background.start([begun = without_.next_turn(), work = std::move(work)] {
    begun();
    work();
  });
}

void Copies::wait() {
  without_.background.wait();
  with_copies_.background.wait();
}

}  // namespace pleiad::run
