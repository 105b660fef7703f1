#include "console.hpp"

#include "core/clock.hpp"
#include "core/magnitude.hpp"
#include "core/print.hpp"
#include "core/version.hpp"
#include "run/comoving.hpp"
#include "run_summary.hpp"

#include <cmath>

#include <fmt/format.h>
#include <unistd.h>

namespace pleiad::app {
namespace {

/// The bar, the rates of the steps, and the remaining time.
std::string line_of(const run::Progress& p, bool comoving, double done, double seconds) {
  const int full = static_cast<int>(done * 24);
  std::string bar(24, '-');
  for (int i = 0; i < full && i < 24; ++i) bar[static_cast<std::size_t>(i)] = '#';
  const auto now =
      comoving ? fmt::format("z = {:.4g}", std::expm1(-p.time)) : fmt::format("t = {:.4g}", p.time);
  return fmt::format("[{}] {:3.0f} %  {}  {}{}interactions/s  {} left{}", bar, 100 * done, now,
                     p.steps && p.seconds > 0 ? fmt::format("{:.3g} steps/s  ", *p.steps / p.seconds) : "",
                     metric(p.seconds > 0 ? p.interactions / p.seconds : 0),
                     done > 0 ? duration(seconds / done * (1 - done)) : "?",
                     p.energy_error ? fmt::format("  energy error {:.1e}", *p.energy_error) : "");
}

/// The reason in brackets.
std::string reason(const std::string& why) { return why.empty() ? "" : fmt::format(" ({})", why); }

}  // namespace

Console::Console(bool quiet, bool json)
    : quiet_(quiet), json_(json), terminal_(isatty(STDERR_FILENO) == 1), last_(seconds()) {}

void Console::draw(const std::string& line) {
  print_err("\r\033[K{}", line);
  drawn_ = true;
}

void Console::clear() {
  if (drawn_) write_err("\r\033[K");
  drawn_ = false;
}

void Console::tuning(const std::string& what, bool begins) {
  if (quiet_) return;
  // Where no line can be rewritten, one now and then.
  constexpr double pause = 5;
  if (terminal_ && !begins) return draw(what);
  if (!begins && seconds() - last_ <= pause) return;
  clear();
  print_err("pleiad: {}\n", what);
  last_ = seconds();
}

void Console::started(const run::Started& r) {
  clear();
  start_time_ = r.time, t_end_ = r.options.time.t_end, start_ = seconds(), last_ = 0;
  for (const auto& text : r.notes) note(text);
  if (quiet_) return;
  const bool ensemble = r.options.ensemble.active();
  const auto& d = r.engine;
  print_err("pleiad {}: {} {} on {}, {} thread{}, kernel {} ({}), precision {}{}\n", pleiad::version(),
            r.count, ensemble ? "systems" : "bodies", d.device, d.threads, d.threads == 1 ? "" : "s",
            d.kernel(), d.why, d.precision, reason(r.why_precision));
  const auto& m = r.method;
  const auto& law = r.options.gravity;
  const bool comoving = r.options.cosmology.active();
  comoving_ = comoving;
  print_err("  {} {}{} = {:g}{}, from {} to {}{}; output in {}\n", m.integrator->name,
            m.adaptive && !m.equal_steps ? "adaptive (not time-reversible), " : "",
            comoving ? "steps of ln a" : "dt", m.dt, m.adaptive ? " at most" : "",
            run::moment_in_words(r.options, r.time),
            comoving ? run::moment_in_words(r.options, t_end_) : fmt::format("{:g}", t_end_),
            ensemble ? "" : fmt::format(", eps = {:g}, G = {:g}", law.softening, law.G),
            r.options.output.directory);
}

/// Whether the summary, which ends with the notes, is on the same terminal as messages.
bool Console::shows_notes() const { return !json_ && terminal_ && isatty(STDOUT_FILENO) == 1; }

void Console::note(const std::string& text) {
  clear();
  print_err("pleiad: note: {}\n", text);
}

void Console::progressed(const std::function<run::Progress()>& now) {
  if (quiet_ || !terminal_ || seconds() - last_ < 0.1) return;
  last_ = seconds();
  const auto p = now();
  const double done = t_end_ > start_time_ ? (p.time - start_time_) / (t_end_ - start_time_) : 1;
  draw(line_of(p, comoving_, done, seconds() - start_));
}

void Console::finished(const run::SystemSummary& s) {
  clear();
  if (!s.energy_note.empty() && !shows_notes()) note(s.energy_note);
  json_ ? print_out("{}\n", s.json) : print_words(s);
  if (!s.stopped_by.empty())
    print_stopped(fmt::format("step {}, {}", s.step, run::moment_in_words(s.options, s.time)), s);
}

void Console::finished(const run::EnsembleSummary& s) {
  clear();
  if (!s.energy_note.empty() && !shows_notes()) note(s.energy_note);
  json_ ? print_out("{}\n", s.json) : print_words(s);
  if (!s.stopped_by.empty()) print_stopped(fmt::format("t = {:g}", s.mean_time), s);
}

}  // namespace pleiad::app
