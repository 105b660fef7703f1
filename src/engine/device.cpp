/// A build with CUDA: the engine on one GPU or several, in each precision.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "engine/device.hpp"

#include "cuda/device/device.hpp"
#include "cuda/device/fault.hpp"
#include "cuda/device/memory.hpp"
#include "cuda/device/peer.hpp"
#include "cuda/device/stream.hpp"
#include "cuda/multi_gpu/probe.hpp"
#include "engine/device_engine.hpp"
#include "engine/device_forces.hpp"
#include "engine/device_orbit_particles.hpp"
#include "engine/device_sample.hpp"
#include "engine/device_trial.hpp"
#include "engine/individual_engine.hpp"
#include "engine/multi_gpu_engine.hpp"
#include "ranks/place.hpp"

#include <pleiad/error.hpp>

#include <fmt/format.h>

namespace pleiad {

const bool built_for_devices = true;
int device_count() { return cuda::device_count(); }

std::string why_no_device() { return cuda::why_no_device(); }
void make_device_ready() noexcept { cuda::make_device_ready(); }

namespace {

/// Bodies without mass, and no steps: only the sums are computed.
template <class P>
bool takes(const StepKernel& kernel, std::size_t n) {
  using Real = typename P::Position;
  const cuda::Stream stream;
  cuda::Buffer<Mass<Real>> bodies(n, stream.get());
  cuda::Buffer<Vec4<Real>> velocities(n, stream.get());
  cuda::Buffer<Vec4<typename P::Sum>> sums(n, stream.get());
  bodies.set_bytes(0), velocities.set_bytes(0);
  try {
    kernel.run<P>()({.bodies = bodies.span(),
                     .velocities = velocities.span(),
                     .sums = sums.span(),
                     .stream = stream.get()},
                    kernel.shapes.empty() ? LaunchShape{} : kernel.shapes.front());
  } catch (const UsageError&) {
    return false;
  }
  cuda::wait(stream.get());
  return true;
}

}  // namespace

bool device_can_launch(const StepKernel& kernel, std::size_t n, Precision precision) {
  return precision == Precision::f32   ? takes<F32>(kernel, n)
         : precision == Precision::f64 ? takes<F64>(kernel, n)
                                       : takes<Mixed>(kernel, n);
}

void inject_device_fault(const std::string& text) { cuda::inject(cuda::fault_named(text)); }

void take_gpu_of(ranks::Communicator& ranks) {
  if (ranks.ranks() == 1) return;
  const int number = ranks::number_on_host(ranks), gpus = cuda::device_count();
  if (gpus > 0) cuda::select_device(number % gpus);
}

namespace {

template <class P>
std::unique_ptr<Engine> make(const Bodies& bodies, const Gravity& gravity, Choice choice, Precision precision,
                             ranks::Communicator& ranks) {
  if (ranks.ranks() > 1)
    return std::make_unique<DeviceEngine<P>>(bodies, gravity, std::move(choice), precision, ranks);
  if (choice.gpus > 1 && choice.method.steps != nullptr)
    if (const auto why = cuda::why_not_reachable(choice.gpus); !why.empty())
      choice.gpus = 1, choice.why += fmt::format("; fused steps on one GPU: {}", why);
  if (choice.gpus > 1)
    return std::make_unique<MultiGpuEngine<P>>(bodies, gravity, std::move(choice), precision);
  return std::make_unique<DeviceEngine<P>>(bodies, gravity, std::move(choice), precision);
}

}  // namespace

std::unique_ptr<Engine> make_device_engine(const Bodies& bodies, const Gravity& gravity, Choice choice,
                                           Precision precision, ranks::Communicator& ranks) {
  switch (precision) {
    case Precision::f32:
      return make<F32>(bodies, gravity, std::move(choice), precision, ranks);
    case Precision::f64:
      return make<F64>(bodies, gravity, std::move(choice), precision, ranks);
    case Precision::mixed:
      break;
  }
  return make<Mixed>(bodies, gravity, std::move(choice), precision, ranks);
}

std::unique_ptr<OrbitParticles> make_device_orbit_particles() {
  return std::make_unique<DeviceOrbitParticles>();
}

std::unique_ptr<Engine> make_individual_engine(const Bodies& bodies, const Gravity& gravity, Choice choice,
                                               Precision precision, const IndividualChoice& how) {
  return std::make_unique<IndividualEngine>(bodies, gravity, std::move(choice), precision, how);
}

template <class T>
std::unique_ptr<DeviceForces<T>> make_device_forces(Precision precision) {
  if (const auto why = why_no_device(); !why.empty()) throw ResourceError(why, Error::Code::no_device);
  return make_device_forces_of<T>(precision);
}
template std::unique_ptr<DeviceForces<float>> make_device_forces(Precision);
template std::unique_ptr<DeviceForces<double>> make_device_forces(Precision);

std::unique_ptr<TreeTrial> make_device_trial(const Bodies& bodies, const Gravity& gravity,
                                             Precision precision, ranks::Communicator& ranks,
                                             DivideTree divide_tree) {
  take_gpu_of(ranks);
  switch (precision) {
    case Precision::f32:
      return std::make_unique<DeviceTrial<F32>>(bodies, gravity, precision, ranks, divide_tree);
    case Precision::f64:
      return std::make_unique<DeviceTrial<F64>>(bodies, gravity, precision, ranks, divide_tree);
    case Precision::mixed:
      break;
  }
  return std::make_unique<DeviceTrial<Mixed>>(bodies, gravity, precision, ranks, divide_tree);
}

std::vector<Vec3<double>> exact_on_device(ranks::Communicator& ranks, const Bodies& own,
                                          const Gravity& gravity, std::span<const std::size_t> chosen) {
  take_gpu_of(ranks);
  const cuda::Stream stream;
  const ranks::Collective all(ranks, own.size());
  return exact_on_gpu(all, own, gravity, chosen, stream.get());
}

}  // namespace pleiad
