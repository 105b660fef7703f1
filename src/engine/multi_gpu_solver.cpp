#include "engine/multi_gpu_solver.hpp"

#include "direct/why_not.hpp"

#include <pleiad/error.hpp>

#include <algorithm>
#include <numeric>

#include <fmt/format.h>

namespace pleiad {
namespace {

template <class P>
class OneSided final : public MultiGpuSolver<P> {
 public:
  OneSided(const MultiGpuPlace& place, const ForceMethod& method) : place_(place), method_(method) {}
  void evaluate(std::span<const OnGpu<P>> gpus, bool potential) override {
    if (potential) evaluate_one_sided<P>(place_, one_sided_with_potential(*method_.kernel), {}, gpus, true);
    else evaluate_one_sided<P>(place_, *method_.kernel, method_.shape, gpus, false);
  }
  std::size_t bytes() const override { return 0; }

 private:
  MultiGpuPlace place_;
  ForceMethod method_;
};

}  // namespace

template <class P>
std::unique_ptr<MultiGpuSolver<P>> make_multi_gpu_solver(const MultiGpuPlace& place, const ForceMethod& m,
                                                         std::span<const std::size_t> counts) {
  ProblemFacts facts{.gravity = place.gravity,
                     .precision = std::is_same_v<P, F32>   ? Precision::f32
                                  : std::is_same_v<P, F64> ? Precision::f64
                                                           : Precision::mixed};
  need_able(m, facts);
  // Divided sums need the same of a kernel on one GPU as on several.
  facts.gpus = std::max(2, static_cast<int>(counts.size()));
  need_able(m, facts);
  if (m.tree)
    return make_multi_gpu_tree<P>(place, *m.tree,
                                  std::accumulate(counts.begin(), counts.end(), std::size_t{0}));
  const auto& kernel = *m.kernel;
  if (kernel.traits.separate_targets) return std::make_unique<OneSided<P>>(place, m);
  if (auto solver = make_symmetric_solver<P>(place, m, counts)) return solver;
  throw UsageError(fmt::format("kernel '{}' has no parts for several GPUs; choose one GPU", kernel.name));
}

template std::unique_ptr<MultiGpuSolver<F32>> make_multi_gpu_solver(const MultiGpuPlace&, const ForceMethod&,
                                                                    std::span<const std::size_t>);
template std::unique_ptr<MultiGpuSolver<F64>> make_multi_gpu_solver(const MultiGpuPlace&, const ForceMethod&,
                                                                    std::span<const std::size_t>);
template std::unique_ptr<MultiGpuSolver<Mixed>> make_multi_gpu_solver(const MultiGpuPlace&,
                                                                      const ForceMethod&,
                                                                      std::span<const std::size_t>);

}  // namespace pleiad
