#include "control/controller.hpp"
#include "core/validate.hpp"
#include "core/version.hpp"
#include "cosmology/cosmology.hpp"
#include "io/durable/paths.hpp"
#include "io/durable/run_folder.hpp"
#include "library/state.hpp"
#include "sim/comoving_space.hpp"
#include "sim/lattice.hpp"

#include <pleiad/error.hpp>
#include <pleiad/save.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <functional>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

namespace pleiad {
namespace {

/// Names of the sections with method, controller and what else a law has.
constexpr const char *section = "simulation", *controller_section = "keeper",
                     *potentials_section = "potentials", *forces_section = "forces",
                     *semi_active_section = "semi_active", *work_section = "work",
                     *start_step_section = "start_step", *softening_section = "softening",
                     *energy_scale_section = "energy_scale", *encounters_section = "encounters",
                     *lattice_section = "lattice", *space_section = "space";

struct How {
  Method method;
  double softening = 0;
  int dimension = 3, gpus = 1;
};

std::string text_of(const How& h) {
  const auto& m = h.method;
  auto text = fmt::format("{} {:a} {} {:a} {:a} {:a} {} {} {} {} {}", m.integrator->name, m.dt,
                          int(m.adaptive), m.eta, m.damping, h.softening, h.dimension, h.gpus,
                          int(m.exact_steps), int(m.particles_limit_step), int(m.equal_steps));
  // Others have none, and end here, as in earlier versions.
  if (m.integrator->in_blocks)
    text += fmt::format(" {} {} {}", m.blocks.levels, name_of(m.blocks.criterion), int(m.blocks.single_step));
  if (m.blocks.groups != CloseGroups::off)
    text += fmt::format(" groups {} {:a} {}", name_of(m.blocks.groups), m.blocks.group_radius,
                        int(m.blocks.slow_down));
  if (m.blocks.neighbours != Neighbours::off)
    text += fmt::format(" neighbours {}", name_of(m.blocks.neighbours));
  if (m.corrector != 0) text += fmt::format(" corrector {}", m.corrector);
  if (m.symmetric_steps) text += " symmetric";
  return text;
}

/// The block steps that end the text of a method.
BlockSteps blocks_in(std::istream& in, const std::function<void(const std::string&)>& refuse) {
  BlockSteps blocks;
  std::string criterion;
  int single = 0;
  in >> blocks.levels >> criterion >> single;
  const auto named = std::ranges::find(block_criterion_names, criterion);
  if (!in || named == block_criterion_names.end() || single < 0 || single > 1)
    refuse("its block steps are a number of levels, a criterion, and 0 or 1");
  blocks.criterion = static_cast<BlockCriterion>(named - block_criterion_names.begin());
  blocks.single_step = single == 1;
  return blocks;
}

/// Their groups, after the word.
void read_groups(std::istream& in, BlockSteps& blocks,
                 const std::function<void(const std::string&)>& refuse) {
  std::string name, radius;
  int slow = 0;
  in >> name >> radius >> slow;
  const auto named = std::ranges::find(close_groups_names, name);
  if (!in || named == close_groups_names.end() || slow < 0 || slow > 1)
    refuse("its groups are a name, a radius, and 0 or 1");
  blocks.groups = static_cast<CloseGroups>(named - close_groups_names.begin());
  blocks.group_radius = std::strtod(radius.c_str(), nullptr), blocks.slow_down = slow == 1;
}

/// Their neighbours, after the word.
void read_neighbours(std::istream& in, BlockSteps& blocks,
                     const std::function<void(const std::string&)>& refuse) {
  std::string name;
  in >> name;
  const auto named = std::ranges::find(neighbours_names, name);
  if (named == neighbours_names.end()) refuse("its neighbours are off, on or auto");
  blocks.neighbours = static_cast<Neighbours>(named - neighbours_names.begin());
}

How how_of(const Checkpoint& c, const std::string& origin) {
  const auto refuse = [&](const std::string& why) {
    throw InputError(fmt::format("{}: section '{}': {}", origin, section, why));
  };
  const auto text = c.extra.find(section);
  if (text == c.extra.end())
    throw InputError(
        fmt::format("{}: it is the checkpoint of a run: pleiad run --resume continues it", origin));
  std::istringstream in(text->second);
  std::string integrator, dt, eta, damping, softening;
  How how;
  in >> integrator >> dt >> how.method.adaptive >> eta >> damping >> softening >> how.dimension >> how.gpus;
  if (!in) refuse("it is not whole");
  // Older checkpoints end before it.
  for (bool Method::*each : {&Method::exact_steps, &Method::particles_limit_step, &Method::equal_steps}) {
    if ((in >> std::ws).eof()) break;
    int value = 0;
    if (!(in >> value) || value < 0 || value > 1) refuse("its last numbers are 0 or 1");
    how.method.*each = value == 1;
  }
  if (integrator == "block-kdk" || integrator == "hermite4-block") how.method.blocks = blocks_in(in, refuse);
  if (!(in >> std::ws).eof()) {
    std::string word;
    in >> word;
    if (word == "groups") read_groups(in, how.method.blocks, refuse);
    else if (word == "neighbours") read_neighbours(in, how.method.blocks, refuse);
    else if (word == "symmetric") how.method.symmetric_steps = true;
    else if (word != "corrector" || !(in >> how.method.corrector)) refuse("its last numbers are 0 or 1");
    if (!(in >> std::ws).eof()) refuse("its last numbers are 0 or 1");
  }
  const auto number = [](const std::string& word) { return std::strtod(word.c_str(), nullptr); };
  how.method.dt = number(dt), how.method.eta = number(eta), how.method.damping = number(damping);
  how.softening = number(softening);
  try {
    how.method.integrator = &integrator_named(integrator);
    check(how.method, {.softening = {how.softening}});
  } catch (const UsageError& e) {
    refuse(e.what());
  }
  return how;
}

std::vector<Potential> potentials_in(const Checkpoint& c, const std::string& origin) {
  const auto text = c.extra.find(potentials_section);
  if (text == c.extra.end()) return {};
  try {
    return potentials_of_lines(text->second);
  } catch (const UsageError& e) {
    throw InputError(fmt::format("{}: section '{}': {}", origin, potentials_section, e.what()));
  }
}

std::vector<AddedForce> forces_in(const Checkpoint& c, const std::string& origin) {
  const auto text = c.extra.find(forces_section);
  if (text == c.extra.end()) return {};
  try {
    return added_forces_of_lines(text->second);
  } catch (const UsageError& e) {
    throw InputError(fmt::format("{}: section '{}': {}", origin, forces_section, e.what()));
  }
}

SemiActive semi_active_in(const Checkpoint& c, const std::string& origin) {
  const auto text = c.extra.find(semi_active_section);
  if (text == c.extra.end()) return {};
  try {
    return semi_active_of(text->second);
  } catch (const UsageError& e) {
    throw InputError(fmt::format("{}: section '{}': {}", origin, semi_active_section, e.what()));
  }
}

std::array<double, 2> work_in(const Checkpoint& c, const std::string& origin) {
  std::array<double, 2> work{};
  const auto text = c.extra.find(work_section);
  if (text == c.extra.end()) return work;
  std::istringstream in(text->second);
  for (auto& part : work) {
    std::string number;
    in >> number;
    char* end = nullptr;
    part = std::strtod(number.c_str(), &end);
    if (number.empty() || *end != 0 || !std::isfinite(part))
      throw InputError(fmt::format("{}: section '{}': it must be two finite numbers, not '{}'", origin,
                                   work_section, text->second));
  }
  return work;
}

/// Where it is not one Plummer softening of all pairs: kernel, rule, and whose softenings differ.
std::string text_of(const Softening& s) {
  return fmt::format("{} {} {}", name_of(s.kernel), name_of(s.rule), static_cast<int>(s.of));
}

Softening softening_in(const Checkpoint& c, double eps, const std::string& origin) {
  Softening softening{.eps = eps};
  const auto text = c.extra.find(softening_section);
  if (text == c.extra.end()) return softening;
  std::istringstream in(text->second);
  std::string kernel, rule;
  int of = 0;
  in >> kernel >> rule >> of;
  const auto k = std::ranges::find(softening_kernel_names, kernel);
  const auto r = std::ranges::find(softening_rule_names, rule);
  if (!in || k == softening_kernel_names.end() || r == softening_rule_names.end() || of < 0 || of > 2 ||
      (of > 0) == c.snapshot.bodies.softening.empty())
    throw InputError(
        fmt::format("{}: section '{}': it must be a kernel, a rule and 0, 1 or 2, as its bodies "
                    "have it, not '{}'",
                    origin, softening_section, text->second));
  softening.kernel = static_cast<SofteningKernel>(k - softening_kernel_names.begin());
  softening.rule = static_cast<SofteningRule>(r - softening_rule_names.begin());
  softening.of = static_cast<SofteningOf>(of);
  return softening;
}

/// Older checkpoints count from 0.
std::uint64_t start_step_in(const Checkpoint& c, const std::string& origin) {
  const auto text = c.extra.find(start_step_section);
  if (text == c.extra.end()) return 0;
  std::uint64_t step = 0;
  if (std::istringstream in(text->second); !(in >> step) || step > c.snapshot.step)
    throw InputError(fmt::format("{}: section '{}': it must be a step up to {}", origin, start_step_section,
                                 c.snapshot.step));
  return step;
}

/// The lattice of the steps, if they have one.
std::optional<LatticeUnits> lattice_in(const Checkpoint& c, const std::string& origin) {
  const auto text = c.extra.find(lattice_section);
  if (text == c.extra.end()) return std::nullopt;
  std::istringstream in(text->second);
  std::string length, velocity;
  in >> length >> velocity;
  const LatticeUnits units{std::strtod(length.c_str(), nullptr), std::strtod(velocity.c_str(), nullptr)};
  try {
    check(units);
  } catch (const UsageError& e) {
    throw InputError(fmt::format("{}: section '{}': {}", origin, lattice_section, e.what()));
  }
  return units;
}

/// The expanding space of a simulation: its densities, w0, wa, h, and H0.
std::string text_of(const ComovingSpace& space) {
  const auto& u = space.universe();
  auto text = fmt::format("{:a} {:a} {:a} {:a} {:a} {:a} {:a} {:a}", u.omega_m, u.omega_b, u.omega_lambda,
                          u.omega_r, u.w0, u.wa, u.h, space.hubble());
  // Without massive neutrinos as in earlier versions.
  if (u.neutrino_masses != decltype(u.neutrino_masses){})
    for (const double more :
         {u.neutrino_masses[0], u.neutrino_masses[1], u.neutrino_masses[2], u.neutrino_masses[3], u.t_nu})
      text += fmt::format(" {:a}", more);
  return text;
}

/// The space of this text; empty: static space.
std::shared_ptr<const Space> space_in(const Checkpoint& c, const std::string& origin) {
  const auto text = c.extra.find(space_section);
  if (text == c.extra.end()) return nullptr;
  constexpr std::size_t plain = 8, with_neutrinos = 13;
  std::vector<double> v;
  std::istringstream in(text->second);
  bool finite = true;
  for (std::string word; in >> word;) {
    char* end = nullptr;
    v.push_back(std::strtod(word.c_str(), &end));
    finite = finite && *end == 0 && std::isfinite(v.back());
  }
  if (!finite || (v.size() != plain && v.size() != with_neutrinos))
    throw InputError(
        fmt::format("{}: section '{}': it must be {} finite numbers, or {} with massive "
                    "neutrinos, not '{}'",
                    origin, space_section, plain, with_neutrinos, text->second));
  cosmology::Cosmology universe{.omega_m = v[0],
                                .omega_b = v[1],
                                .omega_lambda = v[2],
                                .omega_r = v[3],
                                .w0 = v[4],
                                .wa = v[5],
                                .h = v[6]};
  if (v.size() == with_neutrinos)
    universe.neutrino_masses = {v[8], v[9], v[10], v[11]}, universe.t_nu = v[12];
  try {
    cosmology::check(universe);
  } catch (const UsageError& e) {
    throw InputError(fmt::format("{}: section '{}': {}", origin, space_section, e.what()));
  }
  if (!(v[7] > 0))
    throw InputError(fmt::format("{}: section '{}': H0 must be > 0, not {}", origin, space_section, v[7]));
  return std::make_shared<ComovingSpace>(universe, v[7]);
}

/// Writes the space of a simulation, if it is the one that is read back.
void keep_space(Checkpoint& c, const Space& space, double time) {
  const auto* comoving = dynamic_cast<const ComovingSpace*>(&space);
  if (comoving != nullptr) {
    c.extra[space_section] = text_of(*comoving);
    const auto again = space_in(c, "the checkpoint");
    const double later = time + 1;
    if (again->kick(time, later) == space.kick(time, later) &&
        again->drift(time, later) == space.drift(time, later) &&
        again->eta_at(time, 1) == space.eta_at(time, 1))
      return;
  }
  throw UsageError(
      "a simulation with step factors of its own (Method::space) cannot be saved: a file cannot hold them",
      Error::Code::unsupported);
}

/// What energy errors are relative to, where it is not the reference energy.
double energy_scale_in(const Checkpoint& c, const std::string& origin) {
  const auto text = c.extra.find(energy_scale_section);
  if (text == c.extra.end()) return std::abs(c.reference_energy);
  const double scale = std::strtod(text->second.c_str(), nullptr);
  if (!(scale >= 0 && std::isfinite(scale)))
    throw InputError(fmt::format("{}: section '{}': it must be an energy >= 0, not '{}'", origin,
                                 energy_scale_section, text->second));
  return scale;
}

void need_sound(const Checkpoint& c, const Clock& clock, const How& how, const std::string& origin) {
  need_valid(c.snapshot.bodies, {.softening = {how.softening}, .potentials = potentials_in(c, origin)},
             origin);
  for (const double number : {clock.start, clock.time, clock.next_dt, c.reference_energy})
    if (!std::isfinite(number))
      throw InputError(fmt::format("{}: its times and energy must be finite, not {}", origin, number));
  if (clock.time < clock.start || clock.next_dt < 0)
    throw InputError(fmt::format("{}: its time {} lies before its start {}, or its next step {} is negative",
                                 origin, clock.time, clock.start, clock.next_dt));
}

void tell_differences(const Checkpoint& c, const EngineDescription& now, const Context& context) {
  const auto compare = [&](std::string_view what, const std::string& then, const std::string& present) {
    if (then != present && context.note)
      context.note(fmt::format("the checkpoint was saved with {} '{}', this is '{}': the bits may differ",
                               what, then, present));
  };
  compare("program version", c.code_version, version());
  compare("device", c.simd_target, now.device);
}

}  // namespace

Checkpoint checkpoint_of(Simulation& s) {
  const auto d = s.describe();
  const auto& g = s.gravity();
  Checkpoint c;
  if (const auto& space = s.method().space) keep_space(c, *space, s.time());
  c.reference_energy = s.reference_energy();
  c.snapshot = s.snapshot();
  auto clock = s.clock();
  // The copy that an observer sees between two steps goes on from there.
  if (clock.ahead > 0) clock.start = clock.time, clock.start_step = s.step(), clock.next_dt = 0;
  c.dt = clock.next_dt, c.start_time = clock.start;
  c.code_version = version();
  c.precision = d.precision, c.kernel = d.kernel(), c.simd_target = d.device;
  c.extra[section] = text_of({.method = s.method(),
                              .softening = g.softening.eps,
                              .dimension = g.dimension,
                              .gpus = std::max(1, d.gpus)});
  if (clock.start_step > 0) c.extra[start_step_section] = std::to_string(clock.start_step);
  if (s.energy_scale() != std::abs(c.reference_energy))
    c.extra[energy_scale_section] = fmt::format("{:a}", s.energy_scale());
  if (const auto& units = s.method().lattice)
    c.extra[lattice_section] = fmt::format("{:a} {:a}", units->length, units->velocity);
  if (!g.softening.plain()) c.extra[softening_section] = text_of(g.softening);
  if (!g.potentials.empty()) c.extra[potentials_section] = lines_of(g.potentials);
  if (!g.forces.empty()) c.extra[forces_section] = lines_of(g.forces);
  if (g.semi_active.any()) c.extra[semi_active_section] = text_of(g.semi_active);
  if (s.counts_work()) c.extra[work_section] = fmt::format("{:a} {:a}", s.work()[0], s.work()[1]);
  if (auto encounters = s.encounters_text(); !encounters.empty())
    c.extra[encounters_section] = std::move(encounters);
  if (const auto* controller = s.controller()) c.extra[controller_section] = controller->text();
  return c;
}

void save_state(const Checkpoint& checkpoint, const std::filesystem::path& folder) {
  if (run_above(folder / "checkpoint.pleiad") == real_path(folder))
    throw UsageError(fmt::format(
        "'{}' holds a run, whose checkpoint would be replaced; save to another folder", folder.string()));
  save_checkpoint(folder, checkpoint);
}

void save(Simulation& simulation, const std::filesystem::path& folder) {
  save_state(checkpoint_of(simulation), folder);
}

Simulation simulation_of(Checkpoint c, const std::string& origin, const Context& context) {
  auto how = how_of(c, origin);
  how.method.lattice = lattice_in(c, origin);
  how.method.space = space_in(c, origin);
  Clock clock{.start = c.start_time,
              .time = c.snapshot.time,
              .step = c.snapshot.step,
              .next_dt = c.dt,
              .start_step = start_step_in(c, origin)};
  need_sound(c, clock, how, origin);
  // Where no step has been made since the start it is the start itself, whatever decimal is near.
  if (!how.method.adaptive && clock.step > clock.start_step)
    clock.time = time_of_step(clock.start, how.method.dt, clock.step - clock.start_step);
  const Gravity gravity{.G = c.snapshot.G,
                        .softening = softening_in(c, how.softening, origin),
                        .boundary = c.snapshot.boundary,
                        .dimension = how.dimension,
                        .potentials = potentials_in(c, origin),
                        .forces = forces_in(c, origin),
                        .semi_active = semi_active_in(c, origin)};
  const EngineOptions engine{.precision = precision_named(c.precision),
                             .method = force_method_of(c.kernel),
                             .why = "that of the checkpoint",
                             .threads = context.threads,
                             .gpus = how.gpus};
  const double energy = c.reference_energy, scale = energy_scale_in(c, origin);
  Simulation simulation(std::move(c.snapshot), clock, gravity, how.method, engine);
  simulation.set_reference_energy(energy, scale);
  simulation.set_work(work_in(c, origin));
  if (const auto encounters = c.extra.find(encounters_section); encounters != c.extra.end())
    simulation.resume_encounters(encounters->second,
                                 fmt::format("{}: section '{}'", origin, encounters_section));
  if (const auto controller = c.extra.find(controller_section); controller != c.extra.end())
    control::resume_control(simulation, controller->second, engine, context.note,
                            fmt::format("{}: section '{}'", origin, controller_section));
  tell_differences(c, simulation.describe(), context);
  return simulation;
}

Simulation load(const std::filesystem::path& folder, const Context& context) {
  auto loaded = load_checkpoint(folder);
  if (!loaded.warning.empty() && context.note) context.note(loaded.warning);
  return simulation_of(std::move(loaded.checkpoint), loaded.file.string(), context);
}

}  // namespace pleiad
