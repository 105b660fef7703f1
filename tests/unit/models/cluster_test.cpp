/// Star clusters against the laws that their stars are drawn from: masses, places, binaries, segregation.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "core/threads.hpp"
#include "models/cluster_profile.hpp"
#include "models/mass_function.hpp"
#include "models/segregation.hpp"
#include "unit/models/support.hpp"

#include <pleiad/error.hpp>
#include <pleiad/orbits.hpp>

#include <numbers>
#include <numeric>

using namespace pleiad;
using namespace pleiad::test;

namespace {

constexpr double pi = std::numbers::pi;

using Law = MassFunction::Law;

/// dN/dm up to a constant, written without the parts of MassFunction.
double number_density(Law law, double m) {
  const auto normal = [&](double centre, double width, double at) {
    const double t = (std::log10(at) - std::log10(centre)) / width;
    return std::exp(-t * t / 2) / at;
  };
  switch (law) {
    case Law::kroupa:
      return m < 0.08  ? std::pow(m / 0.08, -0.3)
             : m < 0.5 ? std::pow(m / 0.08, -1.3)
                       : std::pow(0.5 / 0.08, -1.3) * std::pow(m / 0.5, -2.3);
    case Law::salpeter:
      return std::pow(m, -2.35);
    case Law::chabrier:
      return m < 1 ? normal(0.079, 0.69, m) : normal(0.079, 0.69, 1) * std::pow(m, -2.3);
    case Law::chabrier_system:
      return m < 1 ? normal(0.22, 0.57, m) : normal(0.22, 0.57, 1) * std::pow(m, -2.3);
  }
  return 0;
}

/// Cumulative number and mass of the density by the trapezium rule in ln m: 20,000 steps, whose error is some
/// 1e-7 of the number, and a step across a break errs by as little.
struct Cumulative {
  double low, step;
  std::vector<double> number{0};
  double mass = 0;
  Cumulative(Law law, double from, double to) : low(from), step(std::log(to / from) / 20000) {
    const auto per_log = [&](int k) {
      const double m = low * std::exp(step * k);
      return m * number_density(law, m);
    };
    for (int k = 1; k <= 20000; ++k) {
      const double a = per_log(k - 1), b = per_log(k), middle = low * std::exp(step * (k - 0.5));
      number.push_back(number.back() + step * (a + b) / 2), mass += step * (a + b) / 2 * middle;
    }
  }
  double operator()(double m) const {
    const double at = std::clamp(std::log(m / low) / step, 0.0, 19999.999);
    const auto k = static_cast<std::size_t>(at);
    return (number[k] + (at - double(k)) * (number[k + 1] - number[k])) / number.back();
  }
  double mean() const { return mass / number.back(); }
};

std::string refusal(const std::vector<std::string>& settings) {
  try {
    made("cluster", settings);
  } catch (const UsageError& error) {
    return error.what();
  }
  return "accepted";
}

double sum(const std::vector<double>& values) { return std::accumulate(values.begin(), values.end(), 0.0); }

/// Relative orbits of the first pairs of bodies, with their total masses.
struct Binary {
  OrbitalElements elements;
  double mass, ratio;
};
std::vector<Binary> binaries_of(const Snapshot& s, std::size_t pairs) {
  std::vector<Binary> all;
  const auto& b = s.bodies;
  for (std::size_t i = 0; i < 2 * pairs; i += 2) {
    const double mass = b.mass[i] + b.mass[i + 1];
    all.push_back(
        {elements_of(s.G * mass, b.position(i + 1) - b.position(i), b.velocity(i + 1) - b.velocity(i)), mass,
         b.mass[i + 1] / b.mass[i]});
  }
  return all;
}

template <class Get>
std::vector<double> values(const std::vector<Binary>& all, const Get& get) {
  std::vector<double> v;
  for (const auto& one : all) v.push_back(get(one));
  return v;
}

const double au = units_named("solar").length_cm / units_named("cluster").length_cm;

/// log10 of the period in days.
double log_days(const Binary& b) {
  return std::log10(b.elements.period * units_named("cluster").time_s() / 86400);
}

/// Stars within a radius of which half are: their number has the standard deviation sqrt(n) / 2.
void expect_half_within(const Bodies& b, double radius, const std::string& what) {
  const auto r = radii(b);
  const double n = double(r.size());
  const auto within = double(std::count_if(r.begin(), r.end(), [&](double x) { return x < radius; }));
  EXPECT_LE(std::abs(within - n / 2), 4 * std::sqrt(n) / 2) << what;
}

}  // namespace

