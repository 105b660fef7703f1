#include "run/ensemble/record.hpp"

#include "core/part.hpp"
#include "core/validate.hpp"
#include "run/energy_record.hpp"
#include "run/resumed.hpp"
#include "run/start.hpp"

#include <pleiad/error.hpp>

#include <bit>
#include <cstring>
#include <string_view>
#include <tuple>

#include <fmt/format.h>

namespace pleiad::run {
namespace {

/// One system's numbers, each of 8 bytes.
struct Record {
  std::uint64_t bodies = 0, status = 0;
  std::uint64_t periodic = 0;  ///< 2: with all images
  std::uint64_t dimension = 3;
  double G = 1, eps = 0;
  Vec3<double> box{};
  Clock clock;
  History history;
};

// The structured bindings name every member: a member added later does not compile until it is saved too.
auto numbers_of(MemberDiagnostics& diagnostics) {
  auto& [time, step, energies, angular, virial, radius, closest, bound, escapers, escaper] = diagnostics;
  return std::tie(time, step, energies.kinetic, energies.potential, angular.x, angular.y, angular.z, virial,
                  radius, closest, bound, escapers, escaper);
}
auto numbers_of(Record& r) {
  auto& [bodies, status, periodic, dimension, G, eps, box, clock, history] = r;
  auto& [start, time, step, next_dt, start_step, ahead] = clock;  // of whole steps the last two are 0
  // largest_part has a section of its own, which older checkpoints lack.
  auto& [first, last, diagnosed, worst, closest, escape_time, largest_part] = history;
  return std::tuple_cat(std::tie(bodies, status, periodic, dimension, G, eps, box.x, box.y, box.z, start,
                                 time, step, next_dt, diagnosed, worst, closest, escape_time),
                        numbers_of(first), numbers_of(last));
}
constexpr std::size_t record_bytes = 8 * std::tuple_size_v<decltype(numbers_of(std::declval<Record&>()))>;

void put(std::string& out, Record r) {
  std::apply(
      [&](const auto&... number) {
        const auto one = [&](auto v) {
          const auto bits = std::bit_cast<std::uint64_t>(v);
          out.append(reinterpret_cast<const char*>(&bits), sizeof bits);
        };
        (one(number), ...);
      },
      numbers_of(r));
}
Record take(std::string_view bytes) {
  Record r;
  std::apply(
      [&](auto&... number) {
        const auto one = [&](auto& v) {
          std::memcpy(&v, bytes.data(), sizeof v);
          bytes.remove_prefix(sizeof v);
        };
        (one(number), ...);
      },
      numbers_of(r));
  return r;
}

constexpr const char* record_section = "ensemble";
constexpr const char* parts_section = "ensemble_energy_parts";

}  // namespace

Bodies all_bodies(const Ensemble& ensemble) {
  Bodies all;
  for (std::size_t k = 0; k < ensemble.size(); ++k) {
    const auto s = ensemble.snapshot(k);
    append_part(all, s.bodies, 0, s.bodies.size());
  }
  return all;
}

void save_ensemble(Checkpoint& c, const Ensemble& ensemble, const std::vector<History>& histories) {
  c.snapshot.bodies = {};
  std::string& records = c.extra[record_section];
  records.clear();
  records.reserve(ensemble.size() * record_bytes);
  for (std::size_t k = 0; k < ensemble.size(); ++k) {
    const auto s = ensemble.snapshot(k);
    const auto& g = ensemble.gravity(k);
    append_part(c.snapshot.bodies, s.bodies, 0, s.bodies.size());
    put(records, {.bodies = s.bodies.size(),
                  .status = static_cast<std::uint64_t>(ensemble.status(k)),
                  .periodic = g.boundary.all_images() ? 2U
                              : g.boundary.periodic   ? 1U
                                                      : 0U,
                  .dimension = static_cast<std::uint64_t>(g.dimension),
                  .G = g.G,
                  .eps = g.softening.eps,
                  .box = g.boundary.length,
                  .clock = ensemble.clock(k),
                  .history = histories[k]});
  }
  std::string& parts = c.extra[parts_section];
  parts.assign(8 * histories.size(), '\0');
  for (std::size_t k = 0; k < histories.size(); ++k)
    std::memcpy(parts.data() + 8 * k, &histories[k].largest_part, 8);
}

SavedEnsemble load_ensemble(const Checkpoint& c, const Scan& scan) {
  const auto found = c.extra.find(record_section);
  const auto refuse = [](const std::string& why) {
    throw InputError("the checkpoint does not hold the ensemble of its configuration: " + why);
  };
  if (found == c.extra.end()) refuse("it is of a single system");
  const std::string_view records = found->second;
  if (records.size() != scan.size() * record_bytes)
    refuse(fmt::format("{} bytes of records for {} systems", records.size(), scan.size()));
  const auto parts = c.extra.find(parts_section);
  if (parts != c.extra.end() && parts->second.size() != 8 * scan.size())
    refuse(fmt::format("{} bytes of energies for {} systems", parts->second.size(), scan.size()));
  SavedEnsemble saved;
  std::size_t at = 0;
  for (std::size_t k = 0; k < scan.size(); ++k) {
    const Record r = take(records.substr(k * record_bytes, record_bytes));
    if (r.bodies > c.snapshot.bodies.size() - at || r.status > 5 || r.periodic > 2)
      refuse(fmt::format("system {} is damaged", k));
    Member m;
    m.state.time = r.clock.time, m.state.step = r.clock.step, m.state.units = c.snapshot.units;
    append_part(m.state.bodies, c.snapshot.bodies, at, r.bodies);
    m.gravity = {.G = r.G,
                 .softening = {r.eps},
                 .boundary = {r.periodic != 0, r.box, r.periodic == 2 ? Images::all : Images::nearest},
                 .dimension = static_cast<int>(r.dimension),
                 .potentials = potentials_of(scan.options(k).gravity.potentials, c.snapshot.units),
                 .forces = added_forces_of(scan.options(k).gravity.forces, c.snapshot.units)};
    m.method = method_of(scan.options(k));
    m.clock = r.clock;
    at += r.bodies;
    const auto status = static_cast<MemberStatus>(r.status);
    const std::string origin = fmt::format("the checkpoint's system {}", k);
    need_sound(m.clock, m.method, origin);
    if (is_good(status)) need_valid(m.state.bodies, m.gravity, origin);
    saved.members.push_back(std::move(m));
    saved.statuses.push_back(status);
    saved.histories.push_back(r.history);
    auto& part = saved.histories.back().largest_part;
    if (parts != c.extra.end()) std::memcpy(&part, parts->second.data() + 8 * k, 8);
    else if (r.periodic != 0)
      for (const auto& e : {r.history.first.energies, r.history.last.energies}) part = larger_part(e, part);
    if (!(part >= 0)) refuse(fmt::format("system {} is damaged", k));
  }
  if (at != c.snapshot.bodies.size())
    refuse(fmt::format("{} bodies belong to no system", c.snapshot.bodies.size() - at));
  return saved;
}

}  // namespace pleiad::run
