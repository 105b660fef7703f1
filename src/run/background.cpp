#include "run/background.hpp"

#include <system_error>
#include <utility>

namespace pleiad::run {

Background::~Background() {
  if (thread_.joinable()) thread_.join();
}

void Background::start(std::function<void()> work) {
  wait();
  const auto guarded = [this, work = std::move(work)] {
    try {
      work();
    } catch (...) {
      failure_ = std::current_exception();
    }
  };
  try {
    thread_ = std::thread(guarded);
  } catch (const std::system_error&) {
    guarded();
    wait();
  }
}

void Background::wait() {
  if (thread_.joinable()) thread_.join();
  if (failure_) std::rethrow_exception(std::exchange(failure_, nullptr));
}

}  // namespace pleiad::run
