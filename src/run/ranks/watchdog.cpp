#include "run/ranks/watchdog.hpp"

#include "core/clock.hpp"

#include <pleiad/error.hpp>

#include <algorithm>
#include <chrono>
#include <string>
#include <system_error>

#include <fmt/format.h>
#include <unistd.h>

namespace pleiad::run {

Watchdog::Watchdog(double seconds_allowed, int rank) : most_(seconds_allowed), rank_(rank), last_(seconds()) {
  if (most_ > 0) try {
      thread_ = std::thread([this] { watch(); });
    } catch (const std::system_error&) {
      // No thread can be had: the other ranks watch.
    }
}

Watchdog::~Watchdog() {
  {
    const std::lock_guard lock(mutex_);
    ended_ = true;
  }
  ending_.notify_all();
  if (thread_.joinable()) thread_.join();
}

void Watchdog::alive() { last_ = seconds(); }

void Watchdog::watch() {
  const auto pause = std::chrono::duration<double>(std::min(1.0, most_ / 4));
  std::unique_lock lock(mutex_);
  while (!ending_.wait_for(lock, pause, [this] { return ended_; })) {
    const double still = seconds() - last_;
    if (still < most_) continue;
    const auto line = fmt::format(
        "pleiad: error: rank {} has waited for {:.0f} s (limits.hang_seconds = {:g}): a rank or the network "
        "hangs; the last checkpoint is good\n",
        rank_, still, most_);
    [[maybe_unused]] const auto written = ::write(STDERR_FILENO, line.data(), line.size());
    // The thread that hangs may hold any lock: nothing but the end of the process is safe.
    ::_exit(static_cast<int>(Error::Kind::resource));
  }
}

}  // namespace pleiad::run
