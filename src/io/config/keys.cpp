/// The table. A new key is a field of Options and a row here.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "io/config/keys.hpp"

#include <pleiad/files.hpp>
#include <pleiad/gravity.hpp>
#include <pleiad/tree.hpp>
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

/// The words of an enumeration, and what leaves the choice to the program.
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
  static const auto words = systems_and({});
  return words;
}

constexpr std::array<std::string_view, 3> boundaries{"auto", "open", "periodic"};
constexpr std::array<std::string_view, 3> backends{"auto", "cpu", "cuda"};
constexpr std::array<std::string_view, 3> tunings{"auto", "off", "force"};
constexpr std::array<std::string_view, 3> precisions{"f32", "f64", "mixed"};
constexpr std::array<std::string_view, 2> scans{"grid", "zip"};
constexpr std::array<std::string_view, 2> seed_schemes{"own", "shared"};
constexpr std::array<std::string_view, 3> projections{"xy", "xz", "yz"};

constexpr std::array all_sections{
    Section{"initial_conditions", "Where the bodies come from: a file or a model, one of the two."},
    Section{"units", "The units of every number below."},
    Section{"gravity", "The law between the bodies, and their space."},
    Section{"time", "How the bodies are advanced, and how far."},
    Section{"engine", "What computes. The choice never changes what is computed beyond rounding."},
    Section{
        "solver",
        "How accurate forces must be, and how they are found. What is not set is chosen by a short search."},
    Section{"output", "What is written, where, and how often."},
    Section{"ensemble",
            "Many small systems in one run, each with a seed or values of its own; one table of results."},
    Section{"checkpoint", "What `pleiad run --resume` continues from."},
    Section{"limits", "When a run ends early."},
};

