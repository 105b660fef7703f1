/// Measuring on a GPU, through CUDA.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "bench/gpu.hpp"

#include "bench/multi_gpu.hpp"
#include "bench/published/increments.hpp"
#include "cuda/device/device.hpp"
#include "cuda/device/memory.hpp"
#include "cuda/device/stream.hpp"
#include "cuda/evaluate.hpp"
#include "cuda/multi_gpu/probe.hpp"
#include "engine/arrays.hpp"
#include "engine/device_engine.hpp"
#include "engine/multi_gpu_engine.hpp"

#include <pleiad/error.hpp>

#include <algorithm>
#include <cmath>
#include <memory>
#include <utility>
#include <vector>

namespace pleiad::bench {
namespace {

/// One stream for the problems of all sizes: an evaluation gets its working memory from the pool of the GPU,
/// and waits for what another stream has released there.
std::shared_ptr<cuda::Stream> stream_of_all() {
  static std::weak_ptr<cuda::Stream> in_use;
  auto stream = in_use.lock();
  if (!stream) in_use = stream = std::make_shared<cuda::Stream>();
  return stream;
}

template <class P>
class Forces final : public GpuForces<P> {
 public:
  using Real = typename P::Position;
  using Sum = typename P::Sum;

  Forces(std::span<const Mass<Real>> bodies, const Softening& softening, const Boundary& space)
      : softening_(softening),
        space_(space),
        bodies_(bodies, stream_->get()),
        sums_(bodies.size(), stream_->get()) {
    cuda::wait(stream_->get());
  }

  void put(std::span<const Vec4<Sum>> sums) override {
    sums_.copy_from_host(sums);
    cuda::wait(stream_->get());
  }
  void get(std::span<Vec4<Sum>> sums) override { sums_.copy_to_host(sums); }

  double seconds(const DirectKernel& kernel, const LaunchShape& shape, int count, bool cold) override {
    if (cold) flush();
    cuda::LaunchLog log;
    timer_.start(stream_->get());
    for (int k = 0; k < count; ++k)
      kernel.template run<P>()({.targets = bodies_.span(),
                                .sources = bodies_.span(),
                                .sums = sums_.span(),
                                .softening = softening_,
                                .boundary = space_,
                                .self = 0,
                                .potential = false,
                                .stream = stream_->get()},
                               shape);
    timer_.stop(stream_->get());
    const double seconds = timer_.wait_for_seconds();
    cuda::wait(stream_->get());
    remember(kernel, log);
    return seconds;
  }

  void evaluate(const StepKernel& kernel, const LaunchShape& shape) override {
    cuda::Buffer<Vec4<Real>> velocities(bodies_.size(), stream_->get());
    velocities.set_bytes(0);
    kernel.template run<P>()({.bodies = bodies_.span(),
                              .velocities = velocities.span(),
                              .sums = sums_.span(),
                              .forces_current = false,
                              .softening = softening_,
                              .boundary = {},
                              .program = {},
                              .steps = 0,
                              .stream = stream_->get()},
                             shape);
    cuda::wait(stream_->get());
  }

  GpuFill fill() const override {
    const auto o = cuda::occupancy_of(launched_);
    const auto& g = launched_.grid;
    return {.blocks = g.blocks * g.blocks_y,
            .threads = g.threads * g.threads_y,
            .registers = o.registers,
            .shared_bytes = o.shared_bytes,
            .local_bytes = o.local_bytes,
            .resident_blocks = o.resident_blocks,
            .occupancy = o.theoretical,
            .waves = o.waves,
            .tail = o.tail};
  }

 private:
  /// Writes twice what the L2 cache holds.
  void flush() {
    if (other_.size() == 0) other_ = cuda::Buffer<char>(2 * cuda::device_facts().l2_bytes, stream_->get());
    other_.set_bytes(0);
  }
  /// The launch with most registers and shared memory of those that bear the kernel's name: the others
  /// prepare or collect.
  void remember(const DirectKernel& kernel, const cuda::LaunchLog& log) {
    if (log.launches().empty())
      throw NumericalError("no figure: '" + std::string(kernel.name) + "' launched nothing");
    launched_ = log.launches().front();
    std::pair<int, std::size_t> most{-1, 0};
    for (const auto& l : log.launches()) {
      if (l.name != kernel.name) continue;
      const auto o = cuda::occupancy_of(l);
      if (const std::pair claims{o.registers, o.shared_bytes}; claims > most) launched_ = l, most = claims;
    }
  }

  Softening softening_;
  Boundary space_;
  std::shared_ptr<cuda::Stream> stream_ = stream_of_all();
  cuda::Timer timer_;
  cuda::Buffer<Mass<Real>> bodies_;
  cuda::Buffer<Vec4<Sum>> sums_;
  cuda::Buffer<char> other_;
  cuda::Launched launched_;
};

template <class P>
std::unique_ptr<Engine> engine_on_gpus(const Bodies& bodies, const Gravity& gravity, const Choice& choice,
                                       Precision precision, std::optional<cuda::Exchange> exchange) {
  if (choice.gpus == 1) return std::make_unique<DeviceEngine<P>>(bodies, gravity, choice, precision);
  return std::make_unique<MultiGpuEngine<P>>(bodies, gravity, choice, precision, exchange);
}

/// stepper.evaluate, if it is the engine of this precision.
template <class P>
void let_evaluate(Engine& engine, Stepper& stepper) {
  if (auto* const one = dynamic_cast<DeviceEngine<P>*>(&engine))
    stepper.evaluate = [one](std::uint64_t times) { one->evaluate_again(times); };
  if (auto* const several = dynamic_cast<MultiGpuEngine<P>*>(&engine))
    stepper.evaluate = [several](std::uint64_t times) { several->evaluate_again(times); };
}

/// The bodies, as they are on the GPUs and on the host.
struct Increments {
  Increments(const Gravity& gravity, int gpus) : steps(gpus, gravity) {}
  cuda::IncrementSteps steps;
  std::vector<Mass<float>> x;
  std::vector<Vec4<float>> v;

