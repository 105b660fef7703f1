#include "core/threads.hpp"

#include <memory>
#include <mutex>

#include <tbb/blocked_range.h>
#include <tbb/global_control.h>
#include <tbb/info.h>
#include <tbb/parallel_for.h>

#ifdef __SANITIZE_THREAD__
#include <sanitizer/tsan_interface.h>
#endif

namespace pleiad {
namespace {
struct Limit {
  std::mutex mutex;
  std::unique_ptr<tbb::global_control> control;
};
Limit& limit() {
  static Limit instance;
  return instance;
}
thread_local bool on_this_thread = false;

/// A point that others come after. TBB is a library without instrumentation: the thread sanitizer cannot see
/// that a piece of work begins after the call that hands it out and ends before that call returns, so it is
/// told; not of the pieces among one another. Without the sanitizer it is nothing.
class Point {
 public:
#ifdef __SANITIZE_THREAD__
  void reached() { __tsan_release(this); }
  void come_after() { __tsan_acquire(this); }

 private:
  char place_ = 0;
#else
  void reached() {}
  void come_after() {}
#endif
};
}  // namespace

OnThisThread::OnThisThread() : before_(on_this_thread) { on_this_thread = true; }
OnThisThread::~OnThisThread() { on_this_thread = before_; }

void set_threads(int count) {
  const std::lock_guard lock(limit().mutex);
  limit().control.reset();
  if (count > 0)
    limit().control = std::make_unique<tbb::global_control>(tbb::global_control::max_allowed_parallelism,
                                                            static_cast<std::size_t>(count));
}

int threads() {
  if (on_this_thread) return 1;
  return static_cast<int>(tbb::global_control::active_value(tbb::global_control::max_allowed_parallelism));
}

void parallel_for(std::size_t count, const std::function<void(std::size_t)>& work) {
  if (count < 2 || threads() == 1) {
    for (std::size_t k = 0; k < count; ++k) work(k);
    return;
  }
  Point handed_out, done;
  handed_out.reached();
  tbb::parallel_for(
      tbb::blocked_range<std::size_t>(0, count, 1),
      [&](const tbb::blocked_range<std::size_t>& range) {
        handed_out.come_after();
        for (std::size_t k = range.begin(); k != range.end(); ++k) work(k);
        done.reached();
      },
      tbb::simple_partitioner{});
  done.come_after();
}

}  // namespace pleiad