// A key's slot, without the ceremony of a lambda per row.
#define PLEIAD_AT(member) [](Options& o) -> Slot { return &o.member; }
constexpr std::array all_keys{
    Key{"initial_conditions", "file", PLEIAD_AT(ic.file), any, "",
        "A snapshot to start from: GADGET-1/2, GADGET HDF5, TIPSY or CSV."},
    Key{"initial_conditions", "model", PLEIAD_AT(ic.model), any, "",
        "A model to make the bodies from; `pleiad ic --list` shows them."},
    Key{"initial_conditions", "parameters", PLEIAD_AT(ic.parameters), any, "",
        "The model's parameters, each \"name=value\": [\"n=1000\"]."},
    Key{"initial_conditions", "seed", PLEIAD_AT(ic.seed), counter, "",
        "Same seed, same bodies, on every machine."},

    Key{"units", "system", PLEIAD_AT(units.system), one_of(unit_systems), "",
        "auto: what the input file or the model says. custom: the three scales below."},
    Key{"units", "length_cm", PLEIAD_AT(units.length_cm), positive, "cm",
        "The unit of length, for system = \"custom\" only."},
    Key{"units", "mass_g", PLEIAD_AT(units.mass_g), positive, "g",
        "The unit of mass, for system = \"custom\" only."},
    Key{"units", "velocity_cm_s", PLEIAD_AT(units.velocity_cm_s), positive, "cm/s",
        "The unit of velocity, for system = \"custom\" only."},

    Key{"gravity", "G", PLEIAD_AT(gravity.G), not_negative, "length velocity^2 / mass",
        "The gravitational constant; 0: what the file says, or that of the unit system."},
    Key{"gravity", "softening", PLEIAD_AT(gravity.softening), not_negative, "length",
        "Plummer-equivalent softening length eps, r^2 + eps^2; 0: exact Newton."},
    Key{"gravity",
        "dimension",
        PLEIAD_AT(gravity.dimension),
        {.low = 2, .high = 3},
        "",
        "2: every z and vz must be 0 and stays 0."},
    Key{"gravity", "boundary", PLEIAD_AT(gravity.boundary), one_of(all<boundaries>), "",
        "open space, or a periodic box; auto: that of the file or model."},
    Key{"gravity", "images", PLEIAD_AT(gravity.images), one_of(all<with_auto<images_names>>), "",
        "What pulls in a periodic box: the nearest image of every body, or all of them against a uniform "
        "background (Ewald); auto: what the file says, else nearest."},
    Key{"gravity", "box", PLEIAD_AT(gravity.box), positive, "length",
        "The sides x, y, z of the periodic box [0, side), or one for all; []: that of the file or model."},

    Key{"time", "integrator", PLEIAD_AT(time.integrator), any, "",
        "kdk and dkd (leapfrog, order 2), forest-ruth (4), yoshida6 (6), hermite4 (4, not symplectic), euler "
        "(1, semi-implicit)."},
    Key{"time", "dt", PLEIAD_AT(time.dt), positive, "time",
        "The time step; of an adaptive run, the longest. It must be set."},
    Key{"time", "t_end", PLEIAD_AT(time.t_end), any, "time", "The absolute time at which the run ends."},
    Key{"time", "adaptive", PLEIAD_AT(time.adaptive), any, "",
        "One step for all bodies, chosen anew each time: eta min sqrt(softening / |a|). Not "
        "time-reversible."},
    Key{"time", "eta", PLEIAD_AT(time.eta), positive, "",
        "The accuracy of the adaptive step; smaller is finer."},
    Key{"time",
        "damping",
        PLEIAD_AT(time.damping),
        {.low = 0, .high = 1},
        "",
        "Velocities are multiplied by it in every step (integrator euler only); 1: no damping."},
    Key{"time", "reverse", PLEIAD_AT(time.reverse), any, "",
        "Negate the velocities at the start: run a simulation back."},

    Key{"engine", "backend", PLEIAD_AT(engine.backend), one_of(all<backends>), "",
        "What runs the simulation; auto: the best there is."},
    Key{"engine", "kernel", PLEIAD_AT(engine.kernel), any, "",
        "auto: the fastest reproducible ones for the bodies. Or a rung of the ladder such as cpu/simd, on a "
        "GPU perhaps with a shape, and one for whole steps: cuda/tile block=256; steps cuda/grid-steps."},
    Key{"engine", "precision", PLEIAD_AT(engine.precision), one_of(all<precisions>), "",
        "mixed: state and sums in double, pairs in single precision."},
    Key{"engine",
        "threads",
        PLEIAD_AT(engine.threads),
        {.low = 0, .high = 4096},
        "",
        "0: all of the machine. The results do not depend on it."},
    Key{"engine",
        "gpus",
        PLEIAD_AT(engine.gpus),
        {.low = 0, .high = 8},
        "",
        "The most GPUs that are used, fewer where more would be slower; 0: all there are. The results do not "
        "depend on it."},
    Key{"engine", "tuning", PLEIAD_AT(engine.tuning), one_of(all<tunings>), "",
        "auto: the kernels that were fastest when such a run was first met on this GPU (see `pleiad tune`). "
        "off: by a table. force: measure now."},

    Key{"solver",
        "accuracy",
        PLEIAD_AT(solver.accuracy),
        {.low = 0, .high = 0.1},
        "",
        "The relative force error that 99 % of the bodies may have at most; the fastest solver that meets it "
        "is chosen. 0: direct sums, in a precision that gives 1e-5 or better."},
    Key{"solver", "method", PLEIAD_AT(solver.method), one_of(all<with_auto<solver_names>>), "",
        "direct (all pairs), barnes-hut (a tree), fmm (the fast multipole method); auto: direct, or what "
        "meets the accuracy fastest."},
    Key{"solver", "structure", PLEIAD_AT(solver.structure), one_of(all<structure_names>), "",
        "How trees divide bodies into cells: octree (cubes), kd (halves of equal numbers), bvh (bounding "
        "volumes, at gaps between bodies)."},
    Key{"solver",
        "order",
        PLEIAD_AT(solver.order),
        {.low = 0, .high = 8},
        "",
        "The order of expansions: fmm 3, 4, 5, 6 or 8; barnes-hut 1 to 5; on a GPU 4 to 6 and 1 to 3. 0: "
        "chosen."},
    Key{"solver", "criterion", PLEIAD_AT(solver.criterion), one_of(all<with_auto<criterion_names>>), "",
        "When a cell is far enough: spheres and sides (theta), classic (theta, as Barnes and Hut had it), "
        "error (tolerance)."},
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
        "The bound on the estimated error of one interaction (criterion error); 0: chosen."},
    Key{"solver",
        "leaf",
        PLEIAD_AT(solver.leaf),
        {.low = 0, .high = 4096},
        "",
        "Cells with more bodies are divided; 0: chosen."},
    Key{"solver",
        "group",
        PLEIAD_AT(solver.group),
        {.low = 0, .high = 4096},
        "",
        "Bodies that share a walk of barnes-hut, on a GPU 128 at most; 0: chosen."},
    Key{"solver", "check_every", PLEIAD_AT(solver.check_every), counter, "steps",
        "How often the error is measured against direct sums in double precision; where it has grown beyond "
        "the accuracy (1e-5 when none is asked of direct sums), the solver or the precision is made better. "
        "0: every 128 steps of a tree (256 on a GPU), every 1024 to 16384 (the fewer bodies) of direct "
        "sums."},

    Key{"output", "directory", PLEIAD_AT(output.directory), any, "",
        "Where everything is written; made when it is not there."},
    Key{"output", "snapshot_interval", PLEIAD_AT(output.snapshot_interval), not_negative, "time",
        "Time between snapshots; 0: only at the start and the end."},
    Key{"output", "snapshot_times", PLEIAD_AT(output.snapshot_times), any, "time",
        "Further snapshots at exactly these times."},
    Key{"output", "snapshot_format", PLEIAD_AT(output.snapshot_format), one_of(format_names), "",
        "hdf5 is GADGET's layout; yt and pynbody read it as it is."},
    Key{"output", "snapshot_units", PLEIAD_AT(output.snapshot_units), one_of(snapshot_units), "",
        "The units of the snapshots; auto: those of the run."},
    Key{"output", "box_size", PLEIAD_AT(output.box_size), automatic_or_not_negative, "length",
        "BoxSize in HDF5 snapshots of open space; -1: automatic, a round length that yt can plot; 0: as "
        "GADGET writes."},
    Key{"output", "diagnostics_interval", PLEIAD_AT(output.diagnostics_interval), not_negative, "time",
        "Time between rows of the diagnostics table; 0: 200 over the run, or as few as take a fifteenth of "
        "its time; 20 in an ensemble."},
    Key{"output", "pictures", PLEIAD_AT(output.pictures), any, "", "Write pictures of the bodies (PNG)."},
    Key{"output", "picture_interval", PLEIAD_AT(output.picture_interval), not_negative, "time",
        "Time between pictures; 0: only at the start and the end, with a movie as many as a thirtieth of the "
        "run pays for."},
    Key{"output", "projection", PLEIAD_AT(output.projection), one_of(all<projections>), "",
        "The axes across and up in the pictures."},
    Key{"output",
        "picture_size",
        PLEIAD_AT(output.picture_size),
        {.low = 16, .high = 16384},
        "pixels",
        "Pixels per side."},
    Key{"output", "picture_extent", PLEIAD_AT(output.picture_extent), not_negative, "length",
        "Half the width shown; 0: chosen for the first picture and kept."},
    Key{"output", "plots", PLEIAD_AT(output.plots), any, "",
        "Plot energies and radii at the end (needs gnuplot)."},
    Key{"output", "movie", PLEIAD_AT(output.movie), any, "",
        "Join the pictures to an MP4 at the end (needs ffmpeg)."},
    Key{"output", "trajectory_ids", PLEIAD_AT(output.trajectory_ids), counter, "",
        "Ids of the bodies whose paths are recorded."},
    Key{"output", "trajectory_every", PLEIAD_AT(output.trajectory_every), at_least_one, "steps",
        "Steps between points of the paths."},
    Key{"output", "print_trajectory", PLEIAD_AT(output.print_trajectory), any, "",
        "Print the recorded paths as a table at the end."},

    Key{"ensemble", "count", PLEIAD_AT(ensemble.count), counter, "",
        "How many systems, at each point of the scan if there is one; 0: no ensemble, or one at each point."},
    Key{"ensemble", "vary", PLEIAD_AT(ensemble.vary), any, "",
        "The scan, one text a key: \"KEY=1, 2, 5\", \"KEY=FROM:TO:COUNT\", \"KEY=FROM:TO:COUNT:log\", or "
        "drawn for "
        "each system: \"KEY=FROM:TO:random\". KEY is a model's parameter, or initial_conditions.file, .model "
        "or .seed, "
        "gravity.G or .softening, time.dt, .integrator, .eta or .damping."},
    Key{"ensemble", "scan", PLEIAD_AT(ensemble.scan), one_of(all<scans>), "",
        "grid: every combination of the lists, the last varies fastest; zip: first with first, second with "
        "second."},
    Key{"ensemble", "seeds", PLEIAD_AT(ensemble.seeds), one_of(all<seed_schemes>), "",
        "own: initial_conditions.seed plus the system's number; shared: the same draws at every point of the "
        "scan. Where the seed is varied, each point has its own, and its systems that and the next ones."},
    Key{"ensemble", "jitter", PLEIAD_AT(ensemble.jitter), not_negative, "length",
        "Standard deviation of a normal displacement of every coordinate at the start; 0: none."},
    Key{"ensemble", "most_steps", PLEIAD_AT(ensemble.most_steps), counter, "steps",
        "A system that would need more rests: some adaptive ones end in a binary so tight that it holds up "
        "all others; "
        "0: no limit."},
    Key{"ensemble", "stop_at_escape", PLEIAD_AT(ensemble.stop_at_escape), any, "",
        "A system rests as soon as a look shows that it has lost a body."},
    Key{"ensemble", "save", PLEIAD_AT(ensemble.save), counter, "",
        "Numbers of the systems whose snapshots are written; pictures and paths are not made of ensembles."},
    Key{"ensemble", "final_states", PLEIAD_AT(ensemble.final_states), any, "",
        "Write the bodies of all systems at the end to one file, one system after another."},
    Key{"ensemble", "json", PLEIAD_AT(ensemble.json), any, "", "Write the table as JSON, too."},

    Key{"checkpoint", "interval_seconds", PLEIAD_AT(checkpoint.interval_seconds), not_negative,
        "seconds of wall time", "Time between checkpoints; 0: none but when the run is stopped."},
    Key{"checkpoint", "every_steps", PLEIAD_AT(checkpoint.every_steps), counter, "steps",
        "Besides, a checkpoint after every so many steps; 0: by time only."},
    Key{"checkpoint", "require", PLEIAD_AT(checkpoint.require), any, "",
        "End the run (exit 4) when a checkpoint cannot be written; else warn and go on."},

    Key{"limits", "walltime_seconds", PLEIAD_AT(limits.walltime_seconds), not_negative,
        "seconds of wall time",
        "Stop in time to save a checkpoint before this has passed (exit 75); 0: no limit."},
    Key{"limits", "max_energy_error", PLEIAD_AT(limits.max_energy_error), automatic_or_not_negative, "",
        "|dE/E| above it ends the run (exit 5); -1: 0.5 in open space without damping, else never; 0: "
        "never."},
    Key{"limits", "check_every", PLEIAD_AT(limits.check_every), at_least_one, "steps",
        "Steps between looks for numbers that are not finite (exit 5)."},
};
#undef PLEIAD_AT

}  // namespace

std::span<const Section> sections() { return all_sections; }
std::span<const Key> keys() { return all_keys; }

const Key* find(std::string_view section, std::string_view name) {
  const auto* key =
      std::ranges::find_if(all_keys, [&](const Key& k) { return k.section == section && k.name == name; });
  return key == all_keys.end() ? nullptr : key;
}

bool Range::admits(double value) const {
  if (minus_one && value == -1) return true;
  return value <= high && (low_excluded ? value > low : value >= low) && value - value == 0;
}

}  // namespace pleiad::config
