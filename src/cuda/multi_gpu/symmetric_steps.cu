/// Symmetric steps on several devices: steps/04_symmetric_steps.cu with a barrier of all their blocks where
/// the grid's was. Each device owns a part of the bodies and takes a part of the pairs of blocks, all of
/// which are distributed as if the devices were one; the partial sums are integers, so their result does not
/// depend on the distribution, bit for bit. What goes over the link: an owner writes a body into the packed
/// arrays of all devices, as all need all places, and reads the partial sums of its bodies from all devices.
/// Words lie in two sets, in turn: while those of one evaluation are still read the next ones can be added
/// to, and a set is cleared during the evaluation between. Cost at 16384 bodies on 4 H200s, K = 8: 520 of
/// 2080 pairs of blocks each for 528 schedulers, one warp on each; two barriers (mixed three) of some 3 us,
/// and 54 words over the link for each of 31 bodies a block.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "cuda/direct/frame_of.hpp"
#include "cuda/direct/scaled_source.hpp"
#include "cuda/direct/symmetric_parts.hpp"
#include "cuda/multi_gpu/steps.hpp"
#include "cuda/multi_gpu/wait_for_blocks.hpp"
#include "cuda/steps/program.hpp"
#include "cuda/steps/shape.hpp"
#include "cuda/steps/symmetric_shapes.hpp"

namespace pleiad {
namespace {

constexpr std::string_view name = "cuda/symmetric-steps";
constexpr unsigned most_bodies = 32768, threads = 512, warps = threads / 32;
constexpr int most_devices = cuda::BarrierState::most_devices;
using Sums = cuda::ExactSums<float>;
template <class P>
constexpr bool has_origin = std::is_same_v<P, Mixed>;

/// Arrays on a device that all devices access.
template <class T>
struct OnDevice {
  Mass<float>*packed, *rests;  ///< the bodies in the frame, and padding that stays
  Sums::Word* partial_sums[2];
  cuda::Extent* parts;   ///< one per block of any device
  unsigned* not_finite;  ///< 0, until some body is not finite
  Mass<T>* then;
};
template <class P>
struct Workplace {
  unsigned n, first;         ///< all bodies, and the first of this device
  const cuda::Frame* frame;  ///< of the bodies at the beginning: its masses stay
  unsigned* turn;            ///< the set of partial sums that the next evaluation adds to, which is 0
  double length;             ///< the unit for the softening, or 0
  cuda::BarrierState barrier_state;
  OnDevice<typename P::Position> on[most_devices];

