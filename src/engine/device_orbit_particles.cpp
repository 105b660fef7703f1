#include "engine/device_orbit_particles.hpp"

#include "core/threads.hpp"
#include "cuda/device/device.hpp"
#include "cuda/steps/orbit_steps.hpp"

#include <pleiad/error.hpp>

#include <array>

#include <fmt/format.h>

namespace pleiad {
namespace {

/// Steps that are queued at most, twice: a fifth of a second of a million particles.
constexpr std::uint64_t most_queued = 2048;

}  // namespace

DeviceOrbitParticles::DeviceOrbitParticles() : device_(cuda::device_facts().name), backlog_(most_queued) {}

void DeviceOrbitParticles::load(const DoubleState::Particles& bodies, std::span<const std::size_t> numbers) {
  wait();
  numbers_.assign(numbers.begin(), numbers.end());
  const std::size_t n = numbers_.size(), size = n * cuda::numbers_of_orbit;
  if (state_.size() != size) {
    state_ = {};
    const double needed = double(size) * sizeof(double), free = double(cuda::device_memory().first);
    if (needed > free)
      throw ResourceError(
          fmt::format("{} test particles need {:.3g} GiB on the GPU, {:.3g} GiB are free there", n,
                      needed / 0x1p30, free / 0x1p30),
          Error::Code::out_of_device_memory);
    state_ = cuda::Buffer<double>(size, stream_.get());
  }
  on_host_.resize(size);
  for_each_index(n, [&](std::size_t k) {
    const std::size_t i = numbers_[k];
    const auto& x = bodies.x[i];
    const auto& v = bodies.v[i];
    const auto& low = bodies.low[i];
    const std::array<double, cuda::numbers_of_orbit> all{x.x, x.y, x.z, low[0], low[1], low[2],
                                                         v.x, v.y, v.z, low[3], low[4], low[5]};
    for (std::size_t c = 0; c < all.size(); ++c) on_host_[c * n + k] = all[c];
  });
  state_.copy_from_host(on_host_);
  cuda::wait(stream_.get());
  loaded_ = true, moved_ = false;
}

void DeviceOrbitParticles::carry(const orbits::Trail& trail) {
  if (trail_.size() < trail.rows.size()) trail_ = cuda::Buffer<double>(trail.rows.size(), stream_.get());
  // Behind the launch before, which reads it.
  trail_.copy_from_host(trail.rows);
  cuda::orbit_steps({.particles = numbers_.size(),
                     .state = state_.data(),
                     .trail = trail_.data(),
                     .pulling = trail.pulling,
                     .steps = trail.steps(),
                     .dt = trail.dt,
                     .mu = trail.mu,
                     .stream = stream_.get()});
  moved_ = true;
  backlog_.add(trail.steps(), stream_.get());
}

void DeviceOrbitParticles::wait() { cuda::wait(stream_.get()); }

void DeviceOrbitParticles::show(const DoubleState::Particles& bodies) {
  if (!moved_) return;
  state_.copy_to_host(on_host_);
  const std::size_t n = numbers_.size();
  for_each_index(n, [&](std::size_t k) {
    const std::size_t i = numbers_[k];
    const auto of = [&](std::size_t component) { return on_host_[component * n + k]; };
    bodies.x[i] = {of(0), of(1), of(2), bodies.x[i].m};
    bodies.v[i] = {of(6), of(7), of(8), 0};
    bodies.low[i] = {of(3), of(4), of(5), of(9), of(10), of(11)};
  });
  moved_ = false;
}

}  // namespace pleiad
