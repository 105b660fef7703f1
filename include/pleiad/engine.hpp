/// An engine owns the bodies and executes steps: on the host, on one GPU or on several GPUs. Programs usually
/// use Simulation, which adds a clock and checks.
///
/// All quantities are in the units of the bodies; accelerations, potentials and energies include G.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <pleiad/accuracy.hpp>
#include <pleiad/bodies.hpp>
#include <pleiad/gravity.hpp>
#include <pleiad/integrator.hpp>
#include <pleiad/kernel/choice.hpp>
#include <pleiad/kernel/force_method.hpp>
#include <pleiad/precision.hpp>
#include <pleiad/radii.hpp>
#include <pleiad/snapshot.hpp>
#include <pleiad/user_force.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>

namespace pleiad {

namespace ranks {
/// Internal: messages between the ranks of a run.
class Communicator;  // src/ranks/communicator.hpp
}  // namespace ranks
namespace splat {  // core/splat.hpp
/// Internal: a view of the bodies (src/core/splat.hpp). ImagePlanes: the luminosity that each type of bodies
/// deposits on the pixels.
struct Request;
struct ImagePlane;
using ImagePlanes = std::array<ImagePlane, 6>;
}  // namespace splat

/// A description of an engine, for the header line of a run.
struct EngineDescription {
  std::string device;  ///< name of the processor's instruction set or of the GPU
  ForceMethod method{};
  bool others = false;         ///< in an ensemble: some systems have another method
  std::string precision, why;  ///< as name_of(Precision); the reason for the method
  int threads = 1;
  int gpus = 0;           ///< number of GPUs; 0: on the host
  std::size_t bytes = 0;  ///< bytes of memory for the state
  /// Ordered pairs in one evaluation; with a tree the pairs of bodies and of cells in the last evaluation.
  /// With block time steps the mean of all evaluations, of which each is of a set of bodies.
  double interactions_per_evaluation = 0;
  /// The exchange of positions and sums between the GPUs of ranks: "by NCCL 2.28.9", or "through the host"
  /// with the reason. Empty on one process.
  std::string exchange{};
  /// Number of test particles, bodies of mass 0 on all ranks, whose forces are computed apart from those of
  /// the bodies with mass, which they do not change. 0: there are none, or they are bodies like others.
  std::size_t test_particles = 0;

