/// Radii of bodies, for collisions.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>

namespace pleiad::encounters {

/// The radius of each body: one that is stated for its id, else that of its mass and a density, else one for
/// all. Merged bodies keep the sum of the volumes.
class Radii {
 public:
  Radii() = default;
  /// `radius`: of all bodies that have no other; `density`: > 0: of bodies with mass, of which it gives the
  /// volumes. `stated`: by id.
  Radii(double radius, double density, std::map<std::uint64_t, double> stated)
      : radius_(radius), density_(density), stated_(std::move(stated)) {}

  /// Whether any body can have one.
  bool any() const { return radius_ > 0 || density_ > 0 || !stated_.empty(); }
  double of(std::uint64_t id, double mass) const;
  const std::map<std::uint64_t, double>& stated() const { return stated_; }
  /// From now on this is the radius of a body.
  void set(std::uint64_t id, double radius) { stated_[id] = radius; }
  /// The body is no longer there.
  void forget(std::uint64_t id) { stated_.erase(id); }

  /// Those by id as text, in full precision, and back. InputError, which begins with `where`, for a text that
  /// is no such text.
  std::string text() const;
  void restore(const std::string& text, std::string_view where);

 private:
  double radius_ = 0, density_ = 0;
  std::map<std::uint64_t, double> stated_;
};

}  // namespace pleiad::encounters
