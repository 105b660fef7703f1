#include "ranks/simulated.hpp"

#include "core/clock.hpp"
#include "core/threads.hpp"

#include <algorithm>
#include <condition_variable>
#include <exception>
#include <mutex>
#include <thread>
#include <utility>

namespace pleiad::ranks {
namespace {

/// Thrown where ranks wait for one that has failed.
struct OtherRankFailed {};

/// A collective call: each rank publishes its data, all read them, and none continues before all have read
/// them.
class Rendezvous {
 public:
  explicit Rendezvous(int ranks) : shown_(static_cast<std::size_t>(ranks)) {}

  struct Shown {
    std::span<const std::byte> data;
    std::span<const std::size_t> begins;
  };
  /// look(all that is shown), after all have come.
  template <class Look>
  void hold(int rank, const Shown& mine, const Look& look) {
    shown_[static_cast<std::size_t>(rank)] = mine;
    wait();
    look(std::as_const(shown_));
    wait();
  }
  void wait() {
    std::unique_lock lock(mutex_);
    if (failed_) throw OtherRankFailed();
    const auto mine = round_;
    if (++here_ == shown_.size()) {
      here_ = 0, ++round_;
      all_here_.notify_all();
      return;
    }
    all_here_.wait(lock, [&] { return round_ != mine || failed_; });
    if (round_ == mine) throw OtherRankFailed();
  }
  void fail() {
    const std::lock_guard lock(mutex_);
    failed_ = true;
    all_here_.notify_all();
  }

 private:
  std::vector<Shown> shown_;
  std::mutex mutex_;
  std::condition_variable all_here_;
  std::size_t here_ = 0, round_ = 0;
  bool failed_ = false;
};

class SimulatedRank : public Communicator {
 public:
  SimulatedRank(Rendezvous& rendezvous, int rank, int ranks)
      : rendezvous_(rendezvous), rank_(rank), ranks_(ranks) {}

  int rank() const override { return rank_; }
  int ranks() const override { return ranks_; }
  void barrier() override {
    exchange({}, [](const auto&) {});
  }

  std::vector<std::size_t> all_to_all(std::span<const std::byte> data, std::span<const std::size_t> begins,
                                      const Room& room) override {
    for (int to = 0; to < ranks_; ++to) count(to, part(begins, to).size);
    return receive({data, begins}, room, [&](const Rendezvous::Shown& from) {
      const auto [begin, size] = part(from.begins, rank_);
      return from.data.subspan(begin, size);
    });
  }
  std::vector<std::size_t> all_gather(std::span<const std::byte> mine, const Room& room) override {
    for (int to = 0; to < ranks_; ++to) count(to, mine.size());
    return receive({mine, {}}, room, [](const Rendezvous::Shown& from) { return from.data; });
  }
  std::function<void()> begin_broadcast(std::span<std::byte> data, int root) override {
    for (int to = 0; rank_ == root && to < ranks_; ++to) count(to, data.size());
    exchange({data, {}}, [&](const auto& shown) {
      if (rank_ != root) std::ranges::copy(shown[static_cast<std::size_t>(root)].data, data.begin());
    });
    return [] {};
  }
  void sum(std::span<std::uint64_t> values) override {
    combine(values, [](std::uint64_t a, std::uint64_t b) { return a + b; });
  }
  void max(std::span<double> values) override {
    combine(values, [](double a, double b) { return a < b ? b : a; });
  }

 private:
  struct Part {
    std::size_t begin, size;
  };
  static Part part(std::span<const std::size_t> begins, int rank) {
    const auto r = static_cast<std::size_t>(rank);
    return {begins[r], begins[r + 1] - begins[r]};
  }
  void count(int to, std::size_t bytes) {
    if (to != rank_ && bytes > 0) traffic_.bytes += bytes, ++traffic_.messages;
  }
  template <class Look>
  void exchange(const Rendezvous::Shown& mine, const Look& look) {
    traffic_.seconds += seconds_of([&] { rendezvous_.hold(rank_, mine, look); });
  }
  /// Receives the data for this rank: `what` selects them from those that a rank publishes.
  template <class What>
  std::vector<std::size_t> receive(const Rendezvous::Shown& mine, const Room& room, const What& what) {
    std::vector<std::size_t> begins{0};
    exchange(mine, [&](const auto& shown) {
      for (const auto& from : shown) begins.push_back(begins.back() + what(from).size());
      auto* to = room(begins.back());
      for (const auto& from : shown) to = std::ranges::copy(what(from), to).out;
    });
    return begins;
  }
  template <class T, class Both>
  void combine(std::span<T> values, const Both& both) {
    const auto all = ranks::all_gather<T>(*this, values);
    std::ranges::copy(all.of(0), values.begin());
    for (int r = 1; r < ranks_; ++r) std::ranges::transform(values, all.of(r), values.begin(), both);
  }

  Rendezvous& rendezvous_;
  int rank_, ranks_;
};

}  // namespace

void with_simulated_ranks(int ranks, const std::function<void(Communicator&)>& work) {
  Rendezvous rendezvous(ranks);
  std::mutex mutex;
  std::exception_ptr failure;
  const auto one = [&](int rank) {
    const OnThisThread alone;
    SimulatedRank comm(rendezvous, rank, ranks);
    try {
      work(comm);
    } catch (const OtherRankFailed&) {
      // The exception of the failed rank is reported.
    } catch (...) {
      const std::lock_guard lock(mutex);
      if (!failure) failure = std::current_exception();
      rendezvous.fail();
    }
  };
  {
    std::vector<std::jthread> threads;
    for (int rank = 0; rank < ranks; ++rank) threads.emplace_back(one, rank);
  }
  if (failure) std::rethrow_exception(failure);
}

}  // namespace pleiad::ranks
