/// The table of possible combinations: families of force methods with boundaries, precisions, integrators,
/// ranks and GPUs. Refusals, `pleiad config check`, the planner and docs/capabilities.md read it.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "capabilities/facts.hpp"

#include <pleiad/kernel/tree.hpp>

#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace pleiad {

/// Methods that can do the same: the rows of the table.
enum class Family {
  cpu_one_sided,
  cpu_symmetric,
  cpu_ewald,
  cpu_barnes_hut,
  cpu_fmm,
  gpu_one_sided,
  gpu_symmetric,
  gpu_fused_steps,
  gpu_ensembles,
  gpu_orbits,
  gpu_barnes_hut,
  gpu_fmm,
};

/// Whether the methods of a family can do something: none, some of them, or all.
enum class Can { no, some, yes };

/// A row of the table.
struct Capabilities {
  Family family{};
  std::string_view name;     ///< "one-sided direct sums on the CPU"
  std::string_view methods;  ///< "cpu/threads and others"
  Can open, nearest, all_images;
  Can f32, f64, mixed;
  Can doubles, ranks, gpus, divided_tree, user_force, potentials, forces, softenings;
};
/// All rows, in the order of the values of Family.
std::span<const Capabilities> capabilities();
/// The row of a family.
const Capabilities& capabilities(Family family);
/// The table as the page docs/capabilities.md.
std::string capabilities_page();

/// A part of a method: a kernel, or a tree. Where the row of its family is `some`, these properties decide.
struct Applicant {
  Family family{};
  std::string name{};                  ///< "cpu/threads"
  std::optional<std::string> fault{};  ///< why nothing has these settings, whatever the problem
  bool open = true, nearest = true, all_images = true;
  bool f32 = true, f64 = true, mixed = true;
  bool reproducible = true;
  bool on_gpus = true;          ///< its sums or steps can be divided among GPUs
  std::size_t most_bodies = 0;  ///< 0: any number
  Structure structure = Structure::octree;
  int rebuild_every = 1;
};

/// The reason why these parts of one method, with text `text`, cannot compute a problem, as a sentence
/// "OBSTACLE; REMEDY". Empty if they can. Without parts: the reason that holds for every method. No other
/// function answers what may be combined; probes of the engine test whether there is a GPU with enough memory
/// and peer access.
std::optional<std::string> why_not(std::span<const Applicant> parts, std::string_view text,
                                   const ProblemFacts& facts);

/// Properties of an integrator and of its settings that decide whether steps are possible.
struct SteppingFacts {
  std::string_view integrator;
  bool adapts_by_softening = true, takes_damping = false, on_orbits = false, in_blocks = false;
  bool takes_corrector = false, adaptive = false, particles_limit_step = false;
  bool reads_backwards = true;  ///< it is a splitting that reads the same backwards
  bool symmetric_steps = false;
  int corrector = 0;
  double damping = 1, softening = 0;
  BlockSteps blocks{};
};
/// Why an integrator cannot make these steps, in one sentence. Empty if it can.
std::optional<std::string> why_not(const SteppingFacts& facts);

/// What decides whether an error of the energy or of the positions can be asked for.
struct BudgetFacts {
  std::string_view key = "time.energy_error";  ///< or "time.position_error"
  bool keeps_energy = true;                    ///< fields and forces keep the energy of a resolved run
  bool adaptive = false, on_orbits = false, in_blocks = false, damped = false, reversed = false,
       exact_steps = false;
  bool periodic = false, ensemble = false, encounters = false;
  bool counts_steps = false;     ///< an output is written after a number of steps
  bool symmetric_steps = false;  ///< steps that change follow from both of their ends
};
/// Why not, in one sentence. Empty if it can.
std::optional<std::string> why_not(const BudgetFacts& facts);

/// What decides whether steps can be made on a lattice, so that they lead back bit for bit (time.lattice).
/// Whatever would make a step depend on earlier ones is refused.
struct LatticeFacts {
  std::string_view integrator;
  bool leads_back = true;  ///< it is a splitting that reads the same backwards
  bool adaptive = false;
  bool chosen_steps = false;            ///< steps are chosen for an error of the energy or the positions
  bool accuracy = false;                ///< the method changes where forces are less accurate than asked for
  std::string_view unordered_kernel{};  ///< named, whose sums have no order and so no fixed bits
  bool single = false, ensemble = false, periodic = false;
  bool turning_frame = false, moving_fields = false, of_velocities = false, user_force = false;
  bool changes_bodies = false;  ///< encounters merge or remove bodies
};
/// Why not, in one sentence. Empty if they can.
std::optional<std::string> why_not(const LatticeFacts& facts);

/// What decides whether encounters can be looked for.
struct EncounterFacts {
  bool changes_bodies = false;  ///< merges or removes bodies
  bool periodic = false, ensemble = false, added_forces = false, hill = false, in_blocks = false;
  bool semi_active = false;    ///< some bodies do not pull each other
  bool one_softening = true;   ///< one Plummer length holds for all pairs
  bool escapes_alone = false;  ///< neither approaches nor collisions are looked for
  /// Each body has steps of its own that are made on GPUs.
  bool own_steps_on_gpus = false;
  bool removes_from_groups = false;  ///< bodies that touch in regularised groups of block steps
  bool neighbours = false;           ///< pulls of neighbours are to be summed by themselves
  bool tidal_radius = false;         ///< escapes are through the tidal radius
  bool potentials = false;           ///< there are external ones
};
/// Why encounters cannot be looked for in such a run, in one sentence. Empty if they can.
std::optional<std::string> why_not(const EncounterFacts& facts);

/// What decides whether stars may lose mass.
struct MassLossFacts {
  bool periodic = false, ensemble = false, added_forces = false, hill = false;
  bool semi_active = false;   ///< some bodies do not pull each other
  bool one_softening = true;  ///< one Plummer length holds for all pairs
  bool merges = false;        ///< collisions merge or remove bodies
  bool chosen_steps = false;  ///< by an energy or position error that is asked for
  bool leads_back = false;    ///< on a lattice, or with reversed velocities
  bool error_term = false;    ///< of the leapfrog's energy
};
/// Why stars cannot lose mass in such a run, in one sentence. Empty if they can.
std::optional<std::string> why_not(const MassLossFacts& facts);

}  // namespace pleiad
