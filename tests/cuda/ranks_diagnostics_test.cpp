/// What is asked of all bodies, from those of each rank on its own GPU: the bits of one GPU with all of them.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "core/part.hpp"
#include "core/radii.hpp"
#include "core/threads.hpp"
#include "cuda/catalogue.hpp"
#include "cuda/device/memory.hpp"
#include "cuda/gpu.hpp"
#include "cuda/radii.hpp"
#include "cuda/state.hpp"
#include "cuda/taking_turns.hpp"
#include "engine/device_engine.hpp"
#include "engine/device_sample.hpp"
#include "engine/places.hpp"
#include "engine/ranks_sample.hpp"
#include "ranks/collective.hpp"
#include "ranks/division.hpp"
#include "sizes.hpp"

#include <pleiad/error.hpp>
#include <pleiad/integrator.hpp>
#include <pleiad/models.hpp>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace pleiad {
namespace {

using RanksDiagnostics = Gpu;

/// Vectors without any order.
template <class Vector>
std::vector<Vector> vectors(std::size_t n, double phase) {
  std::vector<Vector> list(n);
  for (std::size_t i = 0; i < n; ++i) {
    const double t = double(i) + phase;
    list[i] = {decltype(list[i].x)(std::sin(t)), decltype(list[i].x)(std::cos(1.7 * t)),
               decltype(list[i].x)(std::sin(t * t)), decltype(list[i].x)(1 + std::fmod(0.7549 * t, 1))};
  }
  return list;
}

template <class T>
void compare_blocks() {
  constexpr std::size_t n = 4 * sum_block + 1003;
  const auto bodies = vectors<Mass<T>>(n, 0);
  const auto velocities = vectors<Vec4<T>>(n, 0.3), pulls = vectors<Vec4<T>>(n, 0.6);
  const cuda::Buffer<Mass<T>> x{std::span(bodies)};
  const cuda::Buffer<Vec4<T>> v{std::span(velocities)}, sums{std::span(pulls)};
  const auto of = [&](std::size_t first, std::size_t count) {
    return cuda::sums_of_blocks<T>(x.data() + first, v.data() + first, sums.data() + first, count, nullptr);
  };
  const auto all = of(0, n);
  ASSERT_EQ(all.size(), 5U);
  for (const int ranks : {2, 3, 7}) {
    const ranks::Division division{n, ranks};
    std::vector<BodySums> joined;
    for (int r = 0; r < ranks; ++r)
      for (const auto& block : of(division.first(r), division.count(r))) joined.push_back(block);
    ASSERT_EQ(joined.size(), all.size()) << ranks;
    EXPECT_EQ(std::memcmp(joined.data(), all.data(), all.size() * sizeof(all[0])), 0) << ranks;
  }
  const auto here = blocked_sum<BodySums>(n, [&](std::size_t begin, std::size_t end) {
    BodySums sum;
    for (std::size_t i = begin; i < end; ++i) sum += sums_of_body(bodies[i], velocities[i], pulls[i]);
    return sum;
  });
  const auto total = tree_sum(all);
  // Terms of at most 6; one rounding of each addition, which is of less than n terms.
  EXPECT_LE(std::abs(total.kinetic - here.kinetic), 6 * double(n) * double(n) * 0x1p-53);
  EXPECT_LE(norm(total.angular_momentum - here.angular_momentum), 6 * double(n) * double(n) * 0x1p-53);
  EXPECT_EQ(total.largest_pull_squared, here.largest_pull_squared);
}

/// By passes over the part of each rank.
template <class T>
void compare_radii(const std::vector<Mass<T>>& bodies) {
  const std::size_t n = bodies.size();
  const auto expected = radii_of(std::span<const Mass<T>>(bodies));
  for (const int ranks : {1, 2, 3, 7})
    with_ranks_in_turn(ranks, [&](ranks::Communicator& comm) {
      const ranks::Division division{n, ranks};
      const std::size_t first = division.first(comm.rank()), count = division.count(comm.rank());
      const ranks::Collective all(comm, count);
      const cuda::Buffer<Mass<T>> own{std::span(bodies).subspan(first, count)};
      const auto found = all.radii(*cuda::passes_over(own.data(), count, first, n, nullptr));
      EXPECT_EQ(found.centre, expected.centre) << n << " on " << ranks;
      EXPECT_EQ(found.lagrangian, expected.lagrangian) << n << " on " << ranks;
    });
}

/// On each rank, of some bodies of all of them, one of which is the last.
template <class T>
std::vector<Vec3<double>> exact_sums(std::span<const Mass<T>> bodies, int ranks, std::size_t chunk,
                                     const Gravity& gravity, std::span<const std::size_t> chosen) {
  std::vector<Vec3<double>> first_rank;
  with_ranks_in_turn(ranks, [&](ranks::Communicator& comm) {
    const ranks::Division division{bodies.size(), ranks};
    const std::size_t first = division.first(comm.rank()), count = division.count(comm.rank());
    const auto all = ranks > 1 ? ranks::Collective(comm, count) : ranks::Collective();
    const cuda::Buffer<Mass<T>> own{bodies.subspan(first, count)};
    const auto found = exact_on_gpu<T>(all, own.span(), gravity, chosen, nullptr, chunk);
    // Brought from the host they are the same.
    EXPECT_EQ(exact_on_gpu(all, bodies_of(bodies.subspan(first, count)), gravity, chosen, nullptr, chunk),
              found);
    if (comm.rank() == 0) first_rank = found;
    const auto same = ranks::all_gather<Vec3<double>>(comm, found);
    for (int r = 0; r < ranks; ++r) EXPECT_TRUE(std::ranges::equal(same.of(r), same.of(0)));
  });
  return first_rank;
}

/// At least the sum of the lengths of the pulls on a body.
template <class T>
double pulls_added(const std::vector<Mass<T>>& bodies, const Gravity& gravity, std::size_t i) {
  double sum = 0;
  for (const auto& b : bodies) {
    const Vec3<double> d{double(b.x) - double(bodies[i].x), double(b.y) - double(bodies[i].y),
                         double(b.z) - double(bodies[i].z)};
    sum += gravity.G * double(b.m) / (dot(d, d) + gravity.softening.eps2());
  }
  return sum;
}

template <class T>
void compare_exact_sums(const Gravity& gravity) {
  constexpr std::size_t n = 4 * sum_block + 1003;
  const auto bodies = vectors<Mass<T>>(n, 0);
  const std::vector<std::size_t> chosen{n - 1, 0, sum_block, 2 * sum_block - 1, 12345};
  const auto host = collective_exact<T>({}, bodies, gravity, chosen);
  std::vector<std::vector<Vec3<double>>> of_chunks;
  for (const std::size_t chunk : {sum_block, 2 * sum_block, exact_chunk}) {
    of_chunks.push_back(exact_sums<T>(bodies, 1, chunk, gravity, chosen));
    // A dozen roundings of each term, and one of each addition.
    for (std::size_t k = 0; k < chosen.size(); ++k)
      EXPECT_LE(norm(of_chunks.back()[k] - host[k]),
                double(n + 12) * 0x1p-53 * pulls_added(bodies, gravity, chosen[k]));
    for (const int ranks : test::emulated_size<std::vector<int>>({2, 3, 7}, {3}))
      EXPECT_EQ(exact_sums<T>(bodies, ranks, chunk, gravity, chosen), of_chunks.back())
          << ranks << " ranks, chunks of " << chunk;
  }
  // Chunks are sums of their own.
  EXPECT_NE(of_chunks[0], of_chunks[1]);
  EXPECT_NE(of_chunks[1], of_chunks[2]);
}

template <class P>
constexpr Precision precision_of = std::is_same_v<P, F32>   ? Precision::f32
                                   : std::is_same_v<P, F64> ? Precision::f64
                                                            : Precision::mixed;

/// What an engine is asked of all bodies.
struct Answers {
  Totals totals;
  Radii radii;
  SampledAccelerations accelerations;
};
template <class P>
Answers answers_of(std::string_view name, const Snapshot& all, double eps, ranks::Communicator& ranks) {
  const ranks::Division division{all.bodies.size(), ranks.ranks()};
  Bodies own;
  append_part(own, all.bodies, division.first(ranks.rank()), division.count(ranks.rank()));
  const auto* kernel = *std::ranges::find(cuda_kernels(), name, &DirectKernel::name);
  DeviceEngine<P> engine(own, {.softening = {eps}}, {.method = {.kernel = kernel}}, precision_of<P>, ranks);
  engine.advance({.integrator = &integrator_named("kdk"), .dt = 1.0 / 64}, 1);
  if (ranks.ranks() > 1) {
    EXPECT_FALSE(engine.begin_image_planes({}));
  }
  const std::vector<std::size_t> chosen{all.bodies.size() - 1, 0, sum_block, 17};
  return {engine.totals(), engine.radii(), engine.sampled_accelerations(chosen)};
}

/// On ranks as on one process.
template <class P>
void compare_answers(std::string_view kernel, const Snapshot& bodies, double eps) {
  const auto expected = answers_of<P>(kernel, bodies, eps, ranks::self());
  for (const int ranks : test::emulated_size<std::vector<int>>({2, 3}, {3}))
    with_ranks_in_turn(ranks, [&](ranks::Communicator& comm) {
      const auto found = answers_of<P>(kernel, bodies, eps, comm);
      const auto &a = found.totals, &b = expected.totals;
      const auto where = testing::Message()
                         << kernel << ", " << bodies.bodies.size() << " bodies on " << ranks;
      EXPECT_EQ(a.energies.kinetic, b.energies.kinetic) << where;
      EXPECT_EQ(a.energies.potential, b.energies.potential) << where;
      EXPECT_EQ(a.centre.position, b.centre.position) << where;
      EXPECT_EQ(a.momentum, b.momentum) << where;
      EXPECT_EQ(a.angular_momentum, b.angular_momentum) << where;
      EXPECT_EQ(a.largest_acceleration, b.largest_acceleration) << where;
      EXPECT_EQ(found.radii.centre, expected.radii.centre) << where;
      EXPECT_EQ(found.radii.lagrangian, expected.radii.lagrangian) << where;
      EXPECT_EQ(found.accelerations.found, expected.accelerations.found) << where;
      EXPECT_EQ(found.accelerations.diagnostic, expected.accelerations.diagnostic) << where;
      EXPECT_EQ(found.accelerations.exact, expected.accelerations.exact) << where;
    });
}

}  // namespace