  /// change(on[d]) for each device.
  template <class Change>
  __device__ void each(Change change) const {
    // The bound is known at compile time, so that the list stays among the kernel's parameters.
#pragma unroll
    for (int d = 0; d < most_devices; ++d)
      if (d < barrier_state.devices) change(on[d]);
  }
  __device__ const auto& here() const { return on[barrier_state.me]; }
};

/// The threads' extents as one, in every thread. shared: one per thread.
__device__ cuda::Extent joined_over_block(cuda::Extent mine, cuda::Extent* shared) {
  shared[threadIdx.x] = mine;
  for (unsigned half = threads / 2; half > 0; half /= 2) {
    __syncthreads();
    if (threadIdx.x < half)
      shared[threadIdx.x] = cuda::joined(shared[threadIdx.x], shared[threadIdx.x + half]);
  }
  __syncthreads();
  const auto all = shared[0];
  __syncthreads();
  return all;
}

/// The frame of the bodies where they are now.
template <class P>
__device__ cuda::Frame present_frame(const Workplace<P>& w, const cuda::Extent& mine,
                                     cuda::DeviceBarrier& barrier) {
  auto* const shared = dynamic_shared<cuda::Extent>();
  const auto of_block = joined_over_block(mine, shared);
  const unsigned me = static_cast<unsigned>(w.barrier_state.me) * gridDim.x + blockIdx.x;
  if (threadIdx.x == 0) w.each([&](const auto& there) { there.parts[me] = of_block; });
  barrier.wait();
  cuda::Extent all;
  for (unsigned b = threadIdx.x; b < w.barrier_state.devices * gridDim.x; b += threads)
    all = cuda::joined(all, w.here().parts[b]);
  all = joined_over_block(all, shared);
  all.mass = w.frame->mass / 2;  // whose unit is that of the masses' own sum
  return cuda::frame_of<P>(all, w.length);
}

/// One body per thread at most; t is this device's own. It ends at once unless the masses have the properties
/// that it `needs`, and if another launch has `taken` them.
template <class P, class Form, int K>
__global__ void __launch_bounds__(threads, 1)
    multi_gpu_symmetric_steps(const cuda::Task<P> t, const Workplace<P> w, unsigned needs, unsigned taken) {
  using T = typename P::Position;
  using S = typename P::Sum;
  if ((w.frame->masses & needs) == 0 || (w.frame->masses & taken) != 0) return;
  cuda::DeviceBarrier barrier(w.barrier_state);
  unsigned turn = *w.turn;
  const unsigned each = (t.n + gridDim.x - 1) / gridDim.x, body = blockIdx.x * each + threadIdx.x;
  const unsigned number = w.first + body;
  const bool owner = threadIdx.x < each && body < t.n;
  // In shared memory: registers hold the pairs.
  auto* const owns = reinterpret_cast<cuda::Own<P>(*)[3]>(dynamic_shared<cuda::Extent>() + threads);
  auto& own = owns[threadIdx.x];
  auto& pull = reinterpret_cast<double*>(owns + threads)[0];
  if (owner)
    for (unsigned c = 0; c < 3; ++c) own[c] = own_of(t, body, c);
  const unsigned blocks = (w.n + 32 * K - 1) / (32 * K), pairs = blocks * (blocks + 1) / 2;
  const unsigned devices = static_cast<unsigned>(w.barrier_state.devices),
                 me = static_cast<unsigned>(w.barrier_state.me);

  cuda::make_steps<false>(t, own, owner ? 3 : 0, [&] {
    const auto place = owner ? Mass<T>{own[0].x, own[1].x, own[2].x, t.bodies[body].m} : Mass<T>{};
    const auto mine = owner ? cuda::extent_of(place) : cuda::Extent{};
    cuda::Frame frame = *w.frame;
    if (has_origin<P> || w.length == 0) frame = present_frame<P>(w, mine, barrier);
    if (owner) {
      Mass<float> packed, rest;
      cuda::place<P>(frame, place, &packed, &rest);
      w.each([&](const auto& there) {
        there.packed[number] = packed;
        if constexpr (has_origin<P>) there.rests[number] = rest;
        if (mine.finite != 0) *there.not_finite = 1;  // NaN is not 0
      });
    }
    if (threadIdx.x == 0) pull = frame.mass / frame.length / frame.length;
    barrier.wait();
    const auto& here = w.here();
    for (std::size_t i = blockIdx.x * threads + threadIdx.x; i < Sums::words_per_body * w.n;
         i += gridDim.x * threads)
      here.partial_sums[1 - turn][i] = 0;
    for (unsigned p = (threadIdx.x / 32 * gridDim.x + blockIdx.x) * devices + me; p < pairs;
         p += warps * gridDim.x * devices) {
      const auto [I, J] = cuda::pair_of_blocks<1, K>(p, static_cast<int>(w.n));
      cuda::sweep_pair<Form, Sums, has_origin<P>, 1, K, 4>(
          here.packed, here.rests, Sums{here.partial_sums[turn], w.n}, static_cast<int>(w.n), t.eps2, I, J);
      __syncwarp();
    }
    barrier.wait();
    cuda::DevicePartialSums<Sums::Word> partial_sums;
    w.each([&](const auto& there) { partial_sums.words[partial_sums.devices++] = there.partial_sums[turn]; });
    const double zero = *here.not_finite == 0 ? 0 : std::nan("");
    // A thread for each component, so that waits for the link overlap.
    for (unsigned i = threadIdx.x; i < 3 * each; i += threads) {
      const unsigned of = blockIdx.x * each + i % each;
      if (of < t.n)
        owns[i % each][i / each].sum =
            S((pull + zero) * Sums::total(partial_sums, w.n, w.first + of, static_cast<int>(i / each)));
    }
    __syncthreads();
    turn = 1 - turn;
  });
  barrier.end();
  if (blockIdx.x == 0 && threadIdx.x == 0) *w.turn = turn;
  if (!owner) return;
  const Mass<T> place{own[0].x, own[1].x, own[2].x, t.bodies[body].m};
  w.each([&](const auto& there) { there.then[number] = place; });
  t.velocities[body] = {own[0].v, own[1].v, own[2].v, 0};
  t.sums[body] = {own[0].sum, own[1].sum, own[2].sum, 0};
}

template <class P>
using Shape = cuda::Compiled<cuda::Task<P>, Workplace<P>, unsigned, unsigned>;
template <class P, class Form, int K>
constexpr Shape<P> compiled(unsigned up_to) {
  return {{.threads_per_block = threads, .bodies_per_thread = K},
          multi_gpu_symmetric_steps<P, Form, K>,
          up_to,
          most_bodies};
}
/// Shapes of one device, where they are the best: another shape has another result.
template <class P, class Form>
constexpr std::array list{compiled<P, Form, 4>(cuda::four_a_thread_up_to), compiled<P, Form, 8>(most_bodies)};

constexpr unsigned shared_bytes_for(std::size_t own) {
  return threads * static_cast<unsigned>(sizeof(cuda::Extent) + 3 * own) + unsigned{sizeof(double)};
}

template <class P>
class SymmetricSteps final : public cuda::MultiGpuSteps<P> {
  using Real = typename P::Position;

