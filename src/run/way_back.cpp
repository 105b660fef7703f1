#include "run/way_back.hpp"

#include "ranks/agree.hpp"

#include <array>
#include <vector>

namespace pleiad::run {
namespace {

constexpr const char *start_section = "lattice_start", *target_section = "lattice_target";

std::string section_of(const Checkpoint& c, const char* name) {
  const auto found = c.extra.find(name);
  return found == c.extra.end() ? "" : found->second;
}

}  // namespace

void WayBack::save(Checkpoint& c) const {
  c.extra[start_section] = start;
  if (!target.empty()) c.extra[target_section] = target;
}

std::optional<WayBack> WayBack::restored(const Checkpoint& c) {
  if (!c.extra.contains(start_section)) return std::nullopt;
  return WayBack{.start = section_of(c, start_section), .target = section_of(c, target_section)};
}

void WayBack::look(ranks::Communicator& ranks, const Bodies& own) {
  auto bodies = own;
  // Not -v: of a velocity 0 that would be another number, and on a lattice there is one 0.
  for (const auto axis : {&Bodies::vx, &Bodies::vy, &Bodies::vz})
    for (double& v : bodies.*axis) v = 0 - v;
  reversed = ranks::state_hash(ranks, bodies);
}

std::string WayBack::verdict() const {
  if (target.empty() || reversed.empty()) return {};
  return reversed == target
             ? "back at the first state of the other run: every bit of all positions and "
               "velocities is as it was there"
             : "not back at the first state of the other run: go on to its start with the same "
               "step, integrator and forces";
}

std::string first_state_of(const Checkpoint& c) { return section_of(c, start_section); }

}  // namespace pleiad::run
