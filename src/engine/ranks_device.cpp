#include "engine/ranks_device.hpp"

#include "cuda/device/memory.hpp"
#include "cuda/direct/symmetric_parts.hpp"
#include "cuda/tree/forces.hpp"
#include "direct/why_not.hpp"
#include "engine/device_domain/device_domain.hpp"
#include "engine/device_kernels.hpp"
#include "engine/gpu_engine.hpp"

#include <pleiad/error.hpp>

#include <array>
#include <cstddef>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include <fmt/format.h>

namespace pleiad {
namespace {

/// A tree of all bodies on every GPU, which finds the accelerations of a part of the leaves.
template <class P>
class TreeParts {
 public:
  using T = typename P::Position;
  TreeParts(const TreeSettings& settings, const ranks::Collective& all, RanksExchange<T>& exchange,
            void* stream)
      : all_(all),
        exchange_(exchange),
        tree_(cuda::tree::make_forces<P>(settings, stream)),
        found_(all.division().bodies, stream) {}

  void evaluate(const PairProblem<P>& problem) {
    found_.set_bytes(0);
    tree_->begin({.bodies = problem.sources,
                  .sums = {{found_.data()}},
                  .softening = problem.softening,
                  .potential = problem.potential,
                  .part = all_.comm().rank(),
                  .parts = all_.comm().ranks()});
    while (tree_->go_on()) {
    }
    exchange_.give_to_owners(std::as_const(found_).data(), problem.sums.data());
  }
  std::size_t bytes() const { return tree_->bytes() + found_.size() * sizeof(Vec4<T>); }
  TreeWork work() { return tree_->work(); }

 private:
  const ranks::Collective& all_;
  RanksExchange<T>& exchange_;
  std::unique_ptr<cuda::tree::Forces<T>> tree_;
  cuda::Buffer<Vec4<T>> found_;
};

/// Symmetric pairs: each GPU sums a part of the pairs of blocks for all bodies, and sends the owners of the
/// bodies what it has for them. The sums are integers, so their bits are those of one GPU.
template <class P>
class PairParts {
 public:
  using T = typename P::Position;
  PairParts(const ForceMethod& method, const cuda::SymmetricSum<P>& symmetric, const ranks::Collective& all,
            RanksExchange<T>& exchange)
      : method_(method), symmetric_(symmetric), all_(all), exchange_(exchange) {}

  void evaluate(const PairProblem<P>& problem) {
    if (!problem.potential) return sum(problem, symmetric_, method_.shape);
    if (symmetric_.diagnostic_sums != nullptr && problem.softening.eps > 0)
      return sum(problem, *symmetric_.diagnostic_sums, {});
    if (!problem.targets.empty())
      one_sided_with_potential(*method_.kernel).template run<P>()(problem, LaunchShape{});
  }
  std::size_t bytes() const { return bytes_; }
  TreeWork work() { return {}; }

 private:
  void sum(const PairProblem<P>& problem, const cuda::SymmetricSum<P>& symmetric, const LaunchShape& shape) {
    auto all_pairs = problem;
    all_pairs.targets = all_pairs.sources, all_pairs.sums = {}, all_pairs.self = 0;
    all_pairs.potential = false;  // `symmetric` sums what it sums
    cuda::need_symmetric(all_pairs, method_.kernel->name);
    const std::size_t n = problem.sources.size(), each = symmetric.bytes_per_body;
    if (n == 0) return;
    auto* const stream = problem.stream;
    const auto& division = all_.division();
    const int me = all_.comm().rank(), ranks = all_.comm().ranks();
    const cuda::Part part{static_cast<unsigned>(me), static_cast<unsigned>(ranks)};
    cuda::Buffer<std::byte> words(each * n, stream);
    words.set_bytes(0);
    // Ranks own ranges of the given order.
    const auto framed = cuda::sweep_in_given_order(symmetric, all_pairs, shape, part, words.data());

    const std::size_t first = division.first(me), own = division.count(me);
    std::vector<std::size_t> begins{0}, came{0};
    for (int r = 0; r < ranks; ++r) {
      begins.push_back(begins.back() + (r == me ? 0 : each * division.count(r)));
      came.push_back(came.back() + (r == me ? 0 : each * own));
    }
    cuda::Buffer<std::byte> sent(begins.back(), stream), received(came.back(), stream);
    for (int r = 0; r < ranks; ++r)
      if (r != me)
        cuda::copy_words(words.data(), each, n, division.first(r), division.count(r),
                         sent.data() + begins[static_cast<std::size_t>(r)], stream);
    exchange_.all_to_all(sent.data(), begins, received.data(), came);
    for (int r = 0; r < ranks; ++r)
      if (r != me)
        cuda::add_words(words.data(), each, n, first, own,
                        received.data() + came[static_cast<std::size_t>(r)], stream);
    bytes_ = 2 * words.size() + sent.size() + received.size();
    if (own == 0) return;
    const std::array<const void*, 1> total{words.data()};
    symmetric.total(total, framed, n, first, problem.sums, stream);
  }

