#include "run/outputs.hpp"

#include "ranks/agree.hpp"
#include "run/resumed.hpp"

#include <algorithm>
#include <future>
#include <utility>

#include <fmt/format.h>

namespace pleiad::run {

Outputs::Outputs(const Options& o, Simulation& s, ranks::Communicator& ranks, const ranks::Division& division,
                 std::span<const Analysis* const> more)
    : run_{.options = o,
           .simulation = s,
           .ranks = ranks,
           .division = division,
           .energies = EnergyRecord(ranks)},
      written_(moment_of(s.clock())),
      copies_(s, ranks.ranks() == 1) {
  for (const auto* analysis : analyses()) add(*analysis);
  for (const auto* analysis : more) add(*analysis);
  for (auto& e : entries_) e.output = e.analysis->make(run_);
}

void Outputs::add(const Analysis& analysis) {
  Entry entry{.analysis = &analysis, .times = {.on = false}, .schedule = {}};
  if (analysis.times != nullptr) {
    const auto& t = entry.times = analysis.times(run_.options);
    if (t.steps == 0)
      entry.schedule.emplace(t.key, run_.simulation, t.interval, t.times, run_.options.time.t_end,
                             t.times_key);
  }
  entries_.push_back(std::move(entry));
}

void Outputs::open(RunDirectory* directory, const Checkpoint* resumed, std::vector<std::string>& notes,
                   control::AccuracyMonitor* watch) {
  run_.directory = directory, run_.watch = watch;
  if (run_.leads())
    for (auto& e : entries_) e.output->open(resumed, notes);
  if (resumed != nullptr)
    for (auto& e : entries_) e.output->restore(*resumed);
}

void Outputs::see(const ForceErrors& errors) {
  for (auto& e : entries_) e.output->see(errors);
}

void Outputs::take(std::span<const encounters::Event> events) {
  if (events.empty()) return;
  for (auto& e : entries_) e.output->take(events);
}

void Outputs::bodies_changed(const ChangedBodies& now, const ranks::Division& division) {
  run_.division = division;
  const double omega = pattern_speed_of(run_.simulation.gravity()).value_or(0);
  run_.energies.bodies_changed(now.lost.energy - omega * now.lost.angular_momentum.z, now.kept_particles,
                               now.masses_changed, run_.simulation.snapshot().bodies);
  for (auto& e : entries_) e.output->bodies_changed();
}

Moment Outputs::next() const {
  std::optional<Moment> next;  // the diagnostics have one
  for (const auto& e : entries_)
    if (e.times.on && e.schedule)
      if (const auto other = e.schedule->next_after(written_); !next || e.schedule->before(other, *next))
        next = other;
  return next.value();
}

bool Outputs::need_potentials(const Moment& moment) const {
  return std::ranges::any_of(entries_,
                             [&](const Entry& e) { return e.due(moment) && e.output->needs_potentials(); });
}

std::uint64_t Outputs::steps_to_next() const {
  std::uint64_t next = 0;
  for (const auto& e : entries_)
    if (const auto every = e.every(); every > 0) {
      const auto steps = every - run_.simulation.step() % every;
      next = next == 0 ? steps : std::min(next, steps);
    }
  return next;
}

std::size_t Outputs::to_come(std::string_view analysis) const {
  for (const auto& e : entries_)
    if (e.analysis->name == analysis && e.times.on && e.schedule) return e.schedule->to_come(written_);
  return 0;
}

std::optional<Diagnostics> Outputs::write_due() {
  const Moment now = written_ = moment_of(run_.simulation.clock());
  const bool due = std::ranges::any_of(entries_, [&](const Entry& e) { return e.due(now); });
  {
    const Timed stepping(waited_.rows);
    for (auto& e : entries_) e.output->stepped(due);
  }
  run_.row.reset(), run_.cluster.reset();
  std::vector<Job> jobs;
  for (auto& e : entries_) {
    const bool counted = e.every() > 0 && now.ahead == 0 && now.step % e.every() == 0;
    if (!e.due(now) && !counted) continue;
    const Timed working(waited_.*e.analysis->seconds);
    if (auto task = e.output->begin(); task.work) jobs.push_back({&e, std::move(task)});
  }
  if (!jobs.empty()) start(std::move(jobs));
  return run_.row;
}

/// One copy for all that need one: those that read it come before one that changes it.
void Outputs::start(std::vector<Job> jobs) {
  const auto copy = [](const Job& job) { return job.task.copy; };
  std::ranges::stable_sort(jobs, {}, copy);
  const auto first = std::ranges::find_if(
      jobs, [](auto c) { return c != Output::Task::Copy::none; }, copy);
  for (auto& job : jobs) job.entry->line = copy(job) == Output::Task::Copy::none ? Line::alone : Line::copies;
  if (std::vector<Job> copied(first, jobs.end()); !copied.empty()) {
    const Timed copying(waited_.*copied.back().entry->analysis->seconds);
    const bool fields = std::ranges::any_of(copied, [](const Job& job) { return job.task.fields; });
    copies_.start(fields, [this, copied = std::move(copied)](Snapshot& s) { work(copied, s); });
  }
  for (auto job = jobs.begin(); job != first; ++job) {
    const Timed waiting(waited_.*job->entry->analysis->seconds);
    copies_.start([this, job = *job] {
      Snapshot none;
      work({&job, 1}, none);
    });
  }
}

void Outputs::work(std::span<const Job> jobs, Snapshot& snapshot) {
  double seconds = 0;
  {
    const Timed all(seconds);
    for (const auto& job : jobs) {
      const Timed working(job.entry->beside);
      if (job.task.copy != Output::Task::Copy::changed || &job == &jobs.back()) {
        job.task.work(snapshot);
      } else {
        Snapshot own = snapshot;
        job.task.work(own);
      }
    }
  }
  for (double before = slowest_; seconds > before && !slowest_.compare_exchange_weak(before, seconds);) {
  }
}

std::vector<Outputs::Entry*> Outputs::in(Line line) {
  std::vector<Entry*> entries;
  for (auto& e : entries_)
    if (e.line == line) entries.push_back(&e);
  return entries;
}

/// Stores the results of these analyses so far, and the lengths of their tables.
void Outputs::save_found(Checkpoint& c, const std::vector<Entry*>& entries) {
  std::vector<std::uint64_t> bytes;
  for (const auto* e : entries) {
    const auto& table = e->output->table();
    bytes.push_back(table ? table->size() : 0);
    e->output->save_after_work(c);
  }
  const auto all = all_gather<std::uint64_t>(run_.ranks, bytes);
  // A table has a first line.
  for (std::size_t k = 0; k < entries.size(); ++k)
    if (all.of(0)[k] > 0) c.appended_files[std::string(entries[k]->analysis->table)] = all.of(0)[k];
}

std::function<void()> Outputs::save(Checkpoint& c) {
  if (written_.ahead > 0) c.extra[written_name] = fmt::format("{:a}", written_.time);
  const auto at_once = in(Line::none);
  // In the thread that makes the steps: else the calls to the disk would depend on how far the queue is.
  ranks::agree(run_.ranks, [&] {
    for (auto* e : at_once)
      if (auto& table = e->output->table()) table->flush();
  });
  save_found(c, at_once);
  std::vector<std::pair<AppendedFile*, bool>> tables;  ///< and whether their rows are written here
  for (auto& e : entries_) {
    e.output->save(c);
    if (auto& table = e.output->table()) tables.emplace_back(&*table, e.line == Line::none);
  }
  return [&ranks = run_.ranks, tables = std::move(tables)] {
    ranks::agree(ranks, [&] {
      for (const auto& [table, written] : tables)
        if (written) table->sync();
        else table->flush_and_sync();
    });
  };
}

void Outputs::write_checkpoint(Checkpoint checkpoint, std::function<void(const Checkpoint&)> write) {
  auto c = std::make_shared<Checkpoint>(std::move(checkpoint));
  std::shared_future<void> alone;
  if (auto entries = in(Line::alone); !entries.empty()) {
    // When all that is due now is done in that line, and nothing that is due later.
    auto done = std::make_shared<std::promise<void>>();
    alone = done->get_future().share();
    copies_.start([this, c, entries = std::move(entries), done = std::move(done)] {
      save_found(*c, entries);
      done->set_value();
    });
  }
  copies_.start(false, [this, c = std::move(c), entries = in(Line::copies), alone = std::move(alone),
                        write = std::move(write)](Snapshot& now) {
    try {
      if (alone.valid()) alone.get();
    } catch (const std::future_error&) {
      return;  // Earlier work has failed: later outputs are not written, and `wait` throws the failure.
    }
    save_found(*c, entries);
    const Timed writing(beside_of_checkpoints_);
    std::swap(c->snapshot, now);
    write(*c);
    std::swap(c->snapshot, now);
  });
}

void Outputs::begin_finish() {
  ending_.how = making_in(*run_.directory);
  finish_begun_ = true;
  for (auto& e : entries_) e.output->begin_finish(ending_);
}

void Outputs::finish() {
  wait();
  for (auto& e : entries_)
    if (auto& table = e.output->table()) table->flush_and_sync();
  // A signal since begin_finish ends what was begun there.
  if (!finish_begun_) ending_.how = making_in(*run_.directory);
  for (auto& e : entries_) e.output->finish(ending_);
}

Output::Files Outputs::files() const {
  Output::Files all;
  for (const auto& e : entries_) {
    if (const auto& table = e.output->table(); !e.analysis->table.empty())
      all.emplace_back(e.analysis->name, table ? table->file().string() : "");
    const auto others = e.output->files();
    all.insert(all.end(), others.begin(), others.end());
  }
  return all;
}

OutputTimes Outputs::beside() const {
  if (!copies_.concurrent()) return {};
  OutputTimes all{.checkpoints = beside_of_checkpoints_};
  for (const auto& e : entries_) all.*e.analysis->seconds += e.beside;
  return all;
}

}  // namespace pleiad::run
