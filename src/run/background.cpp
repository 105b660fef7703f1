#include "run/background.hpp"

#include <system_error>
#include <utility>

namespace pleiad::run {

Background::~Background() {
  {
    const std::lock_guard lock(mutex_);
    ending_ = true;
  }
  changed_.notify_all();
  if (thread_.joinable()) thread_.join();
}

void Background::serve() {
  std::unique_lock lock(mutex_);
  while (true) {
    changed_.wait(lock, [&] { return ending_ || !work_.empty(); });
    if (work_.empty()) return;
    const auto& work = work_.front();
    lock.unlock();
    std::exception_ptr failure;
    try {
      work();
    } catch (...) {
      failure = std::current_exception();
    }
    lock.lock();
    if (failure) failure_ = failure, work_.clear();
    else work_.pop_front();
    changed_.notify_all();
  }
}

/// Under the mutex.
void Background::rethrow() {
  if (failure_) std::rethrow_exception(std::exchange(failure_, nullptr));
}

void Background::start(std::function<void()> work) {
  std::unique_lock lock(mutex_);
  rethrow();
  try {
    if (!thread_.joinable()) thread_ = std::thread([this] { serve(); });
  } catch (const std::system_error&) {
    lock.unlock();
    return work();
  }
  work_.push_back(std::move(work));
  changed_.notify_all();
}

void Background::wait() {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [&] { return work_.empty(); });
  rethrow();
}

}  // namespace pleiad::run
