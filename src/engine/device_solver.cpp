/// Solvers on one GPU.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "cuda/tree/forces.hpp"
#include "engine/device_kernels.hpp"
#include "engine/force_solver.hpp"

#include <type_traits>

namespace pleiad {
template <class P>
std::unique_ptr<ForceSolver<P>> make_device_solver(const ForceMethod& m, void* stream) {
  if (m.tree) {
    auto tree = cuda::tree::make_forces<P>(*m.tree, stream);  // never in double precision
    if constexpr (!std::is_same_v<P, F64>) return tree;
  }
  // Not all shapes can sum potentials.
  return std::make_unique<DirectSums<P>>(*m.kernel, m.shape, with_potential(*m.kernel), LaunchShape{});
}
template std::unique_ptr<ForceSolver<F32>> make_device_solver(const ForceMethod&, void*);
template std::unique_ptr<ForceSolver<F64>> make_device_solver(const ForceMethod&, void*);
template std::unique_ptr<ForceSolver<Mixed>> make_device_solver(const ForceMethod&, void*);

}  // namespace pleiad
