#include "core/threads.hpp"

#include <pleiad/bodies.hpp>
#include <pleiad/error.hpp>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <unordered_set>

#include <fmt/format.h>
#include <xxhash.h>

namespace pleiad {

void Bodies::resize(std::size_t n) {
  for (auto* a : {&x, &y, &z, &vx, &vy, &vz, &mass}) a->resize(n);
  id.resize(n);
  type.resize(n, Type::halo);
}

void Bodies::reserve(std::size_t n) {
  for (auto* a : {&x, &y, &z, &vx, &vy, &vz, &mass}) a->reserve(n);
  id.reserve(n);
  type.reserve(n);
}

void Bodies::add(double m, Vec3<double> p, Vec3<double> v, Type t) {
  id.push_back(size());
  x.push_back(p.x), y.push_back(p.y), z.push_back(p.z);
  vx.push_back(v.x), vy.push_back(v.y), vz.push_back(v.z);
  mass.push_back(m);
  type.push_back(t);
}

void Bodies::append(const Bodies& other) {
  const std::uint64_t first = empty() ? 0 : *std::max_element(id.begin(), id.end()) + 1;
  const auto join = [](auto& a, const auto& b) { a.insert(a.end(), b.begin(), b.end()); };
  join(x, other.x), join(y, other.y), join(z, other.z);
  join(vx, other.vx), join(vy, other.vy), join(vz, other.vz);
  join(mass, other.mass), join(type, other.type);
  for (std::size_t i = 0; i < other.size(); ++i) id.push_back(first + i);
}

namespace {
struct Moments {
  double mass = 0;
  Vec3<double> position{}, velocity{};
  Moments& operator+=(const Moments& o) {
    mass += o.mass, position += o.position, velocity += o.velocity;
    return *this;
  }
};
}  // namespace

CentreOfMass centre_of_mass(const Bodies& b) {
  const auto sum = blocked_sum<Moments>(b.size(), [&](std::size_t begin, std::size_t end) {
    Moments s;
    for (std::size_t i = begin; i < end; ++i) {
      s.mass += b.mass[i];
      s.position += b.mass[i] * b.position(i);
      s.velocity += b.mass[i] * b.velocity(i);
    }
    return s;
  });
  if (!(sum.mass > 0)) return {};
  return {sum.mass, sum.position * (1 / sum.mass), sum.velocity * (1 / sum.mass)};
}

void move_to_centre_of_mass(Bodies& b) {
  const auto centre = centre_of_mass(b);
  for (std::size_t i = 0; i < b.size(); ++i) {
    b.x[i] -= centre.position.x, b.y[i] -= centre.position.y, b.z[i] -= centre.position.z;
    b.vx[i] -= centre.velocity.x, b.vy[i] -= centre.velocity.y, b.vz[i] -= centre.velocity.z;
  }
}

std::array<std::size_t, 2> coincident_pair(const Bodies& b) {
  const std::size_t n = b.size();
  std::vector<std::size_t> order(n);
  std::iota(order.begin(), order.end(), std::size_t{0});
  const auto key = [&](std::size_t i) { return std::array{b.x[i], b.y[i], b.z[i]}; };
  std::sort(order.begin(), order.end(), [&](std::size_t i, std::size_t j) {
    const auto a = key(i), c = key(j);
    return a != c ? a < c : i < j;
  });
  for (std::size_t k = 1; k < n; ++k)
    if (key(order[k - 1]) == key(order[k])) return {order[k - 1], order[k]};
  return {n, n};
}

namespace {
/// The first index at which `bad` holds and how often, as an error.
template <class Bad, class Value>
void refuse(std::size_t n, std::string_view origin, std::string_view what, Bad bad, Value value,
            std::string_view right) {
  std::size_t first = n, count = 0;
  for (std::size_t i = 0; i < n; ++i)
    if (bad(i)) {
      if (count++ == 0) first = i;
    }
  if (count > 0)
    throw InputError(fmt::format("{}: body {} has {} {}{}; {}", origin, first, what, value(first),
                                 count > 1 ? fmt::format(" (and {} more bodies)", count - 1) : "", right));
}
}  // namespace

void validate(const Bodies& b, double eps, std::string_view origin) {
  const std::size_t n = b.size();
  if (n == 0) throw InputError(fmt::format("{}: there are no bodies; a run needs at least one", origin));
  for (const auto* a : {&b.x, &b.y, &b.z, &b.vx, &b.vy, &b.vz})
    if (a->size() != n)
      throw InputError(fmt::format("{}: arrays of {} and {} entries; all must have the same length", origin,
                                   n, a->size()));
  if (b.id.size() != n || b.type.size() != n)
    throw InputError(
        fmt::format("{}: {} ids and {} types for {} bodies", origin, b.id.size(), b.type.size(), n));
  const auto check = [&](std::string_view name, const std::vector<double>& a, double limit) {
    refuse(
        n, origin, name, [&](std::size_t i) { return !(std::abs(a[i]) <= limit); },
        [&](std::size_t i) { return fmt::format("= {}", a[i]); },
        fmt::format("it must be finite and at most {:g} in size", limit));
  };
  check("x", b.x, 1e18), check("y", b.y, 1e18), check("z", b.z, 1e18);
  check("vx", b.vx, 1e30), check("vy", b.vy, 1e30), check("vz", b.vz, 1e30);
  refuse(
      n, origin, "mass", [&](std::size_t i) { return !(b.mass[i] >= 0 && b.mass[i] <= 1e300); },
      [&](std::size_t i) { return fmt::format("= {}", b.mass[i]); },
      "masses must be finite and >= 0 (0: a test particle)");
  if (std::all_of(b.mass.begin(), b.mass.end(), [](double m) { return m == 0; }))
    throw InputError(fmt::format("{}: all {} masses are 0; at least one body must have mass", origin, n));
  std::unordered_set<std::uint64_t> seen(n * 2);
  for (std::size_t i = 0; i < n; ++i)
    if (!seen.insert(b.id[i]).second)
      throw InputError(fmt::format("{}: body {} repeats the id {}; ids must be unique", origin, i, b.id[i]));
  if (eps == 0) {
    const auto [i, j] = coincident_pair(b);
    if (i < n)
      throw InputError(
          fmt::format("{}: bodies {} and {} are at the same position ({}, {}, {}); without softening their "
                      "force is not defined",
                      origin, i, j, b.x[i], b.y[i], b.z[i]));
  }
}

std::string state_hash(const Bodies& b) {
  XXH3_state_t* state = XXH3_createState();
  XXH3_128bits_reset(state);
  XXH3_128bits_update(state, b.id.data(), b.id.size() * sizeof(std::uint64_t));
  for (const auto* a : {&b.x, &b.y, &b.z, &b.vx, &b.vy, &b.vz, &b.mass})
    XXH3_128bits_update(state, a->data(), a->size() * sizeof(double));
  const auto hash = XXH3_128bits_digest(state);
  XXH3_freeState(state);
  return fmt::format("{:016x}{:016x}", hash.high64, hash.low64);
}

}  // namespace pleiad