TEST(MassFunctions, HaveTheNumbersAndMeansOfTheirLaws) {
  for (const Law law : {Law::kroupa, Law::salpeter, Law::chabrier, Law::chabrier_system})
    for (const auto& [low, high] : {std::pair{0.08, 100.0}, {0.01, 120.0}, {0.3, 0.7}, {2.0, 3.0}}) {
      const MassFunction function(law, low, high);
      const Cumulative expected(law, low, high);
      // The mean of the trapezium rule errs as its numbers do, and by the breaks: 1e-5.
      EXPECT_LE(std::abs(function.mean() / expected.mean() - 1), 1e-5) << int(law) << ' ' << low;
      std::vector<double> m(20000);
      for (std::size_t i = 0; i < m.size(); ++i) {
        Random random(5, i);
        m[i] = function.draw(random);
        ASSERT_TRUE(m[i] >= low && m[i] <= high) << m[i];
      }
      EXPECT_LE(kolmogorov(m, expected), kolmogorov_bound) << int(law) << ' ' << low;
    }
}

TEST(MassFunctions, WithEqualLimitsHaveOneMass) {
  for (const Law law : {Law::kroupa, Law::salpeter, Law::chabrier, Law::chabrier_system})
    for (const double m : {0.05, 0.5, 1.0, 7.0})
      for (const double high : {m, std::nextafter(m, 100)}) {
        const MassFunction function(law, m, high);
        Random random(1, 1);
        const double one = function.draw(random);
        EXPECT_TRUE(one >= m && one <= high) << m;
        EXPECT_TRUE(function.mean() >= m && function.mean() <= high) << m;
      }
}

TEST(Cluster, HasTheMassesThatAreAskedFor) {
  const auto b = made("cluster", {"n=20000", "imf=chabrier", "lower=0.1", "upper=50"}).bodies;
  EXPECT_LE(kolmogorov(b.mass, Cumulative(Law::chabrier, 0.1, 50)), kolmogorov_bound);
  // One factor for all: the sum rounds by 2^-53 each time.
  const auto scaled = made("cluster", {"n=1000", "mass=5000"}).bodies;
  EXPECT_LE(std::abs(sum(scaled.mass) / 5000 - 1), 1000 * 0x1p-52);
  const auto drawn = made("cluster", {"n=1000"}).bodies;
  EXPECT_LE(std::abs(scaled.mass[7] / scaled.mass[8] / (drawn.mass[7] / drawn.mass[8]) - 1), 0x1p-50);
  for (const double m : made("cluster", {"n=7", "imf=equal"}).bodies.mass) EXPECT_EQ(m, 1);
  for (const double m : made("cluster", {"n=8", "imf=equal", "mass=4"}).bodies.mass) EXPECT_EQ(m, 0.5);
  for (const double m : made("cluster", {"n=7", "lower=0.7", "upper=0.7"}).bodies.mass) EXPECT_EQ(m, 0.7);
}

