#include "run/stop.hpp"

#include <array>
#include <system_error>

#include <fmt/format.h>
#include <signal.h>  // NOLINT(modernize-deprecated-headers): sigaction is POSIX, not in <csignal>
#include <unistd.h>

namespace pleiad::run {
namespace {

constexpr std::array signals{SIGINT, SIGTERM, SIGUSR1};
volatile sig_atomic_t received_signal = 0;
std::array<struct sigaction, signals.size()> before{};

void on_signal(int number) {
  if (received_signal != 0) _exit(128 + number);
  received_signal = number;
}

}  // namespace

SignalWatch::SignalWatch() {
  received_signal = 0;
  struct sigaction action {};
  action.sa_handler = on_signal;
  sigemptyset(&action.sa_mask);
  action.sa_flags = SA_RESTART;
  for (std::size_t i = 0; i < signals.size(); ++i) sigaction(signals[i], &action, &before[i]);
}

SignalWatch::~SignalWatch() {
  for (std::size_t i = 0; i < signals.size(); ++i) sigaction(signals[i], &before[i], nullptr);
}

std::string SignalWatch::received() {
  switch (received_signal) {
    case 0:
      return "";
    case SIGINT:
      return "SIGINT";
    case SIGTERM:
      return "SIGTERM";
    default:
      return "SIGUSR1";
  }
}

StopWatch::StopWatch(std::filesystem::path stop_file, double walltime)
    : stop_file_(std::move(stop_file)), walltime_(walltime) {}

std::string StopWatch::reason() {
  if (auto signal = SignalWatch::received(); !signal.empty()) return signal;
  const double now = elapsed();
  if (walltime_ > 0 && walltime_ - now < 2 * (slowest_batch_ + slowest_save_))
    return fmt::format("the wall time of {:g} s", walltime_);
  if (last_look_ < 0 || now - last_look_ > 0.2) {
    last_look_ = now;
    std::error_code ignored;
    if (std::filesystem::remove(stop_file_, ignored))
      return fmt::format("the stop file '{}'", stop_file_.string());
  }
  return "";
}

}  // namespace pleiad::run
