/// The header in the words of GADGET-2, GADGET-4, AREPO, GIZMO, OWLS, SWIFT and of Pleiad itself.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "io/files/hdf5_header.hpp"

#include "cosmology/cosmology.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace pleiad::files::hdf5 {
namespace {

const char* const above_0 = "finite and > 0";
const char* const at_least_0 = "finite and >= 0";

bool any(double v) { return std::isfinite(v); }
bool above_minus_1(double z) { return z > -1 && std::isfinite(z); }

/// Two statements of one number, as of a and 1 / (1 + z), may differ by this: some programs write a few
/// digits.
constexpr double near_scale_factor = 1e-3;

/// Groups that programs state things in.
struct Groups {
  explicit Groups(const Hdf5File& f)
      : header(f, "Header"), units(f, "Units"), parameters(f, "Parameters"), cosmology(f, "Cosmology") {}
  Attributes header, units, parameters, cosmology;
};

struct Triple {
  double length, mass, velocity;
};

/// Three names for the units in one group; where one is, all must be. SWIFT states a time instead of a
/// velocity; GIZMO's length and mass are divided by h already, unlike the numbers, so h is put back.
struct UnitNames {
  const char *length, *mass, *third;
  bool third_is_time = false, without_h = false;
};
constexpr UnitNames gadget_units{"UnitLength_in_cm", "UnitMass_in_g", "UnitVelocity_in_cm_per_s"};
constexpr UnitNames gizmo_units{"UnitLength_In_CGS", "UnitMass_In_CGS", "UnitVelocity_In_CGS", false, true};
constexpr UnitNames swift_units{"Unit length in cgs (U_L)", "Unit mass in cgs (U_M)",
                                "Unit time in cgs (U_t)", true};

std::optional<Triple> read_triple(const Hdf5File& f, const Attributes& group, const UnitNames& names,
                                  double h) {
  const auto one = [&](const char* name) { return number_of({{&group, name}}, positive, above_0); };
  const auto length = one(names.length), mass = one(names.mass), third = one(names.third);
  if (!length && !mass && !third) return std::nullopt;
  for (const auto& [value, name] :
       {std::pair{length, names.length}, {mass, names.mass}, {third, names.third}})
    if (!value)
      f.refuse(fmt::format("{} is missing, but the other units of that group are there; all three are needed",
                           group.path_of(name)));
  const double back = names.without_h ? h : 1;
  return Triple{*length * back, *mass * back, names.third_is_time ? *length / *third : *third};
}

bool agree(double a, double b) { return std::abs(a - b) <= 1e-5 * b; }
bool agree(const Triple& a, const Triple& b) {
  return agree(a.length, b.length) && agree(a.mass, b.mass) && agree(a.velocity, b.velocity);
}

/// The units that any group states in any of the three ways; those that several state are one.
std::optional<Triple> read_cgs(const Hdf5File& f, const Groups& g, double h) {
  std::optional<Triple> agreed;
  std::string who;
  for (const Attributes* group : {&g.header, &g.units, &g.parameters})
    for (const auto& names : {gadget_units, gizmo_units, swift_units}) {
      const auto here = read_triple(f, *group, names, h);
      if (!here) continue;
      if (agreed && !agree(*here, *agreed))
        f.refuse(
            fmt::format("{} and its two fellows state other units ({:g} cm, {:g} g, {:g} cm/s) than {} ({:g} "
                        "cm, {:g} g, {:g} cm/s)",
                        group->path_of(names.length), here->length, here->mass, here->velocity, who,
                        agreed->length, agreed->mass, agreed->velocity));
      if (!agreed) agreed = here, who = group->path_of(names.length);
    }
  return agreed;
}

Units units_of(const Groups& g, const std::optional<Triple>& cgs, const std::optional<std::string>& system) {
  const char* name = "UnitSystem";
  const auto presets = unit_system_names();
  if (!system) return cgs ? recognised_units(cgs->length, cgs->mass, cgs->velocity) : units_named("galactic");
  if (*system == "custom" && cgs) return custom_units(cgs->length, cgs->mass, cgs->velocity);
  if (std::ranges::find(presets, *system) == presets.end())
    g.header.refuse(name, in_quotes(*system),
                    fmt::format("one of {}{}", fmt::join(presets, ", "), cgs ? ", custom" : ""));
  const Units units = units_named(*system);
  if (units.physical && cgs && !agree(*cgs, {units.length_cm, units.mass_g, units.velocity_cm_s}))
    g.header.refuse(
        name, in_quotes(*system),
        fmt::format("that of the units that the file states, {:g} cm, {:g} g and {:g} cm/s, or 'custom'",
                    cgs->length, cgs->mass, cgs->velocity));
  return units;
}

void read_units(const Hdf5File& f, const Groups& g, double h, Header& out) {
  const auto cgs = read_cgs(f, g, h);
  const auto system = g.header.word("UnitSystem");
  out.units = units_of(g, cgs, system);
  out.units_stated = cgs || system;
  const auto G =
      number_of({{&g.header, "GravitationalConstant"}, {&g.header, "Gravitational_Constant_In_Code_Inits"}},
                positive, above_0);
  // 0: the program takes that of its units.
  const auto internal = number_of({{&g.parameters, "GravityConstantInternal"}}, not_negative, at_least_0);
  out.G = G.value_or(internal.value_or(0) > 0 ? *internal : out.units.G());
}

/// One length or three; nothing when absent or, as GADGET writes open space, 0.
std::optional<Vec3<double>> read_lengths(const Hdf5File& f, const Groups& g, const char* name,
                                         bool periodic) {
  const auto l = g.header.numbers(name);
  const bool right = l && (l->size() == 1 || l->size() == 3);
  if (periodic && !right)
    f.refuse(fmt::format("a periodic file needs /Header/{}, one length or three", name));
  if (!l) return std::nullopt;
  if (!right) g.header.refuse(name, fmt::format("{} numbers", l->size()), "one length or three");
  if (periodic && !std::ranges::all_of(*l, positive))
    f.refuse(fmt::format("/Header/{} of a periodic file is {}; it must be finite and > 0", name,
                         fmt::join(*l, ", ")));
  if (!std::ranges::all_of(*l, not_negative))
    g.header.refuse(name, fmt::format("{}", fmt::join(*l, ", ")), at_least_0);
  if (!std::ranges::all_of(*l, positive)) return std::nullopt;
  return Vec3<double>{l->front(), (*l)[l->size() / 2], l->back()};
}

void read_space(const Hdf5File& f, const Groups& g, Header& out) {
  const auto boundary = g.header.word("Boundary"), images = g.header.word("Images");
  if (boundary && *boundary != "periodic" && *boundary != "open")
    g.header.refuse("Boundary", in_quotes(*boundary), "'periodic' or 'open'");
  if (images && std::ranges::find(images_names, *images) == images_names.end())
    g.header.refuse("Images", in_quotes(*images), "nearest or all");
  const bool periodic = boundary == "periodic";
  const auto own = g.header.numbers("BoxLengths");  // BoxSize is one length for all readers
  const auto box = read_lengths(f, g, "BoxSize", periodic && !own);
  const auto lengths = own ? read_lengths(f, g, "BoxLengths", periodic) : box;
  if (periodic)
    out.boundary = {
        .periodic = true, .length = *lengths, .images = images == "all" ? Images::all : Images::nearest};
  else if (!boundary) out.box = lengths;
}

/// SWIFT: no h in its numbers, and peculiar velocities.
std::optional<Cosmology> swift_cosmology(const Hdf5File& f, const Groups& g) {
  const auto a = number_of({{&g.header, "Scale-factor"}, {&g.cosmology, "Scale-factor"}}, positive, above_0);
  if (g.cosmology.flag("Cosmological run") != true) return std::nullopt;
  if (!a) f.refuse("/Cosmology says that this is a cosmological run, but /Header/Scale-factor is missing");
  const auto redshift =
      number_of({{&g.header, "Redshift"}, {&g.cosmology, "Redshift"}}, above_minus_1, "finite and > -1");
  if (redshift && !(std::abs(*a * (1 + *redshift) - 1) <= near_scale_factor))
    f.refuse(fmt::format("/Header/Redshift is {}; with /Header/Scale-factor = {} it must be {:g}", *redshift,
                         *a, 1 / *a - 1));
  return Cosmology{.h = 1, .a = *a, .comoving = true, .sqrt_velocities = false, .time_is_a = false};
}

/// The h of a file of SWIFT; H0 in its units says the same.
double hubble_of_swift(const Hdf5File& f, const Groups& g) {
  const auto h = number_of({{&g.cosmology, "h"}}, positive, above_0);
  if (!h) f.refuse("/Cosmology/h is missing: comoving lengths and masses are those per h here");
  const auto H0 = number_of({{&g.cosmology, "H0 [internal units]"}}, positive, above_0);
  const auto cgs = read_cgs(f, g, 1);
  if (!H0 || !cgs) return *h;
  // 100 km/s/Mpc is one of GADGET's units per h.
  const double expected =
      *h * cosmology::hubble_constant(custom_units(cgs->length, cgs->mass, cgs->velocity));
  if (!(std::abs(*H0 / expected - 1) <= near_scale_factor))
    g.cosmology.refuse("H0 [internal units]", fmt::format("{}", *H0),
                       fmt::format("{:g}, with h = {} and the units of the file", expected, *h));
  return *h;
}

/// GADGET and its descendants: lengths and masses over h; comoving if they state so, or if time and redshift
/// match.
Cosmology gadget_cosmology(const Hdf5File& f, const Groups& g, double h, double time) {
  const double matter =
      number_of({{&g.header, "Omega0"}, {&g.header, "Omega_Matter"}, {&g.parameters, "Omega0"}}, not_negative,
                at_least_0)
          .value_or(0);
  const auto redshift =
      number_of({{&g.header, "Redshift"}, {&g.parameters, "Redshift"}}, above_minus_1, "finite and > -1");
  const auto comoving =
      flag_of({{&g.header, "ComovingIntegrationOn"}, {&g.parameters, "ComovingIntegrationOn"}});
  // OWLS and EAGLE, whose time need not be the scale factor.
  const auto expansion = number_of({{&g.header, "ExpansionFactor"}}, positive, above_0);
  const double a = expansion.value_or(time);
  if (comoving == true && !(a > 0))
    f.refuse(
        fmt::format("/Header/Time is {}, but ComovingIntegrationOn says that it is the scale factor, "
                    "which is > 0",
                    time));
  if ((comoving == true || expansion) && redshift &&
      !(std::abs(a * (1 + *redshift) - 1) <= near_scale_factor))
    f.refuse(fmt::format(
        "/Header/Redshift is {}; with the scale factor {}, {}, it must be {:g}", *redshift, a,
        expansion ? "/Header/ExpansionFactor" : "/Header/Time as ComovingIntegrationOn says", 1 / a - 1));
  if (expansion && comoving.value_or(!agree(a, 1)))
    return {.h = h, .a = a, .comoving = true, .sqrt_velocities = true, .time_is_a = agree(time, a)};
  return cosmology_of(h, time, redshift.value_or(0), matter, comoving);
}

/// NumPart_Total with its high words.
std::optional<std::vector<std::int64_t>> read_total(const Hdf5File& f, const Groups& g) {
  const auto high = g.header.wholes("NumPart_Total_HighWord");
  auto sum = g.header.wholes("NumPart_Total");
  if (!sum) return std::nullopt;
  if (sum->size() != f.count.size())
    g.header.refuse("NumPart_Total", fmt::format("a row of {}", sum->size()),
                    fmt::format("one of {}, as NumPart_ThisFile is", f.count.size()));
  for (std::size_t t = 0; high && t < std::min(sum->size(), high->size()); ++t) {
    if ((*high)[t] < 0 || (*high)[t] >= std::int64_t{1} << 16)
      g.header.refuse("NumPart_Total_HighWord", fmt::format("{}", fmt::join(*high, " ")), "0 to 65535 each");
    if ((*sum)[t] < std::int64_t{1} << 32) (*sum)[t] += (*high)[t] << 32;
  }
  return sum;
}

/// Masses of massive neutrinos, eV, as Pleiad states them; 0: none.
std::array<double, 4> masses_of_neutrinos(const Attributes& header) {
  std::array<double, 4> masses{};
  const auto stated = header.numbers("NeutrinoMasses");
  if (!stated) return masses;
  if (stated->size() > masses.size() || !std::ranges::all_of(*stated, not_negative))
    header.refuse("NeutrinoMasses", fmt::format("{}", fmt::join(*stated, " ")),
                  fmt::format("at most {} masses, {} each", masses.size(), at_least_0));
  std::ranges::copy(*stated, masses.begin());
  return masses;
}

}  // namespace

