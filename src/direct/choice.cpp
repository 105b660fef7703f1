/// The choice without measurements on this machine: a fixed table, so that the same problem gets the same
/// kernels everywhere.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "direct/absent.hpp"
#include "direct/why_not.hpp"

#include <pleiad/error.hpp>
#include <pleiad/kernel/choice.hpp>

#include <algorithm>
#include <array>
#include <limits>
#include <string>

#include <fmt/format.h>

namespace pleiad {
namespace {

/// A name and the most bodies for which it is the first choice.
struct Row {
  std::string_view name;
  std::size_t up_to;
};
constexpr std::size_t all = std::numeric_limits<std::size_t>::max();

// Measured on an H200, microseconds a step in f32: of 16 bodies 0.41 in a block, of 64 0.69 and 0.63 in a
// cluster; of 384 1.59 in a cluster, of 512 2.00, and 1.7 to 1.9 in a grid; of 4096 11.0 in a grid, 14.5 by
// symmetric pairs, of 5000 21.5 and some 18: beyond 4224 a grid's blocks have two turns each. Mixed alike. In
// double precision, which has no symmetric steps, a grid goes on.
constexpr std::array steps_rows{Row{"cuda/block-steps", 48}, Row{"cuda/cluster-steps", 448},
                                Row{"cuda/grid-steps", 4224}, Row{"cuda/symmetric-steps", 32768},
                                Row{"cuda/grid-steps", 12288}};
// Best first; each is reproducible. Computing each pair once wins where there are enough pairs of blocks to
// fill a GPU: measured on an H200, one-sided against symmetric in G/s at 16384 and 65536 bodies: f32 1768
// against 699, 1979 against 2830; mixed 470 against 707; f64 679 against 959.
constexpr std::array f32_symmetric{Row{"cuda/scaled-source", all}, Row{"cuda/symmetric-fixed-point", all}};
constexpr std::array f32_equal{Row{"cuda/equal-mass", all}, Row{"cuda/scaled-source", all}};
constexpr std::array mixed_symmetric{Row{"cuda/mixed-symmetric", all}};
constexpr std::array f64_symmetric{Row{"cuda/fp64-symmetric", all}};
constexpr std::array one_sided{Row{"cuda/split-reduced", all}, Row{"cuda/tile", all}};

std::span<const Row> symmetric_rows(std::size_t n, Precision precision, Masses masses) {
  const std::size_t from = precision == Precision::f32 ? 40960 : 12288;
  if (n < from) return {};
  if (precision == Precision::f64) return f64_symmetric;
  if (precision == Precision::mixed) return mixed_symmetric;
  return masses == Masses::equal ? std::span<const Row>(f32_equal) : f32_symmetric;
}

ForceMethod by(const DirectKernel* kernel) { return {.kernel = kernel}; }
ForceMethod by(const StepKernel* kernel) { return {.steps = kernel}; }
bool reproducible(const DirectKernel& kernel) { return kernel.traits.reproducible; }
bool reproducible(const StepKernel&) { return true; }

/// The first of the rows that the catalogue has and that can compute this; null when none.
template <class Kernel>
const Kernel* first_able(std::span<const Row> rows, std::span<const Kernel* const> kernels, std::size_t n,
                         Precision precision, const Gravity& gravity) {
  for (const auto& row : rows)
    for (const auto* kernel : kernels)
      if (n <= row.up_to && kernel->name == row.name && reproducible(*kernel) &&
          !why_not(by(kernel), {.n = n, .gravity = gravity, .precision = precision}))
        return kernel;
  return nullptr;
}

/// The first shape of a kernel, spelled out, so that the text of a checkpoint states it.
template <class Kernel>
LaunchShape first_shape(const Kernel& kernel) {
  return kernel.shapes.empty() ? LaunchShape{} : kernel.shapes.front();
}

}  // namespace

const DirectKernel& direct_kernel(std::string_view name) {
  std::vector<std::string_view> names;
  for (const DirectKernel* kernel : direct_kernels()) {
    if (kernel->name == name) return *kernel;
    names.push_back(kernel->name);
  }
  for (const auto& kernel : absent_kernels()) {
    if (kernel.name == name)
      throw ResourceError(fmt::format("kernel '{}' cannot be used: {}", name, cpu_kernels_only),
                          Error::Code::no_device);
    names.push_back(kernel.name);
  }
  throw UsageError(fmt::format("no direct kernel '{}'{}", name, did_you_mean(name, names)),
                   Error::Code::unknown_name);
}

Masses masses_of(const Bodies& bodies) {
  const auto& m = bodies.mass;
  return !m.empty() && m[0] != 0 && std::ranges::all_of(m, [&](double each) { return each == m[0]; })
             ? Masses::equal
             : Masses::any;
}

// Deterministic: a resumed run, or one on fewer cores, must choose the same kernel to give the same bits.
Choice choose_direct_kernel(std::size_t n, Precision, const Gravity& gravity) {
  if (gravity.boundary.all_images())
    return {.method = by(&direct_kernel("cpu/ewald")), .why = "Ewald summation of a periodic box"};
  if (!gravity.softening.plain())
    return {.method = by(&direct_kernel("cpu/threads")),
            .why = "pairs with a spline, or with softenings of their own, are computed in double precision"};
  constexpr std::size_t symmetric_from = 192;
  if (n < symmetric_from)
    return {.method = by(&direct_kernel("cpu/threads")),
            .why = fmt::format("{} too few to gain from computing each pair once",
                               n == 1 ? std::string("1 body is") : fmt::format("{} bodies are", n))};
  return {.method = by(&direct_kernel("cpu/symmetric")),
          .why = fmt::format("from {} bodies on, computing each pair once is fastest", symmetric_from)};
}

Choice choose_device_kernel(std::size_t n, Precision precision, const Gravity& gravity, Masses masses,
                            const Catalogue& from) {
  ForceMethod method;
  for (const auto rows : {symmetric_rows(n, precision, masses), std::span<const Row>(one_sided)})
    if (method.kernel == nullptr) method.kernel = first_able(rows, from.kernels, n, precision, gravity);
  if (method.kernel == nullptr)
    throw UsageError(
        fmt::format("no kernel on the GPU computes {} in {}{}",
                    !gravity.softening.plain()      ? "splines or softenings of bodies"
                    : gravity.boundary.all_images() ? "all images of periodic boxes"
                    : gravity.boundary.periodic     ? "periodic boxes"
                                                    : "open space",
                    name_of(precision),
                    gravity.boundary.all_images() ? "; use solver.method = \"fmm\", or --backend cpu" : ""));
  method.shape = first_shape(*method.kernel);
  if (!gravity.softening.plain())
    return {.method = method,
            .why = "pairs with a spline, or with softenings of their own, have sums of their own"};
  method.steps = first_able(std::span<const Row>(steps_rows), from.steps, n, precision, gravity);
  if (method.steps != nullptr) method.step_shape = first_shape(*method.steps);
  return {.method = method, .why = fmt::format("the best reproducible one for {} bodies, by the table", n)};
}

}  // namespace pleiad
