#include "run/ensemble/systems.hpp"

#include "io/config/config.hpp"
#include "io/durable/paths.hpp"
#include "run/memory.hpp"
#include "run/start.hpp"

#include <pleiad/error.hpp>
#include <pleiad/rng.hpp>

#include <filesystem>

#include <fmt/format.h>

namespace pleiad::run {
namespace {

constexpr std::uint32_t purpose_of_jitter = 0x6a697474;

/// Independent normal displacements of every coordinate.
void displace(Bodies& b, double deviation, int dimension, std::uint64_t seed) {
  if (deviation == 0) return;
  for (std::size_t i = 0; i < b.size(); ++i) {
    Random random(seed, i, purpose_of_jitter);
    b.x[i] += deviation * random.normal();
    b.y[i] += deviation * random.normal();
    if (dimension == 3) b.z[i] += deviation * random.normal();
  }
}

void need_common_frame(const Snapshot& first, const Snapshot& s, std::size_t k) {
  if (s.time != first.time)
    throw UsageError(fmt::format(
        "system {} starts at t = {}, system 0 at t = {}: the systems of an ensemble start together", k,
        s.time, first.time));
  if (!(s.units == first.units))
    throw UsageError(fmt::format("system {} is in {} units, system 0 in {}: set units.system", k,
                                 s.units.name, first.units.name));
}

void need_difference(const Scan& scan, const std::vector<Member>& members, const std::string& origin) {
  if (members.size() < 2) return;
  const auto first = scan.values(0), second = scan.values(1);
  for (std::size_t i = 0; i < first.size(); ++i)
    if (!scan.varied()[i].is_seed() && first[i] != second[i]) return;
  if (members[0].state.bodies == members[1].state.bodies)
    throw UsageError(
        fmt::format("systems 0 and 1 of the ensemble would be the same: '{}' draws nothing; set "
                    "ensemble.jitter, or ensemble.vary",
                    origin));
}

}  // namespace

Systems make_systems(Options& options, const Scan& scan) {
  Systems systems;
  Start loaded;
  std::string loaded_file;
  const std::size_t count = scan.size();
  for (std::size_t k = 0; k < count; ++k) {
    Options o = scan.options(k);
    const std::string file = o.ic.file;
    if (file.empty() || file != loaded_file) loaded = load(o);  // a file is read once
    loaded_file = file;
    if (k == 0) {
      need_memory(ensemble_bytes(count, loaded.initial.bodies.size(), engine_of(o)),
                  fmt::format("{} systems of {} bodies", count, loaded.initial.bodies.size()));
      systems.notes = loaded.notes;
      systems.members.reserve(count);
    }
    Snapshot s = loaded.initial;
    displace(s.bodies, o.ensemble.jitter, o.gravity.dimension, o.ic.seed);
    try {
      settle(o, s);
      if (k > 0) need_common_frame(systems.members.front().state, s, k);
      if (o.time.reverse)
        for (auto* v : {&s.bodies.vx, &s.bodies.vy, &s.bodies.vz})
          for (double& u : *v) u = -u;
      systems.members.push_back(member_of(std::move(s), gravity_of(o), method_of(o)));
    } catch (const Error& e) {
      throw Error(e.kind(), fmt::format("system {} of the ensemble: {}", k, e.what()));
    }
    if (k == 0) {
      if (!options.ic.file.empty()) options.ic.file = text_path(options.ic.file);
      options.output.diagnostics_interval = o.output.diagnostics_interval;
      options.output.snapshot_units = o.output.snapshot_units;
    }
    if (k == 1) need_difference(scan, systems.members, o.ic.file.empty() ? o.ic.model : o.ic.file);
  }
  return systems;
}

}  // namespace pleiad::run