Header read_header(const Hdf5File& f) {
  const Groups g(f);
  Header out;
  const double stated_h =
      number_of({{&g.header, "HubbleParam"}, {&g.parameters, "HubbleParam"}}, not_negative, at_least_0)
          .value_or(1);
  const double h = stated_h > 0 ? stated_h : 1;
  read_units(f, g, h, out);
  read_space(f, g, out);
  const auto time = number_of({{&g.header, "Time"}}, any, "finite");
  out.time = time.value_or(0);
  if (const auto step = g.header.whole("Step")) {
    if (*step < 0) g.header.refuse("Step", fmt::format("{}", *step), ">= 0");
    out.step = std::uint64_t(*step);
  }
  out.suggested_softening = number_of({{&g.header, "SuggestedSoftening"}}, not_negative, at_least_0);
  out.suggested_step = number_of({{&g.header, "SuggestedTimeStep"}}, positive, above_0);
  const auto swift = swift_cosmology(f, g);
  out.cosmology = swift ? *swift : gadget_cosmology(f, g, h, out.time);
  constexpr std::int64_t most_files = 1000000;
  out.files = g.header.whole("NumFilesPerSnapshot").value_or(1);
  if (out.files < 0 || out.files > most_files)
    g.header.refuse("NumFilesPerSnapshot", fmt::format("{}", out.files), fmt::format("0 to {}", most_files));
  out.total = read_total(f, g);
  return out;
}

