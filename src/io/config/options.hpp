/// All options of a run. One table (src/io/config) documents, parses, prints and checks every key.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <pleiad/vec.hpp>

#include <cstdint>
#include <string>
#include <vector>

namespace pleiad {

/// A run: source of the bodies, law, integration, and outputs. Sections are TOML tables.
struct Options {
  struct InitialConditions {
    std::string file;                     ///< a snapshot in any format; or
    std::string model;                    ///< a model of `pleiad ic --list`
    std::vector<std::string> parameters;  ///< of the model: "name=value"
    std::uint64_t seed = 1;
    bool renumber = false;                   ///< new ids, 0, 1, 2, ...
    std::vector<double> position, velocity;  ///< x, y, z, added to those of all bodies; empty: nothing
    bool operator==(const InitialConditions&) const = default;
  } ic;

  struct Units {
    std::string system = "auto";                          ///< auto: of the input file or model
    double length_cm = 0, mass_g = 0, velocity_cm_s = 0;  ///< for system = "custom"
    bool operator==(const Units&) const = default;
  } units;

  struct Gravity {
    double G = 0;  ///< 0: that of the unit system
    double softening = 0;
    /// Whether a value is stated, even if it is 0; not compared.
    struct Stated {
      bool softening = false;
      bool operator==(const Stated&) const { return true; }
    } stated;
    std::string softening_kernel = "plummer";    ///< plummer | spline
    std::string softening_rule = "max";          ///< max | quadratic
    std::vector<std::string> softening_by_type;  ///< "TYPE=LENGTH"; types left out have `softening`
    bool softening_of_bodies = false;            ///< bodies have the softenings that their file gives them
    int dimension = 3;
    std::string boundary = "auto";  ///< auto (that of the initial conditions) | open | periodic
    std::string images = "auto";    ///< auto (that of the initial conditions, else nearest) | nearest | all
    std::vector<double> box;  ///< lengths x, y, z of the periodic box; empty: that of the initial conditions
    std::vector<std::string> potentials;  ///< external ones: "KIND name=value ..."
    std::vector<std::string> forces;      ///< added ones: "KIND name=value ..."
    std::string semi_active;              ///< types, "below=MASS", or both; empty: none
    bool operator==(const Gravity&) const = default;
  } gravity;

  /// An expanding space, in comoving coordinates: on as soon as `omega_m` is set.
  struct Cosmology {
    double omega_m = 0;
    double omega_lambda = -1;  ///< -1: that of a flat universe
    double omega_r = 0;
    double t_cmb = 0, n_eff = 3.046;      ///< 0: omega_r holds
    std::vector<double> neutrino_masses;  ///< eV, of the massive ones; empty: none
    double w0 = -1, wa = 0;
    double h = 0;                    ///< 0: that of the file
    double hubble = 0;               ///< H0 in units of the run; 0: of the units, or of the density
    std::string preset = "default";  ///< default | fast: 251 equal steps
    bool active() const { return omega_m > 0; }
    bool operator==(const Cosmology&) const = default;
  } cosmology;

