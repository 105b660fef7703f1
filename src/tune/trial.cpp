#include "tune/trial.hpp"

#include <algorithm>
#include <chrono>

namespace pleiad::tune {

double seconds() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

Trial::Trial(Device where, const Bodies& bodies, const Gravity& gravity, Precision precision)
    : where_(where),
      n_(bodies.size()),
      trees_(make_tree_trial(where, bodies, gravity, precision)),
      chosen_(sample_of(n_, where == Device::cuda ? sample_on_gpu : sample_size(n_))),
      exact_(trees_->exact(chosen_)) {}

double Trial::evaluate() {
  const double start = seconds();
  trees_->evaluate();
  return seconds() - start;
}

Tried Trial::run(const TreeSettings& settings, double accuracy, double rival, int least) {
  constexpr double longest = 0.3;  // of all evaluations together
  const bool on_gpu = where_ == Device::cuda;
  trees_->take(settings);
  double best = evaluate(), spent = best;
  if (on_gpu) best = evaluate(), spent += best;
  const auto errors = errors_of(trees_->accelerations(chosen_), exact_);
  const bool meets = errors.p99 <= accuracy;
  const bool worth = meets && best < 1.5 * rival;
  for (int k = 1; k < 4 && (k < least || (worth && k < 3 && spent + best < longest)); ++k) {
    const double took = evaluate();
    best = std::min(best, took), spent += took;
  }
  return {
      .kernel = text_of(settings), .seconds = best, .errors = errors, .meets = meets, .work = trees_->work()};
}

}  // namespace pleiad::tune