  /// Returns the method as text, as `pleiad run --kernel` accepts it.
  std::string kernel() const;
};

/// The bodies of an engine in the memory of its GPU: two arrays of n records, each of four numbers, in the
/// order of load.
struct DeviceState {
  int device = 0;  ///< the number of the GPU
  std::size_t n = 0;
  bool single = false;         ///< true: floats; false: doubles
  void* bodies = nullptr;      ///< x y z m; aligned to the record
  void* velocities = nullptr;  ///< x y z and an unused number
  /// Owner of the memory. Simulation sets it. Null: the memory is valid during the lifetime of the engine
  /// only.
  std::shared_ptr<const void> owner{};
};

/// The state of the bodies, with steps and diagnostics. Simulation makes its steps with it. Use it from one
/// thread at a time. Any call may throw ResourceError if a GPU or its memory fails; the state is then
/// undefined. On several ranks steps, and all functions that return sums, fields, samples or accelerations,
/// are collective: all ranks must call them in the same order.
class Engine {
 public:
  virtual ~Engine() = default;
  /// Replaces the state, copied from `bodies`, which must be valid (see validate). Stored forces and
  /// diagnostics are discarded.
  virtual void load(const Bodies& bodies) = 0;
  /// Makes `steps` equal steps of length plan.dt. The result does not depend on the division of steps into
  /// calls, bit for bit.
  virtual void advance(const StepPlan& plan, std::uint64_t steps) = 0;
  /// Tells the time of the present state, on which external potentials may depend; 0 if it was never told.
  /// Steps tell it themselves, by their plan.
  virtual void set_time(double) {}
  /// Announces that the potentials of the state after the next batch of steps, or of the present one, will be
  /// needed. An engine may compute them with the accelerations of that state. The result is the same, bit for
  /// bit.
  virtual void expect_potentials() {}
  /// Adds a user force to all evaluations of steps, instead of an earlier one; empty: none. Potentials and
  /// energies remain those without it. `time` is the time of the present state. UsageError if this engine
  /// does not support it.
  virtual void set_user_force(UserForce force, double time);
  /// Copies positions and velocities to `bodies`, which must have as many bodies as were loaded, in the order
  /// of load; also masses that were changed in device_state. O(N).
  virtual void copy_to_host(Bodies& bodies) = 0;
  /// Returns the memory of the bodies on the GPU, which may be read and written between steps. Waits until
  /// all steps are complete. The pointers are valid until a load of another number of bodies. Empty on the
  /// host and on several GPUs.
  virtual std::optional<DeviceState> device_state() { return {}; }
  /// Must be called after a write to the memory of device_state, before any other call. Waits for all work on
  /// the GPU, in any stream, and discards stored forces, as after a checkpoint.
  virtual void state_changed() {}
  /// Writes accelerations and potentials of mutual gravity in the present state, G included, to ax, ay, az
  /// and potential of the snapshot, which are resized.
  virtual void fields(Snapshot& snapshot) = 0;
  /// Sums over all bodies. Energies include those in external potentials. Makes a separate force evaluation,
  /// unless the potentials of this state are stored, so that diagnostics do not change the state.
  virtual Totals totals() = 0;
  Energies energies() { return totals().energies; }
  /// The energy that drags have given to the bodies (see counts_work), beginning with what set_work has told:
  /// negative where they have taken it. A sum of two doubles.
  virtual std::array<double, 2> work() const { return {}; }
  /// Tells the work up to the present state, that of a checkpoint for example.
  virtual void set_work(std::array<double, 2>) {}
  /// Density centre and Lagrangian radii of the present positions, with the masses as the engine stores them.
  /// Every engine gives the same bits, and so do lagrangian_radii and density_centre for the same bodies.
  virtual Radii radii() = 0;
  /// Starts to copy the present state, with accelerations and potentials of mutual gravity if `fields`. The
  /// returned function waits for the copy and writes it to a snapshot with as many bodies. Call it at most
  /// once, in any thread, before the engine is destroyed; the engine may make steps meanwhile. The engine
  /// keeps the memory of the copy, about that of positions and velocities, for the next one.
  virtual std::function<void(Snapshot&)> begin_copy(bool fields) = 0;
  /// Starts to deposit the luminosities of the present bodies on image planes. The returned function waits
  /// for the result; call it at most once, in any thread; the engine may make steps meanwhile. Engines with
  /// bodies on the host, and those of several ranks, return an empty function: pictures are then drawn from a
  /// copy.
  virtual std::function<splat::ImagePlanes()> begin_image_planes(const splat::Request& request);
  /// Accelerations of the bodies with the indices `chosen`, by the solvers of the steps and of the energies;
  /// `exact` stays empty. The state does not change.
  virtual SampledAccelerations computed_accelerations(std::span<const std::size_t> chosen) = 0;
  /// Accelerations of the bodies with the indices `chosen` by direct sums in double precision, from the
  /// positions as the engine stores them. O(N) for each.
  virtual std::vector<Vec3<double>> exact_accelerations(std::span<const std::size_t> chosen) = 0;
  /// Computed and exact accelerations of the bodies with the indices `chosen`.
  SampledAccelerations sampled_accelerations(std::span<const std::size_t> chosen) {
    auto accelerations = computed_accelerations(chosen);
    accelerations.exact = exact_accelerations(chosen);
    return accelerations;
  }
  /// As exact_accelerations, but from the positions in `bodies`; on several ranks these are the bodies of
  /// this rank.
  virtual std::vector<Vec3<double>> exact_accelerations_of(const Bodies& bodies,
                                                           std::span<const std::size_t> chosen) = 0;
  /// Rounding errors of exact accelerations of the bodies of a sample: see rounding_of. `bodies` returns the
  /// bodies of this engine; it is called only if some pulls may cancel.
  virtual std::vector<double> rounding_of_exact(const std::function<const Bodies&()>& bodies,
                                                const Sample& sample,
                                                std::span<const Vec3<double>> exact) = 0;
  /// Draws a sample of at most `most` bodies. `bodies` are those of this engine; on several ranks the sample
  /// is one of all bodies.
  virtual Sample sample(const Bodies& bodies, std::size_t most) { return sample_of(bodies, most); }
  /// Number of bodies on all ranks, of which `own` are on this one.
  virtual std::size_t on_all_ranks(std::size_t own) const { return own; }
  /// The length of the next adaptive step, shared by all bodies: eta min_i sqrt(eps / |a_i|), for Hermite
  /// Aarseth's criterion, for Gauss-Radau that of its errors. Not shortened for outputs. Evaluates forces if
  /// those of the present state are not stored.
  virtual double suggest_dt(const Integrator& integrator, double eta) = 0;
  /// Returns whether all positions and velocities are finite.
  virtual bool finite() = 0;
  /// Changes the sign of all velocities.
  virtual void reverse_velocities() = 0;
  /// Keeps positions and velocities of the present state. The returned function puts them back and discards
  /// stored forces, so that later steps have the bits of steps that were made at once. Call it at most once,
  /// before a load.
  virtual std::function<void()> keep_state() = 0;
  /// Switches to another method from the next evaluation on, and discards stored forces, as after a
  /// checkpoint. UsageError if this engine cannot switch.
  virtual void retune(const ForceMethod& method);
  /// The device, method, precision and memory of this engine.
  virtual EngineDescription describe() const = 0;
  /// Number of force evaluations since the engine was made.
  virtual std::uint64_t evaluations() const = 0;
};

/// Options that select the engine of a problem, and determine its steps, bit for bit.
struct EngineOptions {
  Precision precision = Precision::mixed;
  std::string backend = "auto";         ///< "auto", "cpu" or "cuda"
  std::optional<ForceMethod> method{};  ///< unset: the best one, from a table
  std::string why = "asked for";        ///< the reason for a method given by name
  int threads = 0;                      ///< number of threads of this engine; 0: all of the process
  int gpus = 1;                         ///< maximum number of GPUs; 0: as many as make it faster
  /// Whether ranks with a GPU each distribute the tree: see DivideTree.
  DivideTree divide_tree = DivideTree::automatic;
  /// The integrator of the steps, of which some need bodies or jerks in double precision. Null: one that does
  /// not.
  const Integrator* integrator = nullptr;
  bool particles_limit_step = false;  ///< see Method
  bool symmetric_steps = false;       ///< see Method
  BlockSteps blocks{};                ///< of integrators that have them: see Method
  /// Null: one process. Else the communicator of a run on several ranks, which must outlive the engine.
  /// Bodies are then those of this rank, and all sums are over the bodies of all ranks.
  ranks::Communicator* ranks = nullptr;
};

/// Makes the engine of these options, and copies the bodies, which must be valid (see validate). UsageError
/// for options that do not fit the problem or each other, ResourceError if memory or GPUs are missing.
std::unique_ptr<Engine> make_engine(const Bodies& bodies, const Gravity& gravity,
                                    const EngineOptions& options);
/// Bytes of memory that make_engine needs for n bodies, without those of a tree; ResourceError on overflow.
std::size_t engine_bytes(std::size_t n, const EngineOptions& options);

}  // namespace pleiad