  struct Time {
    std::string integrator = "kdk";
    double dt = 0;     ///< required, > 0; in an adaptive run the longest step
    double t_end = 0;  ///< absolute end time
    bool adaptive = false;
    double eta = 0.02;                     ///< accuracy of the adaptive step
    bool symmetric_steps = false;          ///< adaptive and block steps follow from both of their ends
    double damping = 1;                    ///< velocity factor per step (euler only)
    bool reverse = false;                  ///< negate the velocities at the start
    bool lattice = false;                  ///< positions and velocities are whole numbers of units
    std::vector<double> lattice_units;     ///< of length and velocity; empty: chosen from the bodies
    bool exact_steps = false;              ///< refuse times that are not whole numbers of fixed steps
    bool particles_limit_step = false;     ///< adaptive steps: test particles count
    int block_levels = 16;                 ///< block steps: the most
    std::string block_criterion = "auto";  ///< auto | acceleration | pairs
    bool single_step = false;              ///< block steps: all bodies have the shortest one
    std::string groups = "off";            ///< hermite4-block: off | regularised
    double group_radius = 0;               ///< of groups; 0: chosen from the bodies
    bool slow_down = true;                 ///< of weakly perturbed binaries in groups
    std::string neighbours = "off";        ///< hermite4-block: off | on | auto
    int corrector = 0;                     ///< Wisdom-Holman: order of the symplectic corrector
    double energy_error = 0;               ///< the largest |dE / E| of the run; 0: what the step gives
    double energy_error_rate = 0;          ///< the same for each unit of time
    double position_error = 0;             ///< the largest relative one at the end; 0: what the step gives
    double begin_redshift = -1;            ///< -1: that of the file
    double end_redshift = 0;               ///< with [cosmology] in place of t_end, which follows from it
    /// Whether a value is stated, even if it is the usual one; not compared.
    struct Stated {
      bool integrator = false, eta = false, adaptive = false;
      bool operator==(const Stated&) const { return true; }
    } stated;
    /// Whether steps meet requested times themselves.
    bool meets_times() const { return adaptive || has_budget(); }
    bool has_budget() const { return energy_error > 0 || energy_error_rate > 0; }
    /// Whether trials choose the step, by an error that is asked for.
    bool chooses_step() const { return has_budget() || position_error > 0; }
    bool operator==(const Time&) const = default;
  } time;

  struct Engine {
    std::string backend = "auto", kernel = "auto", precision = "auto";
    int threads = 0;
    int gpus = 0;                          ///< the most; 0: as many as make it faster
    std::string distribute_tree = "auto";  ///< auto | yes | no
    std::string tuning = "auto";
    bool operator==(const Engine&) const = default;
  } engine;

  struct Solver {
    double accuracy = 0;          ///< 0: direct sums, unless a method is named
    std::string method = "auto";  ///< auto | direct | barnes-hut | fmm
    std::string structure = "octree";
    int order = 0;  ///< 0: chosen, and so below
    std::string mac = "auto";
    double theta = 0, tolerance = 0;
    int leaf_size = 0, group_size = 0;
    std::uint64_t check_every = 0;  ///< steps between measurements of the error; 0: chosen
    /// Whether a value is stated, even if it is 0; not compared.
    struct Stated {
      bool accuracy = false;
      bool operator==(const Stated&) const { return true; }
    } stated;
    bool operator==(const Solver&) const = default;
  } solver;

  /// Approaches, collisions and escapes, which are found in every step as soon as one of the lengths is set.
  struct Encounters {
    double distance = 0;                  ///< of approaches; 0: none are looked for
    double radius = 0, density = 0;       ///< of all bodies, for collisions; 0: points
    std::vector<std::string> radii;       ///< of single bodies: "ID=RADIUS"
    double escape_radius = 0;             ///< in escape_unit; 0: no escapes are looked for
    std::string escape_unit = "length";   ///< length | half-mass-radius | tidal-radius
    std::string escape_centre = "auto";   ///< auto | mass | density
    std::string on_approach = "record";   ///< record | stop
    std::string on_collision = "record";  ///< record | stop | merge | remove
    std::string on_escape = "record";     ///< record | stop | remove
    bool collisions() const { return radius > 0 || density > 0 || !radii.empty(); }
    bool active() const { return distance > 0 || collisions() || escape_radius > 0; }
    /// Whether bodies may vanish.
    bool changes_bodies() const {
      return on_collision == "merge" || on_collision == "remove" || on_escape == "remove";
    }
    bool operator==(const Encounters&) const = default;
  } encounters;

  /// Mass loss of stars, which are all born at the start.
  struct Stars {
    std::string mass_loss_file{};     ///< of initial mass, age and mass, in Msun and Myr; or
    std::vector<double> mass_loss{};  ///< the same rows in units of the run
    double mass_loss_interval = 0;    ///< time between new masses
    bool active() const { return !mass_loss_file.empty() || !mass_loss.empty(); }
    bool operator==(const Stars&) const = default;
  } stars;

