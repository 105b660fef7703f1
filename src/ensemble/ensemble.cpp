/// An ensemble: members somewhere, and which of them have failed.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "ensemble/members.hpp"

#include <pleiad/error.hpp>

#include <array>
#include <limits>

#include <fmt/format.h>

namespace pleiad {

Member member_of(Snapshot initial, const Gravity& gravity, const Method& method) {
  const double start = initial.time;
  return {std::move(initial), gravity, method, {.start = start, .time = start}};
}

std::string_view name_of(Standing standing) {
  constexpr std::array<std::string_view, 4> names{"ok", "not finite", "energy limit", "step too small"};
  return names.at(static_cast<std::size_t>(standing));
}

Ensemble::Ensemble(std::vector<Member> members, const EngineOptions& engine) : standings_(members.size()) {
  members_ = make_host_members(std::move(members), engine);
}
Ensemble::~Ensemble() = default;
Ensemble::Ensemble(Ensemble&&) noexcept = default;
Ensemble& Ensemble::operator=(Ensemble&&) noexcept = default;

void Ensemble::run_until(double time) {
  while (!run_towards(time, std::numeric_limits<std::uint64_t>::max())) {
  }
}
bool Ensemble::run_towards(double time, std::uint64_t limit) {
  return members_->run_towards(time, limit, standings_);
}
const Gravity& Ensemble::gravity(std::size_t k) const { return members_->gravity(k); }
const Method& Ensemble::method(std::size_t k) const { return members_->method(k); }
const Clock& Ensemble::clock(std::size_t k) const { return members_->clock(k); }
Snapshot Ensemble::snapshot(std::size_t k) const { return members_->snapshot(k); }
EngineDescription Ensemble::describe() const { return members_->describe(); }
double Ensemble::interactions() const { return members_->interactions(); }

std::size_t ensemble_bytes(std::size_t count, std::size_t n, const EngineOptions& options) {
  // A simulation, its engine and the blocks of some twenty arrays; measured: 2.1 KiB a system of no bodies.
  constexpr std::size_t each = 2304;
  std::size_t bytes = 0, bodies = engine_bytes(n, options);
  if (__builtin_add_overflow(bodies, each, &bodies) || __builtin_mul_overflow(count, bodies, &bytes))
    throw ResourceError(fmt::format("{} systems of {} bodies exceed the address space", count, n));
  return bytes;
}

}  // namespace pleiad
