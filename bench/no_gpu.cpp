/// A build without CUDA: measurements on a GPU are refused.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "bench/gpu.hpp"
#include "bench/multi_gpu.hpp"
#include "direct/absent.hpp"

#include <pleiad/error.hpp>

namespace pleiad::bench {
namespace {
[[noreturn]] void refuse() { throw ResourceError("no GPU to measure: " + why_no_gpu()); }
}  // namespace

std::string why_no_gpu() { return std::string(cpu_kernels_only); }
Gpu this_gpu() { refuse(); }
std::vector<const cuda::KernelBuild*> kernel_builds() { return {}; }
double gpu_peak(const FmaKind&, int) { refuse(); }

template <class P>
std::unique_ptr<GpuForces<P>> make_gpu_forces(std::span<const Mass<typename P::Position>>, const Softening&,
                                              const Boundary&) {
  refuse();
}
template std::unique_ptr<GpuForces<F32>> make_gpu_forces<F32>(std::span<const Mass<float>>, const Softening&,
                                                              const Boundary&);
template std::unique_ptr<GpuForces<F64>> make_gpu_forces<F64>(std::span<const Mass<double>>, const Softening&,
                                                              const Boundary&);
template std::unique_ptr<GpuForces<Mixed>> make_gpu_forces<Mixed>(std::span<const Mass<double>>,
                                                                  const Softening&, const Boundary&);

int gpu_count() { return 0; }
std::string why_no_exchange(int, cuda::Exchange) { return why_no_gpu(); }
std::unique_ptr<Engine> make_engine_on_gpus(const Bodies&, const Gravity&, const Choice&, Precision,
                                            std::optional<cuda::Exchange>) {
  refuse();
}

Stepper make_increment_stepper(const Gravity&, int) { refuse(); }
Stepper stepper_of(Engine& engine) { return host_stepper_of(engine); }

template <class P>
void evaluate_on_gpu(const DirectKernel&, const PairProblem<P>&, const LaunchShape&) {
  refuse();
}
template void evaluate_on_gpu<F32>(const DirectKernel&, const PairProblem<F32>&, const LaunchShape&);
template void evaluate_on_gpu<F64>(const DirectKernel&, const PairProblem<F64>&, const LaunchShape&);
template void evaluate_on_gpu<Mixed>(const DirectKernel&, const PairProblem<Mixed>&, const LaunchShape&);

}  // namespace pleiad::bench
