#include "ranks/together.hpp"

#include "core/radii.hpp"

#include <pleiad/error.hpp>

#include <string>

namespace pleiad::ranks {
namespace {

using namespace by_distance;

/// Passes over the bodies of all ranks: each makes its own, and their results are joined.
class RankPasses final : public Passes {
 public:
  RankPasses(Transport& transport, Passes& own) : transport_(transport), own_(own) {}
  std::size_t bodies() const override { return own_.bodies(); }
  std::vector<Sums> sums(const Members& members) override {
    return all_gather<Sums>(transport_, own_.sums(members)).data;
  }
  std::vector<std::uint64_t> weights(const Question& question, std::span<const Interval> intervals,
                                     unsigned bits) override {
    auto weights = own_.weights(question, intervals, bits);
    transport_.sum(weights);
    return weights;
  }
  std::vector<AllFound> find(const Question& question, std::span<const Interval> intervals) override {
    auto found = own_.find(question, intervals);
    std::vector<std::uint64_t> counts;
    for (const auto& each : found) counts.push_back(each.count);
    transport_.sum(counts);
    for (std::size_t k = 0; k < found.size(); ++k) {
      found[k].count = counts[k];
      if (counts[k] > most_found) found[k].bodies.clear();
      else found[k].bodies = all_gather<Found>(transport_, found[k].bodies).data;
    }
    return found;
  }

 private:
  Transport& transport_;
  Passes& own_;
};

template <class T>
Radii radii_of_host(const Together& all, std::span<const Mass<T>> own) {
  const auto passes = passes_over(own, all.first(), all.bodies(own.size()));
  return all.radii(*passes);
}

}  // namespace

Together::Together(Transport& transport, std::size_t own)
    : transport_(&transport), division_{sum(transport, own), transport.ranks()} {
  if (!all(transport, own == division_.count(transport.rank())))
    throw UsageError("the ranks have other numbers of bodies than their division, " +
                     std::to_string(division_.bodies) + " in blocks of " + std::to_string(Division::block) +
                     ", gives them");
}

Radii Together::radii(std::span<const Mass<float>> own) const { return radii_of_host(*this, own); }
Radii Together::radii(std::span<const Mass<double>> own) const { return radii_of_host(*this, own); }
Radii Together::radii(Passes& own) const {
  RankPasses passes(*transport_, own);
  return radii_of(passes);
}

}  // namespace pleiad::ranks
