/// The rows, and their page.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "capabilities/capabilities.hpp"

#include <array>
#include <cstddef>

#include <fmt/format.h>

namespace pleiad {
namespace {

constexpr auto no = Can::no, some = Can::some, yes = Can::yes;

/// A row from its cells: y is yes, s some, - no; blanks do not count.
consteval Capabilities row(Family family, std::string_view name, std::string_view methods,
                           std::string_view cells) {
  std::array<Can, 14> can{};
  std::size_t k = 0;
  for (const char c : cells)
    if (c != ' ') can.at(k++) = c == 'y' ? yes : c == 's' ? some : no;
  if (k != can.size()) throw "a cell is missing";
  return {family, name,   methods, can[0], can[1],  can[2],  can[3],  can[4], can[5],
          can[6], can[7], can[8],  can[9], can[10], can[11], can[12], can[13]};
}

// open space, nearest, all images; f32, f64, mixed; bodies in double precision for Hermite, Gauss-Radau and
// Wisdom-Holman, ranks, several GPUs, distributed tree; user force, potentials, added forces, a spline or
// softenings of types and bodies
constexpr std::array rows{
    row(Family::cpu_one_sided, "one-sided direct sums on the CPU", "`cpu/threads` and others",
        "yy- yyy ys-- yyy s"),
    row(Family::cpu_symmetric, "symmetric direct sums on the CPU", "`cpu/symmetric`",  //
        "yy- yyy yy-- yyy -"),
    row(Family::cpu_ewald, "Ewald summation on the CPU", "`cpu/ewald`",  //
        "--y yyy -y-- y-- -"),
    row(Family::cpu_barnes_hut, "Barnes-Hut on the CPU", "`cpu/barnes-hut`",  //
        "y-y yyy -s-- yyy s"),
    row(Family::cpu_fmm, "fast multipole method on the CPU", "`cpu/fmm`",  //
        "y-y yyy -s-- yyy s"),
    row(Family::gpu_one_sided, "one-sided direct sums on a GPU", "`cuda/split-reduced` and others",
        "ys- sss sss- yyy s"),
    row(Family::gpu_symmetric, "symmetric direct sums on a GPU", "`cuda/mixed-symmetric` and others",
        "y-- sss sss- yyy -"),
    row(Family::gpu_fused_steps, "fused steps of one system on a GPU", "`cuda/grid-steps` and others",
        "y-- yss --s- yyy -"),
    row(Family::gpu_ensembles, "fused steps of many systems on a GPU", "`cuda/warp-ensemble` and others",
        "y-- yyy ---- --- -"),
    row(Family::gpu_orbits, "Kepler orbits of many systems on a GPU", "`cuda/orbit-systems`",  //
        "y-- -y- y--- --- -"),
    row(Family::gpu_barnes_hut, "Barnes-Hut on a GPU", "`cuda/barnes-hut`",  //
        "y-y y-y -yy- yyy -"),
    row(Family::gpu_fmm, "fast multipole method on a GPU", "`cuda/fmm`",  //
        "y-y y-y -yyy yyy -"),
};
static_assert([] {
  for (std::size_t k = 0; k < rows.size(); ++k)
    if (static_cast<std::size_t>(rows[k].family) != k) return false;
  return rows.back().family == Family::gpu_fmm;
}());

constexpr std::string_view word_of(Can can) {
  return can == Can::yes ? "yes" : can == Can::some ? "some" : "no";
}

/// A column of the page.
struct Column {
  std::string_view title;
  Can Capabilities::*cell;
};
constexpr std::array columns{Column{"open space", &Capabilities::open},
                             Column{"nearest images", &Capabilities::nearest},
                             Column{"all images", &Capabilities::all_images},
                             Column{"f32", &Capabilities::f32},
                             Column{"f64", &Capabilities::f64},
                             Column{"mixed", &Capabilities::mixed},
                             Column{"Hermite, Gauss-Radau, Wisdom-Holman", &Capabilities::doubles},
                             Column{"ranks", &Capabilities::ranks},
                             Column{"several GPUs", &Capabilities::gpus},
                             Column{"distributed tree", &Capabilities::divided_tree},
                             Column{"user force", &Capabilities::user_force},
                             Column{"potentials", &Capabilities::potentials},
                             Column{"added forces", &Capabilities::forces},
                             Column{"spline, softening by type or body", &Capabilities::softenings}};

constexpr std::string_view before = R"(# What may be combined

`pleiad config --capabilities` prints this page from the table by which the program refuses combinations. `some`: it depends on the kernel
(`pleiad bench --list`) or on the settings of the tree. `pleiad config check` says in one sentence why a configuration is refused.

)";
constexpr std::string_view after = R"(
- All images (`gravity.images = "all"`) need three dimensions.
- Hermite (`hermite4`, `hermite4-block`, `hermite6`) needs `f64` or `mixed`, computes its forces in double precision, and takes no user force; `hermite6` takes mutual gravity with one Plummer softening alone: no
  external potentials, added forces, or semi-active bodies. Gauss-Radau (`gauss-radau`) and
  Wisdom-Holman (`wisdom-holman`, `wisdom-holman-jacobi`, `wisdom-holman-hybrid`) need `f64`. Wisdom-Holman takes steps of one length, open space, one process, and no softening,
  external potential or user force. A regularised group (`ar-chain`) needs the same and `f64`, takes at most 64 bodies, external potentials but `hill`, and neither test particles, semi-active bodies nor added forces but `post-newtonian-pairs`. Symplectic correctors (`time.corrector`) are for `wisdom-holman` and `wisdom-holman-jacobi`.
  In ensembles a GPU takes `wisdom-holman` and `wisdom-holman-jacobi`, also with correctors, for at most 33 bodies a system and without added forces or semi-active bodies.
  With `--backend cuda` a GPU carries the test particles of `wisdom-holman` past at most 1025 bodies with mass, which stay on the CPU, without added forces and semi-active bodies.
- Block time steps (`block-kdk`) are made on CPUs, by direct sums and trees, on any number of ranks, and on one GPU of one process without test particles; with one softening, a spline
  or softenings of types and bodies. There is no added force, user force, potential `hill` or semi-active body. `time.block_criterion = "pairs"`, as without softening, needs direct sums on CPUs and one Plummer softening. `time.adaptive`, approaches and collisions are for other integrators, `time.reverse` needs `time.symmetric_steps`.
- Hermite with block time steps (`hermite4-block`) takes open space, one Plummer softening or none, and external potentials but `hill`, on any number of ranks; no added force or semi-active body. On GPUs of one process it takes direct sums: on one GPU single bodies in open space, on one or more groups and external potentials. Of the keys of block steps it has `time.dt` and `time.eta`.
- Neighbours (`time.neighbours`) are for `hermite4-block` on CPUs, on any number of ranks, with what it takes there: a softening or none, external potentials, test particles; without `time.groups`. With `"auto"` a GPU and groups sum all pulls on a body at its steps.
- Regularised groups (`time.groups`) are for `hermite4-block`, on CPUs with any number of ranks and on GPUs of one process: mutual gravity of bodies with mass in three dimensions, without softening, and external potentials but `hill`. The added force `post-newtonian-pairs` is for them on CPUs and for `ar-chain`, without another force.
- Symmetric steps (`time.symmetric_steps`) are adaptive ones of `kdk`, `dkd`, `forest-ruth`, `blanes-moan4`, `yoshida6` and `kahan-li8`, on any processor and number of ranks, and steps of `block-kdk` on CPUs, in runs of one system; without a lattice, `time.energy_error` and `time.position_error`. Adaptive
  ones take no `time.reverse`.
- Ranks: on CPUs, direct sums are those of `cpu/symmetric` and `cpu/threads`, or of `cpu/ewald` with all images, and trees are octrees. On GPUs, kernels are
  reproducible. Every rank uses one GPU.
- A tree on a GPU has all images on one GPU of one process.
- External potentials (`gravity.potentials`) need open space and three dimensions. With them steps are not fused. One of them may be `hill`, which `hermite4` and `gauss-radau` do not take.
- Added forces (`gravity.forces`) need open space and three dimensions, and no potential `hill`. All integrators but `hermite6`, `hermite4-block` and `block-kdk` take them: kicks by forces that depend on velocities are
  implicit, by Gauss's method of the integrator's order. `hermite4` does not take `dynamical-friction`, whose jerk is not known. With
  them steps on GPUs are not fused, and trees are not distributed.
- Several GPUs of one process take no user force. Kernels that are not reproducible are not divided; fused steps that are not
  divided stay on one.
- A distributed tree (`engine.distribute_tree = "yes"`) is for several ranks with a GPU each. CPUs always distribute it.
- A spline (`gravity.softening_kernel = "spline"`) and softenings of bodies or types (`gravity.softening_by_type`, those of files) are computed by direct sums of
  `cpu/threads`, in double precision, and of `cuda/split-reduced`, on any number of ranks and GPUs; on CPUs by trees, of one process with a spline, on any ranks with Plummer's
  form for types. None of them has all images.
- Test particles, bodies of mass 0, cost one pull of each body with mass on CPUs and by direct sums on GPUs, and change no bit of these. With trees, fused steps and ensembles on GPUs they are bodies like others.
  `time.particles_limit_step` needs `time.adaptive`, or `block-kdk`. External potentials allow that no body has mass.
- Semi-active bodies (`gravity.semi_active`) need direct sums on CPUs, one Plummer softening or none, and not all images, in runs of one system. Bodies may then not merge or be removed.
- Encounters (`[encounters]`) are found in runs of one system in open space with one Plummer softening, on any processor and number of ranks. Where bodies merge or are removed there may be neither added forces nor the
  potential `hill`. With `hermite4-block` on CPUs and `ar-chain` approaches and collisions are found inside steps; bodies that touch in
  regularised groups merge, and cannot be removed, and there is no `time.neighbours = "on"`. With `block-kdk`, and `hermite4-block` on GPUs, escapes alone are looked for, where all bodies end a step. A tidal radius (`encounters.escape_unit`) needs external potentials.
- Mass loss of stars (`stars.mass_loss`) is for runs of one system in open space with one Plummer softening, with every integrator, on any processor and number of ranks; without added forces, the potential `hill`, semi-active bodies,
  mergers, a lattice, `time.reverse`, `time.energy_error` and `time.position_error`.
- An error of the energy (`time.energy_error`) can be asked for in runs of one system in open space whose fields and forces keep the energy, on any processor and number of ranks; without damping,
  `time.adaptive`, `hermite4-block`, `time.reverse`, `time.exact_steps`, encounters, and outputs that count steps. One of the positions (`time.position_error`) can be for at most 100 bodies in open space; without damping, block time steps, `time.reverse`,
  `time.exact_steps` and encounters.
- A lattice (`time.lattice`), whose steps lead back bit for bit, is for `kdk`, `dkd`, `forest-ruth`, `blanes-moan4`, `yoshida6` and `kahan-li8` with fixed steps, on CPUs and GPUs, in runs of one system in open
  space, by direct sums and trees, on any number of ranks, in `f64` or `mixed`. Steps there are not fused, and kernels that add up in any order are refused. It takes no `solver.accuracy`, `time.energy_error`, `time.position_error`, user force, forces of velocities, or potentials that change with time or
  are `hill`; bodies do not merge or vanish.
- Comoving coordinates (`[cosmology]`) need a periodic box with all images, three dimensions, and `kdk`, `dkd`, `forest-ruth`, `blanes-moan4`, `yoshida6`, `kahan-li8` or `euler`, in runs of one system, on any
  number of ranks: mutual gravity alone, without encounters, a lattice, `time.energy_error`, `time.position_error`, `time.reverse`, damping, trajectories, orbits, or the live view. Snapshots are HDF5 files. Light cones (`output.light_cone_redshifts`) are made on one rank, in units with a physical scale.
- Integrators: `time.damping` needs `euler`. `time.adaptive` needs `gravity.softening` > 0, except with `hermite4`, `hermite6` and `gauss-radau`; ensembles with it run on CPUs.
)";

}  // namespace

std::span<const Capabilities> capabilities() { return rows; }
const Capabilities& capabilities(Family family) { return rows.at(static_cast<std::size_t>(family)); }

std::string capabilities_page() {
  std::string page(before);
  page += "| methods | |";
  for (const auto& column : columns) page += fmt::format(" {} |", column.title);
  page += "\n|---|---|";
  for (std::size_t k = 0; k < columns.size(); ++k) page += "---|";
  for (const auto& row : rows) {
    page += fmt::format("\n| {} | {} |", row.name, row.methods);
    for (const auto& column : columns) page += fmt::format(" {} |", word_of(row.*column.cell));
  }
  page += "\n";
  return page += after;
}

}  // namespace pleiad
