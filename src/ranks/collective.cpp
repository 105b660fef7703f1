#include "ranks/collective.hpp"

#include "core/radii.hpp"

#include <pleiad/error.hpp>

#include <string>

namespace pleiad::ranks {
namespace {

using namespace by_distance;

/// Passes over the bodies of all ranks: each makes its own, and their results are joined.
class RankPasses final : public Passes {
 public:
  RankPasses(Communicator& comm, Passes& own) : comm_(comm), own_(own) {}
  std::size_t bodies() const override { return own_.bodies(); }
  std::vector<Sums> sums(const Members& members) override {
    return all_gather<Sums>(comm_, own_.sums(members)).data;
  }
  std::vector<std::uint64_t> weights(const Question& question, std::span<const Interval> intervals,
                                     unsigned bits) override {
    auto weights = own_.weights(question, intervals, bits);
    comm_.sum(weights);
    return weights;
  }
  std::vector<AllFound> find(const Question& question, std::span<const Interval> intervals) override {
    auto found = own_.find(question, intervals);
    std::vector<std::uint64_t> counts;
    for (const auto& each : found) counts.push_back(each.count);
    comm_.sum(counts);
    for (std::size_t k = 0; k < found.size(); ++k) {
      found[k].count = counts[k];
      if (counts[k] > most_found) found[k].bodies.clear();
      else found[k].bodies = all_gather<Found>(comm_, found[k].bodies).data;
    }
    return found;
  }

 private:
  Communicator& comm_;
  Passes& own_;
};

template <class T>
Radii radii_of_host(const Collective& all, std::span<const Mass<T>> own) {
  const auto passes = passes_over(own, all.first(), all.bodies(own.size()));
  return all.radii(*passes);
}

}  // namespace

Collective::Collective(Communicator& comm, std::size_t own)
    : comm_(&comm), division_{sum(comm, own), comm.ranks()} {
  if (!all(comm, own == division_.count(comm.rank())))
    throw UsageError("the ranks have other numbers of bodies than their division, " +
                     std::to_string(division_.bodies) + " in blocks of " + std::to_string(Division::block) +
                     ", gives them");
}

Radii Collective::radii(std::span<const Mass<float>> own) const { return radii_of_host(*this, own); }
Radii Collective::radii(std::span<const Mass<double>> own) const { return radii_of_host(*this, own); }
Radii Collective::radii(Passes& own) const {
  RankPasses passes(*comm_, own);
  return radii_of(passes);
}

}  // namespace pleiad::ranks