ComovingUniverse universe_of(const Hdf5File& f, const Cosmology& c) {
  const Groups g(f);
  // Names of GADGET, GIZMO and SWIFT.
  const auto density = [&](const char* name, const char* gizmo, const char* swift, double otherwise) {
    return number_of({{&g.header, name}, {&g.header, gizmo}, {&g.parameters, name}, {&g.cosmology, swift}},
                     any, "finite")
        .value_or(otherwise);
  };
  return {.omega_m = density("Omega0", "Omega_Matter", "Omega_m", 0),
          .omega_b = density("OmegaBaryon", "Omega_Baryon", "Omega_b", 0),
          .omega_lambda = density("OmegaLambda", "Omega_Lambda", "Omega_lambda", 0),
          .omega_r = density("OmegaRadiation", "Omega_Radiation", "Omega_r", 0),
          .w0 = density("DarkEnergyW0", "Dark_Energy_W0", "w_0", -1),
          .wa = density("DarkEnergyWa", "Dark_Energy_Wa", "w_a", 0),
          .h = c.sqrt_velocities ? c.h : hubble_of_swift(f, g),
          .neutrino_masses = masses_of_neutrinos(g.header),
          .t_nu = number_of({{&g.header, "NeutrinoTemperature"}}, positive, above_0).value_or(1.95176)};
}