TEST(Cluster, HasAsManyStarsAsMakeUpTheMass) {
  const auto b = made("cluster", {"n=0", "mass=3000", "upper=20"}).bodies;
  // The nearest sum: the last star that was drawn, or the next, is at most twice as heavy as the difference.
  EXPECT_LE(std::abs(sum(b.mass) - 3000), 10);
  const auto same = made("cluster", {"n=" + std::to_string(b.size()), "upper=20"}).bodies;
  EXPECT_EQ(b.mass, same.mass);
  EXPECT_EQ(made("cluster", {"n=0", "mass=12", "imf=equal"}).bodies.size(), 12u);
  EXPECT_EQ(made("cluster", {"n=0", "mass=1e-9"}).bodies.size(), 1u);
}

TEST(ClusterProfiles, AreInEquilibriumWhereNothingIsCut) {
  // The midpoint rule in 4000 steps of mass, and the table's 0.01 in ln r: 1e-4.
  for (const double central : {1.0, 3.0, 6.0, 9.0, 12.0})
    EXPECT_LE(std::abs(king_profile(central, 0).virial_ratio - 0.5), 1e-4) << central;
  // Of Plummer's sphere a thousandth of the mass is cut, which moves the fastest least.
  EXPECT_LE(std::abs(plummer_profile(0).virial_ratio - 0.5), 1e-3);
  // In Henon units half of Plummer's mass is within 3 pi / 16 / sqrt(2^(2/3) - 1).
  EXPECT_LE(std::abs(plummer_profile(0).half_mass_radius / 0.768571 - 1), 2e-3);
}

TEST(ClusterProfiles, KeepTheRatioOfTheCut) {
  for (const double cut : {1.3, 2.0, 5.0}) {
    for (const auto& profile : {plummer_profile(cut), king_profile(6, cut), king_profile(9, cut)}) {
      // Every body is within the cut, and the farthest of many is near it.
      double farthest = 0;
      for (std::size_t i = 0; i < 4000; ++i) {
        Random random(2, i);
        farthest = std::max(farthest, norm(profile.draw(random).position));
      }
      EXPECT_LE(farthest, cut * profile.half_mass_radius * (1 + 1e-9)) << cut;
      EXPECT_GE(farthest, cut * profile.half_mass_radius * 0.95) << cut;
      // The part that is left presses on the edge: it has more motion than equilibrium alone.
      EXPECT_GT(profile.virial_ratio, 0.5) << cut;
    }
  }
}

TEST(Cluster, IsAsLargeAndAsHotAsItsProfileSays) {
  // T and W of n equal bodies both scatter by about 1 / sqrt n of their value: four times both.
  const double scatter = 8 / std::sqrt(4001.0);
  for (const char* profile : {"plummer", "king"})
    for (const char* cut : {"0", "5", "2.7"})
      for (const double ratio : {0.5, 0.2}) {
        const auto s = made("cluster", {"n=4001", "imf=equal", "half_mass_radius=2", "mass=800",
                                        std::string("profile=") + profile, std::string("tidal_radius=") + cut,
                                        "virial_ratio=" + std::to_string(ratio)});
        const std::string what = std::string(profile) + " cut at " + cut;
        EXPECT_EQ(s.units.name, "cluster");
        expect_half_within(s.bodies, 2, what);
        EXPECT_LE(std::abs(virial_ratio(s) - ratio), ratio * scatter) << what;
        const auto r = radii(s.bodies);
        if (std::atof(cut) > 0) {
          EXPECT_LE(*std::max_element(r.begin(), r.end()), std::atof(cut) * (1 + 1e-9)) << what;
        }
      }
}

TEST(Cluster, HasPlummersProfile) {
  const auto b = made("cluster", {"n=20000", "half_mass_radius=3"}).bodies;
  // 99.9 % of the mass are there, half of it within 3 pc.
  const double m = std::cbrt(0.4995), a = 3 * std::sqrt(1 - m * m) / m;
  EXPECT_LE(kolmogorov(radii(b), [&](double r) { return std::pow(1 + a * a / (r * r), -1.5) / 0.999; }),
            kolmogorov_bound);
}

