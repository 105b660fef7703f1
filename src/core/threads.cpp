#include "core/threads.hpp"

#include <algorithm>
#include <atomic>
#include <exception>
#include <memory>
#include <mutex>
#include <new>
#include <system_error>
#include <thread>
#include <vector>

#include <tbb/blocked_range.h>
#include <tbb/global_control.h>
#include <tbb/info.h>
#include <tbb/parallel_for.h>

namespace pleiad {
namespace {
struct Limit {
  std::mutex mutex;
  std::unique_ptr<tbb::global_control> control;
  int asked = 0;    ///< 0: no limit
  int granted = 0;  ///< by the system; 0: as many as there are processors
  /// Under the mutex.
  void apply() {
    const int most = granted > 0 && (asked == 0 || asked > granted) ? granted : asked;
    control.reset();
    if (most > 0)
      control = std::make_unique<tbb::global_control>(tbb::global_control::max_allowed_parallelism,
                                                      static_cast<std::size_t>(most));
  }
};
Limit& limit() {
  static Limit instance;
  return instance;
}
thread_local bool on_this_thread = false;

/// Of `wanted` threads those that the system grants (ulimit -u, limits of a container), this one included:
/// so many are started, kept until all are there, and ended.
int granted(int wanted) {
  std::vector<std::thread> trial;
  std::mutex gate;
  try {
    const std::lock_guard closed(gate);
    while (static_cast<int>(trial.size()) + 1 < wanted)
      trial.emplace_back([&] { const std::lock_guard passed(gate); });
  } catch (const std::system_error&) {
    // So many, then.
  } catch (const std::bad_alloc&) {
  }
  for (auto& thread : trial) thread.join();
  return static_cast<int>(trial.size()) + 1;
}

/// The library that runs the threads ends the process, or throws out of the middle of a sum, when one of them
/// cannot be started. Sums have the same bits for any number of threads, so that fewer do as well.
void want_only_granted() {
  const int wanted = tbb::info::default_concurrency(), there = granted(wanted);
  if (there == wanted) return;
  const std::lock_guard lock(limit().mutex);
  limit().granted = there;
  limit().apply();
}

#ifdef __SANITIZE_THREAD__
/// TBB is a library without instrumentation: the thread sanitizer sees neither how work is handed out nor
/// that it has ended, and takes each piece for a race. Under it threads of our own do the work. Nothing but
/// the beginning and the end orders the pieces, so that races among them are seen.
void on_threads(std::size_t count, const std::function<void(std::size_t)>& work) {
  std::atomic<std::size_t> next{0};
  std::mutex mutex;
  std::exception_ptr failure;
  const auto take = [&] {
    try {
      for (std::size_t k; (k = next.fetch_add(1, std::memory_order_relaxed)) < count;) work(k);
    } catch (...) {
      const std::lock_guard lock(mutex);
      failure = std::current_exception();
    }
  };
  {
    std::vector<std::jthread> others(std::min(count, static_cast<std::size_t>(threads())) - 1);
    for (auto& other : others) other = std::jthread(take);
    take();
  }
  if (failure) std::rethrow_exception(failure);
}
#else
void on_threads(std::size_t count, const std::function<void(std::size_t)>& work) {
  tbb::parallel_for(
      tbb::blocked_range<std::size_t>(0, count, 1),
      [&](const tbb::blocked_range<std::size_t>& range) {
        for (std::size_t k = range.begin(); k != range.end(); ++k) work(k);
      },
      tbb::simple_partitioner{});
}
#endif
}  // namespace

OnThisThread::OnThisThread() : before_(on_this_thread) { on_this_thread = true; }
OnThisThread::~OnThisThread() { on_this_thread = before_; }

void set_threads(int count) {
  const std::lock_guard lock(limit().mutex);
  limit().asked = count;
  limit().apply();
}

int threads() {
  if (on_this_thread) return 1;
  return static_cast<int>(tbb::global_control::active_value(tbb::global_control::max_allowed_parallelism));
}

void parallel_for(std::size_t count, const std::function<void(std::size_t)>& work) {
  if (count >= 2 && threads() > 1) {
    static std::once_flag tried;
    std::call_once(tried, want_only_granted);
  }
  if (count < 2 || threads() == 1) {
    for (std::size_t k = 0; k < count; ++k) work(k);
    return;
  }
  on_threads(count, work);
}

}  // namespace pleiad
