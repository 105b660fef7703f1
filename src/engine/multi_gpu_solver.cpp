#include "engine/multi_gpu_solver.hpp"

#include "direct/why_not.hpp"

#include <algorithm>
#include <numeric>
#include <type_traits>

namespace pleiad {
template <class P>
std::unique_ptr<MultiGpuSolver<P>> make_multi_gpu_solver(
    const MultiGpuPlace& place, const ForceMethod& m, std::span<const std::size_t> counts,
    const std::optional<std::vector<std::size_t>>& massive) {
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
  if (massive) return make_multi_gpu_particle_sums<P>(place, m, counts, *massive);
  return make_multi_gpu_sums<P>(place, m, counts);
}

template std::unique_ptr<MultiGpuSolver<F32>> make_multi_gpu_solver(
    const MultiGpuPlace&, const ForceMethod&, std::span<const std::size_t>,
    const std::optional<std::vector<std::size_t>>&);
template std::unique_ptr<MultiGpuSolver<F64>> make_multi_gpu_solver(
    const MultiGpuPlace&, const ForceMethod&, std::span<const std::size_t>,
    const std::optional<std::vector<std::size_t>>&);
template std::unique_ptr<MultiGpuSolver<Mixed>> make_multi_gpu_solver(
    const MultiGpuPlace&, const ForceMethod&, std::span<const std::size_t>,
    const std::optional<std::vector<std::size_t>>&);

}  // namespace pleiad
