#include "core/threads.hpp"

#include <algorithm>
#include <atomic>
#include <exception>
#include <memory>
#include <mutex>
#include <new>
#include <set>
#include <system_error>
#include <thread>
#include <vector>

#include <tbb/blocked_range.h>
#include <tbb/global_control.h>
#include <tbb/info.h>
#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>

namespace pleiad {
namespace {

/// The maximum number of threads of the process, for all engines together.
class Limit {
 public:
  void add(int count) {
    const std::lock_guard lock(mutex_);
    wanted_.insert(count);
    apply();
  }
  void remove(int count) {
    const std::lock_guard lock(mutex_);
    wanted_.erase(wanted_.find(count));
    apply();
  }
  void grant(int count) {
    const std::lock_guard lock(mutex_);
    granted_ = count;
    apply();
  }
  /// Number of threads that can run, at most `count`; 0 means all.
  int at_most(int count) const {
    const int there = granted_, all = count > 0 ? count : offered_;
    return there > 0 ? std::min(all, there) : all;
  }

 private:
  /// Under the mutex. Without a control there are as many as there are processors.
  void apply() {
    const int most = at_most(wanted_.empty() ? 0 : std::max(*wanted_.rbegin(), offered_));
    if (most == most_) return;
    control_.reset();
    if (most != offered_)
      control_ = std::make_unique<tbb::global_control>(tbb::global_control::max_allowed_parallelism,
                                                       static_cast<std::size_t>(most));
    most_ = most;
  }

  std::mutex mutex_;
  const int offered_ = tbb::info::default_concurrency();
  int most_ = offered_;
  std::multiset<int> wanted_;    ///< by the teams there are
  std::atomic<int> granted_{0};  ///< by the system; 0: as many as there are processors
  std::unique_ptr<tbb::global_control> control_;
};
Limit& limit() {
  static Limit instance;
  return instance;
}

thread_local bool on_this_thread = false;
}  // namespace

/// A number of threads, and their arena.
struct Team {
  explicit Team(int n) : count(n), arena(n) { limit().add(n); }
  ~Team() { limit().remove(count); }
  Team(const Team&) = delete;
  Team& operator=(const Team&) = delete;
  const int count;
  tbb::task_arena arena;
};

namespace {
thread_local Team* in_force = nullptr;  ///< null: the process's

/// The process's team; null: all that the machine offers.
std::mutex process_mutex;
std::shared_ptr<Team>& process_team() {
  limit();  // which it needs until it ends
  static std::shared_ptr<Team> team;
  return team;
}
/// The team for work of this thread, kept while it works.
std::shared_ptr<Team> team_here() {
  if (in_force != nullptr) return {in_force, [](Team*) {}};
  const std::lock_guard lock(process_mutex);
  return process_team();
}

/// A team in force for a while, in a thread of its own too.
class InForce {
 public:
  explicit InForce(Team* team) : before_(in_force) { in_force = team; }
  ~InForce() { in_force = before_; }
  InForce(const InForce&) = delete;
  InForce& operator=(const InForce&) = delete;

 private:
  Team* before_;
};

/// Number of threads that the system grants (ulimit -u, limits of a container), at most `wanted`, this one
/// included: they are started, kept until all run, and ended.
int granted(int wanted) {
  std::vector<std::thread> trial;
  std::mutex gate;
  try {
    const std::lock_guard closed(gate);
    while (static_cast<int>(trial.size()) + 1 < wanted)
      trial.emplace_back([&] { const std::lock_guard passed(gate); });
  } catch (const std::system_error&) {
    // This number, then.
  } catch (const std::bad_alloc&) {
  }
  for (auto& thread : trial) thread.join();
  return static_cast<int>(trial.size()) + 1;
}

/// The library that runs the threads ends the process, or throws out of the middle of a sum, when one of them
/// cannot be started. Sums have the same bits for any number of threads, so that fewer do as well.
void want_only_granted() {
  const int wanted = tbb::info::default_concurrency(), there = granted(wanted);
  if (there != wanted) limit().grant(there);
}

#ifdef __SANITIZE_THREAD__
/// TBB is a library without instrumentation: the thread sanitizer detects neither the start nor the end of
/// its tasks, and takes each piece for a race. Under it threads of our own do the work. Only the beginning
/// and the end order the pieces, so that races among them are detected.
void on_threads(Team* team, std::size_t count, const std::function<void(std::size_t)>& work) {
  std::atomic<std::size_t> next{0};
  std::mutex mutex;
  std::exception_ptr failure;
  const auto take = [&] {
    const InForce here(team);
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
void on_threads(Team* team, std::size_t count, const std::function<void(std::size_t)>& work) {
  const auto all = [&] {
    tbb::parallel_for(
        tbb::blocked_range<std::size_t>(0, count, 1),
        [&](const tbb::blocked_range<std::size_t>& range) {
          const InForce here(team);
          for (std::size_t k = range.begin(); k != range.end(); ++k) work(k);
        },
        tbb::simple_partitioner{});
  };
  if (team == nullptr) all();
  else team->arena.execute(all);
}
#endif
}  // namespace

Threads::Threads(int count) : team_(count > 0 ? std::make_unique<Team>(count) : nullptr) {}
Threads::~Threads() = default;

WithThreads::WithThreads(const Threads& threads) : before_(in_force) {
  if (threads.team_) in_force = threads.team_.get();
}
WithThreads::~WithThreads() { in_force = before_; }

OnThisThread::OnThisThread() : before_(on_this_thread) { on_this_thread = true; }
OnThisThread::~OnThisThread() { on_this_thread = before_; }

void set_threads(int count) {
  auto team = count > 0 ? std::make_shared<Team>(count) : nullptr;
  const std::lock_guard lock(process_mutex);
  process_team().swap(team);
}

int threads() {
  if (on_this_thread) return 1;
  const auto team = team_here();
  return limit().at_most(team ? team->count : 0);
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
  on_threads(team_here().get(), count, work);
}

}  // namespace pleiad
