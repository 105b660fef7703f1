#include <pleiad/error.hpp>

#include <algorithm>
#include <array>
#include <numeric>
#include <utility>
#include <vector>

namespace pleiad {
namespace {
/// Edit distance with transpositions of neighbours (optimal string alignment).
std::size_t distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> before(b.size() + 1), row(b.size() + 1), next(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 1; i <= a.size(); ++i) {
    next[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      next[j] = std::min({row[j] + 1, next[j - 1] + 1, row[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1)});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
        next[j] = std::min(next[j], before[j - 2] + 1);
    }
    before = row;
    std::swap(row, next);
  }
  return row[b.size()];
}

/// Words that other programs use, and what is written here.
constexpr std::pair<std::string_view, std::string_view> synonyms[]{
    {"gpu", "cuda"},         {"nvidia", "cuda"},       {"single", "f32"},       {"float", "f32"},
    {"float32", "f32"},      {"double", "f64"},        {"float64", "f64"},      {"verlet", "kdk"},
    {"hermite", "hermite4"}, {"radau", "gauss-radau"}, {"yoshida", "yoshida6"}, {"treecode", "barnes-hut"},
    {"bh", "barnes-hut"},    {"tree", "barnes-hut"},   {"softening", "eps"},    {"eps", "softening"},
    {"end", "t_end"}};
}  // namespace

std::string_view name_of(Error::Code code) {
  switch (code) {
    case Error::Code::invalid_argument:
      return "invalid_argument";
    case Error::Code::unknown_name:
      return "unknown_name";
    case Error::Code::unsupported:
      return "unsupported";
    case Error::Code::missing_file:
      return "missing_file";
    case Error::Code::invalid_data:
      return "invalid_data";
    case Error::Code::damaged_file:
      return "damaged_file";
    case Error::Code::other_version:
      return "other_version";
    case Error::Code::missing_checkpoint:
      return "missing_checkpoint";
    case Error::Code::unavailable:
      return "unavailable";
    case Error::Code::out_of_memory:
      return "out_of_memory";
    case Error::Code::out_of_device_memory:
      return "out_of_device_memory";
    case Error::Code::no_device:
      return "no_device";
    case Error::Code::device_failed:
      return "device_failed";
    case Error::Code::cannot_write:
      return "cannot_write";
    case Error::Code::in_use:
      return "in_use";
    case Error::Code::failed:
      return "failed";
    case Error::Code::not_finite:
      return "not_finite";
    case Error::Code::step_too_small:
      return "step_too_small";
    case Error::Code::inaccurate:
      return "inaccurate";
  }
  return "";
}

std::string_view nearest(std::string_view name, std::span<const std::string_view> candidates) {
  for (const auto& [other, word] : synonyms)
    if (name == other && std::ranges::find(candidates, word) != candidates.end()) return word;
  std::string_view best;
  std::size_t least = std::max<std::size_t>(2, name.size() / 2) + 1;
  for (const auto candidate : candidates) {
    const std::size_t d = name.size() > 64 ? 64 : distance(name, candidate);
    // Of two words that share nothing none is a misspelling of the other.
    if (d < least && d < std::max(name.size(), candidate.size())) {
      least = d;
      best = candidate;
    }
  }
  return best;
}

std::string did_you_mean(std::string_view name, std::span<const std::string_view> candidates) {
  const auto best = nearest(name, candidates);
  return best.empty() ? std::string() : "; did you mean '" + std::string(best) + "'?";
}

}  // namespace pleiad
