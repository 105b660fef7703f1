#include "bench/published/increments.hpp"
#include "cuda/device/memory.hpp"
#include "cuda/device/ptx.hpp"
#include "cuda/direct/rung.hpp"
#include "cuda/multi_gpu/probe.hpp"
#include "cuda/state.hpp"

#include <pleiad/error.hpp>

#include <algorithm>
#include <string>
#include <utility>

namespace pleiad::cuda {
namespace {

constexpr unsigned threads = 256;
/// Steps between two looks at how far the devices are.
constexpr std::uint64_t most_steps = 1024;

/// A device's bodies as all others see them.
struct Owner {
  const Mass<float>* bodies = nullptr;
  Vec4<float>* velocities = nullptr;
  std::size_t count = 0;
};
struct Owners {
  unsigned count = 0, me = 0;
  Owner of[BarrierState::most_devices]{};
};

/// Rung 21 with the targets of all devices, a row of blocks for each, its own first: so no two devices begin
/// with the same one.
__global__ void add_increments(Owners all, float h, Pair<F32, false, false> pull_of) {
  auto* staged = dynamic_shared<Mass<float>>();
  const Owner owner = all.of[(all.me + blockIdx.y) % all.count];
  const Mass<float>* __restrict__ sources = all.of[all.me].bodies;
  const std::size_t n_sources = all.of[all.me].count;
  const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (std::size_t{blockIdx.x} * blockDim.x >= owner.count) return;  // the whole block
  const auto target = owner.bodies[i < owner.count ? i : 0];
  Vec4<float> sum;
  for (std::size_t first = 0; first < n_sources; first += blockDim.x) {
    const std::size_t mine = first + threadIdx.x;
    if (mine < n_sources) staged[threadIdx.x] = sources[mine];
    __syncthreads();
    const unsigned count =
        n_sources - first < blockDim.x ? static_cast<unsigned>(n_sources - first) : blockDim.x;
    const unsigned whole = count & ~1u;
#pragma unroll 32
    for (unsigned j = 0; j < whole; j += 2) {
      const auto even = staged[j], odd = staged[j + 1];
      pull_of(sum, target, i, even, first + j);
      pull_of(sum, target, i, odd, first + j + 1);
    }
    if (whole < count) pull_of(sum, target, i, staged[whole], first + whole);
    __syncthreads();
  }
  if (i >= owner.count) return;
  add_for_all(&owner.velocities[i].x, h * sum.x);
  add_for_all(&owner.velocities[i].y, h * sum.y);
  add_for_all(&owner.velocities[i].z, h * sum.z);
}

/// `count`, if these devices reach each other's memory.
int reachable(int count) {
  if (count < 1 || count > device_count())
    throw ResourceError(std::to_string(count) + " GPUs asked for; there are " +
                        std::to_string(device_count()));
  if (const auto why = why_not_reachable(count); !why.empty())
    throw ResourceError("no velocity increments by peer access: " + why);
  return count;
}

}  // namespace

IncrementSteps::IncrementSteps(int count, const Gravity& gravity)
    : gravity_(gravity), devices_(reachable(count), true) {
  need(!gravity.boundary.periodic, "velocity increments by peer access", "they know open space only");
  const OnDevice first(0);
  backlog_.emplace(most_steps);
}

void IncrementSteps::load(std::span<const Mass<float>> bodies, std::span<const Vec4<float>> velocities) {
  devices_.wait();
  recording_.clear();
  waiting_ = 0, last_ = {}, possible_ = true;
  const auto count = static_cast<std::size_t>(size());
  shares_.resize(count);
  devices_.each([&](int device) {
    const auto d = static_cast<std::size_t>(device);
    const std::size_t first = bodies.size() * d / count, end = bodies.size() * (d + 1) / count;
    auto& s = shares_[d];
    s = {first, Reachable<Mass<float>>(end - first), Reachable<Vec4<float>>(end - first)};
    const auto x = bodies.subspan(first, end - first);
    const auto v = velocities.subspan(first, end - first);
    copy_to_device(s.bodies.data(), x.data(), x.size_bytes(), devices_.stream(device));
    copy_to_device(s.velocities.data(), v.data(), v.size_bytes(), devices_.stream(device));
  });
  devices_.wait();
}

void IncrementSteps::meet() {
  devices_.signal();
  devices_.wait_for_signals();
}

void IncrementSteps::add(float h) {
  Owners all{.count = static_cast<unsigned>(shares_.size())};
  std::size_t most = 0;
  for (unsigned d = 0; d < all.count; ++d) {
    auto& s = shares_[d];
    all.of[d] = {s.bodies.data(), s.velocities.data(), s.bodies.size()};
    most = std::max(most, s.bodies.size());
  }
  if (most == 0) return;
  PairProblem<F32> problem;
  problem.softening = gravity_.softening;
  const Pair<F32, false, false> pull_of(problem);
  devices_.each([&](int d) {
    all.me = static_cast<unsigned>(d);
    launch("add_increments", add_increments,
           {.blocks = ceil_div(most, threads),
            .threads = threads,
            .shared_bytes = threads * unsigned{sizeof(Mass<float>)},
            .blocks_y = all.count},
           devices_.stream(d), all, static_cast<float>(gravity_.G) * h, pull_of);
  });
  // No device drifts before all have read its positions and added to its velocities.
  meet();
}

void IncrementSteps::queue(const Work& work) {
  if (work.kick != 0) add(work.kick);
  devices_.each([&](int d) {
    auto& s = shares_.at(static_cast<std::size_t>(d));
    apply<float>({.drifts = true, .drift = work.drift}, gravity_.boundary, s.bodies.data(),
                 s.velocities.data(), nullptr, s.bodies.size(), devices_.stream(d));
  });
  // No device reads positions that have not arrived.
  meet();
}

void IncrementSteps::drift(float h) {
  const Work work{std::exchange(waiting_, 0.0f), h};
  const bool again = work == last_;
  if (!again) recording_.clear();
  last_ = work;
  if (again && recording_.empty() && possible_)
    possible_ = recording_.record(devices_, [this, work] { queue(work); });
  if (recording_.empty()) queue(work);
  else recording_.replay(devices_);
  const OnDevice first(0);
  backlog_->add(1, devices_.stream(0));
}

void IncrementSteps::copy_to_host(std::span<Mass<float>> bodies, std::span<Vec4<float>> velocities) {
  if (waiting_ != 0) add(std::exchange(waiting_, 0.0f));
  finish();
  devices_.each([&](int d) {
    const auto& s = shares_.at(static_cast<std::size_t>(d));
    const std::size_t n = s.bodies.size();
    cuda::copy_to_host(bodies.data() + s.first, s.bodies.data(), n * sizeof(bodies[0]), devices_.stream(d));
    cuda::copy_to_host(velocities.data() + s.first, s.velocities.data(), n * sizeof(velocities[0]),
                       devices_.stream(d));
  });
}

}  // namespace pleiad::cuda