 public:
  SymmetricSteps(cuda::Devices& devices, std::size_t n, const Gravity& gravity,
                 std::span<const cuda::OwnBodies<P>> own)
      : devices_(devices), n_(n), gravity_(gravity) {
    cuda::need(n <= most_bodies, name,
               std::to_string(n) + " bodies; it takes at most " + std::to_string(most_bodies));
    devices_.each([&](int d) { prepare(own[static_cast<std::size_t>(d)], devices_.stream(d)); });
    devices_.wait();
  }

  void run(std::span<const cuda::OwnBodies<P>> own, const StepProgram<Real>& program, bool forces_current,
           std::uint64_t steps, const LaunchShape& shape) override {
    if (n_ == 0 || (steps == 0 && forces_current)) return;
    launch(list<P, cuda::EqualMass>, cuda::equal_masses, 0, own, program, forces_current, steps, shape);
    launch(list<P, cuda::General>, cuda::any_masses, cuda::equal_masses, own, program, forces_current, steps,
           shape);
  }
  std::size_t bytes_per_device() const override { return own_.empty() ? 0 : bytes_; }

 private:
  struct Memory {
    cuda::Buffer<cuda::Frame> frame;
    cuda::Reachable<Mass<float>> packed, rests;
    cuda::Reachable<Sums::Word> partial_sums;
    cuda::Reachable<cuda::Extent> parts;
    cuda::Reachable<unsigned> counts;  ///< not_finite, turn
  };

  void prepare(const cuda::OwnBodies<P>& own, void* stream);
  template <class List>
  void launch(const List& shapes, unsigned needs, unsigned taken, std::span<const cuda::OwnBodies<P>> own,
              const StepProgram<Real>& program, bool forces_current, std::uint64_t steps,
              const LaunchShape& shape);

