#include "run/start.hpp"

#include "core/law.hpp"
#include "core/memory.hpp"
#include "core/validate.hpp"
#include "engine/added_forces.hpp"
#include "integrate/equal_steps.hpp"
#include "io/config/block_steps.hpp"
#include "io/config/config.hpp"
#include "io/config/softening.hpp"
#include "io/durable/paths.hpp"
#include "io/files/wanted.hpp"
#include "models/part.hpp"
#include "run/branch.hpp"
#include "run/comoving.hpp"
#include "run/fitting.hpp"
#include "run/mass_loss.hpp"
#include "run/memory.hpp"

#include <pleiad/error.hpp>
#include <pleiad/files.hpp>
#include <pleiad/models.hpp>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <numbers>
#include <numeric>

#include <fmt/format.h>

namespace pleiad::run {
namespace {

std::optional<Units> asked_units(const Options& o) {
  if (o.units.system == "auto") return std::nullopt;
  if (o.units.system == "custom")
    return custom_units(o.units.length_cm, o.units.mass_g, o.units.velocity_cm_s);
  return units_named(o.units.system);
}

void keep_units(Options& o, const Units& u) {
  o.units.system = u.name;
  if (u.name == "custom")
    o.units.length_cm = u.length_cm, o.units.mass_g = u.mass_g, o.units.velocity_cm_s = u.velocity_cm_s;
}

/// G of the file or the model holds unless the configuration has another.
void note_G(const Options& o, Start& start, std::string_view origin) {
  const Snapshot& s = start.initial;
  if (o.gravity.G != 0 && o.gravity.G != s.G)
    start.notes.push_back(fmt::format("gravity.G = {} is used; {}'s G is {} in units {}", o.gravity.G, origin,
                                      s.G, s.units.name));
  else if (s.G != s.units.G())
    start.notes.push_back(
        fmt::format("G = {} as {} says; its units, {}, have {}", s.G, origin, s.units.name, s.units.G()));
}

void renumber(Bodies& b, std::size_t first) { std::iota(b.id.begin(), b.id.end(), std::uint64_t{first}); }

/// The box that the file states is taken where the configuration makes space periodic, unless it gives
/// another.
void take_box(Options& o, const FileContent& content, Start& start) {
  const Snapshot& s = start.initial;
  if (o.gravity.boundary != "periodic" || !(content.box || s.boundary.periodic)) return;
  const Vec3<double> l = content.box.value_or(s.boundary.length);
  auto& box = o.gravity.box;
  if (box.empty()) box = {l.x, l.y, l.z};
  const bool same = box.size() == 1 ? box[0] == l.x && box[0] == l.y && box[0] == l.z
                                    : box.size() > 1 && box[0] == l.x && box[1] == l.y &&
                                          (box.size() == 2 || box[2] == l.z);
  if (!same)
    start.notes.push_back(fmt::format("gravity.box = [{}] is used; the file's box is {} {} {}",
                                      fmt::join(box, ", "), l.x, l.y, l.z));
}

}  // namespace

void take_softenings_of_bodies(Options& o, Start& start) {
  auto& g = o.gravity;
  auto& softening = start.initial.bodies.softening;
  const bool others =
      !g.softening_of_bodies && (g.softening != 0 || g.stated.softening || !g.softening_by_type.empty());
  if (others && !softening.empty()) {
    softening.clear();
    start.notes.push_back(
        "the softenings that the bodies come with are not used; gravity.softening_of_bodies = true uses "
        "them");
  }
  if (softening.empty()) return;
  if (!g.softening_of_bodies) start.notes.push_back("the bodies have the softenings that they come with");
  g.softening_of_bodies = g.stated.softening = true;
}

namespace {

/// Takes the softening that the file suggests, unless one is set.
void take_softening(Options& o, const FileContent& content, Start& start) {
  auto& g = o.gravity;
  if (!content.suggested_softening || g.softening != 0 || g.stated.softening) return;
  g.softening = *content.suggested_softening;
  g.stated.softening = true;
  if (g.softening > 0)
    start.notes.push_back(fmt::format(
        "softening {:g}, which goes with the bodies of the file (--eps sets another)", g.softening));
}

/// Takes the time step that the file suggests, unless one is set. It is for the softening that the file
/// suggests: a smaller one takes a step that is smaller in proportion, and none takes no step.
void take_step(Options& o, const FileContent& content, Start& start) {
  // Where an error is asked for, dt would be the longest step.
  if (o.time.dt != 0 || o.time.chooses_step() || o.ensemble.active() || o.cosmology.active()) return;
  if (!content.suggested_step)
    throw UsageError(
        fmt::format("time.dt must be > 0: set the time step (--dt); '{}' suggests none", o.ic.file));
  const double suited = content.suggested_softening.value_or(0);
  const double eps = o.gravity.softening_of_bodies ? suited : o.gravity.softening;
  if (suited > 0 && eps == 0)
    throw UsageError(
        fmt::format("time.dt must be > 0: set the time step (--dt); that which '{}' suggests is for the "
                    "softening {:g}, not for none",
                    o.ic.file, suited));
  o.time.dt = *content.suggested_step * (eps < suited ? eps / suited : 1);
  start.notes.push_back(
      fmt::format("time step {:g}, which goes with the bodies of the file (--dt sets another)", o.time.dt));
}

/// Reads the bodies of a file. Units are converted if the file states them, and are assumed to be the
/// requested ones if it does not.
Start from_file(Options& o, Sharing* sharing, const std::function<void()>& meanwhile) {
  const auto asked = asked_units(o);
  auto wanted = sharing != nullptr ? files::Wanted([&](std::size_t n) { return sharing->part_of(n); })
                                   : files::Wanted();
  wanted.child_reads = meanwhile;
  wanted.periodic = o.gravity.boundary == "periodic";
  wanted.comoving = wanted.never_physical = o.cosmology.active();
  auto content = holds_checkpoint(o.ic.file) ? content_of_run(o.ic.file, wanted)
                                             : files::read_snapshot(o.ic.file, asked, true, wanted);
  Start start;
  start.part = sharing != nullptr;
  if (start.part) {
    // called here too: a reader in a process of its own has called it only there
    const auto part = sharing->part_of(content.count);
    if (o.ic.renumber) renumber(content.snapshot.bodies, part.first);
  }
  if (content.box && asked && content.units_stated)
    *content.box = *content.box * (content.snapshot.units.length_cm / asked->length_cm);
  if (content.suggested_softening && asked && content.units_stated)
    *content.suggested_softening *= content.snapshot.units.length_cm / asked->length_cm;
  if (content.suggested_step && asked && content.units_stated)
    *content.suggested_step = convert_time(*content.suggested_step, content.snapshot.units, *asked);
  const double scale_factor = content.snapshot.time;
  if (asked && content.units_stated) convert(content.snapshot, *asked);
  if (content.universe) content.snapshot.time = scale_factor;
  o.ic.file = text_path(o.ic.file);
  start.universe = content.universe;
  start.initial = std::move(content.snapshot);
  start.notes = std::move(content.notes);
  if (!o.cosmology.active() && std::ranges::any_of(start.notes, [](const auto& note) {
        return note.starts_with(files::cosmological_file);
      }))
    start.notes.push_back(
        "space does not expand in this run; set cosmology.omega_m for comoving coordinates");
  start.files = std::move(content.files);
  start.files.insert(start.files.end(), content.beside.begin(), content.beside.end());
  note_G(o, start, "the file");
  take_softenings_of_bodies(o, start);
  take_softening(o, content, start);
  take_step(o, content, start);
  take_box(o, content, start);
  return start;
}

/// Memory for a model, from its settings only: too many bodies are refused before anything is allocated.
void need_memory_for_model(const Options& o, Sharing* sharing) {
  double n = 0;
  for (const auto& p : model_named(o.ic.model).parameters) {
    if (p.name != "n" && !p.name.starts_with("n_")) continue;
    double value = p.value;
    for (const auto& s : o.ic.parameters)
      if (s.starts_with(std::string(p.name) + "="))
        value = std::strtod(s.c_str() + p.name.size() + 1, nullptr);
    n += value;
  }
  // A small size needs no query of the system, which would be repeated for each of many systems.
  if (!(n > 1000 && n < 0x1p63)) return;
  auto here = static_cast<std::size_t>(n);
  if (sharing != nullptr) here = sharing->part_of(here).count;
  need_memory(run_bytes(here, engine_of(o)), fmt::format("{:g} bodies", n));
}

Start from_model(Options& o, Sharing* sharing) {
  if (!drawn_in_parts(o.ic.model)) sharing = nullptr;
  need_memory_for_model(o, sharing);
  Start start{.initial = {}, .notes = {}, .part = sharing != nullptr, .files = {}};
  start.initial = start.part ? make_part(o.ic.model, o.ic.parameters, o.ic.seed, *sharing)
                             : make_model(o.ic.model, o.ic.parameters, o.ic.seed);
  if (const auto asked = asked_units(o)) {
    convert(start.initial, *asked);
    note_G(o, start, "the model");
  }
  return start;
}

void settle_boundary(Options& o, const Snapshot& s) {
  auto& g = o.gravity;
  if (g.boundary == "auto") g.boundary = s.boundary.periodic ? "periodic" : "open";
  if (g.boundary == "open") {
    if (g.images != "auto")
      throw UsageError(fmt::format(
          "gravity.images = \"{}\" needs a periodic boundary: set gravity.boundary and gravity.box",
          g.images));
    g.box.clear();
    return;
  }
  if (g.images == "auto") g.images = name_of(s.boundary.all_images() ? Images::all : Images::nearest);
  if (g.box.empty() && s.boundary.periodic)
    g.box = {s.boundary.length.x, s.boundary.length.y, s.boundary.length.z};
  if (g.box.empty())
    throw UsageError(
        "gravity.boundary = periodic needs gravity.box, the lengths of the box: the initial conditions do "
        "not say");
  if (g.box.size() == 1) g.box = {g.box[0], g.box[0], g.box[0]};
  if (g.box.size() == 2 && g.dimension == 2) g.box.push_back(g.box[1]);
  if (g.box.size() != 3)
    throw UsageError(
        fmt::format("gravity.box has {} lengths; it must have 1 or {}", g.box.size(), g.dimension));
}

/// Adds a position and a velocity, where there are any, to those of all bodies.
void move(Bodies& b, const std::vector<double>& position, const std::vector<double>& velocity) {
  const auto add = [](std::vector<double>& to, const std::vector<double>& numbers, std::size_t axis) {
    if (numbers.empty()) return;
    for (double& value : to) value += numbers[axis];
  };
  add(b.x, position, 0), add(b.y, position, 1), add(b.z, position, 2);
  add(b.vx, velocity, 0), add(b.vy, velocity, 1), add(b.vz, velocity, 2);
}

/// Tables and tracks become part of the configuration, so that a resumed run needs no file.
void settle_potentials(Options& o, const Snapshot& s) {
  for (auto& text : o.gravity.potentials) {
    const auto p = potential_of(text, s.units);
    if (!p.table.empty() || !p.track.empty()) text = text_of(p);
    if (p.track.empty()) continue;
    const double from = p.track.front(), to = p.track[p.track.size() - 7];
    if (s.time < from || (o.time.t_end > to && o.time.t_end < open_end))
      throw UsageError(fmt::format("potential '{}': its track is from t = {} to {}, the run from {} to {}",
                                   potential_kinds()[static_cast<std::size_t>(p.kind)].name, from, to, s.time,
                                   o.time.t_end));
  }
}

}  // namespace

namespace {
Softening law_of(const Options::Gravity& g) {
  const auto find = [](const auto& names, const std::string& name) {
    return std::ranges::find(names, name) - names.begin();
  };
  Softening s{.eps = g.softening,
              .kernel = static_cast<SofteningKernel>(find(softening_kernel_names, g.softening_kernel)),
              .rule = static_cast<SofteningRule>(find(softening_rule_names, g.softening_rule)),
              .of = !g.softening_by_type.empty() ? SofteningOf::types
                    : g.softening_of_bodies      ? SofteningOf::bodies
                                                 : SofteningOf::all};
  if (s.of == SofteningOf::all && s.rule == SofteningRule::quadratic)
    s.eps *= std::numbers::sqrt2, s.rule = SofteningRule::max;
  return s;
}
}  // namespace

Gravity gravity_of(const Options& o) {
  Gravity g{
      .G = o.gravity.G, .softening = law_of(o.gravity), .boundary = {}, .dimension = o.gravity.dimension};
  if (o.gravity.boundary == "periodic")
    g.boundary = {.periodic = true,
                  .length = {o.gravity.box.at(0), o.gravity.box.at(1), o.gravity.box.at(2)},
                  .images = o.gravity.images == "all" ? Images::all : Images::nearest};
  // Before the bodies are known, their units may be physical.
  Units unknown;
  unknown.physical = true;
  const auto units = asked_units(o).value_or(unknown);
  g.potentials = potentials_of(o.gravity.potentials, units);
  g.forces = added_forces_of(o.gravity.forces, units);
  g.semi_active = semi_active_of(o.gravity.semi_active);
  return g;
}

Method method_of(const Options& o) {
  const auto& integrator = integrator_named(o.time.integrator);
  std::optional<LatticeUnits> lattice;
  if (const auto& units = o.time.lattice_units; o.time.lattice)
    lattice = units.size() == 2 ? LatticeUnits{units[0], units[1]} : LatticeUnits{};
  return {.integrator = &integrator,
          .dt = o.time.dt,
          .adaptive = o.time.meets_times(),
          .eta = o.time.eta,
          .damping = o.time.damping,
          .exact_steps = o.time.exact_steps,
          .particles_limit_step = o.time.particles_limit_step,
          .symmetric_steps = o.time.symmetric_steps,
          .equal_steps = o.time.has_budget() && makes_equal_steps(integrator),
          .lattice = lattice,
          .blocks = config::blocks_of(o.time),
          .corrector = o.time.corrector,
          .space = space_of(o)};
}

const Integrator* stated_integrator(const Options::Time& t) {
  const auto& named = integrator_named(t.integrator);
  return t.stated.integrator || named.name != "kdk" ? &named : nullptr;
}

EngineOptions engine_without_method_of(const Options& o) {
  // Before the bodies are known, the sizes of the default precision count.
  const bool unknown = o.engine.precision == "auto";
  return {.precision = unknown ? Precision::mixed : precision_named(o.engine.precision),
          .backend = o.engine.backend,
          .threads = o.engine.threads,
          .gpus = o.engine.gpus,
          .divide_tree = o.engine.distribute_tree == "yes"  ? DivideTree::yes
                         : o.engine.distribute_tree == "no" ? DivideTree::no
                                                            : DivideTree::automatic};
}

EngineOptions engine_of(const Options& o) {
  auto engine = engine_without_method_of(o);
  engine.method = force_method_of(o.engine.kernel);
  return engine;
}

void settle_snapshot_units(Options& o, const std::optional<Units>& usual) {
  if (o.output.snapshot_units == "auto") o.output.snapshot_units = usual ? usual->name : "run";
}

Start load(Options& o, Sharing* sharing, const std::function<void()>& meanwhile) {
  const bool model = o.ic.file.empty();
  settle_comoving_box(o);
  return needing_memory(
      model ? fmt::format("the bodies of model {} (initial_conditions.parameters)", o.ic.model)
            : fmt::format("the bodies of '{}' (initial_conditions.file)", o.ic.file),
      [&] {
        if (!model) return from_file(o, sharing, meanwhile);
        meanwhile();
        return from_model(o, sharing);
      });
}

std::string origin_of(const Options& o) { return o.ic.file.empty() ? "model " + o.ic.model : o.ic.file; }

namespace {
void give_softenings_of_types(const Options& o, Bodies& b) {
  if (o.gravity.softening_by_type.empty()) return;
  const auto of_types = config::softenings_of_types(o.gravity);
  b.softening.resize(b.size());
  for (std::size_t i = 0; i < b.size(); ++i) b.softening[i] = of_types[static_cast<std::size_t>(b.type[i])];
}
}  // namespace

double total_mass(const Bodies& b) { return std::accumulate(b.mass.begin(), b.mass.end(), 0.0); }

Spread spread_of_softenings(const Bodies& b) {
  Spread spread;
  for (std::size_t i = 0; i < b.softening.size(); ++i) {
    auto& [least, most] = spread[static_cast<std::size_t>(b.type[i])];
    least = std::min(least, b.softening[i]), most = std::max(most, b.softening[i]);
  }
  return spread;
}

void settle_softenings(Options& o, Bodies& own, const Spread& of_all) {
  auto& g = o.gravity;
  LeastAndMost all;
  bool by_type = true;
  for (const auto& [least, most] : of_all) {
    all.least = std::min(all.least, least), all.most = std::max(all.most, most);
    by_type = by_type && least >= most;  // no bodies of a type: infinite and -infinite
  }
  if (all.least > all.most) {
    if (g.softening_of_bodies)
      throw UsageError(fmt::format(
          "gravity.softening_of_bodies: '{}' gives its bodies no softenings; set gravity.softening",
          o.ic.file));
    return;
  }
  g.softening = all.least, g.stated.softening = true;
  g.softening_by_type.clear();
  // Also on a rank that has no bodies.
  g.softening_of_bodies = !by_type;
  if (all.least == all.most) own.softening.clear();
  if (all.least == all.most || !by_type) return;
  for (std::size_t t = 0; t < type_names.size(); ++t)
    g.softening_by_type.push_back(
        fmt::format("{}={}", type_names[t], std::isfinite(of_all[t].least) ? of_all[t].least : all.least));
}

Settled settle(Options& o, Snapshot& s, bool part, const std::optional<ComovingUniverse>& universe) {
  move(s.bodies, o.ic.position, o.ic.velocity);
  begin_comoving(o, s, universe);
  const std::string origin = origin_of(o);
  Settled settled{.unstated = unstated_in(o), .precision = {}};
  if (!part && o.ic.renumber) renumber(s.bodies, 0);
  // The longest step; the one that is taken follows from trials.
  if (o.time.chooses_step() && o.time.dt == 0) o.time.dt = o.time.t_end > s.time ? o.time.t_end - s.time : 1;
  if (!(o.time.dt > 0)) throw UsageError("time.dt must be > 0, not 0: set the time step");
  settle_boundary(o, s);
  keep_units(o, s.units);
  settle_potentials(o, s);
  settle_mass_loss(o, s.units);
  if (o.gravity.G == 0) o.gravity.G = s.G;
  settle_hubble(o, s, part ? std::nullopt : std::optional(total_mass(s.bodies)));
  if (!part) need_all_matter(o, total_mass(s.bodies));
  give_softenings_of_types(o, s.bodies);
  if (!part) settle_softenings(o, s.bodies, spread_of_softenings(s.bodies));
  if (!part) need_valid(s.bodies, gravity_of(o), origin);
  if (!part && o.gravity.dimension == 2) need_flat(s.bodies, in_two_dimensions);
  if (o.time.t_end < s.time)
    throw UsageError(
        fmt::format("time.t_end = {} lies before the start, {} in {}", o.time.t_end, s.time, origin));
  if (o.time.dt > o.time.t_end - s.time && o.time.t_end > s.time && !o.time.meets_times())
    throw UsageError(
        fmt::format("time.dt = {} is longer than the run, {} to {}", o.time.dt, s.time, o.time.t_end));
  need_fitting_steps(o, s.time);
  if (!part) settle_snapshot_units(o, usual_units(format_named(o.output.snapshot_format), s));
  s.G = o.gravity.G;
  s.boundary = gravity_of(o).boundary;
  check_law(gravity_of(o));
  if (!part && !o.gravity.forces.empty()) need_sources(gravity_of(o), s.bodies);
  if (!part) settle_by_masses(o, shares_of(s.bodies.mass), s, settled);
  return settled;
}

void settle_by_masses(Options& o, const MassShares& shares, const Snapshot& bodies, Settled& settled) {
  need_stated_softening(o, settled.unstated, shares, bodies);
  settled.precision = settle_precision(o, shares);
}

Start prepare(Options& o, Sharing* sharing, const std::function<void()>& meanwhile) {
  Start start = load(o, sharing, meanwhile);
  start.settled = settle(o, start.initial, start.part, start.universe);
  for (const auto& p : gravity_of(o).potentials)
    if (const auto& kind = potential_kinds()[static_cast<std::size_t>(p.kind)]; kind.model)
      start.notes.push_back(fmt::format("potential '{}': {}", text_of(p), kind.idea));
  return start;
}

}  // namespace pleiad::run