TEST(Cluster, HasItsBinariesFirst) {
  for (const auto& [n, fraction, pairs] : {std::tuple{1000, "0", 0u},
                                           {1000, "0.25", 200u},
                                           {1000, "1", 500u},
                                           {1001, "1", 500u},
                                           {1, "1", 0u},
                                           {2, "1", 1u},
                                           {3, "1", 1u},
                                           {3, "0.5", 1u}}) {
    const auto s = made("cluster", {"n=" + std::to_string(n), std::string("binaries=") + fraction});
    const auto& b = s.bodies;
    ASSERT_EQ(b.size(), std::size_t(n));
    EXPECT_NO_THROW(validate(b, 0, "cluster"));
    for (std::size_t i = 0; i < b.size(); ++i) {
      EXPECT_EQ(b.id[i], i);
      EXPECT_EQ(b.type[i], Type::star);
    }
    for (std::size_t i = 0; i < 2 * pairs; i += 2) EXPECT_GE(b.mass[i], b.mass[i + 1]);
    // Every pair is bound within the limits of the axes, to the rounding of 1 pc in 0.01 au, 1e-9.
    for (const auto& binary : binaries_of(s, pairs)) {
      EXPECT_GE(binary.elements.semi_major_axis, 0.01 * au * (1 - 1e-6)) << n;
      EXPECT_LE(binary.elements.semi_major_axis, 1e4 * au * (1 + 1e-6)) << n;
    }
    // The next two are no binary: singles are wider apart than the binaries by far, or there are none.
    if (b.size() >= 2 * pairs + 2) {
      const double d = norm(b.position(2 * pairs) - b.position(2 * pairs + 1));
      EXPECT_GE(d, 1e-2) << n << ' ' << fraction;
    }
  }
}

TEST(Cluster, PutsEachBinaryInThePlaceOfAStar) {
  const auto pairs = made("cluster", {"n=1000", "binaries=1", "imf=equal"}).bodies,
             stars = made("cluster", {"n=500", "mass=1000", "imf=equal"}).bodies;
  for (std::size_t k = 0; k < 500; ++k) {
    const auto centre = (pairs.position(2 * k) + pairs.position(2 * k + 1)) * 0.5;
    const auto velocity = (pairs.velocity(2 * k) + pairs.velocity(2 * k + 1)) * 0.5;
    // Rounding of places of some 10 pc, and of orbital speeds of up to 1e3 km/s.
    ASSERT_LE(norm(centre - stars.position(k)), 1e-13) << k;
    ASSERT_LE(norm(velocity - stars.velocity(k)), 1e-11) << k;
  }
}