TEST_F(RanksDiagnostics, BlocksOfBodiesHaveTheSameSumsWhereverBodiesAreCut) {
  compare_blocks<float>();
  compare_blocks<double>();
}

TEST_F(RanksDiagnostics, RadiiAreThoseOfAllBodiesOnTheHost) {
  for (const std::size_t n : {std::size_t{100}, 4 * sum_block + 1003}) {
    compare_radii(vectors<Mass<float>>(n, 0));
    compare_radii(vectors<Mass<double>>(n, 0));
    // Many at one distance: their numbers decide.
    auto stacked = vectors<Mass<double>>(n, 0);
    for (std::size_t i = 0; i < n; ++i) stacked[i] = {double(i % 3), 0, 0, double(i % 2)};
    compare_radii(stacked);
  }
}

TEST_F(RanksDiagnostics, ExactSumsAreThoseOfOneProcessForAnyNumberOfChunks) {
  const Gravity open{.G = 1.5, .softening = {0.01}},
      box{.G = 1, .softening = {0.01}, .boundary = {.periodic = true, .length = {4, 4, 4}}};
  compare_exact_sums<float>(open);
  compare_exact_sums<double>(open);
  compare_exact_sums<double>(box);
}

#ifdef PLEIAD_EMULATE_CUDA  // which has 1 GiB
TEST_F(RanksDiagnostics, AllRefuseWhatDoesNotFitOneOfThem) {
  const std::size_t fit = (std::size_t{1} << 30) / device_engine_bytes(1, Precision::f32, true);
  // The first has more bodies than fit, in whole blocks, the second as many as fit.
  const std::size_t blocks = fit / sum_block + 1;
  const ranks::Division division{2 * blocks * sum_block - (blocks * sum_block - fit), 2};
  const Choice divided{.method = {.tree = TreeSettings{.device = Device::cuda}},
                       .divide_tree = DivideTree::yes};
  std::vector<std::string> words(2);
  with_ranks_in_turn(2, [&](ranks::Communicator& comm) {
    Bodies own;
    own.resize(division.count(comm.rank()));
    try {
      DeviceEngine<F32> engine(own, {}, divided, Precision::f32, comm);
    } catch (const ResourceError& e) {
      words[std::size_t(comm.rank())] = e.what();
    }
  });
  EXPECT_TRUE(words[0].ends_with("1 GiB are free there")) << words[0];
  EXPECT_TRUE(words[1].ends_with("on another rank there is too little")) << words[1];
}
#endif

TEST_F(RanksDiagnostics, EnginesOfRanksAnswerAsOneEngineDoes) {
  const auto bodies = model("plummer", {{"n", double(sum_block + 300)}}, 5);
  compare_answers<F32>("cuda/split-reduced", bodies, 0.05);  // the last of three ranks has no bodies
}

TEST_F(RanksDiagnostics, SymmetricPairsOfRanksHaveTheBitsOfOneGpu) {
  const auto equal = model("plummer", {{"n", double(sum_block + 300)}}, 5);
  auto different = equal;
  for (std::size_t i = 0; i < different.bodies.size(); ++i) different.bodies.mass[i] *= 1 + double(i % 7);
  compare_answers<F32>("cuda/equal-mass", equal, 0.05);
  compare_answers<F32>("cuda/scaled-source", different, 0.05);
  compare_answers<F32>("cuda/symmetric-fixed-point", different, 0.05);
  compare_answers<F64>("cuda/fp64-symmetric", different, 0.05);
  compare_answers<Mixed>("cuda/mixed-symmetric", different, 0.05);
  compare_answers<Mixed>("cuda/mixed-symmetric", different, 0);  // potentials are one-sided sums
}

}  // namespace pleiad
