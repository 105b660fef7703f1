#include <pleiad/rng.hpp>

#include <cmath>
#include <numbers>

namespace pleiad {

std::array<std::uint32_t, 4> philox4x32(std::array<std::uint32_t, 4> c, std::array<std::uint32_t, 2> key) {
  for (int round = 0; round < 10; ++round) {
    const std::uint64_t p = std::uint64_t{0xD2511F53} * c[0], q = std::uint64_t{0xCD9E8D57} * c[2];
    c = {static_cast<std::uint32_t>(q >> 32) ^ c[1] ^ key[0], static_cast<std::uint32_t>(q),
         static_cast<std::uint32_t>(p >> 32) ^ c[3] ^ key[1], static_cast<std::uint32_t>(p)};
    key[0] += 0x9E3779B9;
    key[1] += 0xBB67AE85;
  }
  return c;
}

Random::Random(std::uint64_t seed, std::uint64_t stream, std::uint32_t purpose)
    : key_{static_cast<std::uint32_t>(seed), static_cast<std::uint32_t>(seed >> 32)},
      counter_{0, purpose, static_cast<std::uint32_t>(stream), static_cast<std::uint32_t>(stream >> 32)} {}

std::uint64_t Random::bits() {
  if (left_ == 0) {
    const auto words = philox4x32(counter_, key_);
    ++counter_[0];
    block_ = {words[0] | std::uint64_t{words[1]} << 32, words[2] | std::uint64_t{words[3]} << 32};
    left_ = 2;
  }
  return block_[static_cast<std::size_t>(2 - left_--)];
}

double Random::uniform() { return (static_cast<double>(bits() >> 12) + 0.5) * 0x1p-52; }

double Random::normal() {
  const double radius = std::sqrt(-2 * std::log(uniform()));
  return radius * std::cos(2 * std::numbers::pi * uniform());
}

Vec3<double> Random::direction() {
  const double z = uniform(-1, 1), phi = uniform(0, 2 * std::numbers::pi), s = std::sqrt(1 - z * z);
  return {s * std::cos(phi), s * std::sin(phi), z};
}

}  // namespace pleiad