TEST(Cluster, HasOrbitsOfTheirLaws) {
  constexpr std::size_t n = 5000;
  const std::string number = "n=" + std::to_string(2 * n);
  const auto of = [&](std::vector<std::string> settings) {
    settings.push_back(number), settings.push_back("binaries=1");
    return binaries_of(made("cluster", settings), n);
  };
  // Wide limits: the whole of each law of periods.
  const std::vector<std::string> wide{"separation_min=1e-4", "separation_max=1e8"};
  const auto birth = of({wide[0], wide[1], "separation=kroupa", "eccentricity=thermal"});
  EXPECT_LE(kolmogorov(values(birth, log_days),
                       [](double l) { return std::min(1.0, 1.25 * std::log(1 + (l - 1) * (l - 1) / 45)); }),
            kolmogorov_bound);
  const auto normal = of({wide[0], wide[1], "separation=log-normal", "eccentricity=uniform", "imf=equal"});
  // 1e-4 au and 1 Msun each are a period of 2.6e-4 days: 1e-4 of the law is below.
  EXPECT_LE(kolmogorov(values(normal, log_days),
                       [](double l) { return 0.5 * std::erfc((5.03 - l) / 2.28 / std::sqrt(2.0)); }),
            kolmogorov_bound + 1e-4 * std::sqrt(double(n)));
  const auto uniform =
      of({"separation_min=1", "separation_max=1000", "separation=log-uniform", "eccentricity=uniform"});
  EXPECT_LE(kolmogorov(values(uniform, [](const Binary& b) { return b.elements.semi_major_axis / au; }),
                       [](double a) { return std::clamp(std::log10(a) / 3, 0.0, 1.0); }),
            kolmogorov_bound);
  const auto e = [](const Binary& b) { return b.elements.eccentricity; };
  EXPECT_LE(kolmogorov(values(birth, e), [](double x) { return x * x; }), kolmogorov_bound);
  EXPECT_LE(kolmogorov(values(uniform, e), [](double x) { return x; }), kolmogorov_bound);
  const auto turn = [](double angle) { return angle / (2 * pi) + 0.5; };
  const auto all = [](double (*get)(const OrbitalElements&), const std::vector<Binary>& from) {
    return values(from, [&](const Binary& b) { return get(b.elements); });
  };
  EXPECT_LE(kolmogorov(all([](const OrbitalElements& o) { return o.mean_anomaly; }, uniform), turn),
            kolmogorov_bound);
  EXPECT_LE(kolmogorov(all([](const OrbitalElements& o) { return o.node; }, uniform), turn),
            kolmogorov_bound);
  EXPECT_LE(kolmogorov(all([](const OrbitalElements& o) { return o.pericentre; }, uniform), turn),
            kolmogorov_bound);
  EXPECT_LE(kolmogorov(all([](const OrbitalElements& o) { return std::cos(o.inclination); }, uniform),
                       [](double c) { return (1 + c) / 2; }),
            kolmogorov_bound);
  // Circles to the rounding of places of 10 pc in 1 au: 1e-15 / 5e-6, twice, and the same of speeds.
  for (const auto& b : of({"separation_min=1", "separation_max=1000", "eccentricity=circular"}))
    ASSERT_LE(b.elements.eccentricity, 1e-8);
  // Equal limits are one axis.
  for (const auto& b : of({"separation_min=50", "separation_max=50"}))
    ASSERT_LE(std::abs(b.elements.semi_major_axis / (50 * au) - 1), 1e-8);
}

TEST(Cluster, CutsPeriodsAtTheLimitsOfTheAxes) {
  const auto some = binaries_of(
      made("cluster", {"n=10000", "binaries=1", "imf=equal", "separation_min=1", "separation_max=100"}),
      5000);
  // Two of 1 Msun: P^2 = a^3 / 2 in years.
  const double low = std::log10(365.25 / std::sqrt(2.0)), high = low + 3;
  const auto part = [](double l) { return std::log(1 + (l - 1) * (l - 1) / 45); };
  EXPECT_LE(kolmogorov(values(some, log_days),
                       [&](double l) {
                         return std::clamp((part(l) - part(low)) / (part(high) - part(low)), 0.0, 1.0);
                       }),
            kolmogorov_bound);
}

TEST(Cluster, PairsStarsAsAsked) {
  const std::vector<std::string> settings{"n=10000"};
  const auto singles = made("cluster", settings).bodies;
  auto random = made("cluster", {"n=10000", "binaries=1"}).bodies.mass, drawn = singles.mass;
  std::sort(random.begin(), random.end()), std::sort(drawn.begin(), drawn.end());
  EXPECT_EQ(random, drawn);  // the same stars
  const auto uniform = made("cluster", {"n=10000", "binaries=1", "pairing=uniform"});
  const auto& b = uniform.bodies;
  std::vector<double> q;
  for (std::size_t i = 0; i < b.size(); i += 2) {
    EXPECT_EQ(b.mass[i], singles.mass[i]);
    const double least = 0.08 / b.mass[i];
    q.push_back((b.mass[i + 1] / b.mass[i] - least) / (1 - least));
  }
  EXPECT_LE(kolmogorov(q, [](double x) { return x; }), kolmogorov_bound);
}

