#include "engine/ranks_exchange.hpp"

#include "cuda/device/memory.hpp"
#include "cuda/device/nccl.hpp"
#include "cuda/device/peer.hpp"
#include "cuda/device/stream.hpp"
#include "ranks/agree.hpp"
#include "ranks/place.hpp"

#include <pleiad/error.hpp>

#include <algorithm>
#include <any>
#include <array>
#include <chrono>
#include <cstdint>
#include <cstring>
#include <functional>
#include <future>
#include <set>
#include <span>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

#include <fmt/format.h>

namespace pleiad {
namespace {

/// Time limit for NCCL to begin, which takes a second or two.
#ifdef PLEIAD_EMULATE_CUDA
constexpr double patience_seconds = 2;
#else
constexpr double patience_seconds = 60;
#endif

/// The first bytes of the ranks' own elements, and the end.
std::vector<std::size_t> begins_of(const ranks::Division& division, std::size_t bytes_each) {
  std::vector<std::size_t> begins;
  for (int r = 0; r <= division.ranks; ++r) begins.push_back(bytes_each * division.first(r));
  return begins;
}

template <class T>
class ByNccl final : public RanksExchange<T> {
 public:
  static_assert(sizeof(Mass<T>) == sizeof(Vec4<T>));
  ByNccl(const ranks::Collective& all, std::shared_ptr<cuda::NcclGroup> group, void* stream)
      : all_(all),
        group_(std::move(group)),
        stream_(stream),
        begins_(begins_of(all.division(), sizeof(Vec4<T>))) {}

  void give_to_all(Mass<T>* bodies) override { give(reinterpret_cast<std::byte*>(bodies)); }
  void give_to_owners(const Vec4<T>* found, Vec4<T>* own) override {
    timed(begins_.back() - own_bytes(), [&] {
      group_->add_up(reinterpret_cast<const std::byte*>(found), begins_, reinterpret_cast<std::byte*>(own),
                     stream_);
    });
  }
  void all_to_all(const std::byte* data, std::span<const std::size_t> begins, std::byte* to,
                  std::span<const std::size_t> came) override {
    const auto r = static_cast<std::size_t>(all_.comm().rank());
    timed(begins.back() - (begins[r + 1] - begins[r]),
          [&] { group_->all_to_all(data, begins, to, came, stream_); });
  }
  void wait() override {
    cuda::wait(stream_);
    for (std::size_t k = 0; k < queued_; ++k) all_.comm().add({.seconds = timers_[k]->wait_for_seconds()});
    queued_ = 0;
  }
  std::size_t bytes() const override { return 0; }
  std::string how() const override { return "by " + cuda::nccl_version(); }

 private:
  std::size_t others() const { return static_cast<std::size_t>(all_.division().ranks) - 1; }
  std::size_t own_bytes() const {
    const auto r = static_cast<std::size_t>(all_.comm().rank());
    return begins_[r + 1] - begins_[r];
  }
  void give(std::byte* all) {
    timed(own_bytes() * others(), [&] { group_->give_to_all(all, begins_, stream_); });
  }
  /// Times work that sends `bytes` bytes.
  template <class Work>
  void timed(std::size_t bytes, const Work& work) {
    if (queued_ == most_timers) wait();
    if (queued_ == timers_.size()) timers_.push_back(std::make_unique<cuda::Timer>());
    auto& timer = *timers_[queued_++];
    timer.start(stream_);
    work();
    timer.stop(stream_);
    all_.comm().add({.bytes = bytes, .messages = others()});
  }

  static constexpr std::size_t most_timers = 4096;
  const ranks::Collective& all_;
  std::shared_ptr<cuda::NcclGroup> group_;
  void* stream_;
  std::vector<std::size_t> begins_;
  std::vector<std::unique_ptr<cuda::Timer>> timers_;
  std::size_t queued_ = 0;  ///< timers whose time was not counted yet
};

template <class T>
class ThroughHost final : public RanksExchange<T> {
 public:
  ThroughHost(const ranks::Collective& all, std::string why, void* stream)
      : all_(all), why_(std::move(why)), stream_(stream), host_(all.division().bodies) {}

