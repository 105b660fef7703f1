/// Fused velocity: the thread that has summed the pulls on a body also updates its velocity, so no array of
/// accelerations is written and read. A second launch moves the bodies when all sums are complete. A
/// publication on a damped system does this with one thread per body (GPU rung 1). It saves a write and a
/// read of 16 bytes per body and step, beside N reads of 16 bytes from the caches for the sum. The number of
/// launches stays two: one for forces and velocities and one for positions, while separate steps have one for
/// forces and one for both updates. Cost per interaction: that of the naive rung, 16.75 instructions and one
/// 16-byte load. Measured on an H200: 1012 steps per second of 16384 bodies; separate steps of the naive rung
/// and updates reach 670. The array is not the reason: the compiler starts the four loads of an iteration
/// together here, as in GPU rung 3 (1.00 ms for the forces alone, against 0.99 for this full step), and one
/// or two at a time in GPU rung 1. Where it loses: to every other kernel for fused steps, 11 times at 16384
/// bodies and 19 times at 256.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "cuda/steps/program.hpp"
#include "cuda/update.hpp"

namespace pleiad {
namespace {

/// The most bodies that the publication has.
constexpr unsigned most_bodies = 32768;

using Pair = cuda::Pair<F32, false, false>;

/// `kept`: where the sums go if anybody is to see them, or null.
__global__ void fused_velocity(const Mass<float>* __restrict__ bodies, std::size_t n,
                               Vec4<float>* __restrict__ velocities, Vec4<float>* __restrict__ kept,
                               Update<float> update, Pair pull_of) {
  const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const auto target = bodies[i];
  Vec4<float> sum;
  for (std::size_t j = 0; j < n; ++j) pull_of(sum, target, i, bodies[j], j);
  auto velocity = velocities[i];
  cuda::change_velocity(update, velocity, &sum);
  velocities[i] = velocity;
  if (kept != nullptr) kept[i] = sum;
}

/// Where it is: current sums are those of the present positions.
class Steps {
 public:
  Steps(const StepProblem<F32>& p, const LaunchShape& shape)
      : p_(p),
        threads_(shape.threads_per_block > 0 ? static_cast<unsigned>(shape.threads_per_block) : 64),
        forces_current_(p.forces_current) {}

  void pull(const Update<float>& update, bool keep) {
    const std::size_t n = p_.bodies.size();
    cuda::launch("cuda/fused-velocity", fused_velocity,
                 {.blocks = cuda::ceil_div(n, threads_), .threads = threads_}, p_.stream, p_.bodies.data(), n,
                 p_.velocities.data(), keep ? p_.sums.data() : nullptr, update,
                 Pair({.targets = p_.bodies,
                       .sources = p_.bodies,
                       .sums = p_.sums,
                       .softening = p_.softening,
                       .heaviest = p_.heaviest}));
    forces_current_ = true;
  }
  /// A kick, damping and a drift; the sums are kept for a stage that does not pull again, and at the end.
  void stage(float kick, float drift, bool keep) {
    const Update<float> velocity{.kicks = kick != 0,
                                 .kick = {kick, 0},
                                 .damps = p_.program.damping != 1,
                                 .damping = p_.program.damping};
    if (kick != 0 && !forces_current_) pull(velocity, keep || drift == 0);
    else if (velocity.kicks > 0 || velocity.damps) apply(velocity);
    if (drift == 0) return;
    apply({.drifts = true, .drift = drift});
    forces_current_ = false;
  }

 private:
  void apply(const Update<float>& update) {
    cuda::apply(update, p_.boundary, p_.bodies.data(), p_.velocities.data(), p_.sums.data(), p_.bodies.size(),
                p_.stream);
  }
  const StepProblem<F32>& p_;
  unsigned threads_;
  bool forces_current_;
};

void run(const StepProblem<F32>& p, const LaunchShape& shape) {
  cuda::task_of(p, most_bodies, "cuda/fused-velocity");  // refuses what it cannot take
  cuda::need(shape == LaunchShape{.threads_per_block = shape.threads_per_block}, "cuda/fused-velocity",
             "a shape of it has threads per block and nothing else");
  if (cuda::nothing_to_do(p)) return;
  Steps steps(p, shape);
  if (p.steps == 0) steps.pull({}, true);
  for (std::uint64_t left = p.steps; left > 0; --left)
    for (std::size_t s = 0; s < p.program.stages; ++s)
      steps.stage(p.program.kick[s], p.program.drift[s], left == 1);
}

/// The publication's block first.
constexpr std::array shapes{LaunchShape{}, LaunchShape{.threads_per_block = 256}};

}  // namespace

extern constinit const StepKernel cuda_fused_velocity{
    .name = "cuda/fused-velocity",
    .rung = 207,
    .idea = "one thread per body sums its pull and changes its velocity, without an array of accelerations",
    .most_bodies = most_bodies,
    .fma_port_operations = {.f32 = 13},
    .shapes = shapes,
    .f32 = run};

}  // namespace pleiad