  ForceMethod method_;
  const cuda::SymmetricSum<P>& symmetric_;
  const ranks::Collective& all_;
  RanksExchange<T>& exchange_;
  std::size_t bytes_ = 0;
};

/// Forces of which each GPU finds a part for all bodies: of the leaves of a tree or of the pairs of blocks.
/// The parts go to the owners of the bodies.
template <class P>
class RanksForces final : public ForceSolver<P> {
 public:
  template <class Parts, class... Args>
  explicit RanksForces(std::in_place_type_t<Parts> parts, Args&&... args)
      : parts_(parts, std::forward<Args>(args)...) {}
  void evaluate(const PairProblem<P>& problem) override {
    std::visit([&](auto& parts) { parts.evaluate(problem); }, parts_);
  }
  std::size_t bytes() const override {
    return std::visit([](const auto& parts) { return parts.bytes(); }, parts_);
  }
  TreeWork work() override {
    return std::visit([](auto& parts) { return parts.work(); }, parts_);
  }

 private:
  std::variant<TreeParts<P>, PairParts<P>> parts_;
};

}  // namespace

bool divides_tree(const Choice& choice, Precision precision, const ranks::Collective& all) {
  if (choice.divide_tree == DivideTree::no) return false;
  const auto why =
      why_not(choice.method, {.precision = precision, .on_ranks = true, .must_divide_tree = true});
  if (choice.divide_tree == DivideTree::yes && why) throw UsageError(*why, Error::Code::unsupported);
  if (why) return false;
  if (choice.divide_tree == DivideTree::yes) return true;
  // Bytes for each body on each GPU of a tree of all bodies, without the state: 180 to 220 in single
  // precision on smooth spheres.
  constexpr double of_tree = 240;
  const auto n = all.division().bodies;
  const double needed = double(device_engine_bytes(n, precision, true, std::size_t(all.division().ranks))) +
                        of_tree * double(n);
  return all.max(needed > double(cuda::device_memory().first) ? 1 : 0) > 0;
}

template <class P>
std::unique_ptr<ForceSolver<P>> make_ranks_device_solver(const ForceMethod& method, bool divided,
                                                         const ranks::Collective& all,
                                                         RanksExchange<typename P::Position>& exchange,
                                                         void* stream) {
  if constexpr (!std::is_same_v<P, F64>)
    if (divided && method.tree &&
        !why_not(method, {.on_ranks = true, .must_divide_tree = true, .resumes = false}))
      return make_device_domain<P>(*method.tree, all, exchange, stream);
  if (divided)
    throw UsageError(
        fmt::format("a distributed tree cannot be replaced by '{}' during a run", text_of(method)));
  if (method.tree)
    return std::make_unique<RanksForces<P>>(std::in_place_type<TreeParts<P>>, *method.tree, all, exchange,
                                            stream);
  if (!method.kernel->traits.separate_targets)
    if (const auto* symmetric = cuda::symmetric_sum<P>(method.kernel->name))
      return std::make_unique<RanksForces<P>>(std::in_place_type<PairParts<P>>, method, *symmetric, all,
                                              exchange);
  return std::make_unique<DirectSums<P>>(*method.kernel, method.shape,
                                         one_sided_with_potential(*method.kernel), LaunchShape{});
}
template std::unique_ptr<ForceSolver<F32>> make_ranks_device_solver(const ForceMethod&, bool,
                                                                    const ranks::Collective&,
                                                                    RanksExchange<float>&, void*);
template std::unique_ptr<ForceSolver<F64>> make_ranks_device_solver(const ForceMethod&, bool,
                                                                    const ranks::Collective&,
                                                                    RanksExchange<double>&, void*);
template std::unique_ptr<ForceSolver<Mixed>> make_ranks_device_solver(const ForceMethod&, bool,
                                                                      const ranks::Collective&,
                                                                      RanksExchange<double>&, void*);

}  // namespace pleiad