  struct Output {
    std::string directory = "output";
    double snapshot_interval = 0;  ///< 0: only start and end
    std::vector<double> snapshot_times;
    std::vector<double> snapshot_redshifts;  ///< with [cosmology] in their place
    std::string snapshot_format = "hdf5";    ///< hdf5 | gadget1 | gadget2 | tipsy | tipsy-little | csv
    std::string snapshot_units = "auto";
    std::string snapshot_precision = "f64";                                 ///< f32 | f64
    std::vector<std::string> snapshot_fields{"potential", "acceleration"};  ///< some of these, or none
    double box_size = -1;             ///< -1: automatic (see formats.md), 0 allowed
    double diagnostics_interval = 0;  ///< 0: chosen at the start
    bool kdk_error_term = false;      ///< a column of the diagnostics table
    double picture_interval = 0;      ///< 0: start and end; with a movie chosen at the start
    double cluster_interval = 0;      ///< 0: no tables of a star cluster
    bool pictures = true;
    std::string projection = "xy";  ///< xy | xz | yz
    int picture_size = 1024;
    double picture_extent = 0;  ///< half width shown; 0: from the first frame
    bool plots = true;
    bool movie = false;
    std::vector<std::uint64_t> trajectory_ids;
    std::uint64_t trajectory_every = 1;
    bool print_trajectory = false;
    std::uint64_t orbits_every = 0;           ///< steps; 0: no apo- and pericentres
    std::vector<std::uint64_t> orbits_about;  ///< id of a body, or none for the origin
    double orbits_radius = 0;                 ///< 0: the tidal radius of that body
    bool power_spectra = false, groups = false;
    double analysis_interval = 0;  ///< of both; without any of these three: whenever a snapshot is written
    std::vector<double> analysis_times, analysis_redshifts;
    std::uint64_t power_grid = 0, power_folds = 0;  ///< 0: by the number of bodies
    double linking_length = 0.2;                    ///< in mean distances of the bodies
    std::uint64_t group_members = 20;
    std::vector<double> light_cone_redshifts;  ///< edges of the shells; none: no light cone
    bool operator==(const Output&) const = default;
  } output;

  /// Many systems in one run: on as soon as `count` or `vary` is set.
  struct Ensemble {
    std::uint64_t count = 0;  ///< systems at each point of the scan; 0: one, when there is a scan
    std::vector<std::string>
        vary;  ///< "KEY=VALUE, VALUE, ..." | "KEY=FROM:TO:COUNT[:log]" | "KEY=FROM:TO:random"
    std::string scan = "grid";        ///< grid (every combination of the lists) | zip (side by side)
    std::string seeds = "own";        ///< own (seed + index) | shared (each point of the scan has the same)
    double jitter = 0;                ///< normal displacement of every coordinate at the start
    std::vector<std::uint64_t> save;  ///< members whose snapshots are written
    std::uint64_t max_steps = 0;      ///< a system that needs more rests; 0: none
    bool stop_at_escape = false;  ///< a system rests as soon as a diagnostic shows that it has lost a body
    bool final_states = false;    ///< the bodies of all members at the end, in one file
    bool json = false;            ///< the table as JSON too
    bool active() const { return count > 0 || !vary.empty(); }
    bool operator==(const Ensemble&) const = default;
  } ensemble;

  struct Checkpoint {
    double interval_seconds = 600;  ///< wall time; 0: none but at a stop
    std::uint64_t every_steps = 0;  ///< 0: by time only
    bool require = false;           ///< end with exit 4 when a checkpoint cannot be written
    bool operator==(const Checkpoint&) const = default;
  } checkpoint;

  struct Limits {
    double walltime_seconds = 0;   ///< 0: none
    double max_energy_error = -1;  ///< an energy error above it ends the run with exit 5; -1: 0.5 for an
                                   ///< undamped run, else never; 0: never
    std::uint64_t check_every = 16;
    double hang_seconds = 600;  ///< of one batch of steps or output on several ranks; 0: none
    bool operator==(const Limits&) const = default;
  } limits;

  bool operator==(const Options&) const = default;
};

}  // namespace pleiad
