/// An engine owns the bodies and executes steps: on the host, a GPU, several GPUs, or several machines.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <pleiad/accuracy.hpp>
#include <pleiad/bodies.hpp>
#include <pleiad/gravity.hpp>
#include <pleiad/integrator.hpp>
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

namespace splat {  // core/splat.hpp
struct Request;
struct Layer;
using Layers = std::array<Layer, 6>;
}  // namespace splat

/// How the bodies are advanced; the engine may fuse, capture and replay whatever is asked for in one batch.
struct StepPlan {
  const Integrator* integrator = nullptr;
  double dt = 0;
  double damping = 1;  ///< velocities are multiplied by it after each step's kick (semi-implicit Euler only)
  double time = 0;     ///< at the start, for a user's own force
};

/// What the header line says.
struct EngineDescription {
  std::string device;
  ForceMethod method{};
  bool others = false;  ///< of an ensemble: not all of its systems have this method
  std::string precision, why;
  int threads = 1;
  int gpus = 0;           ///< 0: on the host
  std::size_t bytes = 0;  ///< memory for the state
  /// Ordered pairs; of a tree those of bodies and of cells in the last evaluation.
  double interactions_per_evaluation = 0;

  /// The method's text, for whoever reads it.
  std::string kernel() const;
};

class Engine {
 public:
  virtual ~Engine() = default;
  /// Replaces the state.
  virtual void load(const Bodies& bodies) = 0;
  /// `steps` equal steps.
  virtual void advance(const StepPlan& plan, std::uint64_t steps) = 0;
  /// The state after the next batch of steps will be asked for potentials: an engine may find them together
  /// with the last accelerations of that batch. No bit depends on it.
  virtual void expect_potentials() {}
  /// Adds a force of the user's own to all evaluations that make steps; potentials and energies stay those of
  /// gravity. `time`: of the present state. UsageError when this engine cannot.
  virtual void set_user_force(UserForce force, double time);
  /// Positions and velocities into `bodies`, in the order of load.
  virtual void copy_to_host(Bodies& bodies) = 0;
  /// Accelerations and potentials (G included) of the present state into the snapshot's arrays.
  virtual void fields(Snapshot& snapshot) = 0;
  /// With a force evaluation of its own, so that diagnostics change nothing.
  virtual Totals totals() = 0;
  Energies energies() { return totals().energies; }
  /// Of the present positions and of masses as the engine has them; the same bits in every engine, and as
  /// lagrangian_radii and density_centre of such bodies.
  virtual Radii radii() = 0;
  /// Starts to copy the present state, with accelerations and potentials when `fields`. What is returned
  /// waits for the copy and writes it into a snapshot of this size; it is called at most once, in any thread,
  /// while this engine steps on and before it ends. The memory for one copy is kept for the next.
  virtual std::function<void(Snapshot&)> begin_copy(bool fields) = 0;
  /// Starts to lay what the bodies shed on a picture as they are now. What is returned waits for it: called
  /// once, in any thread, while this engine steps on. Empty from an engine whose bodies are on the host,
  /// where pictures are drawn from a copy.
  virtual std::function<splat::Layers()> begin_layers(const splat::Request& request);
  /// Of the forces that move the chosen bodies now, and of direct sums in double precision. Diagnostics
  /// change nothing.
  virtual SampledAccelerations sampled_accelerations(std::span<const std::size_t> chosen) = 0;
  /// The adaptive shared step: eta min_i sqrt(eps / |a_i|), for Hermite Aarseth's criterion; not limited by
  /// any output time.
  virtual double suggest_dt(const Integrator& integrator, double eta) = 0;
  /// False as soon as any position or velocity is not finite.
  virtual bool finite() = 0;
  virtual void reverse_velocities() = 0;
  /// Another method from the next evaluation on; what was kept of the last one is forgotten, as after a
  /// checkpoint. UsageError when this engine cannot.
  virtual void retune(const ForceMethod& method);
  virtual EngineDescription describe() const = 0;
  virtual std::uint64_t evaluations() const = 0;
};

struct EngineOptions {
  Precision precision = Precision::mixed;
  std::string backend = "auto";         ///< "auto", "cpu" or "cuda"
  std::optional<ForceMethod> method{};  ///< none: the best one, by a table
  std::string why = "asked for";        ///< the reason for a method that is named
  int threads = 0;                      ///< of this engine alone; 0: all that the process may use
  int gpus = 1;                         ///< the most that may be used; 0: as many as make it faster
  bool jerks = false;                   ///< the integrator needs jerks (Hermite)
};

std::unique_ptr<Engine> make_engine(const Bodies& bodies, const Gravity& gravity,
                                    const EngineOptions& options);
/// Bytes that make_engine will take for n bodies; throws ResourceError on overflow.
std::size_t engine_bytes(std::size_t n, const EngineOptions& options);

}  // namespace pleiad
