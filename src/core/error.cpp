#include <pleiad/error.hpp>

#include <algorithm>
#include <array>
#include <numeric>
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
}  // namespace

std::string_view nearest(std::string_view name, std::span<const std::string_view> candidates) {
  // Words that other programs use are no typos of names that are spelt alike: "gpu" is not "cpu".
  constexpr std::array<std::array<std::string_view, 2>, 2> synonyms{{{"gpu", "cuda"}, {"leapfrog", "kdk"}}};
  for (const auto& [other, ours] : synonyms)
    if (name == other && std::ranges::find(candidates, ours) != candidates.end()) return ours;
  std::string_view best;
  std::size_t least = std::max<std::size_t>(2, name.size() / 2) + 1;
  for (const auto candidate : candidates) {
    const std::size_t d = name.size() > 64 ? 64 : distance(name, candidate);
    if (d < least && d < std::max(name.size(), candidate.size())) {  // not what has nothing in common
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
