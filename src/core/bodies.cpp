#include "core/moments.hpp"
#include "core/part.hpp"
#include "core/room.hpp"
#include "core/state_hash.hpp"
#include "core/threads.hpp"

#include <pleiad/bodies.hpp>
#include <pleiad/error.hpp>

#include <algorithm>
#include <bit>
#include <cmath>
#include <functional>
#include <mutex>
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
}

void append_part(Bodies& to, const Bodies& all, std::size_t from, std::size_t n) {
  auto& [x, y, z, vx, vy, vz, mass, id, type, low] = to;
  const auto& [ax, ay, az, avx, avy, avz, amass, aid, atype, alow] = all;
  const auto add = [&](auto& into, const auto& values) {
    if (values.empty()) return;
    const auto begin = values.begin() + static_cast<std::ptrdiff_t>(from);
    into.insert(into.end(), begin, begin + static_cast<std::ptrdiff_t>(n));
  };
  if (!alow.empty()) low.resize(mass.size()), add(low, alow);
  else if (!low.empty()) low.resize(mass.size() + n);
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

namespace {

using Place = std::array<double, 3>;
Place place_of(const Bodies& b, std::size_t i) { return {b.x[i], b.y[i], b.z[i]}; }

/// Another number for every number.
std::uint64_t mixed(std::uint64_t bits) {
  bits = (bits ^ bits >> 32) * 0xd6e8feb86659fd93U;
  bits = (bits ^ bits >> 32) * 0x9e3779b97f4a7c15U;
  return bits ^ bits >> 32;
}

/// Equal for equal places, of which 0 and -0 are one.
std::uint64_t hash_of_place(const Place& at) {
  std::uint64_t hash = 0;
  for (const double v : at) hash = mixed(hash ^ std::bit_cast<std::uint64_t>(v + 0.0));
  return hash;
}

struct Hashed {
  std::uint64_t hash;
  std::size_t body;
  auto operator<=>(const Hashed&) const = default;
};
using Run = std::span<const Hashed>;

/// Calls `work` with the bodies of every hash that two or more have, in their order; on all threads. Bodies
/// are sorted in parts that a thread's cache holds.
void for_equal(std::size_t n, const std::function<std::uint64_t(std::size_t)>& hash_of,
               const std::function<void(Run)>& work) {
  constexpr std::size_t block = 65536;
  const std::size_t parts = std::bit_ceil(std::clamp<std::size_t>(n / 4096, 1, 4096));
  std::vector<std::vector<std::size_t>> places((n + block - 1) / block);
  const auto in_block = [&](std::size_t k, const auto& each) {
    for (std::size_t i = k * block; i < std::min(n, (k + 1) * block); ++i) each(Hashed{hash_of(i), i});
  };
  parallel_for(places.size(), [&](std::size_t k) {
    places[k].resize(parts);
    in_block(k, [&](const Hashed& h) { ++places[k][h.hash & (parts - 1)]; });
  });
  std::vector<std::size_t> begins(parts + 1, n);
  for (std::size_t part = 0, place = 0; part < parts; ++part) {
    begins[part] = place;
    for (auto& counts : places) place += std::exchange(counts[part], place);
  }
  std::vector<Hashed> all(n);
  parallel_for(places.size(), [&](std::size_t k) {
    in_block(k, [&](const Hashed& h) { all[places[k][h.hash & (parts - 1)]++] = h; });
  });
  parallel_for(parts, [&](std::size_t part) {
    const auto some = std::span(all).subspan(begins[part], begins[part + 1] - begins[part]);
    std::ranges::sort(some);
    for (std::size_t begin = 0, end = 0; begin < some.size(); begin = end) {
      while (end < some.size() && some[end].hash == some[begin].hash) ++end;
      if (end - begin > 1) work(some.subspan(begin, end - begin));
    }
  });
}

}  // namespace

std::array<std::size_t, 2> coincident_pair(const Bodies& b) {
  using Pair = std::array<std::size_t, 2>;
  const Pair none{b.size(), b.size()};
  // The place that is the first along x, then y, then z, and the first two of those there.
  const auto before = [&](const Pair& p, const Pair& q) {
    if (p == none || q == none) return p != none && q == none;
    return std::pair(place_of(b, p[0]), p) < std::pair(place_of(b, q[0]), q);
  };
  Pair first = none;
  std::mutex mutex;
  for_equal(
      b.size(), [&](std::size_t i) { return hash_of_place(place_of(b, i)); },
      [&](Run run) {
        for (auto one = run.begin(); one != run.end(); ++one)
          for (auto other = one + 1; other != run.end(); ++other)
            if (place_of(b, one->body) == place_of(b, other->body)) {
              const std::lock_guard lock(mutex);
              if (const Pair pair{one->body, other->body}; before(pair, first)) first = pair;
              return;
            }
      });
  return first;
}

namespace {
/// The first index at which `bad` holds and how often, as an error.
template <class Bad, class Value>
void refuse(std::size_t n, std::string_view origin, std::string_view what, Bad bad, Value value,
            std::string_view right) {
  struct Found {
    std::size_t first, count = 0;
    Found& operator+=(const Found& later) {
      if (count == 0) first = later.first;
      count += later.count;
      return *this;
    }
  };
  const auto found = blocked_sum<Found>(n, [&](std::size_t begin, std::size_t end) {
    Found here{};
    for (std::size_t i = begin; i < end; ++i)
      if (bad(i) && here.count++ == 0) here.first = i;
    return here;
  });
  if (const auto [first, count] = found; count > 0)
    throw InputError(fmt::format("{}: body {} has {} {}{}; {}", origin, first, what, value(first),
                                 count > 1 ? fmt::format(" (and {} more bodies)", count - 1) : "", right));
}

void need_unique_ids(const Bodies& b, std::string_view origin) {
  // Most files and all models count.
  const auto falls = [&](std::size_t begin, std::size_t end) {
    std::size_t count = 0;
    for (std::size_t i = std::max<std::size_t>(begin, 1); i < end; ++i) count += b.id[i] <= b.id[i - 1];
    return count;
  };
  if (blocked_sum<std::size_t>(b.size(), falls) == 0) return;
  std::size_t first = b.size();  // that repeats one before it
  std::mutex mutex;
  for_equal(
      b.size(), [&](std::size_t i) { return mixed(b.id[i]); },
      [&](Run run) {
        const std::lock_guard lock(mutex);
        first = std::min(first, run[1].body);
      });
  if (first < b.size())
    throw InputError(
        fmt::format("{}: body {} repeats the id {}; ids must be unique", origin, first, b.id[first]));
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
  need_unique_ids(b, origin);
  if (eps == 0) {
    const auto [i, j] = coincident_pair(b);
    if (i < n)
      throw InputError(
          fmt::format("{}: bodies {} and {} are at the same position ({}, {}, {}); without softening their "
                      "force is not defined",
                      origin, i, j, b.x[i], b.y[i], b.z[i]));
  }
}

void need_flat(const Bodies& b, std::string_view origin) {
  for (std::size_t i = 0; i < b.size(); ++i)
    if (b.z[i] != 0 || b.vz[i] != 0)
      throw InputError(fmt::format("{}: body {} has z = {}, vz = {}; in two dimensions both must be 0",
                                   origin, i, b.z[i], b.vz[i]));
}

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
