#include "run/output_schedules.hpp"

namespace pleiad::run {

OutputSchedules::OutputSchedules(const Options& o, const Simulation& s)
    : snapshots("output.snapshot_interval", s, o.output.snapshot_interval, o.output.snapshot_times,
                o.time.t_end),
      rows("output.diagnostics_interval", s, o.output.diagnostics_interval, {}, o.time.t_end),
      pictures("output.picture_interval", s, o.output.picture_interval, {}, o.time.t_end),
      draws(o.output.pictures) {}

Moment OutputSchedules::next(const Clock& now) const {
  Moment next = rows.next_after(now);
  const auto earlier = [&](const Schedule& schedule) {
    if (const auto other = schedule.next_after(now); schedule.before(other, next)) next = other;
  };
  earlier(snapshots);
  if (draws) earlier(pictures);
  return next;
}

}  // namespace pleiad::run