  void give_to_all(Mass<T>* bodies) override { give(bodies); }
  void give_to_owners(const Vec4<T>* found, Vec4<T>* own) override {
    const auto sums = here<Vec4<T>>();
    cuda::copy_to_host(sums.data(), found, sums.size_bytes(), stream_);
    const auto mine = of<Vec4<T>>(all_.comm().rank());
    hand_over(sums);
    cuda::copy_to_device(own, mine.data(), mine.size_bytes(), stream_);
  }
  void all_to_all(const std::byte* data, std::span<const std::size_t> begins, std::byte* to,
                  std::span<const std::size_t> came) override {
    std::vector<std::byte> leaving(begins.back());
    if (!leaving.empty()) cuda::copy_to_host(leaving.data(), data, leaving.size(), stream_);
    const auto got = ranks::all_to_all<std::byte>(all_.comm(), leaving, begins);
    for (std::size_t r = 0; r + 1 < came.size(); ++r)
      if (const auto part = got.of(int(r)); !part.empty())
        cuda::copy_to_device(to + came[r], part.data(), part.size(), stream_);
    cuda::wait(stream_);
  }
  void wait() override { cuda::wait(stream_); }
  std::size_t bytes() const override { return host_.size() * sizeof(Vec4<T>); }
  std::string how() const override { return "through the host: " + why_; }

 private:
  /// The memory of the host, as these.
  template <class V>
  std::span<V> here() {
    static_assert(sizeof(V) == sizeof(Vec4<T>));
    return {reinterpret_cast<V*>(host_.data()), host_.size()};
  }
  template <class V>
  std::span<V> of(int rank) {
    return here<V>().subspan(all_.division().first(rank), all_.division().count(rank));
  }

  /// The positions of one rank are copied to the GPU while those of the next arrive.
  template <class V>
  void give(V* there) {
    const auto& division = all_.division();
    const int me = all_.comm().rank();
    cuda::copy_to_host(of<V>(me).data(), there + division.first(me), of<V>(me).size_bytes(), stream_);
    const auto begin = [&](int r) -> std::function<void()> {
      if (r == division.ranks) return {};
      return ranks::begin_broadcast<V>(all_.comm(), of<V>(r), r);
    };
    auto arrives = begin(0);
    for (int r = 0; r < division.ranks; ++r) {
      arrives();
      arrives = begin(r + 1);
      const auto part = of<V>(r);
      if (r != me && !part.empty())
        cuda::copy_from_pinned(there + division.first(r), part.data(), part.size_bytes(), stream_);
    }
  }

