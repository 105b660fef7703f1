/// Members on the CPU: each is a Simulation, with the result of a single one, bit for bit. The threads share
/// the members or, if there are fewer members than threads, the bodies of each member.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "core/threads.hpp"
#include "ensemble/members.hpp"

#include <pleiad/error.hpp>

#include <atomic>

#include <fmt/format.h>

namespace pleiad {
namespace {

class HostMembers final : public Members {
 public:
  HostMembers(std::vector<Member> members, const EngineOptions& options, std::string remark);
  bool run_towards(double time, std::uint64_t limit, std::span<MemberStatus> statuses) override;
  const Gravity& gravity(std::size_t k) const override { return simulations_.at(k).gravity(); }
  const Method& method(std::size_t k) const override { return simulations_.at(k).method(); }
  const Clock& clock(std::size_t k) const override { return simulations_.at(k).clock(); }
  Snapshot snapshot(std::size_t k) override { return simulations_.at(k).snapshot(); }
  EngineDescription describe() const override;
  double interactions() const override;

 private:
  std::vector<Simulation> simulations_;
  std::string remark_;
  Threads threads_;
};

HostMembers::HostMembers(std::vector<Member> members, const EngineOptions& options, std::string remark)
    : remark_(std::move(remark)), threads_(options.threads) {
  simulations_.reserve(members.size());
  for (std::size_t k = 0; k < members.size(); ++k) {
    auto& m = members[k];
    m.method.exact_steps = true;
    try {
      simulations_.emplace_back(std::move(m.state), m.clock, m.gravity, m.method, options);
    } catch (const UsageError& e) {
      throw UsageError(fmt::format("member {}: {}", k, e.what()));
    }
    m = {};  // its bodies live on in the simulation alone
  }
}

bool HostMembers::run_towards(double time, std::uint64_t limit, std::span<MemberStatus> statuses) {
  const WithThreads ours(threads_);
  std::atomic<bool> all{true};
  const auto advance = [&](std::size_t k) {
    if (statuses[k] != MemberStatus::going) return;
    try {
      const std::uint64_t steps = allowed(limit, simulations_[k].step());
      if (simulations_[k].run_towards(time, steps)) return;
      if (allowed(1, simulations_[k].step()) == 0) statuses[k] = MemberStatus::step_limit;
      else all.store(false, std::memory_order_relaxed);
    } catch (const NumericalError&) {
      statuses[k] = MemberStatus::step_too_small;
    } catch (const UsageError& e) {
      throw UsageError(fmt::format("member {}: {}", k, e.what()));
    }
  };
  if (static_cast<std::size_t>(threads()) > simulations_.size()) {
    for (std::size_t k = 0; k < simulations_.size(); ++k) advance(k);
  } else {
    parallel_for(simulations_.size(), [&](std::size_t k) {
      const OnThisThread alone;
      advance(k);
    });
  }
  return all;
}

EngineDescription HostMembers::describe() const {
  if (simulations_.empty()) return {};
  const WithThreads ours(threads_);
  auto d = simulations_.front().describe();
  d.threads = threads();
  d.why += remark_;
  d.bytes = 0, d.interactions_per_evaluation = 0;
  for (const auto& s : simulations_) {
    const auto one = s.describe();
    d.bytes += one.bytes, d.interactions_per_evaluation += one.interactions_per_evaluation;
    d.others = d.others || !(one.method == d.method);
  }
  return d;
}

double HostMembers::interactions() const {
  double sum = 0;
  for (const auto& s : simulations_)
    sum +=
        static_cast<double>(s.evaluations()) * static_cast<double>(s.size()) * static_cast<double>(s.size());
  return sum;
}

}  // namespace

std::unique_ptr<Members> make_host_members(std::vector<Member> members, const EngineOptions& options,
                                           std::string remark) {
  EngineOptions host = options;
  if (host.backend == "auto") host.backend = "cpu";
  return std::make_unique<HostMembers>(std::move(members), host, std::move(remark));
}

}  // namespace pleiad
