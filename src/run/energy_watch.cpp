#include "run/energy_watch.hpp"

#include <pleiad/error.hpp>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <sstream>
#include <utility>

#include <fmt/format.h>

namespace pleiad::run {
namespace {

constexpr const char* energy_watch_name = "energy_watch";
constexpr int most_attempts = 8;
/// Below it the third derivatives of Hermite's criterion are rounding.
constexpr double least_eta = 1e-6, largest_eta = 0.1;

/// The factor of eta that halves a step.
double eta_of_half(const Method& m) { return m.integrator->needs_jerks ? 0.25 : 0.5; }

}  // namespace

std::string step_text(const Method& m) {
  if (!m.equal_steps) return fmt::format("eta = {:.3g}", m.eta);
  if (m.integrator->in_blocks) return fmt::format("dt = {:.3g} and eta = {:.3g}", m.dt, m.eta);
  return fmt::format("dt = {:.3g}", m.dt);
}

/// All block time steps are halved or doubled, whatever their level.
Method EnergyWatch::with_step(Method m, double factor) const {
  if (!m.equal_steps) {
    m.eta *= factor < 1 ? eta_of_half(m) : 1 / eta_of_half(m);
    return m;
  }
  m.dt *= factor;
  if (m.integrator->in_blocks) m.eta *= by_pairs_ ? factor : factor * factor;
  return m;
}

double scaled_step(double dt, const Method& from, const Method& to) {
  if (from.equal_steps) return 0;
  return dt * (to.integrator->needs_jerks ? std::sqrt(to.eta / from.eta) : to.eta / from.eta);
}

std::uint64_t EnergyWatch::steps_between_looks(const Integrator& integrator, std::size_t bodies) {
  // Of few bodies an energy costs more than a step; a step that ends with a kick knows the potentials.
  constexpr std::size_t few = 64;
  if (bodies <= few) return 8;
  if (integrator.in_blocks) return 1;
  return ends_with_kick(integrator) ? 1 : 4;
}

void EnergyWatch::begin(Simulation& simulation, double error, double next_output) {
  kept_ = simulation.snapshot();
  clock_ = simulation.clock(), method_ = simulation.method();
  by_pairs_ = method_.blocks.by_pairs(simulation.gravity().softening.eps);
  at_start_ = now_;
  const double left = next_output - clock_.time;
  const double parts = std::max(1.0, std::nearbyint(left / plan_.interval));
  until_ = parts == 1 ? next_output : clock_.time + left / parts;
  first_ = error, swing_ = 0;
  error0_ = std::abs(error), most_ = error0_, attempts_ = 0;
  const double length = plan_.end - plan_.start, B = plan_.budget;
  const double share = (clock_.time - plan_.start) / length, added = (until_ - clock_.time) / length;
  const double spare = std::max(0.0, B * (0.5 + 0.5 * share) - error0_);
  limit_ = std::min(B, error0_ + 0.5 * B * added + 0.5 * spare);
}

/// Two halvings of the step that have not halved the error: it is one of rounding.
bool EnergyWatch::stalled() const {
  return attempts_ >= most_attempts || (attempts_ >= 3 && !(most_ < 0.5 * earlier_[0]));
}

bool EnergyWatch::look(double error, bool at_end) {
  const double size = std::abs(error), change = std::abs(error - first_);
  if (!(change <= swing_)) swing_ = std::isfinite(change) ? change : std::numeric_limits<double>::infinity();
  if (!(size <= most_)) most_ = std::isfinite(size) ? size : std::numeric_limits<double>::infinity();
  if (most_ <= limit_) return true;
  // The first attempt ends here; later ones show how much a shorter step helps.
  if (attempts_ == 0 || !std::isfinite(most_)) return false;
  return !at_end || (stalled() && most_ <= plan_.budget);
}

EnergyWatch::Point EnergyWatch::again(const Method& method, std::uint64_t step) {
  auto next = with_step(method, 0.5);
  // Half of the step that was made, which a short interval may have limited.
  if (next.equal_steps) next.dt = std::min(next.dt, (until_ - clock_.time) / 2);
  if (stalled() || (!next.equal_steps && next.eta < least_eta))
    throw NumericalError(
        fmt::format("time.energy_error = {:g} is not kept from t = {:g}: {} attempts with steps down to {} "
                    "come to {:.2g}, "
                    "which no shorter step lowers: rounding of a close pair; {:.2g} was kept until there",
                    plan_.budget, clock_.time, attempts_ + 1, step_text(method), most_, at_start_.worst),
        Error::Code::inaccurate);
  if (attempts_ > 0) earlier_[0] = std::exchange(earlier_[1], most_);
  ++attempts_;
  if (std::exchange(now_.lengthened, false)) now_.patience *= 2;
  now_.quiet = 0, ++now_.redone, now_.wasted += double(step - clock_.step);
  most_ = error0_, swing_ = 0;
  auto clock = clock_;
  clock.next_dt = scaled_step(clock_.next_dt, method_, next);
  return {*kept_, clock, next};
}

EnergyWatch::Point EnergyWatch::start_of_interval() {
  now_ = at_start_, attempts_ = 0, most_ = error0_, swing_ = 0;
  return {*kept_, clock_, method_};
}

std::optional<Method> EnergyWatch::accept(const Method& method) {
  now_.worst = std::max(now_.worst, most_);
  const int order = method.equal_steps ? method.integrator->order : method.integrator->needs_jerks ? 4 : 7;
  // An error that becomes smaller within an interval needs its step as one that grows: an orbit whose energy
  // is compared with that of a pericentre has its error everywhere else.
  const bool calm = attempts_ == 0 && swing_ < (limit_ - error0_) * std::exp2(-(order + 1.5));
  now_.quiet = calm ? now_.quiet + (until_ - clock_.time) : 0;
  const auto longer = with_step(method, 2);
  // A step that is longer than the interval is none.
  bool fits = longer.equal_steps ? longer.dt <= plan_.longest && method.dt < until_ - clock_.time
                                 : longer.eta <= largest_eta;
  if (longer.equal_steps && longer.integrator->in_blocks) fits = fits && longer.eta <= 1;
  if (now_.quiet < now_.patience * plan_.span || !fits) return std::nullopt;
  now_.quiet = 0, now_.lengthened = true;
  return longer;
}

std::string EnergyWatch::result(std::uint64_t steps) const {
  std::string text = fmt::format("energy error kept: worst {:.2g} of {:g}", now_.worst, plan_.budget);
  if (now_.redone > 0)
    text += fmt::format("; {} roll-back{}, {:.2g} % of the work", now_.redone, now_.redone == 1 ? "" : "s",
                        100 * now_.wasted / (double(steps) + now_.wasted));
  return text;
}

void EnergyWatch::save(Checkpoint& c) const {
  const auto& p = plan_;
  const auto& n = now_;
  c.extra[energy_watch_name] = fmt::format("{:a} {:a} {:a} {:a} {:a} {:a} {:a} {:a} {:a} {:a} {} {}",
                                           p.budget, p.start, p.end, p.interval, p.span, p.longest, n.worst,
                                           n.wasted, n.quiet, n.patience, n.redone, int(n.lengthened));
}

bool EnergyWatch::is_in(const Checkpoint& c) { return c.extra.contains(energy_watch_name); }

EnergyWatch EnergyWatch::restored(const Checkpoint& c, const std::string& where) {
  const auto refuse = [&] {
    throw InputError(fmt::format("{}: section '{}' is not whole", where, energy_watch_name));
  };
  const auto text = c.extra.find(energy_watch_name);
  if (text == c.extra.end()) refuse();
  std::istringstream in(text->second);
  double numbers[10];
  for (double& number : numbers) {
    std::string word;
    if (!(in >> word)) refuse();
    number = std::strtod(word.c_str(), nullptr);
    if (!(number >= 0 || &number == &numbers[1] || &number == &numbers[2]) || !std::isfinite(number))
      refuse();
  }
  EnergyWatch watch({.budget = numbers[0],
                     .start = numbers[1],
                     .end = numbers[2],
                     .interval = numbers[3],
                     .span = numbers[4],
                     .longest = numbers[5]});
  auto& n = watch.now_;
  n.worst = numbers[6], n.wasted = numbers[7], n.quiet = numbers[8], n.patience = numbers[9];
  int lengthened = 0;
  if (!(in >> n.redone >> lengthened) || !(in >> std::ws).eof() || lengthened < 0 || lengthened > 1) refuse();
  if (!(watch.plan_.budget > 0 && watch.plan_.interval > 0 && watch.plan_.end > watch.plan_.start)) refuse();
  n.lengthened = lengthened == 1;
  return watch;
}

}  // namespace pleiad::run
