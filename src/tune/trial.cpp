#include "tune/trial.hpp"

#include "engine/rounding.hpp"
#include "tune/families.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace pleiad::tune {

Trial::Trial(Device where, const Bodies& bodies, const Gravity& gravity, Precision precision,
             ranks::Communicator& ranks, DivideTree divide_tree, TimeSource clock)
    : where_(where),
      ranks_(ranks),
      clock_(clock),
      n_(on_all_ranks(ranks, bodies.size())),
      trees_(make_tree_trial(where, bodies, gravity, precision, ranks, divide_tree)),
      sample_{.sample =
                  collective_sample({ranks, bodies.size()}, bodies, sample_size(n_, where == Device::cuda))},
      G_(gravity.G),
      all_images_(gravity.boundary.all_images()),
      masses_(bodies.mass) {
  sample_.exact = exact_on(where, ranks, bodies, gravity, sample_.sample.bodies);
  sample_.rounding = collective_rounding(
      {ranks, bodies.size()}, [&]() -> const Bodies& { return bodies; }, gravity, sample_.sample,
      sample_.exact);
}

double Trial::evaluate() {
  return slowest(ranks_, seconds_of([&] { trees_->evaluate(); }, clock_));
}

double Trial::net() const { return all_images_ ? net_of(sample_.exact, sample_.sample, G_) : 1; }

double Trial::net_pull(const TreeSettings& settings) {
  trees_->take(settings);
  trees_->evaluate();
  // By parts: the pulls on very many bodies need more memory than all else.
  constexpr std::size_t part = std::size_t{1} << 20;
  std::vector<std::size_t> some;
  Vec3<double> net{};
  double size = 0;
  for (std::size_t begin = 0; begin < masses_.size(); begin += part) {
    some.resize(std::min(part, masses_.size() - begin));
    std::iota(some.begin(), some.end(), begin);
    for (std::size_t i = begin; const auto& a : trees_->own_accelerations(some)) {
      net += masses_[i] * a, size += masses_[i] * norm(a);
      ++i;
    }
  }
  const auto nets = ranks::all_gather(ranks_, net);
  const auto sizes = ranks::all_gather(ranks_, size);
  net = std::accumulate(nets.begin(), nets.end(), Vec3<double>{});
  size = std::accumulate(sizes.begin(), sizes.end(), 0.0);
  return size > 0 ? norm(net) / size : 0;
}

Measurement Trial::run(const TreeSettings& settings, double accuracy, double rival, int least) {
  constexpr double longest = 0.3;  // of all evaluations together
  const bool on_gpu = where_ == Device::cuda;
  trees_->take(settings);
  double best = evaluate(), spent = best;
  if (on_gpu) best = evaluate(), spent += best;
  const auto errors = errors_of(trees_->accelerations(sample_.sample.bodies), sample_.exact, sample_.sample,
                                G_, sample_.rounding);
  const bool meets = meet(errors, accuracy, false);
  const bool worth = meets && best < 1.5 * rival;
  for (int k = 1; k < 4 && (k < least || (worth && k < 3 && spent + best < longest)); ++k) {
    const double took = evaluate();
    best = std::min(best, took), spent += took;
  }
  return {.method = ForceMethod{.tree = settings},
          .seconds = best,
          .errors = errors,
          .meets = meets,
          .work = trees_->work()};
}

}  // namespace pleiad::tune