double mass_of_type(const Hdf5File& f, std::size_t type) {
  const Attributes header(f, "Header");
  const auto table = header.numbers("MassTable");
  if (!table || table->size() <= type) return 0;
  if (!not_negative((*table)[type]))
    header.refuse("MassTable", fmt::format("{}", fmt::join(*table, " ")), fmt::format("{} each", at_least_0));
  return (*table)[type];
}

std::optional<double> softening_of_type(const Hdf5File& f, std::size_t type, const Cosmology& c) {
  const Attributes parameters(f, "Parameters");
  for (const auto* const name : {"Class", "Type"}) {
    const auto of_type = fmt::format("Softening{}OfPartType{}", name, type);
    const auto number = parameters.whole(of_type.c_str());
    if (!number) continue;
    const auto length = fmt::format("SofteningComoving{}{}", name, *number),
               most = fmt::format("SofteningMaxPhys{}{}", name, *number);
    auto eps = number_of({{&parameters, length.c_str()}}, not_negative, at_least_0);
    if (!eps)
      parameters.refuse(of_type.c_str(), fmt::format("{}", *number),
                        fmt::format("the number of a {} of which {} is there", name, length));
    if (c.comoving)
      if (const auto limit = number_of({{&parameters, most.c_str()}}, not_negative, at_least_0))
        eps = std::min(*eps, *limit / c.a);
    return eps;
  }
  return std::nullopt;
}

void check_factors(const Column& column, const Hdf5File& f, const Cosmology& c, double power_of_a,
                   double power_of_h) {
  const Attributes said(f, column.id, column.path);
  const auto check = [&](Names names, double factor, double power, const char* what) {
    for (const auto& [attributes, name] : names) {
      const auto stated = number_of({{attributes, name}}, any, "finite");
      if (stated && factor != 1 && !(std::abs(*stated - power) <= 1e-6))
        said.refuse(name, fmt::format("{}", *stated),
                    fmt::format("{} here, where {} is {}", power, what, factor));
    }
  };
  const char* physical = "Value stored as physical";
  if (said.flag(physical) == true && c.comoving && c.a != 1 && power_of_a != 0)
    said.refuse(physical, "1", "0: comoving values are read");
  check({{&said, "a_scaling"}, {&said, "aexp-scale-exponent"}, {&said, "a-scale exponent"}},
        c.comoving ? c.a : 1, power_of_a, "the scale factor");
  check({{&said, "h_scaling"}, {&said, "h-scale-exponent"}, {&said, "h-scale exponent"}}, c.h, power_of_h,
        "HubbleParam");
}

}  // namespace pleiad::files::hdf5
