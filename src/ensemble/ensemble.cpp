/// An ensemble: its members on the host or a GPU, and their statuses.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "core/threads.hpp"
#include "engine/device.hpp"
#include "engine/softenings.hpp"
#include "ensemble/device.hpp"
#include "ensemble/members.hpp"

#include <pleiad/error.hpp>

#include <algorithm>
#include <array>
#include <limits>

#include <fmt/format.h>

namespace pleiad {

Member member_of(Snapshot initial, const Gravity& gravity, const Method& method) {
  const double start = initial.time;
  return {std::move(initial), gravity, method, {.start = start, .time = start}};
}

std::string_view name_of(MemberStatus status) {
  constexpr std::array<std::string_view, 6> names{"ok",           "escaped",    "not finite",
                                                  "energy limit", "step limit", "step too small"};
  return names.at(static_cast<std::size_t>(status));
}

/// A step of systems on Kepler orbits takes a GPU as long for one as for thousands: 3.5 microseconds for
/// 10,000 of nine bodies on an H200. A core of a CPU takes 0.76 for one system, so a hundred cores are no
/// faster from about this number on. The threads at hand do not count: they would change bits.
constexpr std::size_t fewest_on_orbits = 512;

std::unique_ptr<Members> make_members(std::vector<Member> members, const EngineOptions& options,
                                      std::size_t of_all_ranks) {
  const std::size_t all = std::max(of_all_ranks, members.size());
  for (auto& member : members)
    member.gravity.softening = softening_of(member.state.bodies, member.gravity.softening);
  const auto& method = options.method;
  const bool wants_device = options.backend == "cuda" || (method && place_of(*method) == Device::cuda);
  const bool wants_host = options.backend == "cpu" || (method && place_of(*method) == Device::cpu);
  if (wants_device && wants_host)
    throw UsageError(fmt::format("kernel '{}' does not run on backend '{}'; leave one of the two to auto",
                                 text_of(method), options.backend));
  if (wants_device) need_device(options);
  std::string why_not;
  if (!wants_host) {
    why_not = why_no_device();
    if (why_not.empty() && !wants_device) why_not = why_not_on_device(members, options, ensemble_kernels());
    const auto on_orbits = [](const Member& m) {
      return m.method.integrator != nullptr && m.method.integrator->on_orbits;
    };
    if (why_not.empty() && !wants_device && all < fewest_on_orbits && std::ranges::any_of(members, on_orbits))
      why_not = fmt::format("on Kepler orbits {} systems are faster on the CPU, from {} on a GPU is", all,
                            fewest_on_orbits);
    if (why_not.empty()) return make_device_members(std::move(members), options, ensemble_kernels());
  }
  return make_host_members(std::move(members), options,
                           built_for_devices && !wants_host ? "; not on a GPU: " + why_not : "");
}

std::vector<MemberDiagnostics> Members::diagnose(std::span<const std::size_t> which) {
  std::vector<MemberDiagnostics> found(which.size());
  parallel_for(which.size(), [&](std::size_t i) {
    const OnThisThread alone;
    found[i] = pleiad::diagnose(snapshot(which[i]), gravity(which[i]));
  });
  return found;
}

Ensemble::Ensemble(std::vector<Member> members, const EngineOptions& engine)
    : statuses_(members.size()), members_(make_members(std::move(members), engine)) {}
Ensemble::Ensemble(std::size_t size, std::unique_ptr<Members> members)
    : statuses_(size), members_(std::move(members)) {}
Ensemble::~Ensemble() = default;
Ensemble::Ensemble(Ensemble&&) noexcept = default;
Ensemble& Ensemble::operator=(Ensemble&&) noexcept = default;

void Ensemble::run_until(double time) {
  while (!run_towards(time, std::numeric_limits<std::uint64_t>::max())) {
  }
}
bool Ensemble::run_towards(double time, std::uint64_t limit) {
  return members_->run_towards(time, limit, statuses_);
}
const Gravity& Ensemble::gravity(std::size_t k) const { return members_->gravity(k); }
const Method& Ensemble::method(std::size_t k) const { return members_->method(k); }
const Clock& Ensemble::clock(std::size_t k) const { return members_->clock(k); }
Snapshot Ensemble::snapshot(std::size_t k) const { return members_->snapshot(k); }
std::vector<MemberDiagnostics> Ensemble::diagnose(std::span<const std::size_t> members) const {
  return members_->diagnose(members);
}
EngineDescription Ensemble::describe() const { return members_->describe(); }
double Ensemble::interactions() const { return members_->interactions(); }

void Ensemble::limit_steps(std::uint64_t most) { members_->limit_steps(most); }

std::size_t ensemble_bytes(std::size_t count, std::size_t n, const EngineOptions& options) {
  // Measured for systems of no bodies: 0.6 KiB as a member, 0.6 KiB as a simulation with its engine; for
  // three bodies and Hermite's arrays 1.3 KiB more. The rest is for the history and the record of each system
  // in a run.
  constexpr std::size_t each = 2816;
  std::size_t bytes = 0, bodies = engine_bytes(n, options);
  if (__builtin_add_overflow(bodies, each, &bodies) || __builtin_mul_overflow(count, bodies, &bytes))
    throw ResourceError(fmt::format("{} systems of {} bodies exceed the address space", count, n),
                        Error::Code::out_of_memory);
  return bytes;
}

}  // namespace pleiad
