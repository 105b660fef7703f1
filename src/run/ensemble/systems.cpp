#include "run/ensemble/systems.hpp"

#include "io/config/config.hpp"
#include "io/durable/paths.hpp"
#include "run/cadence.hpp"
#include "run/memory.hpp"
#include "run/start.hpp"

#include <pleiad/error.hpp>
#include <pleiad/rng.hpp>

#include <algorithm>
#include <filesystem>
#include <functional>
#include <unordered_map>

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

/// Refuses a system that an earlier one is already: it would count twice.
class Distinct {
 public:
  explicit Distinct(const Scan& scan) : scan_(scan) {}
  void add(const std::vector<Member>& members, const Options& o) {
    const std::size_t k = members.size() - 1;
    const auto [same, end] = seen_.equal_range(key_of(k, members[k].state.bodies));
    for (auto at = same; at != end; ++at)
      if (values_of(at->second) == values_of(k) &&
          members[at->second].state.bodies == members[k].state.bodies)
        refuse(at->second, k, o);
    seen_.emplace(key_of(k, members[k].state.bodies), k);
  }

 private:
  /// Values of the scan for a system, without its seed, which matters only through drawn values.
  std::string values_of(std::size_t k) const {
    const auto values = scan_.values(k);
    std::string all;
    for (std::size_t i = 0; i < values.size(); ++i)
      if (!scan_.varied()[i].is_seed()) all += values[i] + '\n';
    return all;
  }
  std::size_t key_of(std::size_t k, const Bodies& b) const {
    std::size_t key = std::hash<std::string>()(values_of(k));
    for (const auto* a : {&b.x, &b.y, &b.z, &b.vx, &b.vy, &b.vz, &b.mass})
      for (const double v : *a) key = 0x100000001b3 * (key ^ std::hash<double>()(v));
    return key;
  }
  [[noreturn]] void refuse(std::size_t one, std::size_t other, const Options& o) const {
    const auto pair = fmt::format("systems {} and {} of the ensemble would be the same", one, other);
    if (scan_.seed(one) == scan_.seed(other))
      throw UsageError(
          fmt::format("{}: both have the seed {}; the seeds of ensemble.vary must lie "
                      "ensemble.count apart, and no value may stand twice",
                      pair, scan_.seed(one)));
    throw UsageError(fmt::format("{}: '{}' draws nothing; set ensemble.jitter, or ensemble.vary", pair,
                                 o.ic.file.empty() ? o.ic.model : o.ic.file));
  }

  const Scan& scan_;
  std::unordered_multimap<std::size_t, std::size_t> seen_;
};

}  // namespace

Systems make_systems(Options& options, const Scan& scan) {
  Systems systems;
  Start loaded;
  std::string loaded_file;
  const std::size_t count = scan.size();
  Distinct distinct(scan);
  std::vector<double> steps;
  for (std::size_t k = 0; k < count; ++k) {
    Options o = scan.options(k);
    const std::string file = o.ic.file;
    if (file.empty() || file != loaded_file) {  // a file is read once
      loaded = load(o);
      systems.files.insert(systems.files.end(), loaded.files.begin(), loaded.files.end());
    }
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
      const auto settled = settle(o, s);
      if (precision_named(o.engine.precision) == Precision::f64 && !settled.precision.empty())
        systems.precision = settled.precision;
      if (k > 0) need_common_frame(systems.members.front().state, s, k);
      if (o.time.reverse)
        for (auto* v : {&s.bodies.vx, &s.bodies.vy, &s.bodies.vz})
          for (double& u : *v) u = -u;
      systems.members.push_back(member_of(std::move(s), gravity_of(o), method_of(o)));
    } catch (const Error& e) {
      throw Error(e.code(), fmt::format("system {} of the ensemble: {}", k, e.what()));
    }
    if (k == 0) {
      if (!options.ic.file.empty()) options.ic.file = text_path(options.ic.file);
      options.output.snapshot_units = o.output.snapshot_units;
      options.gravity.potentials = o.gravity.potentials;
    }
    distinct.add(systems.members, o);
    if (std::ranges::find(steps, o.time.dt) == steps.end()) steps.push_back(o.time.dt);
  }
  settle_cadence(options, systems.members.front().clock.start, steps);
  if (options.engine.precision == "auto")
    options.engine.precision = name_of(systems.precision.empty() ? Precision::mixed : Precision::f64);
  return systems;
}

}  // namespace pleiad::run