  void load(const Bodies& b) {
    x.resize(b.size()), v.resize(b.size());
    to_arrays<float>(b, x, v);
    steps.load(x, v);
  }
  void advance(const StepPlan& plan, std::uint64_t count) {
    const auto& [kicks, drifts] = plan.integrator->splitting;
    for (; count > 0; --count)
      for (std::size_t s = 0; s < kicks.size(); ++s) {
        if (kicks[s] != 0) steps.kick(float(kicks[s] * plan.dt));
        if (s < drifts.size() && drifts[s] != 0) steps.drift(float(drifts[s] * plan.dt));
      }
    steps.finish();
  }
  void copy_to_host(Bodies& b) {
    steps.copy_to_host(x, v);
    to_bodies<float>(x, v, b);
  }
  bool finite() {
    steps.copy_to_host(x, v);
    const auto all = [](auto... each) { return (std::isfinite(each) && ...); };
    return std::all_of(x.begin(), x.end(), [&](auto& b) { return all(b.x, b.y, b.z); }) &&
           std::all_of(v.begin(), v.end(), [&](auto& b) { return all(b.x, b.y, b.z); });
  }
  void evaluate(std::uint64_t times) {
    for (; times > 0; --times) steps.add(0);
    steps.finish();
  }
};

}  // namespace

Stepper stepper_of(Engine& engine) {
  auto stepper = host_stepper_of(engine);
  let_evaluate<F32>(engine, stepper);
  let_evaluate<F64>(engine, stepper);
  let_evaluate<Mixed>(engine, stepper);
  return stepper;
}

Stepper make_increment_stepper(const Gravity& gravity, int gpus) {
  const auto all = std::make_shared<Increments>(gravity, gpus);
  return {.load = [all](const Bodies& b) { all->load(b); },
          .advance = [all](const StepPlan& plan, std::uint64_t steps) { all->advance(plan, steps); },
          .copy_to_host = [all](Bodies& b) { all->copy_to_host(b); },
          .finite = [all] { return all->finite(); },
          .evaluate = [all](std::uint64_t times) { all->evaluate(times); }};
}

std::string why_no_gpu() { return cuda::why_no_device(); }

Gpu this_gpu() {
  if (const auto why = why_no_gpu(); !why.empty()) throw ResourceError("no GPU to measure: " + why);
  const auto facts = cuda::device_facts();
  return {facts.name,  facts.driver,          facts.runtime, facts.multiprocessors,
          facts.lanes, cuda::measured_clock()};
}

std::vector<const cuda::KernelBuild*> kernel_builds() { return cuda::kernel_builds(); }

double gpu_peak(const FmaKind&, int) {
  const auto facts = cuda::device_facts();
  return double(facts.multiprocessors) * facts.lanes * cuda::measured_clock();
}

template <class P>
std::unique_ptr<GpuForces<P>> make_gpu_forces(std::span<const Mass<typename P::Position>> bodies,
                                              const Softening& softening, const Boundary& space) {
  if (const auto why = why_no_gpu(); !why.empty()) throw ResourceError("no GPU to measure: " + why);
  return std::make_unique<Forces<P>>(bodies, softening, space);
}
template std::unique_ptr<GpuForces<F32>> make_gpu_forces<F32>(std::span<const Mass<float>>, const Softening&,
                                                              const Boundary&);
template std::unique_ptr<GpuForces<F64>> make_gpu_forces<F64>(std::span<const Mass<double>>, const Softening&,
                                                              const Boundary&);
template std::unique_ptr<GpuForces<Mixed>> make_gpu_forces<Mixed>(std::span<const Mass<double>>,
                                                                  const Softening&, const Boundary&);

int gpu_count() { return cuda::device_count(); }
std::string why_no_exchange(int count, cuda::Exchange exchange) {
  return exchange == cuda::Exchange::host ? "" : cuda::why_not_reachable(count);
}

std::unique_ptr<Engine> make_engine_on_gpus(const Bodies& bodies, const Gravity& gravity,
                                            const Choice& choice, Precision precision,
                                            std::optional<cuda::Exchange> exchange) {
  const auto make = precision == Precision::f32   ? engine_on_gpus<F32>
                    : precision == Precision::f64 ? engine_on_gpus<F64>
                                                  : engine_on_gpus<Mixed>;
  return make(bodies, gravity, choice, precision, exchange);
}

template <class P>
void evaluate_on_gpu(const DirectKernel& kernel, const PairProblem<P>& problem, const LaunchShape& shape) {
  cuda::evaluate(kernel, problem, shape);
}
template void evaluate_on_gpu<F32>(const DirectKernel&, const PairProblem<F32>&, const LaunchShape&);
template void evaluate_on_gpu<F64>(const DirectKernel&, const PairProblem<F64>&, const LaunchShape&);
template void evaluate_on_gpu<Mixed>(const DirectKernel&, const PairProblem<Mixed>&, const LaunchShape&);

}  // namespace pleiad::bench
