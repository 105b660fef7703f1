/// Members on a GPU, in groups of one launch each. Retired members are saved on the host but still advanced,
/// because removing them would move the others; their results are ignored.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "cuda/device/device.hpp"
#include "direct/why_not.hpp"
#include "ensemble/device.hpp"
#include "ensemble/device_group.hpp"
#include "ensemble/orbit_group.hpp"

#include <pleiad/error.hpp>

#include <map>
#include <mutex>
#include <tuple>

#include <fmt/format.h>

namespace pleiad {
namespace {

ProblemFacts facts_of(const Member& m, Precision precision) {
  return {.n = m.state.bodies.size(),
          .gravity = m.gravity,
          .precision = precision,
          .integrator = m.method.integrator,
          .adaptive = m.method.adaptive};
}

/// The first requested kernel that supports this member; null if there is none.
const EnsembleKernel* kernel_for(const Member& m, const EngineOptions& options,
                                 std::span<const EnsembleKernel* const> kernels) {
  for (const auto* kernel : kernels)
    if ((!options.method || options.method->ensemble == kernel) &&
        !why_not(ForceMethod{.ensemble = kernel}, facts_of(m, options.precision)))
      return kernel;
  return nullptr;
}

std::string obstacle_for(const Member& m, const EngineOptions& options,
                         std::span<const EnsembleKernel* const> kernels) {
  const auto& method = m.method;
  if (method.integrator == nullptr) return "";  // refused elsewhere, as for a single run
  if (!method.adaptive && !program_of<double>({.integrator = method.integrator, .dt = method.dt}, 1))
    return fmt::format("integrator {} has too many stages", method.integrator->name);
  if (kernel_for(m, options, kernels) != nullptr) return "";
  // Of those that come into question the one that takes most bodies: the others would be no reason.
  const EnsembleKernel* last = options.method ? options.method->ensemble : nullptr;
  if (last == nullptr)
    for (const auto* kernel : kernels)
      if ((kernel->orbits != nullptr) == (orbit_map_of(method.integrator) != OrbitMap::none) &&
          (last == nullptr || (kernel->has(options.precision) && kernel->most_bodies > last->most_bodies)))
        last = kernel;
  return last == nullptr ? "there is no kernel for ensembles"
                         : std::string(obstacle_of(
                               *why_not(ForceMethod{.ensemble = last}, facts_of(m, options.precision))));
}

/// Properties that members of one launch have in common.
auto likeness(const Member& m) {
  return std::tuple(m.state.bodies.size(), m.gravity.G, m.method.integrator, m.method.dt, m.method.damping,
                    m.method.corrector, m.clock.start, m.clock.step);
}

/// Calls work with the policy of a precision.
template <class Work>
auto in_precision(Precision precision, const Work& work) {
  switch (precision) {
    case Precision::f32:
      return work(F32{});
    case Precision::f64:
      return work(F64{});
    case Precision::mixed:
      break;
  }
  return work(Mixed{});
}

/// Bytes on the GPU of a group of systems like this one.
std::size_t bytes_of(std::size_t systems, const Member& one, const EnsembleKernel& kernel,
                     Precision precision) {
  const std::size_t bodies = one.state.bodies.size();
  if (kernel.orbits != nullptr) return OrbitGroup::bytes_of(systems, bodies);
  return in_precision(precision, [&]<class P>(P) { return SplittingGroup<P>::bytes_of(systems, bodies); });
}
std::unique_ptr<DeviceGroup> make_group(std::span<const Member* const> systems, const EnsembleKernel& kernel,
                                        Precision precision, void* stream) {
  if (kernel.orbits != nullptr) return std::make_unique<OrbitGroup>(systems, kernel, stream);
  return in_precision(precision, [&]<class P>(P) -> std::unique_ptr<DeviceGroup> {
    return std::make_unique<SplittingGroup<P>>(systems, kernel, stream);
  });
}

class DeviceMembers final : public Members {
 public:
  DeviceMembers(std::vector<Member> members, const EngineOptions& options,
                std::span<const EnsembleKernel* const> kernels);
  bool run_towards(double time, std::uint64_t limit, std::span<MemberStatus> statuses) override;
  const Gravity& gravity(std::size_t k) const override { return members_.at(k).gravity; }
  const Method& method(std::size_t k) const override { return members_.at(k).method; }
  const Clock& clock(std::size_t k) const override { return members_.at(k).clock; }
  Snapshot snapshot(std::size_t k) override;
  EngineDescription describe() const override;
  double interactions() const override;

 private:
  /// Location of a member: its group and its number in it.
  struct Place {
    std::size_t group = 0, system = 0;
    bool rests = false;  ///< its state is that of members_
  };
  void put_to_rest(std::size_t k);

