/// An engine owns the bodies and executes steps: on the host, on one GPU or on several GPUs.
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
class Communicator;  // src/ranks/communicator.hpp
}
namespace splat {  // core/splat.hpp
struct Request;
struct ImagePlane;
using ImagePlanes = std::array<ImagePlane, 6>;
}  // namespace splat

/// A description of an engine, for the header line of a run.
struct EngineDescription {
  std::string device;
  ForceMethod method{};
  bool others = false;  ///< of an ensemble: some of its systems have another method
  std::string precision, why;
  int threads = 1;
  int gpus = 0;           ///< 0: on the host
  std::size_t bytes = 0;  ///< memory for the state
  /// Ordered pairs; with a tree the pairs of bodies and of cells in the last evaluation.
  double interactions_per_evaluation = 0;
  /// How positions and sums travel between the GPUs of ranks: "by NCCL 2.28.9", or "through the host" with
  /// the reason. Empty without.
  std::string exchange{};

  /// The method as text, as `pleiad run --kernel` accepts it.
  std::string kernel() const;
};

/// The bodies of an engine in the memory of its GPU: two arrays of n records, each of four numbers.
struct DeviceState {
  int device = 0;  ///< the number of the GPU
  std::size_t n = 0;
  bool single = false;         ///< true: floats; false: doubles
  void* bodies = nullptr;      ///< x y z m
  void* velocities = nullptr;  ///< x y z and an unused number
  /// Keeps the memory. Simulation sets it: an engine keeps it for its own lifetime only.
  std::shared_ptr<const void> owner{};
};

