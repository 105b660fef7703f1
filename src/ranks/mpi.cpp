#include "ranks/mpi.hpp"

#include "core/clock.hpp"
#include "core/room.hpp"

#include <algorithm>
#include <cstdlib>
#include <iterator>
#include <utility>

#define OMPI_SKIP_MPICXX 1
#define MPICH_SKIP_MPICXX 1
#include <mpi.h>

namespace pleiad::ranks {
namespace {

/// MPI ends all ranks at its first error (MPI_ERRORS_ARE_FATAL), so that no return value is looked at.
class MpiRank final : public Communicator {
 public:
  explicit MpiRank(std::size_t most) : most_(most) {
    int provided = 0;
    MPI_Init_thread(nullptr, nullptr, MPI_THREAD_FUNNELED, &provided);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank_);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks_);
  }
  ~MpiRank() override { MPI_Finalize(); }
  MpiRank(const MpiRank&) = delete;
  MpiRank& operator=(const MpiRank&) = delete;

  int rank() const override { return rank_; }
  int ranks() const override { return ranks_; }
  void barrier() override {
    timed([] { MPI_Barrier(MPI_COMM_WORLD); });
  }

  std::vector<std::size_t> all_to_all(std::span<const std::byte> data, std::span<const std::size_t> begins,
                                      const Room& room) override {
    std::vector<std::size_t> there;
    timed([&] {
      std::vector<std::uint64_t> sent(size()), coming(size());
      for (std::size_t r = 0; r < size(); ++r) sent[r] = begins[r + 1] - begins[r];
      MPI_Alltoall(sent.data(), 1, MPI_UINT64_T, coming.data(), 1, MPI_UINT64_T, MPI_COMM_WORLD);
      there = begins_of(coming);
      auto* const received = room(there.back());
      std::vector<MPI_Request> requests;
      for (const int r : others()) {
        const auto at = static_cast<std::size_t>(r);
        in_pieces(coming[at], [&](std::size_t begin, int bytes) {
          MPI_Irecv(received + there[at] + begin, bytes, MPI_BYTE, r, 0, MPI_COMM_WORLD,
                    &requests.emplace_back());
        });
      }
      for (const int r : others()) {
        const auto at = static_cast<std::size_t>(r);
        count(sent[at]);
        in_pieces(sent[at], [&](std::size_t begin, int bytes) {
          MPI_Isend(data.data() + begins[at] + begin, bytes, MPI_BYTE, r, 0, MPI_COMM_WORLD,
                    &requests.emplace_back());
        });
      }
      const auto me = static_cast<std::size_t>(rank_);
      copy_at_once(data.subspan(begins[me], sent[me]), received + there[me]);
      wait_for(requests);
    });
    return there;
  }

  std::vector<std::size_t> all_gather(std::span<const std::byte> mine, const Room& room) override {
    std::vector<std::size_t> there;
    timed([&] {
      const std::uint64_t bytes = mine.size();
      std::vector<std::uint64_t> coming(size());
      MPI_Allgather(&bytes, 1, MPI_UINT64_T, coming.data(), 1, MPI_UINT64_T, MPI_COMM_WORLD);
      there = begins_of(coming);
      auto* const received = room(there.back());
      for (int k = 1; k < ranks_; ++k) count(bytes);
      if (there.back() <= most_) {
        const std::vector<int> counts(coming.begin(), coming.end()),
            begins(there.begin(), std::prev(there.end()));
        MPI_Allgatherv(mine.data(), static_cast<int>(bytes), MPI_BYTE, received, counts.data(), begins.data(),
                       MPI_BYTE, MPI_COMM_WORLD);
        return;
      }
      std::ranges::copy(mine, received + there[static_cast<std::size_t>(rank_)]);
      std::vector<MPI_Request> requests;
      for (int r = 0; r < ranks_; ++r) {
        const auto at = static_cast<std::size_t>(r);
        broadcast({received + there[at], coming[at]}, r, requests);
      }
      wait_for(requests);
    });
    return there;
  }

