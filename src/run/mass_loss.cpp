#include "run/mass_loss.hpp"

#include "capabilities/capabilities.hpp"
#include "core/threads.hpp"
#include "potentials/hill_drift.hpp"
#include "potentials/host_field.hpp"
#include "potentials/rows.hpp"
#include "ranks/agree.hpp"
#include "ranks/gather.hpp"

#include <pleiad/error.hpp>
#include <pleiad/kernel/pull.hpp>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <sstream>

#include <fmt/format.h>

namespace pleiad::run {
namespace {

constexpr const char* rows_key = "stars.mass_loss";
constexpr double seconds_in_myr = 1e6 * 365.25 * 86400;

/// Sums over all bodies: of masses and of their losses, each over the distance from one place.
struct PotentialSums {
  double of_masses = 0, of_losses = 0;
  PotentialSums& operator+=(const PotentialSums& o) {
    of_masses += o.of_masses, of_losses += o.of_losses;
    return *this;
  }
};

/// What the energy loses when each body loses the mass `loss`, and stays where it is: with E as a function of
/// the masses m, E(m) - E(m - loss).
encounters::Lost lost_by(const Bodies& b, const std::vector<double>& loss, const Gravity& gravity,
                         double time) {
  const potentials::HostField field(gravity.potentials, gravity.G, time);
  const double eps2 = gravity.softening.eps2();
  encounters::Lost lost;
  for (std::size_t k = 0; k < b.size(); ++k) {
    if (loss[k] == 0) continue;
    const auto x = b.position(k), v = b.velocity(k);
    const auto sums = blocked_sum<PotentialSums>(b.size(), [&](std::size_t begin, std::size_t end) {
      PotentialSums s;
      for (std::size_t j = begin; j < end; ++j) {
        if (j == k || b.mass[j] == 0) continue;
        const double w = pull(b.position(j) - x, 1.0, eps2).w;
        s.of_masses += b.mass[j] * w, s.of_losses += loss[j] * w;
      }
      return s;
    });
    const double outer = gravity.potentials.empty() ? 0 : field.at(x).potential;
    lost.energy += loss[k] * (0.5 * dot(v, v) + outer + gravity.G * (sums.of_masses - 0.5 * sums.of_losses));
    lost.angular_momentum += loss[k] * cross(x, v);
  }
  return lost;
}

}  // namespace

MassTracks::MassTracks(std::span<const double> rows) {
  if (rows.size() % 3 != 0 || rows.empty())
    throw UsageError(
        fmt::format("{}: {} numbers are not rows of initial mass, age and mass", rows_key, rows.size()));
  for (std::size_t k = 0; k < rows.size(); k += 3) {
    const double initial = rows[k], age = rows[k + 1], mass = rows[k + 2];
    const auto need = [&](bool good, const char* what) {
      if (!good)
        throw UsageError(
            fmt::format("{}, row {} ({} {} {}): {}", rows_key, k / 3 + 1, initial, age, mass, what));
    };
    need(initial > 0 && mass > 0 && mass <= initial, "the mass must be > 0 and at most the initial one");
    if (tracks_.empty() || initial != tracks_.back().initial) {
      need(tracks_.empty() || initial > tracks_.back().initial, "initial masses must not fall");
      tracks_.push_back({.initial = initial, .points = {}});
    }
    auto& points = tracks_.back().points;
    need(age >= 0 && (points.empty() || age > points.back().first), "ages of one initial mass must rise");
    need(points.empty() || mass / initial <= points.back().second, "the mass must not rise with the age");
    points.emplace_back(age, mass / initial);
  }
}

double MassTracks::Track::at(double age) const {
  if (age >= points.back().first) return points.back().second;
  std::pair<double, double> before{0, 1};
  for (const auto& after : points) {
    if (age < after.first) {
      const double s = after.first > before.first ? (age - before.first) / (after.first - before.first) : 1;
      return before.second + s * (after.second - before.second);
    }
    before = after;
  }
  return before.second;
}

double MassTracks::part_left(double initial_mass, double age) const {
  const auto above = std::ranges::lower_bound(tracks_, initial_mass, {}, &Track::initial);
  if (above == tracks_.begin()) return tracks_.front().at(age);
  if (above == tracks_.end()) return tracks_.back().at(age);
  const auto& below = *(above - 1);
  const double s = std::log(initial_mass / below.initial) / std::log(above->initial / below.initial);
  return below.at(age) + s * (above->at(age) - below.at(age));
}

void settle_mass_loss(Options& o, const Units& units) {
  auto& stars = o.stars;
  if (stars.mass_loss_file.empty()) return;
  std::size_t columns = 0;
  auto rows = potentials::rows_of_file(stars.mass_loss_file, columns);
  if (columns != 3)
    throw InputError(
        fmt::format("'{}' has {} columns; a table of mass loss has three: initial mass, age, mass",
                    stars.mass_loss_file, columns));
  if (units.physical) {
    const double msun = units_named("solar").mass_g / units.mass_g, myr = seconds_in_myr / units.time_s();
    for (std::size_t k = 0; k < rows.size(); k += 3) rows[k] *= msun, rows[k + 1] *= myr, rows[k + 2] *= msun;
  }
  (void)MassTracks(rows);
  stars.mass_loss = std::move(rows), stars.mass_loss_file.clear();
}

MassLoss::MassLoss(const Options::Stars& options, Simulation& simulation, ranks::Communicator& ranks)
    : tracks_(options.mass_loss), interval_(options.mass_loss_interval), ranks_(ranks) {
  const auto& gravity = simulation.gravity();
  const MassLossFacts facts{.periodic = gravity.boundary.periodic,
                            .added_forces = !gravity.forces.empty(),
                            .hill = std::ranges::any_of(gravity.potentials, potentials::is_hill),
                            .semi_active = gravity.semi_active.any(),
                            .one_softening = gravity.softening.plain()};
  ranks::agree(ranks_, [&] {
    if (const auto why = why_not(facts)) throw UsageError(*why, Error::Code::unsupported);
  });
  const auto all = ranks::bodies_of_all(ranks_, simulation.snapshot().bodies);
  for (std::size_t i = 0; i < all.size(); ++i)
    if (all.mass[i] > 0) initial_.emplace_back(all.id[i], all.mass[i]);
  std::ranges::sort(initial_);
  done_ = intervals_until(simulation.clock());
}

/// Multiples of the interval since the start, those within rounding of the time counted.
std::uint64_t MassLoss::intervals_until(const Clock& clock) const {
  return static_cast<std::uint64_t>(std::max(0.0, std::floor((clock.time - clock.start) / interval_ + 1e-9)));
}

std::optional<ChangedBodies> MassLoss::after_step(Simulation& simulation) {
  const auto& clock = simulation.clock();
  const auto intervals = intervals_until(clock);
  if (intervals <= done_) return std::nullopt;
  done_ = intervals;
  ChangedBodies now{.all = ranks::bodies_of_all(ranks_, simulation.snapshot().bodies),
                    .masses_changed = true};
  auto& b = now.all;
  const bool single = simulation.describe().precision == "f32";
  const double age = clock.time - clock.start;
  auto mass = b.mass;
  std::vector<double> loss(b.size());
  bool any = false;
  for (std::size_t i = 0; i < b.size(); ++i) {
    if (b.mass[i] == 0) {
      now.kept_particles.push_back(1);
      continue;
    }
    const auto born =
        std::ranges::lower_bound(initial_, b.id[i], {}, &std::pair<std::uint64_t, double>::first);
    if (born == initial_.end() || born->first != b.id[i])
      throw InputError(fmt::format("the checkpoint does not hold the initial mass of body {}", b.id[i]));
    double left = born->second * tracks_.part_left(born->second, age);
    if (single) left = double(float(left));
    mass[i] = std::min(b.mass[i], left), loss[i] = b.mass[i] - mass[i];
    any = any || loss[i] > 0;
  }
  if (!any) return std::nullopt;
  now.lost = lost_by(b, loss, simulation.gravity(), clock.time);
  b.mass = std::move(mass);
  b.series.clear();  // the accelerations have changed at once
  return now;
}

std::string MassLoss::text() const {
  std::string text;
  for (const auto& [id, mass] : initial_) text += fmt::format("{} {:a}\n", id, mass);
  return text;
}

void MassLoss::restore(const std::string& text) {
  initial_.clear();
  std::istringstream lines(text);
  std::uint64_t id = 0;
  for (std::string word; lines >> id >> word;) {
    char* end = nullptr;
    const double mass = std::strtod(word.c_str(), &end);
    if (!(*end == '\0' && mass > 0) || (!initial_.empty() && initial_.back().first >= id)) break;
    initial_.emplace_back(id, mass);
  }
  if (!lines.eof()) throw InputError("the checkpoint's initial masses of stars are not whole");
}

}  // namespace pleiad::run
