#include "engine/ranks_device.hpp"

#include "core/threads.hpp"
#include "cuda/device/memory.hpp"
#include "cuda/device/peer.hpp"
#include "cuda/device/stream.hpp"
#include "cuda/tree/forces.hpp"
#include "engine/device_kernels.hpp"
#include "ranks/place.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace pleiad {
namespace {

/// This rank's GPU, with the positions of all bodies.
template <class T>
class Gathered {
 public:
  explicit Gathered(const ranks::Together& all)
      : all_(all), device_(ranks::number_on_host(all.transport()) % cuda::device_count()) {
    const cuda::OnDevice here(device_);
    stream_.emplace();
    host_ = cuda::Pinned<Mass<T>>(all.division().bodies);
    there_ = cuda::Buffer<Mass<T>>(all.division().bodies, stream());
  }
  Gathered(const Gathered&) = delete;
  Gathered& operator=(const Gathered&) = delete;
  ~Gathered() {
    const cuda::OnDevice here(device_);
    // One after the other: what a move assignment replaces lives until the end of its statement.
    there_ = {};
    host_ = {};
    stream_.reset();
  }

  int device() const { return device_; }
  void* stream() const { return stream_->get(); }
  std::size_t bytes() const { return 2 * there_.size() * sizeof(Mass<T>); }

  /// The bodies of all ranks: those of one are on their way to the GPU while those of the next arrive.
  std::span<const Mass<T>> gather(std::span<const Mass<T>> own) {
    auto arrives = begin(0, own);
    for (int r = 0; r < all_.division().ranks; ++r) {
      arrives();
      const auto part = of(r);
      arrives = begin(r + 1, own);
      if (!part.empty())
        cuda::copy_from_pinned(there_.data() + all_.division().first(r), part.data(), part.size_bytes(),
                               stream());
    }
    return there_.span();
  }

 private:
  std::span<Mass<T>> of(int rank) {
    return host_.span().subspan(all_.division().first(rank), all_.division().count(rank));
  }
  std::function<void()> begin(int rank, std::span<const Mass<T>> own) {
    if (rank == all_.division().ranks) return {};
    if (rank == all_.transport().rank()) std::ranges::copy(own, of(rank).begin());
    return ranks::begin_broadcast<Mass<T>>(all_.transport(), of(rank), rank);
  }

  const ranks::Together& all_;
  int device_;
  std::optional<cuda::Stream> stream_;
  cuda::Pinned<Mass<T>> host_;
  cuda::Buffer<Mass<T>> there_;
};

/// Direct sums over all bodies, of its own.
template <class P>
class Direct final : public ForceSolver<P> {
 public:
  using T = typename P::Position;
  Direct(const ForceMethod& method, const ranks::Together& all)
      : all_(all),
        gathered_(all),
        direct_(*method.kernel, method.shape, one_sided_with_potential(*method.kernel), {}) {}
  Direct(const Direct&) = delete;
  Direct& operator=(const Direct&) = delete;
  ~Direct() override {
    const cuda::OnDevice here(gathered_.device());
    sums_ = {};
  }

  void evaluate(const PairProblem<P>& own) override {
    const cuda::OnDevice here(gathered_.device());
    const auto x = gathered_.gather(own.sources);
    const std::size_t first = all_.first(), n = own.targets.size();
    if (n == 0) return;
    if (sums_.size() != n) sums_ = cuda::Buffer<Vec4<typename P::Sum>>(n, gathered_.stream());
    auto there = own;
    there.targets = x.subspan(first, n), there.sources = x, there.sums = sums_.span();
    there.self = static_cast<std::ptrdiff_t>(first), there.stream = gathered_.stream();
    direct_.evaluate(there);
    sums_.copy_to_host(own.sums);
  }
  std::size_t bytes() const override {
    return gathered_.bytes() + sums_.size() * sizeof(Vec4<typename P::Sum>);
  }
  std::string device() const override { return cuda::name_of_device(gathered_.device()); }

 private:
  const ranks::Together& all_;
  Gathered<T> gathered_;
  DirectSums<P> direct_;
  cuda::Buffer<Vec4<typename P::Sum>> sums_;
};

/// A tree of all bodies on every GPU, which finds the accelerations of a part of the leaves.
template <class P>
class Tree final : public ForceSolver<P> {
 public:
  using T = typename P::Position;
  Tree(const TreeSettings& settings, const ranks::Together& all) : all_(all), gathered_(all) {
    const cuda::OnDevice here(gathered_.device());
    tree_ = cuda::tree::make_forces<P>(settings, gathered_.stream());
    found_ = cuda::Pinned<Vec4<T>>(all.division().bodies);
    sums_ = cuda::Buffer<Vec4<T>>(all.division().bodies, gathered_.stream());
  }
  Tree(const Tree&) = delete;
  Tree& operator=(const Tree&) = delete;
  ~Tree() override {
    const cuda::OnDevice here(gathered_.device());
    tree_.reset(), sums_ = {}, found_ = {};
  }