  cuda::Stream stream_;
  std::vector<Member> members_;
  std::vector<Place> places_;
  std::vector<std::unique_ptr<DeviceGroup>> groups_;
  std::vector<std::vector<std::size_t>> members_of_;
  Precision precision_;
  std::mutex seeing_;
};

DeviceMembers::DeviceMembers(std::vector<Member> members, const EngineOptions& options,
                             std::span<const EnsembleKernel* const> kernels)
    : members_(std::move(members)), places_(members_.size()), precision_(options.precision) {
  std::size_t bodies = 0;
  std::map<decltype(likeness(members_.front())), std::size_t> groups;
  for (std::size_t k = 0; k < members_.size(); ++k) {
    auto& m = members_[k];
    m.method.exact_steps = true;
    m.state.G = m.gravity.G, m.state.boundary = m.gravity.boundary;
    const auto [found, is_new] = groups.try_emplace(likeness(m), members_of_.size());
    if (is_new) members_of_.emplace_back();
    places_[k] = {found->second, members_of_[found->second].size()};
    members_of_[found->second].push_back(k);
    bodies += m.state.bodies.size();
  }
  std::size_t needed = 0;
  std::vector<const EnsembleKernel*> kernel_of;
  for (const auto& group : members_of_) {
    const auto& one = members_[group.front()];
    kernel_of.push_back(kernel_for(one, options, kernels));
    needed += bytes_of(group.size(), one, *kernel_of.back(), precision_);
  }
  if (const std::size_t free = cuda::device_memory().first; needed > free)
    throw ResourceError(
        fmt::format("{} systems of {} bodies in all need {:.3g} GiB on the GPU, {:.3g} GiB are free there",
                    members_.size(), bodies, double(needed) / 0x1p30, double(free) / 0x1p30),
        Error::Code::out_of_device_memory);
  for (std::size_t g = 0; g < members_of_.size(); ++g) {
    std::vector<const Member*> systems;
    for (const auto k : members_of_[g]) systems.push_back(&members_[k]);
    groups_.push_back(make_group(systems, *kernel_of[g], precision_, stream_.get()));
  }
}

void DeviceMembers::put_to_rest(std::size_t k) {
  auto& place = places_[k];
  groups_[place.group]->see();
  groups_[place.group]->write_seen(place.system, members_[k].state.bodies);
  place.rests = true;
}

bool DeviceMembers::run_towards(double time, std::uint64_t limit, std::span<MemberStatus> statuses) {
  bool all = true;
  for (std::size_t g = 0; g < groups_.size(); ++g) {
    bool goes = false;
    for (const auto k : members_of_[g]) {
      if (statuses[k] == MemberStatus::going) goes = true;
      else if (!places_[k].rests) put_to_rest(k);
    }
    if (!goes) continue;
    try {
      const bool there = groups_[g]->run_towards(time, allowed(limit, groups_[g]->clock().step));
      if (!there && allowed(1, groups_[g]->clock().step) == 0) {
        for (const auto k : members_of_[g])
          if (statuses[k] == MemberStatus::going) statuses[k] = MemberStatus::step_limit;
      } else {
        all &= there;
      }
    } catch (const UsageError& e) {
      throw UsageError(fmt::format("member {}: {}", members_of_[g].front(), e.what()));
    }
    for (const auto k : members_of_[g])
      if (!places_[k].rests) members_[k].clock = groups_[g]->clock();
  }
  cuda::wait(stream_.get());
  return all;
}

Snapshot DeviceMembers::snapshot(std::size_t k) {
  const auto& place = places_.at(k);
  Snapshot s = members_[k].state;
  s.time = members_[k].clock.time, s.step = members_[k].clock.step;
  if (place.rests) return s;
  {
    const std::lock_guard lock(seeing_);
    groups_[place.group]->see();
  }
  groups_[place.group]->write_seen(place.system, s.bodies);
  return s;
}

EngineDescription DeviceMembers::describe() const {
  EngineDescription d{
      .device = cuda::device_facts().name,
      .precision = std::string(name_of(precision_)),
      .why = fmt::format("{} launch{} for all systems", groups_.size(), groups_.size() == 1 ? "" : "es"),
      .gpus = 1};
  for (const auto& g : groups_) {
    d.bytes += g->bytes(), d.interactions_per_evaluation += g->pairs();
    if (d.method.ensemble == nullptr) d.method.ensemble = &g->kernel();
    else d.others = d.others || d.method.ensemble != &g->kernel();
  }
  return d;
}

double DeviceMembers::interactions() const {
  double sum = 0;
  for (const auto& g : groups_) sum += g->interactions();
  return sum;
}

/// Throws UsageError for methods that a simulation on the CPU would refuse.
void need_methods(std::span<const Member> members) {
  const Method* last = nullptr;
  for (std::size_t k = 0; k < members.size(); ++k) {
    const auto& m = members[k].method;
    if (last != nullptr && m.integrator == last->integrator && m.dt == last->dt &&
        m.damping == last->damping && m.corrector == last->corrector)
      continue;
    last = &m;
    try {
      check(m, members[k].gravity);
    } catch (const UsageError& e) {
      throw UsageError(fmt::format("member {}: {}", k, e.what()));
    }
  }
}

}  // namespace

std::string why_not_on_device(std::span<const Member> members, const EngineOptions& options,
                              std::span<const EnsembleKernel* const> kernels) {
  for (const auto& m : members)
    if (auto why = obstacle_for(m, options, kernels); !why.empty()) return why;
  return "";
}

std::unique_ptr<Members> make_device_members(std::vector<Member> members, const EngineOptions& options,
                                             std::span<const EnsembleKernel* const> kernels) {
  if (options.method && options.method->ensemble == nullptr)
    throw UsageError(fmt::format("kernel '{}' is not for ensembles; {} is", text_of(options.method),
                                 kernels.empty() ? "none" : kernels.front()->name));
  need_methods(members);
  if (const auto why = why_not_on_device(members, options, kernels); !why.empty())
    throw UsageError("the GPU cannot advance this ensemble: " + why + "; use --backend cpu");
  return std::make_unique<DeviceMembers>(std::move(members), options, kernels);
}

}  // namespace pleiad
