#include "live/thread.hpp"

#include <pleiad/error.hpp>

#include <system_error>
#include <utility>

#include <fmt/format.h>
#include <pthread.h>
#include <signal.h>  // NOLINT(modernize-deprecated-headers): sigset_t of pthread_sigmask is POSIX

namespace pleiad::live {

std::thread started_without_signals(std::function<void()> work, std::string_view what) {
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  std::thread thread;
  try {
    thread = std::thread(std::move(work));
  } catch (const std::system_error&) {
  }
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
  if (!thread.joinable()) throw ResourceError(fmt::format("there is no thread for {}", what));
  return thread;
}

}  // namespace pleiad::live
