/// The table. A new key is a field of Options and a row here.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "io/config/keys.hpp"

#include "core/law.hpp"

#include <pleiad/encounters.hpp>
#include <pleiad/files.hpp>
#include <pleiad/gravity.hpp>
#include <pleiad/integrator.hpp>
#include <pleiad/kernel/tree.hpp>
#include <pleiad/units.hpp>

#include <algorithm>
#include <array>
#include <initializer_list>
#include <vector>

namespace pleiad::config {
namespace {

// Whole numbers are 64-bit signed in TOML.
constexpr double largest_integer = 0x1p63;

constexpr Range any{};
constexpr Range positive{.low = 0, .low_excluded = true};
constexpr Range not_negative{.low = 0};
constexpr Range counter{.low = 0, .high = largest_integer};
constexpr Range at_least_one{.low = 1, .high = largest_integer};
constexpr Range automatic_or_not_negative{.low = 0, .minus_one = true};

using Words = std::span<const std::string_view>;
constexpr Range one_of(Words (*words)()) { return {.choices = words}; }
template <const auto& words>
Words all() {
  return words;
}

/// The words of an enumeration, and "auto", which leaves the choice to the program.
template <const auto& words>
constexpr auto with_auto = [] {
  std::array<std::string_view, words.size() + 1> more{"auto"};
  std::ranges::copy(words, more.begin() + 1);
  return more;
}();
std::vector<std::string_view> systems_and(std::initializer_list<std::string_view> more) {
  std::vector<std::string_view> words{"auto"};
  words.insert(words.end(), unit_system_names().begin(), unit_system_names().end());
  words.insert(words.end(), more);
  return words;
}
Words unit_systems() {
  static const auto words = systems_and({"custom"});
  return words;
}
Words snapshot_units() {
  static const auto words = systems_and({"run"});
  return words;
}

constexpr std::array<std::string_view, 2> snapshot_precisions{"f32", "f64"},
    snapshot_fields{"potential", "acceleration"};
constexpr std::array<std::string_view, 3> boundaries{"auto", "open", "periodic"};
constexpr std::array<std::string_view, 3> backends{"auto", "cpu", "cuda"};
constexpr std::array<std::string_view, 3> tunings{"auto", "off", "force"},
    distribute_trees{"auto", "yes", "no"};
constexpr std::array<std::string_view, 4> precisions{"auto", "f32", "f64", "mixed"};
constexpr std::array<std::string_view, 2> cosmology_presets{"default", "fast"};
constexpr std::array<std::string_view, 2> approach_reactions{"record", "stop"};
constexpr std::array<std::string_view, 3> escape_reactions{"record", "stop", "remove"};
constexpr std::array<std::string_view, 4> collision_reactions{"record", "stop", "merge", "remove"};
constexpr std::array<std::string_view, 2> scans{"grid", "zip"};
constexpr std::array<std::string_view, 2> seed_schemes{"own", "shared"};
constexpr std::array<std::string_view, 3> projections{"xy", "xz", "yz"};

constexpr std::array all_sections{
    Section{"initial_conditions", "Where the bodies come from: a file or a model, one of the two."},
    Section{"units", "The units of every number below."},
    Section{"gravity", "The force law and the space: softening, dimensions, boundary."},
    Section{"cosmology",
            "An expanding space, in comoving coordinates, if omega_m is set; time is then ln a of the scale "
            "factor a."},
    Section{"time", "The integrator, its step and the end time."},
    Section{"engine", "The hardware and the kernel. They change results by rounding only."},
    Section{"solver",
            "The accuracy of the forces and the method. What is not set is chosen by a short search."},
    Section{"encounters",
            "Close approaches, collisions and escapes, found in every step and written to events.csv."},
    Section{"stars", "Mass loss of stars, which are all born at the start, by a table of yours."},
    Section{"output", "What is written, where, and how often."},
    Section{
        "ensemble",
        "Many small systems in one run, each with a seed or parameters of its own; one table of results."},
    Section{"checkpoint", "What `pleiad run --resume` continues from."},
    Section{"limits", "When a run ends early."},
};

// A key's slot, without the ceremony of a lambda per row.
#define PLEIAD_AT(member) [](Options& o) -> Slot { return &o.member; }
constexpr std::array all_keys{
    Key{"initial_conditions", "file", PLEIAD_AT(ic.file), any, "",
        "A snapshot to start from: GADGET-1/2, GADGET HDF5, TIPSY or CSV."},
    Key{"initial_conditions", "model", PLEIAD_AT(ic.model), any, "",
        "The model that generates the bodies; `pleiad ic --list` shows them."},
    Key{"initial_conditions", "parameters", PLEIAD_AT(ic.parameters), any, "",
        "The parameters of the model, each \"name=value\": [\"n=1000\"]."},
    Key{"initial_conditions", "seed", PLEIAD_AT(ic.seed), counter, "",
        "Seed of the random numbers. The same seed gives the same bodies on every machine."},
    Key{"initial_conditions", "renumber", PLEIAD_AT(ic.renumber), any, "",
        "Give the bodies the ids 0, 1, 2, ... in the order of the file, as where ids of a file repeat."},
    Key{"initial_conditions", "position", PLEIAD_AT(ic.position), any, "length",
        "x, y, z, added to the positions of all bodies: the place of a cluster in a galaxy; []: nothing."},
    Key{"initial_conditions", "velocity", PLEIAD_AT(ic.velocity), any, "velocity",
        "x, y, z, added to the velocities of all bodies; []: nothing."},

    Key{"units", "system", PLEIAD_AT(units.system), one_of(unit_systems), "",
        "auto: those of the input file or the model. custom: the three scales below."},
    Key{"units", "length_cm", PLEIAD_AT(units.length_cm), positive, "cm",
        "The unit of length; only with system = \"custom\"."},
    Key{"units", "mass_g", PLEIAD_AT(units.mass_g), positive, "g",
        "The unit of mass; only with system = \"custom\"."},
    Key{"units", "velocity_cm_s", PLEIAD_AT(units.velocity_cm_s), positive, "cm/s",
        "The unit of velocity; only with system = \"custom\"."},

    Key{"gravity", "G", PLEIAD_AT(gravity.G), not_negative, "length velocity^2 / mass",
        "The gravitational constant; 0: that of the input file, else of the unit system."},
    Key{"gravity", "softening", PLEIAD_AT(gravity.softening), not_negative, "length",
        "Plummer softening length eps: r^2 is replaced by r^2 + eps^2; 0: Newtonian forces. For a leapfrog "
        "or euler "
        "and more than 64 bodies with mass it must be stated, be it 0."},
    Key{"gravity", "softening_kernel", PLEIAD_AT(gravity.softening_kernel),
        one_of(all<softening_kernel_names>), "",
        "plummer, or spline: the cubic spline of radius 2.8 eps, Newtonian beyond, with the same potential "
        "at "
        "r = 0."},
    Key{"gravity", "softening_by_type", PLEIAD_AT(gravity.softening_by_type), any, "length",
        "Softening lengths of types, each \"TYPE=LENGTH\": [\"halo=0.1\", \"star=0.02\"], of gas, halo, "
        "disc, "
        "bulge, star and boundary; types left out have gravity.softening."},
    Key{"gravity", "softening_of_bodies", PLEIAD_AT(gravity.softening_of_bodies), any, "",
        "true: each body has the softening length that the input file gives it. So it is where the file "
        "gives "
        "them and no softening is set."},
    Key{"gravity", "softening_rule", PLEIAD_AT(gravity.softening_rule), one_of(all<softening_rule_names>), "",
        "The softening of a pair from those of its bodies: max, the larger one; quadratic, the root of the "
        "sum "
        "of the squares, which is sqrt(2) eps for equal ones."},
    Key{"gravity",
        "dimension",
        PLEIAD_AT(gravity.dimension),
        {.low = 2, .high = 3},
        "",
        "2: motion in the plane; every z and vz must be 0 and stays 0."},
    Key{"gravity", "boundary", PLEIAD_AT(gravity.boundary), one_of(all<boundaries>), "",
        "open, or a periodic box; auto: that of the input file or the model."},
    Key{"gravity", "images", PLEIAD_AT(gravity.images), one_of(all<with_auto<images_names>>), "",
        "Periodic images that exert forces: nearest (minimum image convention) or all (Ewald summation, with "
        "a uniform neutralising background); auto: that of the input file, else nearest."},
    Key{"gravity", "box", PLEIAD_AT(gravity.box), positive, "length",
        "Side lengths x, y, z of the periodic box [0, side), or one for all three; []: those of the input "
        "file or the model."},
    Key{"gravity", "potentials", PLEIAD_AT(gravity.potentials), any, "",
        "External potentials, each \"KIND name=value ...\": [\"nfw mass=80 scale=16\"]; `pleiad config "
        "--potentials` shows the kinds. They act on all bodies and do not feel them."},
    Key{"gravity", "forces", PLEIAD_AT(gravity.forces), any, "",
        "Added forces, each \"KIND name=value ...\": [\"oblate j2=1e-3 radius=0.01\"]: relativity, an oblate "
        "body, radiation, drag, friction; `pleiad config --forces` shows the kinds."},
    Key{"gravity", "semi_active", PLEIAD_AT(gravity.semi_active), any, "",
        "Bodies that do not pull each other, nor test particles: \"TYPE ...\", such as \"disc star\", or "
        "\"below=MASS\" for all with less mass than that, or both. The others pull them and are pulled by "
        "them; \"\": none."},

    Key{"cosmology", "omega_m", PLEIAD_AT(cosmology.omega_m), not_negative, "",
        "Matter, relative to the critical density at a = 1; 0: static space. All bodies together have to be "
        "this "
        "matter."},
    Key{"cosmology", "omega_lambda", PLEIAD_AT(cosmology.omega_lambda), automatic_or_not_negative, "",
        "Dark energy; -1: that of a flat universe. What the densities lack of 1 is curvature."},
    Key{"cosmology", "omega_r", PLEIAD_AT(cosmology.omega_r), not_negative, "",
        "Radiation; 0: that of t_cmb, else of the input file, else none."},
    Key{"cosmology", "t_cmb", PLEIAD_AT(cosmology.t_cmb), not_negative, "kelvin",
        "Temperature of the cosmic microwave background, from which with n_eff and h omega_r follows; 0: "
        "omega_r "
        "holds."},
    Key{"cosmology", "n_eff", PLEIAD_AT(cosmology.n_eff), not_negative, "",
        "Effective number of all neutrinos while they are fast, of the radiation of t_cmb. Each massive one "
        "has been 1.0132 of them; the rest is massless."},
    Key{"cosmology", "neutrino_masses", PLEIAD_AT(cosmology.neutrino_masses), positive, "eV",
        "Masses of the neutrinos that have one, at most 4: [0.06]. They are a smooth part of the expansion, "
        "besides omega_m, and need t_cmb. []: none."},
    Key{"cosmology", "w0", PLEIAD_AT(cosmology.w0), any, "",
        "Equation of state of dark energy at a = 1: w(a) = w0 + wa (1 - a); -1 and wa = 0: a cosmological "
        "constant."},
    Key{"cosmology", "wa", PLEIAD_AT(cosmology.wa), any, "", "Its change, as above."},
    Key{"cosmology", "h", PLEIAD_AT(cosmology.h), not_negative, "100 km/s/Mpc",
        "The Hubble constant: lengths and masses are in units of the run per h. 0: HubbleParam of the input "
        "file."},
    Key{"cosmology", "hubble", PLEIAD_AT(cosmology.hubble), not_negative, "velocity / length",
        "H0 in units of the run, with lengths per h; 0: 100 km/s/Mpc in units with a physical scale, in "
        "N-body "
        "units that for which the bodies are the matter."},
    Key{"cosmology", "preset", PLEIAD_AT(cosmology.preset), one_of(all<cosmology_presets>), "",
        "default: steps follow the acceleration, 0.0156 in ln a or less. fast: 251 equal steps in ln a from "
        "the start to the end; what the acceleration asks for is reported, not done. time.dt holds where it "
        "is set."},

    Key{"time", "integrator", PLEIAD_AT(time.integrator), any, "",
        "kdk (leapfrog, order 2), dkd (2), forest-ruth (4), blanes-moan4 (4), yoshida6 (6), kahan-li8 (8), "
        "hermite4 (4, not symplectic), hermite6 (6, not symplectic), "
        "gauss-radau or ias15 (15, not symplectic), ar-chain (12, not symplectic, few bodies without "
        "softening), "
        "wisdom-holman and wisdom-holman-jacobi (2, planets), "
        "wisdom-holman-hybrid (2, planets with close encounters), "
        "block-kdk (2, a step of its own for each body), hermite4-block (4, the same for star clusters), "
        "euler "
        "(1, semi-implicit)."},
    Key{"time", "dt", PLEIAD_AT(time.dt), positive, "time",
        "The time step, or with adaptive = true the longest one. Required, unless the input file suggests "
        "one, as those "
        "of `pleiad ic` do. With [cosmology] in ln a, 0.0156 or less unless it is set."},
    Key{"time", "energy_error", PLEIAD_AT(time.energy_error), not_negative, "",
        "The largest relative error of the energy, over the whole run: trials choose integrator and step, "
        "and "
        "an interval that exceeds its share is made again with a shorter one. dt is then the longest step "
        "and "
        "may be left out; an integrator that is stated is the only one tried. 0: dt is the step."},
    Key{"time", "energy_error_rate", PLEIAD_AT(time.energy_error_rate), not_negative, "1 / time",
        "The same as an error for each unit of time: the run may have it times its length."},
    Key{"time", "position_error", PLEIAD_AT(time.position_error), not_negative, "",
        "The largest error of the position of any body at t_end, relative to its distance from the heaviest "
        "body: trials beside runs with half the step choose integrator and step, for at most 100 bodies. dt "
        "is then the longest step and may be left out. 0: dt is the step."},
    Key{"time", "t_end", PLEIAD_AT(time.t_end), any, "time", "The simulation time at which the run ends."},
    Key{"time", "begin_redshift", PLEIAD_AT(time.begin_redshift), automatic_or_not_negative, "",
        "With [cosmology]: the redshift of the bodies at the start; -1: that of the input file."},
    Key{"time", "end_redshift", PLEIAD_AT(time.end_redshift), not_negative, "",
        "With [cosmology]: the redshift at which the run ends, in place of t_end."},
    Key{"time", "adaptive", PLEIAD_AT(time.adaptive), any, "",
        "One shared step for all bodies, recomputed every step: eta min sqrt(softening / |a|); hermite4 and "
        "hermite6: "
        "Aarseth's criterion; gauss-radau: 8.75 eta times the shortest timescale of an acceleration. Not "
        "time-reversible without symmetric_steps. With [cosmology] true where neither it nor dt is set, with "
        "one softening."},
    Key{"time", "eta", PLEIAD_AT(time.eta), positive, "",
        "The accuracy parameter of the adaptive step; smaller is more accurate. hermite4, hermite4-block and "
        "hermite6: "
        "Aarseth's eta, which stands under the root of his criterion. gauss-radau: 0.02 gives "
        "steps "
        "with a relative error of 1e-9 in the acceleration, which grows with the seventh power. block-kdk: "
        "see block_criterion. With hermite4-block 0.005, unless another one is stated."},
    Key{"time", "symmetric_steps", PLEIAD_AT(time.symmetric_steps), any, "",
        "Steps that change follow from both of their ends, so that energy errors do not add up over many "
        "orbits. adaptive, with kdk, dkd, forest-ruth, blanes-moan4, yoshida6 and kahan-li8: 1 / step + 1 / "
        "last step = 2 / criterion, which reads the same backwards, and outputs between two steps are made "
        "from a copy. block-kdk: a step in which bodies need a shorter one at its end is made again with "
        "it."},
    Key{"time",
        "damping",
        PLEIAD_AT(time.damping),
        {.low = 0, .high = 1},
        "",
        "Velocities are multiplied by this factor every step (integrator euler only); 1: no damping."},
    Key{"time", "reverse", PLEIAD_AT(time.reverse), any, "",
        "Negate the velocities at the start, to run a simulation backwards."},
    Key{"time", "lattice", PLEIAD_AT(time.lattice), any, "",
        "Positions and velocities are whole numbers of 64 bits, so that a run with reverse = true goes back "
        "to "
        "the bits that it came from. With fixed steps of kdk, dkd, forest-ruth, blanes-moan4, yoshida6 or "
        "kahan-li8."},
    Key{"time", "lattice_units", PLEIAD_AT(time.lattice_units), positive, "",
        "The units of length and of velocity of the lattice, powers of two; coordinates end at 2^62 = 4.6e18 "
        "of "
        "them. []: 2^-53 of the largest coordinate and velocity at the start, rounded up to powers of two."},
    Key{"time", "exact_steps", PLEIAD_AT(time.exact_steps), any, "",
        "Refuse an end or an output between two fixed steps. Else one shortened step meets it: of a copy for "
        "outputs; at the end the checkpoint keeps the last full step. Ensembles always refuse it."},
    Key{"time", "particles_limit_step", PLEIAD_AT(time.particles_limit_step), any, "",
        "Whether test particles, bodies of mass 0, shorten adaptive and block steps, too. Then they change "
        "the bits "
        "of the bodies with mass, as they do not else on CPUs; on a GPU they always shorten it."},
    Key{"time",
        "block_levels",
        PLEIAD_AT(time.block_levels),
        {.low = 1, .high = 31},
        "",
        "block-kdk: the largest number of levels; the shortest step is dt / 2^(block_levels - 1), and bodies "
        "that need a shorter one have that."},
    Key{"time", "block_criterion", PLEIAD_AT(time.block_criterion), one_of(all<block_criterion_names>), "",
        "block-kdk: what the step of a body follows from. acceleration: sqrt(2 eta softening / |a|). pairs: "
        "eta times the shortest time in which it and another body fall together or pass each other, by "
        "direct "
        "sums alone. auto: pairs without softening, else acceleration."},
    Key{"time", "single_step", PLEIAD_AT(time.single_step), any, "",
        "block-kdk: all bodies have the shortest step that one of them needs, to check what the block steps "
        "change."},
    Key{"time", "groups", PLEIAD_AT(time.groups), one_of(all<close_groups_names>), "",
        "hermite4-block: regularised: bodies that come close to each other move as one, about whose centre "
        "of "
        "mass they are integrated in regularised coordinates. On CPUs, without softening."},
    Key{"time", "group_radius", PLEIAD_AT(time.group_radius), not_negative, "",
        "With groups: the distance at which two bodies of the mean mass become a group; that of others grows "
        "with their mass. 0: the half-mass radius at the start, divided by the number of bodies."},
    Key{"time", "slow_down", PLEIAD_AT(time.slow_down), any, "",
        "With groups: in those of three bodies and more, binaries that the others pull weakly make fewer "
        "orbits, in each of which these pulls count many times. The energy then oscillates by up to 1e-5 of "
        "that of the binary."},
    Key{"time", "neighbours", PLEIAD_AT(time.neighbours), one_of(all<neighbours_names>), "",
        "hermite4-block: on: the pulls of a star's neighbours are summed at its steps, those of all others "
        "at longer steps of their own. On CPUs, without groups. auto: from the number of stars on from which "
        "that takes less time at the same error of the energy."},
    Key{"time",
        "corrector",
        PLEIAD_AT(time.corrector),
        {.low = 0, .high = 11},
        "",
        "wisdom-holman and wisdom-holman-jacobi: the order of a symplectic corrector, 3, 5, 7 or 11, with "
        "which "
        "the energy error is smaller by the ratio of the masses; 0: none."},

    Key{"engine", "backend", PLEIAD_AT(engine.backend), one_of(all<backends>), "",
        "Where forces are computed; auto: a GPU if there is one."},
    Key{"engine", "kernel", PLEIAD_AT(engine.kernel), any, "",
        "auto: the fastest reproducible kernel. Or a kernel by name, such as cpu/simd; on a GPU with an "
        "optional launch shape and a kernel for fused steps: cuda/tile block=256; steps cuda/grid-steps."},
    Key{"engine", "precision", PLEIAD_AT(engine.precision), one_of(all<precisions>), "",
        "f32: single, f64: double, mixed: state and sums in double, pairs in single precision. auto: f64 "
        "where at "
        "most 256 bodies have mass, or one holds more than half of the mass of at most 10000 bodies; else "
        "mixed."},
    Key{"engine",
        "threads",
        PLEIAD_AT(engine.threads),
        {.low = 0, .high = 4096},
        "",
        "Number of CPU threads; 0: all. Results do not depend on it."},
    Key{"engine",
        "gpus",
        PLEIAD_AT(engine.gpus),
        {.low = 0, .high = 8},
        "",
        "Maximum number of GPUs; fewer are used where more would be slower. 0: all. Results do not depend on "
        "it."},
    Key{"engine", "distribute_tree", PLEIAD_AT(engine.distribute_tree), one_of(all<distribute_trees>), "",
        "Several ranks with GPUs and the fast multipole method. yes: each GPU has its own bodies and what "
        "they need of others. no: each has the positions and the tree of all bodies. auto: yes where that "
        "does not fit. Results do not depend on it."},
    Key{"engine", "tuning", PLEIAD_AT(engine.tuning), one_of(all<tunings>), "",
        "auto: use the kernels measured fastest on this GPU, and measure when none are known (see `pleiad "
        "tune`). off: use a fixed table. force: measure again."},

    Key{"solver",
        "accuracy",
        PLEIAD_AT(solver.accuracy),
        {.low = 0, .high = roughest_accuracy},
        "",
        "Target relative force error, met by 99 % of the bodies; the fastest solver that meets it is chosen. "
        "0: direct sums, in a precision with errors of 1e-5 or less. With [cosmology] 1e-3 unless it, a "
        "solver or "
        "a kernel is set."},
    Key{"solver", "method", PLEIAD_AT(solver.method), one_of(all<with_auto<solver_names>>), "",
        "direct (all pairs), barnes-hut (tree code), fmm (fast multipole method); auto: direct, or with "
        "solver.accuracy the fastest."},
    Key{"solver", "structure", PLEIAD_AT(solver.structure), one_of(all<structure_names>), "",
        "The tree: octree (cubes), kd (median splits), bvh (bounding volumes, split at gaps between "
        "bodies)."},
    Key{"solver",
        "order",
        PLEIAD_AT(solver.order),
        {.low = 0, .high = 8},
        "",
        "Order of the multipole expansions: fmm 3, 4, 5, 6 or 8; barnes-hut 1 to 5; on a GPU fmm 4 to 6, "
        "barnes-hut 1 to 3. 0: chosen."},
    Key{"solver", "mac", PLEIAD_AT(solver.mac), one_of(all<with_auto<mac_names>>), "",
        "The multipole acceptance criterion (MAC): spheres and sides (opening angle theta), classic (theta, "
        "Barnes & Hut 1986), error (error estimate below tolerance)."},
    Key{"solver",
        "theta",
        PLEIAD_AT(solver.theta),
        {.low = 0, .high = 2},
        "",
        "The opening angle of the geometric criteria; 0: chosen."},
    Key{"solver",
        "tolerance",
        PLEIAD_AT(solver.tolerance),
        {.low = 0, .high = 1},
        "",
        "The largest estimated error of one interaction (mac = \"error\"); 0: chosen."},
    Key{"solver",
        "leaf_size",
        PLEIAD_AT(solver.leaf_size),
        {.low = 0, .high = 4096},
        "",
        "Leaf size: cells with more bodies are divided; 0: chosen."},
    Key{"solver",
        "group_size",
        PLEIAD_AT(solver.group_size),
        {.low = 0, .high = 4096},
        "",
        "Bodies that share one tree walk of barnes-hut, at most 128 on a GPU; 0: chosen."},
    Key{"solver", "check_every", PLEIAD_AT(solver.check_every), counter, "steps",
        "Steps between measurements of the force error against direct sums in double precision. If it "
        "exceeds solver.accuracy (1e-5 when none is set), the run continues with a more accurate solver or "
        "precision. 0: every 128 steps with a tree (256 on a GPU), every 1024 to 16384 with direct sums "
        "(fewer bodies, longer interval)."},

    Key{"encounters", "distance", PLEIAD_AT(encounters.distance), not_negative, "length",
        "Record every closest approach of two bodies within this distance. Of two test particles none is "
        "recorded. 0: none."},
    Key{"encounters", "radius", PLEIAD_AT(encounters.radius), not_negative, "length",
        "The radius of every body, for collisions; 0: points."},
    Key{"encounters", "density", PLEIAD_AT(encounters.density), not_negative, "mass / length^3",
        "The density that gives the radii of bodies with mass, instead of one radius for all; 0: none."},
    Key{"encounters", "radii", PLEIAD_AT(encounters.radii), any, "length",
        "Radii of single bodies by their ids, each \"ID=RADIUS\": [\"0=0.00465\"]. They take the place of "
        "radius "
        "and density."},
    Key{"encounters", "escape_radius", PLEIAD_AT(encounters.escape_radius), not_negative, "escape_unit",
        "A body that passes outwards beyond this distance from the centre of all bodies escapes, in "
        "escape_unit; 0: "
        "none."},
    Key{"encounters", "escape_unit", PLEIAD_AT(encounters.escape_unit), one_of(all<escape_unit_names>), "",
        "What escape_radius counts. half-mass-radius: of the bodies within the sphere, at each time; at "
        "least "
        "3. tidal-radius: that of the mass within it on a circular orbit in gravity.potentials where the "
        "cluster is."},
    Key{"encounters", "escape_centre", PLEIAD_AT(encounters.escape_centre), one_of(all<escape_centre_names>),
        "",
        "The centre of this sphere: mass: the centre of mass of all bodies. density: the density centre, "
        "which "
        "bodies that have left do not move. auto: mass with a length, density with radii of the cluster."},
    Key{"encounters", "on_approach", PLEIAD_AT(encounters.on_approach), one_of(all<approach_reactions>), "",
        "stop: end the run after the step of an approach, with a checkpoint (exit code 75)."},
    Key{"encounters", "on_collision", PLEIAD_AT(encounters.on_collision), one_of(all<collision_reactions>),
        "",
        "Bodies collide when they approach each other to the sum of their radii. stop: as on_approach. "
        "merge: "
        "all that touch become one body at the end of the step, with their mass, momentum and volume. "
        "remove: "
        "the heaviest of them stays as it is, and the others are taken away."},
    Key{"encounters", "on_escape", PLEIAD_AT(encounters.on_escape), one_of(all<escape_reactions>), "",
        "stop: as on_approach. remove: take the body away at the end of the step."},

    Key{"stars", "mass_loss_file", PLEIAD_AT(stars.mass_loss_file), any, "",
        "A text file with rows of initial mass, age and mass, in Msun and Myr, or in units of the run where "
        "these have no physical scale. The rows become those of stars.mass_loss."},
    Key{"stars", "mass_loss", PLEIAD_AT(stars.mass_loss), not_negative, "",
        "The same rows one after the other, in units of the run: initial mass, age, mass, initial mass, ..."},
    Key{"stars", "mass_loss_interval", PLEIAD_AT(stars.mass_loss_interval), not_negative, "time",
        "Time between new masses: each star gets the mass of its age at the end of a step."},

    Key{"output", "directory", PLEIAD_AT(output.directory), any, "",
        "The directory for all output; created if missing."},
    Key{"output", "snapshot_interval", PLEIAD_AT(output.snapshot_interval), not_negative, "time",
        "Time between snapshots; 0: only at the start and the end."},
    Key{"output", "snapshot_times", PLEIAD_AT(output.snapshot_times), any, "time",
        "Additional snapshots at exactly these times."},
    Key{"output", "snapshot_redshifts", PLEIAD_AT(output.snapshot_redshifts), not_negative, "",
        "With [cosmology]: additional snapshots at exactly these redshifts, decreasing."},
    Key{"output", "snapshot_format", PLEIAD_AT(output.snapshot_format), one_of(format_names), "",
        "hdf5 has GADGET's layout, which yt and pynbody read."},
    Key{"output", "snapshot_units", PLEIAD_AT(output.snapshot_units), one_of(snapshot_units), "",
        "The units of the snapshots. run: those of the run. auto: in hdf5 and GADGET files of physical "
        "bodies "
        "kpc, 1e10 Msun and km/s, which their readers assume, but those of the run where all bodies begin "
        "within 1e-3 kpc; else those of the run."},
    Key{"output", "snapshot_precision", PLEIAD_AT(output.snapshot_precision),
        one_of(all<snapshot_precisions>), "",
        "The numbers of hdf5 snapshots; f32 halves the files. gadget1, gadget2 and tipsy always have f32, "
        "csv all "
        "digits. Checkpoints keep every bit, whatever this is."},
    Key{"output", "snapshot_fields", PLEIAD_AT(output.snapshot_fields), one_of(all<snapshot_fields>), "",
        "Fields of every body in addition to mass, position, velocity and id, in the formats that store them "
        "(hdf5, csv). []: none, which saves half of the file and the evaluation."},
    Key{"output", "box_size", PLEIAD_AT(output.box_size), automatic_or_not_negative, "length",
        "BoxSize in HDF5 snapshots with open boundaries; -1: a round length that holds all bodies, so that "
        "yt can plot them; 0: as GADGET writes."},
    Key{"output", "diagnostics_interval", PLEIAD_AT(output.diagnostics_interval), not_negative, "time",
        "Time between rows of the diagnostics table; 0: 200 rows, or fewer so that they take at most a "
        "fifteenth of the run; 20 in an ensemble. With [cosmology] at most 0.0624."},
    Key{"output", "kdk_error_term", PLEIAD_AT(output.kdk_error_term), any, "",
        "A column h2 in the diagnostics table, for kdk with a fixed step: the energy changes by -dt^2 times "
        "the change of h2, up to dt^4. Direct sums over all pairs for each row."},
    Key{"output", "cluster_interval", PLEIAD_AT(output.cluster_interval), not_negative, "time",
        "Time between the tables of a star cluster: core and Lagrangian radii in cluster.csv, shells in "
        "shells.csv, "
        "bound systems in binaries.csv, and what became of them in events.csv; 0: none."},
    Key{"output", "pictures", PLEIAD_AT(output.pictures), any, "",
        "Write pictures of the bodies (PNG). In external potentials, or with initial_conditions.velocity, "
        "they "
        "follow the bodies."},
    Key{"output", "picture_interval", PLEIAD_AT(output.picture_interval), not_negative, "time",
        "Time between pictures; 0: only at the start and the end; with movie = true as many as take at most "
        "a thirtieth of the run."},
    Key{"output", "projection", PLEIAD_AT(output.projection), one_of(all<projections>), "",
        "The horizontal and vertical axes of the pictures."},
    Key{"output",
        "picture_size",
        PLEIAD_AT(output.picture_size),
        {.low = 16, .high = 16384},
        "pixels",
        "Picture width and height."},
    Key{"output", "picture_extent", PLEIAD_AT(output.picture_extent), not_negative, "length",
        "Half of the width shown; 0: chosen for the first picture and kept."},
    Key{"output", "plots", PLEIAD_AT(output.plots), any, "",
        "Plot energies and Lagrangian radii at the end (needs gnuplot)."},
    Key{"output", "movie", PLEIAD_AT(output.movie), any, "",
        "Encode the pictures as an MP4 at the end (needs ffmpeg)."},
    Key{"output", "trajectory_ids", PLEIAD_AT(output.trajectory_ids), counter, "",
        "Ids of the bodies whose trajectories are recorded."},
    Key{"output", "trajectory_every", PLEIAD_AT(output.trajectory_every), at_least_one, "steps",
        "Steps between recorded points of a trajectory."},
    Key{"output", "print_trajectory", PLEIAD_AT(output.print_trajectory), any, "",
        "Print the recorded trajectories as a table at the end."},
    Key{"output", "orbits_every", PLEIAD_AT(output.orbits_every), counter, "steps",
        "Steps between samples of every body, between which its apo- and pericentres are found, in "
        "orbits.csv; "
        "0: none."},
    Key{"output", "orbits_about", PLEIAD_AT(output.orbits_about), counter, "",
        "Id of the body that distances in orbits.csv are measured from; []: the origin."},
    Key{"output", "orbits_radius", PLEIAD_AT(output.orbits_radius), not_negative, "length",
        "Radius about output.orbits_about that bodies leave and enter, in orbits.csv; 0: the tidal radius of "
        "that body in the external potentials, or none."},

    Key{"output", "power_spectra", PLEIAD_AT(output.power_spectra), any, "",
        "Measure power spectra of a periodic cube, in power.csv, at the times of output.analysis_interval, "
        "analysis_times and analysis_redshifts, or without these whenever a snapshot is written."},
    Key{"output", "groups", PLEIAD_AT(output.groups), any, "",
        "Find groups by friends of friends in a periodic box at the same times, in groups/, one catalogue "
        "for "
        "each."},
    Key{"output", "analysis_interval", PLEIAD_AT(output.analysis_interval), not_negative, "time",
        "Time between power spectra and between catalogues of groups; 0: only at the start and the end."},
    Key{"output", "analysis_times", PLEIAD_AT(output.analysis_times), any, "time",
        "Additional ones at exactly these times."},
    Key{"output", "analysis_redshifts", PLEIAD_AT(output.analysis_redshifts), not_negative, "",
        "With [cosmology]: additional ones at exactly these redshifts, decreasing."},
    Key{"output",
        "power_grid",
        PLEIAD_AT(output.power_grid),
        {.low = 0, .high = 2048},
        "",
        "Cells along each side of the grid of power spectra, even; 0: twice the cube root of the number of "
        "bodies, as a power of two."},
    Key{"output",
        "power_folds",
        PLEIAD_AT(output.power_folds),
        {.low = 0, .high = 8},
        "",
        "Foldings of the box by four, each for smaller scales."},
    Key{"output", "linking_length", PLEIAD_AT(output.linking_length), positive, "",
        "The largest distance of two friends, in mean distances of the bodies."},
    Key{"output", "group_members", PLEIAD_AT(output.group_members), at_least_one, "",
        "The smallest number of bodies of a group."},
    Key{"output", "light_cone_redshifts", PLEIAD_AT(output.light_cone_redshifts), not_negative, "",
        "With [cosmology]: edges of the shells of a light cone, decreasing, in light_cone/: the bodies and "
        "their "
        "images as an observer at the origin sees them at redshift 0."},

    Key{"ensemble", "count", PLEIAD_AT(ensemble.count), counter, "",
        "Number of independent systems, at each point of the scan if there is one; 0: no ensemble, or one "
        "system at each point."},
    Key{"ensemble", "vary", PLEIAD_AT(ensemble.vary), any, "",
        "The parameter scan, one text for each key: \"KEY=1, 2, 5\", \"KEY=FROM:TO:COUNT\", "
        "\"KEY=FROM:TO:COUNT:log\", or drawn for each system: \"KEY=FROM:TO:random\". KEY is a model "
        "parameter, or initial_conditions.file, .model or .seed, gravity.G or .softening, time.dt, "
        ".integrator, .eta or .damping."},
    Key{"ensemble", "scan", PLEIAD_AT(ensemble.scan), one_of(all<scans>), "",
        "grid: all combinations of the lists, the last one varying fastest; zip: first values together, "
        "second values together, and so on."},
    Key{"ensemble", "seeds", PLEIAD_AT(ensemble.seeds), one_of(all<seed_schemes>), "",
        "own: system k has the seed initial_conditions.seed + k. shared: the same seeds at every point of "
        "the scan. If the seed itself is varied, the systems of a point have its seed and the next ones."},
    Key{"ensemble", "jitter", PLEIAD_AT(ensemble.jitter), not_negative, "length",
        "Standard deviation of a Gaussian displacement of every coordinate at the start; 0: none."},
    Key{"ensemble", "max_steps", PLEIAD_AT(ensemble.max_steps), counter, "steps",
        "Step limit of each system. A system that reaches it is frozen, so that a tight binary cannot stall "
        "the ensemble. 0: none."},
    Key{"ensemble", "stop_at_escape", PLEIAD_AT(ensemble.stop_at_escape), any, "",
        "Freeze a system as soon as the diagnostics find an escaper."},
    Key{"ensemble", "save", PLEIAD_AT(ensemble.save), counter, "",
        "Indices of the systems whose snapshots are written. Ensembles have no pictures or trajectories."},
    Key{"ensemble", "final_states", PLEIAD_AT(ensemble.final_states), any, "",
        "Write the final state of all systems to one file, one system after another."},
    Key{"ensemble", "json", PLEIAD_AT(ensemble.json), any, "", "Write the table also as JSON."},

    Key{"checkpoint", "interval_seconds", PLEIAD_AT(checkpoint.interval_seconds), not_negative,
        "seconds of wall time", "Time between checkpoints; 0: only when the run is stopped."},
    Key{"checkpoint", "every_steps", PLEIAD_AT(checkpoint.every_steps), counter, "steps",
        "Number of steps after which a checkpoint is written, in addition to those by time; 0: by time "
        "only."},
    Key{"checkpoint", "require", PLEIAD_AT(checkpoint.require), any, "",
        "End the run (exit code 4) if a checkpoint cannot be written; otherwise warn and continue."},

    Key{"limits", "walltime_seconds", PLEIAD_AT(limits.walltime_seconds), not_negative,
        "seconds of wall time",
        "Stop with a checkpoint before this much time has passed (exit code 75); 0: no limit."},
    Key{"limits", "max_energy_error", PLEIAD_AT(limits.max_energy_error), automatic_or_not_negative, "",
        "End the run (exit code 5) when the energy error exceeds this: |dE/E|; in a periodic box |dE| over "
        "the largest of T and |W| so far; of massless bodies in the field of one body, or of external "
        "potentials alone, the change of their "
        "energy per mass. -1: 0.5 without damping, else no limit; 0: no limit. At its end a run notes an "
        "error "
        "beyond 1e-4, or beyond the limit stated here."},
    Key{"limits", "check_every", PLEIAD_AT(limits.check_every), at_least_one, "steps",
        "Steps between NaN/Inf checks (exit code 5)."},
    Key{"limits", "hang_seconds", PLEIAD_AT(limits.hang_seconds), not_negative, "seconds of wall time",
        "With several ranks: end the run (exit code 4) when steps or an output stand still for this long, "
        "because a rank or the network hangs; 0: wait for ever."},
};
#undef PLEIAD_AT

constexpr std::array all_former_names{
    FormerName{"engine", "divide_tree", "distribute_tree"},
    FormerName{"solver", "criterion", "mac"},
    FormerName{"solver", "leaf", "leaf_size"},
    FormerName{"solver", "group", "group_size"},
    FormerName{"ensemble", "most_steps", "max_steps"},
};

}  // namespace

std::span<const Section> sections() { return all_sections; }
std::span<const Key> keys() { return all_keys; }

std::span<const FormerName> former_names() { return all_former_names; }

const Key* find(std::string_view section, std::string_view name) {
  for (const auto& f : all_former_names)
    if (f.section == section && f.former == name) name = f.name;
  const auto* key =
      std::ranges::find_if(all_keys, [&](const Key& k) { return k.section == section && k.name == name; });
  return key == all_keys.end() ? nullptr : key;
}

bool Range::admits(double value) const {
  if (minus_one && value == -1) return true;
  return value <= high && (low_excluded ? value > low : value >= low) && value - value == 0;
}

}  // namespace pleiad::config