/// The bodies where they are computed, and what is asked of them. Simulation makes the steps with it; one
/// thread at a time uses it. Any call throws ResourceError if a GPU fails.
class Engine {
 public:
  virtual ~Engine() = default;
  /// Replaces the state.
  virtual void load(const Bodies& bodies) = 0;
  /// Makes `steps` equal steps.
  virtual void advance(const StepPlan& plan, std::uint64_t steps) = 0;
  /// Announces that the potentials of the state after the next batch of steps, or of the present one, will be
  /// needed. An engine may compute them with the accelerations of that state. The bits do not depend on it.
  virtual void expect_potentials() {}
  /// Adds a user force to all evaluations of steps; potentials and energies remain those without it. `time`
  /// is that of the present state. UsageError if this engine does not support it.
  virtual void set_user_force(UserForce force, double time);
  /// Positions and velocities into `bodies`, in the order of load, and masses that were changed in
  /// device_state.
  virtual void copy_to_host(Bodies& bodies) = 0;
  /// Where the bodies are, to be read and written between steps; waits until they are there. The pointers are
  /// valid until a load of another number of bodies. Empty on the host and on several GPUs.
  virtual std::optional<DeviceState> device_state() { return {}; }
  /// What was written to that memory is the state from now on. Waits for all that is queued on the GPU, in
  /// any stream, and discards stored forces, as after a checkpoint.
  virtual void state_changed() {}
  /// Writes accelerations and potentials (G included) of mutual gravity in the present state to the
  /// snapshot's arrays.
  virtual void fields(Snapshot& snapshot) = 0;
  /// Energies have those in external potentials. Makes a separate force evaluation, so that diagnostics do
  /// not change the state.
  virtual Totals totals() = 0;
  Energies energies() { return totals().energies; }
  /// Radii of the present positions, with the masses as the engine stores them. Every engine gives the same
  /// bits, and so do lagrangian_radii and density_centre for the same bodies.
  virtual Radii radii() = 0;
  /// Starts to copy the present state, with accelerations and potentials of mutual gravity if `fields`. The
  /// returned function waits for the copy and writes it to a snapshot of this size. Call it at most once, in
  /// any thread, before the engine is destroyed; the engine may step meanwhile. The memory of a copy is kept
  /// for the next.
  virtual std::function<void(Snapshot&)> begin_copy(bool fields) = 0;
  /// Starts to project the light of the present bodies onto a picture. The returned function waits for the
  /// result; call it once, in any thread; the engine may step meanwhile. Engines with bodies on the host,
  /// and those of several ranks, return an empty function: there pictures are drawn from a copy.
  virtual std::function<splat::ImagePlanes()> begin_image_planes(const splat::Request& request);
  /// Accelerations of the chosen bodies by the solvers of the steps and of the energies; `exact` stays empty.
  /// The state does not change.
  virtual SampledAccelerations computed_accelerations(std::span<const std::size_t> chosen) = 0;
  /// The same by direct sums in double precision, from the positions as the engine stores them.
  virtual std::vector<Vec3<double>> exact_accelerations(std::span<const std::size_t> chosen) = 0;
  /// Both.
  SampledAccelerations sampled_accelerations(std::span<const std::size_t> chosen) {
    auto accelerations = computed_accelerations(chosen);
    accelerations.exact = exact_accelerations(chosen);
    return accelerations;
  }
  /// The same as exact_accelerations from other positions of these bodies; of several ranks from those of
  /// this rank's.
  virtual std::vector<Vec3<double>> exact_accelerations_of(const Bodies& bodies,
                                                           std::span<const std::size_t> chosen) = 0;
  /// How far such sums of the bodies of a sample may be off. `bodies` gives those of this engine; it is
  /// called where some pulls may cancel.
  virtual std::vector<double> rounding_of_exact(const std::function<const Bodies&()>& bodies,
                                                const Sample& sample,
                                                std::span<const Vec3<double>> exact) = 0;
  /// A sample of at most so many bodies. `bodies`: those of this engine; of several ranks all are drawn from.
  virtual Sample sample(const Bodies& bodies, std::size_t most) { return sample_of(bodies, most); }
  /// How many bodies there are on all ranks, of which `own` are this one's.
  virtual std::size_t on_all_ranks(std::size_t own) const { return own; }
  /// The adaptive shared step: eta min_i sqrt(eps / |a_i|), for Hermite Aarseth's criterion; without regard
  /// to output times.
  virtual double suggest_dt(const Integrator& integrator, double eta) = 0;
  /// False as soon as any position or velocity is not finite.
  virtual bool finite() = 0;
  virtual void reverse_velocities() = 0;
  /// Keeps positions and velocities of the present state. The returned function puts them back and discards
  /// stored forces, so that later steps have the bits of steps that were made at once. Call it at most once,
  /// before a load.
  virtual std::function<void()> keep_state() = 0;
  /// Switches to another method from the next evaluation on, and discards stored forces, as after a
  /// checkpoint. UsageError if this engine cannot switch.
  virtual void retune(const ForceMethod& method);
  virtual EngineDescription describe() const = 0;
  virtual std::uint64_t evaluations() const = 0;
};

/// What decides which engine a problem gets, and the bits of its steps.
struct EngineOptions {
  Precision precision = Precision::mixed;
  std::string backend = "auto";         ///< "auto", "cpu" or "cuda"
  std::optional<ForceMethod> method{};  ///< none: the best one, from a table
  std::string why = "asked for";        ///< the reason for a method given by name
  int threads = 0;                      ///< for this engine only; 0: all of the process
  int gpus = 1;                         ///< maximum number of GPUs; 0: as many as make it faster
  DivideTree divide_tree = DivideTree::automatic;
  bool jerks = false;  ///< the integrator needs jerks (Hermite)
  /// Null, or the other ranks of a run. Bodies are then those of this rank, and all that an engine sums is
  /// summed over all ranks.
  ranks::Communicator* ranks = nullptr;
};

/// The engine of these options, with the bodies. UsageError for options that do not fit the problem or each
/// other, ResourceError without the memory or the GPUs.
std::unique_ptr<Engine> make_engine(const Bodies& bodies, const Gravity& gravity,
                                    const EngineOptions& options);
/// Bytes that make_engine needs for n bodies; ResourceError on overflow.
std::size_t engine_bytes(std::size_t n, const EngineOptions& options);

}  // namespace pleiad