  struct Found {
    std::uint64_t body;  ///< among those of its owner
    Vec4<T> sum;
  };
  /// Bodies of one owner, and the index of their sums among all that are sent.
  struct Block {
    int rank = 0;
    std::size_t begin = 0, end = 0, count = 0, place = 0;
  };
  static constexpr std::size_t block = 8192;
  /// Sends the sums that this rank has computed to the owners of the bodies: all that are not zero, since
  /// those of other parts are zero, and a sum that nobody sends is zero. The received sums replace its own.
  void hand_over(std::span<const Vec4<T>> sums) {
    const auto& division = all_.division();
    std::vector<std::size_t> begins{0};
    std::vector<Block> blocks;
    for (int r = 0; r < division.ranks; ++r) {
      const std::size_t n = division.count(r);
      for (std::size_t i = 0; i < n; i += block)
        blocks.push_back({.rank = r, .begin = i, .end = std::min(n, i + block)});
    }
    const auto in = [&](const Block& b) {
      return sums.subspan(division.first(b.rank) + b.begin, b.end - b.begin);
    };
    parallel_for(blocks.size(), [&](std::size_t k) {
      blocks[k].count = static_cast<std::size_t>(
          std::ranges::count_if(in(blocks[k]), [](const auto& sum) { return !is_zero(sum); }));
    });
    std::size_t count = 0;
    for (auto& b : blocks) {
      while (begins.size() <= static_cast<std::size_t>(b.rank)) begins.push_back(count);
      b.place = count, count += b.count;
    }
    begins.resize(static_cast<std::size_t>(division.ranks) + 1, count);
    given_.resize(count);
    parallel_for(blocks.size(), [&](std::size_t k) {
      auto place = blocks[k].place, body = blocks[k].begin;
      for (const auto& sum : in(blocks[k])) {
        if (!is_zero(sum)) given_[place++] = {body, sum};
        ++body;
      }
    });
    const auto own = of<Vec4<T>>(all_.comm().rank());
    for_each_index(own.size(), [&](std::size_t i) { own[i] = {}; });
    const auto got = ranks::all_to_all<Found>(all_.comm(), given_, begins);
    for_each_index(got.data.size(), [&](std::size_t i) { own[got.data[i].body] = got.data[i].sum; });
  }
  /// Whether all bits are 0: -0 is not zero.
  static bool is_zero(const Vec4<T>& sum) {
    constexpr std::array<std::byte, sizeof(Vec4<T>)> zero{};
    return std::memcmp(&sum, zero.data(), zero.size()) == 0;
  }