TEST(Cluster, SegregatesByMassAndKeepsItsProfile) {
  const auto mean_within = [](const Bodies& b) {
    double mass = 0, number = 0;
    for (std::size_t i = 0; i < b.size(); ++i)
      if (norm(b.position(i)) < 0.5) mass += b.mass[i], ++number;
    return mass / number;
  };
  double before = 0;
  for (const char* degree : {"0", "0.5", "0.9", "1"}) {
    const auto s = made("cluster", {"n=4001", "upper=5", std::string("segregation=") + degree});
    const auto& b = s.bodies;
    // Mass within half the half-mass radius: of independent stars the part has the variance sum m^2 / (4
    // M^2).
    double mass = 0, squares = 0, within = 0;
    for (std::size_t i = 0; i < b.size(); ++i) {
      mass += b.mass[i], squares += b.mass[i] * b.mass[i];
      if (norm(b.position(i)) < 1) within += b.mass[i];
    }
    EXPECT_LE(std::abs(within / mass - 0.5), 4 * std::sqrt(squares) / (2 * mass)) << degree;
    // As for equal masses, with sum m^2 / M^2 for 1 / n.
    EXPECT_LE(std::abs(virial_ratio(s) - 0.5), 0.5 * 8 * std::sqrt(squares) / mass) << degree;
    EXPECT_GE(mean_within(b), before) << degree;
    before = mean_within(b);
  }
  // With the degree 1 the masses fall with the energy; velocities are those of the profile but for the drift.
  const auto s = made("cluster", {"n=4001", "upper=5", "segregation=1"});
  const double m = std::cbrt(0.4995), a = std::sqrt(1 - m * m) / m, total = sum(s.bodies.mass) / 0.999;
  std::vector<std::pair<double, double>> by_mass;
  for (std::size_t i = 0; i < s.bodies.size(); ++i)
    by_mass.emplace_back(s.bodies.mass[i], 0.5 * dot(s.bodies.velocity(i), s.bodies.velocity(i)) -
                                               s.G * total / std::hypot(norm(s.bodies.position(i)), a));
  std::sort(by_mass.begin(), by_mass.end(), std::greater<>());
  // The drift is 1 / sqrt(n) of the velocities, and so are the changes of the energy.
  double highest = -1e9;
  const double slack = 10 / std::sqrt(4001.0) * s.G * total / a;
  for (const auto& [mass, energy] : by_mass) {
    ASSERT_GE(energy, highest - slack) << mass;
    highest = std::max(highest, energy);
  }
}

TEST(SegregatedOrbits, AreTakenOnceEachInOrder) {
  for (const std::size_t n : {1u, 2u, 3u, 1000u}) {
    std::vector<double> masses(n);
    for (std::size_t i = 0; i < n; ++i) masses[i] = 1 + double(i * 7 % n);
    for (const double degree : {0.0, 0.3, 1.0}) {
      auto orbits = segregated_orbits(masses, degree, 3, [](std::size_t k) { return double(k); });
      if (degree == 1) {
        std::vector<std::pair<double, std::size_t>> pairs;
        for (std::size_t i = 0; i < n; ++i) pairs.emplace_back(-masses[i], orbits[i]);
        std::sort(pairs.begin(), pairs.end());
        EXPECT_TRUE(std::is_sorted(pairs.begin(), pairs.end(),
                                   [](const auto& p, const auto& q) { return p.second < q.second; }));
      }
      std::sort(orbits.begin(), orbits.end());
      EXPECT_EQ(std::adjacent_find(orbits.begin(), orbits.end()), orbits.end()) << n << ' ' << degree;
    }
  }
}