  cuda::Devices& devices_;
  std::size_t n_, bytes_ = 0;
  Gravity gravity_;
  std::vector<Memory> own_;
};

/// The frame and the padding of the packed bodies, which stay; the partial sums, which begin as zero.
template <class P>
void SymmetricSteps<P>::prepare(const cuda::OwnBodies<P>& own, void* stream) {
  const std::size_t padded = n_ + cuda::most_in_block, sums = 2 * Sums::words_per_body * n_;
  constexpr std::size_t most_blocks = 1024;  // of one device; checked at the launch
  auto& m = own_.emplace_back();
  if (n_ == 0) return;
  const std::span<const Mass<Real>> bodies(own.now, n_);
  auto framed = cuda::framed<P>(
      {.targets = bodies, .sources = bodies, .sums = {}, .softening = gravity_.softening, .stream = stream},
      padded);
  m.frame = std::move(framed.frame);
  m.packed = cuda::Reachable<Mass<float>>(padded);
  cuda::copy_on_device(m.packed.data(), framed.bodies.data(), padded * sizeof(Mass<float>), stream);
  if constexpr (has_origin<P>) {
    m.rests = cuda::Reachable<Mass<float>>(padded);
    cuda::copy_on_device(m.rests.data(), framed.rests.data(), padded * sizeof(Mass<float>), stream);
  }
  m.partial_sums = cuda::Reachable<Sums::Word>(sums);
  m.parts = cuda::Reachable<cuda::Extent>(most_blocks * static_cast<std::size_t>(devices_.size()));
  m.counts = cuda::Reachable<unsigned>(2);
  cuda::fill(m.partial_sums.data(), 0, sums * sizeof(Sums::Word), stream);
  cuda::fill(m.counts.data(), 0, 2 * sizeof(unsigned), stream);
  bytes_ = (m.packed.size() + m.rests.size()) * sizeof(Mass<float>) + sums * sizeof(Sums::Word) +
           m.parts.size() * sizeof(cuda::Extent);
}

template <class P>
template <class List>
void SymmetricSteps<P>::launch(const List& shapes, unsigned needs, unsigned taken,
                               std::span<const cuda::OwnBodies<P>> own, const StepProgram<Real>& program,
                               bool forces_current, std::uint64_t steps, const LaunchShape& shape) {
  const auto& c = cuda::compiled_for(shapes, shape, n_, name);
  cuda::Grid grid{
      .threads = threads, .shared_bytes = shared_bytes_for(sizeof(cuda::Own<P>)), .together = true};
  grid.blocks = cuda::coresident_blocks(reinterpret_cast<const void*>(c.kernel), name, grid);
  std::vector<std::tuple<cuda::Task<P>, Workplace<P>, unsigned, unsigned>> arguments;
  OnDevice<Real> on[most_devices]{};
  for (std::size_t d = 0; d < own_.size(); ++d) {
    auto& m = own_[d];
    on[d] = {m.packed.data(),
             m.rests.data(),
             {m.partial_sums.data(), m.partial_sums.data() + m.partial_sums.size() / 2},
             m.parts.data(),
             m.counts.data(),
             own[d].then};
  }
  for (std::size_t d = 0; d < own_.size(); ++d) {
    const auto& mine = own[d];
    cuda::need(std::size_t{grid.blocks} * threads >= mine.count && grid.blocks <= 1024, name,
               std::to_string(mine.count) + " bodies for " + std::to_string(grid.blocks) +
                   " blocks, the most that a device runs at once");
    Workplace<P> w{.n = static_cast<unsigned>(n_),
                   .first = static_cast<unsigned>(mine.first),
                   .frame = own_[d].frame.data(),
                   .turn = own_[d].counts.data() + 1,
                   .length = cuda::unit_of_softening(gravity_.softening.eps),
                   .barrier_state = devices_.barrier_state(static_cast<int>(d)),
                   .on = {}};
    std::copy(std::begin(on), std::end(on), w.on);
    auto task =
        cuda::task_of(StepProblem<P>{.bodies = {const_cast<Mass<Real>*>(mine.now) + mine.first, mine.count},
                                     .velocities = {mine.velocities, mine.count},
                                     .sums = {mine.sums, mine.count},
                                     .forces_current = forces_current,
                                     .softening = gravity_.softening,
                                     .boundary = gravity_.boundary,
                                     .program = program,
                                     .steps = steps},
                      most_bodies, name);
    task.eps2 = cuda::softening_in_frame<float>(gravity_.softening.eps);
    arguments.emplace_back(task, w, needs, taken);
  }
  cuda::launch_on_all(name, c.kernel, grid, devices_, arguments);
}

}  // namespace

template <class P>
std::unique_ptr<cuda::MultiGpuSteps<P>> cuda::multi_gpu_steps(std::string_view kernel, Devices& devices,
                                                              std::size_t n, const Gravity& gravity,
                                                              std::span<const OwnBodies<P>> own) {
  if constexpr (!std::is_same_v<P, F64>)
    if (kernel == name) return std::make_unique<SymmetricSteps<P>>(devices, n, gravity, own);
  return nullptr;
}
template std::unique_ptr<cuda::MultiGpuSteps<F32>> cuda::multi_gpu_steps(std::string_view, Devices&,
                                                                         std::size_t, const Gravity&,
                                                                         std::span<const OwnBodies<F32>>);
template std::unique_ptr<cuda::MultiGpuSteps<F64>> cuda::multi_gpu_steps(std::string_view, Devices&,
                                                                         std::size_t, const Gravity&,
                                                                         std::span<const OwnBodies<F64>>);
template std::unique_ptr<cuda::MultiGpuSteps<Mixed>> cuda::multi_gpu_steps(std::string_view, Devices&,
                                                                           std::size_t, const Gravity&,
                                                                           std::span<const OwnBodies<Mixed>>);

}  // namespace pleiad