  const ranks::Collective& all_;
  std::string why_;
  void* stream_;
  cuda::Pinned<Vec4<T>> host_;
  std::vector<Found> given_;
};

/// ResourceError unless all arrives as it was sent, in parts of different lengths.
void need_right_exchange(const cuda::NcclGroup& group, int rank, int ranks) {
  using Number = std::uint64_t;
  const cuda::Stream stream;
  const auto mine = static_cast<std::size_t>(rank);
  std::vector<std::size_t> begins{0};
  for (int r = 0; r < ranks; ++r)
    begins.push_back(begins.back() + sizeof(Number) * std::size_t(50000 + 77 * r));
  const auto first = [&](std::size_t r) { return begins[r] / sizeof(Number); };
  const std::size_t n = first(begins.size() - 1);
  const auto number = [](std::size_t i) { return ~Number{0} - Number{0x9E3779B97F4A7C15} * i; };
  std::vector<Number> sent(n), came(n), own(first(mine + 1) - first(mine));
  for (std::size_t i = first(mine); i < first(mine + 1); ++i) sent[i] = number(i);
  cuda::Buffer<Number> there(sent, stream.get()), own_there(own, stream.get());
  group.give_to_all(reinterpret_cast<std::byte*>(there.data()), begins, stream.get());
  there.copy_to_host(came);
  // Of every part each rank has found some numbers.
  for (std::size_t i = 0; i < n; ++i) sent[i] = i % std::size_t(ranks) == mine ? number(i) : 0;
  there.copy_from_host(sent);
  group.add_up(reinterpret_cast<const std::byte*>(there.data()), begins,
               reinterpret_cast<std::byte*>(own_there.data()), stream.get());
  own_there.copy_to_host(own);
  // Each sends its part, which all have now, to each.
  std::vector<std::size_t> again{0};
  for (int r = 0; r < ranks; ++r) again.push_back(again.back() + begins[mine + 1] - begins[mine]);
  std::vector<Number> copies;
  for (int r = 0; r < ranks; ++r) copies.insert(copies.end(), own.begin(), own.end());
  const cuda::Buffer<Number> copies_there(copies, stream.get());
  there.set_bytes(0);
  group.all_to_all(reinterpret_cast<const std::byte*>(copies_there.data()), again,
                   reinterpret_cast<std::byte*>(there.data()), begins, stream.get());
  std::vector<Number> once_more(n);
  there.copy_to_host(once_more);
  // Looked at when all is done: a rank that leaves early would keep the others waiting.
  for (std::size_t i = 0; i < n; ++i)
    if (came[i] != number(i)) throw ResourceError("NCCL did not bring what was sent");
  for (std::size_t i = 0; i < own.size(); ++i)
    if (own[i] != number(first(mine) + i)) throw ResourceError("NCCL did not add up what was sent");
  for (std::size_t i = 0; i < n; ++i)
    if (once_more[i] != number(i)) throw ResourceError("NCCL did not bring to each rank what was for it");
}

/// Returns the error of `work`, or "", or a note that it does not end: it then stays in its thread, so it
/// must own all that it uses. Runs on the present GPU.
std::string error_class_in(const std::function<void()>& work) {
  std::packaged_task<std::string()> task([work, device = cuda::present_device()]() -> std::string {
    try {
      cuda::select_device(device);
      work();
    } catch (const Error& error) {
      return error.what();
    }
    return "";
  });
  auto outcome = task.get_future();
  try {
    std::thread(std::move(task)).detach();
  } catch (const std::system_error& error) {
    return fmt::format("no thread for it: {}", error.what());
  }
  if (outcome.wait_for(std::chrono::duration<double>(patience_seconds)) == std::future_status::ready)
    return outcome.get();
  return fmt::format("NCCL has not answered for {:g} s", patience_seconds);
}

/// Why ranks cannot even begin with NCCL, or "".
std::string why_no_nccl(ranks::Communicator& comm) {
  const auto versions = ranks::all_texts(comm, cuda::nccl_version());
  for (std::size_t r = 0; r < versions.size(); ++r) {
    if (versions[r].empty()) return fmt::format("rank {} finds no NCCL (libnccl.so.2)", r);
    if (versions[r] != versions[0])
      return fmt::format("rank 0 has {}, rank {} {}", versions[0], r, versions[r]);
  }
  const auto gpus =
      ranks::all_texts(comm, ranks::host() + " " + cuda::identity_of_device(cuda::present_device()));
  if (std::set<std::string>(gpus.begin(), gpus.end()).size() < gpus.size()) return "ranks share a GPU";
  return "";
}

/// A group that was tried, or why there is none.
struct Proved {
  std::string why_not;
  std::shared_ptr<cuda::NcclGroup> group{};
};

Proved prove_nccl(ranks::Communicator& comm) {
  struct Joining {
    cuda::NcclGroup::Id id{};
    std::shared_ptr<cuda::NcclGroup> group;
  };
  const auto joining = std::make_shared<Joining>();
  const int rank = comm.rank(), ranks = comm.ranks();
  auto why = why_no_nccl(comm);
  // Each where all before it has gone well on every rank.
  const auto then = [&](const std::function<void()>& work) {
    if (!why.empty()) return;
    why = ranks::first_text(comm, error_class_in(work));
  };
  then([=] {
    if (rank == 0) joining->id = cuda::NcclGroup::make_id();
  });
  if (why.empty()) joining->id = ranks::all_gather(comm, joining->id).front();
  then([=] { joining->group = std::make_shared<cuda::NcclGroup>(joining->id, rank, ranks); });
  then([=] { need_right_exchange(*joining->group, rank, ranks); });
  return {why, why.empty() ? joining->group : nullptr};
}

}  // namespace

template <class T>
std::unique_ptr<RanksExchange<T>> make_ranks_exchange(const ranks::Collective& all, void* stream) {
  // Making a group takes about a second.
  auto& kept = all.comm().kept();
  if (!kept.has_value()) kept = prove_nccl(all.comm());
  const auto& proved = std::any_cast<const Proved&>(kept);
  if (proved.group) return std::make_unique<ByNccl<T>>(all, proved.group, stream);
  return std::make_unique<ThroughHost<T>>(all, proved.why_not, stream);
}
template std::unique_ptr<RanksExchange<float>> make_ranks_exchange(const ranks::Collective&, void*);
template std::unique_ptr<RanksExchange<double>> make_ranks_exchange(const ranks::Collective&, void*);

}  // namespace pleiad