  void evaluate(const PairProblem<P>& own) override {
    const cuda::OnDevice here(gathered_.device());
    const auto x = gathered_.gather(own.sources);
    sums_.set_bytes(0);
    tree_->begin({.bodies = x,
                  .sums = {{sums_.data()}},
                  .softening = own.softening,
                  .potential = own.potential,
                  .part = all_.transport().rank(),
                  .parts = all_.transport().ranks()});
    while (tree_->go_on()) {
    }
    sums_.copy_to_host(found_.span());
    hand_over(own.sums);
  }
  std::size_t bytes() const override {
    return gathered_.bytes() + tree_->bytes() + 2 * sums_.size() * sizeof(Vec4<T>);
  }
  /// This rank's, times their number: parts take about as long as each other.
  TreeWork work() override {
    const cuda::OnDevice here(gathered_.device());
    auto work = tree_->work();
    work.pairs *= all_.transport().ranks(), work.cell_pairs *= all_.transport().ranks();
    return work;
  }
  std::string device() const override { return cuda::name_of_device(gathered_.device()); }

 private:
  struct Found {
    std::uint64_t body;  ///< among those of its owner
    Vec4<T> sum;
  };
  /// Bodies of one owner, and where what is found of them is among all that is given.
  struct Block {
    int rank = 0;
    std::size_t begin = 0, end = 0, count = 0, place = 0;
  };
  static constexpr std::size_t block = 8192;
  /// Gives the sums that this rank has found to the owners of the bodies: all that are not zero, since
  /// those of other parts are, and a sum that nobody gives is.
  void hand_over(std::span<Vec4<T>> own) {
    const auto& division = all_.division();
    std::vector<std::size_t> begins{0};
    std::vector<Block> blocks;
    for (int r = 0; r < division.ranks; ++r) {
      const std::size_t n = division.count(r);
      for (std::size_t i = 0; i < n; i += block)
        blocks.push_back({.rank = r, .begin = i, .end = std::min(n, i + block)});
    }
    const auto of = [&](const Block& b) {
      return found_.span().subspan(division.first(b.rank) + b.begin, b.end - b.begin);
    };
    parallel_for(blocks.size(), [&](std::size_t k) {
      blocks[k].count = static_cast<std::size_t>(
          std::ranges::count_if(of(blocks[k]), [](const auto& sum) { return !is_zero(sum); }));
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
      for (const auto& sum : of(blocks[k])) {
        if (!is_zero(sum)) given_[place++] = {body, sum};
        ++body;
      }
    });
    for_each_index(own.size(), [&](std::size_t i) { own[i] = {}; });
    const auto got = ranks::all_to_all<Found>(all_.transport(), given_, begins);
    for_each_index(got.data.size(), [&](std::size_t i) { own[got.data[i].body] = got.data[i].sum; });
  }
  /// In every bit: -0 is something else.
  static bool is_zero(const Vec4<T>& sum) {
    constexpr std::array<std::byte, sizeof(Vec4<T>)> zero{};
    return std::memcmp(&sum, zero.data(), zero.size()) == 0;
  }

  const ranks::Together& all_;
  Gathered<T> gathered_;
  std::unique_ptr<cuda::tree::Forces<T>> tree_;
  cuda::Pinned<Vec4<T>> found_;
  cuda::Buffer<Vec4<T>> sums_;
  std::vector<Found> given_;
};

}  // namespace

template <class P>
std::unique_ptr<ForceSolver<P>> make_ranks_device_solver(const ForceMethod& method,
                                                         const ranks::Together& all) {
  if (method.tree) return std::make_unique<Tree<P>>(*method.tree, all);
  return std::make_unique<Direct<P>>(method, all);
}
template std::unique_ptr<ForceSolver<F32>> make_ranks_device_solver(const ForceMethod&,
                                                                    const ranks::Together&);
template std::unique_ptr<ForceSolver<F64>> make_ranks_device_solver(const ForceMethod&,
                                                                    const ranks::Together&);
template std::unique_ptr<ForceSolver<Mixed>> make_ranks_device_solver(const ForceMethod&,
                                                                      const ranks::Together&);

}  // namespace pleiad
