/// Every kernel against the reference.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "bench/verify.hpp"

#include "bench/conformance.hpp"
#include "bench/machine.hpp"
#include "bench/shapes.hpp"

#include <pleiad/error.hpp>

#include <algorithm>

#include <fmt/format.h>

namespace pleiad::bench {
namespace {

using conformance::Setup;

constexpr std::size_t awkward[] = {0, 1, 2, 3, 31, 32, 33, 127, 128, 129, 255, 256, 257, 1000, 1023, 1025};

/// All sizes of the plainest scene; all scenes, boundaries and potentials at one size; targets that are a
/// part of the sources.
std::vector<Setup> setups(const std::vector<std::size_t>& sizes) {
  std::vector<Setup> list;
  const auto& scenes = conformance::scenes();
  for (const auto n : sizes) list.push_back({scenes[0], n});
  for (const auto& scene : scenes)
    for (const bool periodic : {false, true})
      for (const bool potential : {false, true}) list.push_back({scene, 161, periodic, potential});
  list.push_back({scenes[1], 203, false, false, 70, 61});
  for (const auto& scene : scenes)
    for (const bool potential : {false, true})
      list.push_back({scene, 97, true, potential, 0, 0, Images::all});
  list.push_back({scenes[1], 203, true, false, 70, 61, Images::all});
  return list;
}

struct Tally {
  int cases = 0, failures = 0, refusals = 0;
  double worst = 0;
  std::string where;
};

/// One case: counted, and remembered when it is the worst so far. What the traits do not promise must be
/// refused.
template <class P>
void judge(const DirectKernel& kernel, const LaunchShape& shape, const Setup& s, Tally& tally) {
  ++tally.cases;
  double error = 0;
  bool refused = false;
  try {
    error = conformance::worst<P>(kernel, shape, s);
  } catch (const UsageError&) {
    refused = true;
  }
  tally.refusals += refused;
  const bool sound = covered(kernel, s) ? !refused && error <= 1 : refused;
  tally.failures += !sound;
  if (!(error <= tally.worst)) {
    tally.worst = error;
    tally.where = fmt::format("{}, {}", name_of(s), bench::name_of(shape));
  } else if (!sound) {
    tally.where = fmt::format("{}, {}", name_of(s), bench::name_of(shape));
  }
}

template <class P>
Tally tally_of(const DirectKernel& kernel, const std::vector<Setup>& list) {
  Tally tally;
  std::vector<LaunchShape> shapes(kernel.shapes.begin(), kernel.shapes.end());
  if (shapes.empty()) shapes.emplace_back();
  for (const auto& s : list) {
    if (!conformance::holds<P>(kernel, s)) continue;
    // The shapes on the plainest scene, each scene in one shape.
    const bool plain = s.scene.name == list.front().scene.name && !s.periodic && !s.potential && s.n != 161;
    for (const auto& shape : shapes) {
      judge<P>(kernel, shape, s, tally);
      if (!plain) break;
    }
  }
  return tally;
}

Tally tally_of(const DirectKernel& kernel, Precision precision, const std::vector<Setup>& list) {
  switch (precision) {
    case Precision::f32:
      return tally_of<F32>(kernel, list);
    case Precision::f64:
      return tally_of<F64>(kernel, list);
    case Precision::mixed:
      break;
  }
  return tally_of<Mixed>(kernel, list);
}

}  // namespace

Report verify(const VerifyOptions& options, const Progress& progress) {
  const auto machine = this_machine();
  auto sizes = options.sizes;
  if (sizes.empty()) sizes.assign(std::begin(awkward), std::end(awkward));
  auto precisions = options.precisions;
  if (precisions.empty()) precisions = {Precision::f32, Precision::mixed, Precision::f64};
  const auto list = setups(sizes);
  const bool with_gpu = std::any_of(options.kernels.begin(), options.kernels.end(),
                                    [](const auto* k) { return k->device == Device::cuda; });
  const std::string gpu = with_gpu ? this_gpu().name : "";

  Report report;
  report.table.columns = {{"kernel", "kernel"},     {"precision", "precision"},
                          {"cases", "cases"},       {"refusals", "refused"},
                          {"failures", "failures"}, {"worst", "worst / allowed", "{:.2g}"},
                          {"where", "where"},       {"verdict", "verdict"},
                          {"device", ""},           {"commit", ""}};
  for (const auto* kernel : options.kernels)
    for (const auto precision : precisions) {
      if (!kernel->has(precision)) continue;
      progress(fmt::format("{} {}", kernel->name, pleiad::name_of(precision)));
      const auto tally = tally_of(*kernel, precision, list);
      report.table.rows.push_back({std::string(kernel->name), std::string(pleiad::name_of(precision)),
                                   std::int64_t{tally.cases}, std::int64_t{tally.refusals},
                                   std::int64_t{tally.failures}, tally.worst, tally.where,
                                   std::string(tally.failures == 0 ? "sound" : "WRONG"),
                                   kernel->device == Device::cuda ? gpu : machine.device, machine.commit});
      if (tally.failures > 0)
        report.refused.push_back(fmt::format("{} {} is wrong in {} of {} cases, as on {}", kernel->name,
                                             pleiad::name_of(precision), tally.failures, tally.cases,
                                             tally.where));
    }
  if (report.table.rows.empty())
    throw UsageError("nothing to verify: no requested kernel has the requested precision");
  report.heading = {
      fmt::format("{}{}; Pleiad {}", machine.device, gpu.empty() ? "" : ", " + gpu, machine.commit)};
  report.notes = {
      "allowed: the rounding bound of the kernel's precision, relative to long double; refused: a kernel "
      "must "
      "refuse what it does not support (periodic boxes, potentials, separate targets)"};
  return report;
}

}  // namespace pleiad::bench
