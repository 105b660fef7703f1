/// The same bits run to run and for any number of threads.
#include "core/threads.hpp"
#include "scenes.hpp"

#include <cstring>

using namespace pleiad;
using namespace pleiad::conformance;

namespace {
template <class P>
void same_bits(const DirectKernel& kernel, std::size_t n, bool potential) {
  const auto bodies = rounded<P>(bodies_of(scenes()[2], n, false));
  const PairProblem<P> problem{
      .targets = bodies, .sources = bodies, .sums = {}, .softening = {0.01}, .potential = potential};
  std::vector<Vec4<typename P::Sum>> first;
  for (const int count : {1, 2, 3, 7, 3}) {
    set_threads(count);
    const auto sums = run<P>(kernel, problem);
    if (first.empty()) first = sums;
    EXPECT_EQ(std::memcmp(first.data(), sums.data(), sums.size() * sizeof(sums[0])), 0)
        << kernel.name << ", N = " << n << ", threads " << count;
  }
  set_threads(0);
}
}  // namespace

TEST(Determinism, SameBitsForAnyNumberOfThreads) {
  for (const DirectKernel* kernel : kernels_here()) {
    if (!kernel->traits.threaded || !kernel->traits.any_threads) continue;
    // One block, two, an odd number of them (one sits out each round), many.
    for (const std::size_t n : {400, 700, 1100, 2300, 5000}) {
      same_bits<F32>(*kernel, n, false);
      same_bits<F64>(*kernel, n, false);
      same_bits<Mixed>(*kernel, n, n < 2000);
    }
  }
}

TEST(Determinism, RunsAtTheSameTimeDoNotDisturbEachOther) {
  const DirectKernel& kernel = direct_kernel("cpu/symmetric");
  const auto bodies = bodies_of(scenes()[2], 1500, false);
  const PairProblem<F64> problem{.targets = bodies, .sources = bodies, .sums = {}, .softening = {0.01}};
  const auto alone = run<F64>(kernel, problem);
  std::vector<std::vector<Vec4<double>>> together(8);
  parallel_for(together.size(), [&](std::size_t k) { together[k] = run<F64>(kernel, problem); });
  for (const auto& sums : together)
    EXPECT_EQ(std::memcmp(alone.data(), sums.data(), sums.size() * sizeof(sums[0])), 0);
}
