#include "core/moments.hpp"
#include "core/part.hpp"
#include "core/room.hpp"
#include "core/state_hash.hpp"
#include "core/threads.hpp"

#include <pleiad/bodies.hpp>

#include <algorithm>
#include <functional>
#include <span>
#include <utility>

#include <fmt/format.h>
#include <xxhash.h>

namespace pleiad {
namespace {

constexpr std::array reals{&Bodies::x,  &Bodies::y,  &Bodies::z,   &Bodies::vx,
                           &Bodies::vy, &Bodies::vz, &Bodies::mass};

/// Calls `real(k)` for each of `reals`, and the others. To take fresh memory costs more than to fill it: each
/// array of many bodies is one thread's.
void for_arrays(std::size_t n, const std::function<void(std::size_t)>& real, const std::function<void()>& id,
                const std::function<void()>& type) {
  const auto one = [&](std::size_t k) {
    if (k < reals.size()) real(k);
    else if (k == reals.size()) id();
    else type();
  };
  constexpr std::size_t few = 65536, arrays = reals.size() + 2;
  if (n > few) return parallel_for(arrays, one);
  for (std::size_t k = 0; k < arrays; ++k) one(k);
}

}  // namespace

void Bodies::resize(std::size_t n) {
  for_arrays(
      n, [&](std::size_t k) { resize_at_once(this->*reals[k], n); }, [&] { resize_at_once(id, n); },
      [&] { type.resize(n, Type::halo); });
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
  for_arrays(
      other.size(), [&](std::size_t k) { join(this->*reals[k], other.*reals[k]); },
      [&] {
        for (std::size_t i = 0; i < other.size(); ++i) id.push_back(first + i);
      },
      [&] { join(type, other.type); });
  if (softening.size() + other.size() == size() && other.softening.size() == other.size())
    join(softening, other.softening);
  else softening.clear();
}

void append_part(Bodies& to, const Bodies& all, std::size_t from, std::size_t n) {
  auto& [x, y, z, vx, vy, vz, mass, id, type, low, series, softening] = to;
  const auto& [ax, ay, az, avx, avy, avz, amass, aid, atype, alow, aseries, asoftening] = all;
  const auto add = [&](auto& into, const auto& values) {
    if (values.empty()) return;
    const auto begin = values.begin() + static_cast<std::ptrdiff_t>(from);
    into.insert(into.end(), begin, begin + static_cast<std::ptrdiff_t>(n));
  };
  const auto add_optional = [&](auto& into, const auto& values) {
    if (!values.empty()) into.resize(mass.size()), add(into, values);
    else if (!into.empty()) into.resize(mass.size() + n);
  };
  add_optional(low, alow), add_optional(series, aseries), add_optional(softening, asoftening);
  add(x, ax), add(y, ay), add(z, az), add(vx, avx), add(vy, avy), add(vz, avz);
  add(mass, amass), add(id, aid), add(type, atype);
}

Bodies first_of(const Bodies& all, std::size_t n) {
  Bodies some;
  append_part(some, all, 0, std::min(n, all.size()));
  return some;
}

std::vector<Moments> moments_of_blocks(const Bodies& b) {
  return block_sums<Moments>(b.size(), [&](std::size_t begin, std::size_t end) {
    Moments s;
    for (std::size_t i = begin; i < end; ++i) {
      s.mass += b.mass[i];
      s.position += b.mass[i] * b.position(i);
      s.velocity += b.mass[i] * b.velocity(i);
    }
    return s;
  });
}

CentreOfMass centre_of(std::vector<Moments> blocks) {
  const auto sum = tree_sum(std::move(blocks));
  if (!(sum.mass > 0)) return {};
  return {sum.mass, sum.position * (1 / sum.mass), sum.velocity * (1 / sum.mass)};
}

CentreOfMass centre_of_mass(const Bodies& b) { return centre_of(moments_of_blocks(b)); }

void move_to(const CentreOfMass& centre, Bodies& b) {
  for_blocks(b.size(), [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      b.x[i] -= centre.position.x, b.y[i] -= centre.position.y, b.z[i] -= centre.position.z;
      b.vx[i] -= centre.velocity.x, b.vy[i] -= centre.velocity.y, b.vz[i] -= centre.velocity.z;
    }
  });
}

void move_to_centre_of_mass(Bodies& b) { move_to(centre_of_mass(b), b); }

StateHash::StateHash() : state_(XXH3_createState()) { XXH3_128bits_reset(state_); }
StateHash::~StateHash() { XXH3_freeState(state_); }
void StateHash::add(std::string_view bytes) { XXH3_128bits_update(state_, bytes.data(), bytes.size()); }
std::string StateHash::text() const {
  const auto hash = XXH3_128bits_digest(state_);
  return fmt::format("{:016x}{:016x}", hash.high64, hash.low64);
}

std::string state_hash(const Bodies& b) {
  StateHash hash;
  const auto add = [&](const auto& values) {
    const auto bytes = std::as_bytes(std::span(values));
    hash.add({reinterpret_cast<const char*>(bytes.data()), bytes.size()});
  };
  add(b.id);
  for (const auto* a : {&b.x, &b.y, &b.z, &b.vx, &b.vy, &b.vz, &b.mass}) add(*a);
  return hash.text();
}

}  // namespace pleiad