TEST(Cluster, TurnsAndKeepsItsEnergy) {
  constexpr double n = 10001;
  const auto at_rest = made("cluster", {"n=10001", "imf=equal"}).bodies;
  for (const auto& [rotation, part] : {std::pair{"0", 0.5}, {"0.5", 0.75}, {"1", 1.0}}) {
    const auto b = made("cluster", {"n=10001", "imf=equal", std::string("rotation=") + rotation}).bodies;
    double forward = 0;
    for (std::size_t i = 0; i < b.size(); ++i) forward += b.x[i] * b.vy[i] - b.y[i] * b.vx[i] > 0;
    // Binomial, and the drift of 1 / sqrt(n) of the velocities turns as large a part of the orbits at most.
    EXPECT_LE(std::abs(forward - n * part), (4 * std::sqrt(part * (1 - part)) + 1) * std::sqrt(n))
        << rotation;
    // The energy of the drift that was removed is 1 / n of the whole in the mean.
    EXPECT_LE(std::abs(kinetic(b) / kinetic(at_rest) - 1), 10 / n) << rotation;
    EXPECT_EQ(b.x, at_rest.x) << rotation;
  }
}

TEST(Cluster, HasTheSameBitsForAnyNumberOfThreads) {
  const std::vector<std::string> settings{
      "n=20001",        "binaries=0.3", "segregation=0.5", "rotation=0.4",    "profile=king",
      "tidal_radius=5", "imf=chabrier", "mass=9000",       "pairing=uniform", "separation=log-normal"};
  set_threads(1);
  const auto one = state_hash(made("cluster", settings, 7).bodies);
  set_threads(3);
  EXPECT_EQ(state_hash(made("cluster", settings, 7).bodies), one);
  set_threads(0);
}

TEST(Cluster, TakesTheWordsOfItsChoicesOrTheirPlaces) {
  EXPECT_EQ(model("cluster", {{"n", 50}, {"imf", 1}}).bodies,
            made("cluster", {"n=50", "imf=salpeter"}).bodies);
  EXPECT_THROW(model("cluster", {{"imf", 0.5}}), UsageError);
  EXPECT_THROW(model("cluster", {{"imf", 5}}), UsageError);
}

TEST(Cluster, RefusesInOneLine) {
  EXPECT_EQ(refusal({"imf=krupa"}), "model 'cluster': imf = 'krupa' is unknown; did you mean 'kroupa'?");
  EXPECT_EQ(refusal({"eccentricity=xyzzy"}),
            "model 'cluster': eccentricity = 'xyzzy' is unknown; it is one of thermal, uniform, circular");
  EXPECT_EQ(refusal({"imf=0"}).find("model 'cluster': imf = '0' is unknown"), 0u);
  EXPECT_EQ(refusal({"binary=1"}), "model 'cluster' has no parameter 'binary'; did you mean 'binaries'?");
  EXPECT_EQ(refusal({"mass=nan"}), "model 'cluster': mass = nan is out of range; it must be from 0 to 1e+12");
  EXPECT_EQ(refusal({"lower=2", "upper=1"}),
            "model 'cluster': lower = 2 is larger than upper = 1; it must be at most that");
  EXPECT_EQ(refusal({"separation_min=9", "separation_max=8"}),
            "model 'cluster': separation_min = 9 is larger than separation_max = 8; it must be at most that");
  EXPECT_EQ(refusal({"n=0"}), "model 'cluster': n = 0 needs mass > 0, which the stars make up");
  EXPECT_EQ(refusal({"n=0", "mass=9", "pairing=uniform", "binaries=0.1"}).find("model 'cluster': pairing"),
            0u);
  for (const char* profile : {"profile=plummer", "profile=king"})
    EXPECT_EQ(refusal({profile, "tidal_radius=1.2"}).find("model 'cluster': tidal_radius is 1.2 times"), 0u);
  EXPECT_NE(refusal({"binaries=1", "separation_max=0.02"}).find("set wider limits"), std::string::npos);
  EXPECT_EQ(refusal({"tidal_radius=1.3"}), "accepted");
}
