#include "run/stop.hpp"

#include "render/process.hpp"

#include <array>
#include <atomic>
#include <mutex>
#include <system_error>

#include <fmt/format.h>
#include <signal.h>  // NOLINT(modernize-deprecated-headers): sigaction is POSIX, not in <csignal>
#include <unistd.h>

namespace pleiad::run {
namespace {

struct Signal {
  int number;
  const char* name;
};
constexpr std::array signals{Signal{SIGINT, "SIGINT"},   Signal{SIGTERM, "SIGTERM"},
                             Signal{SIGHUP, "SIGHUP"},   Signal{SIGUSR1, "SIGUSR1"},
                             Signal{SIGUSR2, "SIGUSR2"}, Signal{SIGXCPU, "SIGXCPU"}};
static_assert(std::atomic<int>::is_always_lock_free, "a handler of signals may use nothing else");
std::atomic<int> received_signal = 0;
std::atomic<bool> asked_to_end = false;  // by SIGINT or SIGTERM
// Ranks that are threads of this process have a watch each: the first sets the handlers, the last resets
// them.
std::mutex of_watches;
int watches = 0;
std::array<struct sigaction, signals.size()> before{};

void on_signal(int number) {
  // A closing terminal sends SIGHUP twice, and a limit of processor time sends SIGXCPU every second: only a
  // repeated SIGINT or SIGTERM ends at once.
  if (number == SIGINT || number == SIGTERM) {
    if (asked_to_end.exchange(true)) {
      render_detail::kill_running_program();  // it would run on for hours for an unwanted film
      _exit(128 + number);
    }
  }
  SignalWatch::pass_on(number);
}

}  // namespace

SignalWatch::SignalWatch() {
  const std::lock_guard lock(of_watches);
  if (watches++ > 0) return;
  received_signal = 0;
  asked_to_end = false;
  struct sigaction action {};
  action.sa_handler = on_signal;
  sigemptyset(&action.sa_mask);
  action.sa_flags = SA_RESTART;
  for (std::size_t i = 0; i < signals.size(); ++i) {
    sigaction(signals[i].number, nullptr, &before[i]);
    // nohup: the program is to outlive the terminal.
    if (signals[i].number == SIGHUP && before[i].sa_handler == SIG_IGN) continue;
    sigaction(signals[i].number, &action, nullptr);
  }
}

SignalWatch::~SignalWatch() {
  const std::lock_guard lock(of_watches);
  if (--watches > 0) return;
  for (std::size_t i = 0; i < signals.size(); ++i) sigaction(signals[i].number, &before[i], nullptr);
}

std::string SignalWatch::received() {
  for (const auto& [number, name] : signals)
    if (number == received_signal) return name;
  return "";
}

int SignalWatch::number() { return received_signal; }
void SignalWatch::pass_on(int number) {
  int none = 0;
  received_signal.compare_exchange_strong(none, number);
}

StopWatch::StopWatch(std::filesystem::path stop_file, double walltime)
    : stop_file_(std::move(stop_file)), walltime_(walltime) {}

std::string StopWatch::reason() {
  if (auto signal = SignalWatch::received(); !signal.empty()) return signal;
  const double now = elapsed();
  if (walltime_ > 0 && walltime_ - now < 2 * (slowest_batch_ + slowest_save_ + slowest_output_))
    return fmt::format("the wall time of {:g} s", walltime_);
  if (last_check_ < 0 || now - last_check_ > 0.2) {
    last_check_ = now;
    std::error_code ignored;
    // A folder of this name is none of ours.
    const bool file =
        std::filesystem::symlink_status(stop_file_, ignored).type() == std::filesystem::file_type::regular;
    if (file && std::filesystem::remove(stop_file_, ignored))
      return fmt::format("the stop file '{}'", stop_file_.string());
  }
  return "";
}

}  // namespace pleiad::run