  std::function<void()> begin_broadcast(std::span<std::byte> data, int root) override {
    for (int k = 1; rank_ == root && k < ranks_; ++k) count(data.size());
    std::vector<MPI_Request> requests;
    timed([&] { broadcast(data, root, requests); });
    return [this, requests = std::move(requests)]() mutable { timed([&] { wait_for(requests); }); };
  }

  void sum(std::span<std::uint64_t> values) override { combine(values, MPI_UINT64_T, MPI_SUM); }
  void max(std::span<double> values) override { combine(values, MPI_DOUBLE, MPI_MAX); }

 private:
  std::size_t size() const { return static_cast<std::size_t>(ranks_); }
  /// The other ranks, from the next one on, so that not all send to one rank at the same time.
  std::vector<int> others() const {
    std::vector<int> ranks;
    for (int k = 1; k < ranks_; ++k) ranks.push_back((rank_ + k) % ranks_);
    return ranks;
  }
  void count(std::size_t bytes) {
    if (bytes > 0) traffic_.bytes += bytes, ++traffic_.messages;
  }
  template <class Work>
  void timed(const Work& work) {
    traffic_.seconds += seconds_of(work);
  }
  static std::vector<std::size_t> begins_of(std::span<const std::uint64_t> counts) {
    std::vector<std::size_t> begins{0};
    for (const auto bytes : counts) begins.push_back(begins.back() + bytes);
    return begins;
  }
  /// MPI counts in int: piece(first byte, bytes) for each part of a long message.
  template <class Piece>
  void in_pieces(std::size_t bytes, const Piece& piece) const {
    for (std::size_t begin = 0; begin < bytes; begin += most_)
      piece(begin, static_cast<int>(std::min(most_, bytes - begin)));
  }
  void broadcast(std::span<std::byte> data, int root, std::vector<MPI_Request>& requests) const {
    in_pieces(data.size(), [&](std::size_t begin, int bytes) {
      MPI_Ibcast(data.data() + begin, bytes, MPI_BYTE, root, MPI_COMM_WORLD, &requests.emplace_back());
    });
  }
  static void wait_for(std::vector<MPI_Request>& requests) {
    MPI_Waitall(static_cast<int>(requests.size()), requests.data(), MPI_STATUSES_IGNORE);
  }
  template <class T>
  void combine(std::span<T> values, MPI_Datatype type, MPI_Op how) {
    const std::size_t at_once = std::max<std::size_t>(most_ / sizeof(T), 1);
    timed([&] {
      for (std::size_t begin = 0; begin < values.size(); begin += at_once) {
        const auto piece = values.subspan(begin, std::min(at_once, values.size() - begin));
        MPI_Allreduce(MPI_IN_PLACE, piece.data(), static_cast<int>(piece.size()), type, how, MPI_COMM_WORLD);
      }
    });
    for (int k = 1; k < ranks_; ++k) count(values.size_bytes());
  }

  std::size_t most_;
  int rank_ = 0, ranks_ = 1;
};

}  // namespace

const bool built_with_mpi = true;

std::string mpi_version() {
  char text[MPI_MAX_LIBRARY_VERSION_STRING];
  int length = 0;
  MPI_Get_library_version(text, &length);
  // Open MPI states its package, identity and date after a comma, MPICH the rest on lines of its own.
  const std::string all(text, static_cast<std::size_t>(length));
  auto line = all.substr(0, all.find_first_of(",\n"));
  if (line.starts_with("Open MPI v")) line.erase(9, 1);
  return line;
}

std::unique_ptr<Communicator> start_mpi(std::size_t most) { return std::make_unique<MpiRank>(most); }

void end_all_ranks(int exit_code) {
  MPI_Abort(MPI_COMM_WORLD, exit_code);
  std::_Exit(exit_code);
}

}  // namespace pleiad::ranks
