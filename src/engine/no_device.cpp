/// A build without CUDA: functions report that there is none.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "direct/absent.hpp"
#include "engine/device.hpp"
#include "engine/device_forces.hpp"

#include <pleiad/error.hpp>

namespace pleiad {

const bool built_for_devices = false;
int device_count() { return 0; }

void make_device_ready() noexcept {}
bool device_can_launch(const StepKernel&, std::size_t, Precision) { return false; }
void take_gpu_of(ranks::Communicator&) {}
std::string why_no_device() { return std::string(cpu_kernels_only); }

void inject_device_fault(const std::string&) {}

std::unique_ptr<Engine> make_device_engine(const Bodies&, const Gravity&, Choice, Precision,
                                           ranks::Communicator&) {
  throw ResourceError(why_no_device(), Error::Code::no_device);
}

std::unique_ptr<OrbitParticles> make_device_orbit_particles() {
  throw ResourceError(why_no_device(), Error::Code::no_device);
}

std::unique_ptr<Engine> make_individual_engine(const Bodies&, const Gravity&, Choice, Precision,
                                               const IndividualChoice&) {
  throw ResourceError(why_no_device(), Error::Code::no_device);
}

template <class T>
std::unique_ptr<DeviceForces<T>> make_device_forces(Precision) {
  throw ResourceError(why_no_device(), Error::Code::no_device);
}
template std::unique_ptr<DeviceForces<float>> make_device_forces(Precision);
template std::unique_ptr<DeviceForces<double>> make_device_forces(Precision);

std::unique_ptr<TreeTrial> make_device_trial(const Bodies&, const Gravity&, Precision, ranks::Communicator&,
                                             DivideTree) {
  throw ResourceError(why_no_device(), Error::Code::no_device);
}

std::vector<Vec3<double>> exact_on_device(ranks::Communicator&, const Bodies&, const Gravity&,
                                          std::span<const std::size_t>) {
  throw ResourceError(why_no_device(), Error::Code::no_device);
}

}  // namespace pleiad
